package dialog

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// fit is a spawn dialog's knowledge of the room that models take.
type fit struct {
	Symbols canvas.Symbols
	snap    func() *sim.Snapshot
	known   map[string]measured // by URI
	asked   bool                // one is being measured
	site    *pane.Map
	ghosts  []pane.PlacementPreview
}

type measured struct {
	footprint *sim.Footprint
	err       error
}

const (
	// leastSite is the least width of a dialog that shows the place, siteWidth columns of it.
	leastSite = 70
	siteWidth = 26
	// mostTried is the number of models of a batch whose room is tested with every frame; mostLooks bounds
	// them among many entities.
	mostTried = 100
	mostLooks = 200_000
)

// Draws sets the characters with which the place is drawn.
func (s *Spawn) Draws(with canvas.Symbols) { s.fit.Symbols = with }

// Wants is the model whose room is to be measured next; false when none is.
func (s *Spawn) Wants() (sim.Measure, bool) {
	m := s.model()
	if m == nil || s.fit.asked {
		return sim.Measure{}, false
	}
	if _, known := s.fit.known[m.URI]; known {
		return sim.Measure{}, false
	}
	s.fit.asked = true
	return sim.Measure{Resource: sim.Resource{URI: m.URI}}, true
}

// Measured takes what Wants asked for; without a footprint the bounds that the list of models tells stand for
// it.
func (s *Spawn) Measured(c sim.Measure, f *sim.Footprint, err error) {
	s.fit.asked = false
	s.fit.known[c.Resource.URI] = measured{f, err}
	s.at(s.place)
}

// footprint is that of a model: its shapes where they are known, else a box; nil when not even that is known.
func (s *Spawn) footprint(m *sim.Spawnable) *sim.Footprint {
	if f := s.fit.known[m.URI].footprint; f != nil {
		return f
	}
	if b := m.Info.Bounds.Box(); !b.IsEmpty() {
		return sim.BoxFootprint(b)
	}
	return nil
}

// verdict says whether there is room, or what is wrong.
func (s *Spawn) verdict(a canvas.Area, y int, c sim.Spawn, err error) {
	s.fit.ghosts = s.fit.ghosts[:0]
	say := func(role theme.Role, format string, args ...any) {
		a.Clip(8, y, a.W()-9, fmt.Sprintf(format, args...), role)
	}
	if err != nil {
		if !s.loading {
			say(theme.Bad, "%s", err)
		}
		return
	}
	m := s.model()
	f, known := s.footprint(m), s.fit.known[m.URI]
	switch {
	case f == nil && s.fit.asked:
		say(theme.Dim, "Measuring …")
		return
	case f == nil:
		if known.err != nil {
			say(theme.Warn, "%s", known.err)
		}
		return
	}
	many, _ := s.spawnPattern()
	if now := s.fit.snap(); many.n > mostTried || many.n*len(now.Entities) > mostLooks {
		say(theme.Dim, "too many to check each for free space")
		return
	}
	room, name := s.tryAll(f, many, c.Pose.Pose)
	switch {
	case name != "" && many.n > 1:
		say(theme.Warn, "free space for %d of %d; blocked by %s", room, many.n, name)
	case name != "" && known.footprint == nil:
		say(theme.Warn, "blocked: the bounding box overlaps %s", name)
	case name != "":
		say(theme.Warn, "blocked: overlaps %s", name)
	case many.n > 1:
		say(theme.Good, "free space for all %d", many.n)
	default:
		say(theme.Good, "free space")
	}
}

// tryAll looks for how many there is room, and what is in the way of the first for which there is none.
func (s *Spawn) tryAll(f *sim.Footprint, many spawnPattern, at r3.Pose) (room int, blocker string) {
	corners, now := f.Corners(), s.fit.snap()
	all := many.pattern.Lay(at, many.n, many.apart, many.seed)
	for i, p := range all {
		in := f.FirstOverlap(now, p, "")
		for k := 0; k < i && in == ""; k++ {
			if f.Overlaps(p, all[k]) {
				in = "each other"
			}
		}
		if in == "" {
			room++
		} else if blocker == "" {
			blocker = in
		}
		s.fit.ghosts = append(s.fit.ghosts, pane.PlacementPreview{Shapes: corners, At: p, Blocked: in != ""})
	}
	return room, blocker
}

// look shows the place from above, with what would stand there.
func (s *Spawn) look(a canvas.Area) {
	for y := range a.H() {
		a.Put(0, y, '│', theme.Border)
	}
	box := r3.EmptyBox()
	for _, g := range s.fit.ghosts {
		for _, points := range g.Shapes {
			for _, p := range points {
				box = box.Extend(g.At.Apply(p))
			}
		}
	}
	if box.IsEmpty() || !box.Size().IsFinite() {
		return
	}
	now, size := s.fit.snap(), box.Size()
	s.fit.site.Feed(now)
	s.fit.site.Previews = s.fit.ghosts
	s.fit.site.Look(box.Centre(), 1+1.6*math.Hypot(size.X, size.Y), a.W()-1, a.H()-1)
	s.fit.site.Draw(a.Sub(1, 0, a.W()-1, a.H()), &pane.View{Snap: now, Entity: -1, Symbols: s.fit.Symbols})
}
