package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/dynamics/broadphase"
	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/statecodec"
)

// GeomDef describes a geom: a shape fixed to a body.
type GeomDef struct {
	Shape       shape.Shape // a Plane, *Mesh or *Field only on static bodies
	Pose        r3.Pose     // in the body's frame; a zero rotation means none
	Material    Material
	Category    uint32  // bits; a pair collides when each one's Category has a bit of the other's Mask;
	Mask        uint32  // both zero: with everything
	Sensor      bool    // reports contacts, exerts nothing, is not seen by rays
	User        int     // the caller's own index
	Reflectance float64 // how strongly it answers a ray, for View.CastPacketIntensity
}

// geomSet is the geoms of a world, indexed by slot, and the broad phase over them.
type geomSet struct {
	ids        slotTable
	all        []geom
	placements []geomPlacement
	bounds     []fatBound
	surfaces   []surface
	tree       broadphase.Tree // of bounded geoms, by their fat boxes
	planes     []int32         // slots of unbounded geoms, ascending
	running    []int32         // slots of geoms with a surface velocity, ascending
	adjacency  adjacency
	static     *staticScene // of the last QueryScene
	escaped    []int32      // scratch
	moved      []int32      // geoms that have left their fat boxes since pairs were last looked for
}

// geom is a geom's shape and all that does not change when its body moves.
type geom struct {
	body       int32
	leaf       int32 // in the broad-phase tree; -1 for a plane
	sensor     bool
	proxyValid bool // local is the body's own frame
	category   uint32
	mask       uint32
	collide.Geometry
	user        int
	reflectance float64
	local       r3.Pose // in the body's frame
	material    Material
	core        *[3]shape.Proxy // of a convex geom: its cores for continuous collision
	margin      float64         // m by which its fat box is larger
}

// geomPlacement is a geom's pose in the world's frame, and its bounds.
type geomPlacement struct {
	collide.Placement
	tight r3.Box
	fat   r3.Box
	moved bool // is in geomSet.moved
}

// fatBound is the part of a geom's placement that the narrow phase reads first: a cache line.
type fatBound struct {
	box         r3.Box  // placement.tight
	lookahead   float64 // m around it that the geom may reach in the next step
	renewedStep uint64  // 1 + the step after which it got a new fat box
}

// adjacency is the pairs of geoms that adjoin each other and never move relative to each other. Both are
// static, as tiles of a floor, or of one moving body, as boards of a pallet. They may hide internal edges of
// each other.
type adjacency struct {
	keys         []uint64 // a geom and one beside it, in both orders, ascending
	moved        []int32  // geoms whose neighbors must be found
	dirty        bool     // those of all geoms must be
	movingBodies bool     // some of the keys are of bodies that move
	near         []int32  // scratch
}

