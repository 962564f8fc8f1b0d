package robot

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// robot is an entity on the graph.
type robot struct {
	id              uint64
	name            string
	prefix          string // of topics and frames; empty: those of the ego vehicle have none
	root            string // frame of the world
	tree            *tree
	base            string // frame on top
	moving          []edge // of tree, with the names of the frames in tf
	fresh           bool   // nothing was published yet
	external        bool   // a controller outside speaks for it
	acceptsCommands bool
	joints          *node.Publisher[sensormsgs.JointState]
	states          *jointMessage
	multiDof        multiDofJoints
	groundTruth     groundTruth
	drives          []drive
	sensors         []fittedSensor
	ends            []interface{ Close() error }
}

// drive is a drive on the graph.
type drive struct {
	odom      *node.Publisher[navmsgs.Odometry] // nil: the robot is external, or the file wants none
	msg       *navmsgs.Odometry
	odomFrame string
	baseFrame string
	seen      uint64 // Seq of the newest odometry that was published
	any       bool   // one was published
	noTF      bool   // others tell tf where odometry puts the base
}

// add puts an entity on the graph; with an error nothing of it is there.
func (f *RobotPublisher) add(m *sim.EntityModel, ego bool) (*robot, error) {
	r := &robot{id: m.ID, name: m.Name, prefix: prefix(m), root: f.root, fresh: true,
		tree:            newTree(m.Spec, m.Sensors),
		external:        f.config.External != nil && f.config.External(m),
		acceptsCommands: f.config.AcceptsCommands == nil || f.config.AcceptsCommands(m)}
	if ego {
		r.prefix = ""
	}
	r.base = framed(r.prefix, r.tree.base.name)
	for _, e := range r.tree.moving {
		e.parent, e.child = framed(r.prefix, e.parent), framed(r.prefix, e.child)
		r.moving = append(r.moving, e)
	}
	err := f.addDrives(r, m)
	if r.acceptsCommands {
		err = errors.Join(err, f.addMotors(r, m))
	}
	if !r.external {
		err = errors.Join(err, f.describe(r, m), f.addJoints(r, m), f.addMultiDofJoints(r, m),
			f.addGroundTruth(r, &m.Spec.Truth), f.addSensors(r, m))
	}
	if err != nil {
		f.remove(r)
		return nil, fmt.Errorf("entity %s: %w", m.Name, err)
	}
	return r, nil
}

// remove takes a robot off the graph.
func (f *RobotPublisher) remove(r *robot) {
	for _, e := range r.ends {
		if err := e.Close(); err != nil {
			f.node.Log().Warn("a topic could not be closed", "entity", r.name, "error", err)
		}
	}
	f.topics.free(r.id)
}

// open makes a publisher of a robot.
func open[T any, PT msgs.Of[T]](f *RobotPublisher, r *robot, topic string, q node.QoS) (*node.Publisher[T],
	error) {
	p, err := node.NewPublisher[T, PT](f.node, f.take(r, topic), q)
	if err == nil {
		r.ends = append(r.ends, p)
	}
	return p, err
}

// describe publishes the URDF, once and for all who come later: that of the
// file, or one that says the same.
func (f *RobotPublisher) describe(r *robot, m *sim.EntityModel) error {
	p, err := open[stdmsgs.String](f, r, "robot_description", node.LatchedQoS())
	if err != nil {
		return err
	}
	text := m.Spec.Document
	if text == "" {
		text = description(r.tree)
	}
	return p.Publish(&stdmsgs.String{Data: text})
}

func (f *RobotPublisher) addJoints(r *robot, m *sim.EntityModel) error {
	if r.states = newJointMessage(m.Spec); len(r.states.from) == 0 {
		return nil
	}
	var err error
	r.joints, err = open[sensormsgs.JointState](f, r, "joint_states", burstQoS())
	return err
}

func (f *RobotPublisher) addDrives(r *robot, m *sim.EntityModel) error {
	for i, d := range m.Spec.Drives {
		base := r.tree.base
		if i > 0 {
			base = r.tree.baseOf(d.Odometry.BaseFrame, r.tree.base.link)
		}
		at := drive{noTF: d.Odometry.NoTF, baseFrame: framed(r.prefix, base.name),
			odomFrame: framed(r.prefix, cmp.Or(d.Odometry.Frame, "odom"))}
		at.msg = newOdometry(at.odomFrame, at.baseFrame)
		if !r.external && !d.Odometry.Off {
			var err error
			if at.odom, err = open[navmsgs.Odometry](f, r, cmp.Or(d.Odometry.Topic, "odom"),
				burstQoS()); err != nil {
				return err
			}
		}
		r.drives = append(r.drives, at)
		if !r.acceptsCommands {
			continue
		}
		if err := f.subscribeCommands(r, i, f.take(r, cmp.Or(d.Topic, "cmd_vel"))); err != nil {
			return err
		}
		if d.Kind == scene.Ackermann {
			if err := f.subscribeSteering(r, i, f.take(r, "ackermann_cmd")); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish sends what is new of a robot in a snapshot and adds the transforms
// that go with it.
func (r *robot) publish(s *sim.Snapshot, i int, joints, world bool, tf *tf2msgs.TFMessage) (err error) {
	links := s.LinksOf(i)
	r.fresh = false
	odom := s.OdomOf(i)
	for d := range odom {
		at, o := &r.drives[d], &odom[d]
		if at.any && o.Seq == at.seen {
			continue
		}
		at.any, at.seen = true, o.Seq
		if at.odom != nil {
			fillOdometry(at.msg, o)
			err = errors.Join(err, at.odom.Publish(at.msg))
		}
		if d == 0 {
			r.believed(tf, o, links, world)
		}
	}
	if joints {
		r.posture(tf, s.Time, links)
		err = errors.Join(err, r.groundTruth.publish(s.Time, r.tree, links))
		if r.joints != nil {
			err = errors.Join(err, r.joints.Publish(r.states.fill(s.Time, s.JointsOf(i))))
		}
		err = errors.Join(err, r.multiDof.publish(s.Time, s.JointsOf(i)))
	}
	samples := s.SamplesOf(i)
	for k := range r.sensors {
		err = errors.Join(err, r.sensors[k].publishNew(samples))
	}
	return err
}

// believed adds where odometry puts the base, and where odometry began.
func (r *robot) believed(tf *tf2msgs.TFMessage, o *sim.Odometry, links []sim.LinkState, world bool) {
	d := &r.drives[0]
	if !d.noTF {
		tf.Transforms = append(tf.Transforms, transform(o.Time, d.odomFrame, d.baseFrame, o.Pose))
	}
	if world {
		tf.Transforms = append(tf.Transforms,
			transform(o.Time, r.root, d.odomFrame, r.tree.basePose(links).Mul(o.Pose.Inverse())))
	}
}

// posture adds how the links stand to each other, and without a drive to the world.
func (r *robot) posture(tf *tf2msgs.TFMessage, t time.Duration, links []sim.LinkState) {
	if len(r.drives) == 0 {
		tf.Transforms = append(tf.Transforms, transform(t, r.root, r.base, r.tree.basePose(links)))
	}
	for i := range r.moving {
		e := &r.moving[i]
		at := links[e.parentLink].Pose.Relative(links[e.childLink].Pose)
		tf.Transforms = append(tf.Transforms, transform(t, e.parent, e.child, at))
	}
}
