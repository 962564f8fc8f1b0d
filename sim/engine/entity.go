package engine

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
	"simdeck/sim/sensor"
)

// entity is a model that stands in the world.
type entity struct {
	name         string
	namespace    string
	id           uint64
	model        *model.Model
	resource     sim.Resource // that it was spawned from
	initialPose  r3.Pose      // of the canonical link in the world, when it came
	initialTwist r3.Twist     // of the canonical link, then
	info         scene.Info
	spawned      bool
	deletable    bool

	bodies    []dynamics.BodyID  // by Model.Bodies
	joints    []dynamics.JointID // by Model.Joints; zero: holds still
	control   control.Controller // of its joints
	sensors   sensing.Sensors    // with the encoders of its joints
	wrench    r3.Twist           // acceleration during the next step
	hasWrench bool
	fault     *sim.Fault // why it is contained, never changed; nil: it is not
}

// key is what tells the noise of this entity's sensors from that of others. It
// follows from the name, so that a reset brings the same noise back.
func (e *entity) key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(e.name))
	return h.Sum64()
}

// static reports whether nothing of the entity can move.
func (e *entity) static() bool { return e.model.Immobile() }

// rootPlacement is the canonical link's place in its body.
func (e *entity) rootPlacement() model.Placement { return e.model.Placements[e.model.Spec.Canonical] }

// insert puts an entity's bodies at its start and adds it to the world; when
// that fails nothing of it is left. The caller says structured afterwards.
func (w *World) insert(e *entity) error {
	if err := w.addBodies(e); err != nil {
		e.removeBodies(w.physics)
		return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, e.name, err)
	}
	at, _ := w.lookup(e.name)
	w.entities = slices.Insert(w.entities, at, e)
	return nil
}

// lookup finds an entity by name: its index, or where it would stand.
func (w *World) lookup(name string) (int, bool) {
	return slices.BinarySearchFunc(w.entities, name,
		func(e *entity, name string) int { return strings.Compare(e.name, name) })
}

// find is lookup with the error to answer.
func (w *World) find(name string) (*entity, error) {
	if i, ok := w.lookup(name); ok {
		return w.entities[i], nil
	}
	return nil, fmt.Errorf("%w: no entity is named %q%s", sim.ErrNotFound, name, suggest(name, w.entities))
}

// addBodies makes the bodies, joints and motors of an entity at its start.
func (w *World) addBodies(e *entity) error {
	m := e.model
	w.groups++
	poses := m.BodyPoses(e.initialPose, func(j int) float64 { return m.Spec.Joints[j].Initial })
	e.bodies = make([]dynamics.BodyID, 0, len(m.Bodies))
	for i := range m.Bodies {
		b := &m.Bodies[i]
		def := dynamics.BodyDef{
			Type: b.Type, Pose: poses[i], Mass: b.Mass.Mass, COM: b.Mass.COM, Inertia: b.Mass.Inertia,
			Group: w.groups, NoGravity: b.NoGravity, LinearDamping: b.Drag.Linear,
			AngularDamping: b.Drag.Angular,
		}
		if b.SelfCollide {
			def.Group = 0
		}
		id, err := w.physics.AddBody(def)
		if err != nil {
			return fmt.Errorf("link %q: %w", m.Spec.Links[b.Root].Name, err)
		}
		e.bodies = append(e.bodies, id)
		for k := range b.Geoms {
			if _, err := w.physics.AddGeom(id, b.Geoms[k].Def); err != nil {
				return fmt.Errorf("link %q: %w", m.Spec.Links[b.Geoms[k].Link].Name, err)
			}
		}
	}
	for _, pair := range m.NoCollision {
		if err := w.physics.DisableCollision(e.bodies[pair[0]], e.bodies[pair[1]]); err != nil {
			return err
		}
	}
	return w.articulate(e)
}

// articulate adds the joints, drives and sensors of an entity whose bodies are
// there.
func (w *World) articulate(e *entity) error {
	m := e.model
	e.joints = make([]dynamics.JointID, len(m.Joints))
	for i := range m.Joints {
		j := &m.Joints[i]
		if !j.Moves {
			continue
		}
		def := j.Def
		def.Parent, def.Child = e.bodies[j.Parent], e.bodies[j.Child]
		id, err := w.physics.AddJoint(def)
		if err != nil {
			return fmt.Errorf("joint %q: %w", m.Spec.Joints[i].Name, err)
		}
		e.joints[i] = id
	}
	if err := e.reduceCoordinates(w.physics); err != nil {
		return err
	}
	e.control = control.New(e.name, m, e.bodies, e.joints)
	if err := e.control.StartMotors(w.physics); err != nil {
		return err
	}
	w.addDevices(e)
	if e.initialTwist == (r3.Twist{}) || e.static() {
		return nil
	}
	return e.moveTo(w.physics, e.linkPose(w.physics, m.Spec.Canonical), e.initialTwist)
}

// reduceCoordinates puts the trees of an entity's joints into reduced coordinates, with
// the gears between their joints.
func (e *entity) reduceCoordinates(p *dynamics.World) error {
	m := e.model
	for _, tree := range m.Articulations {
		ids := make([]dynamics.JointID, len(tree))
		for i, j := range tree {
			ids[i] = e.joints[j]
		}
		if err := p.Articulate(ids); err != nil {
			return err
		}
	}
	for i := range m.Joints {
		mimic := &m.Spec.Joints[i].Mimic
		if !m.IsMimic(i) || !m.IsCoupled(i) {
			continue
		}
		if err := p.SetCoupling(e.joints[i], e.joints[mimic.Joint], mimic.Multiplier,
			mimic.Offset); err != nil {
			return fmt.Errorf("joint %q: %w", m.Spec.Joints[i].Name, err)
		}
	}
	return nil
}

// addDevices gives an entity fresh drives and sensors.
func (w *World) addDevices(e *entity) {
	m := e.model
	e.wrench, e.hasWrench = r3.Twist{}, false
	e.control.AddDrives(w.physics, sensor.Key{Seed: w.options.Seed, Entity: e.key()}, w.clock.control())
	e.sensors = sensing.NewSensors(sensing.Origin{Entity: e.name, ID: e.id, Key: e.key(),
		Seed: w.options.Seed, Model: m, Bodies: e.bodies}, w.clock.sensing())
}

// removeBodies removes the bodies of an entity, with their joints.
func (e *entity) removeBodies(p *dynamics.World) {
	for _, b := range e.bodies {
		// A body that is gone already is what is wanted.
		_ = p.RemoveBody(b)
	}
	e.bodies, e.joints = nil, nil
}

// remove takes an entity out of the world.
func (w *World) remove(e *entity) {
	e.removeBodies(w.physics)
	w.entities = slices.DeleteFunc(w.entities, func(o *entity) bool { return o == e })
	w.onStructureChanged()
}

// restartEntity sets an entity's sensors and odometry to a clock that was set from
// one time to another.
func (w *World) restartEntity(e *entity, from, to time.Duration) {
	e.sensors.Restart(w.clock.sensing())
	e.control.RestartOdometry(from, to)
}

// suggest suggests the entity whose name is most like the one asked for.
func suggest(name string, all []*entity) string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	if best := scene.Suggest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