// newGeom checks a definition and prepares its geom, without a body.
func newGeom(d *GeomDef) (geom, error) {
	if d.Shape == nil {
		return geom{}, fmt.Errorf("%w: a geom without a shape", ErrInvalid)
	}
	if err := d.Shape.Check(); err != nil {
		return geom{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if err := d.Material.check(); err != nil {
		return geom{}, err
	}
	if d.Pose.Rot == (r3.Quat{}) {
		d.Pose.Rot = r3.Identity()
	}
	pose, ok := d.Pose.Unit()
	if !ok {
		return geom{}, fmt.Errorf("%w: geom pose %v: must be finite, its quaternion not zero", ErrInvalid,
			d.Pose)
	}
	g := geom{
		leaf: -1, sensor: d.Sensor, category: d.Category, mask: d.Mask, user: d.User,
		reflectance: d.Reflectance,
		Geometry:    collide.NewGeometry(d.Shape), local: pose, proxyValid: pose == r3.IdentityPose(),
		material: d.Material,
	}
	if g.category == 0 && g.mask == 0 {
		g.category, g.mask = math.MaxUint32, math.MaxUint32
	}
	if c, ok := d.Shape.(shape.Convex); ok {
		g.core = ccdCores(c)
	}
	g.margin = max(0.02, min(0.04, float64(0.2*g.MinHalf())))
	return g, nil
}

// ccdCores are the nested cores of a convex shape: where one overlaps already, the next still stops the body.
func ccdCores(s shape.Convex) *[3]shape.Proxy {
	half := s.Bounds(r3.IdentityPose()).Half()
	layers := [3]float64{0.5, 0.75, 0.95} // parts of the half thickness
	cores := &[3]shape.Proxy{}
	for i, part := range layers {
		cores[i] = shape.CoreOf(s, float64(part*min(half.X, half.Y, half.Z)))
	}
	return cores
}

// updateRadius updates a body's radius around its center of mass and its half thickness, in m, from its
// geoms.
func (gs *geomSet) updateRadius(bodies *bodySet, slot int32) {
	in := &bodies.massProps[slot]
	in.radius, in.halfThickness = 0, math.Inf(1)
	for _, s := range bodies.all[slot].geoms {
		gs.extendRadius(bodies, slot, s)
	}
}

// extendRadius adds one geom of a body to its radius and half thickness.
func (gs *geomSet) extendRadius(bodies *bodySet, slot, s int32) {
	in, g := &bodies.massProps[slot], &gs.all[s]
	if g.Kind >= shape.KindPlane {
		return
	}
	b := g.Shape.Bounds(g.local)
	far := b.Min.Sub(in.com).Abs().Max(b.Max.Sub(in.com).Abs()).Len()
	in.radius = max(in.radius, far)
	h := g.Shape.Bounds(r3.IdentityPose()).Half()
	in.halfThickness = min(in.halfThickness, h.X, h.Y, h.Z)
}

// deleteValue removes v from a list and keeps the order of the others.
func deleteValue(list []int32, v int32) []int32 {
	n := 0
	for _, x := range list {
		if x != v {
			list[n] = x
			n++
		}
	}
	return list[:n]
}

// speculation is the speculative distance: geoms nearer than that, in m, get contact points. The points push
// only from touch on, but let the solver stop the geoms exactly there.
const speculation = 0.01

// place moves a body's geoms to its pose. A geom that leaves its fat box, or each with force, gets a new box
// and takes part in the next broad phase.
func (gs *geomSet) place(bodies *bodySet, time *stepTime, slot int32, force bool) {
	bodies.invalidate(slot)
	gs.placeAccumulated(bodies, time, slot, force)
}

// placeAccumulated is place for a body whose motion has been accumulated.
func (gs *geomSet) placeAccumulated(bodies *bodySet, time *stepTime, slot int32, force bool) {
	gs.escaped = gs.follow(bodies, time, slot, force, gs.escaped[:0])
	gs.refresh(bodies, gs.escaped)
}

// refresh reinserts geoms that have left their fat boxes into the tree.
func (gs *geomSet) refresh(bodies *bodySet, escaped []int32) {
	for _, s := range escaped {
		gs.tree.Move(gs.all[s].leaf, gs.placements[s].fat)
		gs.markMoved(bodies, s)
	}
}

// follow moves the geoms of a body to its pose, and adds those that need a new fat box to a list.
func (gs *geomSet) follow(bodies *bodySet, time *stepTime, slot int32, force bool, escaped []int32) []int32 {
	m, in := &bodies.motion[slot], &bodies.massProps[slot]
	ahead := speculation + bodies.maxStepMotion(time.dt, slot, m, in)
	for _, s := range bodies.all[slot].geoms {
		g, p := &gs.all[s], &gs.placements[s]
		pos, rot := m.origin, m.rot
		if !g.proxyValid {
			there := r3.Pose{Pos: pos, Rot: rot}.Mul(g.local)
			pos, rot = there.Pos, there.Rot
		}
		p.Pose.Pos, p.Pose.Rot = pos, rot
		x, y, z := rot.Rows()
		p.Mat = r3.Mat{XX: x.X, XY: x.Y, XZ: x.Z, YX: y.X, YY: y.Y, YZ: y.Z, ZX: z.X, ZY: z.Y, ZZ: z.Z}
		if g.Kind == shape.KindPlane {
			continue
		}
		p.tight = g.AABB(&p.Placement)
		if ahead != speculation || ahead != gs.bounds[s].lookahead {
			bodies.invalidate(slot)
		}
		gs.bounds[s].box, gs.bounds[s].lookahead = p.tight, ahead
		if grown := p.tight.Grow(ahead); force || !p.fat.Contains(grown) {
			p.fat = swept(p.tight.Grow(ahead+g.margin), m.v.Scale(float64(lookaheadSteps*time.dt)))
			gs.bounds[s].renewedStep = time.steps + 1
			bodies.invalidate(slot)
			escaped = append(escaped, s)
		}
	}
	return escaped
}

// lookaheadSteps is the number of steps of its geom's motion that a fat box contains.
const lookaheadSteps = 2

// swept is the bounding box of b and of b moved by d.
func swept(b r3.Box, d r3.Vec) r3.Box {
	b.Min, b.Max = b.Min.Add(d.Min(r3.Vec{})), b.Max.Add(d.Max(r3.Vec{}))
	return b
}

// maxStepMotion is the motion of a body in a step, in m, if it is fast for its thickness, else 0. Speculation
// adds it, so that a fast, thin body does not pass through another.
func (bs *bodySet) maxStepMotion(dt float64, slot int32, m *bodyPoseVelocity, in *massProperties) float64 {
	d2 := float64(m.v.Len2() * float64(dt*dt))
	if d2 <= float64(0.25*float64(in.halfThickness*in.halfThickness)) {
		return 0
	}
	motion := math.Sqrt(d2)
	if bs.isFree(slot) && bs.isBullet(slot, motion) {
		return in.halfThickness // continuous collision takes the rest
	}
	return motion
}

// insert places a new geom and inserts it into the tree.
func (gs *geomSet) insert(bodies *bodySet, steps uint64, s int32) {
	g, p := &gs.all[s], &gs.placements[s]
	m := &bodies.motion[g.body]
	bodies.invalidate(g.body)
	p.Pose = r3.Pose{Pos: m.origin, Rot: m.rot}.Mul(g.local)
	p.Mat = p.Pose.Rot.Mat()
	p.tight = g.AABB(&p.Placement)
	p.fat = p.tight
	gs.bounds[s] = fatBound{box: p.tight, lookahead: speculation, renewedStep: steps + 1}
	if g.Kind != shape.KindPlane {
		p.fat = p.tight.Grow(speculation + g.margin)
		g.leaf = gs.tree.Insert(s, p.fat)
	}
	gs.markMoved(bodies, s)
	if len(bodies.all[g.body].geoms) > 1 {
		gs.adjacency.moved = append(gs.adjacency.moved, s)
	}
}

// markMoved makes a geom take part in the next broad phase.
func (gs *geomSet) markMoved(bodies *bodySet, s int32) {
	if p := &gs.placements[s]; !p.moved {
		p.moved = true
		gs.moved = append(gs.moved, s)
		gs.invalidateAdjacency(bodies, s)
	}
}

// invalidateAdjacency notes that a static geom has moved.
func (gs *geomSet) invalidateAdjacency(bodies *bodySet, s int32) {
	if bodies.all[gs.all[s].body].kind == Static {
		gs.adjacency.moved = append(gs.adjacency.moved, s)
	}
}

// overlapsPlane reports that a geom's fat box reaches the solid side of a plane.
func (gs *geomSet) overlapsPlane(s, plane int32) bool {
	p := &gs.placements[plane]
	n := p.Mat.Col(2)
	box := &gs.placements[s].fat
	return box.Centre().Sub(p.Pose.Pos).Dot(n) <= box.Half().Dot(n.Abs())
}

// boxesOverlap reports that the fat boxes of a pair overlap.
func (gs *geomSet) boxesOverlap(a, b int32) bool {
	if gs.all[b].Kind == shape.KindPlane {
		return gs.overlapsPlane(a, b)
	}
	return gs.placements[a].fat.Overlaps(gs.placements[b].fat)
}

// instance is a geom at its place, for the narrow phase.
func (gs *geomSet) instance(s int32) collide.Instance {
	return collide.Instance{Geometry: &gs.all[s].Geometry, Placement: &gs.placements[s].Placement}
}

// Geom is a geom of a world by its id, to be asked. Of a geom that is gone it says zero values.
type Geom struct {
	w  *World
	id GeomID
}

// Geom is the geom with an id.
func (w *World) Geom(id GeomID) Geom { return Geom{w, id} }

func (h Geom) alive() bool { return h.w.geoms.ids.isCurrent(h.id.slot, h.id.gen) }

func (gs *geomSet) id(slot int32) GeomID { return GeomID{uint32(slot), gs.ids.gen[slot]} }

// Pose is the pose of a geom's shape in the world's frame; the identity for a geom that is gone.
func (h Geom) Pose() r3.Pose {
	if !h.alive() {
		return r3.IdentityPose()
	}
	return h.w.geoms.placements[h.id.slot].Pose
}

// Shape is a geom's shape; nil for a geom that is gone.
func (h Geom) Shape() shape.Shape {
	if !h.alive() {
		return nil
	}
	return h.w.geoms.all[h.id.slot].Shape
}

// Body is the body that a geom is fixed to; zero for a geom that is gone.
func (h Geom) Body() BodyID {
	if !h.alive() {
		return BodyID{}
	}
	return h.w.bodies.id(h.w.geoms.all[h.id.slot].body)
}

// User is the caller's index from the GeomDef; zero for a geom that is gone.
func (h Geom) User() int {
	if !h.alive() {
		return 0
	}
	return h.w.geoms.all[h.id.slot].user
}

// Bounds is the axis-aligned bounding box of a geom in the world's frame; empty for a geom that is gone.
func (h Geom) Bounds() r3.Box {
	if !h.alive() {
		return r3.EmptyBox()
	}
	return h.w.geoms.placements[h.id.slot].tight
}

// Geoms appends the ids of all geoms in the order of their slots.
func (w *World) Geoms(dst []GeomID) []GeomID { return appendIDs(dst, &w.geoms.ids) }

// Geoms appends the ids of a body's geoms in the order of their slots.
func (h Body) Geoms(dst []GeomID) []GeomID {
	if h.Alive() {
		for _, s := range h.w.bodies.all[h.id.slot].geoms {
			dst = append(dst, h.w.geoms.id(s))
		}
	}
	return dst
}

// placementFields and boundFields are the state of a geom.
var (
	placementFields = statecodec.LayoutOf((*geomPlacement).fields)
	boundFields     = statecodec.LayoutOf((*fatBound).fields)
)

// fields walks over what of a geom's placement does not follow from its body.
func (p *geomPlacement) fields(f *statecodec.Fields) {
	f.Vec(&p.fat.Min, statecodec.Saved)
	f.Vec(&p.fat.Max, statecodec.Saved)
	f.Flag(&p.moved, statecodec.Saved)
}

// fields walks over what of a bound does not follow from the geom's placement.
func (b *fatBound) fields(f *statecodec.Fields) { f.Float(&b.lookahead, statecodec.Saved) }

// encode codes the state of a geom of a world that has taken some steps.
func (gs *geomSet) encode(steps uint64, c *statecodec.Codec, s int32) {
	p := &gs.placements[s]
	was := p.moved
	placementFields.Code(c, p)
	boundFields.Code(c, &gs.bounds[s])
	if c.Reads() {
		gs.bounds[s].renewedStep = steps + 1
		gs.tree.Move(gs.all[s].leaf, p.fat)
		if p.moved && !was {
			gs.moved = append(gs.moved, s)
		} else if was && !p.moved {
			gs.moved = deleteValue(gs.moved, s)
		}
	}
}

// restorePlacement lets the geoms follow without giving them new fat boxes.
func (gs *geomSet) restorePlacement(bodies *bodySet, slot int32) {
	m := &bodies.motion[slot]
	for _, s := range bodies.all[slot].geoms {
		g, p := &gs.all[s], &gs.placements[s]
		p.Pose = r3.Pose{Pos: m.origin, Rot: m.rot}.Mul(g.local)
		p.Mat = p.Pose.Rot.Mat()
		p.tight = g.AABB(&p.Placement)
		gs.bounds[s].box = p.tight
	}
}

func (gs *geomSet) copyFrom(o *geomSet) {
	gs.ids.copyFrom(&o.ids)
	gs.all = append(gs.all[:0], o.all...)
	gs.placements = append(gs.placements[:0], o.placements...)
	gs.bounds = append(gs.bounds[:0], o.bounds...)
	gs.surfaces = append(gs.surfaces[:0], o.surfaces...)
	gs.tree.CopyFrom(&o.tree)
	gs.planes = append(gs.planes[:0], o.planes...)
	gs.running = append(gs.running[:0], o.running...)
	gs.moved = append(gs.moved[:0], o.moved...)
	gs.adjacency.copyFrom(&o.adjacency)
	gs.static = o.static
}

func (l *adjacency) copyFrom(o *adjacency) {
	l.keys, l.moved, l.dirty = append(l.keys[:0], o.keys...), append(l.moved[:0], o.moved...), o.dirty
	l.movingBodies = o.movingBodies
}

func (gs *geomSet) validate(bodies *bodySet) error {
	for i := range gs.all {
		if !gs.ids.inUse(int32(i)) {
			continue
		}
		g, p := &gs.all[i], &gs.placements[i]
		m := &bodies.motion[g.body]
		if want := (r3.Pose{Pos: m.origin, Rot: m.rot}).Mul(g.local); p.Pose != want {
			return fmt.Errorf("geom %d is at %v, its body puts it at %v", i, p.Pose, want)
		}
		if p.moved != slices.Contains(gs.moved, int32(i)) {
			return fmt.Errorf("geom %d: moved is %v, the list says otherwise", i, p.moved)
		}
		if g.Kind == shape.KindPlane {
			if g.leaf >= 0 || !slices.Contains(gs.planes, int32(i)) {
				return fmt.Errorf("plane %d is in the tree or not among the planes", i)
			}
			continue
		}
		if !p.fat.Contains(p.tight) {
			return fmt.Errorf("geom %d has left its fat box: %v, %v", i, p.tight, p.fat)
		}
		if geom, box := gs.tree.Leaf(g.leaf); geom != int32(i) || box != p.fat {
			return fmt.Errorf("geom %d: its leaf holds geom %d, %v", i, geom, box)
		}
	}
	return nil
}

func (gs *geomSet) validateTree() error {
	leaves, err := gs.tree.Validate()
	if err != nil {
		return err
	}
	if leaves+len(gs.planes) != gs.ids.live {
		return fmt.Errorf("tree has %d leaves for %d geoms, %d of them planes", leaves, gs.ids.live,
			len(gs.planes))
	}
	return nil
}

// Material is the contact properties of a geom's surface.
type Material struct {
	Friction  float64 // coefficient along Direction; across it too unless Friction2 is set
	Friction2 float64 // coefficient across Direction; 0: the same
	Direction r3.Vec  // in the geom's frame (SDF fdir1); zero: the same in all directions
	// in the geom's frame, of a wheel whose Direction does not turn with it (mecanum); zero: none
	Axle        r3.Vec
	Skew        float64 // rad, with Axle: of the Direction on the ground, from the way ahead towards the axle
	Rolling     float64 // m, lever arm of the resistance to rolling
	Torsional   float64 // m, lever arm of the resistance to spinning about the normal, beyond the patch's own
	Restitution float64 // 0 to 1; of a pair the larger counts
	Threshold   float64 // m/s, the approach speed below which it does not bounce; 0: 0.5
	// m/s per N of friction, along Direction and across: compliance of friction (SDF slip)
	Slip, Slip2 float64
	// N/m of each contact point, in series with the other's; 0: as stiff as the solver can
	Stiffness          float64
	Damping            float64 // N·s/m, with Stiffness
	AllowedPenetration float64 // m, overlap that stays; of a pair the smaller counts
	Condim             uint8   // MuJoCo's condim: 1, 3, 4 or 6; two such geoms combine as in MuJoCo; 0: none
	Priority           int32   // of two geoms with a Condim, that of the higher counts alone
	Velocity           SurfaceVelocity
}

// SurfaceVelocity is the velocity of a surface against its geom: of conveyors, turntables and tracks.
// Friction drags what touches it along, and pushes the geom's own body back.
//
// At a point x of the surface with the outward normal n the velocity is the part along the surface of
//
//	Linear + Angular × x + Belt × n
//
// of which the first two are MuJoCo's surfacevel. The last is that of a belt around the geom: it runs forth
// above, and back below. All vectors are in the geom's frame.
type SurfaceVelocity struct {
	Linear  r3.Vec // m/s
	Angular r3.Vec // rad/s, about the geom's origin
	Belt    r3.Vec // m/s, along the axis around which the belt runs
}

// maxSurfaceSpeed bounds each number of a surface velocity, as velocities of bodies are bounded.
const maxSurfaceSpeed = 1e6

func (v *SurfaceVelocity) check() error {
	for _, x := range [...]r3.Vec{v.Linear, v.Angular, v.Belt} {
		if !(max(math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z)) <= maxSurfaceSpeed) {
			return fmt.Errorf("%w: surface velocity %v, must be at most %g m/s or rad/s along each axis",
				ErrInvalid, x, maxSurfaceSpeed)
		}
	}
	return nil
}

// at is the velocity of a surface at x with the normal n, and its angular velocity; all in the geom's frame.
func (v *SurfaceVelocity) at(x, n r3.Vec) (velocity, spin r3.Vec) {
	return v.Linear.Add(v.Angular.Cross(x)).Add(v.Belt.Cross(n)), v.Angular
}

// surface is the part of a geom's material that every contact reads in every step: a cache line.
type surface struct {
	friction, friction2 float64
	rolling, torsional  float64
	restitution         float64
	speed               float64 // factor of the material's Velocity
	directed            bool    // friction has a direction
	special             bool    // the material has more: see combineMaterials
	runs                bool    // the material has a Velocity
}

func (m *Material) surface() surface {
	runs, speed := m.Velocity != (SurfaceVelocity{}), 0.0
	if runs {
		speed = 1
	}
	return surface{
		friction: m.Friction, friction2: m.crossFriction(), rolling: m.Rolling, torsional: m.Torsional,
		restitution: m.Restitution,
		directed:    m.Direction != (r3.Vec{}) || m.Axle != (r3.Vec{}),
		runs:        runs, speed: speed,
		special: runs || m.Threshold > 0 || m.Slip+m.Slip2 > 0 || m.Stiffness > 0 ||
			m.AllowedPenetration > 0 || m.Condim > 0,
	}
}

// DefaultMaterial has friction 0.8 and no restitution.
func DefaultMaterial() Material { return Material{Friction: 0.8} }

// Mix is the rule by which the friction coefficients of two geoms combine.
type Mix uint8

const (
	// MixMin takes the smaller: ODE and SDF worlds.
	MixMin Mix = iota
	// MixGeometric takes the square root of the product.
	MixGeometric
	// MixMax takes the larger: MuJoCo.
	MixMax
	// MixMultiply takes the product: Bullet.
	MixMultiply
)

func (m Mix) combine(a, b float64) float64 {
	switch m {
	case MixGeometric:
		return math.Sqrt(float64(a * b))
	case MixMax:
		return max(a, b)
	case MixMultiply:
		return float64(a * b)
	}
	return min(a, b)
}

func (m Material) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"friction", m.Friction}, {"friction2", m.Friction2}, {"rolling friction", m.Rolling},
		{"torsional friction", m.Torsional}, {"restitution", m.Restitution},
		{"bounce threshold", m.Threshold}, {"slip", m.Slip},
		{"slip2", m.Slip2}, {"stiffness", m.Stiffness}, {"damping", m.Damping}, {"allowed penetration", m.AllowedPenetration},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%w: %s %v, must be finite and not negative", ErrInvalid, f.name, f.value)
		}
	}
	if m.Restitution > 1 {
		return fmt.Errorf("%w: restitution %v, must be 0 to 1", ErrInvalid, m.Restitution)
	}
	if !m.Direction.IsFinite() || !m.Axle.IsFinite() || math.IsNaN(m.Skew) || math.IsInf(m.Skew, 0) {
		return fmt.Errorf("%w: friction direction %v, axle %v, skew %v are not finite", ErrInvalid,
			m.Direction, m.Axle, m.Skew)
	}
	return m.Velocity.check()
}

