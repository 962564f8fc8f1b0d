package vehicle

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestTheSimulationIsPausedSteppedAndResumedByServices(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		trigger := func(name string) bool {
			return rostest.Ask(h, name, stdsrvs.TriggerService(), &stdsrvs.TriggerRequest{}).Success
		}
		control := func(c uint8) bool {
			return rostest.Ask(h, "/sim/control", gssimmsgs.SimulationControlService(),
				&gssimmsgs.SimulationControlRequest{Command: c}).Success
		}
		once := func() bool {
			return rostest.Ask(h, "/sim/control", gssimmsgs.SimulationControlService(),
				&gssimmsgs.SimulationControlRequest{Command: 2, StepOnce: true}).Success
		}
		state := func() sim.State { return h.Engine.Snapshot().State }
		if trigger("/sim/step") || once() {
			t.Error("it steps while it plays")
		}
		if !trigger("/sim/pause") || !trigger("/sim/pause") || state() != sim.Paused {
			t.Errorf("it is %v", state())
		}
		before := h.Engine.Snapshot().Step
		if !trigger("/sim/step") || !once() || h.Engine.Snapshot().Step != before+2 {
			t.Errorf("from step %d to %d", before, h.Engine.Snapshot().Step)
		}
		if !control(1) || state() != sim.Playing || !control(0) || state() != sim.Paused ||
			!trigger("/sim/resume") || state() != sim.Playing {
			t.Errorf("it is %v", state())
		}
		if !control(0) || !control(3) || h.Engine.Snapshot().Step != 0 ||
			h.Engine.Snapshot().Time != 100*time.Second {
			t.Errorf("after the reset: step %d, %v", h.Engine.Snapshot().Step, h.Engine.Snapshot().Time)
		}
		if control(9) {
			t.Error("command 9 is understood")
		}
	})
}

func TestTheStepCommandPausesAndDoesExactlyOneStep(t *testing.T) {
	for _, from := range []sim.State{sim.Playing, sim.Paused, sim.Stopped} {
		inTown(t, "site", from, func(h *rostest.Stage) {
			step := func(once bool) *gssimmsgs.SimulationControlResponse {
				return rostest.Ask(h, "/sim/control", gssimmsgs.SimulationControlService(),
					&gssimmsgs.SimulationControlRequest{Command: 2, StepOnce: once})
			}
			if from == sim.Stopped {
				if r := step(true); r.Success || !strings.Contains(strings.ToLower(r.Message), "stopped") {
					t.Errorf("a stopped simulation steps: %+v", r)
				}
				if r := rostest.Ask(h, "/sim/step", stdsrvs.TriggerService(),
					&stdsrvs.TriggerRequest{}); r.Success || h.Engine.Snapshot().Step != 0 {
					t.Errorf("a stopped simulation steps: %+v", r)
				}
			}
			for range 3 {
				for _, once := range []bool{false, true} {
					before := h.Engine.Snapshot()
					r, after := step(once), h.Engine.Snapshot()
					moved := before.Step + 1
					if before.State == sim.Playing { // it went on until it was paused
						moved = max(moved, after.Step)
					}
					if !r.Success || after.Step != moved || after.State != sim.Paused ||
						after.Time-before.Time != time.Duration(after.Step-before.Step)*10*time.Millisecond {
						t.Errorf("from %v, step_once %v: %+v, from step %d to %d, %v", from, once, r, before.Step,
							after.Step, after.State)
					}
				}
			}
		})
	}
}

func TestTheWorldIsResetToTheStartOrToAPoseThatIsGiven(t *testing.T) {
	inTown(t, "site", sim.Paused, func(h *rostest.Stage) {
		at := func() r3.Vec {
			s := h.Engine.Snapshot()
			i, _ := s.Find("ego")
			return s.Entities[i].Pose.Pos
		}
		reset := func(p geometrymsgs.Pose, clock bool) *gssimmsgs.ResetWorldResponse {
			return rostest.Ask(h, "/sim/reset_world", gssimmsgs.ResetWorldService(),
				&gssimmsgs.ResetWorldRequest{InitialPose: p, ResetTime: clock})
		}
		to := *geometrymsgs.NewPose()
		to.Position = geometrymsgs.Point{X: 5, Y: -2}
		h.Do(sim.StepWorld{N: 50})
		if r := reset(to, false); !r.Success || at().Dist(r3.V(5, -2, 0)) > 1e-9 ||
			h.Engine.Snapshot().Time != 100500*time.Millisecond {
			t.Errorf("%+v: at %v, %v", r, at(), h.Engine.Snapshot().Time)
		}
		if r := reset(geometrymsgs.Pose{}, true); !r.Success || at().Dist(r3.V(-20, 3, 0)) > 1e-9 ||
			h.Engine.Snapshot().Time != 100*time.Second {
			t.Errorf("%+v: at %v, %v", r, at(), h.Engine.Snapshot().Time)
		}
		if r := reset(to, true); !r.Success || at().Dist(r3.V(5, -2, 0)) > 1e-9 {
			t.Errorf("%+v: at %v", r, at())
		}
		to.Position.X = math.NaN()
		if r := reset(to, true); r.Success || !strings.Contains(r.Message, "pose") ||
			at().Dist(r3.V(5, -2, 0)) > 1e-9 {
			t.Errorf("%+v: at %v", r, at())
		}
		put := &gssimmsgs.SetEgoPoseRequest{Pose: geometrymsgs.Pose{Position: geometrymsgs.Point{X: 1, Y: 2},
			Orientation: geometrymsgs.Quaternion{Z: math.Sqrt2 / 2, W: math.Sqrt2 / 2}}}
		put.Twist.Linear.X = 4
		if r := rostest.Ask(h, "/sim/set_ego_pose", gssimmsgs.SetEgoPoseService(), put); !r.Success {
			t.Error(r.Message)
		}
		h.Do(sim.StepWorld{N: 1})
		s := h.Engine.Snapshot()
		i, _ := s.Find("ego")
		if c := s.OdomOf(i)[0].Car; math.Abs(c.Twist.Linear.X-4) > 0.06 ||
			s.Entities[i].Twist.Linear.Y < 3.9 {
			t.Errorf("it moves with %+v, in the map %v", c.Twist, s.Entities[i].Twist)
		}
	})
}

