package engine_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// carModels are the ways in which a car of a bundle moves.
var carModels = []string{"kinematic_bicycle", "dynamic_bicycle", "rigid_body"}

// onRoad is a world with a car of that model, which has come to rest.
func onRoad(t *testing.T, model string) (*engine.World, int) {
	t.Helper()
	w := onTrack(t, 0, "dynamics_model: "+model)
	second := int(time.Second / w.StepSize())
	advance(t, w, second)
	return w, second
}

// steer drives a car for n steps, with a command for each.
func steer(t *testing.T, w *engine.World, n int, c vehicle.Control) {
	t.Helper()
	for range n {
		do(t, w, sim.DriveCar{Name: "ego", Control: c})
		advance(t, w, 1)
	}
}

func ahead(v, angle float64) vehicle.Control {
	return vehicle.Control{Gear: vehicle.Forward, Longitudinal: vehicle.ToSpeed, Speed: v, Steer: angle}
}

// dashboard is the reading of the car at its newest odometry, with that.
func dashboard(t *testing.T, w *engine.World) (*sim.CarReading, sim.Odometry) {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("ego")
	if !ok || s.OdomOf(i)[0].Car == nil {
		t.Fatal("no car")
	}
	o := s.OdomOf(i)[0]
	return o.Car, o
}

func TestEveryModelOfACarDrivesTheCircleOfItsSteering(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	for _, model := range carModels {
		w, second := onRoad(t, model)
		const speed, angle = 3.0, 0.2
		steer(t, w, 4*second, ahead(speed, angle))
		var at [3]r3.Vec
		for i := range at {
			steer(t, w, 2*second, ahead(speed, angle))
			at[i] = egoOf(t, w).Pose.Pos
		}
		a, b, c := at[0], at[1], at[2]
		radius := a.Dist(b) * b.Dist(c) * c.Dist(a) / (2 * b.Sub(a).Cross(c.Sub(a)).Len())
		turn := 2.8 / math.Tan(angle)
		want := math.Hypot(turn, 1.4)
		if math.Abs(radius-want) > 0.005*want {
			t.Errorf("%s: a circle of %.3f m, want %.3f", model, radius, want)
		}
		s, odom := dashboard(t, w)
		if d := odom.Pose.Pos.Dist(s.Pose.Pos); d > map[string]float64{"rigid_body": 0.1}[model]+0.02 {
			t.Errorf("%s: its odometry is %.3f m off after %g m", model, d, 10*speed)
		}
		if math.Abs(s.Twist.Linear.X-speed) > 0.02*speed ||
			math.Abs(s.Twist.Angular.Z-speed/turn) > 0.03*speed/turn || math.Abs(s.Steer-angle) > 1e-9 {
			t.Errorf("%s: the dashboard shows %+v", model, s.CarState)
		}
		if centripetal := speed * speed / turn; model != "rigid_body" &&
			math.Abs(s.Accel.Linear.Y-centripetal) > 0.1*centripetal {
			t.Errorf("%s: %.3f m/s² to the left, want %.3f", model, s.Accel.Linear.Y, centripetal)
		}
		for i, k := range []float64{math.Hypot(turn-0.8, 2.8), math.Hypot(turn+0.8, 2.8), turn - 0.8,
			turn + 0.8} {
			if v := speed * k / turn; math.Abs(s.Wheels[i]-v) > 0.03*v {
				t.Errorf("%s: wheel %d rolls at %.3f m/s, want %.3f", model, i, s.Wheels[i], v)
			}
		}
		if s.Bumps != 0 || s.Stale {
			t.Errorf("%s: %d bumps, stale %v", model, s.Bumps, s.Stale)
		}
	}
}

func TestEveryModelOfACarStopsInTheWayOfTheEmergencyDeceleration(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	for _, model := range carModels {
		w, second := onRoad(t, model)
		const v = 8.0
		steer(t, w, 4*second, ahead(v, 0))
		advance(t, w, second)
		from := egoOf(t, w)
		if got := from.Twist.Linear.Len(); math.Abs(got-v) > 0.02*v {
			t.Errorf("%s: %.3f m/s at the end of the time-out, want %g", model, got, v)
		}
		advance(t, w, 4*second)
		s, _ := dashboard(t, w)
		way, want := s.Pose.Pos.Dist(from.Pose.Pos), v*v/6
		if math.Abs(way-want) > 0.01*want || !s.Stale || s.Twist.Linear.Len() > 0.01 {
			t.Errorf("%s: stops in %.3f m, want %.3f; %+v", model, way, want, s.CarState)
		}
	}
}

