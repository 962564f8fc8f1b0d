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
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	n.context.nodes.watches = append(n.context.nodes.watches, w)
	return w
}

// C has a token after any number of changes.
func (w *GraphWatch) C() <-chan struct{} { return w.c }

// Close ends the watch; its channel stays open and silent. It may be called
// more than once.
func (w *GraphWatch) Close() {
	n := w.node
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	n.context.nodes.watches = slices.DeleteFunc(n.context.nodes.watches,
		func(o *GraphWatch) bool { return o == w })
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
