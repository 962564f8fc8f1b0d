package control

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// diffDrive is diff_drive_controller: wheels on two sides take a velocity, and their turns tell where the
// robot is.
type diffDrive struct {
	c           *controller
	left, right wheels
	separation  float64 // m
	stamped     bool
	timeout     time.Duration
	linear      limiter
	angular     limiter
	openLoop    bool
	byPosition  bool
	odomRate    float64
	odom        *node.Publisher[navmsgs.Odometry]
	tf          *node.Publisher[tf2msgs.TFMessage] // nil: others tell
	limited     *node.Publisher[geometrymsgs.TwistStamped]
	msg         navmsgs.Odometry
	ticks       chan time.Duration
	frame       string

	mu     sync.Mutex
	wanted [2]float64 // m/s and rad/s
	since  time.Duration
	driven [2]float64 // after the limits

	believed odometer // of show
}

// odometer is the pose that the turns of the wheels tell.
type odometer struct {
	seen    time.Duration
	started bool
	at      [3]float64 // x, y, heading
	turns   [2]float64 // of the wheels, mean of each side, rad
	recent  [][2]float64
	window  int
}

// wheels are those of a side.
type wheels struct {
	names  []string
	index  []int
	radius float64 // m
}

func diffDriveParameters() []node.Declaration {
	all := []node.Declaration{texts("left_wheel_names"), texts("right_wheel_names"),
		number("wheel_separation", 0), number("wheel_radius", 0), number("wheel_separation_multiplier", 1),
		number("left_wheel_radius_multiplier", 1), number("right_wheel_radius_multiplier", 1),
		truth("use_stamped_vel", true), number("cmd_vel_timeout", 0.5), truth("open_loop", false),
		truth("position_feedback", true), truth("enable_odom_tf", true), truth("tf_frame_prefix_enable", true),
		text("tf_frame_prefix", ""), text("odom_frame_id", "odom"), text("base_frame_id", "base_link"),
		number("publish_rate", 50), truth("publish_limited_velocity", false),
		{Name: "velocity_rolling_window_size", Default: node.IntegerValue(10), Range: &[2]float64{1, 1000}}}
	for _, name := range []string{"pose_covariance_diagonal", "twist_covariance_diagonal"} {
		all = append(all, node.Declaration{Name: name, Default: node.Value{Type: node.DoubleArray,
			DoubleArrayValue: make([]float64, 6)}})
	}
	return all
}

func (d *diffDrive) configure(c *controller) (w wants, err error) {
	d.c = c
	if err := d.geometry(); err != nil {
		return w, err
	}
	d.stamped, d.openLoop, d.byPosition = c.truth("use_stamped_vel"), c.truth("open_loop"),
		c.truth("position_feedback")
	d.timeout = time.Duration(c.number("cmd_vel_timeout") * float64(time.Second))
	d.odomRate, d.believed.window = c.number("publish_rate"), int(c.integer("velocity_rolling_window_size"))
	if d.linear, err = newLimiter(c, "linear.x."); err == nil {
		d.angular, err = newLimiter(c, "angular.z.")
	}
	if err != nil {
		return w, err
	}
	all := slices.Concat(d.left.names, d.right.names)
	w.commands = interfacesOf(all, []string{"velocity"})
	feedback := "velocity"
	if d.byPosition {
		feedback = "position"
	}
	w.states = interfacesOf(all, []string{feedback})
	return w, d.open()
}

