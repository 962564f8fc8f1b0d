package ui_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui"
	"simdeck/ui/gamepad"
	"simdeck/ui/uitest"
)

func drives(d *uitest.Driver) []r3.Twist {
	var out []r3.Twist
	for _, c := range d.Backend.Done() {
		if drive, ok := c.(sim.DriveEntity); ok {
			out = append(out, drive.Twist)
		}
	}
	return out
}

func forward(v float64) r3.Twist { return r3.Twist{Linear: r3.V(v, 0, 0)} }

func TestARobotMovesWhileItsKeyRepeatsAndStopsByItself(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.drive")
		d.Shows("DRIVE burger_1")
		for range 20 { // two seconds of a held key
			d.Press("drive.forward")
			d.Wait(66 * time.Millisecond)
		}
		got := drives(d)
		for _, v := range got {
			if v != forward(0.22) { // 0.3 asked, 0.22 is the drive's limit
				d.T.Fatalf("sent %v while the key was held", v)
			}
		}
		if len(got) < 8 {
			d.T.Errorf("%d commands in two seconds: a drive with a time-out of 0.5 s would stop", len(got))
		}
		d.Wait(time.Second)
		if got = drives(d); got[len(got)-1] != (r3.Twist{}) {
			d.T.Errorf("a second after the last press the command is %v, want a stop", got[len(got)-1])
		}
		n := len(got)
		d.Wait(3 * time.Second)
		if len(drives(d)) != n {
			d.T.Error("a standing robot is told to stand again and again")
		}
	})
}

func TestTurningAndDrivingGoTogether(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.drive", "drive.forward", "drive.left")
		got := drives(d)
		if want := (r3.Twist{Linear: r3.V(0.22, 0, 0), Angular: r3.V(0, 0, 1)}); got[len(got)-1] != want {
			d.T.Errorf("sent %v, want %v", got[len(got)-1], want)
		}
		d.Press("drive.slower", "drive.back")
		got = drives(d)
		if v := got[len(got)-1].Linear.X; v > -0.19 || v < -0.21 {
			d.T.Errorf("a notch slower drives at %v", v)
		}
	})
}

func TestLeavingStopsTheRobot(t *testing.T) {
	for _, leave := range []string{"drive.leave", "drive.stop"} {
		open(t, func(d *uitest.Driver) {
			d.Press("entity.drive", "drive.forward", leave)
			if got := drives(d); got[len(got)-1] != (r3.Twist{}) {
				d.T.Errorf("after %s the command is %v, want a stop", leave, got[len(got)-1])
			}
		})
	}
}

func TestARobotThatIsGoneIsNoLongerDriven(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.drive")
		if _, err := d.Backend.Do(t.Context(), sim.Delete{Names: []string{"burger_1"}}); err != nil {
			d.T.Fatal(err)
		}
		d.Press("drive.forward")
		d.Shows("Driving ended")
		d.Hides("DRIVE")
	})
}

// slow is a backend that takes its time over driving.
type slow struct {
	*uitest.Backend
	delay time.Duration
}

func (s slow) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if _, ok := c.(sim.DriveEntity); ok {
		time.Sleep(s.delay)
		s.delay = 0
	}
	return s.Backend.Do(ctx, c)
}

func TestAStopIsNotOvertakenByWhatCameBeforeIt(t *testing.T) {
	backend := uitest.Room()
	late := func(c *ui.Config) { c.Backend = slow{backend, 500 * time.Millisecond} }
	uitest.Open(t, backend, 120, 40, shipped(t), late, func(d *uitest.Driver) {
		d.Press("entity.drive", "drive.forward", "drive.stop")
		d.Wait(3 * time.Second)
		got := drives(d)
		if len(got) != 2 || got[0] != forward(0.22) || got[1] != (r3.Twist{}) {
			d.T.Errorf("the robot was told %v, want forward and then stop", got)
		}
	})
}

func TestKeysOfTheViewGoOnWhileARobotIsDriven(t *testing.T) {
	uitest.Open(t, uitest.Room(), 80, 24, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("entity.drive")
		d.Shows("DRIVE burger_1", "8 Camera", "behind burger_1", "2 Map", "collisions") // where the table was
		d.Press("camera.sight")
		d.Shows("View of burger_1: first person", "from burger_1")
		d.Wait(4 * time.Second)
		d.Press("view.state")
		d.Shows("DRIVE burger_1", "5 State", "pace")
		d.Press("view.map")
		d.Press("map.zoom_in", "entity.spawn")
		d.Shows("spawn: not while burger_1 is driven; esc ends that")
		d.Press("drive.leave")
		d.Hides("DRIVE")
		d.Shows("1 Entities", "kind")
	})
}

func TestWhoDrivesSeesTheRobotAndItsInstrumentsAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		uitest.Open(t, uitest.Room(), size[0], size[1], shipped(t), nil, func(d *uitest.Driver) {
			before := d.Text()
			d.Press("entity.drive", "drive.forward")
			d.Wait(600 * time.Millisecond)
			d.Shows("DRIVE burger_1", "8 Camera", "2 Map", "speed", "turn", "m/s", "collisions none")
			if size[1] >= 24 {
				d.Shows("lidar", "ahead", "left", "behind", "right")
			}
			d.Press("drive.leave")
			if after := d.Text(); strings.Contains(after, "collisions none") ||
				strings.Contains(before, "1 Entities") != strings.Contains(after, "1 Entities") {
				d.T.Errorf("%v: leaving shows\n%s", size, after)
			}
		})
	}
}

