package dialog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// Spawn asks which model to put into the world, where and under which name.
type Spawn struct {
	picker
	buttons
	form
	models  []sim.Spawnable
	failed  []string
	loading bool
	places  []Place
	place   int // index into places; -1: as typed
	placeY  int
	pattern Pattern // of several
	fit     fit
}

var _ Dialog = (*Spawn)(nil)

// Fields of the form; before them in the order of tab come the model and the
// place.
const (
	fieldX = iota
	fieldY
	fieldYaw
	fieldZ
	fieldName
	fieldCount
	fieldPattern
	fieldApart
	fieldSeed
)

const (
	onModel = -2
	onPlace = -1
)

// NewSpawn asks with places to choose from, the first one chosen. The list of
// models comes later, by Fill. snap gives the world as it is, to tell what
// would be in the way.
func NewSpawn(places []Place, snap func() *sim.Snapshot) *Spawn {
	s := &Spawn{
		fit: fit{snap: snap, known: map[string]measured{}, site: pane.NewMap()}, places: places,
		loading: true, buttons: buttons{accept: "Spawn"},
		form: newForm(field{label: "x", unit: "m"}, field{label: "y", unit: "m"},
			field{label: "yaw", unit: "°"}, field{label: "z", unit: "m"}, field{label: "name  "},
			field{label: "count"}, field{label: "in a"}, field{label: "apart", unit: "m"},
			field{label: "seed"}),
	}
	s.focus = onModel
	s.line.Hint = "type to filter"
	s.fields[fieldName].line.Hint = "default: model name"
	for _, i := range []int{fieldCount, fieldApart, fieldSeed} {
		s.fields[i].line.Hint = "1"
	}
	s.fields[fieldPattern].line.Set("< " + s.pattern.String() + " >")
	s.at(0)
	return s
}

// Fill takes the models that can be spawned, and what could not be read.
func (s *Spawn) Fill(l sim.Spawnables) {
	s.models, s.failed, s.loading = l.List, l.Failed, false
	items := make([]Item, len(l.List))
	for i, m := range l.List {
		items[i] = Item{Name: m.Name, Detail: strings.TrimSpace(m.Info.Description + "  " +
			strings.Join(m.Info.Tags, " ") + "  " + m.URI)}
	}
	text := s.line.Text()
	s.set(items)
	s.line.Set(text)
	s.refilter()
	if text == "" {
		s.cursor = max(0, slices.IndexFunc(l.List, func(m sim.Spawnable) bool { return slices.Contains(m.Info.Tags, "mobile") }))
	}
	s.at(s.place)
}

// Fail says why there is no list of models.
func (s *Spawn) Fail(err error) { s.failed, s.loading = []string{err.Error()}, false }

// at chooses a place and writes it into the fields.
func (s *Spawn) at(place int) {
	s.place = place
	if place < 0 || place >= len(s.places) {
		return
	}
	p := s.places[place].standing(s.low())
	for i, v := range map[int]float64{fieldX: p.Pos.X, fieldY: p.Pos.Y, fieldZ: p.Pos.Z,
		fieldYaw: pane.Degrees(p.Rot.Yaw())} {
		s.fields[i].line.Set(short(v))
	}
}

func (s *Spawn) low() float64 {
	if m := s.model(); m != nil {
		if f := s.fit.known[m.URI].footprint; f != nil {
			return f.Box().Min.Z
		}
		return lowest(m.Info.Bounds)
	}
	return 0
}

func (s *Spawn) model() *sim.Spawnable {
	if i := s.selected(); i >= 0 && i < len(s.models) {
		return &s.models[i]
	}
	return nil
}

// Command is the requested spawn: of several the first, where all stand.
func (s *Spawn) Command() (sim.Spawn, error) {
	m := s.model()
	if m == nil {
		return sim.Spawn{}, fmt.Errorf("no model selected")
	}
	v, err := s.numbers(0, 4)
	if err != nil {
		return sim.Spawn{}, err
	}
	if _, err := s.spawnPattern(); err != nil {
		return sim.Spawn{}, err
	}
	pose := r3.Pose{Pos: r3.V(v[fieldX], v[fieldY], v[fieldZ]),
		Rot: r3.FromRPY(0, 0, v[fieldYaw]*math.Pi/180)}
	if s.place >= 0 && s.place < len(s.places) {
		pose = s.places[s.place].standing(s.low()) // with all its digits and its tilt
	}
	name := strings.TrimSpace(s.fields[fieldName].line.Text())
	return sim.Spawn{
		Name: name, AllowRenaming: name == "", Resource: sim.Resource{URI: m.URI},
		Pose: sim.FramedPose{Pose: pose},
	}, nil
}

// Title names the dialog.
func (s *Spawn) Title() string { return "Spawn" }

// Size is the size that it wants, in cells.
func (s *Spawn) Size() (w, h int) { return 76, 20 }

