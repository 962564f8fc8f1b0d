package dialog

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
)

// Member is an entity that a dialog moves.
type Member struct {
	Name string
	Pose r3.Pose
	Low  float64 // m below its frame
}

// called is the name of the moved entities, in a word or two.
func called(who []Member) string {
	if len(who) == 1 {
		return who[0].Name
	}
	return fmt.Sprintf("%d entities", len(who))
}

// middle is between all of them, on the ground plan.
func middle(who []Member) r3.Vec {
	box := r3.EmptyBox()
	for _, w := range who {
		if w.Pose.Pos.IsFinite() {
			box = box.Extend(w.Pose.Pos)
		}
	}
	if box.IsEmpty() {
		return r3.Vec{}
	}
	c := box.Centre()
	return r3.V(c.X, c.Y, 0)
}

// moved is an outcome that puts each at a pose.
func moved(who []Member, to func(Member) r3.Pose, done string) Outcome {
	var all []sim.SetEntityState
	for _, w := range who {
		pose, still := to(w), r3.Twist{}
		all = append(all, sim.SetEntityState{Name: w.Name, Pose: &pose, Twist: &still})
	}
	if len(all) == 1 {
		return Outcome{Close: true, Done: done, Do: all[0]}
	}
	return Outcome{Close: true, Done: done, Do: sim.MoveEntities{Moves: all}}
}

// Goto asks for a named pose to put an entity at, or several so that the middle
// between them is there.
type Goto struct {
	picker
	buttons
	who    []Member
	places []Place
}

var _ Dialog = (*Goto)(nil)

// NewGoto moves entities to one of places.
func NewGoto(who []Member, places []Place) *Goto {
	g := &Goto{who: who, places: places, buttons: buttons{accept: "Place"}}
	g.line.Hint = "named pose"
	items := make([]Item, len(places))
	for i, p := range places {
		items[i] = Item{Name: p.Name, Detail: where(p.Pose) + "  " + p.Note}
	}
	g.set(items)
	return g
}

func where(p r3.Pose) string {
	return fmt.Sprintf("%s, %s  %s°", pane.Number(p.Pos.X, 2), pane.Number(p.Pos.Y, 2),
		pane.Number(pane.Degrees(p.Rot.Yaw()), 0))
}

// Title names the dialog.
func (g *Goto) Title() string { return "Place " + called(g.who) + " at" }

// Size is the size that it wants, in cells.
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
			p := g.places[i]
			if len(g.who) == 1 {
				return moved(g.who, func(w Member) r3.Pose { return p.standing(w.Low) },
					g.who[0].Name+" placed at "+p.Name)
			}
			by := p.Pose.Pos.Sub(middle(g.who))
			return moved(g.who, func(w Member) r3.Pose {
				return r3.Pose{Pos: w.Pose.Pos.Add(r3.V(by.X, by.Y, 0)), Rot: w.Pose.Rot}
			}, called(g.who)+" placed around "+p.Name)
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
