package sim

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
	"simdeck/sim/vehicle"
)

// entity is a model that stands in the world.
type entity struct {
	name      string
	namespace string
	id        uint64
	plan      *plan
	from      Resource // that it was spawned from
	start     r3.Pose  // of the canonical link in the world, when it came
	moving    r3.Twist // of the canonical link, then
	info      scene.Info
	spawned   bool
	deletable bool

	bodies   []physics.BodyID  // by plan.bodies
	joints   []physics.JointID // by plan.joints; zero: holds still
	motors   []motor           // by plan.joints
	drives   []drive           // by ModelSpec.Drives
	sensors  []measuring       // by plan.sensors
	encoders []encoder         // by plan.joints
	push     r3.Twist          // acceleration during the next step
	pushed   bool
	mimics   bool // some joint follows another
	tracks   []track
	fault    *Fault // why it is contained, never changed; nil: it is not
}

// motor is what a joint was told; Mode 0: nothing.
type motor struct {
	mode   JointMode
	target float64
}

// drive is a drive and its wheels.
type drive struct {
	vehicle.Drive
	runs     bool
	released bool                 // SetJoint took a wheel; the next DriveEntity takes it back
	wheels   [4][]physics.JointID // as package vehicle counts them
	steer    [2][]physics.JointID
	asked    vehicle.Asked
	rolling  vehicle.Asked // by the last step, whoever has the wheels
	torque   float64
	schedule sensor.Schedule
	shown    Odometry
	drift    drift
	origin   r3.Pose            // of a car: of its odometry in the world
	bumps    uint64             // of a car
	front    [2]physics.JointID // of a car: of the wheels that its steered links carry
}

// key is what tells the noise of this entity's sensors from that of others. It
// follows from the name, so that a reset brings the same noise back.
func (e *entity) key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(e.name))
	return h.Sum64()
}

// static reports whether nothing of the entity can move.
func (e *entity) static() bool {
	return !slices.ContainsFunc(e.plan.bodies, func(b planBody) bool { return b.kind != physics.Static })
}

// canonical is the canonical link's place in its body.
func (e *entity) canonical() place { return e.plan.places[e.plan.spec.Canonical] }

// joint is the index of a joint by its name.
func (e *entity) joint(name string) (int, bool) {
	i := slices.IndexFunc(e.plan.spec.Joints, func(j scene.Joint) bool { return j.Name == name })
	return i, i >= 0
}

// insert puts an entity's bodies at its start and adds it to the world; when
// that fails nothing of it is left. The caller says structured afterwards.
func (w *World) insert(e *entity) error {
	if err := w.embody(e); err != nil {
		w.disembody(e)
		return fmt.Errorf("%w: entity %q: %w", ErrFailed, e.name, err)
	}
	at, _ := w.lookup(e.name)
	w.entities = slices.Insert(w.entities, at, e)
	return nil
}

// lookup finds an entity by name: its index, or where it would stand.
func (w *World) lookup(name string) (int, bool) {
	return slices.BinarySearchFunc(w.entities, name, func(e *entity, name string) int { return strings.Compare(e.name, name) })
}

// find is lookup with the error to answer.
func (w *World) find(name string) (*entity, error) {
	if i, ok := w.lookup(name); ok {
		return w.entities[i], nil
	}
	return nil, fmt.Errorf("%w: no entity is named %q%s", ErrNotFound, name, nearest(name, w.entities))
}

// embody makes the bodies, joints and motors of an entity at its start.
func (w *World) embody(e *entity) error {
	p := e.plan
	w.groups++
	poses := p.pose(e.start, func(j int) float64 { return p.spec.Joints[j].Initial })
	e.bodies = make([]physics.BodyID, 0, len(p.bodies))
	for i := range p.bodies {
		b := &p.bodies[i]
		def := physics.BodyDef{
			Type: b.kind, Pose: poses[i], Mass: b.mass.Mass, COM: b.mass.COM, Inertia: b.mass.Inertia,
			Group: w.groups, NoGravity: b.float, LinearDamping: b.drag.Linear, AngularDamping: b.drag.Angular,
		}
		if b.self {
			def.Group = 0
		}
		id, err := w.physics.AddBody(def)
		if err != nil {
			return fmt.Errorf("link %q: %w", p.spec.Links[b.root].Name, err)
		}
		e.bodies = append(e.bodies, id)
		for k := range b.geoms {
			if _, err := w.physics.AddGeom(id, b.geoms[k].def); err != nil {
				return fmt.Errorf("link %q: %w", p.spec.Links[b.geoms[k].link].Name, err)
			}
		}
	}
	for _, pair := range p.apart {
		if err := w.physics.KeepApart(e.bodies[pair[0]], e.bodies[pair[1]]); err != nil {
			return err
		}
	}
	return w.articulate(e)
}

// articulate adds the joints, drives and sensors of an entity whose bodies are
// there.
func (w *World) articulate(e *entity) error {
	p := e.plan
	e.joints = make([]physics.JointID, len(p.joints))
	e.motors = make([]motor, len(p.joints))
	e.tracks = nil
	for i := range p.joints {
		j := &p.joints[i]
		if !j.moves {
			continue
		}
		def := j.def
		def.Parent, def.Child = e.bodies[j.parent], e.bodies[j.child]
		id, err := w.physics.AddJoint(def)
		if err != nil {
			return fmt.Errorf("joint %q: %w", p.spec.Joints[i].Name, err)
		}
		e.joints[i] = id
	}
	if err := w.reduce(e); err != nil {
		return err
	}
	w.hold(e)
	if err := w.serve(e); err != nil {
		return err
	}
	w.equip(e)
	if e.moving == (r3.Twist{}) || e.static() {
		return nil
	}
	return w.carry(e, w.linkPose(e, p.spec.Canonical), e.moving)
}

