package robot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/serve/control"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// robot is an entity on the graph.
type robot struct {
	id              uint64
	name            string
	prefix          string // of topics and frames; empty: an ego vehicle, or the single robot
	root            string // frame of the world
	tree            *tree
	base            string // frame on top
	moving          []edge // of tree, with the names of the frames in tf
	fresh           bool   // nothing was published yet
	external        bool   // a controller outside speaks for it
	acceptsCommands bool
	joints          *node.Publisher[sensormsgs.JointState]
	heard           audience // of joints
	states          *jointMessage
	statesPace      pace
	multiDof        multiDofJoints
	groundTruth     groundTruth
	drives          []drive
	commands        []*commandTopic // of the drives; they are in ends, too
	sensors         []fittedSensor
	detachables     []detachable
	volumes         []volumePublisher // of buoyancy engines
	batteries       []battery
	manager         *control.Manager // of <ros2_control>; nil: the joints have topics of simdeck's
	ends            []io.Closer
}

// drive is a drive on the graph.
type drive struct {
	odom      *node.Publisher[navmsgs.Odometry] // nil: the robot is external, or the file wants none
	heard     audience                          // of odom
	msg       *navmsgs.Odometry
	odomFrame string
	baseFrame string
	seen      uint64 // Seq of the newest odometry that was published
	any       bool   // one was published
	noTF      bool   // others tell tf where odometry puts the base
}

// add puts an entity on the graph, bare without a prefix; with an error nothing of it is there.
func (f *RobotPublisher) add(m *sim.EntityModel, bare bool) (*robot, error) {
	r := &robot{id: m.ID, name: m.Name, prefix: prefix(m), root: f.root, fresh: true,
		tree:            newTree(m.Spec, m.Sensors),
		external:        f.config.External != nil && f.config.External(m),
		acceptsCommands: f.config.AcceptsCommands == nil || f.config.AcceptsCommands(m)}
	if bare {
		r.prefix = ""
	}
	r.base = framed(r.prefix, r.tree.base.name)
	for _, e := range r.tree.moving {
		e.parent, e.child = framed(r.prefix, e.parent), framed(r.prefix, e.child)
		r.moving = append(r.moving, e)
	}
	err := errors.Join(f.addDrives(r, m), f.addManager(r, m))
	if r.acceptsCommands && r.manager == nil {
		err = errors.Join(err, f.addMotors(r, m), f.addTracks(r, m))
	}
	err = errors.Join(err, f.addDetachables(r, m), f.addBladders(r, m), f.addBatteries(r, m))
	if !r.external {
		err = errors.Join(err, f.describe(r, m), f.addJoints(r, m), f.addMultiDofJoints(r, m),
			f.addGroundTruth(r, m), f.addSensors(r, m))
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
	if r.states = newJointMessage(m.Spec); len(r.states.from) == 0 || r.manager != nil {
		return nil
	}
	r.statesPace = paceOf(m.Spec.ROS.States.Rate)
	var err error
	r.joints, err = open[sensormsgs.JointState](f, r, cmp.Or(m.Spec.ROS.States.Topic, "joint_states"), burstQoS())
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

// addManager puts the controller manager of a robot with <ros2_control> on the graph. It stands in the
// namespace that the robot's file gives, or whoever spawned it, else in that of the node. Where another robot
// has a manager there, it stands in the robot's own. A robot without one, by a fault that is logged, has
// simdeck's topics.
func (f *RobotPublisher) addManager(r *robot, m *sim.EntityModel) error {
	c := m.Spec.ROS.Control
	if c == nil || r.external || !r.acceptsCommands {
		return nil
	}
	ns := node.Relative(c.Namespace)
	if ns == "" && m.Namespace != m.Name { // equal: nobody has given one
		ns = node.Relative(m.Namespace)
	}
	inside := func(ns string) string {
		if f.config.Inside {
			ns = f.node.Namespace() + "/" + ns
		}
		return "/" + strings.Trim(ns, "/")
	}
	if !f.topics.register(r.id, strings.TrimPrefix(control.Name(c, inside(ns)), "/")) {
		f.node.Log().Warn("another robot has a controller manager of that name: this one's is in the robot's namespace",
			"entity", r.name, "manager", control.Name(c, inside(ns)))
		ns = r.prefix
	}
	manager, err := control.New(control.Config{Node: f.node, Backend: f.backend, Entity: r.name, Spec: m.Spec,
		Namespace: inside(ns)})
	if err != nil {
		f.node.Log().Error("a robot has no controller manager", "entity", r.name, "error", err)
		return nil
	}
	r.manager = manager
	r.ends = append(r.ends, manager)
	return nil
}

// publish sends what is new of a robot in a snapshot and adds the transforms
// that go with it.
func (r *robot) publish(s *sim.Snapshot, i int, joints bool, world worldTF,
	tf *tf2msgs.TFMessage) (err error) {
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
	if r.manager != nil {
		err = errors.Join(err, r.manager.Show(s, i))
	}
	if joints {
		r.posture(tf, s.Time, links, world)
		err = errors.Join(err, r.multiDof.publish(s.Time, s.JointsOf(i)), r.publishVolumes(s, i))
	}
	err = errors.Join(err, r.groundTruth.publish(s, joints, r.tree, links))
	if r.joints != nil && r.statesPace.due(s.Time, joints) {
		err = errors.Join(err, r.joints.Publish(r.states.fill(s.Time, s.JointsOf(i))))
	}
	err = errors.Join(err, r.publishDetachables(s), r.publishBatteries(s, i))
	samples := s.SamplesOf(i)
	for k := range r.sensors {
		err = errors.Join(err, r.sensors[k].publishNew(samples))
	}
	return err
}

// believed adds where odometry puts the base, and where odometry began.
func (r *robot) believed(tf *tf2msgs.TFMessage, o *sim.Odometry, links []sim.LinkState, world worldTF) {
	d := &r.drives[0]
	if !d.noTF {
		tf.Transforms = append(tf.Transforms, transform(o.Time, d.odomFrame, d.baseFrame, o.Pose))
	}
	if world.tellsOdometry(d.odomFrame) {
		tf.Transforms = append(tf.Transforms,
			transform(o.Time, r.root, d.odomFrame, r.tree.basePose(links).Mul(o.Pose.Inverse())))
	}
}

// driven is the frame in which a controller tells tf of the robot's base, and the pose that it tells.
func (r *robot) driven() (frame string, pose r3.Pose, told bool) {
	if r.manager == nil {
		return "", pose, false
	}
	frame, base, pose, told := r.manager.Odometry()
	return frame, pose, told && base == r.base
}

// posture adds how the links stand to each other, and without a drive to the world. Where a controller tells
// tf of the base, its odometry stands in the world.
func (r *robot) posture(tf *tf2msgs.TFMessage, t time.Duration, links []sim.LinkState, world worldTF) {
	frame, believed, told := r.driven()
	switch base := r.tree.basePose(links); {
	case len(r.drives) > 0:
	case told && world.tellsOdometry(frame):
		tf.Transforms = append(tf.Transforms, transform(t, r.root, frame, base.Mul(believed.Inverse())))
	case !told && world.tellsBase(r.base):
		tf.Transforms = append(tf.Transforms, transform(t, r.root, r.base, base))
	}
	for i := range r.moving {
		e := &r.moving[i]
		at := links[e.parentLink].Pose.Relative(links[e.childLink].Pose)
		tf.Transforms = append(tf.Transforms, transform(t, e.parent, e.child, at))
	}
}
