package ui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/gamepad"
	"simdeck/ui/pane"
	"simdeck/ui/theme"
)

// hold is the time for which a key press drives. A terminal reports keys that go down, not keys that come up:
// a robot moves while presses repeat, and stops when they cease. The first repeat comes after half a second
// or more.
const hold = 750 * time.Millisecond

// refresh is the period in which a held velocity is sent again, for drives that
// stop without.
const refresh = 200 * time.Millisecond

// motion is a direction in which keys and sticks drive, in the frame of the robot.
type motion uint8

const (
	ahead motion = iota
	leftward
	upward
	turning
	motions
)

// driving is the state of driving a robot by hand.
type driving struct {
	m              *Model
	on             bool
	name           string
	limit          scene.Drive
	speed, spin    float64            // target of a key press, m/s and rad/s
	target         [motions]float64   // m/s and rad/s
	till           [motions]time.Time // when the targets end
	sent           r3.Twist
	sentAt         time.Time
	inFlight, late bool         // a command is on the way; another must follow it
	before         viewed       // of the window, to show it again
	pad            *gamepad.Pad // that drives as well; nil: none
}

// viewed is the choice of an operator: pane, followed entity, viewpoint.
type viewed struct {
	focus  paneID
	follow string
	camera pane.Viewpoint
}

// start gives the keys to the selected robot.
func (dr *driving) start() tea.Cmd {
	e, _ := dr.m.selection().entity()
	d := e.Spec.Drives[0]
	speed := 0.3
	if d.Climbs() { // it has room
		speed = 1
	}
	speed = max(speed, d.MaxLinearSpeed/3) // which ten notches raise to the limit
	spin := 1.0
	if a := d.Aircraft; a != nil {
		speed, spin = a.CruiseSpeed, 0.4
	}
	*dr = driving{m: dr.m, on: true, name: e.Name, limit: d, speed: within(speed, d.MaxLinearSpeed),
		spin: within(spin, d.MaxAngularSpeed)}
	dr.open()
	if dr.m.view.snap.State != sim.Playing {
		return dr.m.say(theme.Warn, "Driving %s; it moves when the simulation plays", e.Name)
	}
	return nil
}

// open shows the cockpit: the robot from behind, the map about it, and instruments.
func (dr *driving) open() {
	m := dr.m
	dr.before = viewed{m.window.focus, m.world.Follow, m.camera.Viewpoint()}
	m.world.Follow, m.camera.Follow = dr.name, dr.name
	m.world.Feed(m.view.snap)
	m.camera.Feed(m.view.snap)
	m.camera.SetSight(pane.Chase)
	m.instruments.Drive(dr.name)
	m.window.driving, m.window.zoomed = true, false
	m.window.instruments = m.instruments.Rows(m.view.snap)
	m.window.goTo(cameraPane)
	m.window.recent[mapPane] = m.window.focusCount - 1 // before the panes behind it
	m.window.arrange()
	m.feed.wantSensors()
}

// close shows again what was shown before.
func (dr *driving) close() {
	m := dr.m
	if !m.window.driving {
		return
	}
	m.window.driving = false
	m.world.Follow = dr.before.follow
	m.camera.SetViewpoint(dr.before.camera)
	m.camera.Feed(m.view.snap)
	m.world.Feed(m.view.snap)
	m.window.goTo(dr.before.focus)
	m.window.arrange()
}

func within(v, limit float64) float64 {
	if limit > 0 {
		return min(v, limit)
	}
	return v
}

// press drives for as long as a key is held: by is -1 or 1. The speed of an aeroplane stays.
func (dr *driving) press(to motion, by float64) tea.Cmd {
	if to == ahead && dr.limit.Aircraft != nil {
		dr.lever(by)
		return dr.steer()
	}
	dr.steerTo(to, by, dr.m.cfg.Now().Add(hold))
	return dr.steer()
}

// steerTo aims at a part of the speed that a key asks for, -1 to 1, in a direction and until a time.
func (dr *driving) steerTo(to motion, part float64, till time.Time) {
	most := dr.speed
	switch {
	case to == turning:
		most = dr.spin
	case to == upward && dr.limit.Aircraft != nil:
		most *= climbPart
	}
	dr.target[to], dr.till[to], dr.m.screen.dirty = part*most, till, true
}

// climbPart is the climb that keys ask of an aeroplane, by its speed.
const climbPart = 0.15

// forever is the time for which a speed stays that no key holds.
const forever = 24 * time.Hour

// lever moves the throttle of an aeroplane by a notch, up or down. The first notch is its speed of cruise,
// and below its least speed the motor is off: it glides.
func (dr *driving) lever(by float64) {
	on := dr.target[ahead] > 0
	switch {
	case on && by > 0:
		dr.throttle(notch)
	case on:
		dr.throttle(1 / notch)
	case by > 0:
		dr.steerTo(ahead, 1, dr.m.cfg.Now().Add(forever))
	}
}

// flown is the velocity for a robot that nobody drives any more. An aeroplane circles while its motor runs.
func (dr *driving) flown() (t r3.Twist) {
	if dr.limit.Aircraft != nil && dr.sent.Linear.X > 0 {
		t.Linear.X, t.Angular.Z = dr.sent.Linear.X, dr.spin/2
	}
	return t
}

// other does the action of a key that does not drive. While a robot is driven, the view can be changed, and
// no more.
func (dr *driving) other(id string) tea.Cmd {
	a := dr.m.action(id)
	switch {
	case id == "":
		return nil
	case a.write:
		return dr.m.say(theme.Warn, "%s: not while %s is driven; %s ends that", a.title, dr.name,
			dr.m.keys.Key("drive.leave"))
	}
	return dr.m.run(id)
}