// geometry reads the wheels.
func (d *diffDrive) geometry() (err error) {
	c := d.c
	d.separation = c.number("wheel_separation") * c.number("wheel_separation_multiplier")
	radius := c.number("wheel_radius")
	d.left.radius, d.right.radius = radius*c.number("left_wheel_radius_multiplier"),
		radius*c.number("right_wheel_radius_multiplier")
	for _, x := range []float64{d.separation, d.left.radius, d.right.radius} {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("%w: wheel_separation %g m and wheel_radius %g m, with their multipliers; want more than 0",
				errParameters, c.number("wheel_separation"), radius)
		}
	}
	if d.left.names, err = c.required("left_wheel_names"); err != nil {
		return err
	}
	if d.right.names, err = c.required("right_wheel_names"); err != nil {
		return err
	}
	if len(d.left.names) != len(d.right.names) {
		return fmt.Errorf("%w: %d wheels on the left and %d on the right; want as many", errParameters,
			len(d.left.names), len(d.right.names))
	}
	joints := c.manager.config.Spec.Joints
	for _, side := range []*wheels{&d.left, &d.right} {
		for _, name := range side.names {
			at := slices.IndexFunc(joints, func(j scene.Joint) bool { return j.Name == name })
			if at < 0 {
				return fmt.Errorf("%w: the robot has no joint %q", errParameters, name)
			}
			side.index = append(side.index, at)
		}
	}
	return nil
}

// open makes the topics.
func (d *diffDrive) open() (err error) {
	c := d.c
	prefix := ""
	if c.truth("tf_frame_prefix_enable") {
		if prefix = c.text("tf_frame_prefix"); prefix == "" {
			prefix = c.node.Namespace()
		}
		if prefix = strings.Trim(prefix, "/"); prefix != "" {
			prefix += "/"
		}
	}
	d.frame = prefix + c.text("base_frame_id")
	d.msg.Header.FrameID, d.msg.ChildFrameID = prefix+c.text("odom_frame_id"), d.frame
	pose, twist := c.value("pose_covariance_diagonal"), c.value("twist_covariance_diagonal")
	for i := range 6 {
		if i < len(pose.DoubleArrayValue) {
			d.msg.Pose.Covariance[7*i] = pose.DoubleArrayValue[i]
		}
		if i < len(twist.DoubleArrayValue) {
			d.msg.Twist.Covariance[7*i] = twist.DoubleArrayValue[i]
		}
	}
	if d.odom, err = publish[navmsgs.Odometry](c, "~/odom"); err != nil {
		return err
	}
	if c.truth("enable_odom_tf") {
		if d.tf, err = publish[tf2msgs.TFMessage](c, "/tf"); err != nil {
			return err
		}
	}
	if c.truth("publish_limited_velocity") {
		if d.limited, err = publish[geometrymsgs.TwistStamped](c, "~/cmd_vel_out"); err != nil {
			return err
		}
	}
	if d.stamped {
		err = listen(c, "~/cmd_vel", d.takeStamped)
	} else {
		err = listen(c, "~/cmd_vel_unstamped", d.take)
	}
	d.ticks = make(chan time.Duration, 1)
	stop := make(closer)
	c.ends = append(c.ends, stop)
	if err == nil && !c.node.Go(func(ctx context.Context) { d.drive(ctx, stop) }) {
		err = errInactive
	}
	return err
}

// closer ends a loop.
type closer chan struct{}

// Close ends it.
func (c closer) Close() error {
	close(c)
	return nil
}

// takeStamped takes a velocity, which may be as old as the time-out at most; without a stamp it is new.
func (d *diffDrive) takeStamped(ctx context.Context, m *geometrymsgs.TwistStamped) error {
	now, stamp := d.c.manager.now().time(), node.SimDuration(m.Header.Stamp)
	if stamp != 0 && d.timeout > 0 && now-stamp > d.timeout {
		return fmt.Errorf("%w: a velocity of %v, which is more than cmd_vel_timeout, %v, before now, %v",
			errCommand, stamp, d.timeout, now)
	}
	return d.take(ctx, &m.Twist)
}

