package workers

import (
	"context"
	"errors"
	"sync"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
)

// reports is a subscription of l2_msgs/Simulation for publishers of either durability. A reader of transient
// local samples hears no volatile publisher, which is the default of ROS 2, and a volatile reader hears nothing
// that was latched before it came: there is one of each.
type reports struct {
	subs []*node.Subscription[l2msgs.Simulation]

	mu     sync.Mutex
	newest map[string]int64 // sequence number by publisher
}

// subscribe calls hear for each sample of a topic, up to depth latched ones of a publisher. Errors wrap
// node.ErrName.
func subscribe(n *node.Node, topic string, depth int,
	hear func(m *l2msgs.Simulation, publisher string)) (*reports, error) {
	r := &reports{newest: map[string]int64{}}
	latched, volatile := node.LatchedQoS(), node.DefaultQoS()
	latched.Depth, volatile.Depth = depth, depth
	for _, q := range []node.QoS{latched, volatile} {
		s, err := node.NewSubscription(n, topic, q, func(_ context.Context, m *l2msgs.Simulation, from node.Origin) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.isNew(from) {
				hear(m, from.Publisher)
			}
		})
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		r.subs = append(r.subs, s)
	}
	return r, nil
}

// isNew reports whether a sample did not come by the other reader before.
func (r *reports) isNew(from node.Origin) bool {
	if from.Sequence <= r.newest[from.Publisher] {
		return false
	}
	if len(r.newest) >= mostAsking*mostOfOne {
		clear(r.newest) // of publishers that are gone; one that is there is heard twice at most
	}
	r.newest[from.Publisher] = from.Sequence
	return true
}

// Topic is the topic's name on the graph.
func (r *reports) Topic() string { return r.subs[0].Topic() }

// Close ends both readers.
func (r *reports) Close() error {
	var errs []error
	for _, s := range r.subs {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
