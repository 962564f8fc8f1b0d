package vehicle

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func car() *scene.Drive {
	return &scene.Drive{Kind: scene.Ackermann, Separation: 1.2, KingpinWidth: 1, WheelBase: 2, Radius: 0.3}
}

func TestAllWheelsOfACarTurnAboutOnePoint(t *testing.T) {
	d := New(car(), 0)
	d.Command(twist(2, 0.5), 0) // a radius of 4 m
	a := d.SetTarget(0, 0.004)
	for i, want := range [2]float64{math.Atan2(2, 3.5), math.Atan2(2, 4.5)} {
		if math.Abs(a.Steer[i]-want) > 1e-12 {
			t.Errorf("steers side %d to %v rad, want %v", i, a.Steer[i], want)
		}
	}
	for i, want := range [4]float64{0.5 * 3.4 / 0.3, 0.5 * 4.6 / 0.3, 0.5 * math.Hypot(3.4, 2) / 0.3,
		0.5 * math.Hypot(4.6, 2) / 0.3} {
		if math.Abs(a.Wheels[i]-want) > 1e-9 {
			t.Errorf("wheel %d at %v rad/s, want %v", i, a.Wheels[i], want)
		}
	}
	d = New(car(), 0)
	d.Command(twist(2, 0.5), 0)
	drive(&d, 0, 500) // 2 s: an arc of 1 rad
	if pose, _ := d.Estimate(); pose.Pos.Dist(r3.V(4*math.Sin(1), 4*(1-math.Cos(1)), 0)) > 1e-6 {
		t.Errorf("believes to be at %v", pose.Pos)
	}
}

func TestSteeringKeepsItsLimitAndRate(t *testing.T) {
	s := car()
	s.SteerLimit, s.SteerRate = 0.5, 0.25
	d := New(s, 0.6)
	d.Command(twist(1, 9), 0)
	if d.SetTarget(0, 1); math.Abs(d.steer-0.25) > 1e-12 {
		t.Errorf("after 1 s at %v rad, want 0.25", d.steer)
	}
	d.SetTarget(0, 1)
	if d.SetTarget(0, 1); math.Abs(d.steer-0.5) > 1e-12 {
		t.Errorf("after 3 s at %v rad, want the limit of 0.5", d.steer)
	}
	d.Command(twist(0, 0), 0)
	if d.SetTarget(0, 1); math.Abs(d.steer-0.5) > 1e-12 {
		t.Errorf("at a stand it steers to %v rad", d.steer)
	}
	d.Command(twist(-1, 9), 0)
	d.SetTarget(0, 10)
	if d.steer != -0.5 {
		t.Errorf("backwards it steers to %v rad", d.steer)
	}
	if d = New(s, 0.3); d.limit != 0.3 {
		t.Errorf("joints that reach to 0.3 rad are steered to %v", d.limit)
	}
}

func TestAWheeledRobotIsSteeredByAnAngleAlsoAtAStandAndUntilAVelocityIsAsked(t *testing.T) {
	s := car()
	s.SteerRate, s.Timeout = 1, 2
	d := New(s, 0.6)
	c := Control{Gear: Forward, Longitudinal: ToSpeed, Steer: 0.4, SteerRate: 0.2}
	if !d.Obeys(&c) || d.Obeys(&Control{Gear: Forward, Longitudinal: ByPedals}) ||
		d.Obeys(&Control{Gear: Park, Longitudinal: ToSpeed}) {
		t.Error("it obeys an angle and a speed, and nothing else")
	}
	d.Control(c, 0)
	if a := d.SetTarget(0, 1); math.Abs(d.steer-0.2) > 1e-12 || a.Wheels != [4]float64{} {
		t.Errorf("at a stand, after 1 s at 0.2 rad/s, it steers to %v rad and asks %v of its wheels", d.steer,
			a.Wheels)
	}
	c.SteerRate, c.Gear, c.Speed, c.Accel = 0, Reverse, 3, 0.5
	d.Control(c, 0)
	d.SetTarget(0, 1)
	if d.SetTarget(0, 1); math.Abs(d.steer-0.4) > 1e-12 || math.Abs(d.linear+1) > 1e-12 {
		t.Errorf("it steers to %v rad at %v m/s, want 0.4 and, after 2 s at 0.5 m/s², -1", d.steer, d.linear)
	}
	if want := -math.Tan(0.4) / 2; math.Abs(d.angular-want) > 1e-12 {
		t.Errorf("it turns with %v rad/s, want %v", d.angular, want)
	}
	if d.SetTarget(3e9, 10); d.linear != 0 || math.Abs(d.steer-0.4) > 1e-12 {
		t.Errorf("without a command for longer than its time-out it drives at %v m/s, steered to %v rad",
			d.linear, d.steer)
	}
	d.Command(twist(1, 0), 3e9)
	if d.SetTarget(3e9, 10); d.linear != 1 || d.steer != 0 || d.Steered() {
		t.Errorf("told to drive straight ahead at 1 m/s it is at %v m/s and %v rad", d.linear, d.steer)
	}
}

func TestAMecanumDriveGoesEveryWay(t *testing.T) {
	s := &scene.Drive{Kind: scene.Mecanum, Separation: 0.4, WheelBase: 0.6, Radius: 0.1}
	for _, c := range []struct{ x, y, w float64 }{{1, 0, 0}, {0, 0.5, 0}, {0, 0, 1}, {0.3, -0.4, 0.7}} {
		d := New(s, 0)
		d.Command(r3.Twist{Linear: r3.V(c.x, c.y, 0), Angular: r3.V(0, 0, c.w)}, 0)
		drive(&d, 0, 250)
		_, v := d.Estimate()
		if math.Abs(v.Linear.X-c.x)+math.Abs(v.Linear.Y-c.y)+math.Abs(v.Angular.Z-c.w) > 1e-9 {
			t.Errorf("told %+v it believes %+v", c, v)
		}
	}
	d := New(s, 0)
	d.Command(r3.Twist{Linear: r3.V(0, 1, 0)}, 0)
	if a := d.SetTarget(0, 0.004); a.Wheels[FrontLeft] != -10 || a.Wheels[FrontRight] != 10 ||
		a.Wheels[RearLeft] != 10 || a.Wheels[RearRight] != -10 {
		t.Errorf("to the left the wheels turn at %v rad/s", a.Wheels)
	}
}