// frictionDirection is the world direction of the first friction coefficient of a geom with rotation q, for
// an inward normal; zero: none.
func (m *Material) frictionDirection(q r3.Quat, normal r3.Vec) r3.Vec {
	if m.Axle == (r3.Vec{}) {
		return q.Rotate(m.Direction)
	}
	axle := q.Rotate(m.Axle)
	ahead := axle.Cross(normal)
	axle = axle.AddScaled(-axle.Dot(normal), normal)
	s, c := r3.SinCos(m.Skew)
	return ahead.Scale(c).AddScaled(s, axle)
}

// tangents are the two friction directions of a contact, the first along the material's Direction where it
// has one.
func (gs *geomSet) tangents(c *contact, normal r3.Vec) (t1, t2 r3.Vec) {
	if !c.directed {
		return normal.Basis()
	}
	for _, g := range [2]int32{c.a, c.b} {
		if !gs.surfaces[g].directed {
			continue
		}
		m := &gs.all[g].material
		into := normal
		if g == c.a {
			into = normal.Neg()
		}
		dir := m.frictionDirection(gs.placements[g].Pose.Rot, into)
		if u, ok := dir.AddScaled(-dir.Dot(normal), normal).Unit(); ok {
			return u, normal.Cross(u)
		}
		break
	}
	return normal.Basis()
}

