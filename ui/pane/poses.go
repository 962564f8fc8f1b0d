package pane

import (
	"fmt"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Poses is the list of the places that the world gives a name.
type Poses struct {
	Rows
	filter Filter
	model  *sim.Model
	order  []int32
}

var _ List = (*Poses)(nil)

// Filter is the list's filter; tag: looks into tags.
func (p *Poses) Filter() *Filter { return &p.filter }

// Feed takes a new picture of the world.
func (p *Poses) Feed(s *sim.Snapshot) {
	if s.Model != p.model {
		p.model = s.Model
		p.refilter()
	}
}

// SetFilter shows only the rows that match a text.
func (p *Poses) SetFilter(text string) {
	p.filter.Set(text)
	p.refilter()
}

func (p *Poses) refilter() {
	if p.model == nil {
		return
	}
	list := p.model.NamedPoses
	p.order = p.filter.Rows(len(list), func(i int) string { return list[i].Name },
		func(i int) *scene.Info { return &scene.Info{Tags: list[i].Tags} })
	p.fit(len(p.order), p.height)
}

// Selected is the selected pose; nil when there is none.
func (p *Poses) Selected() *scene.NamedPose {
	if p.model == nil || p.Cursor >= len(p.order) {
		return nil
	}
	return &p.model.NamedPoses[p.order[p.Cursor]]
}

// leastTags is the least width in which tags say something.
const leastTags = 8

// Draw fills the area.
func (p *Poses) Draw(a canvas.Area, v *View) {
	p.header = 1
	p.fit(len(p.order), a.H()-1)
	w, name := a.W(), 4
	for _, i := range p.order {
		name = max(name, min(canvas.TextWidth(p.model.NamedPoses[i].Name), 24))
	}
	numbers, yaw := 23, true // columns of x, y and yaw
	if 3+name+numbers > w {
		numbers, yaw = 15, false
	}
	line := func(x, y, turn string) string {
		if !yaw {
			return fmt.Sprintf("%7s %7s", x, y)
		}
		return fmt.Sprintf("%7s %7s %6s", x, y, turn)
	}
	name = min(name, max(4, w-3-numbers))
	rest := 3 + name + numbers + 2
	a.Clip(2, 0, name, "name", theme.Label)
	a.Clip(3+name, 0, numbers, line("x m", "y m", "yaw °"), theme.Label)
	if w-rest >= leastTags {
		a.Clip(rest, 0, w-rest, "tags", theme.Label)
	}
	if len(p.order) == 0 {
		text := "the world has no named poses"
		if p.filter.On() {
			text = fmt.Sprintf("no matches for %q", p.filter.Text())
		}
		a.Clip(2, 2, w-2, text, theme.Dim)
	}
	first, end := p.window()
	for row := first; row < end; row++ {
		n, y := &p.model.NamedPoses[p.order[row]], row-first+1
		at := n.Pose.Pos
		a.Clip(2, y, name, n.Name, theme.Place)
		a.Clip(3+name, y, numbers, line(Number(at.X, 2), Number(at.Y, 2),
			Number(Degrees(heading(n.Pose.Rot)), 0)), theme.Plain)
		tags := strings.Join(n.Tags, " ")
		if n.Bounds.Kind != scene.NoBounds {
			tags = strings.TrimSpace(tags + " bounded")
		}
		if w-rest >= leastTags {
			a.Clip(rest, y, w-rest, tags, theme.Dim)
		}
		if row == p.Cursor {
			a.Put(0, y, '>', theme.Strong)
			a.Role(y, chosenIn(v.Focused))
		}
	}
}
