package model

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// maxTransmissionNumber bounds stiffness, damping, lengths and coefficients of a transmission: larger ones
// leave the solver no digits.
const maxTransmissionNumber = 1e15

// Transmission is a transmission between bodies and joints of a model.
type Transmission struct {
	Bodies []int                    // by the numbers of the path
	Joints []int                    // by Def.Joints
	Def    dynamics.TransmissionDef // without its bodies and joints
	Spec   *scene.Transmission
	// the actuator with numbers that follow from the model; nil: there is none
	Actuator *scene.Actuator
}

// buildTransmissions makes the transmissions of what moves. One that the engine cannot run is noted.
func (c *compiler) buildTransmissions() {
	for i := range c.Spec.Transmissions {
		t := &c.Spec.Transmissions[i]
		if why := c.cannotTransmit(t); why != "" {
			c.note(scene.Unsupported, "transmission %q is not run: %s", t.Name, why)
			continue
		}
		out := Transmission{Spec: t, Def: dynamics.TransmissionDef{Offset: t.Offset, Passive: t.Passive}}
		c.placePath(&out, &t.Path)
		moves := false
		for _, b := range out.Bodies {
			moves = moves || c.Bodies[b].Type == dynamics.Dynamic
		}
		for _, term := range t.Joints {
			if j := &c.Joints[term.Joint]; j.Moves && j.HasMotorAxis() {
				moves = true
				out.Joints = append(out.Joints, term.Joint)
				out.Def.Joints = append(out.Def.Joints, dynamics.JointTerm{Coefficient: term.Coefficient})
			}
		}
		if !moves {
			continue
		}
		if t.SpringAtRest {
			rest := c.restLength(&out)
			out.Def.Passive.Rest = [2]float64{rest, rest}
		}
		if t.RangeAtRest {
			rest := c.lengthAt(&out, func(int) float64 { return 0 })
			p := &out.Def.Passive
			p.Range[0], p.Range[1] = p.Range[0]+rest, p.Range[1]+rest
		}
		if t.Actuator != nil {
			a := *t.Actuator
			out.Actuator = &a
		}
		c.Transmissions = append(c.Transmissions, out)
	}
	c.resolveActuators()
}

// cannotTransmit is the reason why the engine does not run a transmission; empty: it does.
func (c *compiler) cannotTransmit(t *scene.Transmission) string {
	if err := t.Path.Check(len(c.Spec.Links)); err != nil {
		return err.Error()
	}
	p := &t.Passive
	numbers := []float64{p.Stiffness, p.Damping, p.Friction, p.Rest[0], p.Rest[1], t.Offset}
	if p.Limited {
		numbers = append(numbers, p.Range[0], p.Range[1])
	}
	for _, term := range t.Joints {
		if term.Joint < 0 || term.Joint >= len(c.Joints) {
			return "it names a joint that is not there"
		}
		numbers = append(numbers, term.Coefficient)
	}
	for _, x := range numbers {
		if !(math.Abs(x) <= maxTransmissionNumber) {
			return fmt.Sprintf("a number of %g; want at most %g", x, maxTransmissionNumber)
		}
	}
	return ""
}

// placePath puts a path of links on bodies, each of which has a number of its own in it.
func (c *compiler) placePath(out *Transmission, of *transmission.Path) {
	numbers := map[int]int32{}
	mount := func(m transmission.Mount) transmission.Mount {
		body, at := 0, m.Pose
		if m.Body == transmission.World {
			body = c.worldBody()
		} else {
			body = c.Placements[m.Body].Body
			at = c.Placements[m.Body].Pose.Mul(m.Pose)
		}
		number, known := numbers[body]
		if !known {
			number = int32(len(out.Bodies))
			numbers[body] = number
			out.Bodies = append(out.Bodies, body)
		}
		return transmission.Mount{Body: number, Pose: at}
	}
	p := &out.Def.Path
	for _, k := range of.Parts {
		if k.Kind != transmission.Pulley {
			m := mount(transmission.Mount{Body: k.Body, Pose: k.Pose})
			k.Body, k.Pose = m.Body, m.Pose
		}
		if k.Sided {
			m := mount(transmission.Mount{Body: k.SideBody, Pose: r3.Pose{Pos: k.Side, Rot: r3.Identity()}})
			k.SideBody, k.Side = m.Body, m.Pose.Pos
		}
		p.Parts = append(p.Parts, k)
	}
	if t := of.Thruster; t != nil {
		moved := *t
		if moved.Site = mount(t.Site); t.Relative {
			moved.Ref = mount(t.Ref)
		}
		p.Thruster = &moved
	}
	if k := of.Crank; k != nil {
		p.Crank = &transmission.Crank{Slider: mount(k.Slider), Pin: mount(k.Pin), Rod: k.Rod}
	}
}

// restLength is the length where the springs of all joints rest.
func (c *compiler) restLength(t *Transmission) float64 {
	at := func(j int) float64 {
		if s := &c.Spec.Joints[j]; s.Kind.HasPosition() {
			return s.SpringRest
		}
		return 0
	}
	return c.lengthAt(t, at)
}
