// Package pane holds the panes of the console. They are the table of entities, the map, the detail of an
// entity, named poses, the simulation's state, the log and notes. A pane is a struct that is fed snapshots
// and draws itself onto an area. It knows nothing of keys, messages or commands, which the one model in
// package ui routes to it.
package pane

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

// PeerCount is the number of participants on the graph in words.
func PeerCount(c sim.Connection) string {
	if c.Peers == 1 {
		return "1 peer"
	}
	return fmt.Sprintf("%d peers", c.Peers)
}

// View is the input from which a pane draws itself.
type View struct {
	Snap      *sim.Snapshot
	Entity    int // index of the selected entity; -1: none
	Focused   bool
	Symbols   canvas.Symbols
	Plain     bool // no colours
	Pictures  Pictures
	Stripe    int // rows of cells of a picture that may change; 0: all
	Link      sim.Connection
	Recording sim.Recording
	Role      string
	Viewers   []string      // other viewers and operators of this simulation
	Line      time.Duration // of a frame to the terminal and an answer back; 0: not known
	Seed      uint64        // of the simulator
	Now       time.Time
}

// entity is the selected entity of a view; nil when there is none.
func (v *View) entity() (*sim.EntityModel, *sim.EntityState) {
	if v.Entity < 0 || v.Entity >= len(v.Snap.Entities) || v.Entity >= len(v.Snap.Model.Entities) {
		return nil, nil
	}
	return &v.Snap.Model.Entities[v.Entity], &v.Snap.Entities[v.Entity]
}

// Pane is the interface of all panes.
type Pane interface {
	// Feed takes a new picture of the world.
	Feed(s *sim.Snapshot)
	// Draw fills the area, whatever its size.
	Draw(a canvas.Area, v *View)
}

// List is a pane with rows.
type List interface {
	Pane
	Move(rows int)
	Page(pages float64)
	Top()
	Bottom()
	Click(line int) bool // true: a row is there, and now selected
	Wheel(rows int)
	Filter() *Filter // nil: it has none
	SetFilter(text string)
}

// Find is the index of an entity, whose list is ordered by name.
func Find(m *sim.Model, name string) (int, bool) {
	if m == nil {
		return 0, false
	}
	return slices.BinarySearchFunc(m.Entities, name,
		func(e sim.EntityModel, n string) int { return cmp.Compare(e.Name, n) })
}
