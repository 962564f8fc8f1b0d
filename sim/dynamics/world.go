// Package dynamics moves rigid bodies: contacts with friction, joints with motors, sleep, and queries for
// sensors and tools (rays, overlaps, contacts).
//
// A World is a state machine of plain arrays, indexed by slots with generations and split by who reads them:
// moving state, constants, bookkeeping. Step is the pipeline broad phase → narrow phase → soft-step solver →
// finish → sleep. Every order is fixed by slots, never by history, maps or goroutines, so the same calls give
// the same bits on every machine. Nothing is allocated once the arrays have grown to the world's size.
//
// Files: step.go declares the stages as data; joint_*.go are joints between bodies, contact_*.go contacts, and
// articulation*.go the exchange of loads and rows with trees of joints (arms, legs), which have reduced
// coordinates: see Articulate and package articulation. Packages below this one compute without a World.
//
// The solver is the "soft step" of Catto (box2d v3, "Solver2D", 2024). Small substeps each have one pass of
// soft constraints, integration, and one relaxing pass that removes the push velocity.
//
// Units are SI, frames right-handed, everything in the world frame unless said. A World is not safe
// for concurrent use; it has no clock, no goroutine and no randomness of its own. Goroutines of Workers
// may compute a part of each step; the bits are the same without them, and with any number.
package dynamics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

var (
	// ErrGone is wrapped when an id names nothing, or something that has been removed.
	ErrGone = errors.New("no such thing in the physics world")
	// ErrInvalid is wrapped when a value cannot be: the message says which, its value and what would do.
	ErrInvalid = errors.New("invalid value")
)

// Config is the configuration of a world; the zero value is a world without gravity and with defaults.
type Config struct {
	Gravity  r3.Vec // m/s²
	Substeps int    // per Step, at most 64; 0: chosen from the step
	// stiffness of contacts as a frequency; 0: 240 Hz; never above 0.15 of the substeps'
	ContactHertz  float64
	RecoverySpeed float64      // m/s, the fastest that an overlap is pushed apart; 0: 1 m/s
	NoSleep       bool         // bodies at rest are computed on
	SleepSpeed    float64      // m/s of any point of a body, below which it may fall asleep; 0: 0.01
	SleepTime     float64      // s that it must stay so slow; 0: 0.5
	Mix           Mix          // how two frictions make one
	Clock         func() int64 // ns; only for the stage times in Stats; nil: none
	// bodies that leave the finite numbers are taken out, and Step goes on: see Faults
	Contain bool
	Workers *Workers // computes steps too while it works; nil: nobody else does
}

// World is all bodies, geoms, joints and contacts. Make it with New.
type World struct {
	cfg   Config
	tuner parallelTuner // whether workers are worth their while here
	time  stepTime

	bodies            bodySet
	geoms             geomSet
	joints            jointSet
	articulations     articulationList // in reduced coordinates
	transmissions     transmissionSet
	nextArticulations []int32 // where the next of them go, see PlaceNext
	contacts          contactSet

	active      activeSet
	containment containment

	solver  solver
	islands islandBuilder
	stats   Stats
	scratch []workerScratch // one for each worker
}

// stepTime holds the lengths of the last step and of its substeps, and the number of steps.
type stepTime struct {
	dt    float64 // s, of the last step
	h     float64 // s, of its substeps
	steps uint64  // taken
}

