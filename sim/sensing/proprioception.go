package sensing

import (
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// sample is the measurement of a sensor that needs no scene, after a step; frame is its own in the world.
func (p *Pipeline) sample(w World, e *Sensors, i int, frame r3.Pose, now time.Duration) sim.Measurement {
	s, m := &e.model.Sensors[i], &e.states[i]
	body := e.bodies[e.model.Placements[s.Link].Body]
	switch s.Spec.Kind {
	case scene.IMU:
		turn, accel := pointKinematics(w, body, frame.Pos)
		return reading(m, sim.IMUReading{Spec: &s.Spec.IMU, Orientation: imuFrame(w, &s.Spec.IMU, frame.Rot),
			AngularVelocity: m.biasAndNoise(0, frame.Rot.RotateBack(turn)),
			SpecificForce:   m.biasAndNoise(3, frame.Rot.RotateBack(accel.Sub(w.Gravity())))})
	case scene.Contact:
		return p.contactSamples(w, e, s, m)
	case scene.ForceTorque:
		return p.jointWrench(w, e, s, m, frame)
	case scene.GPS:
		return gpsFix(w, s.Spec, m, frame.Pos, w.Dynamics().Body(body).VelocityAt(frame.Pos))
	case scene.Magnetometer:
		return reading(m, sim.MagneticField{Spec: &s.Spec.Magnetic,
			Field: m.biasAndNoise(0, frame.Rot.RotateBack(sensor.Field(w.Earth(), frame.Pos)))})
	case scene.AirPressure:
		return barometer(w, s.Spec, m, frame.Pos, now)
	case scene.AirSpeed:
		return pitot(w, e, s.Link, s.Spec, m, frame, body, now)
	case scene.Sonar:
		return sonarRange(w, s, m, frame, body, now)
	case scene.DVL:
		return velocityLog(w, e, s, m, frame, body, now)
	case scene.OpticalFlow:
		return opticalFlow(s.Spec, m)
	}
	return reading(m, sim.AltimeterReading{Metres: m.channels[0].Report(frame.Pos.Z, m.seq),
		Speed: m.channels[1].Report(w.Dynamics().Body(body).VelocityAt(frame.Pos).Z, m.seq)})
}

// imuFrame turns an orientation in the world into one relative to the reference frame of an IMU.
func imuFrame(w World, s *scene.IMUSpec, rot r3.Quat) r3.Quat {
	if s.Reference == (r3.Quat{}) {
		return rot
	}
	if s.North {
		rot = r3.AxisAngle(r3.V(0, 0, 1), w.Earth().Heading).Mul(rot)
	}
	return s.Reference.Conj().Mul(rot)
}

// pointKinematics is the angular velocity of a body and the acceleration of its point at a place, over the
// last step, in the world frame.
func pointKinematics(w World, id dynamics.BodyID, at r3.Vec) (turn, accel r3.Vec) {
	turn = w.Dynamics().Body(id).Twist().Angular
	if !w.Dynamics().Body(id).Awake() {
		return turn, r3.Vec{}
	}
	a, arm := w.Dynamics().Body(id).Acceleration(), at.Sub(w.Dynamics().Body(id).COM())
	return turn, a.At(arm).Add(turn.Cross(turn.Cross(arm)))
}

// contactSamples are the contacts of a sensor's collision shapes, in the memory of the last unless a snapshot
// has shown that.
func (p *Pipeline) contactSamples(w World, e *Sensors, s *model.Sensor, m *state) *sim.ContactReadings {
	w.Model() // its entities name the contacts
	body := e.bodies[e.model.Placements[s.Link].Body]
	com := w.Dynamics().Body(body).COM()
	out, ok := m.sample.Data.(*sim.ContactReadings)
	if !ok || m.published {
		out = &sim.ContactReadings{}
	}
	out.Contacts = out.Contacts[:0]
	p.contacts = w.Dynamics().Contacts(p.contacts[:0])
	for k := range p.contacts {
		c := &p.contacts[k]
		own, other, ownBody, otherBody, normal, sign := c.GeomA, c.GeomB, c.BodyA, c.BodyB, c.Normal.Neg(),
			-1.0
		if c.BodyA != body || !s.ListensTo(w.Dynamics().Geom(own).User()) {
			own, other, ownBody, otherBody, normal, sign = c.GeomB, c.GeomA, c.BodyB, c.BodyA, c.Normal, 1
		}
		if ownBody != body || !s.ListensTo(w.Dynamics().Geom(own).User()) {
			continue
		}
		t := nextContact(out, c.Count)
		t.Own, t.Other, t.Normal = w.CollisionName(ownBody, own), w.CollisionName(otherBody, other), normal
		total := 0.0
		for _, p := range c.Points[:c.Count] {
			total += p.Force
		}
		for n, p := range c.Points[:c.Count] {
			share := 1 / float64(c.Count) // of the friction, which is known of the patch
			if total > 0 {
				share = p.Force / total
			}
			f := normal.Scale(p.Force).AddScaled(sign*share, c.Friction)
			t.Points[n] = sim.ContactReadingPoint{Position: p.Position, Depth: p.Depth, Force: f,
				Torque: p.Position.Sub(com).Cross(f)}
		}
	}
	return out
}

// nextContact is one more touch of so many points, in memory that is there.
func nextContact(t *sim.ContactReadings, points int) *sim.ContactReading {
	n := len(t.Contacts)
	t.Contacts = slices.Grow(t.Contacts, 1)[:n+1]
	k := &t.Contacts[n]
	k.Points = slices.Grow(k.Points[:0], points)[:points]
	return k
}

// jointWrench is the wrench through a joint: the momentum rate of the links beyond it, less external wrenches
// (d'Alembert's principle). It is the same however the joint is held, by the solver or by being one body.
func (p *Pipeline) jointWrench(w World, e *Sensors, s *model.Sensor, m *state, frame r3.Pose) *sim.Wrench {
	spec := &s.Spec.Force
	j := &e.model.Spec.Joints[spec.Joint]
	about := e.linkPose(w, j.Child).Mul(j.Pose.Upright()).Pos
	if spec.Frame == "sensor" {
		about = frame.Pos
	}
	force, torque := r3.Vec{}, r3.Vec{}
	for k := range s.Loads {
		b := &s.Loads[k]
		id := e.bodies[b.Body]
		pose := w.Dynamics().Body(id).Pose()
		at := pose.Apply(b.Mass.COM)
		turn, accel := pointKinematics(w, id, at)
		need := accel.Scale(b.Mass.Mass)
		if !e.model.Bodies[b.Body].NoGravity {
			need = need.AddScaled(-b.Mass.Mass, w.Gravity())
		}
		inertia := b.Mass.Inertia.Turned(pose.Rot)
		spin := turn.Cross(inertia.Apply(turn))
		if w.Dynamics().Body(id).Awake() {
			spin = spin.Add(inertia.Apply(w.Dynamics().Body(id).Acceleration().Angular))
		}
		force = force.Add(need)
		torque = torque.Add(spin).Add(at.Sub(about).Cross(need))
	}
	outside, turning := p.contactWrench(w, e, s, about)
	force, torque = force.Sub(outside), torque.Sub(turning)
	if !spec.ParentToChild {
		force, torque = force.Neg(), torque.Neg()
	}
	axes := e.linkPose(w, j.Child).Rot
	switch {
	case spec.Frame == "sensor":
		axes = frame.Rot
	case spec.Frame == "parent" && j.Parent >= 0:
		axes = e.linkPose(w, j.Parent).Rot
	}
	return reading(m, sim.Wrench{Spec: spec, Force: m.biasAndNoise(0, axes.RotateBack(force)),
		Torque: m.biasAndNoise(3, axes.RotateBack(torque))})
}

// contactWrench is the wrench of contacts on the links beyond a joint, about a place.
func (p *Pipeline) contactWrench(w World, e *Sensors, s *model.Sensor, about r3.Vec) (force, torque r3.Vec) {
	beyond := func(body dynamics.BodyID, geom dynamics.GeomID) bool {
		link := model.GeomLink(w.Dynamics().Geom(geom).User())
		return slices.ContainsFunc(s.Loads,
			func(b model.Load) bool { return b.Link == link && e.bodies[b.Body] == body })
	}
	p.contacts = w.Dynamics().Contacts(p.contacts[:0])
	for k := range p.contacts {
		c := &p.contacts[k]
		a, b := beyond(c.BodyA, c.GeomA), beyond(c.BodyB, c.GeomB)
		if a == b {
			continue
		}
		sign := 1.0
		if a {
			sign = -1
		}
		middle := r3.Vec{}
		for _, p := range c.Points[:c.Count] {
			f := c.Normal.Scale(sign * p.Force)
			force, torque = force.Add(f), torque.Add(p.Position.Sub(about).Cross(f))
			middle = middle.AddScaled(1/float64(c.Count), p.Position)
		}
		f := c.Friction.Scale(sign)
		force, torque = force.Add(f), torque.Add(middle.Sub(about).Cross(f))
	}
	return force, torque
}

// gpsFix is the measured position of a receiver.
func gpsFix(w World, s *scene.Sensor, m *state, at, velocity r3.Vec) *sim.GPSFix {
	earth := w.Earth()
	return reading(m, sim.GPSFix{Spec: &s.GPS, Valid: earth.Set,
		Place:    sensor.Locate(earth, m.biasAndNoise(0, sensor.East(earth, at))),
		Velocity: m.biasAndNoise(3, sensor.East(earth, velocity))})
}

// channels are the numbers that a sensor reports, with the errors that it
// keeps.
func (e *Sensors) channels(i int, stepSize time.Duration) []sensor.Channel {
	s := e.model.Sensors[i].Spec
	var noise []scene.Noise
	switch s.Kind {
	case scene.IMU:
		noise = slices.Concat(s.IMU.Turn[:], s.IMU.Force[:])
	case scene.ForceTorque:
		noise = slices.Concat(s.Force.Force[:], s.Force.Torque[:])
	case scene.Magnetometer:
		noise = s.Magnetic[:]
	case scene.GPS:
		g := &s.GPS
		noise = []scene.Noise{g.Horizontal, g.Horizontal, g.Vertical, g.SpeedHorizontal, g.SpeedHorizontal,
			g.SpeedVertical}
	case scene.AirPressure, scene.AirSpeed, scene.Sonar:
		noise = []scene.Noise{s.Noise}
	case scene.OpticalFlow:
		noise = []scene.Noise{s.Noise, s.Noise}
	case scene.DVL:
		n := len(s.DVL.Beams)
		noise = slices.Concat(slices.Repeat([]scene.Noise{s.DVL.Bottom.Noise}, n),
			slices.Repeat([]scene.Noise{s.DVL.Water.Noise}, n))
	case scene.Altimeter:
		noise = []scene.Noise{s.Noise, s.Speed}
	}
	rate := s.Rate
	if rate <= 0 {
		rate = 1 / stepSize.Seconds()
	}
	out := make([]sensor.Channel, len(noise))
	for k := range noise {
		out[k] = sensor.NewChannel(noise[k], e.noiseKey(i), k, rate)
	}
	return out
}

// biasAndNoise adds the errors of three channels, from the first on, to a vector.
func (m *state) biasAndNoise(first int, v r3.Vec) r3.Vec {
	c := m.channels[first : first+3]
	return r3.V(c[0].Report(v.X, m.seq), c[1].Report(v.Y, m.seq), c[2].Report(v.Z, m.seq))
}
