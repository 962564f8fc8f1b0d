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
	restPeriod   = time.Second           // of the wall clock, while nothing does
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

// update takes what moved has found into the message.
func (o *objects) update(s *sim.Snapshot) {
	o.poses, o.now = o.now, o.poses
	if o.model != s.Model {
		o.model, o.msg.Objects = s.Model, o.msg.Objects[:0]
		for i := range s.Model.Entities {
			if e := &s.Model.Entities[i]; !e.Static {
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
	return o.pub.Publish(&o.msg)
}

// moved reports whether anything is elsewhere than was told last, and leaves where it is in o.now.
func (o *objects) moved(s *sim.Snapshot) bool {
	o.now = o.now[:0]
	for i := range s.Model.Entities {
		if !s.Model.Entities[i].Static {
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
