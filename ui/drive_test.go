package ui_test

import (
	"context"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui"
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
			d.T.Errorf("a tenth slower drives at %v", v)
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
