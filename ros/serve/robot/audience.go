package robot

import (
	"errors"

	"simdeck/ros/msgs/tf2msgs"
	"simdeck/sim"
)

// audience is the number of a topic's listeners when its publisher last looked.
type audience int

// grew reports that more listen than when it was last asked.
func (a *audience) grew(now int) bool {
	more := now > int(*a)
	*a = audience(now)
	return more
}

// helloSubscribers tells those who come while time stands how the robots stand. RViz and tf2 have nothing to
// show or to transform by otherwise until the world goes on.
func (f *RobotPublisher) helloSubscribers() {
	s := f.last
	stands := s.State != sim.Playing // else they hear it with the next step
	came := f.heard.grew(f.tf.Subscribers()) && stands
	f.frames.Transforms = f.frames.Transforms[:0]
	var errs []error
	for i, r := range f.robots {
		if r == nil {
			continue
		}
		errs = append(errs, r.repeat(s, i, stands))
		if came {
			r.stance(&f.frames, s, i, f.worldTF())
		}
	}
	if len(f.frames.Transforms) > 0 {
		errs = append(errs, f.tf.Publish(&f.frames))
	}
	if err := errors.Join(errs...); err != nil {
		f.node.Log().Error("robots could not be told to who came while time stands", "error", err)
	}
}

// repeat tells those who came what was told last, where time stands; what a controller manager told is not
// repeated.
func (r *robot) repeat(s *sim.Snapshot, i int, stands bool) (err error) {
	for d, o := range s.OdomOf(i) {
		if at := &r.drives[d]; at.odom != nil && at.heard.grew(at.odom.Subscribers()) && stands {
			fillOdometry(at.msg, &o)
			err = errors.Join(err, at.odom.Publish(at.msg))
		}
	}
	if stands {
		err = errors.Join(err, r.repeatBatteries(s, i))
	}
	if r.joints != nil && r.heard.grew(r.joints.Subscribers()) && stands {
		err = errors.Join(err, r.joints.Publish(r.states.fill(s.Time, s.JointsOf(i))))
	}
	return err
}

// stance adds all transforms of a robot.
func (r *robot) stance(tf *tf2msgs.TFMessage, s *sim.Snapshot, i int, world worldTF) {
	links := s.LinksOf(i)
	if odom := s.OdomOf(i); len(odom) > 0 {
		r.believed(tf, &odom[0], links, world)
	}
	r.posture(tf, s.Time, links, world)
}
