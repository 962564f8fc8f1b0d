package dialog

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Place is somewhere to put an entity.
type Place struct {
	Name string
	Note string
	Pose r3.Pose
	Lift bool // stand on it: raise what reaches below its own frame
}

// Places are the named poses of a world, and before them others that are
// known by now.
func Places(m *sim.Model, others ...Place) []Place {
	out := others
	for i := range m.NamedPoses {
		n := &m.NamedPoses[i]
		out = append(out, Place{Name: n.Name, Note: n.Description, Pose: n.Pose, Lift: true})
	}
	return out
}

// standing is a pose raised by what a model has below its own origin, so that
// a box whose origin is in its middle does not start half in the ground.
func (p Place) standing(low float64) r3.Pose {
	at := p.Pose
	if p.Lift && low < 0 && !math.IsInf(low, 0) {
		at.Pos.Z -= low
	}
	return at
}

// Goto asks for a named pose to put an entity at.
type Goto struct {
	picker
	buttons
	entity string
	low    float64
	places []Place
}

var _ Dialog = (*Goto)(nil)

// NewGoto moves an entity, which reaches down to low below its frame.
func NewGoto(entity string, low float64, places []Place) *Goto {
	g := &Goto{entity: entity, low: low, places: places, buttons: buttons{accept: "Go"}}
	g.line.Hint = "a named pose"
	items := make([]Item, len(places))
	for i, p := range places {
		items[i] = Item{Name: p.Name, Detail: where(p.Pose) + "  " + p.Note}
	}
	g.set(items)
	return g
}

func where(p r3.Pose) string {
	return fmt.Sprintf("%s, %s  %s°", pane.Number(p.Pos.X, 2), pane.Number(p.Pos.Y, 2), pane.Number(pane.Degrees(p.Rot.Yaw()), 0))
}

// Title names the dialog.
func (g *Goto) Title() string { return "Put " + g.entity + " at" }

// Size is how many cells it would like.
func (g *Goto) Size() (w, h int) { return 60, min(len(g.places), 12) + 3 }

// Draw fills the area.
func (g *Goto) Draw(a canvas.Area) {
	g.picker.draw(a, "at", 0, a.H()-2, true)
	g.buttons.draw(a, g.selected() >= 0)
}

// Key edits the line, moves, accepts or closes.
func (g *Goto) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if i := g.selected(); i >= 0 {
			pose, still := g.places[i].standing(g.low), r3.Twist{}
			return Outcome{
				Close: true, Do: sim.SetEntityState{Name: g.entity, Pose: &pose, Twist: &still},
				Done: g.entity + " is at " + g.places[i].Name,
			}
		}
		return Outcome{}
	}
	g.picker.key(k)
	return Outcome{}
}

// Click goes to the place in a row.
func (g *Goto) Click(x, y int) Outcome {
	if g.picker.click(y) {
		return Outcome{}
	}
	return g.Key(Key{Action: g.press(x, y)})
}

// Wheel moves the cursor.
func (g *Goto) Wheel(rows int) { g.move(rows) }

// Hints are the actions that mean something to it.
func (g *Goto) Hints() []string { return []string{Up, Down} }

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
	for i, v := range []float64{pose.Pos.X, pose.Pos.Y, pose.Pos.Z, pane.Degrees(roll), pane.Degrees(pitch), pane.Degrees(yaw)} {
		m.start[i] = short(v)
		m.fields[i].line.Set(m.start[i])
	}
	m.focus = 0
	return m
}

// Title names the dialog.
func (m *Move) Title() string { return "Pose of " + m.entity }

// Size is how many cells it would like.
func (m *Move) Size() (w, h int) { return 58, 5 }

// Pose is what is asked for: fields that were not changed keep all digits.
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
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if p, err := m.Pose(); err == nil {
			still := r3.Twist{}
			return Outcome{Close: true, Do: sim.SetEntityState{Name: m.entity, Pose: &p, Twist: &still}, Done: m.entity + " is at " + where(p)}
		}
	case Next:
		m.step(1, 0)
	case Prev:
		m.step(-1, 0)
	case Up, Down:
		m.focus = (m.focus + 3) % 6
	default:
		m.form.key(k)
	}
	return Outcome{}
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

// lowest is how far a model reaches below its frame by what its sidecar says.
func lowest(b scene.Bounds) float64 {
	low := math.Inf(1)
	switch {
	case b.Kind == scene.SphereBounds && len(b.Points) == 2:
		return b.Points[0].Z - b.Points[1].X
	case b.Kind == scene.BoxBounds || b.Kind == scene.HullBounds:
		for _, p := range b.Points {
			low = min(low, p.Z)
		}
	}
	return low
}
