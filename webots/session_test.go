package webots_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/webots"
	"simdeck/webots/wire"
)

// TestAControllerDrivesItsRobotInStepWithTheWorld: wheels turn as they are told, and every sensor tells what
// holds at the time of the answer.
func TestAControllerDrivesItsRobotInStepWithTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my%20cart")
		start := s.engine.Snapshot().Time.Seconds()
		var on [][]byte
		for _, name := range []string{"left sensor", "lift sensor", "gps", "imu", "gyro", "accelerometer",
			"compass", "front", "bumper", "force"} {
			on = append(on, c.enable(name))
		}
		for _, name := range []string{"left motor", "right motor"} {
			on = append(on, c.to(name, uint16(wire.MotorPosition), math.Inf(1), uint16(wire.MotorVelocity), 2.0))
		}
		on = append(on, c.to("lift", uint16(wire.MotorPosition), 0.1, uint16(wire.MotorVelocity), 0.05))
		told := c.told(c.step(16, on...))
		start = told["time"][0]
		for i := range 125 { // 2 s
			told = c.told(c.step(16))
			near(t, "time", told["time"], 1e-9, start+float64(i+1)*0.016)
		}
		near(t, "left wheel at 2 rad/s", told["left sensor"], 0.06, 4)
		near(t, "fork at 0.05 m/s, up to 0.1 m", told["lift sensor"], 2e-3, 0.1)
		gps := told["gps"]
		near(t, "place and speed", gps, 0.01, 0.2, 0, 0.15, 0.1, 0.1, 0, 0)
		near(t, "orientation", told["imu"], 1e-3, 0, 0, 0, 1)
		near(t, "turning", told["gyro"], 0.01, 0, 0, 0)
		near(t, "acceleration", told["accelerometer"], 0.05, 0, 0, 9.81)
		near(t, "north", told["compass"], 1e-3, 0, 1, 0)
		near(t, "what 2 m to 0 makes of the way to the wall", told["front"], 2, 1000+1000*(gps[0]+0.15))
		near(t, "bumper", told["bumper"], 0, 0)
		now := s.engine.Snapshot()
		i, _ := now.Find("my_cart")
		near(t, "place of the snapshot", []float64{now.Entities[i].Pose.Pos.X}, 1e-6, gps[0])
	})
}

func TestACartThatDrivesIntoAWallFeelsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		drive := [][]byte{c.enable("bumper"), c.to("left motor", uint16(wire.MotorFeedback), uint16(16))}
		for _, name := range []string{"left motor", "right motor"} {
			drive = append(drive,
				c.to(name, uint16(wire.MotorPosition), math.Inf(1), uint16(wire.MotorVelocity), 10.0))
		}
		told := c.told(c.step(16, drive...))
		for range 400 {
			if told["bumper"][0] == 1 {
				return
			}
			told = c.told(c.step(16))
			if math.IsNaN(told["left motor"][0]) {
				t.Fatal("no feedback of the motor")
			}
		}
		t.Error("the bumper was never touched")
	})
}

func TestTheWorldWaitsForItsControllerAndForNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		c.step(16)
		at := s.engine.Snapshot().Step
		s.do(sim.SetEntityInfo{Name: "wall"}) // the loop works on while it waits
		if now := s.engine.Snapshot().Step; now != at {
			t.Errorf("the world went from step %d to %d without its controller", at, now)
		}
		c.step(160)
		if now := s.engine.Snapshot().Step; now != at+10 {
			t.Errorf("the world went from step %d to %d; want 10 steps of 16 ms", at, now)
		}
		c.conn.Close()
		s.until("the world goes on when its controller has left", func() bool {
			return s.engine.Snapshot().Step > at+100
		})
	})
}

func TestAControllerThatStallsHoldsTheWorldNoLongerThanItsPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: 20 * time.Millisecond})
		c := s.connect("my cart")
		c.step(16)
		s.until("the world goes on, and says without whom", func() bool {
			for _, e := range s.engine.Snapshot().Events {
				if e.Level == sim.Warn && e.Who == "controller of my_cart" {
					return true
				}
			}
			return false
		})
		before := s.engine.Snapshot().Step
		if told := c.told(c.step(16)); told["time"][0] < float64(before)*0.016 {
			t.Errorf("it is taken up again at %v, which was before", told["time"])
		}
	})
}

func TestAPausedWorldLetsItsControllerWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		s.do(sim.SetState{State: sim.Paused})
		c.send(16)
		s.do(sim.StepWorld{N: 1})
		c.told(c.receive())
		c.send(16)
		s.do(sim.SetState{State: sim.Playing})
		c.told(c.receive())
	})
}

