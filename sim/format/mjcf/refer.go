package mjcf

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// equality is an equality constraint that becomes a joint of its own.
type equality struct {
	name   string
	kind   scene.JointKind // Ball or Fixed
	bodies [2]int          // the second may be the world
	at     r3.Pose         // in the first body
	other  r3.Pose         // in the second body, where the two may be apart at the start; zero: where at is
}

// contact reads the bodies that do not touch, and the shapes that do.
func (r *reader) contact(e elem, prefix string) error {
	b := r.out
	switch e.Name {
	case "exclude":
		var ends [2][]int
		for i, attr := range [...]string{"body1", "body2"} {
			var err error
			if ends[i], err = b.bodyNamed(e, attr, prefix); err != nil {
				return err
			}
		}
		for k := range min(len(ends[0]), len(ends[1])) {
			b.apart = append(b.apart, [2]int{ends[0][k], ends[1][k]})
		}
	case "pair":
		return r.pair(e, prefix)
	default:
		unknown(e, "contact")
	}
	return nil
}

// bodyNamed is lookup of bodies, among which is the world.
func (b *build) bodyNamed(e elem, attr, prefix string) ([]int, error) {
	if e.Get(attr) == "world" {
		return []int{0}, nil
	}
	return b.lookup("body", e, attr, prefix)
}

// equality reads what holds bodies together or joints in step.
func (r *reader) equality(e elem, prefix string) error {
	a, err := r.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	active, err := a.truth("active", true)
	if err != nil {
		return err
	}
	switch {
	case e.Name != "connect" && e.Name != "weld" && e.Name != "joint" && e.Name != "tendon":
		e.note(scene.Unsupported, "<%s> in <equality> is not held", clip(e.Name))
		return nil
	case !active || r.set.noConstraints:
		return r.out.checkEnds(e, prefix)
	case e.Name == "joint":
		return r.out.readJointEquality(e, a, prefix)
	case e.Name == "tendon":
		return r.coupled(e, a, prefix)
	}
	return r.out.readEquality(e, a, prefix)
}

// checkEnds checks that what a constraint speaks of is there.
func (b *build) checkEnds(e elem, prefix string) error {
	for _, kind := range []string{"body", "joint", "tendon", "site"} {
		attr := kind + "1"
		if _, ok := e.Attr(attr); !ok || e.Get(attr) == "world" {
			continue
		}
		if _, err := b.lookup(kind, e, attr, prefix); err != nil {
			return err
		}
	}
	return nil
}

// readEquality reads <connect> and <weld>.
func (b *build) readEquality(e elem, a attrs, prefix string) error {
	t := equality{name: prefix + e.Get("name"), kind: scene.Ball, at: r3.IdentityPose()}
	if e.Name == "weld" {
		t.kind = scene.Fixed
	}
	if e.Get("site1") != "" {
		return b.readSiteEquality(e, t, prefix)
	}
	first, err := b.bodyNamed(e, "body1", prefix)
	if err != nil {
		return err
	}
	second := []int{0}
	if e.Get("body2") != "" {
		if second, err = b.bodyNamed(e, "body2", prefix); err != nil {
			return err
		}
	}
	t.bodies = [2]int{first[0], second[0]}
	anchor, err := a.numbers("anchor", 3, 3)
	if err != nil {
		return err
	}
	if anchor != nil {
		t.at.Pos = r3.V(anchor[0], anchor[1], anchor[2])
	} else if t.kind == scene.Ball {
		return e.errorf("<connect> has no anchor")
	}
	if t.kind == scene.Fixed {
		if err := t.weld(b, e, a); err != nil {
			return err
		}
	}
	b.addEquality(e, t)
	return nil
}

// weld reads the pose of the second body's anchor in the first. A weld without torques is a ball joint there.
func (t *equality) weld(b *build, e elem, a attrs) error {
	t.other = r3.Pose{Pos: t.at.Pos, Rot: r3.Identity()}
	t.at = b.bodies[t.bodies[0]].at.Relative(b.bodies[t.bodies[1]].at.Mul(t.other))
	relative, err := a.numbers("relpose", 7, 7)
	if err != nil {
		return err
	}
	if relative != nil {
		q := r3.Quat{W: relative[3], X: relative[4], Y: relative[5], Z: relative[6]}
		if q, ok := q.Unit(); ok { // zeros stand for the pose at the start
			t.at = r3.Pose{Pos: r3.V(relative[0], relative[1], relative[2]), Rot: q}
		}
	}
	torques, err := a.number("torquescale", 1)
	if err != nil {
		return err
	}
	switch {
	case torques <= 0:
		t.kind = scene.Ball
	case torques != 1:
		e.note(scene.Unsupported, "torquescale=%g: a <weld> here is rigid, also against torques", torques)
	}
	return nil
}

// readSiteEquality ties the bodies of two sites.
func (b *build) readSiteEquality(e elem, t equality, prefix string) error {
	var at [2]*site
	for i, attr := range [...]string{"site1", "site2"} {
		found, err := b.lookup("site", e, attr, prefix)
		if err != nil {
			return err
		}
		at[i] = b.sites[found[0]]
		t.bodies[i] = at[i].body
	}
	t.at, t.other = at[0].pose, at[1].pose
	b.addEquality(e, t)
	return nil
}