// take keeps a velocity until the next step.
func (d *diffDrive) take(_ context.Context, t *geometrymsgs.Twist) error {
	if err := d.c.ready(); err != nil {
		return err
	}
	v, w := t.Linear.X, t.Angular.Z
	if math.IsNaN(v+w) || math.IsInf(v, 0) || math.IsInf(w, 0) {
		return fmt.Errorf("%w: a velocity of %g m/s and %g rad/s; want numbers", errCommand, v, w)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted, d.since = [2]float64{v, w}, d.c.manager.now().time()
	return nil
}

// drive turns the wheels at every step that is shown, until its controller is closed.
func (d *diffDrive) drive(ctx context.Context, stop closer) {
	var before time.Duration
	sent := [2]float64{math.NaN(), math.NaN()}
	for {
		var now time.Duration
		select {
		case <-ctx.Done():
			return
		case <-stop:
			return
		case now = <-d.ticks:
		}
		if !d.c.active.Load() {
			sent = [2]float64{math.NaN(), math.NaN()}
			continue
		}
		dt := now - before
		before = now
		driven := d.next(now, dt)
		if driven != sent {
			err := d.c.send(ctx, d.command(driven))
			d.c.tell(ctx, "~/cmd_vel", err)
			if sent = driven; err != nil {
				sent = [2]float64{math.NaN(), math.NaN()}
			}
		}
		if d.limited != nil {
			m := &geometrymsgs.TwistStamped{}
			m.Header.Stamp, m.Header.FrameID = node.SimTime(now), d.frame
			m.Twist.Linear.X, m.Twist.Angular.Z = driven[0], driven[1]
			d.c.tell(ctx, "~/cmd_vel_out", d.limited.Publish(m))
		}
	}
}

// next is the velocity for the next step: what is wanted, unless that is too old, within the limits.
func (d *diffDrive) next(now, dt time.Duration) [2]float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now < d.since || d.timeout > 0 && now-d.since > d.timeout {
		d.wanted = [2]float64{}
	}
	d.driven = [2]float64{d.linear.next(d.driven[0], d.wanted[0], dt),
		d.angular.next(d.driven[1], d.wanted[1], dt)}
	return d.driven
}

// command is the velocity of the wheels for one of the robot.
func (d *diffDrive) command(v [2]float64) sim.Command {
	left := (v[0] - v[1]*d.separation/2) / d.left.radius
	right := (v[0] + v[1]*d.separation/2) / d.right.radius
	return sim.SetJoints{Name: d.c.manager.config.Entity,
		Targets: append(targets(d.left.names, sim.JointVelocity, left),
			targets(d.right.names, sim.JointVelocity, right)...)}
}

// begin and end let the robot stand; its odometry begins at zero.
func (d *diffDrive) begin(look) []sim.JointTarget {
	d.believed.started, d.believed.at, d.believed.recent = false, [3]float64{}, d.believed.recent[:0]
	return d.end()
}

func (d *diffDrive) end() []sim.JointTarget {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted, d.driven = [2]float64{}, [2]float64{}
	return targets(slices.Concat(d.left.names, d.right.names), sim.JointVelocity, 0)
}

func (d *diffDrive) show(l look) error {
	d.measure(l)
	select {
	case d.ticks <- l.time():
	default: // the last one is not done yet
	}
	if !d.c.due(l, min(d.odomRate, float64(d.c.rate))) {
		return nil
	}
	m := &d.msg
	m.Header.Stamp = node.SimTime(l.time())
	m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y = d.believed.at[0], d.believed.at[1]
	m.Pose.Pose.Orientation = geometry.Quaternion(d.believed.pose().Rot)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = d.believed.mean()
	err := d.odom.Publish(m)
	if d.tf == nil || err != nil {
		return err
	}
	t := geometrymsgs.TransformStamped{Header: m.Header, ChildFrameID: m.ChildFrameID}
	t.Transform.Translation.X, t.Transform.Translation.Y = d.believed.at[0], d.believed.at[1]
	t.Transform.Rotation = m.Pose.Pose.Orientation
	return d.tf.Publish(&tf2msgs.TFMessage{Transforms: []geometrymsgs.TransformStamped{t}})
}

