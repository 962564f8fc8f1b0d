package engine

import (
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
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

	bodies        []dynamics.BodyID         // by Model.Bodies
	joints        []dynamics.JointID        // by Model.Joints; zero: holds still
	transmissions []dynamics.TransmissionID // by Model.Transmissions
	control       control.Controller        // of its joints
	sensors       sensing.Sensors           // with the encoders of its joints
	noiseSeed     uint64                    // for sim.EntityModel
	wrench        r3.Twist                  // acceleration during the next step
	hasWrench     bool
	waits         []waiting  // by Spec.Detachables; never changed in place
	fault         *sim.Fault // why it is contained, never changed; nil: it is not

	floats []model.Float // that its world's fluid carries; never changed
	blown  bool          // a wind blows in its world that pushes links
	// swells are the volumes of links in their frames, where waves rock them; nil: none do.
	swells []medium.Extent
}

// key identifies the noise of this entity's sensors. It follows from the name, so that a reset brings the
// same noise back.
func (e *entity) key() uint64 { return keyOf(e.name) }

// keyOf is the key of the entity of a name.
func keyOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// static reports whether nothing of the entity can move.
func (e *entity) static() bool { return e.model.Immobile() }

// rootPlacement is the canonical link's place in its body.
func (e *entity) rootPlacement() model.Placement { return e.model.Placements[e.model.Spec.Canonical] }

// addBodies makes the bodies, joints and motors of an entity at its start, with a collision group and a seed
// of sensor noise.
func (e *entity) addBodies(p *dynamics.World, group int32, seed uint64, c *clock) error {
	m := e.model
	poses := m.InitialPoses(e.initialPose)
	e.bodies = make([]dynamics.BodyID, 0, len(m.Bodies))
	for i := range m.Bodies {
		b := &m.Bodies[i]
		def := dynamics.BodyDef{
			Type: b.Type, Pose: poses[i], Mass: b.Mass.Mass, COM: b.Mass.COM, Inertia: b.Mass.Inertia,
			Group: group, NoGravity: b.NoGravity, LinearDamping: b.Drag.Linear,
			AngularDamping: b.Drag.Angular,
		}
		if b.SelfCollide {
			def.Group = 0
		}
		def.NoSleep = e.blown && m.InWind(i) || e.inWaves(i) || e.inStream(i)
		id, err := p.AddBody(def)
		if err != nil {
			return fmt.Errorf("link %q: %w", m.Spec.Links[b.Root].Name, err)
		}
		e.bodies = append(e.bodies, id)
		for k := range b.Geoms {
			if _, err := p.AddGeom(id, b.Geoms[k].Def); err != nil {
				return fmt.Errorf("link %q: %w", m.Spec.Links[b.Geoms[k].Link].Name, err)
			}
		}
	}
	for _, pair := range m.NoCollision {
		if err := p.DisableCollision(e.bodies[pair[0]], e.bodies[pair[1]]); err != nil {
			return err
		}
	}
	return e.articulate(p, seed, c)
}

// articulate adds the joints, drives and sensors of an entity whose bodies are
// there.
func (e *entity) articulate(p *dynamics.World, seed uint64, c *clock) error {
	m := e.model
	e.joints = make([]dynamics.JointID, len(m.Joints))
	for i := range m.Joints {
		j := &m.Joints[i]
		if !j.Moves {
			continue
		}
		def := j.Def
		def.Parent, def.Child = e.bodies[j.Parent], e.bodies[j.Child]
		id, err := p.AddJoint(def)
		if err != nil {
			return fmt.Errorf("joint %q: %w", m.Spec.Joints[i].Name, err)
		}
		e.joints[i] = id
	}
	if err := e.reduceCoordinates(p); err != nil {
		return err
	}
	for i, q := range m.Initial {
		if m.Joints[i].Moves && math.Abs(q) > 3 { // bodies show no turns
			p.Joint(e.joints[i]).CountTurns(q)
		}
	}
	if err := e.addTransmissions(p); err != nil {
		return err
	}
	e.control = control.New(e.name, m, e.bodies, e.joints, e.transmissions)
	if err := e.control.StartMotors(p); err != nil {
		return err
	}
	e.addDevices(p, seed, c)
	if err := e.start(p); err != nil {
		return err
	}
	if e.initialTwist == (r3.Twist{}) || e.static() {
		return nil
	}
	return e.moveTo(p, e.linkPose(p, m.Spec.Canonical), e.initialTwist)
}

// start lets bodies move as the description has them at spawning.
func (e *entity) start(p *dynamics.World) error {
	m, moves := e.model, false
	frame := e.initialPose.Rot.Mul(m.Spec.Frame.Upright().Rot.Conj()) // of the model in the world
	for i := range m.Bodies {
		t := m.Spec.Links[m.Bodies[i].Root].Twist
		if t == (r3.Twist{}) || m.Bodies[i].Type != dynamics.Dynamic {
			continue
		}
		moves = true
		t = r3.Twist{Linear: frame.Rotate(t.Linear), Angular: frame.Rotate(t.Angular)}
		if err := p.Body(e.bodies[i]).SetTwist(t); err != nil {
			return err
		}
	}
	if moves {
		p.MeasureJoints()
	}
	return nil
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

// addTransmissions adds the tendons of an entity, and what actuators act on besides joints.
func (e *entity) addTransmissions(p *dynamics.World) error {
	e.transmissions = make([]dynamics.TransmissionID, len(e.model.Transmissions))
	for i := range e.model.Transmissions {
		t := &e.model.Transmissions[i]
		var err error
		if e.transmissions[i], err = p.AddTransmission(t.DefOf(e.bodies, e.joints)); err != nil {
			return fmt.Errorf("transmission %q: %w", t.Spec.Name, err)
		}
	}
	return nil
}

// addDevices gives an entity fresh drives and sensors.
func (e *entity) addDevices(p *dynamics.World, seed uint64, c *clock) {
	e.noiseSeed = seed ^ e.key()
	m := e.model
	e.wrench, e.hasWrench, e.waits = r3.Twist{}, false, nil
	for range m.Spec.Detachables {
		e.waits = append(e.waits, waiting{on: true})
	}
	e.control.AddDrives(p, sensor.Key{Seed: seed, Entity: e.key()}, c.control())
	e.sensors = sensing.NewSensors(sensing.Origin{Entity: e.name, ID: e.id, Key: e.key(),
		Seed: seed, Model: m, Bodies: e.bodies}, c.sensing())
}

// removeBodies removes the bodies of an entity, with their joints.
func (e *entity) removeBodies(p *dynamics.World) {
	for _, b := range e.bodies {
		// A body may be gone already.
		_ = p.RemoveBody(b)
	}
	e.bodies, e.joints, e.transmissions = nil, nil, nil
}

// restart sets an entity's sensors and odometry to a clock that was set from another time.
func (e *entity) restart(from time.Duration, c *clock) {
	e.sensors.Restart(c.sensing())
	e.control.RestartOdometry(from, c.time)
}