func TestAnotherBundleIsLoadedAndThreeErrorsAreThree(t *testing.T) {
	inTown(t, "site", sim.Playing, func(h *rostest.Stage) {
		latched := node.LatchedQoS()
		info := hear[gssimmsgs.WorldInfo](h, "/sim/world_info", latched)
		h.Until("what the world is", func() bool { return info.Last() != nil })
		want := gssimmsgs.WorldInfo{WorldID: "scene-0103", WorldVersion: "1.2", SourceMcap: "drive.mcap",
			MapFrame: "map", OdomFrame: "odom", BaseLinkFrame: "base_link", WorldExtentX: 100}
		if m := info.Last(); m.WorldID != want.WorldID || m.WorldVersion != want.WorldVersion ||
			m.SourceMcap != want.SourceMcap || m.MapFrame != "map" || m.WorldExtentX != 100 ||
			!slices.Equal(m.AvailableCameras, []string{"front"}) ||
			!slices.Equal(m.AvailableLidars, []string{"top"}) || m.WorldBundlePath == "" ||
			m.WorldOrigin != (geometrymsgs.Point{X: -50, Y: -50}) {
			t.Errorf("%+v", m)
		}
		load := func(path string) *gssimmsgs.LoadWorldResponse {
			return rostest.Ask(h, "/sim/load_world", gssimmsgs.LoadWorldService(),
				&gssimmsgs.LoadWorldRequest{WorldBundlePath: path})
		}
		status := hear[gssimmsgs.SimulationStatus](h, "/sim/status", node.DefaultQoS())
		for path, says := range map[string]string{"nowhere": "there is no world bundle",
			"broken": "is invalid", "torn": "a file of the world bundle"} {
			if r := load(path); r.Success || !strings.Contains(r.Message, says) {
				t.Errorf("%s: %+v", path, r.Message)
			}
			status.Clear()
			h.Until("a status", func() bool { return status.Last() != nil })
			if s := status.Last(); len(s.Errors) > 0 || h.Engine.Snapshot().State != sim.Playing {
				t.Errorf("%s: the world before is %s, with %v", path, h.Engine.Snapshot().State, s.Errors)
			}
		}
		h.Do(sim.UnloadWorld{})
		h.Until("an error", func() bool {
			return slices.Equal(status.Last().Errors,
				[]string{"no world is loaded"})
		})
		if r := rostest.Ask(h, "/sim/set_ego_pose", gssimmsgs.SetEgoPoseService(),
			&gssimmsgs.SetEgoPoseRequest{}); r.Success || !strings.Contains(r.Message, "no ego vehicle") {
			t.Errorf("%+v", r)
		}
		info.Clear()
		if r := load("site"); !r.Success || r.WorldInfo.WorldID != "scene-0103" ||
			h.Engine.Snapshot().State != sim.Paused {
			t.Errorf("%+v, %v", r, h.Engine.Snapshot().State)
		}
		h.Until("what the world is", func() bool { return info.Last() != nil })
		if r := load("plain"); !r.Success || !strings.Contains(r.Message, "no ego vehicle") {
			t.Errorf("%+v", r)
		}
	})
}

func TestTheOriginOfAWorldIsWhereItsMapLiesOnTheEarth(t *testing.T) {
	m := files()
	m["site/metadata.json"].Data = []byte(`{"scene_id": "s", "coordinate_system": {"origin_lat": 35.681236,
		"origin_lon": 139.767125, "origin_alt": 40}}`)
	inTownOf(t, m, "site", sim.Paused, func(h *rostest.Stage) {
		info := hear[gssimmsgs.WorldInfo](h, "/sim/world_info", node.LatchedQoS())
		h.Until("what the world is", func() bool { return info.Last() != nil })
		if at := info.Last().WorldOrigin; math.Abs(at.X-35.681236) > 1e-12 ||
			math.Abs(at.Y-139.767125) > 1e-12 || at.Z != 40 {
			t.Errorf("the origin is %+v", at)
		}
	})
}

func TestWithoutAnEgoVehicleThereIsNoProfile(t *testing.T) {
	inTown(t, "plain", sim.Paused, func(h *rostest.Stage) {
		time.Sleep(2 * time.Second)
		for _, topic := range h.Client.Graph().Topics {
			if strings.HasPrefix(topic.Name, "/sim/") || strings.HasPrefix(topic.Name, "/vehicle/") {
				t.Errorf("%s is on the graph", topic.Name)
			}
		}
		if _, err := h.Engine.Do(context.Background(),
			sim.LoadWorld{Resource: scene.Resource{URI: "site"}}); err != nil {
			t.Fatal(err)
		}
		hear[gssimmsgs.VehicleState](h, "/vehicle/state", node.DefaultQoS())
	})
}
