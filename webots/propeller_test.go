package webots_test

import (
	"math"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/webots"
	"simdeck/webots/wire"
)

// pond runs the world with a boat and a quadrotor, from when a robot of it has its controller.
func pond(t *testing.T, robot string) (*stand, *controller) {
	t.Helper()
	s := &stand{t: t, config: webots.Config{Patience: time.Minute}, start: sim.Paused}
	text, err := os.ReadFile("testdata/worlds/pond.wbt")
	if err != nil {
		t.Fatal(err)
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "test", FS: os.DirFS("testdata")}}})
	s.begin(lib, sim.Resource{Document: string(text)}, s.config)
	c := s.connect(robot)
	s.do(sim.SetState{State: sim.Playing})
	return s, c
}

// spin is the message that turns a motor at a speed, rad/s.
func (c *controller) spin(motor string, speed float64) []byte {
	return c.to(motor, uint16(wire.MotorPosition), math.Inf(1), uint16(wire.MotorVelocity), speed)
}

// TestAControllerHoversAQuadrotor holds a height by the velocities of four motors. In the end these are those
// of the closed form: √(m·g/(4·t1)).
func TestAControllerHoversAQuadrotor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pond(t, "drone")
		hover := math.Sqrt(9.81 / (4 * 0.00026))
		base, on := hover, [][]byte{c.enable("gps"), c.enable("imu"), c.enable("gyro")}
		for _, motor := range []string{"front left", "front right", "rear left", "rear right"} {
			on = append(on, c.spin(motor, 0))
		}
		told, height := c.told(c.step(16, on...)), 1.0
		for range 900 { // 14.4 s
			imu, gyro, gps := told["imu"], told["gyro"], told["gps"]
			x, y, z, w := imu[0], imu[1], imu[2], imu[3]
			roll := math.Atan2(2*(w*x+y*z), 1-2*(x*x+y*y))
			pitch := math.Asin(2 * (w*y - z*x))
			climb := (gps[2] - height) / 0.016
			height = gps[2]
			base = hover * math.Sqrt(max(0, 1+max(-0.5, min(0.5, 1.5-height))-0.9*climb))
			r, p := 20*roll+4*gyro[0], 20*pitch+4*gyro[1]
			told = c.told(c.step(16,
				c.to("front left", uint16(wire.MotorVelocity), base-r+p-2*gyro[2]),
				c.to("front right", uint16(wire.MotorVelocity), -(base+r+p+2*gyro[2])),
				c.to("rear left", uint16(wire.MotorVelocity), -(base-r-p+2*gyro[2])),
				c.to("rear right", uint16(wire.MotorVelocity), base+r-p-2*gyro[2])))
		}
		near(t, "height", told["gps"][2:3], 1e-3, 1.5)
		near(t, "turning", told["gyro"], 1e-3, 0, 0, 0)
		near(t, "speed of the motors", []float64{base}, 0.01, hover)
		now := s.engine.Snapshot()
		i, _ := now.Find("drone")
		if j := now.JointsOf(i); math.Abs(j[0].Velocity-hover) > 0.1 || math.Abs(j[1].Velocity+hover) > 0.1 {
			t.Errorf("its helices turn at %v and %v rad/s", j[0].Velocity, j[1].Velocity)
		}
	})
}

// TestAControllerDrivesABoatByItsPropeller: thrust is drag at the speed that it reaches, and the stream takes
// it aside.
func TestAControllerDrivesABoatByItsPropeller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pond(t, "boat")
		told := c.told(c.step(16, c.enable("gps"), c.spin("screw", 50)))
		for range 1000 { // 16 s
			told = c.told(c.step(16))
		}
		// t1·ω² = 25 N against ρ·c·A·v², of which A is half of the bow.
		v := math.Sqrt(25 / (1000 * 0.5 * 0.5 * 0.15))
		gps := told["gps"]
		now := s.engine.Snapshot()
		i, _ := now.Find("boat")
		e := now.Entities[i]
		ahead := e.Pose.Rot.RotateBack(e.Twist.Linear).X
		stream := e.Pose.Rot.RotateBack(e.Twist.Linear).Y
		aside := 0.2 - 1/(1/0.2+1000*0.15/75*now.Time.Seconds())
		if math.Abs(ahead-v) > 0.02*v || math.Abs(stream-aside) > 5e-3 {
			t.Errorf("it goes ahead at %.4f m/s, want %.4f, and aside at %.4f, want %.4f", ahead, v, stream, aside)
		}
		if gps[0] < 4 || gps[1] < 2 || math.Abs(gps[2]) > 0.01 {
			t.Errorf("it came to %v", gps)
		}
	})
}

func TestAPropellerGoesToNoPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pond(t, "boat")
		c.told(c.step(16, c.enable("gps"), c.to("screw", uint16(wire.MotorPosition), 3.0)))
		c.step(16)
		now := s.engine.Snapshot()
		i, _ := now.Find("boat")
		if got := now.JointsOf(i)[0].Velocity; got != 0 {
			t.Errorf("it turns at %v rad/s", got)
		}
		s.until("a position is warned of", func() bool { return s.log.Count("goes to no position") > 0 })
		// A torque leaves its speed as it is, as in Webots.
		c.step(16, c.spin("screw", 20))
		c.step(16, c.to("screw", uint16(wire.MotorForce), 1.0))
		for range 20 {
			c.step(16)
		}
		now = s.engine.Snapshot()
		if got := now.JointsOf(i)[0].Velocity; math.Abs(got-20) > 1e-9 {
			t.Errorf("with a torque it turns at %v rad/s, want 20", got)
		}
	})
}
