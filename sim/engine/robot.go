package engine

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/scene"
)

// driveEntity gives a robot's drive a velocity command.
func (w *World) driveEntity(c sim.DriveEntity) error {
	e, err := w.find(c.Name)
	if err == nil {
		err = e.control.Drive(c.Drive, c.Twist, w.clock.time)
	}
	if err == nil {
		w.snapshots.sampleStep++
	}
	return err
}

// driveCar tells a car, or what steers like one, what its driver does.
func (w *World) driveCar(c sim.DriveCar) error {
	e, err := w.find(c.Name)
	if err == nil {
		err = e.control.DriveCar(c.Drive, c.Control, w.clock.time)
	}
	if err == nil {
		w.snapshots.sampleStep++
	}
	return err
}

// setJoints sets the motors of some joints, or with an error none.
func (w *World) setJoints(c sim.SetJoints) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.SetJoints(w.physics, c.Targets)
}

// followTrajectory begins a trajectory.
func (w *World) followTrajectory(c sim.FollowTrajectory) (sim.Reply, error) {
	e, err := w.find(c.Name)
	if err != nil {
		return nil, err
	}
	id, err := e.control.Follow(w.physics, &c, w.clock.control(), w.newID)
	if err != nil {
		return nil, err
	}
	w.rebuildActive()
	return sim.TrajectoryBegun{ID: id}, nil
}

// newID is a number that no entity or trajectory had.
func (w *World) newID() uint64 {
	w.lastID++
	return w.lastID
}

// endTrajectory ends one on request.
func (w *World) endTrajectory(c sim.EndTrajectory) error {
	e, err := w.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.Cancel(w.physics, c.ID)
}

// observe lets an entity's controller look at what a step made of its commands.
func (w *World) observe(e *entity, clock control.Clock) {
	for i := range e.control.Drives() {
		var around control.Surroundings
		if e.control.IsCar(i) {
			around = e.carSurroundings(w.physics)
			around.Touches = w.hasBumped(e)
		}
		if e.control.Observe(w.physics, i, clock, around) {
			w.snapshots.sampleStep++
			w.snapshots.samplesReady = true
		}
	}
	for i := range e.control.Trajectories() {
		if missed := e.control.CheckTrajectory(w.physics, i); missed != "" {
			w.report(sim.Warn, e.name, "%s", missed)
		}
	}
}

// carSurroundings is what the car that an entity may be is told, but for what it touches.
func (e *entity) carSurroundings(p *dynamics.World) control.Surroundings {
	if !e.control.HasCar() {
		return control.Surroundings{}
	}
	link := sim.LinkState{Pose: e.linkPose(p, e.model.Spec.Canonical),
		Twist: e.linkTwist(p, e.model.Spec.Canonical)}
	return control.Surroundings{Accel: e.state(p, link).Accel}
}

// minUpwardNormal is how steep ground is at most, as the height of its normal.
const minUpwardNormal = 0.7

// hasBumped reports whether an entity touches anything but ground: terrain, or what
// does not move and bears it from below.
func (w *World) hasBumped(e *entity) bool {
	w.currentModel() // with the owners of the bodies
	w.snapshots.contacts = w.physics.Contacts(w.snapshots.contacts[:0])
	for k := range w.snapshots.contacts {
		c := &w.snapshots.contacts[k]
		a, b := w.snapshots.owner[c.BodyA.Index()], w.snapshots.owner[c.BodyB.Index()]
		if a == b || a < 0 || b < 0 || w.entities[a] != e && w.entities[b] != e {
			continue
		}
		other, geom := c.BodyB, c.GeomB
		if w.entities[b] == e {
			other, geom = c.BodyA, c.GeomA
		}
		if !w.isSupport(other, geom) || math.Abs(c.Normal.Z) < minUpwardNormal {
			return true
		}
	}
	return false
}

// isSupport reports whether a shape can be ground.
func (w *World) isSupport(body dynamics.BodyID, geom dynamics.GeomID) bool {
	e, user := w.entities[w.snapshots.owner[body.Index()]], w.physics.Geom(geom).User()
	switch e.model.Spec.Links[model.GeomLink(user)].Collisions[model.GeomCollision(user)].Kind {
	case scene.Plane, scene.Heightfield:
		return true
	}
	return e.static()
}