// crossFriction is the coefficient across Direction; rollers on an axle may have none.
func (m *Material) crossFriction() float64 {
	if m.Friction2 == 0 && m.Axle == (r3.Vec{}) {
		return m.Friction
	}
	return m.Friction2
}

// combinedMaterial is the contact properties of two geoms of which one has more than friction, rolling
// friction and restitution.
type combinedMaterial struct {
	mu1, mu2           float64
	torsion, rolling   float64 // m
	restitution        float64
	threshold          float64 // m/s
	slip1, slip2       float64 // m/s per N
	stiffness, damping float64 // N/m, N·s/m of each point; stiffness 0: as stiff as the solver can
	allowedPenetration float64 // m
}

// combineMaterials combines the materials of a contact. Those with a condim follow MuJoCo: the larger of each
// property, or those of the higher priority alone. Springs are in series, slips add up (Gazebo with DART),
// and the smaller allowed penetration counts (Gazebo with ODE).
func (gs *geomSet) combineMaterials(mix Mix, c *contact) combinedMaterial {
	a, b := &gs.all[c.a].material, &gs.all[c.b].material
	if a.Condim > 0 && b.Condim > 0 {
		mix = MixMax
		switch {
		case a.Priority > b.Priority:
			b = a
		case b.Priority > a.Priority:
			a = b
		}
	}
	dims := max(a.dims(), b.dims())
	p := combinedMaterial{
		mu1: mix.combine(a.Friction, b.Friction), mu2: mix.combine(a.crossFriction(), b.crossFriction()),
		torsion:            max(a.maskByCondim(a.Torsional, 4, dims), b.maskByCondim(b.Torsional, 4, dims)),
		rolling:            max(a.maskByCondim(a.Rolling, 6, dims), b.maskByCondim(b.Rolling, 6, dims)),
		allowedPenetration: min(a.AllowedPenetration, b.AllowedPenetration),
		damping:            a.Damping + b.Damping,
		slip1:              a.Slip + b.Slip, slip2: a.Slip2 + b.Slip2,
	}
	if dims < 3 {
		p.mu1, p.mu2 = 0, 0
	}
	p.stiffness = inverseOrZero(inverseOrZero(a.Stiffness) + inverseOrZero(b.Stiffness))
	p.restitution, p.threshold = max(a.Restitution, b.Restitution), a.threshold()
	if t := b.threshold(); b.Restitution > a.Restitution || b.Restitution == a.Restitution &&
		t < p.threshold {
		p.threshold = t
	}
	return p
}