// New makes an empty world; an ErrInvalid names what is wrong with the configuration.
func New(c Config) (*World, error) {
	if !c.Gravity.IsFinite() {
		return nil, fmt.Errorf("%w: gravity %v m/s² is not finite", ErrInvalid, c.Gravity)
	}
	if c.Substeps < 0 || c.Substeps > 64 {
		return nil, fmt.Errorf("%w: %d substeps, must be 0 (automatic) to 64", ErrInvalid, c.Substeps)
	}
	for _, f := range []struct {
		name  string
		value *float64
		def   float64
	}{
		{"contact hertz", &c.ContactHertz, 240},
		{"recovery speed", &c.RecoverySpeed, 1},
		{"sleep speed", &c.SleepSpeed, 0.01},
		{"sleep time", &c.SleepTime, 0.5},
	} {
		if !(*f.value >= 0) || math.IsInf(*f.value, 1) {
			return nil, fmt.Errorf("%w: %s %v, must be finite and not negative", ErrInvalid, f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if c.Mix > MixMultiply {
		return nil, fmt.Errorf("%w: friction mix %d is unknown", ErrInvalid, c.Mix)
	}
	w := &World{cfg: c}
	w.solver.useSIMD = hasAVX2()
	w.solver.setInspect()
	w.geoms.tree.Clear()
	w.scratch = make([]workerScratch, 1)
	return w, nil
}

// Gravity is the acceleration that acts on every body, m/s².
func (w *World) Gravity() r3.Vec { return w.cfg.Gravity }

// SetGravity changes it and wakes every body.
func (w *World) SetGravity(g r3.Vec) error {
	if !g.IsFinite() {
		return fmt.Errorf("%w: gravity %v m/s² is not finite", ErrInvalid, g)
	}
	w.cfg.Gravity = g
	for i := range w.bodies.all {
		w.active.wake(&w.bodies, int32(i))
	}
	return nil
}

// Steps is the number of steps that the world has taken.
func (w *World) Steps() uint64 { return w.time.steps }

// Stage is a part of Step.
type Stage int

// The stages, in the order in which Step goes through them.
const (
	StageBroad Stage = iota
	StageNarrow
	StagePrepare
	StageSolve
	StageFinish
	StageSleep
	StageCount
)

// String is a short name for tables.
func (s Stage) String() string {
	names := [StageCount]string{"broad", "narrow", "prepare", "solve", "finish", "sleep"}
	if s < 0 || s >= StageCount {
		return fmt.Sprintf("stage %d", int(s))
	}
	return names[s]
}

// Stats are the figures of the last step.
type Stats struct {
	Bodies    int
	Awake     int
	Geoms     int
	Joints    int
	Pairs     int // of geoms whose fat boxes overlap
	Touching  int // contacts that were solved
	Manifolds int
	Points    int
	Islands   int // awake ones, counted only in steps in which something may fall asleep
	Substeps  int
	Swept     int // fast bodies that were followed on their way
	Stopped   int // those of them that met something on it

	// TrianglesLeft counts the triangles near a geom that were left out after 512 others of the mesh. The
	// mesh is too fine for the geom, whose contact may miss some.
	TrianglesLeft int
	Stage         [StageCount]int64 // ns; zero without Config.Clock
}

// Stats returns the figures of the last step.
func (w *World) Stats() Stats {
	s := w.stats
	s.Bodies, s.Geoms, s.Joints = w.bodies.ids.live, w.geoms.ids.live, w.joints.ids.live
	s.Pairs = len(w.contacts.pairs.sorted)
	s.Awake = 0
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) && w.bodies.isAwake(int32(i)) {
			s.Awake++
		}
	}
	s.Manifolds, s.Points = len(w.solver.coloring.constraints), w.solver.coloring.pointCount()
	return s
}

// AddBody makes a body without geoms; an ErrInvalid says what is wrong with the description.
func (w *World) AddBody(d BodyDef) (BodyID, error) {
	if err := d.check(); err != nil {
		return BodyID{}, err
	}
	in := massProperties{mass: d.Mass, com: d.COM, inertia: d.Inertia, halfThickness: math.Inf(1)}
	if d.Type == Dynamic {
		inv, ok := d.Inertia.Inverse()
		if !ok {
			return BodyID{}, fmt.Errorf("%w: inertia %v cannot be inverted", ErrInvalid, d.Inertia)
		}
		in.invMass, in.invInertia = 1/d.Mass, inv
		lo, axes := d.Inertia.Eigen()
		in.principalMoments, in.principalAxes = lo, axes
		in.spherical = lo.Sub(r3.Vec{X: lo.X, Y: lo.X, Z: lo.X}).MaxAbs() < float64(1e-9*lo.X)
	}
	slot, grown := w.bodies.ids.allocate()
	if grown {
		w.bodies.all = append(w.bodies.all, body{})
		w.bodies.motion = append(w.bodies.motion, bodyPoseVelocity{})
		w.bodies.massProps = append(w.bodies.massProps, massProperties{})
		w.bodies.motionBounds = append(w.bodies.motionBounds, motionBound{})
	}
	b := &w.bodies.all[slot]
	*b = body{
		kind: d.Type, noGravity: d.NoGravity, noSleep: d.NoSleep, bullet: d.Bullet, group: d.Group,
		user:  d.User,
		geoms: b.geoms[:0], joints: b.joints[:0],
		linDamping: d.LinearDamping, angDamping: d.AngularDamping, nextInIsland: slot,
	}
	w.bodies.massProps[slot] = in
	w.bodies.setPose(slot, d.Pose)
	w.bodies.setTwist(slot, d.Twist)
	w.active.dirty = true
	return BodyID{uint32(slot), w.bodies.ids.gen[slot]}, nil
}

// RemoveBody takes a body out with its geoms and joints and wakes what it touched.
func (w *World) RemoveBody(id BodyID) error {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return err
	}
	w.Release([]BodyID{id})
	w.active.wakeAround(&w.bodies, &w.contacts, slot)
	b := &w.bodies.all[slot]
	w.transmissions.removeOf(&w.bodies, &w.active, slot)
	for len(b.joints) > 0 {
		w.removeJoint(b.joints[0])
	}
	for len(b.geoms) > 0 {
		w.removeGeom(b.geoms[0])
	}
	w.bodies.all[slot] = body{geoms: b.geoms[:0], joints: b.joints[:0], nextInIsland: slot}
	w.bodies.motion[slot] = bodyPoseVelocity{}
	w.bodies.massProps[slot] = massProperties{}
	w.bodies.ids.release(slot)
	w.active.dirty = true
	return nil
}

