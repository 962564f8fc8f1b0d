package mjcf

import (
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// equality is an equality constraint that becomes a joint of its own.
type equality struct {
	name   string
	kind   scene.JointKind // Ball or Fixed
	bodies [2]int          // the second may be the world
	at     r3.Vec          // in the first body
}

// contact reads which bodies do not touch.
func (b *build) contact(e elem, prefix string) error {
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
		for _, attr := range [...]string{"geom1", "geom2"} {
			if _, err := b.lookup("geom", e, attr, prefix); err != nil {
				return err
			}
		}
		e.note(scene.Unsupported, "<pair>: shapes touch by contype and conaffinity, with their own friction")
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
		return r.out.coupled(e, a, prefix)
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
	t := equality{name: prefix + e.Get("name"), kind: scene.Ball}
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
		t.at = r3.V(anchor[0], anchor[1], anchor[2])
	} else if t.kind == scene.Ball {
		return e.errorf("<connect> has no anchor")
	}
	if text, ok := e.Attr("relpose"); ok && t.kind == scene.Fixed && strings.Trim(text, "01 .") != "" {
		e.note(scene.Unsupported, "relpose of <weld>: the bodies are held as they stand at the start")
	}
	b.addEquality(e, t)
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
	t.at = at[0].pose.Pos
	gap := b.bodies[t.bodies[0]].at.Apply(t.at).Dist(b.bodies[t.bodies[1]].at.Apply(at[1].pose.Pos))
	if gap > 1e-3 {
		e.note(scene.Unsupported, "<%s> of two sites that are %.3g m apart at the start: they are held so",
			e.Name, gap)
	}
	b.addEquality(e, t)
	return nil
}

func (b *build) addEquality(e elem, t equality) {
	switch {
	case t.bodies[0] == t.bodies[1]:
		e.note(scene.Suspicious, "<%s> of a body with itself", e.Name)
	case b.bodies[t.bodies[0]].mocap || b.bodies[t.bodies[1]].mocap:
		e.note(scene.Unsupported, "<%s> to a body with mocap=\"true\" is not held", e.Name)
	case t.bodies[0] == 0:
		t.at = b.bodies[t.bodies[1]].at.ApplyInverse(b.bodies[0].at.Apply(t.at))
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
		e.note(scene.Unsupported, "a joint that is held at a constant: it is free")
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

// coupled reads an equality of tendons: one fixed tendon of two joints that keeps its length gears them.
func (b *build) coupled(e elem, a attrs, prefix string) error {
	found, err := b.lookup("tendon", e, "tendon1", prefix)
	if err != nil {
		return err
	}
	t := b.tendons[found[0]]
	if len(t.joints) != 2 || e.Get("tendon2") != "" || t.coef[0] == 0 {
		e.note(scene.Unsupported, "an equality of tendons is held where one fixed tendon couples two joints")
		return nil
	}
	f, err := a.numbers("polycoef", 1, 5)
	if err != nil {
		return err
	}
	offset := 0.0
	if len(f) > 0 {
		offset = f[0]
	}
	b.gear(e, t.joints[0], t.joints[1], -t.coef[1]/t.coef[0], offset/t.coef[0])
	return nil
}
