package sim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// ErrLimit is wrapped when a command asks for more than Limits allow; the message says what, how much, and the limit.
var ErrLimit = errors.New("limit exceeded")

// Limits bound what commands may put into a world, so that a step stays short enough for everybody. 0 is no limit. They
// hold when a world is loaded, a model spawned or an entity moved; what a reset or Rewind brings back was within them.
type Limits struct {
	Entities int `json:"entities,omitempty"` // in the world
	Bodies   int `json:"bodies,omitempty"`   // in the world
	Links    int `json:"links,omitempty"`    // of a model
	Joints   int `json:"joints,omitempty"`   // of a model
	Loop     int `json:"loop,omitempty"`     // joints of the longest ring of a model: a step costs the cube of them
	Overlaps int `json:"overlaps,omitempty"` // dynamic bodies in the same place as another: contacts are the square of them
}

// DefaultLimits are those of the command line.
func DefaultLimits() Limits {
	return Limits{Entities: 20000, Bodies: 50000, Links: 20000, Joints: 20000, Loop: 300, Overlaps: 64}
}

// limit is one of Limits by its name.
type limit struct {
	name  string
	value *int
}

func (l *Limits) all() []limit {
	return []limit{{"entities", &l.Entities}, {"bodies", &l.Bodies}, {"links", &l.Links}, {"joints", &l.Joints}, {"loop", &l.Loop}, {"overlaps", &l.Overlaps}}
}

// String is the limits as ParseLimits reads them.
func (l Limits) String() string {
	var words []string
	for _, one := range l.all() {
		words = append(words, fmt.Sprintf("%s=%d", one.name, *one.value))
	}
	return strings.Join(words, ",")
}

// ParseLimits changes limits by words like overlaps=100; 0 is no limit.
func ParseLimits(l Limits, words []string) (Limits, error) {
	for _, word := range words {
		name, text, _ := strings.Cut(word, "=")
		all := l.all()
		i := slices.IndexFunc(all, func(one limit) bool { return one.name == strings.TrimSpace(name) })
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		if i < 0 || err != nil {
			return l, fmt.Errorf("%w: limit %q; %s, with other numbers or 0 for none, is right", ErrUnsupported, word, DefaultLimits())
		}
		*all[i].value = int(n)
	}
	return l, nil
}

// atMost refuses more than a limit.
func atMost(what string, n, limit int, name string) error {
	if limit > 0 && n > limit {
		return fmt.Errorf("%w: %s: %d; at most %d (limits %s=%d)", ErrLimit, what, n, limit, name, limit)
	}
	return nil
}

// admitModel refuses a model that is too much by itself.
func (l *Limits) admitModel(p *compiledModel) error {
	return errors.Join(
		atMost(fmt.Sprintf("links of model %q", p.spec.Name), len(p.spec.Links), l.Links, "links"),
		atMost(fmt.Sprintf("joints of model %q", p.spec.Name), len(p.spec.Joints), l.Joints, "joints"),
		atMost(fmt.Sprintf("joints in a ring of model %q", p.spec.Name), p.loop, l.Loop, "loop"))
}

// CheckModel refuses a model that is too much by itself, as spawning it does.
func (l Limits) CheckModel(m *scene.ModelSpec) error {
	p, err := compileModel(m, false)
	if err != nil {
		return err
	}
	return l.admitModel(p)
}

// CheckWorld refuses a world that is too much, as loading it does. It takes as long.
func (l Limits) CheckWorld(lib scene.Library, r Resource) error {
	if l == (Limits{}) {
		return nil
	}
	w, err := NewWorld(Options{Limits: l})
	if err == nil {
		c := LoadWorld{Resource: r, IgnoreMissingAssets: true}
		_, err = w.Apply(c, Load(lib, c))
	}
	if errors.Is(err, ErrLimit) {
		return err
	}
	return nil // other errors are for others to tell
}

// admit refuses a model that would be too much at a pose. Nothing has happened then.
func (w *World) admit(p *compiledModel, start r3.Pose) error {
	l := &w.options.Limits
	if *l == (Limits{}) {
		return nil
	}
	if err := errors.Join(
		atMost("entities", len(w.entities)+1, l.Entities, "entities"),
		atMost("bodies", w.physics.Stats().Bodies+len(p.bodies), l.Bodies, "bodies"),
		l.admitModel(p)); err != nil {
		return err
	}
	return w.admitCrowd(p, p.pose(start, func(j int) float64 { return p.spec.Joints[j].Initial }), nil)
}

