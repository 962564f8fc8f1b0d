package vehicle

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/ackermannmsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// stamped checks that messages came at a rate over ten seconds: their number, and that none is late by more
// than a step.
func stamped[T any](t *testing.T, topic string, list []*T, rate float64,
	header func(*T) (stdmsgs.Header, bool)) {
	t.Helper()
	n := 0
	for _, m := range list {
		h, counts := header(m)
		if !counts {
			continue
		}
		n++
		at := node.SimDuration(h.Stamp).Seconds()
		if late := math.Mod(at*rate+1e-6, 1) / rate; late > 0.01 {
			t.Errorf("%s: a message at %.3f s is %.1f ms late", topic, at, 1000*late)
		}
	}
	if want := 10 * rate; math.Abs(float64(n)-want) > 1 {
		t.Errorf("%s: %d messages in 10 s, want %g ± 1", topic, n, want)
	}
}

func TestTheTopicsComeAtTheirRatesForTenSeconds(t *testing.T) {
	inTown(t, "site", sim.Paused, func(h *rostest.Stage) {
		images, infos := hear[sensormsgs.Image](h, "/camera/front/image_raw", node.DefaultQoS()),
			hear[sensormsgs.CameraInfo](h, "/camera/front/camera_info", node.DefaultQoS())
		clouds, states := hear[sensormsgs.PointCloud2](h, "/lidar/top/points", node.DefaultQoS()),
			hear[gssimmsgs.VehicleState](h, "/vehicle/state", node.DefaultQoS())
		odom, tf := hear[navmsgs.Odometry](h, "/odom", node.DefaultQoS()),
			hear[tf2msgs.TFMessage](h, "/tf", node.DefaultQoS())
		loose, clock := hear[tf2msgs.TFMessage](h, "/tf", node.SensorQoS()),
			hear[rosgraphmsgs.Clock](h, "/clock", node.ClockQoS())
		fixed := hear[tf2msgs.TFMessage](h, "/tf_static", node.LatchedQoS())
		for _, clear := range []func(){images.Clear, infos.Clear, clouds.Clear, states.Clear, odom.Clear,
			tf.Clear, loose.Clear, clock.Clear} {
			clear()
		}
		h.Do(sim.SetState{State: sim.Playing})
		time.Sleep(10 * time.Second)
		h.Do(sim.SetState{State: sim.Paused})
		time.Sleep(time.Second)
		stamped(t, "images", images.All(), 12,
			func(m *sensormsgs.Image) (stdmsgs.Header, bool) { return m.Header, true })
		stamped(t, "camera_info", infos.All(), 12,
			func(m *sensormsgs.CameraInfo) (stdmsgs.Header, bool) { return m.Header, true })
		stamped(t, "clouds", clouds.All(), 20,
			func(m *sensormsgs.PointCloud2) (stdmsgs.Header, bool) { return m.Header, true })
		stamped(t, "states", states.All(), 100,
			func(m *gssimmsgs.VehicleState) (stdmsgs.Header, bool) { return m.Header, true })
		stamped(t, "odom", odom.All(), 100,
			func(m *navmsgs.Odometry) (stdmsgs.Header, bool) { return m.Header, true })
		for name, l := range map[string]*rostest.Heard[tf2msgs.TFMessage]{"tf": tf,
			"tf, best effort": loose} {
			for _, child := range []string{"odom", "base_link"} {
				var edges []*geometrymsgs.TransformStamped
				for _, m := range l.All() {
					for k := range m.Transforms {
						if m.Transforms[k].ChildFrameID == child {
							edges = append(edges, &m.Transforms[k])
						}
					}
				}
				stamped(t, name+" of "+child, edges, 100,
					func(m *geometrymsgs.TransformStamped) (stdmsgs.Header, bool) { return m.Header, true })
			}
		}
		if n := len(clock.All()); n < 990 ||
			math.Abs(node.SimDuration(clock.Last().Clock).Seconds()-110) > 0.02 {
			t.Errorf("%d ticks in 1000 steps, the last %+v", n, clock.Last())
		}
		if m := images.Last(); m.Encoding != "rgb8" || m.Width != 32 || m.Header.FrameID != "camera_front" {
			t.Errorf("an image is %s, %d wide, in %s", m.Encoding, m.Width, m.Header.FrameID)
		}
		if m := clouds.Last(); m.PointStep < 18 || m.Header.FrameID != "lidar_top" ||
			m.Fields[4].Offset != 16 {
			t.Errorf("a cloud has %+v in %s", m.Fields, m.Header.FrameID)
		}
		var frames []string
		for _, f := range fixed.Last().Transforms {
			if f.Header.FrameID == "base_link" {
				frames = append(frames, f.ChildFrameID)
			}
		}
		if !slices.Contains(frames, "camera_front") || !slices.Contains(frames, "lidar_top") {
			t.Errorf("fixed to base_link are %q", frames)
		}
	})
}

