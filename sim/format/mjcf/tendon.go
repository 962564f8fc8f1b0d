package mjcf

import (
	"math"
	"slices"

	"simdeck/sim/scene"
)

// tendon is a sum of joint positions: a fixed tendon, or what an actuator of a joint moves.
type tendon struct {
	elem                         elem
	joints                       []int
	coef                         []float64
	spatial                      bool        // it goes through sites, and is not run
	bounds                       *[2]float64 // of its length; nil: endless
	stiffness, damping, friction float64
	rest                         [2]float64 // lengths between which its spring rests
}

// pull is an actuator of a tendon.
type pull struct {
	drive *drive
	on    *tendon
}

// lever is a tendon whose joints all follow one: its length is ratio·q + zero of that joint's position q.
type lever struct {
	joint       int
	ratio, zero float64
	inertia     float64 // that the joint feels, for damping ratios: kg·m² or kg
}

// driven is an actuator on the joint that it comes down to.
type driven struct {
	drive *drive
	lever lever
}

// tendon reads a <fixed> or <spatial> tendon.
func (r *reader) tendon(e elem, prefix string) error {
	b := r.out
	if e.Name != "fixed" && e.Name != "spatial" {
		unknown(e, "tendon")
		return nil
	}
	kids, err := r.doc.kids(e)
	if err != nil {
		return err
	}
	t := &tendon{elem: e, spatial: e.Name == "spatial"}
	for _, k := range kids {
		switch {
		case k.Name == "joint" && !t.spatial:
			found, err := b.lookup("joint", k, "joint", prefix)
			if err != nil {
				return err
			}
			f, err := attrs{k}.number("coef", 1)
			if err != nil {
				return err
			}
			t.joints, t.coef = append(t.joints, found[0]), append(t.coef, f)
		case k.Name == "site" || k.Name == "geom":
			if _, err := b.lookup(k.Name, k, k.Name, prefix); err != nil {
				return err
			}
		}
	}
	if _, err := b.register("tendon", e, context{prefix: prefix}, len(b.tendons)); err != nil {
		return err
	}
	b.tendons = append(b.tendons, t)
	a, err := r.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	if t.spatial {
		e.note(scene.Unsupported, "a spatial tendon is not supported")
		return nil
	}
	if len(t.joints) == 0 {
		return e.errorf("a <fixed> tendon without a <joint>")
	}
	return r.tendonForces(a, t)
}

// tendonForces reads the range, spring, damper and friction of a tendon.
func (r *reader) tendonForces(a attrs, t *tendon) (err error) {
	for _, f := range []struct {
		name string
		to   *float64
	}{{"stiffness", &t.stiffness}, {"damping", &t.damping}, {"frictionloss", &t.friction}} {
		if *f.to, err = a.first(f.name, 3, 0); err != nil {
			return err
		}
		if *f.to < 0 {
			t.elem.note(scene.Suspicious, "%s of %g; using 0", f.name, *f.to)
			*f.to = 0
		}
	}
	if t.bounds, err = r.bound(a, "limited", "range"); err != nil {
		return err
	}
	rest, err := a.numbers("springlength", 1, 2)
	if len(rest) == 0 || rest[0] < 0 { // where the springs of its joints rest
		rest = []float64{0}
		for k, i := range t.joints {
			if i >= 0 {
				rest[0] += t.coef[k] * r.out.joints[i].spring
			}
		}
	}
	t.rest = [2]float64{rest[0], rest[len(rest)-1]}
	if r.set.noSprings {
		t.stiffness = 0
	}
	if r.set.noLimits {
		t.bounds = nil
	}
	return err
}

