package webots

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

// device is a device of a robot: it is configured once, takes commands, and tells what is due.
type device interface {
	// configure tells a controller of the device.
	configure(a *wire.Answer)
	// take carries out the commands of a message; answers to them go into a.
	take(r *wire.Reader, a *wire.Answer)
	// tell tells what the device measures, where that is due.
	tell(a *wire.Answer)
}

// worldCommands are the commands of a supervisor, which reach beyond its robot.
type worldCommands interface {
	configure(a *wire.Answer)
	// take carries out a command; false: the rest of its message cannot be read.
	take(ctx context.Context, command uint8, in *wire.Reader, a *wire.Answer) bool
}

// robot is a robot as its controller sees it.
type robot struct {
	server     *Server
	entity     string
	spec       *scene.ModelSpec
	log        *slog.Logger
	devices    []device // by tags, counted from 1
	listed     []*scene.Device
	targets    []sim.JointTarget // that the next step begins with
	commands   int               // to the engine, since the last step
	watched    atomic.Pointer[map[int]bool]
	noise      *rand.Rand
	warned     map[string]bool
	console    consoleLog
	keyboard   keyboard
	supervisor worldCommands // nil: its controller has its robot alone
	images     *mappedImages // for pictures of a controller on a local socket; nil: it came by TCP

	// of the answer that is being made
	snapshot *sim.Snapshot
	index    int // of its entity in the snapshot
}

func newRobot(s *Server, e *sim.EntityModel, images *mappedImages, log *slog.Logger) *robot {
	r := &robot{images: images, server: s, entity: e.Name, spec: e.Spec, log: log, warned: map[string]bool{},
		noise: rand.New(rand.NewPCG(e.ID, 0x5eed))}
	r.watched.Store(&map[int]bool{})
	if e.Spec.Robot.Supervisor {
		r.supervisor = newSupervisor(r)
	}
	var left []string
	for i := range e.Spec.Robot.Devices {
		d := &e.Spec.Robot.Devices[i]
		b := base{robot: r, spec: d, tag: uint16(len(r.listed) + 1), sensor: sensorOf(e, d)}
		if made := newDevice(b, e); made != nil {
			r.devices, r.listed = append(r.devices, made), append(r.listed, d)
		} else {
			left = append(left, fmt.Sprintf("%s %q", d.Node, d.Name))
		}
	}
	if len(left) > 0 {
		log.Warn("webots: devices that its controller will not find", "devices", strings.Join(left, ", "))
	}
	return r
}

// newDevice is a device for a controller; nil: it is not served.
func newDevice(b base, e *sim.EntityModel) device {
	switch b.spec.Node {
	case "RotationalMotor", "LinearMotor":
		if joint := jointOf(e.Spec, b.spec.Joint); joint >= 0 {
			return newMotor(b, joint)
		}
	case "PositionSensor":
		if joint := jointOf(e.Spec, b.spec.Joint); joint >= 0 {
			return &positionSensor{base: b, joint: joint}
		}
	case "GPS":
		return &gps{base: b}
	case "InertialUnit":
		return &inertialUnit{base: b}
	case "Compass", "Gyro":
		return &vectorSensor{base: b}
	case "Altimeter":
		return &altimeter{base: b}
	case "LED":
		return &led{base: b}
	case "Emitter":
		return &emitter{base: b, reach: b.spec.Radio.Range, channel: int32(b.spec.Radio.Channel)}
	case "Receiver":
		return newReceiver(b)
	}
	if b.sensor < 0 {
		return nil
	}
	switch b.spec.Node {
	case "Accelerometer":
		return &vectorSensor{base: b}
	case "DistanceSensor":
		return newDistanceSensor(b, e.Sensors[b.sensor].Spec)
	case "TouchSensor":
		return &touchSensor{base: b}
	case "Camera", "RangeFinder":
		return newCamera(b, e.Sensors[b.sensor].Spec)
	case "Lidar":
		return &lidar{base: b, of: e.Sensors[b.sensor].Spec}
	}
	return nil
}

// sensorOf is the sensor that measures for a device, as an index; -1: none.
func sensorOf(e *sim.EntityModel, d *scene.Device) int {
	for k := range e.Sensors {
		if e.Sensors[k].Link == d.Link && e.Sensors[k].Spec.Name == d.Sensor && d.Sensor != "" {
			return k
		}
	}
	return -1
}

// jointOf is a joint by its name; -1: there is none.
func jointOf(m *scene.ModelSpec, name string) int {
	for i := range m.Joints {
		if m.Joints[i].Name == name {
			return i
		}
	}
	return -1
}

// wanted tells the engine which sensors it has to compute.
func (r *robot) wanted(id uint64) func(uint64, int) bool {
	return func(entity uint64, sensor int) bool { return entity == id && (*r.watched.Load())[sensor] }
}

// watch wants a sensor, or wants it no more.
func (r *robot) watch(sensor int, on bool) {
	if sensor < 0 {
		return
	}
	next := map[int]bool{}
	for k := range *r.watched.Load() {
		next[k] = true
	}
	if next[sensor] = true; !on {
		delete(next, sensor)
	}
	r.watched.Store(&next)
}

