package rtps

import "slices"

// Watch tells that something about the graph has changed: participants, endpoints, matches, their readiness,
// incompatible qualities of service. It tells that, not what: look at Graph.
type Watch struct {
	p *Participant
	c chan struct{}
}

// Watch begins to watch.
func (p *Participant) Watch() *Watch {
	w := &Watch{p: p, c: make(chan struct{}, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watches = append(p.watches, w)
	return w
}

// C gives a token after changes; many changes may give one.
func (w *Watch) C() <-chan struct{} { return w.c }

// Close ends the watch. Its channel stays open and silent.
func (w *Watch) Close() {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.watches = slices.DeleteFunc(w.p.watches, func(o *Watch) bool { return o == w })
}

func (w *Watch) signal() {
	select {
	case w.c <- struct{}{}:
	default:
	}
}
