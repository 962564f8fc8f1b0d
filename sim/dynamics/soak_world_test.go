package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

// soakWorld is a small random world.
type soakWorld struct {
	*scene
	r      *rand.Rand
	number uint64
	dt     float64
	size   float64 // m, of the smallest body; all lengths scale with it
	space  bool    // without gravity and ground
	joints []JointID
	kind   soakKind
}

const (
	// soakSpread is the ratio of the largest to the smallest body.
	soakSpread = 8
	// soakRatio is the largest mass ratio.
	soakRatio = 1e4
	// soakWidth is the width of the pit, in sizes of the smallest body.
	soakWidth = 20
)

// newSoakWorld makes the world of a kind and seed, in a pit on any kind of ground or in free space. Its
// bodies have all shapes and 1 cm to 2 m, and are free, stacked or on joints.
func newSoakWorld(t testing.TB, kind soakKind, seed uint64) *soakWorld {
	r := rand.New(rand.NewPCG(seed, 1_000_000+uint64(kind)))
	w := &soakWorld{kind: kind, r: r, number: seed,
		dt: []float64{0.001, 0.002, 0.004, 1.0 / 120, 1.0 / 60}[r.IntN(5)], space: r.IntN(5) == 0}
	c := Config{Gravity: r3.V(0, 0, -9.81)}
	if w.space {
		c.Gravity = r3.Vec{}
	}
	w.scene = newScene(t, []float64{0, 0.3, 0.6, 1.2}[r.IntN(4)], c)
	w.seed = uint32(seed*7919 + 1)
	w.size = 0.01 * math.Pow(25, r.Float64())
	if !w.space {
		w.pit()
	}
	switch kind {
	case soakRings:
		w.rings()
	case soakTrees, soakLoops:
		w.trees()
	default:
		w.heap()
	}
	return w
}

// heap adds free bodies, stacks and chains.
func (w *soakWorld) heap() {
	r := w.r
	jointed := r.IntN(3) // none, few or many
	if jointed == 0 && !w.space && r.IntN(2) == 0 {
		w.stack(3 + r.IntN(4))
	}
	for range 5 + r.IntN(6) {
		hangs := len(w.added) > 0 && r.IntN(5) < 2*jointed
		if !w.addApart() {
			continue
		}
		if hangs {
			w.joints = append(w.joints, w.joinLast())
		}
	}
}

// pit adds a ground and four walls.
func (w *soakWorld) pit() {
	l := soakWidth * w.size
	switch w.r.IntN(4) {
	case 0:
		w.ground()
	case 1:
		w.fixed(shapetest.FloorMesh(w, 4, 0.2*l), r3.Pose{})
	case 2:
		w.fixed(flatField(w, 4, 0.2*l), r3.Pose{})
	case 3:
		w.fixed(shape.BoxOf(r3.V(2*l, 2*l, l)), at(0, 0, -0.5*l))
	}
	for _, p := range []r3.Pose{at(0.6*l, 0, l), at(-0.6*l, 0, l)} {
		w.fixed(shape.BoxOf(r3.V(0.2*l, 1.4*l, 3*l)), p)
		p.Pos.X, p.Pos.Y = p.Pos.Y, p.Pos.X
		w.fixed(shape.BoxOf(r3.V(1.4*l, 0.2*l, 3*l)), p)
	}
}

// length is a random length between the smallest and the largest body's.
func (w *soakWorld) length() float64 { return w.size * math.Pow(soakSpread, w.r.Float64()) }

// anyShape is a random shape of any kind, also a thin one.
func (w *soakWorld) anyShape() shape.Shape {
	l := w.length()
	part := func() float64 { return l * (0.2 + 0.8*w.r.Float64()) }
	switch w.r.IntN(8) {
	case 0:
		return shape.Sphere{Radius: 0.5 * l}
	case 1:
		return shape.Capsule{Radius: 0.25 * part(), Half: 0.3 * l}
	case 2:
		return shape.Cylinder{Radius: 0.5 * l, Half: 0.5 * part()}
	case 3:
		return shape.BoxOf(r3.V(l, part(), part()))
	case 4:
		return shape.BoxOf(r3.V(l, 0.05*l, 0.05*l))
	case 5:
		return shape.BoxOf(r3.V(l, l, 0.05*l))
	case 6:
		return shape.Cylinder{Radius: 0.5 * l, Half: 0.02 * l}
	}
	var points []r3.Vec
	for range 8 + w.r.IntN(12) {
		points = append(points, r3.V(w.r.Float64()-0.5, w.r.Float64()-0.5, w.r.Float64()-0.5).Scale(l))
	}
	return must[*shape.Hull](w)(shape.ConvexHull(points, 0))
}

// massOf is the mass of a shape with a density between cork's and gold's, within the mass ratio of the world.
func (w *soakWorld) massOf(sh shape.Shape) float64 {
	mass := sh.Mass(200 * math.Pow(100, w.r.Float64())).Mass
	for _, b := range w.added {
		m := w.bodies.massProps[b.slot].mass
		mass = min(max(mass, m/soakRatio), m*soakRatio)
	}
	return mass
}

