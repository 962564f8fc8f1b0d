package dialog

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Move asks for the pose of an entity.
type Move struct {
	buttons
	form
	entity string
	start  [6]string
	pose   r3.Pose
}

var _ Dialog = (*Move)(nil)

// NewMove starts from the entity's pose.
func NewMove(entity string, pose r3.Pose) *Move {
	m := &Move{entity: entity, pose: pose, buttons: buttons{accept: "Move"}, form: newForm(
		field{label: "x    ", unit: "m"}, field{label: "y    ", unit: "m"}, field{label: "z    ", unit: "m"},
		field{label: "roll ", unit: "°"}, field{label: "pitch", unit: "°"}, field{label: "yaw  ", unit: "°"})}
	roll, pitch, yaw := pose.Rot.RPY()
	for i, v := range []float64{pose.Pos.X, pose.Pos.Y, pose.Pos.Z, pane.Degrees(roll), pane.Degrees(pitch),
		pane.Degrees(yaw)} {
		m.start[i] = short(v)
		m.fields[i].line.Set(m.start[i])
	}
	m.focus = 0
	return m
}

// Title names the dialog.
func (m *Move) Title() string { return "Pose of " + m.entity }

// Size is the size that it wants, in cells.
func (m *Move) Size() (w, h int) { return 58, 5 }

// Pose is the requested pose: fields that were not changed keep all digits.
func (m *Move) Pose() (r3.Pose, error) {
	v, err := m.numbers(0, 6)
	if err != nil {
		return r3.Pose{}, err
	}
	p, turned := m.pose, false
	for i := range v {
		if m.fields[i].line.Text() == m.start[i] {
			continue
		}
		if i < 3 {
			p.Pos = p.Pos.With(i, v[i])
		}
		turned = turned || i >= 3
	}
	if turned {
		p.Rot = r3.FromRPY(v[3]*math.Pi/180, v[4]*math.Pi/180, v[5]*math.Pi/180)
	}
	return p, nil
}

// Draw fills the area.
func (m *Move) Draw(a canvas.Area) {
	m.form.draw(a, 1, 1, 9, 0, 3)
	m.form.draw(a, 1, 2, 9, 3, 6)
	_, err := m.Pose()
	if err != nil {
		a.Clip(1, 3, a.W()-2, err.Error(), theme.Bad)
	}
	m.buttons.draw(a, err == nil)
}

// Key edits, goes to other fields, accepts or closes.
func (m *Move) Key(k Key) Outcome {
	return m.answer(k, 3, func() Outcome {
		p, err := m.Pose()
		if err != nil {
			return Outcome{}
		}
		return moved([]Member{{Name: m.entity}}, func(Member) r3.Pose { return p },
			m.entity+" moved to "+where(p))
	})
}

// Click goes to a field or presses a button.
func (m *Move) Click(x, y int) Outcome {
	if m.form.click(x, y) {
		return Outcome{}
	}
	return m.Key(Key{Action: m.press(x, y)})
}

// Wheel does nothing.
func (m *Move) Wheel(int) {}

// Hints are the actions that mean something to it.
func (m *Move) Hints() []string { return []string{Next, Prev, Up, Down} }
