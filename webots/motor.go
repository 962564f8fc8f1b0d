package webots

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

// motor takes commands for a joint. A command to a motor is one to its team: the joint that leads it gets it,
// times that motor's multiplier.
type motor struct {
	base
	joint   int // that tells its effort
	lead    string
	factor  float64 // of what is asked, for the leading joint
	most    float64 // effort, N·m or N; 0: endless
	fastest float64 // rad/s or m/s; 0: endless
	linear  bool
	rotor   bool // it turns a propeller, by velocity alone

	changed                    bool
	mode                       sim.JointMode
	position, velocity, effort float64
	available                  float64
	feedback                   sampling
}

func newMotor(b base, joint int) *motor {
	j, d := &b.robot.spec.Joints[joint], b.spec.Motor
	m := &motor{base: b, joint: joint, lead: j.Name, factor: cmp.Or(d.Multiplier, 1),
		most: math.Max(0, d.MaxEffort), fastest: math.Abs(d.MaxVelocity),
		linear: b.spec.Node == "LinearMotor", mode: sim.JointPosition, position: j.Initial}
	m.rotor = slices.ContainsFunc(b.robot.spec.Flow.Rotors,
		func(r scene.Rotor) bool { return r.Joint == joint })
	if j.Mimic.Set {
		m.lead = b.robot.spec.Joints[j.Mimic.Joint].Name
		for i := range b.robot.spec.Robot.Devices {
			if o := &b.robot.spec.Robot.Devices[i]; o.Motor != nil && o.Joint == m.lead {
				m.factor = cmp.Or(o.Motor.Multiplier, 1)
			}
		}
	}
	m.velocity, m.available = m.fastest, m.most
	return m
}

// jointType is the number of a kind of joint in the library.
func jointType(linear bool) int32 {
	if linear {
		return 1
	}
	return 0
}

func (m *motor) configure(a *wire.Answer) {
	d := m.spec.Motor
	a.To(m.tag, wire.Configure).Int32(jointType(m.linear)).Float64(d.MinPosition, d.MaxPosition, m.fastest,
		d.Acceleration, m.most, d.PID[0], d.PID[1], d.PID[2], m.position, m.velocity, d.Multiplier)
	team := m.team()
	a.Int32(int32(len(team)))
	for _, tag := range team {
		a.Uint16(tag)
	}
}

// team are the tags of the motors that move with it: those whose names begin alike before "::".
func (m *motor) team() (tags []uint16) {
	own, _, several := strings.Cut(m.spec.Name, "::")
	for i, d := range m.robot.listed {
		other, _, team := strings.Cut(d.Name, "::")
		if several && team && own == other && d.Motor != nil && uint16(i+1) != m.tag {
			tags = append(tags, uint16(i+1))
		}
	}
	return tags
}

func (m *motor) take(in *wire.Reader, a *wire.Answer) {
	for in.More() {
		switch command := in.Uint16(); command {
		case wire.MotorPosition:
			m.changed, m.position, m.mode = true, in.Float64(), sim.JointPosition
			if math.IsInf(m.position, 0) {
				m.mode = sim.JointVelocity
			}
		case wire.MotorVelocity:
			m.changed, m.velocity = true, in.Float64()
			if m.mode == sim.JointEffort { // as Webots goes back to the control before
				m.mode = sim.JointPosition
				if math.IsInf(m.position, 0) {
					m.mode = sim.JointVelocity
				}
			}
		case wire.MotorForce:
			m.changed, m.effort, m.mode = true, in.Float64(), sim.JointEffort
		case wire.MotorAvailableForce:
			m.changed, m.available = true, in.Float64()
		case wire.MotorAcceleration:
			if x := in.Float64(); x != m.spec.Motor.Acceleration {
				m.robot.warn("%s keeps the acceleration of the file, %g", m.called(), m.spec.Motor.Acceleration)
			}
		case wire.MotorPID:
			in.Bytes(24)
			m.robot.warn("%s goes to its position without a PID controller: setControlPID changes nothing",
				m.called())
		case wire.MotorFeedback:
			m.feedback.set(in.Uint16(), m.robot.snapshot.Time)
		case wire.MotorAssociated:
			a.To(m.tag, wire.MotorAssociated).Uint16(m.robot.beside(m.spec.Joint, in.Uint16()))
		default:
			m.robot.skip(m.called(), uint8(command), in)
		}
	}
}

