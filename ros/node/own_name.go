package node

import (
	"context"
	"fmt"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Times of choosing a name. A newcomer announces itself every 0.1 s at first, and others answer at once: it knows them
// after 0.11 s on busy cores, the slowest of eight after 0.16 s. Their nodes come later, and are waited for.
const (
	nameAtLeast = 250 * time.Millisecond // before a name counts as free
	nameAtMost  = time.Second            // for participants that do not say which nodes they have
)

// mostAlike bounds the number that is added to a name.
const mostAlike = 99

// choosesNames is a property of participants whose nodes may take other names. One that has announced no node yet
// has not chosen. (It is no user data: Fast DDS reads nothing but the enclave there.)
var choosesNames = wire.Property{Name: "simdeck.names", Value: "chosen"}

// Named is closed when the node's name is final: at once, or when it has looked for another one with
// Config.OrAlike.
func (n *Node) Named() <-chan struct{} { return n.chosen }

// GivenName is the name with its namespace that the node was made with; FullName may be another one then.
func (n *Node) GivenName() string { return Join(n.ns, n.given) }

// isNamed is whether the node's name is final.
func (n *Node) isNamed() bool {
	select {
	case <-n.chosen:
		return true
	default:
		return false
	}
}

// chooseName waits until the nodes of others are known, as far as they come soon, and takes the first name that is
// free. Of two newcomers at once that with the lower GUID goes first.
func (n *Node) chooseName(ctx context.Context) {
	watch := n.Watch()
	defer watch.Close()
	began := time.Now()
	for {
		left := nameAtLeast - time.Since(began)
		if !n.context.isSettled() {
			left = nameAtMost - time.Since(began)
		}
		if left <= 0 {
			break
		}
		timer := time.NewTimer(left)
		select {
		case <-watch.C():
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
	name := n.freeName()
	n.name.Store(&name)
	if err := n.openNamed(); err != nil {
		n.log.Error("the parameters of the node are not served", "node", n.FullName(), "error", err)
	}
	close(n.chosen)
	n.changed()
}

// isSettled reports whether all other participants have said which nodes they have, but for those that choose
// later.
func (x *Context) isSettled() bool {
	me := x.participant.GUID()
	all := x.participant.Graph().Participants
	x.nodes.mu.Lock()
	defer x.nodes.mu.Unlock()
	for _, p := range all {
		if len(x.nodes.of[p.GUID.Prefix]) == 0 && !(choosing(p) && p.GUID.Compare(me) > 0) {
			return false
		}
	}
	return true
}

func choosing(p rtps.RemoteParticipant) bool {
	return p.Properties[choosesNames.Name] == choosesNames.Value
}

// freeName is the first name that no other node has; the given one if there are too many.
func (n *Node) freeName() string {
	taken := map[string]bool{}
	for _, name := range n.Graph().Nodes {
		taken[name] = true
	}
	for i := 1; i <= mostAlike; i++ {
		name := n.given
		if i > 1 {
			name = fmt.Sprintf("%s_%d", n.given, i)
		}
		if !taken[Join(n.ns, name)] && CheckNodeName(name) == nil {
			return name
		}
	}
	return n.given
}
