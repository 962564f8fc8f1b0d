package rtps

import "time"

// graphWatch counts the changes of the graph and paces how watches are told of them.
type graphWatch struct {
	core     *Core
	revision uint64    // grows with every change of the graph
	told     time.Time // when watches were told last
	tell     task      // wakes the driver to tell them again
}

// tellPause is the least time between two changes that watches are told of: who looks at the graph after each
// of them looks at all of it.
const tellPause = 5 * time.Millisecond

// mayTell tells whether watches are to be told of changes now; if not, the core wants to be called when they
// are.
func (g *graphWatch) mayTell(now time.Time) bool {
	if next := g.told.Add(tellPause); now.Before(next) {
		g.core.sched.by(&g.tell, next)
		return false
	}
	g.told = now
	return true
}

// changed notes that the graph or a match is not what it was.
func (g *graphWatch) changed() { g.revision++ }
