package model

import (
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// resolveActuators finds the numbers of actuators that follow from the model. These are the damper of a
// damping ratio, the peak force of a muscle and the lengths between which it works.
func (c *compiler) resolveActuators() {
	var open []int
	for i := range c.Transmissions {
		if a := c.Transmissions[i].Actuator; a != nil && (a.DampingRatio > 0 || a.Muscle != nil) {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return
	}
	mobilities := c.mobilities(open)
	for k, i := range open {
		t := &c.Transmissions[i]
		a, x := t.Actuator, mobilities[k]
		if a.DampingRatio > 0 && a.Bias[1] < 0 && x.inverseMass > 0 {
			a.Bias[2] = -2 * a.DampingRatio * math.Sqrt(-a.Bias[1]/x.inverseMass) / math.Abs(a.Gear)
		}
		if a.Muscle == nil {
			continue
		}
		m := *a.Muscle
		a.Muscle = &m
		if m.LengthRange == [2]float64{} {
			m.LengthRange = c.lengthRange(t)
		}
		if response := math.Abs(a.Gear) * x.response; m.Peak < 0 && response > 0 {
			m.Peak = m.Scale / response
		}
		if !(m.LengthRange[0] < m.LengthRange[1]) || m.Peak < 0 {
			c.note(scene.Unsupported, "muscle %q is not run: its length does not change between stops", t.Spec.Name)
			t.Actuator = nil
		}
	}
}

// mobility is the answer of a transmission at rest to a unit of impulse.
type mobility struct{ inverseMass, response float64 }

// mobilities measures some transmissions, all joints at zero, in a world of the model alone.
func (c *compiler) mobilities(which []int) []mobility {
	out := make([]mobility, len(which))
	p, err := dynamics.New(dynamics.Config{NoSleep: true})
	if err != nil {
		return out
	}
	poses := c.BodyPoses(c.Spec.Frame.Upright(), func(int) float64 { return 0 })
	bodies, joints := make([]dynamics.BodyID, len(c.Bodies)), make([]dynamics.JointID, len(c.Joints))
	for i := range c.Bodies {
		b := &c.Bodies[i]
		if bodies[i], err = p.AddBody(dynamics.BodyDef{Type: b.Type, Pose: poses[i], Mass: b.Mass.Mass,
			COM: b.Mass.COM, Inertia: b.Mass.Inertia}); err != nil {
			return out // the model itself is refused with this error where it is spawned
		}
	}
	for i := range c.Joints {
		if j := &c.Joints[i]; j.Moves {
			def := j.Def
			def.Parent, def.Child = bodies[j.Parent], bodies[j.Child]
			if joints[i], err = p.AddJoint(def); err != nil {
				return out
			}
		}
	}
	for _, tree := range c.Articulations {
		ids := make([]dynamics.JointID, len(tree))
		for i, j := range tree {
			ids[i] = joints[j]
		}
		if err := p.Articulate(ids); err != nil {
			return out
		}
	}
	ids := make([]dynamics.TransmissionID, len(which))
	for k, i := range which {
		def := c.Transmissions[i].DefOf(bodies, joints)
		def.Passive = transmission.Passive{Damping: 1e-9} // so that it acts
		if ids[k], err = p.AddTransmission(def); err != nil {
			return out
		}
	}
	if err := p.Step(1e-6); err != nil {
		return out
	}
	for k := range which {
		out[k].inverseMass, out[k].response = p.Transmission(ids[k]).Mobility()
	}
	return out
}

// DefOf is the definition of a transmission between bodies by Model.Bodies and joints by Model.Joints.
func (t *Transmission) DefOf(bodies []dynamics.BodyID, joints []dynamics.JointID) dynamics.TransmissionDef {
	def := t.Def
	def.Joints, def.Bodies = nil, nil
	for i, j := range t.Joints {
		def.Joints = append(def.Joints, dynamics.JointTerm{Joint: joints[j],
			Coefficient: t.Def.Joints[i].Coefficient})
	}
	for _, b := range t.Bodies {
		def.Bodies = append(def.Bodies, bodies[b])
	}
	return def
}

// maxLengths bounds the lengths that the search for a muscle's range looks at.
const maxLengths = 4000

// lengthRange is the shortest and the longest length that an actuator sees between the stops of joints. It is
// found by a pattern search from where all joints are at zero.
func (c *compiler) lengthRange(t *Transmission) (out [2]float64) {
	looks := 0
	q := make([]float64, len(c.Joints))
	length := func() float64 {
		looks++
		return t.Actuator.Gear * c.lengthAt(t, func(j int) float64 { return q[j] })
	}
	for side, sign := range [2]float64{-1, 1} {
		looks = 0
		for j := range q {
			q[j] = 0
			if d := &c.Joints[j].Def; d.Limited {
				q[j] = max(d.Lower, min(d.Upper, 0))
			}
		}
		best := length()
		for step := 0.125; step > 1e-5 && looks < maxLengths; step *= 0.5 {
			for again := true; again && looks < maxLengths; {
				again = false
				for j := range c.Joints {
					d := &c.Joints[j].Def
					if !c.Joints[j].Moves || !d.Limited || !c.Joints[j].IsSingleDOF() {
						continue
					}
					was := q[j]
					for _, way := range [2]float64{step, -step} {
						q[j] = max(d.Lower, min(d.Upper, was+way*(d.Upper-d.Lower)))
						if l := length(); sign*(l-best) > 1e-12 {
							best, again, was = l, true, q[j]
							break
						}
						q[j] = was
					}
				}
			}
		}
		out[side] = best
	}
	return out
}

// lengthAt is the length of a transmission with joints at positions.
func (c *compiler) lengthAt(t *Transmission, at func(joint int) float64) float64 {
	poses := c.BodyPoses(c.Spec.Frame.Upright(), at)
	length, _ := t.Def.Path.Measure(func(i int32) r3.Pose { return poses[t.Bodies[i]] }, nil)
	length += t.Def.Offset
	for i, j := range t.Joints {
		length += float64(t.Def.Joints[i].Coefficient * at(j))
	}
	return length
}