// driver publishes a command ten times a second.
func driver[T any, PT msgs.Of[T]](h *rostest.Stage, m *T, seconds float64) {
	h.T.Helper()
	p, err := node.NewPublisher[T, PT](h.Client, "/vehicle/control_cmd", node.DefaultQoS())
	if err != nil {
		h.T.Fatal(err)
	}
	h.Until("a reader", func() bool { return p.Subscribers() > 0 })
	for range int(10 * seconds) {
		if err := p.Publish(m); err != nil {
			h.T.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err := p.Close(); err != nil {
		h.T.Error(err)
	}
}

func TestThreeTypesOfCommandsDriveAtTheSameTimeAndSilenceStops(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		states, status := hear[gssimmsgs.VehicleState](h, "/vehicle/state", node.DefaultQoS()),
			hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS())
		speed := func() float64 { return states.Last().Twist.Linear.X }
		a := &ackermannmsgs.AckermannDriveStamped{}
		a.Drive.Speed, a.Drive.SteeringAngle = 2, 0.1
		driver(h, a, 2)
		if math.Abs(speed()-2) > 0.02 || math.Abs(float64(states.Last().SteeringAngle)-0.1) > 1e-6 ||
			states.Last().Gear != 3 {
			t.Errorf("ackermann: %+v", states.Last())
		}
		driver(h, &gssimmsgs.VehicleControlCmd{Gear: 3, ControlMode: 2, TargetAcceleration: 1}, 1)
		if math.Abs(speed()-3) > 0.15 {
			t.Errorf("an acceleration of 1 m/s² for 1 s from 2 m/s comes to %.2f m/s", speed())
		}
		w := &geometrymsgs.TwistStamped{}
		w.Twist.Linear.X = 1
		driver(h, w, 2)
		if math.Abs(speed()-1) > 0.02 ||
			slices.ContainsFunc(status.Last().Warnings,
				func(s string) bool { return strings.Contains(s, "no control command") }) {
			t.Errorf("twist: %.2f m/s, warnings %q", speed(), status.Last().Warnings)
		}
		driver(h, &gssimmsgs.VehicleControlCmd{Gear: 9}, 0.5)
		if !slices.ContainsFunc(status.Last().Warnings,
			func(s string) bool { return strings.Contains(s, "VehicleControlCmd was refused") }) {
			t.Errorf("a gear that is none: warnings %q", status.Last().Warnings)
		}
		time.Sleep(2 * time.Second)
		if s := status.Last(); speed() != 0 || len(s.Warnings) == 0 ||
			!strings.Contains(s.Warnings[0], "emergency stop") {
			t.Errorf("after 2 s without a command: %.2f m/s, warnings %q", speed(), s.Warnings)
		}
	})
}

