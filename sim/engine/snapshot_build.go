package engine

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
)

// snapshotBuilder is what the last snapshot showed, to be shared with the next as far
// as nothing moved since.
type snapshotBuilder struct {
	model           *sim.Model
	moved, measured uint64
	snapshot        *sim.Snapshot
}

// Snapshot is a picture of the world as it is now. Seq, the measured pacing
// and the figures of the loop are the engine's to fill in.
func (w *World) Snapshot() *sim.Snapshot {
	m := w.currentModel()
	s := &sim.Snapshot{
		Step: w.step, Time: w.time, StepSize: w.stepSize, State: w.state,
		Pacing: sim.Pacing{Asked: w.realTimeFactor, OnFault: w.onFault, Limits: w.options.Limits}, Model: m,
		Events: w.events.recent(), Stats: w.stats(),
	}
	if w.state == sim.Paused {
		s.Halted = w.halted
	}
	old := w.snapshotBuilder
	if old != nil && old.model == m && old.moved == w.motionStep {
		s.Entities, s.Links, s.Joints, s.Contacts = old.snapshot.Entities, old.snapshot.Links,
			old.snapshot.Joints, old.snapshot.Contacts
	} else {
		w.copyMotion(s)
	}
	if old != nil && old.model == m && old.measured == w.sampleStep {
		s.Samples, s.Odom = old.snapshot.Samples, old.snapshot.Odom
	} else {
		w.copySamples(s)
	}
	for i, e := range w.entities {
		s.Trajectories = e.control.AppendTrajectories(s.Trajectories, i)
	}
	s.Drawing = drawn(w.physics, w.drawing)
	w.snapshotBuilder = &snapshotBuilder{m, w.motionStep, w.sampleStep, s}
	return s
}

// currentModel is the shared half of snapshots, made anew when it changed.
func (w *World) currentModel() *sim.Model {
	if w.model != nil {
		return w.model
	}
	w.revision++
	m := &sim.Model{
		Revision: w.revision, World: w.source.info, Gravity: w.gravity,
		Entities:   make([]sim.EntityModel, len(w.entities)),
		NamedPoses: w.poses, Notes: w.source.notes, Cloud: w.source.cloud,
	}
	if spec := w.source.spec; spec != nil {
		m.Lights, m.Ambience, m.Earth, m.Site, m.File = spec.Lights, spec.Ambience, spec.Earth, spec.Site,
			spec.File
	}
	var at sim.EntityModel
	for i, e := range w.entities {
		spec := e.model.Spec
		m.Entities[i] = sim.EntityModel{
			Name: e.name, ID: e.id, Namespace: e.namespace, Spec: spec, Info: e.info, Static: e.static(),
			Spawned: e.spawned, Deletable: e.deletable, Bounds: e.model.Bounds, Notes: e.notes(),
			Compiled:  e.model,
			FirstLink: at.FirstLink, FirstJoint: at.FirstJoint, FirstSensor: at.FirstSensor,
			FirstDrive: at.FirstDrive,
			Sensors:    sensorModels(e.model),
		}
		at.FirstLink += len(spec.Links)
		at.FirstJoint += len(spec.Joints)
		at.FirstSensor += len(e.model.Sensors)
		at.FirstDrive += len(spec.Drives)
	}
	w.model = m
	w.indexOwners()
	return m
}

// sensorModels are the sensors of a model for a snapshot's Model.
func sensorModels(m *model.Model) []sim.SensorModel {
	out := make([]sim.SensorModel, len(m.Sensors))
	for i := range m.Sensors {
		out[i] = sim.SensorModel{Link: m.Sensors[i].Link, Spec: m.Sensors[i].Spec}
	}
	return out
}

// indexOwners notes which entity each body belongs to.
func (w *World) indexOwners() {
	w.owner = w.owner[:0]
	if w.labels == nil {
		w.labels = map[dynamics.GeomID]string{}
	}
	clear(w.labels)
	for i, e := range w.entities {
		for _, id := range e.bodies {
			for len(w.owner) <= id.Index() {
				w.owner = append(w.owner, -1)
			}
			w.owner[id.Index()] = int32(i)
		}
	}
}