// reduce puts the trees of an entity's joints into reduced coordinates, with
// the gears between their joints.
func (w *World) reduce(e *entity) error {
	p := e.plan
	for _, tree := range p.trees {
		ids := make([]physics.JointID, len(tree))
		for i, j := range tree {
			ids[i] = e.joints[j]
		}
		if err := w.physics.Articulate(ids); err != nil {
			return err
		}
	}
	e.mimics = false
	for i := range p.joints {
		m := &p.spec.Joints[i].Mimic
		switch {
		case !p.follows(i):
		case p.geared(i):
			if err := w.physics.SetGear(e.joints[i], e.joints[m.Joint], m.Multiplier, m.Offset); err != nil {
				return fmt.Errorf("joint %q: %w", p.spec.Joints[i].Name, err)
			}
		default:
			e.mimics = true
		}
	}
	return nil
}

// follows reports whether a joint follows another one.
func (p *plan) follows(i int) bool {
	m := &p.spec.Joints[i].Mimic
	return m.Set && p.joints[i].moves && m.Joint >= 0 && m.Joint < len(p.joints) && p.joints[m.Joint].moves
}

// geared reports whether a joint and the one that it follows turn each other, as
// gear wheels do. Others follow by a motor.
func (p *plan) geared(i int) bool {
	return p.joints[i].single() && p.joints[p.spec.Joints[i].Mimic.Joint].single()
}

// single reports whether a joint has one degree of freedom.
func (j *planJoint) single() bool {
	switch j.def.Type {
	case physics.Revolute, physics.Continuous, physics.Prismatic, physics.Screw:
		return true
	}
	return false
}

// equip gives an entity fresh drives and sensors.
func (w *World) equip(e *entity) {
	p := e.plan
	e.push, e.pushed = r3.Twist{}, false
	e.drives = make([]drive, len(p.drives))
	for i := range e.drives {
		spec := &p.spec.Drives[i]
		d := drive{Drive: vehicle.New(spec, p.steerLimit(spec)), runs: p.drives[i]}
		d.shown.Pose = r3.IdentityPose()
		d.drift = newDrift(spec, sensor.Key{Seed: w.options.Seed, Entity: e.key(), Sensor: 1<<56 + uint64(i)})
		d.schedule = sensor.NewSchedule(odomRate(spec), w.time)
		if d.runs {
			e.couple(&d, spec)
			d.torque = e.torque(spec)
			w.brake(&d)
		}
		if d.runs && d.Car() {
			w.startCar(e, &d)
		}
		e.drives[i] = d
	}
	e.encoders = w.encoders(e)
	e.sensors = make([]measuring, len(p.sensors))
	for i := range e.sensors {
		e.sensors[i].schedule = sensor.NewSchedule(p.sensors[i].spec.Rate, w.time)
		e.sensors[i].channels = w.channels(e, i)
	}
}

func odomRate(d *scene.Drive) float64 {
	if d.OdomRate > 0 {
		return d.OdomRate
	}
	return vehicle.DefaultOdomRate
}

// torque is the limit of a drive's motor on each wheel: the file's, else 0 for
// the joint's own, else enough to make every wheel slip.
func (e *entity) torque(d *scene.Drive) float64 {
	if d.MaxTorque > 0 {
		return d.MaxTorque
	}
	for _, wheels := range [][]int{d.Left, d.Right} {
		for _, j := range wheels {
			if e.plan.joints[j].def.MaxEffort > 0 {
				return 0
			}
		}
	}
	mass := 0.0
	for i := range e.plan.bodies {
		mass += e.plan.bodies[i].mass.Mass
	}
	const slip = 2 * 9.81 // twice the weight on one wheel of friction 1
	return max(1, float64(mass*slip)*d.Radius)
}

// disembody removes the bodies of an entity, with their joints.
func (w *World) disembody(e *entity) {
	for _, b := range e.bodies {
		// A body that is gone already is what is wanted.
		_ = w.physics.RemoveBody(b)
	}
	e.bodies, e.joints = nil, nil
}

// remove takes an entity out of the world.
func (w *World) remove(e *entity) {
	w.disembody(e)
	w.entities = slices.DeleteFunc(w.entities, func(o *entity) bool { return o == e })
	w.structured()
}

// restart sets an entity's sensors and odometry to a clock that was set from
// one time to another.
func (w *World) restart(e *entity, from, to time.Duration) {
	for i := range e.sensors {
		e.sensors[i] = measuring{schedule: sensor.NewSchedule(e.plan.sensors[i].spec.Rate, to), channels: w.channels(e, i)}
	}
	for i := range e.drives {
		d := &e.drives[i]
		d.Rebase(from, to)
		d.shown.Seq, d.shown.Time = 0, to
		d.schedule = sensor.NewSchedule(odomRate(&e.plan.spec.Drives[i]), to)
	}
}
