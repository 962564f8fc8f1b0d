package mjcf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxStates bounds the numbers of a keyframe.
const maxStates = 1_000_000

// home is the keyframe from which a model starts where no other is asked for, and where it has one.
const home = "home"

// keyframe reads a <key>. One of them is the model's initial state, the others are checked; all names are
// kept. One without a name goes by its number, from 0.
func (b *build) keyframe(e elem, _ string) error {
	if e.Name != "key" {
		unknown(e, "keyframe")
		return nil
	}
	name := e.Get("name")
	if name == "" {
		name = strconv.Itoa(len(b.keyNames))
	}
	if b.keyNames[name] {
		return e.errorf("a second keyframe %q", clip(name))
	}
	b.keyNames[name] = true
	k, wrong, err := b.readKey(e)
	if err != nil {
		return err
	}
	if wrong != "" {
		if b.doc.Keyframe == name {
			return e.errorf("%s", wrong)
		}
		e.note(scene.Suspicious, "keyframe %q is left out: %s", clip(name), wrong)
		return nil
	}
	b.keyframes = append(b.keyframes, name)
	if want := b.doc.Keyframe; want == name || want == "" && name == home {
		b.start(k)
	}
	return nil
}

// key is the numbers of a keyframe; nil where it does not give them.
type key struct {
	qpos, qvel, act, ctrl, mpos, mquat []float64
}

// readKey reads the numbers of a keyframe, and counts them; wrong says of which there are too many or too few.
func (b *build) readKey(e elem) (k key, wrong string, err error) {
	size := b.stateSize()
	for _, f := range []struct {
		name, of string
		want     int
		to       *[]float64
	}{
		{"qpos", "the joints have %d", size.positions, &k.qpos},
		{"qvel", "the joints have %d", size.velocities, &k.qvel},
		{"ctrl", "there are %d actuators", len(b.actuators), &k.ctrl},
		{"act", "the actuators have %d", b.activations(), &k.act},
		{"mpos", "bodies with mocap have %d", 3 * size.mocaps, &k.mpos},
		{"mquat", "bodies with mocap have %d", 4 * size.mocaps, &k.mquat},
	} {
		if *f.to, err = (attrs{e}).numbers(f.name, 0, maxStates); err != nil {
			return k, "", err
		}
		if n := len(*f.to); n > 0 && f.want >= 0 && n != f.want && wrong == "" {
			wrong = fmt.Sprintf("%s of <key> has %d numbers; "+f.of, f.name, n, f.want)
		}
	}
	return k, wrong, nil
}

// activations is the number of activations of all actuators; -1: some actuator is not known.
func (b *build) activations() int {
	n := 0
	for _, d := range b.actuators {
		if d == nil || !d.understood {
			return -1
		}
		n += d.dynamics.states
	}
	return n
}

// start makes a keyframe the initial state.
func (b *build) start(k key) {
	b.assumeMocap(k)
	if len(k.qpos) > 0 {
		b.assume(k.qpos)
	}
	act := k.act
	for i, d := range b.actuators {
		if d == nil {
			continue
		}
		if len(k.ctrl) > 0 {
			d.input = k.ctrl[i]
		}
		if n := d.dynamics.states; len(act) >= n && n > 0 {
			d.act, act = act[n-1], act[n:]
		}
	}
	b.assumeSpeeds(k.qvel)
}

// checkKeyframe refuses the name of a keyframe that the file does not have.
func (b *build) checkKeyframe() error {
	want := b.doc.Keyframe
	if want == "" || slices.Contains(b.keyframes, want) {
		return nil
	}
	if len(b.keyframes) == 0 {
		return b.doc.Errorf(b.doc.Tree.Root, "there is no keyframe %q: the file has none", clip(want))
	}
	return b.doc.Errorf(b.doc.Tree.Root, "there is no keyframe %q; the file has %s%s", clip(want),
		clip(strings.Join(b.keyframes, ", ")), source.Near(want, b.keyframes))
}

// stateSize is the number of values in the state of a model.
type stateSize struct {
	bodies                        int // of which it was counted; 0: not yet
	positions, velocities, mocaps int
}

// stateSize counts once: keyframes come last, and each asks.
func (b *build) stateSize() stateSize {
	s := &b.size
	if s.bodies == len(b.bodies) {
		return *s
	}
	*s = stateSize{bodies: len(b.bodies)}
	for _, n := range b.bodies {
		if n.mocap {
			s.mocaps++
		}
		if n.free {
			s.positions, s.velocities = s.positions+7, s.velocities+6
		}
		for _, i := range n.joints {
			w := width(b.joints[i])
			s.positions, s.velocities = s.positions+w, s.velocities+min(w, 3)
		}
	}
	return *s
}

