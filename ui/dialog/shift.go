package dialog

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Shift asks by how much to move several entities, and how far to turn them
// about the middle between them.
type Shift struct {
	buttons
	form
	who []Member
}

var _ Dialog = (*Shift)(nil)

// NewShift moves all of who alike.
func NewShift(who []Member) *Shift {
	s := &Shift{who: who, buttons: buttons{accept: "Move"}, form: newForm(
		field{label: "x    ", unit: "m"}, field{label: "y    ", unit: "m"}, field{label: "z    ", unit: "m"},
		field{label: "turn ", unit: "°"})}
	for i := range s.fields {
		s.fields[i].line.Hint = "0"
	}
	s.focus = 0
	return s
}

// Title names the dialog.
func (s *Shift) Title() string { return "Move " + called(s.who) + " by" }

// Size is the size that it wants, in cells.
func (s *Shift) Size() (w, h int) { return 58, 5 }

// by is the requested shift: metres, and radians about the vertical.
func (s *Shift) by() (r3.Vec, float64, error) {
	v, err := s.numbers(0, 4)
	if err != nil {
		return r3.Vec{}, 0, err
	}
	return r3.V(v[0], v[1], v[2]), v[3] * math.Pi / 180, nil
}

// Draw fills the area.
func (s *Shift) Draw(a canvas.Area) {
	s.form.draw(a, 1, 1, 9, 0, 3)
	s.form.draw(a, 1, 2, 9, 3, 4)
	m := middle(s.who)
	a.Clip(21, 2, a.W()-22, fmt.Sprintf("about %s, %s", short(m.X), short(m.Y)), theme.Dim)
	_, _, err := s.by()
	if err != nil {
		a.Clip(1, 3, a.W()-2, err.Error(), theme.Bad)
	}
	s.buttons.draw(a, err == nil)
}

// Key edits, goes to other fields, accepts or closes.
func (s *Shift) Key(k Key) Outcome {
	return s.answer(k, 3, func() Outcome {
		by, turn, err := s.by()
		if err != nil {
			return Outcome{}
		}
		about, rot := middle(s.who), r3.FromRPY(0, 0, turn)
		return moved(s.who, func(w Member) r3.Pose {
			return r3.Pose{Pos: about.Add(rot.Rotate(w.Pose.Pos.Sub(about))).Add(by),
				Rot: rot.Mul(w.Pose.Rot)}
		}, called(s.who)+" moved")
	})
}

// Click goes to a field or presses a button.
func (s *Shift) Click(x, y int) Outcome {
	if s.form.click(x, y) {
		return Outcome{}
	}
	return s.Key(Key{Action: s.press(x, y)})
}

// Wheel does nothing.
func (s *Shift) Wheel(int) {}

// Hints are the actions that mean something to it.
func (s *Shift) Hints() []string { return []string{Next, Prev} }