// beside is the tag of another device of a joint, by the number of its type; 0: there is none.
func (r *robot) beside(joint string, node uint16) uint16 {
	for i, d := range r.listed {
		motors := d.Motor != nil && (node == r.server.nodes["RotationalMotor"] ||
			node == r.server.nodes["LinearMotor"])
		if d.Joint == joint && (r.server.nodes[d.Node] == node || motors) {
			return uint16(i + 1)
		}
	}
	return 0
}

// target is the command to the joint. The engine refuses numbers that are not finite.
func (m *motor) target() sim.JointTarget {
	if m.rotor {
		return m.spin()
	}
	t := sim.JointTarget{Joint: m.lead, Mode: m.mode, Effort: within(m.available, m.most)}
	speed := within(math.Abs(m.velocity), m.fastest)
	switch {
	case t.Effort == 0 && m.available == 0 && m.most > 0: // it is let go
		return sim.JointTarget{Joint: m.lead, Mode: sim.JointEffort}
	case m.mode == sim.JointEffort:
		t.Target = math.Copysign(within(math.Abs(m.effort), t.Effort), m.effort)
		t.Effort = 0
	case m.mode == sim.JointPosition && speed > 0:
		t.Target, t.Speed = m.position*m.factor, speed*math.Abs(m.factor)
	case m.mode == sim.JointPosition: // it stays where it is
		t.Mode = sim.JointVelocity
	default:
		t.Target = math.Copysign(speed, m.velocity) * m.factor
	}
	if m.robot.spec.Joints[m.joint].Kinematic {
		t.Effort = 0
	}
	return t
}

// spin is the command to a propeller: a velocity. Webots' propellers know no torque of a controller.
func (m *motor) spin() sim.JointTarget {
	t := sim.JointTarget{Joint: m.lead, Mode: sim.JointVelocity}
	switch {
	case math.IsInf(m.position, 0):
		t.Target = math.Copysign(within(math.Abs(m.velocity), m.fastest), m.velocity)
	case m.position != 0:
		m.robot.warn("%s turns a propeller, which goes to no position: it stands; want setPosition(INFINITY) and setVelocity",
			m.called())
	}
	return t
}

// within is a number of at most a bound, where 0 is no bound. NaN becomes 0.
func within(x, most float64) float64 {
	const endless = 1e9
	if math.IsNaN(x) {
		return 0
	}
	if most > 0 {
		return max(0, min(x, most))
	}
	return max(0, min(x, endless))
}

func (m *motor) tell(a *wire.Answer) {
	if m.feedback.due(m.robot.snapshot.Time) {
		a.To(m.tag, wire.MotorFeedback).Float64(m.robot.snapshot.JointsOf(m.robot.index)[m.joint].Effort)
	}
}

// positionSensor tells where a joint is.
type positionSensor struct {
	base
	joint int
}

func (p *positionSensor) configure(a *wire.Answer) {
	kind := p.robot.spec.Joints[p.joint].Kind
	a.To(p.tag, wire.Configure).Int32(jointType(kind == prismatic))
}

func (p *positionSensor) take(in *wire.Reader, a *wire.Answer) {
	for in.More() {
		switch command := in.Uint8(); {
		case p.takeSampling(command, in):
		case command == wire.PositionSensorAssociated:
			a.To(p.tag, wire.PositionSensorAssociated).Uint16(p.robot.beside(p.spec.Joint, in.Uint16()))
		default:
			p.robot.skip(p.called(), command, in)
		}
	}
}

func (p *positionSensor) tell(a *wire.Answer) {
	if p.due() {
		at, _ := p.robot.snapshot.JointsOf(p.robot.index)[p.joint].Reported()
		a.To(p.tag, wire.PositionSensorData).Float64(at)
	}
}