// nearTie is the distance in m, and in rad, up to which two ends of a tie count as one.
const nearTie = 1e-6

func (b *build) addEquality(e elem, t equality) {
	first, second := b.bodies[t.bodies[0]], b.bodies[t.bodies[1]]
	if t.other.Rot != (r3.Quat{}) {
		gap := first.at.Mul(t.at).Relative(second.at.Mul(t.other))
		if gap.Pos.Len() < nearTie && (t.kind == scene.Ball || gap.Rot.Vector().Len() < nearTie) {
			t.other = r3.Pose{}
		}
	}
	switch {
	case t.bodies[0] == t.bodies[1]:
		e.note(scene.Suspicious, "<%s> of a body with itself", e.Name)
	case first.mocap || second.mocap:
		e.note(scene.Unsupported, "<%s> to a body with mocap=\"true\" is not held", e.Name)
	case t.bodies[0] == 0 && t.other.Rot != (r3.Quat{}):
		t.at, t.other = t.other, t.at
		t.bodies = [2]int{t.bodies[1], 0}
		b.equalities = append(b.equalities, t)
	case t.bodies[0] == 0:
		t.at = second.at.Relative(t.at)
		t.bodies[0], t.bodies[1] = t.bodies[1], 0
		fallthrough
	default:
		b.equalities = append(b.equalities, t)
	}
}

// readJointEquality reads an equality of joints: the first follows a polynomial of the second.
func (b *build) readJointEquality(e elem, a attrs, prefix string) error {
	first, err := b.lookup("joint", e, "joint1", prefix)
	if err != nil {
		return err
	}
	f := []float64{0, 1, 0, 0, 0}
	own, err := a.numbers("polycoef", 1, 5)
	if err != nil {
		return err
	}
	copy(f, own)
	if e.Get("joint2") == "" {
		for _, i := range first {
			if i < 0 || b.joints[i].kind == scene.Ball {
				e.note(scene.Unsupported, "a joint without a position that is held at a constant: it is free")
				continue
			}
			j := b.joints[i]
			j.limited, j.lower, j.upper = true, j.ref+f[0], j.ref+f[0]
			j.initial = f[0]
		}
		return nil
	}
	second, err := b.lookup("joint", e, "joint2", prefix)
	if err != nil {
		return err
	}
	if f[2] != 0 || f[3] != 0 || f[4] != 0 {
		e.note(scene.Unsupported, "polycoef: the joint follows in proportion; squares and higher powers are left out")
	}
	for k := range min(len(first), len(second)) {
		// MuJoCo counts both from where they are at rest, as the engine does.
		b.gear(e, first[k], second[k], f[1], f[0])
	}
	return nil
}

// gear makes a joint follow another, unless it does already.
func (b *build) gear(e elem, follower, leader int, factor, offset float64) {
	if follower < 0 || leader < 0 || follower == leader {
		e.note(scene.Unsupported, "a joint that follows itself or a free one")
		return
	}
	j := b.joints[follower]
	if j.mimic != nil {
		e.note(scene.Unsupported, "joint %q follows another one already", clip(j.name))
		return
	}
	for len(b.leaders) < len(b.joints) {
		b.leaders = append(b.leaders, len(b.leaders))
	}
	if b.leaders.find(leader) == follower {
		e.note(scene.Unsupported, "joints that follow each other around")
		return
	}
	j.mimic = &mimic{leader, factor, offset}
	b.leaders[follower] = leader
}

// coupled reads an equality of tendons. One fixed tendon of two joints gears them. Others are a length that
// stays what it is at the start: of the first, or of the first against a part of the second.
func (r *reader) coupled(e elem, a attrs, prefix string) error {
	b := r.out
	found, err := b.lookup("tendon", e, "tendon1", prefix)
	if err != nil {
		return err
	}
	t := b.tendons[found[0]]
	f := []float64{0, 1, 0, 0, 0}
	own, err := a.numbers("polycoef", 1, 5)
	if err != nil {
		return err
	}
	copy(f, own)
	if len(t.joints) == 2 && e.Get("tendon2") == "" && t.coef[0] != 0 {
		b.gear(e, t.joints[0], t.joints[1], -t.coef[1]/t.coef[0], f[0]/t.coef[0])
		return nil
	}
	held := &tendon{elem: e, name: prefix + e.Get("name"), path: t.path, joints: t.joints, coef: t.coef,
		held: true, bounds: &[2]float64{f[0], f[0]}}
	if held.limit, err = r.give(a, "solref", "solimp"); err != nil {
		return err
	}
	if e.Get("tendon2") != "" {
		if found, err = b.lookup("tendon", e, "tendon2", prefix); err != nil {
			return err
		}
		other := b.tendons[found[0]]
		if t.hasPath() || other.hasPath() {
			e.note(scene.Unsupported, "an equality of two tendons is held where both are <fixed>")
			return nil
		}
		if f[2] != 0 || f[3] != 0 || f[4] != 0 {
			e.note(scene.Unsupported,
				"polycoef: the tendon follows in proportion; squares and higher powers are left out")
		}
		held.joints, held.coef = slices.Clone(t.joints), slices.Clone(t.coef)
		for k, j := range other.joints {
			held.joints, held.coef = append(held.joints, j), append(held.coef, -f[1]*other.coef[k])
		}
	}
	b.strainAlong(held)
	return nil
}