// flying is the room with a first robot that hovers.
func flying() *uitest.Backend {
	return driven(scene.Drive{Kind: scene.Multicopter, MaxLinearSpeed: 4})
}

// gliding is the room with a first robot that flies by wings.
func gliding() *uitest.Backend {
	return driven(scene.Drive{Kind: scene.FixedWing, MaxLinearSpeed: 16,
		Craft: scene.Craft{Aircraft: &scene.Aircraft{LeastSpeed: 9, CruiseSpeed: 12}}})
}

// driven is the room with a first robot of another drive, and a rotor.
func driven(d scene.Drive) *uitest.Backend {
	b := uitest.Room()
	for i := range b.Snapshot().Model.Entities {
		if e := &b.Snapshot().Model.Entities[i]; e.Name == "burger_1" {
			spec := *e.Spec
			spec.Drives = []scene.Drive{d}
			spec.Flow.Rotors = []scene.Rotor{{Joint: 0, Turn: 0.1, Thrust: 1e-5, Most: 800}}
			e.Spec = &spec
		}
	}
	return b
}

// charged is the room with a first robot that has a battery with a charge, Ah, of 2 Ah.
func charged(charge float64) *uitest.Backend {
	b := driven(scene.Drive{Kind: scene.Differential})
	for i := range b.Snapshot().Model.Entities {
		e := &b.Snapshot().Model.Entities[i]
		if e.Name != "burger_1" {
			continue
		}
		spec := *e.Spec
		spec.Flow = scene.Flow{}
		spec.Batteries = []scene.Battery{{Name: "pack", Capacity: 2, Full: 12.6}}
		e.Spec = &spec
	}
	b.Snapshot().Batteries = []sim.BatteryState{
		{Voltage: 11.13, Current: 0.75, Charge: charge, Draining: true}}
	return b
}

// The frame is kept: who drives sees the battery, and that it is low.
func TestWhoDrivesSeesTheBattery(t *testing.T) {
	for name, charge := range map[string]float64{"low": 0.31, "half": 1} {
		t.Run(name, func(t *testing.T) {
			uitest.Open(t, charged(charge), 120, 40, shipped(t), nil, func(d *uitest.Driver) {
				d.Press("entity.drive")
				d.Wait(600 * time.Millisecond)
				d.Shows("battery", "11.1 V  0.75 A", "left")
				golden(d.T, d.Text(), 120, 40)
			})
		})
	}
}

func TestTenNotchesLeadFromTheFirstSpeedToTheLimit(t *testing.T) {
	backend := uitest.Room()
	backend.Snapshot().Model.Entities[1].Spec.Drives[0].MaxLinearSpeed = 15
	uitest.Open(t, backend, 120, 40, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("entity.drive", "drive.forward")
		got := drives(d)
		if got[len(got)-1] != forward(5) {
			d.T.Errorf("at first %v, want a third of the limit", got[len(got)-1])
		}
		for range 10 {
			d.Press("drive.faster")
		}
		d.Press("drive.forward")
		if got = drives(d); got[len(got)-1] != forward(15) {
			d.T.Errorf("after ten notches %v, want the limit", got[len(got)-1])
		}
	})
}

func TestWhatFliesClimbsAndMovesSidewaysByKeysAndShowsHow(t *testing.T) {
	uitest.Open(t, flying(), 120, 50, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("entity.drive", "drive.up", "drive.aside_right")
		got := drives(d)
		if want := (r3.Twist{Linear: r3.V(0, -4.0/3, 4.0/3)}); got[len(got)-1] != want {
			d.T.Errorf("sent %v, want %v", got[len(got)-1], want)
		}
		d.Shows("aside", "climb", "height", "roll", "thrust", "of 6.4 N", "wind", "none")
		d.Press("drive.down", "drive.stop")
		if got = drives(d); got[len(got)-1] != (r3.Twist{}) {
			d.T.Errorf("stopped it is told %v", got[len(got)-1])
		}
	})
	open(t, func(d *uitest.Driver) { // one on wheels: the key turns its view, as without driving
		d.Press("entity.drive")
		d.Type("k")
		if got := drives(d); len(got) != 0 {
			d.T.Errorf("told to sink, a robot on wheels is sent %v", got)
		}
		d.Hides("height")
	})
}