// copyMotion copies what moves.
func (w *World) copyMotion(s *sim.Snapshot) {
	links, joints := 0, 0
	for _, e := range w.entities {
		links += len(e.model.Placements)
		joints += len(e.model.Joints)
	}
	s.Entities = make([]sim.EntityState, len(w.entities))
	s.Links = make([]sim.LinkState, 0, links)
	s.Joints = make([]sim.JointState, 0, joints)
	for i, e := range w.entities {
		first := len(s.Links)
		for link := range e.model.Placements {
			s.Links = append(s.Links, sim.LinkState{Pose: e.linkPose(w.physics, link), Twist: e.linkTwist(w.physics, link)})
		}
		for j := range e.joints {
			s.Joints = append(s.Joints, e.jointState(w.physics, j, w.clock()))
		}
		s.Entities[i] = e.state(w.physics, s.Links[first+e.model.Spec.Canonical])
	}
	w.copyContacts(s)
}

func (e *entity) jointState(p *dynamics.World, j int, clock control.Clock) sim.JointState {
	if !e.model.Joints[j].Moves {
		return sim.JointState{}
	}
	q := p.Joint(e.joints[j]).State()
	s := sim.JointState{Position: q.Position, Velocity: q.Velocity, Effort: q.Effort,
		Motion: e.jointMotion(p, j)}
	s.Encoder = e.sensors.ReadEncoder(j, &s, clock.Step, clock.StepSize.Seconds())
	return s
}

// entityState is the state of an entity whose canonical link has a state.
func (e *entity) state(p *dynamics.World, link sim.LinkState) sim.EntityState {
	id := e.bodies[e.rootPlacement().Body]
	s := sim.EntityState{Pose: link.Pose, Twist: link.Twist, Asleep: true, Fault: e.fault}
	// From the centre of mass to the link's origin, both on one rigid body.
	a := p.Body(id).Acceleration()
	arm := s.Pose.Pos.Sub(p.Body(id).COM())
	turn := s.Twist.Angular
	s.Accel = r3.Twist{Linear: a.At(arm).Add(turn.Cross(turn.Cross(arm))), Angular: a.Angular}
	for i, b := range e.bodies {
		if e.model.Bodies[i].Type != dynamics.Static && p.Body(b).Awake() {
			s.Asleep = false
		}
	}
	if s.Asleep {
		s.Accel = r3.Twist{}
	}
	return s
}

// copyContacts copies contact points between different entities.
func (w *World) copyContacts(s *sim.Snapshot) {
	w.contacts = w.physics.Contacts(w.contacts[:0])
	count := 0
	for i := range w.contacts {
		count += w.contacts[i].Count
	}
	s.Contacts = make([]sim.ContactPoint, 0, min(count, sim.MaxContacts))
	for i := range w.contacts {
		c := &w.contacts[i]
		a, b := w.owner[c.BodyA.Index()], w.owner[c.BodyB.Index()]
		if a == b {
			continue
		}
		for _, p := range c.Points[:c.Count] {
			if len(s.Contacts) == sim.MaxContacts {
				return
			}
			s.Contacts = append(s.Contacts,
				sim.ContactPoint{A: int(a), B: int(b), Position: p.Position, Normal: c.Normal,
					Force: p.Force})
		}
	}
}

// copySamples copies the newest samples and odometry.
func (w *World) copySamples(s *sim.Snapshot) {
	for _, e := range w.entities {
		s.Samples = e.sensors.AppendSamples(s.Samples)
		for i := range e.control.Drives() {
			s.Odom = append(s.Odom, e.control.Odometry(i, w.time))
		}
	}
	s.Samples, s.Odom = slices.Clip(s.Samples), slices.Clip(s.Odom)
}

// drawn is what the dynamics see, as far as readers asked for it; nil: nobody did.
func drawn(p *dynamics.World, flags sim.DrawFlags) []sim.DebugLine {
	if flags == 0 {
		return nil
	}
	lines := dynamics.Draw(p, dynamics.DrawFlags(flags), nil)
	out := make([]sim.DebugLine, len(lines))
	for i, l := range lines {
		out[i] = sim.DebugLine{Kind: sim.DrawFlags(l.Kind), A: l.A, B: l.B, Value: l.Value}
	}
	return out
}