// find looks the robot up in a snapshot; false: it is gone, or another has its name.
func (r *robot) find(s *sim.Snapshot) bool {
	i, ok := s.Find(r.entity)
	if !ok || s.Model.Entities[i].Spec != r.spec {
		return false
	}
	r.snapshot, r.index = s, i
	return true
}

// warn tells the log once what a controller asks in vain.
func (r *robot) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !r.warned[text] && len(r.warned) < maxWarnings {
		r.warned[text] = true
		r.log.Warn("webots: " + text)
	}
}

const maxWarnings = 100

// configure tells a controller of its robot and all devices.
func (r *robot) configure(a *wire.Answer, s *sim.Snapshot) {
	nodes, of := r.server.nodes, r.spec.Robot
	a.To(0, wire.Configure)
	if r.server.c.Release >= nameFirst { // without a version, the library compares none with its own
		a.Text(of.Name).Text("")
	}
	a.Flag(of.Supervisor).Flag(!of.Asynchronous).Uint16(uint16(len(r.listed) + 1))
	a.Uint16(nodes["Robot"]).Float64(s.Time.Seconds())
	if r.server.c.Release < nameFirst {
		a.Text(of.Name)
	}
	for _, d := range r.listed {
		a.Uint16(nodes[d.Node]).Text(d.Name).Text(d.Model)
	}
	a.Float64(s.StepSize.Seconds() * 1000)
	folder, world := "", s.Model.World.URI
	if at := strings.LastIndex(world, "/worlds/"); at >= 0 {
		folder = world[:at]
	}
	a.Text(folder).Text(world).Text(of.Model)
	a.Text("").Text("") // of its window, and of the library of its remote control
	a.Text(r.spec.Controller).Text(r.server.air.customData(&s.Model.Entities[r.index]))
	a.Flag(false).Flag(false).Int32(modeOf(s))
	if r.supervisor != nil {
		r.supervisor.configure(a)
	}
	for _, d := range r.devices {
		d.configure(a)
	}
}

// Modes of a simulation as controllers are told them.
const (
	modePause    = 0
	modeRealTime = 1
	modeFast     = 2
)

func modeOf(s *sim.Snapshot) int32 {
	switch {
	case s.State != sim.Playing:
		return modePause
	case s.Pacing.Asked == 0:
		return modeFast
	}
	return modeRealTime
}

// take carries out what a request says to devices. Motors and the like are set when it has been read whole.
func (r *robot) take(ctx context.Context, q *wire.Request, a *wire.Answer) error {
	r.targets = r.targets[:0]
	for _, m := range q.Messages {
		in := wire.NewReader(m.Data)
		switch {
		case m.Tag == 0:
			r.takeOwn(ctx, in, a)
		case int(m.Tag) > len(r.devices):
			return fmt.Errorf("%w: a message to device %d of %d", wire.ErrMalformed, m.Tag, len(r.devices))
		default:
			r.devices[m.Tag-1].take(in, a)
		}
		if err := cmp.Or(in.Err(), a.Err()); err != nil {
			return fmt.Errorf("message to device %d: %w", m.Tag, err)
		}
	}
	var lights []sim.LampGlow
	for _, d := range r.devices {
		switch d := d.(type) {
		case *motor:
			if d.changed {
				d.changed, r.targets = false, append(r.targets, d.target())
			}
		case *led:
			if d.changed {
				d.changed = false
				lights = append(lights, sim.LampGlow{Lamp: d.spec.LED.Lamp, Glow: d.light})
			}
		}
	}
	if len(lights) > 0 {
		r.do(ctx, sim.SetLamps{Name: r.entity, Lamps: lights})
	}
	if len(r.targets) > 0 {
		r.do(ctx, sim.SetJoints{Name: r.entity, Targets: append([]sim.JointTarget(nil), r.targets...)})
	}
	return nil
}

const (
	freeCommands = 500                  // to the engine, between two steps
	commandPause = 2 * time.Millisecond // after each beyond those
)

// pace keeps a controller that never steps from keeping the engine busy with commands.
func (r *robot) pace(ctx context.Context) {
	if r.commands++; r.commands <= freeCommands {
		return
	}
	select {
	case <-time.After(commandPause):
	case <-ctx.Done():
	}
}

// do carries out a command, and logs why it is refused.
func (r *robot) do(ctx context.Context, c sim.Command) {
	r.pace(ctx)
	if _, err := r.server.c.Backend.Do(ctx, c); err != nil && ctx.Err() == nil {
		r.warn("%s: %v", sim.Describe(c), err)
	}
}