func TestTheSpeedOfAnAeroplaneStaysAndWhoLeavesItLetsItCircle(t *testing.T) {
	uitest.Open(t, gliding(), 120, 50, shipped(t), nil, func(d *uitest.Driver) {
		last := func() r3.Twist {
			all := drives(d)
			return all[len(all)-1]
		}
		d.Press("entity.drive", "drive.forward")
		d.Wait(5 * time.Second)
		if got := last(); got != forward(12) {
			d.T.Errorf("its motor started, it is told %v five seconds later", got)
		}
		d.Press("drive.forward", "drive.left", "drive.up")
		if got := last(); math.Abs(got.Linear.X-13.5) > 1e-9 || got.Angular.Z != 0.4 ||
			math.Abs(got.Linear.Z-0.15*13.5) > 1e-9 {
			d.T.Errorf("a notch faster, turning left and climbing it is told %v", got)
		}
		d.Wait(2 * time.Second)
		if got := last(); math.Abs(got.Linear.X-13.5) > 1e-9 || got.Angular.Z != 0 || got.Linear.Z != 0 {
			d.T.Errorf("with no key held it is told %v", got)
		}
		for range 4 {
			d.Press("drive.forward")
		}
		if got := last(); got != forward(16) {
			d.T.Errorf("as fast as it may be it is told %v", got)
		}
		for range 7 { // to below its least speed
			d.Press("drive.back")
		}
		if got := last(); got != (r3.Twist{}) {
			d.T.Errorf("throttled down it is told %v", got)
		}
		d.Press("drive.forward", "drive.stop")
		if got := last(); got != (r3.Twist{}) {
			d.T.Errorf("stopped it is told %v", got)
		}
		d.Press("drive.forward", "drive.leave")
		d.Wait(time.Second)
		circle := r3.Twist{Linear: r3.V(12, 0, 0), Angular: r3.V(0, 0, 0.2)}
		n := len(drives(d))
		if got := last(); got != circle {
			d.T.Errorf("left alone it is told %v, want %v", got, circle)
		}
		if d.Wait(5 * time.Second); len(drives(d)) != n {
			d.T.Error("left alone it is told the same again and again: nobody else could fly it")
		}
	})
}

func TestTheRightStickClimbsAndMovesWhatFliesSideways(t *testing.T) {
	uitest.Open(t, flying(), 120, 40, shipped(t), nil, func(d *uitest.Driver) {
		events, sticks := io.Pipe()
		d.Model.SetPad(func() (*gamepad.Pad, error) { return gamepad.From(events), nil })
		d.Press("entity.drive", "drive.gamepad")
		for axis := byte(3); axis <= 4; axis++ { // of the right stick, both far from the middle
			b := binary.NativeEndian.AppendUint16(make([]byte, 4), 0x8001)
			sticks.Write(append(b, 2, axis))
			d.Wait(300 * time.Millisecond)
		}
		got := drives(d)
		if want := (r3.Twist{Linear: r3.V(0, 4.0/3, 4.0/3)}); got[len(got)-1] != want {
			d.T.Errorf("sent %v, want %v", got[len(got)-1], want)
		}
		d.Press("drive.gamepad")
	})
}

func TestAGamepadDrivesUntilItIsGivenBack(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		events, sticks := io.Pipe()
		d.Model.SetPad(func() (*gamepad.Pad, error) { return gamepad.From(events), nil })
		d.Press("entity.drive", "drive.gamepad")
		d.Shows("Gamepad: sticks drive")
		push := func(value int16) {
			b := binary.NativeEndian.AppendUint16(make([]byte, 4), uint16(value))
			sticks.Write(append(b, 2, 1)) // the left stick, up and down
			d.Wait(300 * time.Millisecond)
		}
		push(-32767)
		if got := drives(d); got[len(got)-1] != forward(0.22) {
			d.T.Errorf("the stick up sends %v", got[len(got)-1])
		}
		d.Wait(5 * time.Second)
		if got := drives(d); got[len(got)-1] != forward(0.22) {
			d.T.Errorf("a stick that is held up sends %v", got[len(got)-1])
		}
		push(0)
		if got := drives(d); got[len(got)-1] != (r3.Twist{}) {
			d.T.Errorf("the stick in the middle sends %v", got[len(got)-1])
		}
		push(-32767)
		d.Press("drive.gamepad")
		d.Shows("Gamepad: off")
		if got := drives(d); got[len(got)-1] != (r3.Twist{}) {
			d.T.Errorf("given back it sends %v", got[len(got)-1])
		}
	})
}

func TestAGamepadThatIsGoneStopsTheRobot(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		events := bytes.NewReader([]byte{0, 0, 0, 0, 1, 0x80, 2, 1})
		d.Model.SetPad(func() (*gamepad.Pad, error) { return gamepad.From(io.NopCloser(events)), nil })
		d.Press("entity.drive", "drive.gamepad")
		d.Wait(time.Second)
		d.Shows("The gamepad is gone")
		if got := drives(d); len(got) > 0 && got[len(got)-1] != (r3.Twist{}) {
			d.T.Errorf("the robot goes on: %v", got[len(got)-1])
		}
	})
}

func TestNoGamepadIsReadOverSSH(t *testing.T) {
	far := func(c *ui.Config) { c.Environ = append(c.Environ, "SSH_TTY=/dev/pts/3") }
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), far, func(d *uitest.Driver) {
		d.Model.SetPad(func() (*gamepad.Pad, error) { t.Error("it was opened"); return nil, gamepad.ErrNone })
		d.Press("entity.drive", "drive.gamepad")
		d.Shows("not one over SSH")
	})
}