func TestTheStatusTellsTenTimesASecondAlsoWhenPaused(t *testing.T) {
	inTown(t, "site", sim.Paused, func(h *rostest.Stage) {
		status := hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS())
		status.Clear()
		time.Sleep(10 * time.Second)
		if n := len(status.All()); n < 99 || n > 101 {
			t.Errorf("%d in 10 s", n)
		}
		if s := status.Last(); !s.IsPaused || s.SimDt != 0.01 || s.StepCount != 0 || s.SimTime.Sec != 100 ||
			s.IsCollision || s.IsOffroad || len(s.Errors) != 0 {
			t.Errorf("%+v", s)
		}
		off := geometrymsgs.NewPose()
		off.Position.X, off.Position.Y = -20, 9.5
		if r := rostest.Ask(h, "/sim/set_ego_pose", gssimmsgs.SetEgoPoseService(),
			&gssimmsgs.SetEgoPoseRequest{Pose: *off}); !r.Success {
			t.Error(r.Message)
		}
		h.Until("a wheel off the road", func() bool { return status.Last().IsOffroad })
	})
}

func TestTheStatusSaysPausedOfAPausedSimulationAlone(t *testing.T) {
	inTown(t, "site", sim.Stopped, func(h *rostest.Stage) {
		status := hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS())
		said := func(to sim.State, paused bool) {
			if h.Engine.Snapshot().State != to {
				h.Do(sim.SetState{State: to})
			}
			status.Clear()
			time.Sleep(300 * time.Millisecond)
			if s := status.Last(); s.IsPaused != paused {
				t.Errorf("%v: is_paused %v", to, s.IsPaused)
			}
		}
		said(sim.Stopped, false)
		said(sim.Paused, true)
		said(sim.Playing, false)
		h.Do(sim.UnloadWorld{})
		said(sim.NoWorld, false)
	})
}

func TestTheStatusTellsWhatTheVehicleRunsIntoAndWhetherAWheelIsOffTheRoad(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		status := hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS())
		put := func(y float64) {
			to := r3.Pose{Pos: r3.V(-20, y, 0), Rot: r3.Identity()}
			h.Do(sim.SetEntityState{Name: "ego", Pose: &to, Twist: &r3.Twist{}})
			time.Sleep(300 * time.Millisecond)
		}
		// the road ends at 10 m, the wheels stand 0.8 m from the middle
		for y, off := range map[float64]bool{0: false, 15: true, 9.6: true, 9: false, -9.6: true} {
			put(y)
			s := status.Last()
			if warned := slices.ContainsFunc(s.Warnings,
				func(w string) bool { return strings.Contains(w, "off the road") }); s.IsOffroad != off ||
				warned != off {
				t.Errorf("at y = %g m: off the road %v, warned %v; want %v", y, s.IsOffroad, warned, off)
			}
		}
		put(0)
		h.Do(sim.Spawn{Name: "block", Resource: scene.Resource{Document: `<sdf version="1.9"><model name="block"><static>true</static><link name="l">
<collision name="c"><geometry><box><size>1 4 2</size></box></geometry></collision></link></model></sdf>`}, Pose: sim.FramedPose{Pose: r3.Pose{Pos: r3.V(-12, 0, 1), Rot: r3.Identity()}}})
		status.Clear()
		bumped := func() bool {
			return slices.ContainsFunc(status.All(),
				func(s *gssimmsgs.SimulationStatus) bool { return s.IsCollision })
		}
		driver(h, &gssimmsgs.VehicleControlCmd{Gear: 3, ControlMode: 1, TargetVelocity: 3}, 1)
		if bumped() {
			t.Error("a collision with the ground, or with nothing")
		}
		driver(h, &gssimmsgs.VehicleControlCmd{Gear: 3, ControlMode: 1, TargetVelocity: 3}, 4)
		if !bumped() {
			t.Error("the block that it ran into is not told")
		}
		driver(h, &gssimmsgs.VehicleControlCmd{Gear: 1, ControlMode: 1, TargetVelocity: 2}, 3)
		if status.Last().IsCollision {
			t.Error("a collision is told after the vehicle has gone back from the block")
		}
	})
}