func TestPicturesShowWhatStandsBeforeTheRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		c.step(16, c.enable("camera"), c.enable("depth"), c.enable("lidar"))
		tags := map[string]uint16{}
		for tag, name := range c.devices {
			tags[name] = uint16(tag)
		}
		picture := c.images[tags["camera"]]
		if len(picture) != 4*32*24 {
			t.Fatalf("a picture of %d bytes", len(picture))
		}
		middle := picture[4*(12*32+16):][:4]
		if middle[2] < 2*middle[1] || middle[3] != 255 { // blue, green, red
			t.Errorf("the wall is red; it is %v", middle)
		}
		depth := wire.NewReader(c.images[tags["depth"]])
		if far := float64(math.Float32frombits(uint32(depth.Int32()))); math.Abs(far-0.85) > 0.02 {
			t.Errorf("the wall is %g m away, want 0.85", far)
		}
		for range 20 {
			c.step(16)
			if b := c.images[tags["lidar"]]; b != nil {
				ahead := wire.NewReader(b[4*44:])
				if far := float64(math.Float32frombits(uint32(ahead.Int32()))); math.Abs(far-1) < 0.03 {
					return
				}
			}
		}
		t.Error("the lidar never saw the wall at 1 m")
	})
}

// TestAnLEDThatIsSetIsSeen by the camera of its robot, and in snapshots, until it is set to 0.
func TestAnLEDThatIsSetIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		tag := uint16(slices.Index(c.devices, "camera"))
		greens := func() (n int) {
			picture := c.images[tag]
			for i := 0; i+3 < len(picture); i += 4 {
				if picture[i+1] > 200 && picture[i+2] < 100 {
					n++
				}
			}
			return n
		}
		led := func(value int32) []byte { return c.to("lamp", uint8(wire.LEDSet), value) }
		c.step(16, c.enable("camera"))
		for _, k := range []struct {
			value int32
			glow  scene.Glow
			seen  bool
		}{{2, scene.Glow{0, 1, 0}, true}, {1, scene.Glow{1, 0, 0}, false}, {2, scene.Glow{0, 1, 0}, true},
			{0, scene.Glow{}, false}, {3, scene.Glow{}, false}} {
			c.step(16, led(k.value))
			c.step(16)
			if n := greens(); (n > 5) != k.seen {
				t.Errorf("set to %d, the picture has %d green pixels", k.value, n)
			}
			now := s.engine.Snapshot()
			i, _ := now.Find("my_cart")
			if got := now.LampsOf(i); len(got) != 1 || got[0] != k.glow {
				t.Errorf("set to %d, its lamps are %v, want %v", k.value, got, k.glow)
			}
		}
	})
}

func TestEmittersReachReceiversOfOtherRobotsOnTheirChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		cart, post := s.connect("my cart"), s.connect("post")
		hello := []any{uint8(wire.EmitterSend), int32(3), 5.0, int32(5), []byte("hello")}
		lost := []any{uint8(wire.EmitterSend), int32(9), 5.0, int32(4), []byte("lost")}
		far := []any{uint8(wire.EmitterSend), int32(3), 0.1, int32(3), []byte("far")}
		post.send(16, post.enable("receiver"))
		cart.send(16)
		post.receive()
		cart.receive()
		cart.send(16, cart.to("emitter", append(append(hello, lost...), far...)...))
		post.send(16)
		got := post.told(post.receive())
		cart.receive()
		if _, ok := got["hello"]; !ok { // the post may have asked first: then it comes with the next step
			cart.send(16)
			post.send(16)
			got = post.told(post.receive())
			cart.receive()
		}
		if _, ok := got["hello"]; !ok || len(got["receiver"]) != 4 {
			t.Fatalf("the post heard %v", got)
		}
		for _, other := range []string{"lost", "far"} {
			if _, heard := got[other]; heard {
				t.Errorf("the post heard %q", other)
			}
		}
		at := got["receiver"]
		near(t, "the direction of the cart, which is at the left of the post", at[:3], 0.2, 0, 1, -0.17)
	})
}

func TestGreetingsAreAnsweredAsWebotsAnswersThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		for text, want := range map[string]string{"CTR": "FAILED", // two robots wait
			"CTR\nRobot-Name: nobody": "FAILED", "CTR\nRobot-Name: post": "CONNECTED", "GET /": ""} {
			if _, got := s.greet(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
		s.connect("my%2520cart")
		if _, got := s.greet("CTR\nRobot-Name: my cart"); got != "FORBIDDEN" {
			t.Errorf("a second controller: %q", got)
		}
		s.do(sim.UnloadWorld{})
		if _, got := s.greet("CTR\nRobot-Name: my cart"); got != "PROCESSING" {
			t.Errorf("without a world: %q", got)
		}
	})
}

