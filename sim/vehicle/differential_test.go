package vehicle

import (
	"math"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const step = 4 * time.Millisecond

func rover() *scene.Drive {
	return &scene.Drive{Kind: scene.Differential, Separation: 0.4, Radius: 0.1}
}

func twist(v, w float64) r3.Twist {
	return r3.Twist{Linear: r3.V(v, 0, 0), Angular: r3.V(0, 0, w)}
}

// drive runs ideal wheels for n steps and returns when it ended.
func drive(d *Drive, from time.Duration, n int) time.Duration {
	angles := d.angles
	d.Observe(angles, [2]float64{}, step.Seconds())
	for range n {
		a := d.SetTarget(from, step.Seconds())
		for i := range angles {
			angles[i] += a.Wheels[i] * step.Seconds()
		}
		from += step
		d.Observe(angles, a.Steer, step.Seconds())
	}
	return from
}

func TestWheelsTurnAsTheTwistAsks(t *testing.T) {
	d := New(rover(), 0)
	d.Command(twist(1, 0.5), 0)
	a := d.SetTarget(0, 0.004)
	l, r := a.Wheels[Left], a.Wheels[Right]
	if math.Abs(l-9) > 1e-12 || math.Abs(r-11) > 1e-12 {
		t.Errorf("wheels at %v and %v rad/s, want 9 and 11", l, r)
	}
}

func TestOdometryOfAnArcIsExact(t *testing.T) {
	d := New(rover(), 0)
	d.Command(twist(0.5, 0.5), 0)
	drive(&d, 0, 500) // 2 s: an arc of 1 rad with a radius of 1 m
	pose, speed := d.Estimate()
	if want := r3.V(math.Sin(1), 1-math.Cos(1), 0); pose.Pos.Dist(want) > 1e-9 {
		t.Errorf("at %v, want %v", pose.Pos, want)
	}
	if math.Abs(pose.Rot.Yaw()-1) > 1e-9 || math.Abs(speed.Linear.X-0.5) > 1e-9 ||
		math.Abs(speed.Angular.Z-0.5) > 1e-9 {
		t.Errorf("yaw %v, speed %+v; want 1 rad, 0.5 m/s, 0.5 rad/s", pose.Rot.Yaw(), speed)
	}
}

func TestOdometryStartsWhereTheWheelsStand(t *testing.T) {
	d := New(rover(), 0)
	d.angles = [4]float64{70, -3}
	drive(&d, 0, 10)
	if pose, speed := d.Estimate(); pose.Pos != (r3.Vec{}) || speed != (r3.Twist{}) {
		t.Errorf("standing still moved it to %v at %v", pose, speed)
	}
}

func TestLimitsOfSpeedAndAcceleration(t *testing.T) {
	s := rover()
	s.MaxLinearSpeed, s.MaxAngularSpeed, s.MaxLinearAccel, s.MaxAngularAccel = 1, 2, 0.5, 4
	d := New(s, 0)
	d.Command(twist(-9, 9), 0)
	d.SetTarget(0, 1)
	if d.linear != -0.5 || d.angular != 2 {
		t.Errorf("after 1 s %v m/s and %v rad/s, want -0.5 and 2", d.linear, d.angular)
	}
	d.SetTarget(0, 1)
	d.SetTarget(0, 1)
	if d.linear != -1 {
		t.Errorf("after 3 s %v m/s, want the limit of -1", d.linear)
	}
}

func TestADriveStopsWhenNoCommandComes(t *testing.T) {
	s := rover()
	s.Timeout = 0.5
	d := New(s, 0)
	d.Command(twist(1, 0), 10*time.Second)
	for _, c := range []struct {
		at   time.Duration
		want float64
	}{{10 * time.Second, 1}, {10500 * time.Millisecond, 1}, {10501 * time.Millisecond, 0}} {
		if got := d.Target(c.at).Linear.X; got != c.want {
			t.Errorf("at %v: %v m/s, want %v", c.at, got, c.want)
		}
	}
	d.Rebase(10400*time.Millisecond, 0)
	if d.Target(100*time.Millisecond).Linear.X != 1 || d.Target(101*time.Millisecond).Linear.X != 0 {
		t.Error("setting the clock changed the age of the command")
	}
}

func TestWithoutATimeOutTheCommandHolds(t *testing.T) {
	d := New(rover(), 0)
	d.Command(twist(1, 0), 0)
	if d.Target(time.Hour).Linear.X != 1 {
		t.Error("the command was dropped")
	}
}