// measure goes on with the odometry: along an arc, from snapshot to snapshot.
func (d *diffDrive) measure(l look) {
	states := l.joints()
	turns := [2]float64{d.left.mean(states, d.byPosition), d.right.mean(states, d.byPosition)}
	dt := (l.time() - d.believed.seen).Seconds()
	before := d.believed.turns
	d.believed.seen, d.believed.turns = l.time(), turns
	if !d.believed.started || dt < 0 {
		d.believed.started, d.believed.at, d.believed.recent = true, [3]float64{}, d.believed.recent[:0]
		return
	}
	if dt == 0 {
		return
	}
	way := [2]float64{(turns[0] - before[0]) * d.left.radius, (turns[1] - before[1]) * d.right.radius}
	if !d.byPosition {
		way = [2]float64{turns[0] * dt * d.left.radius, turns[1] * dt * d.right.radius}
	}
	s, turn := (way[0]+way[1])/2, (way[1]-way[0])/d.separation
	if d.openLoop {
		d.mu.Lock()
		s, turn = d.driven[0]*dt, d.driven[1]*dt
		d.mu.Unlock()
	}
	d.believed.move(s, turn, dt)
}

// pose is that of the base, in the frame of odometry.
func (o *odometer) pose() r3.Pose { return r3.PoseRPY(o.at[0], o.at[1], 0, 0, 0, o.at[2]) }

// move goes s metres along an arc that turns by so many rad, in dt seconds.
func (o *odometer) move(s, turn, dt float64) {
	chord := s
	if half := turn / 2; math.Abs(half) > 1e-9 {
		chord = s * math.Sin(half) / half
	}
	sin, cos := math.Sincos(o.at[2] + turn/2)
	o.at = [3]float64{o.at[0] + chord*cos, o.at[1] + chord*sin, o.at[2] + turn}
	if len(o.recent) >= o.window {
		o.recent = append(o.recent[:0], o.recent[1:]...)
	}
	o.recent = append(o.recent, [2]float64{s / dt, turn / dt})
}

// mean is the velocity over the last snapshots, m/s and rad/s.
func (o *odometer) mean() (linear, angular float64) {
	for _, v := range o.recent {
		linear, angular = linear+v[0]/float64(len(o.recent)), angular+v[1]/float64(len(o.recent))
	}
	return linear, angular
}

// mean is the mean position of the wheels in rad, or their velocity in rad/s.
func (w *wheels) mean(states []sim.JointState, position bool) (mean float64) {
	for _, i := range w.index {
		q, v := states[i].Reported()
		if !position {
			q = v
		}
		mean += q / float64(len(w.index))
	}
	return mean
}

// limiter bounds a velocity and how fast it changes.
type limiter struct{ low, high, up, down float64 }

// newLimiter reads the limits below a name; those that are not given, or switched off, are none.
func newLimiter(c *controller, name string) (limiter, error) {
	given := func(key, family string, otherwise float64) float64 {
		x, on := c.number(name+key), c.value(name+"has_"+family+"_limits")
		if math.IsNaN(x) || on.Type == node.Bool && !on.BoolValue {
			return otherwise
		}
		return x
	}
	var l limiter
	l.high = given("max_velocity", "velocity", math.Inf(1))
	l.low = given("min_velocity", "velocity", -l.high)
	l.up = given("max_acceleration", "acceleration", math.Inf(1))
	l.down = -given("max_deceleration", "acceleration", -math.Abs(given("min_acceleration", "acceleration",
		-l.up)))
	if l.low > l.high || l.up < 0 {
		return l, fmt.Errorf("%w: %smin_velocity %g is above %smax_velocity %g, or max_acceleration %g is below 0",
			errParameters, name, l.low, name, l.high, l.up)
	}
	l.down = math.Abs(l.down)
	return l, nil
}

// next is the velocity that comes after one on the way to another, dt later.
func (l limiter) next(now, wanted float64, dt time.Duration) float64 {
	wanted = min(max(wanted, l.low), l.high)
	rate := l.up
	if math.Abs(wanted) < math.Abs(now) {
		rate = l.down
	}
	if math.IsInf(rate, 1) {
		return wanted
	}
	most := rate * max(0, dt.Seconds())
	return now + min(max(wanted-now, -most), most)
}
