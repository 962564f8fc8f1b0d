package mirror

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// frames are the coordinate frames that are published on /tf and /tf_static,
// by whomever (REP 105 names the first of them).
type frames struct {
	mu sync.Mutex
	of map[string]frame // by name

	swept time.Time
}

// frame is the last pose of a frame in its parent.
type frame struct {
	parent string
	pose   r3.Pose
	by     string // publisher, as node.Origin names it
}

const (
	mostFrames = 1024 // that are kept, whatever is published
	deepest    = 64   // frames from a root
	axisLength = 0.1  // m

	sweepPeriod = time.Second
)

// hearFrames subscribes the frames; the function it gives ends that.
func (m *Mirror) hearFrames() (end func(), err error) {
	m.frames.forget()
	var subs []*node.Subscription[tf2msgs.TFMessage]
	end = func() {
		for _, s := range subs {
			_ = s.Close() // it is gone with the node, if not now
		}
	}
	moving := node.SensorQoS() // matches reliable and best-effort publishers
	moving.Depth = 100
	fixed := node.LatchedQoS()
	fixed.Depth = 100
	for topic, q := range map[string]node.QoS{"/tf": moving, "/tf_static": fixed} {
		s, err := node.NewSubscription(m.node(), topic, q,
			func(_ context.Context, t *tf2msgs.TFMessage,
				from node.Origin) {
				m.frames.take(t, from.Publisher)
			})
		if err != nil {
			end()
			return nil, err
		}
		subs = append(subs, s)
	}
	return end, nil
}

func (f *frames) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of = map[string]frame{}
}

// take keeps what was heard, as far as it is a place.
func (f *frames) take(t *tf2msgs.TFMessage, by string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range t.Transforms {
		one := &t.Transforms[i]
		p, ok := placed(one.Transform)
		if len(one.ChildFrameID) > longestName || len(one.Header.FrameID) > longestName {
			continue
		}
		if _, known := f.of[one.ChildFrameID]; !ok || !known && len(f.of) >= mostFrames {
			continue
		}
		f.of[one.ChildFrameID] = frame{one.Header.FrameID, p, by}
	}
}

// sweep forgets the frames whose publishers have left: nobody tells any more
// where they are. It looks now and then; there tells who is on the graph.
func (f *frames) sweep(now time.Time, there func() map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.of) == 0 || now.Sub(f.swept) < sweepPeriod {
		return
	}
	f.swept = now
	live := there()
	maps.DeleteFunc(f.of, func(_ string, one frame) bool { return !live[one.by] })
}

// placed is a transform as a pose; false when it is none.
func placed(t geometrymsgs.Transform) (r3.Pose, bool) {
	v, q := t.Translation, t.Rotation
	rot, ok := r3.Quat{W: q.W, X: q.X, Y: q.Y, Z: q.Z}.Unit()
	p := r3.Pose{Pos: r3.V(v.X, v.Y, v.Z), Rot: rot}
	return p, ok && rot.IsFinite() && reachable(p.Pos)
}

// draw gives the axes of all frames that hang on the world.
func (f *frames) draw() []sim.DebugLine {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []sim.DebugLine
	for _, name := range slices.Sorted(maps.Keys(f.of)) {
		at, ok := f.inWorld(name)
		if !ok {
			continue
		}
		for axis := range 3 {
			tip := at.Apply(r3.Vec{}.With(axis, axisLength))
			out = append(out, sim.DebugLine{Kind: sim.DrawFrames, A: at.Pos, B: tip, Value: float64(axis)})
		}
	}
	return out
}

// inWorld is the pose of a frame in the world, or in a map; false when neither is its root.
func (f *frames) inWorld(name string) (r3.Pose, bool) {
	at := r3.IdentityPose()
	for range deepest {
		if name == "world" || name == "map" {
			return at, true
		}
		one, known := f.of[name]
		if !known {
			return at, false
		}
		at, name = one.pose.Mul(at), one.parent
	}
	return at, false // a ring
}
