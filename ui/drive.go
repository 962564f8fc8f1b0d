package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/theme"
)

// hold is the time for which a key press drives. A terminal reports keys that go down, not keys that come up:
// a robot moves while presses repeat, and stops when they cease. The first repeat comes after half a second
// or more.
const hold = 750 * time.Millisecond

// refresh is the period in which a held velocity is sent again, for drives that
// stop without.
const refresh = 200 * time.Millisecond

// driving is the state of driving a robot by hand.
type driving struct {
	m              *Model
	on             bool
	name           string
	limit          scene.Drive
	speed, spin    float64 // target of a key press, m/s and rad/s
	linear         float64 // current target
	angular        float64
	linearTill     time.Time
	angularTill    time.Time
	sent           r3.Twist
	sentAt         time.Time
	inFlight, late bool // a command is on the way; another must follow it
}

// start gives the keys to the selected robot.
func (dr *driving) start() tea.Cmd {
	e, _ := dr.m.selection().entity()
	d := e.Spec.Drives[0]
	*dr = driving{m: dr.m, on: true, name: e.Name, limit: d, speed: within(0.3, d.MaxLinearSpeed),
		spin: within(1, d.MaxAngularSpeed)}
	dr.m.screen.dirty = true
	if dr.m.view.snap.State != sim.Playing {
		return dr.m.say(theme.Warn, "Driving %s; it moves when the simulation plays", e.Name)
	}
	return nil
}

func within(v, limit float64) float64 {
	if limit > 0 {
		return min(v, limit)
	}
	return v
}

// press drives for as long as a key is held: forward and left are -1, 0 or 1.
func (dr *driving) press(forward, left float64) tea.Cmd {
	till := dr.m.cfg.Now().Add(hold)
	d := &dr.m.drive
	if forward != 0 {
		d.linear, d.linearTill = forward*d.speed, till
	}
	if left != 0 {
		d.angular, d.angularTill = left*d.spin, till
	}
	dr.m.screen.dirty = true
	return dr.steer()
}

// throttle makes the robot faster or slower.
func (dr *driving) throttle(factor float64) {
	d := &dr.m.drive
	d.speed = max(0.02, within(min(d.speed*factor, 20), d.limit.MaxLinearSpeed))
	d.spin = max(0.05, within(min(d.spin*factor, 20), d.limit.MaxAngularSpeed))
	dr.m.screen.dirty = true
}

// stop lets go of the robot.
func (dr *driving) stop() tea.Cmd {
	dr.linear, dr.angular, dr.m.screen.dirty = 0, 0, true
	return dr.steer()
}

// leave stops the robot and gives the keys back.
func (dr *driving) leave() tea.Cmd {
	cmd := dr.stop()
	dr.on = false
	return cmd
}

// steer sends the velocity that is asked for now, when it changed or is due
// again. One command is on the way at a time and the newest wins, so a stop
// is never overtaken by what came before it.
func (dr *driving) steer() tea.Cmd {
	d := &dr.m.drive
	if d.name == "" {
		return nil
	}
	now := dr.m.cfg.Now()
	if d.linear != 0 && now.After(d.linearTill) {
		d.linear, dr.m.screen.dirty = 0, true
	}
	if d.angular != 0 && now.After(d.angularTill) {
		d.angular, dr.m.screen.dirty = 0, true
	}
	want := r3.Twist{Linear: r3.V(d.linear, 0, 0), Angular: r3.V(0, 0, d.angular)}
	if want == d.sent && (want == r3.Twist{} || now.Sub(d.sentAt) < refresh) {
		return nil
	}
	if d.inFlight {
		d.late = true
		return nil
	}
	d.sent, d.sentAt, d.inFlight, d.late = want, now, true, false
	return dr.m.requests.do(replyMsg{command: sim.DriveEntity{Name: d.name, Twist: want}, steering: true})
}

// onSteered takes the answer to a velocity.
func (dr *driving) onSteered(r replyMsg) tea.Cmd {
	dr.inFlight = false
	if r.err != nil {
		*dr = driving{m: dr.m}
		return dr.m.say(theme.Bad, "Driving ended: %s", r.err)
	}
	if dr.late {
		return dr.steer()
	}
	return nil
}

// park stops the robot that was driven when the console ended.
func (dr *driving) park() error {
	if dr.name == "" || dr.sent == (r3.Twist{}) {
		return nil
	}
	ctx, cancel := context.WithTimeout(sim.WithSender(context.Background(), dr.m.cfg.User), time.Second)
	defer cancel()
	if _, err := dr.m.cfg.Backend.Do(ctx, sim.DriveEntity{Name: dr.name}); err != nil {
		return fmt.Errorf("stopping %s: %w", dr.name, err)
	}
	return nil
}
