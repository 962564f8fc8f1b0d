package webots

import (
	"math"
	"slices"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// readPropeller reads a Propeller in a Solid; in is the frame of what holds it in that Solid's link. Its
// helix is a link that is only seen, on a joint that its motor turns.
func readPropeller(b *builder, r ref, link int, in frame) {
	motor, ok := b.node(r, "device")
	switch {
	case b.err != nil:
		return
	case !ok:
		b.noteAt(scene.Suspicious, r, "Propeller%s without a device gives no thrust; want a RotationalMotor", b.called(r))
	case motor.n.Type != "RotationalMotor":
		b.noteAt(scene.Suspicious, r, "Propeller%s with a %s as its device gives no thrust; want a RotationalMotor",
			b.called(r), motor.n.Type)
		ok = false
	}
	helix, seen := helixOf(b, r)
	if !ok {
		if seen {
			looks(b, helix, link, b.inside(in, helix))
		}
		return
	}
	axis, upright := b.vec(r, "shaftAxis", r3.V(1, 0, 0)).Unit()
	if !upright {
		axis = r3.V(1, 0, 0)
		b.noteAt(scene.Suspicious, r, "a shaftAxis without direction; using %v", axis)
	}
	hub := r3.Pose{Pos: in.pose.Apply(finite(b.reader, r, "centerOfThrust").Mul(in.scale)), Rot: in.pose.Rot}
	// Motor and helix often share a name, which commands use: the joint has it first.
	j := scene.Joint{Kind: scene.Continuous, Parent: link,
		Name: b.own(pickText(b.text(motor, "name", ""), "rotational motor"))}
	of := r
	if seen {
		of = helix
	}
	to := b.link(of, frame{b.frames[link].pose.Mul(hub), in.scale})
	b.dynamic[to] = false // no mass of a helix counts
	if b.err != nil {
		return
	}
	if seen {
		at := b.inside(in, helix)
		looks(b, helix, to, frame{hub.Relative(at.pose), at.scale})
	}
	if team, _, several := strings.Cut(j.Name, "::"); several {
		b.noteOnce(scene.Unsupported, motor, "motors of Propellers are told their velocities one by one: those named %q are not coupled",
			clip(team)+"::…")
	}
	b.listInJoint(motor, link)
	b.names.Release(j.Name) // until it is tied
	b.tie(r, j, freedom{kind: scene.Revolute, axis: in.pose.Rot.Rotate(axis), anchor: hub.Pos}, to)
	b.spec.Flow.Rotors = append(b.spec.Flow.Rotors, rotorOf(b, r, motor))
}

// rotorOf is the rotor of a Propeller, on the joint that was read last.
func rotorOf(b *builder, r, motor ref) scene.Rotor {
	joint := len(b.spec.Joints) - 1
	thrust, torque := pair(b, r, "thrustConstants"), pair(b, r, "torqueConstants")
	j := &b.spec.Joints[joint]
	out := scene.Rotor{Joint: joint, Axis: j.Pose.Rot.Rotate(j.Axis), Turn: 1, Reverses: true,
		Thrust: thrust[0], Inflow: thrust[1], Torque: torque[0], Windmill: torque[1]}
	const unlimited = 1e9
	if v := math.Abs(b.num(motor, "maxVelocity", 10)); v > 0 && v < unlimited {
		out.Most = v
	}
	if a := b.num(motor, "acceleration", -1); a > 0 && a < unlimited {
		out.Accel = a
	}
	if most := b.num(motor, "maxTorque", 10); most > 0 && most < unlimited {
		out.Stall = most
		// A motor without a body to turn changes its speed by its torque on 1 kg·m² at most, as in Webots.
		if out.Accel == 0 || out.Accel > most {
			out.Accel = most
		}
	}
	return out
}

// pair is the constants of a thrust or torque.
func pair(b *builder, r ref, name string) (out [2]float64) {
	v, given := b.get(r, name)
	out = [2]float64{1, 0}
	if !given {
		return out
	}
	for i, x := range v.Numbers {
		if len(v.Numbers) != 2 || !(math.Abs(x) <= mostCoefficient) {
			b.note(scene.Suspicious, v.file, v.Pos, "%s of %d numbers, the %s of them %g; want two finite numbers, using 1 0",
				name, len(v.Numbers), [...]string{"first", "second"}[min(i, 1)], x)
			return [2]float64{1, 0}
		}
		out[i] = x
	}
	return out
}

// helixOf is the visible part of a Propeller: its slow helix, or else its fast one.
func helixOf(b *builder, r ref) (ref, bool) {
	for _, name := range [2]string{"slowHelix", "fastHelix"} {
		if h, ok := b.node(r, name); ok {
			return h, true
		}
	}
	return ref{}, false
}

// looks reads the shapes of a node that are seen, and those of nodes in it.
func looks(b *builder, r ref, link int, in frame) {
	for _, k := range b.nodes(r, "children") {
		o, ok := b.open(k)
		if !ok || b.err != nil {
			continue
		}
		switch baseNodes[o.n.Type].role {
		case visual:
			b.visual(o, link, in)
		case group, solid, device:
			looks(b, o, link, b.inside(in, o))
		}
	}
	if _, touches := b.get(r, "boundingObject"); touches {
		b.noteOnce(scene.Ignored, r, "helices of Propellers are only seen: their boundingObject and Physics have no effect")
	}
}

// propels reports that a joint is that of a Propeller.
func propels(b *builder, joint int) bool {
	return slices.ContainsFunc(b.spec.Flow.Rotors, func(r scene.Rotor) bool { return r.Joint == joint })
}