func TestOneRobotCanBeTheOnlyOneThatControllersTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Robot: "post"})
		if _, got := s.greet("CTR\nRobot-Name: my cart"); got != "FAILED" {
			t.Errorf("another robot: %q", got)
		}
		if c, got := s.greet("CTR"); got != "CONNECTED" {
			t.Errorf("the only one, unnamed: %q", got)
		} else if c.configure(); c.devices[0] != "post" {
			t.Errorf("it is %q", c.devices[0])
		}
	})
}

func TestARobotThatIsGoneSendsItsControllerAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		s.do(sim.UnloadWorld{})
		synctest.Wait() // until the server writes: a pipe has no buffer for a request meanwhile
		r := c.receive()
		if tag, command := r.Uint16(), r.Uint8(); tag != 0 || command != wire.RobotQuit {
			t.Errorf("command %d to %d, want that to quit", command, tag)
		}
	})
}

// TestHostileControllersAreCutOffAndChangeNothing sends what no library sends. Each is cut off with a reason,
// and the controller beside goes on.
func TestHostileControllersAreCutOffAndChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		good := s.connect("post")
		for name, bad := range map[string][]byte{
			"a huge size":                  number(uint32(1<<31 - 1)),
			"a device that is not there":   number(uint32(15), uint32(0), uint16(999), uint32(1), uint8(0)),
			"a message beyond the request": number(uint32(15), uint32(0), uint16(1), uint32(9), uint8(0)),
			"half a number": number(uint32(17), uint32(0), uint16(1), uint32(3), uint16(2),
				uint8(0)),
			"two steps at once": append(number(uint32(8), uint32(16000)),
				number(uint32(8), uint32(16))...),
			"an endless text": number(uint32(20), uint32(0), uint16(0), uint32(6), uint8(30), uint8(1),
				uint32(1<<30)),
		} {
			before := strings.Count(s.log.String(), "was cut off")
			c := s.connect("my cart")
			good.send(16)
			_, _ = c.conn.Write(bad)
			s.until(name+" is refused",
				func() bool { return strings.Count(s.log.String(), "was cut off") > before })
			c.conn.Close()
			good.told(good.receive())
		}
		c := s.connect("my cart")
		c.send(16,
			c.to("left motor", uint16(wire.MotorVelocity), math.NaN(), uint16(wire.MotorPosition), math.NaN()))
		good.send(16)
		c.told(c.receive())
		if s.engine.Snapshot().State != sim.Playing {
			t.Error("what is no number stopped the world")
		}
	})
}

// TestLibrariesOfEachReleaseAreToldInTheirOwnOrder: where the robot's name stands, which number its node has,
// and whether fields have a PROTO.
func TestLibrariesOfEachReleaseAreToldInTheirOwnOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, release := range []int{20230, 20231, 20250} {
			s := lab(t, webots.Config{Patience: time.Minute, Release: release})
			c, answer := s.greet("CTR\nRobot-Name: post")
			if answer != "CONNECTED" {
				t.Fatal(answer)
			}
			r := c.step(0, number(uint16(0), uint32(3), uint8(35), uint16(0)))
			r.Bytes(3)
			name, node := "", uint16(33)
			if release > 20230 {
				name, node = r.Text(), 34
				r.Text()
			}
			r.Bytes(4) // supervisor, synchronization, number of devices
			if got := r.Uint16(); got != node {
				t.Errorf("%d: the robot is node %d, want %d", release, got, node)
			}
			r.Float64()
			if release == 20230 {
				name = r.Text()
			}
			if name != "post" || r.Err() != nil {
				t.Errorf("%d: it is called %q, %v", release, name, r.Err())
			}
			c.devices = []string{"post"}
			box, field := c.node("BOX"), []any{text("rotation"), uint8(0)}
			if release == 20250 {
				field = append([]any{int32(-1)}, field...)
			}
			if r = c.ask(wire.FieldFromName, append([]any{box}, field...)...); r.Int32() != 1 {
				t.Errorf("%d: rotation is not field 1", release)
			}
			r.Bytes(9) // kind, whether it is a PROTO's, count
			if release == 20250 {
				r.Bytes(8)
			}
			if got := r.Text(); got != "rotation" || r.More() {
				t.Errorf("%d: the field is called %q", release, got)
			}
		}
	})
}

// TestAControllerThatNeverStepsCommandsTheEngineNoFasterThanItMay sends commands without a step: those beyond
// the free ones wait.
func TestAControllerThatNeverStepsCommandsTheEngineNoFasterThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		begin, told := time.Now(), s.engine.Snapshot().Stats.Commands
		for i := range 600 {
			c.step(0, c.to("left motor", uint16(wire.MotorVelocity), float64(i%10)))
		}
		if took := time.Since(begin); took < 100*2*time.Millisecond {
			t.Errorf("600 commands took %v", took)
		}
		s.until("all commands were carried out", func() bool {
			return s.engine.Snapshot().Stats.Commands-told >= 600
		})
		c.told(c.step(16))
	})
}