// SetPose moves a body's frame there at once; its twist stays. The memory of its contacts is dropped,
// it wakes, and so does what it touched. Bodies that joints tie to it are not moved along.
func (h Body) SetPose(p r3.Pose) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	p, ok := p.Unit()
	if !ok {
		return fmt.Errorf("%w: pose %v of %v: must be finite, its quaternion not zero", ErrInvalid, p, h.id)
	}
	h.w.active.wakeAround(&h.w.bodies, &h.w.contacts, slot)
	tw := h.Twist()
	h.w.bodies.setPose(slot, p)
	h.w.bodies.setTwist(slot, tw)
	h.w.contacts.dropOfBody(&h.w.active, slot)
	h.w.geoms.place(&h.w.bodies, &h.w.time, slot, true)
	h.w.invalidateJoints(slot)
	h.w.active.wake(&h.w.bodies, slot)
	h.w.active.wakeOverlapping(&h.w.bodies, &h.w.geoms, slot)
	return nil
}

// SetTwist sets the velocity of the body's frame and wakes it. A static body has none. In a tree in reduced
// coordinates it sets the body's momentum: the joints of the tree share its change as in a hit.
func (h Body) SetTwist(t r3.Twist) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	if !t.IsFinite() {
		return fmt.Errorf("%w: twist %v of %v is not finite", ErrInvalid, t, h.id)
	}
	h.w.bodies.setTwist(slot, t)
	h.w.invalidateJoints(slot)
	h.w.active.wake(&h.w.bodies, slot)
	return nil
}