// levers are the joints that a tendon moves by themselves or by joints that follow them, in order. Its length
// is the sum of ratio·q + zero. There are none where it moves joints without a position.
func (b *build) levers(t *tendon) []lever {
	var out []lever
	for k, i := range t.joints {
		if i < 0 || b.joints[i].kind == scene.Ball {
			return nil
		}
		c := t.coef[k]
		zero := c * b.joints[i].ref
		for m := b.joints[i].mimic; m != nil; m = b.joints[i].mimic {
			zero += c * m.offset
			c *= m.factor
			i = m.joint
		}
		at := slices.IndexFunc(out, func(l lever) bool { return l.joint == i })
		if at < 0 {
			at = len(out)
			out = append(out, lever{joint: i})
		}
		out[at].ratio, out[at].zero = out[at].ratio+c, out[at].zero+zero
	}
	return slices.DeleteFunc(out, func(l lever) bool { return l.ratio == 0 && l.zero == 0 })
}

// lever reduces a tendon to the joint that all of its joints follow by equalities. It is false where there is
// no such joint.
func (b *build) lever(t *tendon) (lever, bool) {
	all := b.levers(t)
	if len(all) != 1 || all[0].ratio == 0 {
		return lever{}, false
	}
	l := all[0]
	mobility := 0.0 // of the tendon, when nothing couples its joints: what MuJoCo's damping ratios are about
	for k, i := range t.joints {
		if c := t.coef[k]; c != 0 {
			mobility += c * c / b.felt(b.joints[i])
		}
	}
	l.inertia = l.ratio * l.ratio / mobility
	return l, true
}

// pullAll finds the joints that each actuator comes down to: one, or several where its force depends on no
// position and no velocity.
func (b *build) pullAll() {
	for _, p := range b.pulls {
		d := p.drive
		if l, ok := b.lever(p.on); ok {
			b.joints[l.joint].drives = append(b.joints[l.joint].drives, driven{d, l})
			continue
		}
		all := b.levers(p.on)
		if len(all) == 0 || d.bias[1] != 0 || d.bias[2] != 0 || d.gain[1] != 0 || d.gain[2] != 0 {
			d.elem.note(scene.Unsupported,
				"an actuator of a tendon whose joints do not all follow one by equalities is not run")
			continue
		}
		for _, l := range all {
			if l.ratio != 0 {
				b.joints[l.joint].drives = append(b.joints[l.joint].drives, driven{d, l})
			}
		}
	}
}

// strain gives the joint that a tendon comes down to the tendon's range, spring, damper and friction.
func (b *build) strain(t *tendon) {
	if t.spatial || t.bounds == nil && t.stiffness == 0 && t.damping == 0 && t.friction == 0 {
		return
	}
	l, ok := b.lever(t)
	if !ok {
		t.elem.note(scene.Unsupported,
			"range, spring, damper and friction of a tendon whose joints do not all follow one by equalities are not run")
		return
	}
	j := b.joints[l.joint]
	j.damping += t.damping * l.ratio * l.ratio
	j.friction += t.friction * math.Abs(l.ratio)
	b.stretch(t, l, j)
	if t.bounds == nil {
		return
	}
	// The file counts the joint from −ref.
	at := [2]float64{(t.bounds[0]-l.zero)/l.ratio + j.ref, (t.bounds[1]-l.zero)/l.ratio + j.ref}
	lower, upper := min(at[0], at[1]), max(at[0], at[1])
	if j.limited {
		lower, upper = max(lower, j.lower), min(upper, j.upper)
	}
	if !(lower < upper) {
		t.elem.note(scene.Unsupported, "the range of a tendon leaves its joint %q no freedom, and is not held",
			clip(j.name))
		return
	}
	j.limited, j.lower, j.upper = true, lower, upper
}

// stretch adds the spring of a tendon to that of its joint.
func (b *build) stretch(t *tendon, l lever, j *joint) {
	if t.stiffness == 0 {
		return
	}
	if t.rest[0] != t.rest[1] {
		t.elem.note(scene.Unsupported, "springlength of a tendon that is slack between two lengths")
		return
	}
	rest := (t.rest[0]-l.zero)/l.ratio + j.ref
	k := t.stiffness * l.ratio * l.ratio
	j.spring = (j.stiff*j.spring + k*rest) / (j.stiff + k)
	j.stiff += k
}
