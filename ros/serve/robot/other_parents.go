package robot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"

	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
)

// otherParents knows which frames below the world's others on the graph put somewhere, as a localization does
// with odom in map. tf is a tree: a frame with two parents jumps between them.
type otherParents struct {
	node   *node.Node
	topics [2]string // of tf, of fixed frames

	mu     sync.Mutex
	root   string                 // frame of the world
	frames map[string]otherParent // by name; of robots, directly below root
	subs   []io.Closer
}

// otherParent is another node's edge to a frame; the zero value is none.
type otherParent struct{ frame, publisher string }

// close ends the look for others.
func (p *otherParents) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.listen(false); err != nil {
		p.node.Log().Warn("a topic could not be closed", "error", err)
	}
}

// settle sets the frame of the world, and forgets frames that nobody claims.
func (p *otherParents) settle(root string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.root = root
	maps.DeleteFunc(p.frames, func(_ string, parent otherParent) bool { return parent == otherParent{} })
}

// has reports that somebody else tells where a frame of a robot stands.
func (p *otherParents) has(frame string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	parent, asked := p.frames[frame]
	if !asked {
		p.frames[frame] = parent
	}
	return parent != otherParent{}
}

// observe follows who is on the graph: it listens while anybody else tells tf, and takes frames back from who
// has left.
func (p *otherParents) observe() {
	present := p.node.Publishers(p.topics[:]...)
	p.mu.Lock()
	defer p.mu.Unlock()
	for frame, parent := range p.frames {
		if parent != (otherParent{}) && !present[parent.publisher] {
			p.frames[frame] = otherParent{}
			p.node.Log().Info("the node that told where a frame stands has left: it is told from here again",
				"frame", frame, "parent", p.root)
		}
	}
	if err := p.listen(len(present) > 0); err != nil {
		p.node.Log().Error("others that tell tf cannot be heard", "error", err)
	}
}

// listen opens the subscriptions, or closes them; the caller holds the lock.
func (p *otherParents) listen(on bool) error {
	if on == (len(p.subs) > 0) {
		return nil
	}
	var errs []error
	for _, s := range p.subs {
		errs = append(errs, s.Close())
	}
	p.subs = nil
	if !on {
		return errors.Join(errs...)
	}
	fixed := node.LatchedQoS()
	fixed.Depth = queue
	for i, q := range []node.QoS{burstQoS(), fixed} {
		s, err := node.NewSubscription(p.node, p.topics[i], q,
			func(_ context.Context, m *tf2msgs.TFMessage, from node.Origin) {
				p.hear(m, from.Publisher, i == 1)
			})
		if err != nil {
			errs = append(errs, fmt.Errorf("listen to %s: %w", p.topics[i], err))
			continue
		}
		p.subs = append(p.subs, s)
	}
	return errors.Join(errs...)
}

// hear takes note of frames that others put somewhere. Another simulator that tells the world's edge to the
// same frame is no localization: neither yields to the other. A fixed edge to
// such a frame is no simulator's.
func (p *otherParents) hear(m *tf2msgs.TFMessage, publisher string, fixed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range m.Transforms {
		frame, parent := m.Transforms[i].ChildFrameID, m.Transforms[i].Header.FrameID
		now, asked := p.frames[frame]
		if !asked || now != (otherParent{}) || !fixed && parent == p.root ||
			!p.node.Publishers(p.topics[:]...)[publisher] {
			continue
		}
		p.frames[frame] = otherParent{parent, publisher}
		p.node.Log().Info("another node tells where a frame stands: it is left to that node while it is there",
			"frame", frame, "their parent", parent, "ours", p.root)
	}
}

// worldTF chooses the edges from the world's frame that are told from here.
type worldTF struct {
	odometry bool // where odometry began, too
	others   *otherParents
}

// tellsOdometry reports that the edge to a frame of odometry is told from here.
func (w worldTF) tellsOdometry(frame string) bool { return w.odometry && !w.others.has(frame) }

// tellsBase reports that the edge to a robot's base, which has no odometry, is told from here.
func (w worldTF) tellsBase(frame string) bool { return !w.others.has(frame) }