// ApplyWrench adds a force at a point, and a torque, that act during the next Step only; the body wakes.
func (h Body) ApplyWrench(force, torque, point r3.Vec) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	if !force.IsFinite() || !torque.IsFinite() || !point.IsFinite() {
		return fmt.Errorf("%w: wrench %v N, %v N·m at %v on %v is not finite", ErrInvalid, force, torque,
			point, h.id)
	}
	b := &h.w.bodies.all[slot]
	if b.kind != Dynamic || b.contained {
		return nil
	}
	b.force = b.force.Add(force)
	b.torque = b.torque.Add(torque).Add(point.Sub(h.w.bodies.motion[slot].com).Cross(force))
	h.w.active.wake(&h.w.bodies, slot)
	return nil
}

// Wrench is the force and the torque about the centre of mass that were applied for the next Step, in the
// world's axes. Gravity, joints and contacts are not in it.
func (h Body) Wrench() (force, torque r3.Vec) {
	if !h.Alive() {
		return r3.Vec{}, r3.Vec{}
	}
	b := &h.w.bodies.all[h.id.slot]
	return b.force, b.torque
}

// ApplyAcceleration adds the wrench that would accelerate the body during the next Step, alone in space. The
// linear part is its COM's, in the world's axes; the body wakes.
func (h Body) ApplyAcceleration(a r3.Twist) error {
	slot, err := h.w.bodies.slot(h.id)
	if err != nil {
		return err
	}
	m, in := &h.w.bodies.motion[slot], &h.w.bodies.massProps[slot]
	return h.ApplyWrench(a.Linear.Scale(in.mass), in.inertia.Turned(m.rot).Apply(a.Angular), m.com)
}

// Wake wakes a body and the sleeping bodies that it rests with.
func (h Body) Wake() {
	if h.Alive() {
		h.w.active.wake(&h.w.bodies, int32(h.id.slot))
	}
}

// DisableCollision excludes two bodies from colliding with each other, as a joint between them does, until
// one of them is removed. It fails with ErrGone when one does not exist.
func (w *World) DisableCollision(a, b BodyID) error {
	first, err := w.bodies.slot(a)
	if err != nil {
		return err
	}
	second, err := w.bodies.slot(b)
	if err != nil {
		return err
	}
	if first == second || w.bodies.collisionDisabled(first, second) {
		return nil
	}
	// Copies of the world share these lists: they are never changed in place.
	w.bodies.all[first].noCollision = append(slices.Clip(w.bodies.all[first].noCollision), b)
	w.bodies.all[second].noCollision = append(slices.Clip(w.bodies.all[second].noCollision), a)
	w.contacts.dropBetween(&w.active, first, second)
	w.active.wake(&w.bodies, first)
	w.active.wake(&w.bodies, second)
	return nil
}

// AddGeom fixes a shape to a body. It fails with ErrGone without the body, and with ErrInvalid when the
// definition is.
func (w *World) AddGeom(id BodyID, d GeomDef) (GeomID, error) {
	slot, err := w.bodies.slot(id)
	if err != nil {
		return GeomID{}, err
	}
	g, err := newGeom(&d)
	if err != nil {
		return GeomID{}, err
	}
	if g.Kind >= shape.KindPlane && w.bodies.all[slot].kind != Static {
		return GeomID{},
			fmt.Errorf(
				"%w: a %v on a %v body: planes, meshes and heightfields do not move, use a convex hull",
				ErrInvalid, g.Kind, w.bodies.all[slot].kind)
	}
	g.body = slot
	s, grown := w.geoms.ids.allocate()
	if grown {
		w.geoms.all = append(w.geoms.all, geom{})
		w.geoms.placements = append(w.geoms.placements, geomPlacement{})
		w.geoms.bounds = append(w.geoms.bounds, fatBound{})
		w.geoms.surfaces = append(w.geoms.surfaces, surface{})
	}
	w.geoms.all[s], w.geoms.placements[s], w.geoms.bounds[s], w.geoms.surfaces[s] = g, geomPlacement{},
		fatBound{},
		d.Material.surface()
	b := &w.bodies.all[slot]
	b.geoms = insertSorted(b.geoms, s)
	w.geoms.extendRadius(&w.bodies, slot, s)
	if g.Kind == shape.KindPlane {
		w.geoms.planes = insertSorted(w.geoms.planes, s)
	}
	if w.geoms.surfaces[s].runs {
		w.geoms.running = insertSorted(w.geoms.running, s)
	}
	w.geoms.insert(&w.bodies, w.time.steps, s)
	w.active.wake(&w.bodies, slot)
	w.active.wakeOverlappingGeom(&w.bodies, &w.geoms, s, nil)
	return GeomID{uint32(s), w.geoms.ids.gen[s]}, nil
}

