package mjcf

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxStates bounds the numbers of a keyframe.
const maxStates = 1_000_000

// keyframe reads a <key>. The key "home" is the model's initial state; the others are checked.
func (b *build) keyframe(e elem, _ string) error {
	if e.Name != "key" {
		unknown(e, "keyframe")
		return nil
	}
	want := b.width()
	a := attrs{e}
	q, err := a.numbers("qpos", 0, maxStates)
	if err != nil {
		return err
	}
	if len(q) > 0 && len(q) != want {
		return e.errorf("qpos of <key> has %d numbers; the joints have %d", len(q), want)
	}
	ctrl, err := a.numbers("ctrl", 0, maxStates)
	if err != nil {
		return err
	}
	if len(ctrl) > 0 && len(ctrl) != len(b.actuatorTargets) {
		return e.errorf("ctrl of <key> has %d numbers; there are %d actuators", len(ctrl),
			len(b.actuatorTargets))
	}
	if e.Get("name") != "home" {
		e.note(scene.Unsupported, "keyframe %q is ignored; the model starts at rest, or as \"home\" says",
			clip(e.Get("name")))
		return nil
	}
	if len(q) > 0 {
		b.assume(e, q)
	}
	for i, c := range ctrl {
		for _, p := range b.actuatorTargets[i] {
			if j := b.joints[p.joint]; j.servo.Stiffness > 0 {
				j.command(&p.drive, c)
			}
		}
	}
	return nil
}

// width is the number of coordinates of all joints. Keyframes come last, and each asks.
func (b *build) width() int {
	if b.measured != len(b.bodies) {
		b.measured, b.positions = len(b.bodies), 0
		for _, n := range b.bodies {
			if n.free {
				b.positions += 7
			}
			for _, i := range n.joints {
				b.positions += width(b.joints[i])
			}
		}
	}
	return b.positions
}

// width is the number of coordinates of a joint.
func width(j *joint) int {
	if j.kind == scene.Ball {
		return 4
	}
	return 1
}

// assume puts free bodies and joints where a keyframe has them.
func (b *build) assume(e elem, q []float64) {
	for _, n := range b.bodies {
		if n.free {
			rot, ok := r3.Quat{W: q[3], X: q[4], Y: q[5], Z: q[6]}.Unit()
			if !ok {
				rot = r3.Identity()
			}
			n.pose = r3.Pose{Pos: r3.V(q[0], q[1], q[2]), Rot: rot}
			q = q[7:]
		}
		for _, i := range n.joints {
			j := b.joints[i]
			if j.kind != scene.Ball {
				j.initial = q[0] - j.ref
			} else if q[0] != 1 {
				e.note(scene.Unsupported, "the keyframe's turn of ball joint %q is ignored", clip(j.name))
			}
			q = q[width(j):]
		}
		n.at = n.pose
		if n.parent >= 0 {
			n.at = b.bodies[n.parent].at.Mul(n.pose)
		}
	}
}
