package vehicle

import (
	"math"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// saloon is the car of the defaults of vehicle parameters.
func saloon(m scene.CarModel) *scene.Drive {
	return &scene.Drive{Kind: scene.Ackermann, Kinematic: m != scene.RigidCar, Separation: 1.6,
		WheelBase: 2.8, Radius: 0.33, SteerLimit: 0.52, SteerRate: 0.5,
		MaxLinearSpeed: 30, MaxLinearAccel: 3, Timeout: 1, Left: []int{0}, Right: []int{1},
		Car: &scene.Car{Model: m, Front: 1.4, Rear: 1.4, Mass: 1500, Inertia: 3000, FrontStiffness: 80000,
			RearStiffness: 80000, Accel: 3, Brake: 5, Emergency: 3}}
}

const tick = 10 * time.Millisecond

// ride is a drive of a car that goes exactly as it wants; without a command for each step it keeps the first.
type ride struct {
	d   Drive
	now time.Duration
}

func begin(s *scene.Drive) *ride {
	r := &ride{d: New(s, 0)}
	r.d.Begin(0)
	r.d.Observe([4]float64{}, [2]float64{}, tick.Seconds())
	return r
}

// steps drives n steps, under a command that comes with each of them; nil: under none.
func (r *ride) steps(n int, c *Control) {
	for range n {
		if c != nil {
			r.d.Control(*c, r.now)
		}
		r.d.SetTarget(r.now, tick.Seconds())
		r.d.Observe([4]float64{}, [2]float64{}, tick.Seconds())
		r.now += tick
	}
}

func (r *ride) at() r3.Vec { p, _ := r.d.Estimate(); return p.Pos }

// radius is that of the circle through three places.
func radius(a, b, c r3.Vec) float64 {
	return a.Dist(b) * b.Dist(c) * c.Dist(a) / (2 * b.Sub(a).Cross(c.Sub(a)).Len())
}

// closedForm is the radius that the middle between the axles drives at a constant speed and steering. The
// rear axle of a kinematic bicycle points at the middle of its circle. That of a dynamic one slips, by the
// angle at which its tyres carry their half of the weight. The front tyres are softer by cos δ, so that it
// understeers by their difference.
func closedForm(m scene.CarModel, speed, steer float64) float64 {
	turn, side := 2.8/math.Tan(math.Abs(steer)), 1.4
	if m == scene.DynamicBicycle {
		side -= 1500 * 0.5 * speed * speed / 80000
		understeer := 1500 * 1.4 * (1/(80000*math.Cos(steer)) - 1.0/80000) / 2.8
		turn *= 1 + understeer*speed*speed/2.8
	}
	return math.Hypot(turn, side)
}

func TestBothBicyclesDriveTheCircleOfTheirClosedForm(t *testing.T) {
	for _, m := range []scene.CarModel{scene.KinematicBicycle, scene.DynamicBicycle} {
		for _, speed := range []float64{0.5, 2, 5, 8, -2} {
			for _, steer := range []float64{0.05, -0.1, 0.2, 0.3} {
				r := begin(saloon(m))
				c := &Control{Gear: Forward, Longitudinal: ToSpeed, Steer: steer, Speed: math.Abs(speed)}
				if speed < 0 {
					c.Gear = Reverse
				}
				r.steps(1000, c)
				a := r.at()
				r.steps(100, c)
				b := r.at()
				r.steps(100, c)
				got := radius(a, b, r.at())
				want := closedForm(m, speed, steer)
				if math.Abs(speed*speed/want) > 0.45*grip*gravity {
					continue // near the end of the tyres' grip it is no circle of the linear theory
				}
				if math.Abs(got-want) > 0.005*want {
					t.Errorf("model %d at %g m/s, steered %g rad: a radius of %.4f m, want %.4f", m, speed,
						steer, got, want)
				}
			}
		}
	}
}

func TestTheDynamicBicycleSettlesAsItsEigenvaluesSay(t *testing.T) {
	const u, delta = 10.0, 0.01
	r := begin(saloon(scene.DynamicBicycle))
	r.d.spec.SteerRate = 0
	r.d.SetVelocity(r3.Twist{Linear: r3.V(u, 0, 0)})
	c := &Control{Gear: Forward, Longitudinal: ToSpeed, Steer: delta, Speed: u}
	// With a = b and equal tyres the yaw stands alone: I ṙ = C a tan δ - 2 C a² r/u.
	tan := math.Tan(delta)
	rate := 2 * 80000 * 1.4 * 1.4 / (3000 * u)
	for n := 1; n <= 60; n++ {
		r.steps(1, c)
		at := (float64(n) - 0.5) * tick.Seconds() // it is steered evenly during the first step
		want := u * tan / 2.8 * (1 - math.Exp(-rate*at))
		if math.Abs(r.d.angular-want) > 0.02*u*tan/2.8 {
			t.Fatalf("after %.2f s it turns with %.5f rad/s, want %.5f", at, r.d.angular, want)
		}
	}
}

func TestTyresEndAtTheirGrip(t *testing.T) {
	r := begin(saloon(scene.DynamicBicycle))
	r.d.SetVelocity(r3.Twist{Linear: r3.V(25, 0, 0)})
	c := &Control{Gear: Forward, Longitudinal: ToSpeed, Steer: 0.3, Speed: 25}
	for range 500 {
		r.steps(1, c)
		if a := r.d.Dashboard(tick.Seconds()).Accel.Linear.Y; math.Abs(a) > 1.1*grip*gravity {
			t.Fatalf("sideways by %.2f m/s²; tyres hold %.2f", a, grip*gravity)
		}
	}
	if r.d.angular < 0.1 || r.d.angular > grip*gravity/25*1.1 {
		t.Errorf("it turns with %.3f rad/s; at the grip it is %.3f", r.d.angular, grip*gravity/25)
	}
}

func TestAnEmergencyStopTakesTheWayOfItsDeceleration(t *testing.T) {
	for _, m := range []scene.CarModel{scene.KinematicBicycle, scene.DynamicBicycle} {
		for _, v := range []float64{1, 5, 14, 30} {
			r := begin(saloon(m))
			r.d.SetVelocity(r3.Twist{Linear: r3.V(v, 0, 0)})
			c := &Control{Gear: Forward, Longitudinal: ToSpeed, Speed: v}
			r.steps(100, c)
			r.steps(100, nil) // a command is in force for a second
			if r.d.Dashboard(0.01).Stale {
				t.Errorf("%g m/s: the command is stale within the time-out", v)
			}
			from := r.at()
			r.steps(1+int(v/3/tick.Seconds()), nil)
			if s := r.d.Dashboard(0.01); !s.Stale || s.Twist.Linear.X != 0 {
				t.Errorf("%g m/s: %+v after the stop", v, s)
			}
			if way, want := r.at().Dist(from), v*v/6; math.Abs(way-want) > 0.01*want {
				t.Errorf("from %g m/s it stops in %.4f m, want %.4f", v, way, want)
			}
		}
	}
}

func TestGearsAndLongitudinalControls(t *testing.T) {
	for name, c := range map[string]struct {
		from float64 // m/s
		do   Control
		want float64 // m/s, after a second
	}{
		"half throttle":           {0, Control{Gear: Forward, Throttle: 0.5}, 1.5},
		"throttle and brake":      {10, Control{Gear: Forward, Throttle: 1, Brake: 0.4}, 11},
		"more than all the brake": {10, Control{Gear: Forward, Brake: 7}, 5},
		"the brake does not turn": {2, Control{Gear: Forward, Brake: 1}, 0},
		"throttle in reverse":     {0, Control{Gear: Reverse, Throttle: 1}, -3},
		"reverse at speed brakes": {10, Control{Gear: Reverse, Throttle: 1}, 5},
		"neutral rolls on":        {10, Control{Gear: Neutral, Throttle: 1}, 10},
		"neutral brakes":          {10, Control{Gear: Neutral, Brake: 0.2}, 9},
		"park":                    {10, Control{Gear: Park, Throttle: 1}, 5},
		"to a speed":              {0, Control{Gear: Forward, Longitudinal: ToSpeed, Speed: 2}, 2},
		"to a speed, gently": {0, Control{Gear: Forward, Longitudinal: ToSpeed, Speed: 2,
			Accel: 0.5}, 0.5},
		"down to a speed":          {10, Control{Gear: Forward, Longitudinal: ToSpeed, Speed: 2}, 5},
		"to a speed, in reverse":   {0, Control{Gear: Reverse, Longitudinal: ToSpeed, Speed: 2}, -2},
		"beyond the fastest":       {29, Control{Gear: Forward, Longitudinal: ToSpeed, Speed: 99}, 30},
		"by an acceleration":       {1, Control{Gear: Forward, Longitudinal: ByAccel, Accel: 1.5}, 2.5},
		"by one that is too much":  {1, Control{Gear: Forward, Longitudinal: ByAccel, Accel: 50}, 4},
		"by a deceleration":        {1, Control{Gear: Forward, Longitudinal: ByAccel, Accel: -4}, 0},
		"a speed below 0 is none":  {1, Control{Gear: Forward, Longitudinal: ToSpeed, Speed: -4}, 0},
		"neutral takes no speed":   {1, Control{Gear: Neutral, Longitudinal: ToSpeed, Speed: 4}, 1},
		"accelerated to the limit": {29, Control{Gear: Forward, Longitudinal: ByAccel, Accel: 3}, 30},
	} {
		r := begin(saloon(scene.KinematicBicycle))
		r.d.SetVelocity(r3.Twist{Linear: r3.V(c.from, 0, 0)})
		if r.steps(100, &c.do); math.Abs(r.d.linear-c.want) > 1e-9 {
			t.Errorf("%s: %g m/s after a second, want %g", name, r.d.linear, c.want)
		}
	}
}

func TestSteeringOfACarKeepsTheSlowerRate(t *testing.T) {
	r := begin(saloon(scene.KinematicBicycle))
	r.steps(50, &Control{Gear: Forward, Steer: 1, SteerRate: 0.2})
	if s := r.d.Dashboard(tick.Seconds()); math.Abs(s.Steer-0.1) > 1e-9 || math.Abs(s.SteerRate-0.2) > 1e-9 {
		t.Errorf("%+v after half a second at 0.2 rad/s", s)
	}
	r.steps(200, &Control{Gear: Forward, Steer: 1, SteerRate: 9})
	if s := r.d.Dashboard(tick.Seconds()); s.Steer != 0.52 || s.SteerRate != 0 {
		t.Errorf("%+v at the stop", s)
	}
	r.steps(300, nil)
	if r.d.steer != 0.52 {
		t.Errorf("without a command it steers to %g rad", r.d.steer)
	}
}

func TestAVelocityCommandSteersForItsTurn(t *testing.T) {
	r := begin(saloon(scene.KinematicBicycle))
	for range 400 {
		r.d.Command(twist(-2, 0.25), r.now)
		r.steps(1, nil)
	}
	if s := r.d.Dashboard(tick.Seconds()); math.Abs(s.Twist.Linear.X+2) > 1e-9 ||
		math.Abs(s.Twist.Angular.Z-0.25) > 1e-9 || s.Gear != Reverse {
		t.Errorf("%+v", s)
	}
	if r.d.Target(r.now) != twist(-2, 0.25) {
		t.Errorf("the target is %+v", r.d.Target(r.now))
	}
}

func TestACarThatRanIntoSomethingGoesOnFromItsSpeed(t *testing.T) {
	for _, m := range []scene.CarModel{scene.KinematicBicycle, scene.DynamicBicycle} {
		r := begin(saloon(m))
		r.d.SetVelocity(r3.Twist{Linear: r3.V(10, 0, 0)})
		r.steps(1, &Control{Gear: Forward, Longitudinal: ToSpeed, Speed: 10})
		r.d.SetMeasured(r.d.Targets())
		if r.d.linear != 10 {
			t.Errorf("model %d: nothing was in its way, and it has %g m/s", m, r.d.linear)
		}
		r.d.SetMeasured(r3.Twist{Linear: r3.V(0.1, 0, 0)})
		if r.d.linear != 0.1 {
			t.Errorf("model %d: stopped, it believes to have %g m/s", m, r.d.linear)
		}
	}
}

func TestWhatADriverCannotMeanIsSeen(t *testing.T) {
	for _, c := range []Control{{Steer: math.NaN()}, {Speed: math.Inf(1)}, {Gear: 4}, {Longitudinal: 3},
		{Brake: math.NaN()}} {
		if c.Valid() {
			t.Errorf("%+v passes", c)
		}
	}
	if c := (Control{Gear: Forward, Longitudinal: ByAccel, Accel: -3}); !c.Valid() {
		t.Error("a deceleration does not pass")
	}
}
