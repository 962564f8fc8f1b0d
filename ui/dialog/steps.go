package dialog

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Steps asks how many steps to do.
type Steps struct {
	buttons
	form
	size string
}

var _ Dialog = (*Steps)(nil)

// NewSteps offers n steps; size is the length of one.
func NewSteps(n uint64, size string) *Steps {
	s := &Steps{buttons: buttons{accept: "Step"}, form: newForm(field{label: "steps"}), size: size}
	s.focus = 0
	s.fields[0].line.Hint = strconv.FormatUint(n, 10)
	return s
}

// Title names the dialog.
func (s *Steps) Title() string { return "Step" }

// Size is the size that it wants, in cells.
func (s *Steps) Size() (w, h int) { return 44, 4 }

// Count is the number that is asked for.
func (s *Steps) Count() (uint64, error) {
	text := strings.TrimSpace(s.fields[0].line.Text())
	if text == "" {
		text = s.fields[0].line.Hint
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0, fmt.Errorf("steps: %q: want a whole number from 1 to %d", text, math.MaxInt32)
	}
	return n, nil
}

// Draw fills the area.
func (s *Steps) Draw(a canvas.Area) {
	s.form.draw(a, 1, 1, 12, 0, 1)
	a.Clip(22, 1, a.W()-22, "steps × "+s.size, theme.Dim)
	_, err := s.Count()
	if err != nil {
		a.Clip(1, 2, a.W()-2, err.Error(), theme.Bad)
	}
	s.buttons.draw(a, err == nil)
}

// Key edits, accepts or closes.
func (s *Steps) Key(k Key) Outcome {
	return s.answer(k, 1, func() Outcome {
		n, err := s.Count()
		if err != nil {
			return Outcome{}
		}
		return Outcome{Close: true, Do: sim.StepWorld{N: n}, Done: fmt.Sprintf("%d steps done", n)}
	})
}

// Click presses a button.
func (s *Steps) Click(x, y int) Outcome { return s.Key(Key{Action: s.press(x, y)}) }

// Wheel does nothing.
func (s *Steps) Wheel(int) {}

// Hints are the actions that mean something to it.
func (s *Steps) Hints() []string { return nil }