// Draw fills the area.
func (s *Spawn) Draw(a canvas.Area) {
	narrow := a.W() < 68 // the pose takes two lines
	rows := max(1, a.H()-9)
	if narrow {
		rows = max(1, a.H()-10)
	}
	list := a
	if a.W() >= leastSite && rows >= 4 && s.fit.Symbols != canvas.ASCII {
		list = a.Sub(0, 0, a.W()-siteWidth-1, a.H())
		defer s.look(a.Sub(a.W()-siteWidth, 0, siteWidth, rows+1))
	}
	s.picker.draw(list, "model ", 0, rows, s.focus == onModel)
	if s.loading {
		list.Clip(3, 1, list.W()-4, "Loading the list of models …         ", theme.Dim)
	}
	y := rows + 1
	s.describe(a, y)
	s.placeY = y + 1
	x := a.Text(1, s.placeY, "place  ", theme.Label)
	label := "typed"
	if s.place >= 0 && s.place < len(s.places) {
		label = s.places[s.place].Name
	}
	end := a.Clip(x, s.placeY, min(canvas.TextWidth(label)+4, a.W()-x-1), "< "+label+" >", theme.Accent)
	if s.focus == onPlace {
		a.Sub(x, s.placeY, end-x, 1).Role(0, theme.Chosen)
		a.Clip(end+2, s.placeY, a.W()-end-3, fmt.Sprintf("↑↓ choose (%d)", len(s.places)),
			theme.Dim)
	}
	y = s.placeY + 1
	if narrow {
		s.form.draw(a, 1, y, 9, fieldX, fieldYaw)
		y++
		s.form.draw(a, 1, y, 9, fieldYaw, fieldName)
	} else {
		s.form.draw(a, 8, y, 9, fieldX, fieldName)
	}
	s.form.draw(a, 1, y+1, min(30, a.W()-22), fieldName, fieldName+1)
	s.form.draw(a, min(30, a.W()-22)+11, y+1, 4, fieldCount, fieldPattern)
	if s.layout() {
		s.form.draw(a, 1, y+2, 11, fieldPattern, fieldApart)
		s.form.draw(a, 20, y+2, min(7, (a.W()-34)/2), fieldApart, fieldSeed+1)
	} else {
		for i := fieldPattern; i <= fieldSeed; i++ {
			s.fields[i].y = -1
		}
	}
	c, err := s.Command()
	s.verdict(a, y+3, c, err)
	s.buttons.draw(a, err == nil)
}

// layout reports that more than one is asked for, so that it matters how they
// are laid out.
func (s *Spawn) layout() bool {
	return !slices.Contains([]string{"", "1"}, s.fields[fieldCount].line.Text())
}

// asked is the command that is asked for.
func (s *Spawn) asked() (sim.Command, error) {
	one, err := s.Command()
	if err != nil {
		return nil, err
	}
	if c, _ := s.spawnPattern(); c.n > 1 {
		return c.batchOf(one), nil
	}
	return one, nil
}

func (s *Spawn) describe(a canvas.Area, y int) {
	m := s.model()
	switch {
	case m == nil && len(s.failed) > 0:
		a.Clip(1, y, a.W()-2, s.failed[0], theme.Warn)
	case m != nil:
		text := m.URI
		if m.Info.Description != "" {
			text = m.Info.Description
		}
		b := m.Info.Bounds.Box()
		if f := s.fit.known[m.URI].footprint; f != nil {
			b = f.Box()
		}
		if !b.IsEmpty() {
			size := b.Size()
			text = fmt.Sprintf("%s × %s × %s m  ", pane.Number(size.X, 2), pane.Number(size.Y, 2),
				pane.Number(size.Z, 2)) + text
		}
		a.Clip(8, y, a.W()-9, text, theme.Dim)
	}
}

// Key edits, goes to other fields, spawns or closes.
func (s *Spawn) Key(k Key) Outcome {
	switch k.Action {
	case Cancel:
		return Outcome{Close: true}
	case Accept:
		if c, err := s.asked(); err == nil {
			return Outcome{Close: true, Do: c}
		}
		return Outcome{}
	case Next:
		s.walk(1)
		return Outcome{}
	case Prev:
		s.walk(-1)
		return Outcome{}
	}
	switch {
	case s.focus == onModel:
		s.picker.key(k)
		s.at(s.place)
	case s.focus == onPlace:
		by := rowsOf(k.Action, 5)
		switch k.Name {
		case "left":
			by = -1
		case "right":
			by = 1
		}
		if n := len(s.places); by != 0 && n > 0 {
			s.at(((max(s.place, 0)+by)%n + n) % n)
		}
	case s.focus == fieldPattern:
		by := rowsOf(k.Action, 1)
		switch {
		case k.Name == "left":
			by = -1
		case k.Name == "right" || k.Text == " ":
			by = 1
		}
		s.pattern = Pattern((int(s.pattern) + by + int(patterns)) % int(patterns))
		s.fields[fieldPattern].line.Set("< " + s.pattern.String() + " >")
	case s.form.key(k) && s.focus < fieldName:
		s.place = -1
	}
	return Outcome{}
}

// walk goes to the next field, or the one before, of those that are shown.
func (s *Spawn) walk(by int) {
	for s.step(by, 2); s.focus > fieldCount && !s.layout(); {
		s.step(by, 2)
	}
}

// Click chooses a model or a field or presses a button.
func (s *Spawn) Click(x, y int) Outcome {
	switch {
	case s.picker.click(y):
		s.focus = onModel
		s.at(s.place)
	case y == s.placeY:
		s.focus = onPlace
		return s.Key(Key{Name: "right"})
	case s.form.click(x, y):
	default:
		return s.Key(Key{Action: s.press(x, y)})
	}
	return Outcome{}
}

// Wheel moves among the models.
func (s *Spawn) Wheel(rows int) {
	s.move(rows)
	s.at(s.place)
}

// Hints are the actions that mean something to it.
func (s *Spawn) Hints() []string { return []string{Next, Prev, Up, Down} }