// admitCrowd refuses bodies of a plan at poses where too many others are already.
func (w *World) admitCrowd(p *compiledModel, poses []r3.Pose, own []dynamics.BodyID) error {
	most := w.options.Limits.Overlaps
	if most == 0 {
		return nil
	}
	for i := range p.bodies {
		b := &p.bodies[i]
		if b.kind != dynamics.Dynamic {
			continue
		}
		for k := range b.geoms {
			g := &b.geoms[k].def
			if g.Sensor || g.Shape.Kind() == shape.KindPlane {
				continue
			}
			box := g.Shape.Bounds(poses[i].Mul(g.Pose.Upright()))
			if n := w.physics.Crowd(box, own, most); n >= most {
				return atMost(fmt.Sprintf("bodies in one place, at %.4g %.4g %.4g", box.Centre().X, box.Centre().Y, box.Centre().Z), n+1, most, "overlaps")
			}
		}
	}
	return nil
}

// admitMove refuses to put an entity where too many others are already.
func (w *World) admitMove(e *entity, to r3.Pose) error {
	if w.options.Limits.Overlaps == 0 || e.static() {
		return nil
	}
	shift := to.Mul(w.linkPose(e, e.model.spec.Canonical).Inverse())
	poses := make([]r3.Pose, len(e.bodies))
	for i, b := range e.bodies {
		poses[i] = shift.Mul(w.physics.Pose(b))
	}
	return w.admitCrowd(e.model, poses, e.bodies)
}

// From how many joints on a ring, and all that hang together, are told to cost much. A ring costs the cube of its joints.
const (
	dearLoop   = 50
	dearJoints = 300
)

// mostWalked bounds how many joints are gone along in search of the longest ring.
const mostWalked = 1 << 22

// span finds the longest ring of joints, and tells of rings and trees that make steps long.
func (p *compiledModel) span() {
	up, depth, size := make([]int, len(p.bodies)), make([]int, len(p.bodies)), make([]int, len(p.bodies))
	next := make([][]int, len(p.bodies)) // joints
	dynamic := func(j *modelJoint) bool {
		return j.moves && p.bodies[j.parent].kind == dynamics.Dynamic && p.bodies[j.child].kind == dynamics.Dynamic
	}
	for i := range p.joints {
		if j := &p.joints[i]; dynamic(j) {
			next[j.parent], next[j.child] = append(next[j.parent], i), append(next[j.child], i)
		}
	}
	seen, crossed := make([]bool, len(p.bodies)), make([]bool, len(p.joints))
	most, walked := 0, 0
	for root := range p.bodies {
		if seen[root] {
			continue
		}
		seen[root], up[root] = true, root
		queue := []int{root}
		var closing []int
		for len(queue) > 0 {
			b := queue[0]
			queue = queue[1:]
			for _, i := range next[b] {
				j := &p.joints[i]
				other := j.parent + j.child - b
				if crossed[i] {
					continue
				}
				crossed[i] = true
				size[root]++
				if seen[other] {
					closing = append(closing, i)
					continue
				}
				seen[other], up[other], depth[other] = true, b, depth[b]+1
				queue = append(queue, other)
			}
		}
		most = max(most, size[root])
		for _, i := range closing {
			n := 1
			for a, b := p.joints[i].parent, p.joints[i].child; a != b && walked < mostWalked; n++ {
				walked++
				if depth[a] < depth[b] {
					a, b = b, a
				}
				a = up[a]
			}
			p.loop = max(p.loop, n)
		}
	}
	if p.loop > dearLoop {
		p.note(scene.Suspicious, "model %q: a ring of %d joints: the cost of a step grows with the cube of them; up to %d are fast", p.spec.Name, p.loop, dearLoop)
	} else if most > dearJoints {
		p.note(scene.Suspicious, "model %q: %d joints hang together: each costs some 15 µs of a step; up to %d are fast", p.spec.Name, most, dearJoints)
	}
}