// takeOwn carries out commands to the robot itself.
func (r *robot) takeOwn(ctx context.Context, in *wire.Reader, a *wire.Answer) {
	for in.More() && a.Err() == nil {
		switch command := in.Uint8(); command {
		case wire.Console:
			stream, size := in.Uint8(), in.Int32()
			r.console.write(r.log, stream, in.Bytes(int(size)))
		case wire.SetKeyboardPeriod:
			r.keyboard.enable(r, in.Uint16())
		case wire.SetBatteryPeriod, wire.SetJoystickPeriod, wire.SetMousePeriod:
			if in.Uint16() > 0 {
				r.warn("a terminal has no joystick and no mouse for controllers, and robots have no battery")
			}
		case wire.SetCustomData:
			in.Uint16()
			r.server.air.setCustomData(&r.snapshot.Model.Entities[r.index], in.Text())
		case wire.Exit, wire.RemoteOn, wire.RemoteOff:
		case wire.MousePosition:
			in.Uint8()
		case wire.Pin:
			in.Uint8()
			r.warn("a robot is not pinned to the static environment")
		case wire.RobotInputEvent:
			in.Bytes(8)
			r.warn("wb_robot_wait_for_user_input_event waits for nothing: wb_keyboard_get_key gives keys")
			a.To(0, wire.RobotInputEvent).Int32(0)
		case wire.RobotWindowMessage:
			in.Bytes(int(in.Int32()))
			r.warn("robot windows are not served")
		case wire.AskURDF:
			in.Uint16()
			in.Text()
			a.To(0, wire.AskURDF).Text(r.spec.Document)
			r.warn("wb_robot_get_urdf gives the text of a robot that was read from URDF, and else nothing")
		default:
			if !r.takeSupervisor(ctx, command, in, a) {
				return
			}
		}
	}
}

// skip leaves out the rest of a message: its commands have no sizes.
func (r *robot) skip(who string, command uint8, in *wire.Reader) {
	r.warn("command %d to %s is not served", command, who)
	in.Drop()
}

// tell tells the time and what devices measure after a step.
func (r *robot) tell(a *wire.Answer, s *sim.Snapshot) {
	r.commands = 0
	a.To(0, wire.RobotTime).Float64(s.Time.Seconds())
	r.keyboard.tell(a, s.Time)
	for _, d := range r.devices {
		d.tell(a)
	}
}

// sampling says when a device tells something.
type sampling struct {
	period, last time.Duration // 0: never
}

func (s *sampling) set(ms uint16, now time.Duration) {
	s.period, s.last = time.Duration(ms)*time.Millisecond, now
}

// due reports that a period has passed, and begins the next. Time that went back was reset.
func (s *sampling) due(now time.Duration) bool {
	if s.period == 0 || now-s.last < s.period && now >= s.last {
		return false
	}
	s.last = now
	return true
}

// base is the common part of devices.
type base struct {
	robot  *robot
	spec   *scene.Device
	tag    uint16
	sensor int // of the entity, that measures; -1: none
	sampling
}

// configure tells of devices without anything to tell.
func (b *base) configure(*wire.Answer) {}

// takeSampling carries out the command that all sensors have.
func (b *base) takeSampling(command uint8, in *wire.Reader) bool {
	if command != wire.SetSamplingPeriod {
		return false
	}
	b.set(in.Uint16(), b.robot.snapshot.Time)
	b.robot.watch(b.sensor, b.period > 0)
	return true
}

// take carries out the command that all sensors have; there is no other.
func (b *base) take(in *wire.Reader, _ *wire.Answer) {
	for in.More() {
		if command := in.Uint8(); !b.takeSampling(command, in) {
			b.robot.skip(b.called(), command, in)
		}
	}
}

func (b *base) called() string { return fmt.Sprintf("%s %q", b.spec.Node, b.spec.Name) }

// due reports that the device tells something now.
func (b *base) due() bool { return b.sampling.due(b.robot.snapshot.Time) }

// frame is the device's frame in the world, and its velocity.
func (b *base) frame() sim.LinkState {
	return b.robot.snapshot.LinksOf(b.robot.index)[b.spec.Link].At(b.spec.Pose)
}

// sample is the newest of the sensor that measures for the device; its Data is nil before the first.
func (b *base) sample() sim.Sample {
	samples := b.robot.snapshot.SamplesOf(b.robot.index)
	if b.sensor < 0 || b.sensor >= len(samples) {
		return sim.Sample{}
	}
	return samples[b.sensor]
}

// look is a value as the device's lookup table tells it.
func (b *base) look(x float64) float64 { return lookup(b.spec.Table, x, b.robot.noise) }

// writeTable tells of a lookup table.
func (b *base) writeTable(a *wire.Answer) {
	a.Int32(int32(len(b.spec.Table) / 3)).Float64(b.spec.Table...)
}

// lookup reads a lookup table at a value: linearly between its rows, beyond them as the last. The noise of a
// row is relative to its output.
func lookup(table []float64, x float64, noise *rand.Rand) float64 {
	n := len(table)
	if n < 3 {
		return x
	}
	out, std := table[1], table[2]
	for i := 0; i+5 < n; i += 3 {
		if lo, hi := table[i], table[i+3]; x >= hi || hi == lo {
			out, std = table[i+4], table[i+5]
		} else if x > lo {
			t := (x - lo) / (hi - lo)
			out, std = table[i+1]+t*(table[i+4]-table[i+1]), table[i+2]+t*(table[i+5]-table[i+2])
			break
		}
	}
	if std > 0 {
		out += std * math.Abs(out) * noise.NormFloat64()
	}
	return out
}

// numbers are the three numbers of a vector.
func numbers(v r3.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }
