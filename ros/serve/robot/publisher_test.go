package robot

import (
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

func nanoseconds(t builtininterfaces.Time) time.Duration {
	return node.SimDuration(t)
}

func everything() node.QoS { return node.BurstQoS(5000) }

func TestTheClockEndsWhereTheStepsEndAndRestartsWithTime(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		clock := rostest.Hear[rosgraphmsgs.Clock](h, "/clock", everything())
		h.Until("the time, to one who comes while it stands", func() bool { return clock.Last() != nil })
		clock.Clear()
		for _, n := range []uint64{1, 250, 3} {
			start := h.Engine.Snapshot().Time
			h.Do(sim.StepWorld{N: n})
			end := start + time.Duration(n)*4*time.Millisecond
			h.Until("the clock of the last step",
				func() bool { return clock.Last() != nil && nanoseconds(clock.Last().Clock) == end })
		}
		var before time.Duration
		for _, m := range clock.All() {
			if now := nanoseconds(m.Clock); now <= before || now%(4*time.Millisecond) != 0 {
				t.Errorf("the clock goes from %v to %v", before, now)
			} else {
				before = now
			}
		}
		if n := len(clock.All()); n < 80 {
			t.Errorf("%d ticks in a second", n)
		}
		h.Do(sim.Reset{Scope: sim.ResetTime})
		h.Until("the restart", func() bool { return nanoseconds(clock.Last().Clock) == 0 })
		time.Sleep(time.Second)
		n := len(clock.All())
		time.Sleep(5 * time.Second)
		if len(clock.All()) != n {
			t.Error("the clock ticks while time stands")
		}
	})
}

func TestRobotsComeGoAndComeAgain(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		twist := "geometry_msgs/msg/Twist"
		h.Until("the world's robot", func() bool {
			return h.Has("/one/odom", "nav_msgs/msg/Odometry") &&
				h.Has("/one/scan", "sensor_msgs/msg/LaserScan") &&
				h.Has("/one/points", "sensor_msgs/msg/PointCloud2") && h.Has("/one/joint_states") &&
				h.Has("/one/cmd_vel", twist)
		})
		if h.Has("/floor/joint_states") || h.Has("/wall/joint_states") {
			t.Error("things that do nothing have topics")
		}
		var stays *rostest.Heard[navmsgs.Odometry]
		for range 2 {
			h.Do(sim.Spawn{Name: "two", Namespace: "north/wing", Resource: sim.Resource{URI: "model://rig"},
				Pose: sim.FramedPose{Pose: r3.PoseRPY(0, -2, 0, 0, 0, 0)}})
			h.Until("the spawned robot", func() bool {
				return h.Has("/north/wing/odom") &&
					h.Has("/north/wing/cmd_vel", twist)
			})
			odom := rostest.Hear[navmsgs.Odometry](h, "/north/wing/odom", node.DefaultQoS())
			h.Do(sim.StepWorld{N: 50})
			h.Until("its odometry", func() bool { return odom.Last() != nil })
			if o := odom.Last(); o.Header.FrameID != "north/wing/odom" ||
				o.ChildFrameID != "north/wing/base_link" {
				t.Errorf("the frames are %q and %q", o.Header.FrameID, o.ChildFrameID)
			}
			if stays == nil {
				stays = odom
			}
			h.Until("it, by a reader that was there before the first one went",
				func() bool { return stays.Last() != nil })
			stays.Clear()
			h.Do(sim.Reset{Scope: sim.ResetSpawned})
			h.Until("it to go", func() bool {
				return !h.Has("/north/wing/cmd_vel") && !h.Has("/north/wing/scan") &&
					!h.Has("/north/wing/joint_states")
			})
		}
		h.Do(sim.UnloadWorld{})
		h.Until("all to go with the world", func() bool { return !h.Has("/one/odom") })
	})
}

// chain multiplies the newest transforms from world to a frame.
func chain(h *rostest.Stage, messages []*tf2msgs.TFMessage, frames ...string) r3.Pose {
	h.T.Helper()
	p := r3.IdentityPose()
	for i := 1; i < len(frames); i++ {
		var found *geometrymsgs.TransformStamped
		for _, m := range messages {
			for k := range m.Transforms {
				if t := &m.Transforms[k]; t.Header.FrameID == frames[i-1] && t.ChildFrameID == frames[i] {
					found = t
				}
			}
		}
		if found == nil {
			h.T.Fatalf("no transform from %s to %s", frames[i-1], frames[i])
		}
		v, q := found.Transform.Translation, found.Transform.Rotation
		p = p.Mul(r3.Pose{Pos: r3.Vec{X: v.X, Y: v.Y, Z: v.Z}, Rot: r3.Quat{W: q.W, X: q.X, Y: q.Y, Z: q.Z}})
	}
	return p
}

func TestBothKindsOfCommandDriveAndEveryoneAgreesWhereTheRobotIs(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		tf, static := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything()),
			rostest.Hear[tf2msgs.TFMessage](h, "/tf_static", node.LatchedQoS())
		odom, joints := rostest.Hear[navmsgs.Odometry](h, "/one/odom", everything()),
			rostest.Hear[sensormsgs.JointState](h, "/one/joint_states", everything())
		plain, err1 := node.NewPublisher[geometrymsgs.Twist](h.Client, "/one/cmd_vel", node.DefaultQoS())
		stamped, err2 := node.NewPublisher[geometrymsgs.TwistStamped](h.Client, "/one/cmd_vel",
			node.SensorQoS())
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		h.Until("both readers", func() bool { return plain.Subscribers() == 2 && stamped.Subscribers() == 1 })
		at := func() r3.Pose {
			i, _ := h.Engine.Snapshot().Find("one")
			return h.Engine.Snapshot().Entities[i].Pose
		}
		drive := func(send func()) float64 {
			from := at()
			for range 20 {
				send()
				time.Sleep(50 * time.Millisecond)
				h.Do(sim.StepWorld{N: 25})
			}
			return from.Relative(at()).Pos.X
		}
		forward, back := geometrymsgs.Twist{}, geometrymsgs.TwistStamped{}
		forward.Linear.X, back.Twist.Linear.X = 0.3, -0.2
		if d := drive(func() { _ = plain.Publish(&forward) }); d < 0.4 {
			t.Errorf("by Twist it went %g m in 2 s at 0.3 m/s", d)
		}
		if d := drive(func() { _ = stamped.Publish(&back) }); d > -0.25 {
			t.Errorf("by TwistStamped it went %g m in 2 s at -0.2 m/s", d)
		}
		end := h.Engine.Snapshot().Time
		h.Until("the newest odometry", func() bool { return nanoseconds(odom.Last().Header.Stamp) == end })
		time.Sleep(100 * time.Millisecond)

		i, _ := h.Engine.Snapshot().Find("one")
		truth := h.Engine.Snapshot().LinksOf(i)
		all := append(static.All(), tf.All()...)
		for frame, link := range map[string]int{"one/base_link": 0, "one/left": 1, "one/mast": 4} {
			way := []string{"world", "one/odom", "one/base_link"}
			if frame != "one/base_link" {
				way = append(way, frame)
			}
			if d := chain(h, all, way...).Pos.Sub(truth[link].Pose.Pos).Len(); d > 1e-6 {
				t.Errorf("tf puts %s %g m from where it is", frame, d)
			}
		}
		o := odom.Last().Pose.Pose.Position
		if p := chain(h, all, "one/odom",
			"one/base_link").Pos; p.Sub(r3.Vec{X: o.X, Y: o.Y, Z: o.Z}).Len() > 1e-9 {
			t.Errorf("tf says %v, odom %+v", p, o)
		}
		j := joints.Last()
		if !slices.Equal(j.Name, []string{"left_joint", "right_joint"}) || math.Abs(j.Position[0]) < 0.5 {
			t.Errorf("the joints are %+v", j)
		}
		if n := len(odom.All()); n < 90 || n > 110 {
			t.Errorf("%d odometry messages in 4 s at 25 Hz", n)
		}
	})
}

func TestFixedFramesAreLatchedAndCompleteForAllRobots(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "two", "model://rig", "", 0, -2)
		h.Until("the second robot", func() bool { return h.Has("/two/odom") })
		time.Sleep(time.Second)
		static := rostest.Hear[tf2msgs.TFMessage](h, "/tf_static", node.LatchedQoS())
		h.Until("what is latched", func() bool { return static.Last() != nil })
		if n := len(static.All()); n != 1 {
			t.Errorf("%d messages are latched, want the last one", n)
		}
		children := func() (names []string) {
			for _, f := range static.Last().Transforms {
				names = append(names, f.ChildFrameID)
			}
			slices.Sort(names)
			return names
		}
		want := []string{"one/caster", "one/mast", "one/mast/deep", "two/caster", "two/mast", "two/mast/deep"}
		if !slices.Equal(children(), want) {
			t.Errorf("fixed are %q, want %q", children(), want)
		}
		h.Do(sim.Delete{Names: []string{"two"}})
		h.Until("the rest", func() bool { return slices.Equal(children(), want[:3]) })
	})
}

func TestScansAndCloudsComeAtTheirRatesAndSeeTheWall(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		scans := rostest.Hear[sensormsgs.LaserScan](h, "/one/scan", everything())
		clouds := rostest.Hear[sensormsgs.PointCloud2](h, "/one/points", node.SensorQoS())
		h.Do(sim.StepWorld{N: 500})
		h.Until("2 s of scans", func() bool { return len(scans.All()) >= 20 && len(clouds.All()) >= 5 })
		all := scans.All()
		for i := 1; i < len(all); i++ {
			d := nanoseconds(all[i].Header.Stamp) - nanoseconds(all[i-1].Header.Stamp)
			if d != 100*time.Millisecond {
				t.Errorf("from scan %d to the next it takes %v, want 100 ms", i, d)
			}
		}
		if all[0].Header.FrameID != "one/mast" || len(all[0].Ranges) != 36 || all[0].ScanTime != 0.1 {
			t.Errorf("the scan is in %q, %d ranges, %g s", all[0].Header.FrameID, len(all[0].Ranges),
				all[0].ScanTime)
		}
		seen := 0
		for _, r := range all[0].Ranges {
			if r < 20 {
				seen++
			}
		}
		if seen < 3 {
			t.Errorf("%d of 36 rays see the wall", seen)
		}
		if c := clouds.Last(); c.Header.FrameID != "one/mast/deep" || c.Width != 32 || c.Height != 4 ||
			len(c.Data) != 32*4*20 {
			t.Errorf("the cloud is %d×%d in %q", c.Height, c.Width, c.Header.FrameID)
		}
	})
}