// RemoveGeom removes a geom and wakes the bodies that it touched. It fails with ErrGone when there is none.
func (w *World) RemoveGeom(id GeomID) error {
	if !w.geoms.ids.isCurrent(id.slot, id.gen) {
		return fmt.Errorf("%w: %v", ErrGone, id)
	}
	slot := w.geoms.all[id.slot].body
	w.active.wakeAround(&w.bodies, &w.contacts, slot)
	w.removeGeom(int32(id.slot))
	w.active.wake(&w.bodies, slot)
	return nil
}

// SurfaceSpeed is the factor of a geom's surface velocity; zero for a geom that has none, or is gone.
func (h Geom) SurfaceSpeed() float64 {
	if !h.alive() {
		return 0
	}
	return h.w.geoms.surfaces[h.id.slot].speed
}

// SetSurfaceSpeed sets the factor of a geom's surface velocity, which is 1 at first, and wakes what it moves.
// It fails with ErrGone without the geom, and with ErrInvalid for a geom whose surface does not move, or a
// factor that is not finite.
func (h Geom) SetSurfaceSpeed(factor float64) error {
	if !h.alive() {
		return fmt.Errorf("%w: %v", ErrGone, h.id)
	}
	w, s := h.w, &h.w.geoms.surfaces[h.id.slot]
	if !s.runs {
		return fmt.Errorf("%w: %v has no surface velocity", ErrInvalid, h.id)
	}
	if !(math.Abs(factor) <= maxSurfaceSpeed) {
		return fmt.Errorf("%w: surface speed %v, must be at most %g either way", ErrInvalid, factor,
			maxSurfaceSpeed)
	}
	if s.speed != factor {
		s.speed = factor
		w.active.wakeAround(&w.bodies, &w.contacts, w.geoms.all[h.id.slot].body)
	}
	return nil
}

// removeGeom removes a geom, its contacts and its leaf of the broad-phase tree.
func (w *World) removeGeom(s int32) {
	g := &w.geoms.all[s]
	w.contacts.dropOfGeom(&w.active, s)
	if g.leaf >= 0 {
		w.geoms.tree.Remove(g.leaf)
	}
	w.geoms.planes = removeSorted(w.geoms.planes, s)
	w.geoms.running = removeSorted(w.geoms.running, s)
	if b := &w.bodies.all[g.body]; b.kind == Static {
		w.geoms.adjacency.dirty = true
	} else if len(b.geoms) > 1 {
		w.geoms.adjacency.moved = append(w.geoms.adjacency.moved, s)
	}
	if w.geoms.placements[s].moved {
		w.geoms.moved = deleteValue(w.geoms.moved, s)
	}
	b := &w.bodies.all[g.body]
	b.geoms = removeSorted(b.geoms, s)
	w.geoms.updateRadius(&w.bodies, g.body)
	w.geoms.all[s], w.geoms.placements[s] = geom{leaf: -1}, geomPlacement{}
	w.geoms.ids.release(s)
}

