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

// hold is for how long a key press drives. A terminal tells of keys that go
// down, not of keys that come up, so a robot moves while presses repeat and
// stops by itself when they cease; the first repeat comes after half a second
// and more.
const hold = 750 * time.Millisecond

// refresh is how often a velocity that holds is sent again, for drives that
// stop without.
const refresh = 200 * time.Millisecond

// driving is the state of driving a robot by hand.
type driving struct {
	on             bool
	name           string
	limit          scene.Drive
	speed, spin    float64 // what a key asks for, m/s and rad/s
	linear         float64 // what is asked now
	angular        float64
	linearTill     time.Time
	angularTill    time.Time
	sent           r3.Twist
	sentAt         time.Time
	inFlight, late bool // a command is on the way; another must follow it
}

// startDriving gives the keys to the selected robot.
func (m *Model) startDriving() tea.Cmd {
	e, _ := m.entity()
	d := e.Spec.Drives[0]
	m.drive = driving{on: true, name: e.Name, limit: d, speed: within(0.3, d.MaxLinearSpeed), spin: within(1, d.MaxAngularSpeed)}
	m.dirty = true
	if m.snap.State != sim.Playing {
		return m.say(theme.Warn, "driving %s; it moves when the simulation runs", e.Name)
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
func (m *Model) press(forward, left float64) tea.Cmd {
	till := m.cfg.Now().Add(hold)
	d := &m.drive
	if forward != 0 {
		d.linear, d.linearTill = forward*d.speed, till
	}
	if left != 0 {
		d.angular, d.angularTill = left*d.spin, till
	}
	m.dirty = true
	return m.steer()
}

// throttle makes the robot faster or slower.
func (m *Model) throttle(factor float64) {
	d := &m.drive
	d.speed = max(0.02, within(min(d.speed*factor, 20), d.limit.MaxLinearSpeed))
	d.spin = max(0.05, within(min(d.spin*factor, 20), d.limit.MaxAngularSpeed))
	m.dirty = true
}

// stop lets go of the robot.
func (m *Model) stop() tea.Cmd {
	m.drive.linear, m.drive.angular, m.dirty = 0, 0, true
	return m.steer()
}

// leaveDriving stops the robot and gives the keys back.
func (m *Model) leaveDriving() tea.Cmd {
	cmd := m.stop()
	m.drive.on = false
	return cmd
}

// steer sends the velocity that is asked for now, when it changed or is due
// again. One command is on the way at a time and the newest wins, so a stop
// is never overtaken by what came before it.
func (m *Model) steer() tea.Cmd {
	d := &m.drive
	if d.name == "" {
		return nil
	}
	now := m.cfg.Now()
	if d.linear != 0 && now.After(d.linearTill) {
		d.linear, m.dirty = 0, true
	}
	if d.angular != 0 && now.After(d.angularTill) {
		d.angular, m.dirty = 0, true
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
	return m.do(replyMsg{command: sim.DriveEntity{Name: d.name, Twist: want}, steering: true})
}

// onSteered takes the answer to a velocity.
func (m *Model) onSteered(r replyMsg) tea.Cmd {
	m.drive.inFlight = false
	if r.err != nil {
		m.drive = driving{}
		return m.say(theme.Bad, "no longer driving: %s", r.err)
	}
	if m.drive.late {
		return m.steer()
	}
	return nil
}

// park stops the robot that was driven when the console ended.
func (m *Model) park() error {
	if m.drive.name == "" || m.drive.sent == (r3.Twist{}) {
		return nil
	}
	ctx, cancel := context.WithTimeout(sim.WithSender(context.Background(), m.cfg.User), time.Second)
	defer cancel()
	if _, err := m.cfg.Backend.Do(ctx, sim.DriveEntity{Name: m.drive.name}); err != nil {
		return fmt.Errorf("stopping %s: %w", m.drive.name, err)
	}
	return nil
}