// width is the number of coordinates of a joint.
func width(j *joint) int {
	if j.kind == scene.Ball {
		return 4
	}
	return 1
}

// turnOf is the rotation of four numbers, w x y z; the identity where they have no direction.
func turnOf(q []float64) r3.Quat {
	rot, ok := r3.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]}.Unit()
	if !ok {
		return r3.Identity()
	}
	return rot
}

// assumeMocap puts bodies that are moved from outside where a keyframe has them.
func (b *build) assumeMocap(k key) {
	for _, n := range b.bodies {
		if !n.mocap {
			continue
		}
		if len(k.mpos) > 0 {
			n.pose.Pos, k.mpos = r3.V(k.mpos[0], k.mpos[1], k.mpos[2]), k.mpos[3:]
		}
		if len(k.mquat) > 0 {
			n.pose.Rot, k.mquat = turnOf(k.mquat), k.mquat[4:]
		}
	}
	b.place()
}

// assume puts free bodies and joints where a keyframe has them.
func (b *build) assume(q []float64) {
	for _, n := range b.bodies {
		if n.free {
			n.pose = r3.Pose{Pos: r3.V(q[0], q[1], q[2]), Rot: turnOf(q[3:])}
			q = q[7:]
		}
		for _, i := range n.joints {
			if j := b.joints[i]; j.kind == scene.Ball {
				j.turn = turnOf(q)
			} else {
				j.initial = q[0] - j.ref
			}
			q = q[width(b.joints[i]):]
		}
	}
	b.place()
}

// assumeSpeeds gives free bodies and joints the velocities of a keyframe.
func (b *build) assumeSpeeds(v []float64) {
	if len(v) == 0 {
		return
	}
	for _, n := range b.bodies {
		if n.free {
			n.twist = r3.Twist{Linear: r3.V(v[0], v[1], v[2]), Angular: r3.V(v[3], v[4], v[5])}
			v = v[6:]
		}
		for _, i := range n.joints {
			j := b.joints[i]
			if j.kind == scene.Ball {
				j.spin, v = r3.V(v[0], v[1], v[2]), v[3:]
			} else {
				j.speed, v = v[0], v[1:]
			}
		}
	}
}

// move finds how fast bodies move at the start, joints where they are then.
func (b *build) move() {
	at, twists := make([]r3.Pose, len(b.bodies)), make([]r3.Twist, len(b.bodies))
	at[0] = b.bodies[0].at
	for i, n := range b.bodies[1:] {
		carrier, from := twists[n.parent], at[n.parent]
		pose := from.Mul(n.pose)
		t := r3.Twist{Linear: carrier.At(pose.Pos.Sub(from.Pos)), Angular: carrier.Angular}
		if n.free {
			t = r3.Twist{Linear: n.twist.Linear, Angular: pose.Rot.Rotate(n.twist.Angular)}
		}
		for _, k := range n.joints {
			pose, t = b.joints[k].carry(pose, t)
			n.twists = append(n.twists, t)
		}
		if len(n.joints) == 0 {
			n.twists = []r3.Twist{t}
		}
		at[i+1], twists[i+1] = pose, t
	}
}

// carry is the pose and the velocity behind a joint, from those before it.
func (j *joint) carry(pose r3.Pose, t r3.Twist) (r3.Pose, r3.Twist) {
	anchor, axis := pose.Apply(j.pos), pose.Rot.Rotate(j.axis)
	to := j.behind(pose)
	t.Linear = t.At(to.Pos.Sub(pose.Pos))
	turn := axis.Scale(j.speed)
	switch j.kind {
	case scene.Prismatic:
		t.Linear = t.Linear.Add(turn)
		return to, t
	case scene.Ball:
		turn = to.Rot.Rotate(j.spin)
	}
	t.Angular = t.Angular.Add(turn)
	t.Linear = t.Linear.Add(turn.Cross(to.Pos.Sub(anchor)))
	return to, t
}

// place finds where bodies stand in the world, joints at zero.
func (b *build) place() {
	for _, n := range b.bodies {
		n.at = n.pose
		if n.parent >= 0 {
			n.at = b.bodies[n.parent].at.Mul(n.pose)
		}
	}
}