// AddJoint adds a joint between two bodies; its position is measured from their present poses. Errors:
// ErrInvalid for a definition out of range, ErrGone for a removed body.
func (w *World) AddJoint(d JointDef) (JointID, error) {
	if err := d.check(); err != nil {
		return JointID{}, err
	}
	child, err := w.bodies.slot(d.Child)
	if err != nil {
		return JointID{}, fmt.Errorf("joint's child: %w", err)
	}
	parent := int32(-1)
	if d.Parent != (BodyID{}) {
		if parent, err = w.bodies.slot(d.Parent); err != nil {
			return JointID{}, fmt.Errorf("joint's parent: %w", err)
		}
	}
	if parent == child {
		return JointID{}, fmt.Errorf("%w: a joint of %v with itself", ErrInvalid, d.Child)
	}
	align := d.align()
	j := joint{
		kind: d.Type, collide: d.Collide, parent: parent, child: child,
		jointFrames: jointFrames{
			anchorA: d.ParentFrame.Pos, anchorB: d.ChildFrame.Pos.Sub(w.bodies.massProps[child].com),
			rotA: d.ParentFrame.Rot.Mul(align), rotB: d.ChildFrame.Rot.Mul(align),
		},
		jointLimits: jointLimits{limited: d.Limited && d.Type != Continuous, lower: d.Lower, upper: d.Upper,
			speedLimit: d.SpeedLimit},
		jointPassive: jointPassive{damping: d.Damping, friction: d.Friction, stiffness: d.Stiffness,
			springRest: d.SpringRest},
		armature: d.Armature, maxEffort: d.MaxEffort, maxVelocity: d.MaxVelocity, user: d.User,
	}
	if d.Type == Screw {
		j.pitch = d.Pitch / (2 * math.Pi)
	}
	if parent >= 0 {
		j.anchorA = j.anchorA.Sub(w.bodies.massProps[parent].com)
	}
	slot, grown := w.joints.ids.allocate()
	if grown {
		w.joints.all = append(w.joints.all, joint{})
	}
	w.joints.all[slot] = j
	for _, b := range [2]int32{parent, child} {
		if b >= 0 {
			w.bodies.all[b].joints = insertSorted(w.bodies.all[b].joints, slot)
			w.active.wake(&w.bodies, b)
		}
	}
	if !d.Collide && parent >= 0 {
		w.contacts.dropBetween(&w.active, parent, child)
	}
	w.joints.measure(&w.bodies, slot, false)
	return JointID{uint32(slot), w.joints.ids.gen[slot]}, nil
}

// RemoveJoint removes a joint and wakes its bodies. Error: ErrGone.
func (w *World) RemoveJoint(id JointID) error {
	if !w.joints.ids.isCurrent(id.slot, id.gen) {
		return fmt.Errorf("%w: %v", ErrGone, id)
	}
	w.removeJoint(int32(id.slot))
	return nil
}

// removeJoint removes a joint by slot.
func (w *World) removeJoint(slot int32) {
	if l := w.joints.all[slot].articulation; l != 0 {
		w.toMaximal(l)
	}
	w.joints.removeCoupling(slot)
	w.transmissions.removeOfJoint(slot)
	j := w.joints.all[slot]
	for _, b := range [2]int32{j.parent, j.child} {
		if b >= 0 {
			w.active.wake(&w.bodies, b)
			w.bodies.all[b].joints = removeSorted(w.bodies.all[b].joints, slot)
		}
	}
	// Parent and child may now collide, so the next broad phase must test them.
	if !j.collide {
		for _, s := range w.bodies.all[j.child].geoms {
			w.geoms.markMoved(&w.bodies, s)
		}
	}
	w.joints.all[slot] = joint{}
	w.joints.ids.release(slot)
}

// MeasureJoints measures all joint positions from the bodies' poses, after SetPose. Angles restart within
// [-π, π].
func (w *World) MeasureJoints() {
	w.measureArticulations(true)
	for i := range w.joints.all {
		if w.joints.ids.inUse(int32(i)) && w.joints.all[i].articulation == 0 {
			w.joints.measure(&w.bodies, int32(i), false)
		}
	}
}