// stack adds a stack of boxes, the lower ones wider.
func (w *soakWorld) stack(n int) {
	z, wide := 0.0, 6*w.size
	for range n {
		h := w.size * (0.5 + w.r.Float64())
		sh := shape.BoxOf(r3.V(wide, wide, h))
		mass := sh.Mass(500 + 500*w.r.Float64()).Mass
		w.body(sh, mass, at(0, 0, z+0.5*h), 0)
		z, wide = z+h, wide*(0.8+0.2*w.r.Float64())
	}
}

// addApart adds a moving body where it touches nothing; false where there is no such place.
func (w *soakWorld) addApart() bool {
	sh := w.anyShape()
	l := soakWidth * w.size
	for range 50 {
		p := randomPose(w.r, 1)
		p.Pos = r3.V(0.8*l*(w.r.Float64()-0.5), 0.8*l*(w.r.Float64()-0.5), l*(0.3+0.7*w.r.Float64()))
		free := true
		for k := range w.geoms.all {
			free = free && !shape.Overlap(sh, p, w.geoms.all[k].Shape, w.geoms.placements[k].Pose)
		}
		if !free {
			continue
		}
		b := w.body(sh, w.massOf(sh), p, 0)
		g := &w.geoms.all[w.World.bodies.all[b.slot].geoms[0]]
		if w.r.IntN(4) == 0 {
			g.material.Restitution = w.r.Float64()
		}
		if w.r.IntN(4) == 0 {
			g.material.Rolling = 0.1 * w.r.Float64()
		}
		w.perturb(b)
		return true
	}
	return false
}

// perturb sets a random velocity of a body.
func (w *soakWorld) perturb(b BodyID) {
	v := math.Sqrt(10 * w.size)
	u, _ := randomPose(w.r, 1).Pos.Unit()
	w.check(w.Body(b).SetTwist(r3.Twist{Linear: randomPose(w.r, v).Pos,
		Angular: u.Scale(2 * v * w.r.Float64() / w.bodies.massProps[b.slot].radius)}))
}

// joinLast connects the last two bodies by a joint, at any point between them.
func (w *soakWorld) joinLast() JointID {
	return must[JointID](w)(w.AddJoint(w.between(w.added[len(w.added)-2], w.added[len(w.added)-1])))
}

// between is a random joint of two bodies, at any point between them; farEnd stands for the world.
func (w *soakWorld) between(before, b BodyID) JointDef {
	pa, pb := w.farEnd(before, b), w.Body(b).Pose()
	point := r3.Pose{Pos: pa.Pos.Lerp(pb.Pos, w.r.Float64()), Rot: randomPose(w.r, 1).Rot}
	frame := point
	if before != (BodyID{}) {
		frame = pa.Relative(point)
	}
	d := JointDef{
		Type: kinds[w.r.IntN(len(kinds))], Parent: before, Child: b, ParentFrame: frame,
		ChildFrame: pb.Relative(point),
		Axis:       r3.V(0, 0, 1), Pitch: w.size * (w.r.Float64() - 0.5), Limited: w.r.IntN(2) == 0,
		Lower: -w.r.Float64(), Upper: w.r.Float64(),
	}
	if d.Type == Prismatic {
		d.Lower, d.Upper = 10*w.size*d.Lower, 10*w.size*d.Upper
	}
	if d.Type == Ball || d.Type == Universal || d.Type == Planar || d.Type == Fixed || d.Type == Screw {
		d.Limited = false
	}
	unit := w.effort(&d)
	for _, f := range [3]*float64{&d.Damping, &d.Friction, &d.Stiffness} {
		if w.r.IntN(3) == 0 {
			*f = unit * w.r.Float64()
		}
	}
	if d.Type == Prismatic {
		d.Stiffness /= w.size
	}
	return d
}

// effort is the scale of a joint's effort: the weight of the lighter body, times a length where the joint
// rotates.
func (w *soakWorld) effort(d *JointDef) float64 {
	unit := 9.81 * w.bodies.massProps[d.Child.slot].mass
	if d.Parent != (BodyID{}) {
		unit = 9.81 * min(w.bodies.massProps[d.Parent.slot].mass, w.bodies.massProps[d.Child.slot].mass)
	}
	if d.Type != Prismatic {
		unit *= w.farEnd(d.Parent, d.Child).Pos.Dist(w.Body(d.Child).Pose().Pos)
	}
	return unit
}

// farEnd is the pose of a body that holds another; the world holds it from above.
func (w *soakWorld) farEnd(before, b BodyID) r3.Pose {
	if before != (BodyID{}) {
		return w.Body(before).Pose()
	}
	p := w.Body(b).Pose()
	p.Pos.Z += soakSpread * w.size
	return p
}
