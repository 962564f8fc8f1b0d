package bag

import (
	"context"
	"slices"
	"time"

	"simdeck/ros/node"
)

// queue is the number of a topic's messages that may wait for the recorder while it takes others.
const queue = 256

// followed is a topic that is subscribed.
type followed struct {
	raw   *node.Raw
	topic node.Topic
}

// Follow records the topics that others publish, those that show later too, until ctx ends. now gives the
// time of a message that comes.
func (r *Recorder) Follow(ctx context.Context, n *node.Node, now func() time.Duration) error {
	watch := n.Watch()
	defer watch.Close()
	all := map[string]*followed{}
	defer func() {
		for _, f := range all {
			_ = f.raw.Close() // of a reader: it has nothing to fail at
		}
	}()
	for {
		for _, t := range n.Offered() {
			if err := r.follow(n, all, t, now); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-watch.C():
		}
	}
}

// follow subscribes a topic, and anew when a publisher has come that offers less than what was asked for.
func (r *Recorder) follow(n *node.Node, all map[string]*followed, t node.Topic,
	now func() time.Duration) error {
	c := r.Channel(t)
	had := all[t.Name]
	if c == nil || had != nil && (had.topic.Type != t.Type || !less(t.QoS, had.topic.QoS)) {
		return nil
	}
	if had != nil {
		_ = had.raw.Close() // of a reader: it has nothing to fail at
	}
	raw, err := node.NewRaw(n, t, queue, func(payload []byte, _ node.Origin) {
		c.Take(now(), payload)
	})
	if err != nil {
		return err
	}
	all[t.Name] = &followed{raw, t}
	r.mu.Lock()
	defer r.mu.Unlock()
	c.upstream = append(c.upstream, raw.Dropped)
	r.config.Log.Info("recording", "topic", t.Name, "type", t.Type)
	return nil
}

// less tells whether some of a offer less than all of b.
func less(a, b []node.QoS) bool {
	return slices.ContainsFunc(a, func(q node.QoS) bool {
		return !slices.ContainsFunc(b,
			func(o node.QoS) bool { return o.Reliability <= q.Reliability && o.Durability <= q.Durability })
	})
}