const block = `<sdf version="1.9"><model name="block"><static>true</static><link name="l"><pose>0 0 1 0 0 0</pose>
<collision name="c"><geometry><box><size>1 6 2</size></box></geometry></collision></link></model></sdf>`

func TestACarThatHitsAWallIsHeldUpAndSaysSo(t *testing.T) {
	for _, model := range carModels {
		w, second := onRoad(t, model)
		do(t, w, sim.Spawn{Name: "block", Resource: scene.Resource{Document: block},
			Pose: sim.FramedPose{Pose: r3.PoseRPY(112, 100, 0, 0, 0, 0)}})
		steer(t, w, 2*second, ahead(3, 0))
		if s, _ := dashboard(t, w); s.Bumps != 0 {
			t.Errorf("%s: %d bumps before the wall", model, s.Bumps)
		}
		steer(t, w, 5*second, ahead(3, 0))
		s, _ := dashboard(t, w)
		if front := s.Pose.Pos.X + 2.2; s.Bumps == 0 || front > 111.7 || front < 111 ||
			s.Twist.Linear.Len() > 0.5 {
			t.Errorf("%s: %d bumps, its front at x = %.2f with %.2f m/s; the wall begins at 111.5", model,
				s.Bumps, front, s.Twist.Linear.Len())
		}
	}
}

func TestACarIsPutSomewhereWithASpeedAndItsOdometryGoesThereToo(t *testing.T) {
	for _, model := range carModels {
		w, second := onRoad(t, model)
		steer(t, w, second, ahead(2, 0.1))
		to := r3.PoseRPY(40, 60, 0.01, 0, 0, math.Pi/2)
		do(t, w, sim.SetEntityState{Name: "ego", Pose: &to, Twist: &r3.Twist{Linear: r3.V(0, 5, 0)}})
		steer(t, w, second, ahead(5, 0))
		s, odom := dashboard(t, w)
		slack := 0.6 // it is steered back on the way
		if want := r3.V(40, 65, 0); s.Pose.Pos.Dist(want) > slack || odom.Pose.Pos.Dist(s.Pose.Pos) > slack {
			t.Errorf("%s: after a second at %v, believed %v; want about %v", model, s.Pose.Pos, odom.Pose.Pos,
				want)
		}
	}
}

func TestAResetPutsACarWhereItIsAsked(t *testing.T) {
	w, second := onRoad(t, "kinematic_bicycle")
	steer(t, w, second, ahead(2, 0.1))
	before := w.Time()
	to := r3.PoseRPY(40, 60, 0.01, 0, 0, 1)
	do(t, w, sim.Reset{Scope: sim.ResetState | sim.ResetSpawned, Move: "ego", To: to})
	if s, o := dashboard(t, w); s.Pose.Pos.Dist(to.Pos) > 1e-9 || o.Pose.Pos.Dist(to.Pos) > 1e-9 ||
		s.Twist != (r3.Twist{}) || w.Time() != before {
		t.Errorf("%+v at %v", s, w.Time())
	}
	do(t, w, sim.Reset{Move: "ego", To: to})
	if s, _ := dashboard(t, w); s.Pose.Pos.Dist(to.Pos) > 1e-9 || w.Time() != 0 {
		t.Errorf("%+v at %v", s, w.Time())
	}
	hash := w.Hash()
	for name, c := range map[string]struct {
		c    sim.Command
		want error
	}{
		"nobody": {sim.Reset{Move: "nobody", To: to}, sim.ErrNotFound},
		"no place": {sim.Reset{Move: "ego", To: r3.Pose{Pos: r3.V(math.NaN(), 0, 0)}},
			sim.ErrInvalidPose},
		"no car":        {sim.DriveCar{Name: "ground"}, sim.ErrNotFound},
		"no such drive": {sim.DriveCar{Name: "ego", Drive: 1}, sim.ErrNotFound},
		"no number": {sim.DriveCar{Name: "ego", Control: vehicle.Control{Steer: math.NaN()}},
			sim.ErrFailed},
		"no gear":        {sim.DriveCar{Name: "ego", Control: vehicle.Control{Gear: 9}}, sim.ErrFailed},
		"nobody's pedal": {sim.DriveCar{Name: "nobody"}, sim.ErrNotFound},
	} {
		if _, err := w.Apply(c.c, engine.Loaded{}); !errors.Is(err, c.want) || w.Hash() != hash {
			t.Errorf("%s: %v, want %v and nothing changed", name, err, c.want)
		}
	}
}
