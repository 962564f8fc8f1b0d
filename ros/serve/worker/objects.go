package worker

import (
	"math"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
)

// Rate of the poses, and thresholds of a motion.
const (
	objectPeriod = 50 * time.Millisecond // of simulated time, while something moves
	restPeriod   = time.Second           // of the wall clock, while nothing does; and of texts
	textRoom     = 256 << 10             // bytes of texts in a message, where it holds more than one
	// m, and of a quaternion's components: below what a viewer's float32 shows
	still = 1e-6
)

// objects publishes the poses of movable entities.
type objects struct {
	pub    *node.Publisher[l2msgs.Object3DArray]
	msg    l2msgs.Object3DArray // as published last
	poses  []r3.Pose            // in it
	model  *sim.Model           // that it is of
	sent   time.Time            // by the wall clock
	texts  []string             // of the entities that were spawned, for Data
	told   time.Time            // when some were sent
	next   int                  // of them, to be sent next
	rested time.Duration        // simulated, at the last rest
	now    []r3.Pose            // scratch of moved
}

func (o *objects) open(n *node.Node) (err error) {
	o.pub, err = node.NewPublisher[l2msgs.Object3DArray](n, "object3d", node.BurstQoS(queue))
	return err
}

// publish publishes the poses when they have changed.
func (o *objects) publish(s *sim.Snapshot, now time.Time) error {
	if !o.moved(s) {
		return nil
	}
	o.update(s)
	return o.send(now)
}

// rest tells now and then where everything is although nothing moves, and at once what was changed while time
// stands still.
func (o *objects) rest(s *sim.Snapshot, now time.Time) error {
	stands, overdue := s.Time == o.rested, now.Sub(o.sent) > restPeriod-lookEvery/2
	o.rested = s.Time
	if !stands && !overdue {
		return nil
	}
	if o.moved(s) {
		o.update(s)
	} else if !overdue {
		return nil
	}
	return o.send(now)
}

// listed reports whether viewers cannot know an entity and its place from the world's text alone.
func listed(e *sim.EntityModel) bool { return !e.Static || e.Spawned }

// textOf is the description of an entity that is not in the world's text.
func textOf(e *sim.EntityModel) string {
	switch {
	case !e.Spawned:
		return ""
	case e.Spec.Document != "": // without macros, which name other files
		return e.Spec.Document
	}
	return e.Spec.Text
}

// update takes what moved has found into the message.
func (o *objects) update(s *sim.Snapshot) {
	o.poses, o.now = o.now, o.poses
	if o.model != s.Model {
		o.texts = nil
		for i := range s.Model.Entities {
			if e := &s.Model.Entities[i]; listed(e) {
				o.texts = append(o.texts, textOf(e))
			}
		}
		o.told = time.Time{}
		o.model, o.msg.Objects = s.Model, o.msg.Objects[:0]
		for i := range s.Model.Entities {
			if e := &s.Model.Entities[i]; listed(e) {
				o.msg.Objects = append(o.msg.Objects,
					l2msgs.Object3D{ID: int64(e.ID), Type: kindOf(e.Spec.Format), Name: e.Name,
						Scale: unscaled()})
			}
		}
	}
	for i := range o.msg.Objects {
		o.msg.Objects[i].Pose = geometry.Pose(o.poses[i])
	}
}

func (o *objects) send(now time.Time) error {
	o.sent = now
	for i := range o.msg.Objects {
		o.msg.Objects[i].Data = ""
	}
	if now.Sub(o.told) > restPeriod-lookEvery/2 {
		o.told = now
		o.describe()
	}
	return o.pub.Publish(&o.msg)
}

// describe adds texts to the message: as many as go into one, the next ones the next time.
func (o *objects) describe() {
	n, room := len(o.msg.Objects), textRoom
	for range n {
		i := o.next % n
		if room -= len(o.texts[i]); room < 0 && room+len(o.texts[i]) < textRoom {
			return
		}
		o.msg.Objects[i].Data = o.texts[i]
		o.next = i + 1
	}
}

// moved reports whether anything is elsewhere than was told last, and leaves where it is in o.now.
func (o *objects) moved(s *sim.Snapshot) bool {
	o.now = o.now[:0]
	for i := range s.Model.Entities {
		if listed(&s.Model.Entities[i]) {
			o.now = append(o.now, s.ModelPose(i))
		}
	}
	if o.model != s.Model {
		return true
	}
	for i := range o.now {
		if apart(o.now[i], o.poses[i]) > still {
			return true
		}
	}
	return false
}

// apart is the largest difference of two poses' numbers.
func apart(a, b r3.Pose) float64 {
	return max(a.Pos.Sub(b.Pos).MaxAbs(), math.Abs(a.Rot.W-b.Rot.W), math.Abs(a.Rot.X-b.Rot.X),
		math.Abs(a.Rot.Y-b.Rot.Y), math.Abs(a.Rot.Z-b.Rot.Z))
}
