package node

import "slices"

// GraphWatch tells that what Graph and Servers say has changed, the names of
// nodes included.
type GraphWatch struct {
	node *Node
	c    chan struct{}
}

// Watch watches the graph until Close. Several watches are independent.
func (n *Node) Watch() *GraphWatch {
	w := &GraphWatch{node: n, c: make(chan struct{}, 1)}
	n.nodes.mu.Lock()
	defer n.nodes.mu.Unlock()
	n.nodes.watches = append(n.nodes.watches, w)
	return w
}

// C has a token after any number of changes.
func (w *GraphWatch) C() <-chan struct{} { return w.c }

// Close ends the watch; its channel stays open and silent. It may be called
// more than once.
func (w *GraphWatch) Close() {
	n := w.node
	n.nodes.mu.Lock()
	defer n.nodes.mu.Unlock()
	n.nodes.watches = slices.DeleteFunc(n.nodes.watches, func(o *GraphWatch) bool { return o == w })
}

// tell gives every watch its token.
func (k *known) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.watches {
		select {
		case w.c <- struct{}{}:
		default:
		}
	}
}