// padMsg is the state of a gamepad after its next event.
type padMsg struct {
	pad   *gamepad.Pad
	state gamepad.State
	err   error
}

// takePad has the gamepad of this machine drive as well, or gives it back.
func (dr *driving) takePad() tea.Cmd {
	if dr.pad != nil {
		dr.givePadBack()
		return tea.Batch(dr.letGo(), dr.m.say(theme.Good, "Gamepad: off"))
	}
	pad, err := dr.m.openPad()
	if err != nil {
		return dr.m.say(theme.Bad, "%s", err)
	}
	dr.pad = pad
	return tea.Batch(dr.m.say(theme.Good, "Gamepad: sticks drive, any button stops"), dr.awaitPad())
}

// givePadBack closes the gamepad, which ends the wait for its next event.
func (dr *driving) givePadBack() {
	if dr.pad != nil {
		_ = dr.pad.Close() // it was read only
		dr.pad = nil
	}
}

// awaitPad waits for the next event.
func (dr *driving) awaitPad() tea.Cmd {
	pad := dr.pad
	return guarded(func() tea.Msg {
		state, err := pad.Next()
		return padMsg{pad, state, err}
	})
}

// onPad drives as the sticks say, until they say otherwise.
func (dr *driving) onPad(msg padMsg) tea.Cmd {
	switch {
	case msg.pad != dr.pad || dr.pad == nil: // given back
		return nil
	case msg.err != nil:
		dr.givePadBack()
		return tea.Batch(dr.letGo(), dr.m.say(theme.Bad, "The gamepad is gone: %s", msg.err))
	}
	till := dr.m.cfg.Now().Add(forever) // a stick that is held says nothing
	stick := msg.state
	if dr.limit.Slides() {
		dr.steerTo(leftward, stick.Side, till)
	} else if math.Abs(stick.Side) > math.Abs(stick.Turn) { // either stick turns it
		stick.Turn = stick.Side
	}
	if dr.limit.Climbs() {
		dr.steerTo(upward, stick.Up, till)
	}
	switch {
	case dr.limit.Aircraft == nil:
		dr.steerTo(ahead, stick.Forward, till)
	case dr.target[ahead] > 0 || stick.Forward > 0.5: // its motor starts by the stick, and runs on
		dr.steerTo(ahead, 1+0.3*stick.Forward, till)
	}
	dr.steerTo(turning, stick.Turn, till)
	return tea.Batch(dr.steer(), dr.awaitPad())
}

// noPad says why there is no gamepad for who drives.
func noPad(m *Model) string {
	switch {
	case !m.drive.on:
		return "no robot is being driven"
	case m.cfg.Input != nil || m.cfg.Sizes != nil || lookup(m.cfg.Environ, "SSH_TTY") != "" ||
		lookup(m.cfg.Environ, "SSH_CONNECTION") != "":
		return "only a console on this machine reads its gamepad, not one over SSH"
	}
	return ""
}

// notch is the factor of a notch of the throttle.
const notch = 1.125

// throttle makes the robot faster or slower.
func (dr *driving) throttle(factor float64) {
	dr.m.screen.dirty = true
	most := cmp.Or(dr.limit.MaxLinearSpeed, 20)
	if a := dr.limit.Aircraft; a != nil {
		if dr.speed = min(dr.speed*factor, max(most, a.CruiseSpeed)); dr.speed < a.LeastSpeed {
			dr.speed, dr.target[ahead] = a.CruiseSpeed, 0
		}
		if dr.target[ahead] > 0 {
			dr.target[ahead] = dr.speed
		}
		return
	}
	dr.speed = max(0.02, min(dr.speed*factor, most))
	dr.spin = max(0.05, within(min(dr.spin*factor, 20), dr.limit.MaxAngularSpeed))
}

// stop stops the robot, and the motor of an aeroplane.
func (dr *driving) stop() tea.Cmd {
	dr.target, dr.m.screen.dirty = [motions]float64{}, true
	return dr.steer()
}

// letGo stops what does not fly on.
func (dr *driving) letGo() tea.Cmd {
	speed := dr.target[ahead]
	if dr.limit.Aircraft == nil {
		speed = 0
	}
	dr.target, dr.m.screen.dirty = [motions]float64{ahead: speed}, true
	return dr.steer()
}

// leave stops the robot and gives the keys back.
func (dr *driving) leave() tea.Cmd {
	dr.givePadBack()
	left := dr.flown()
	dr.target, dr.m.screen.dirty = [motions]float64{ahead: left.Linear.X, turning: left.Angular.Z}, true
	dr.on = false
	dr.close()
	return dr.steer()
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
	for to, v := range d.target {
		if v != 0 && now.After(d.till[to]) && d.on {
			d.target[to], dr.m.screen.dirty = 0, true
		}
	}
	want := r3.Twist{Linear: r3.V(d.target[ahead], d.target[leftward], d.target[upward]),
		Angular: r3.V(0, 0, d.target[turning])}
	if want == d.sent && (want == r3.Twist{} || !d.on || now.Sub(d.sentAt) < refresh) {
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
		dr.givePadBack()
		dr.close()
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
	dr.givePadBack()
	if dr.name == "" || dr.sent == (r3.Twist{}) || !dr.on && dr.sent == dr.flown() {
		return nil
	}
	ctx, cancel := context.WithTimeout(sim.WithSender(context.Background(), dr.m.cfg.User), time.Second)
	defer cancel()
	if _, err := dr.m.cfg.Backend.Do(ctx, sim.DriveEntity{Name: dr.name, Twist: dr.flown()}); err != nil {
		return fmt.Errorf("stopping %s: %w", dr.name, err)
	}
	return nil
}