// dims is the contact dimension of a material: its condim, else 3 (normal and friction).
func (m *Material) dims() uint8 {
	if m.Condim == 0 {
		return 3
	}
	return m.Condim
}

// maskByCondim is a coefficient x that a material with a condim has only in contacts of at least these
// dimensions.
func (m *Material) maskByCondim(x float64, least, dims uint8) float64 {
	if m.Condim > 0 && dims < least {
		return 0
	}
	return x
}

// threshold is the approach speed, in m/s, below which the material does not bounce.
func (m *Material) threshold() float64 {
	if m.Threshold == 0 {
		return restitutionThreshold
	}
	return m.Threshold
}

const (
	// contactSpringSlop, in m, and contactSpringLimit bound the depth of a point on its spring: a multiple of
	// its static deflection, and slop. No load explains a deeper point.
	contactSpringSlop  = 1e-3
	contactSpringLimit = 4.0
)

// springSlop is the largest depth, m, to which a load can have pressed the spring of a point. The load is the
// point's mass, kg, or its normal impulse of the last substep, N·s. A deeper point was put there, and its
// spring would fling it out.
func (cb *contactBuilder) springSlop(p *combinedMaterial, mass, normalImpulse float64) float64 {
	if p.stiffness <= 0 {
		return math.Inf(1)
	}
	force := float64(mass * cb.cfg.Gravity.Len())
	if cb.time.h > 0 {
		force = max(force, normalImpulse/cb.time.h)
	}
	return contactSpringSlop + float64(contactSpringLimit*force)/p.stiffness
}

// contactSoftness is the softness of a point with its own spring and damper and this mass, in kg. It returns
// the usual softness and false when the spring is stiffer than the solver can hold. Damping is at least
// critical: files hardly ever mean less, and Gazebo's solver does not ring either.
func (s *solver) contactSoftness(p *combinedMaterial, mass float64, usual softness) (softness, bool) {
	if p.stiffness <= 0 || float64(p.stiffness*usual.impulse) >= float64(usual.bias*usual.mass*mass*s.invH) {
		return usual, false
	}
	a := max(p.damping, 2*math.Sqrt(float64(p.stiffness*mass))) + float64(s.h*p.stiffness)
	x := mass / float64(s.h*a)
	c := 1 / (1 + x)
	return softness{bias: p.stiffness / a, mass: c, impulse: float64(x * c)}, true
}

// contactSpring is a lane with its own spring. Relaxation removes the push-out velocity of stiff contacts at
// the end of a substep, but keeps that of springs.
type contactSpring struct{ batch, lane int32 }