func TestARobotWithoutADriveHangsOnTheWorldAndIsDescribed(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", stick, 3, -3)
		about := rostest.Hear[stdmsgs.String](h, "/stick/robot_description", node.LatchedQoS())
		h.Until("its URDF", func() bool { return about.Last() != nil })
		if about.Last().Data != stick {
			t.Errorf("the description is %.60q…", about.Last().Data)
		}
		tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
		h.Do(sim.StepWorld{N: 10})
		h.Until("its frames", func() bool { return tf.Last() != nil })
		time.Sleep(100 * time.Millisecond)
		if p := chain(h, tf.All(), "world", "stick/root").Pos; math.Abs(p.X-3) > 0.01 ||
			math.Abs(p.Y+3) > 0.01 {
			t.Errorf("its root is at %v, want 3, -3", p)
		}
		chain(h, tf.All(), "stick/root", "stick/arm")
		if h.Has("/stick/odom") || h.Has("/stick/cmd_vel") {
			t.Error("a robot without a drive has topics of one")
		}
	})
}

func TestTheEdgeToTheWorldCanBeLeftToALocalisation(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		set(h, "publish_world_tf", node.BoolValue(false))
		tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", everything())
		h.Do(sim.StepWorld{N: 100})
		h.Until("odometry", func() bool { return len(tf.All()) > 5 })
		time.Sleep(time.Second)
		for _, m := range tf.All() {
			for _, f := range m.Transforms {
				if f.Header.FrameID == "world" {
					t.Fatalf("%s hangs on the world", f.ChildFrameID)
				}
			}
		}
		chain(h, tf.All(), "one/odom", "one/base_link")
	})
}

func TestTheClockCanBeLeftToAnotherSimulator(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		clock := rostest.Hear[rosgraphmsgs.Clock](h, "/clock", everything())
		h.Do(sim.StepWorld{N: 10})
		h.Until("ticks", func() bool { return clock.Last() != nil && clock.Last().Clock.Nanosec == 40e6 })
		set(h, "publish_clock", node.BoolValue(false))
		h.Until("no publisher", func() bool { return !h.Publishes("/clock") })
		clock.Clear()
		h.Do(sim.StepWorld{N: 10})
		time.Sleep(time.Second)
		if n := len(clock.All()); n > 0 {
			t.Errorf("%d ticks came after the clock was turned off", n)
		}
		set(h, "publish_clock", node.BoolValue(true))
		h.Until("the time as it is now",
			func() bool { return clock.Last() != nil && clock.Last().Clock.Nanosec == 80e6 })
	})
}

// Each second of a playing world has as many messages as clock_rate says, and at most one a step of 4 ms; a pause
// ends with the time at which it began.
func TestTheRateOfTheClockIsAParameter(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		clock := rostest.Hear[rosgraphmsgs.Clock](h, "/clock", everything())
		for _, c := range []struct {
			hz          float64
			least, most int
		}{{50, 50, 51}, {250, 250, 251}, {1000, 250, 251}, {7, 7, 8}, {0, 80, 260}} {
			set(h, "clock_rate", node.DoubleValue(c.hz))
			h.Do(sim.SetState{State: sim.Playing})
			time.Sleep(500 * time.Millisecond)
			clock.Clear()
			time.Sleep(time.Second)
			if n := len(clock.All()); n < c.least-1 || n > c.most {
				t.Errorf("clock_rate %v: %d messages in a second, want %d to %d", c.hz, n, c.least, c.most)
			}
			time.Sleep(44 * time.Millisecond)
			h.Do(sim.SetState{State: sim.Paused})
			h.Until("the time of the pause", func() bool {
				return nanoseconds(clock.Last().Clock) == h.Engine.Snapshot().Time
			})
		}
	})
}

func TestARefusedCommandIsToldOnce(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		log := rostest.Hear[rclinterfaces.Log](h, "/rosout", node.RosoutQoS())
		pub, err := node.NewPublisher[geometrymsgs.Twist](h.Client, "/one/cmd_vel", node.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		h.Until("the reader", func() bool { return pub.Subscribers() > 0 })
		bad := geometrymsgs.Twist{}
		bad.Linear.X = math.NaN()
		for range 5 {
			if err := pub.Publish(&bad); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		h.Until("the refusal", func() bool { return log.Last() != nil })
		time.Sleep(time.Second)
		if all := log.All(); len(all) != 1 {
			t.Errorf("the refusal is told %d times: %q …", len(all), all[0].Msg)
		}
	})
}
