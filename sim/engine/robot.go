package engine

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/scene"
)

// drive gives a robot's drive a velocity command.
func (s *entitySet) drive(c sim.DriveEntity, now time.Duration) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.Drive(c.Drive, c.Twist, now)
}

// driveCar tells a car, or what steers like one, what its driver does.
func (s *entitySet) driveCar(c sim.DriveCar, now time.Duration) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.DriveCar(c.Drive, c.Control, now)
}

// driven answers a command to a drive, whose odometry tells what it was told.
func (w *World) driven(err error) (sim.Reply, error) {
	if err == nil {
		w.snapshots.sampleStep++
	}
	return done(err)
}

// setJoints sets the motors of some joints, or with an error none.
func (s *entitySet) setJoints(p *dynamics.World, c sim.SetJoints, now time.Duration) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.SetJoints(p, c.Targets, now)
}

// followTrajectory begins a trajectory.
func (s *entitySet) followTrajectory(p *dynamics.World, c sim.FollowTrajectory,
	clock control.Clock) (sim.Reply, error) {
	e, err := s.find(c.Name)
	if err != nil {
		return nil, err
	}
	id, err := e.control.Follow(p, &c, clock, s.newID)
	if err != nil {
		return nil, err
	}
	s.rebuildActive()
	return sim.TrajectoryBegun{ID: id}, nil
}

// endTrajectory ends one on request.
func (s *entitySet) endTrajectory(p *dynamics.World, c sim.EndTrajectory) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	return e.control.Cancel(p, c.ID)
}

// observe lets an entity's controller look at what a step made of its commands.
func (w *World) observe(e *entity, clock control.Clock) {
	for i := range e.control.Drives() {
		var around control.Surroundings
		if e.control.IsCar(i) {
			around = e.carSurroundings(w.physics)
			around.Touches = w.entities.hasBumped(e, w.physics)
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

// carSurroundings is the input of an entity's car from the world, except its contacts.
func (e *entity) carSurroundings(p *dynamics.World) control.Surroundings {
	if !e.control.HasCar() {
		return control.Surroundings{}
	}
	link := sim.LinkState{Pose: e.linkPose(p, e.model.Spec.Canonical),
		Twist: e.linkTwist(p, e.model.Spec.Canonical)}
	return control.Surroundings{Accel: e.state(p, link).Accel}
}

// minUpwardNormal is the height of the normal of the steepest ground.
const minUpwardNormal = 0.7

// hasBumped reports whether an entity touches anything but ground: terrain, or what
// does not move and bears it from below.
func (s *entitySet) hasBumped(e *entity, p *dynamics.World) bool {
	owner := s.owners()
	s.contacts = p.Contacts(s.contacts[:0])
	for k := range s.contacts {
		c := &s.contacts[k]
		a, b := owner[c.BodyA.Index()], owner[c.BodyB.Index()]
		if a == b || a < 0 || b < 0 || s.list[a] != e && s.list[b] != e {
			continue
		}
		other, geom := s.list[b], c.GeomB
		if s.list[b] == e {
			other, geom = s.list[a], c.GeomA
		}
		if !other.isSupport(p.Geom(geom).User()) || math.Abs(c.Normal.Z) < minUpwardNormal {
			return true
		}
	}
	return false
}

// isSupport reports whether a shape of an entity can be ground.
func (e *entity) isSupport(user int) bool {
	switch e.model.Spec.Links[model.GeomLink(user)].Collisions[model.GeomCollision(user)].Kind {
	case scene.Plane, scene.Heightfield:
		return true
	}
	return e.static()
}
