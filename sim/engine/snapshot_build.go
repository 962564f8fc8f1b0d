package engine

import (
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// snapshotBuilder makes snapshots, and shares with the next what the last showed as far as nothing moved.
type snapshotBuilder struct {
	model      *sim.Model // the shared half; nil: it has to be made anew
	revision   uint64
	motionStep uint64 // grows when a pose or twist may have changed
	sampleStep uint64 // grows when a sample or an odometry is new
	// a sample or an odometry came that no snapshot was published with
	samplesReady bool
	drawing      sim.DrawFlags
	contacts     []dynamics.Contact // scratch
	last         shownSnapshot
}

// shownSnapshot is the last snapshot, and of when what it shows is.
type shownSnapshot struct {
	*sim.Snapshot
	moved, measured uint64
}

// Snapshot is a picture of the world as it is now. Seq, the measured pacing
// and the figures of the loop are the engine's to fill in.
func (w *World) Snapshot() *sim.Snapshot {
	m := w.snapshots.currentModel(&w.source, w.gravity, w.poses, w.entities.list)
	s := &sim.Snapshot{
		Step: w.clock.step, Time: w.clock.time, StepSize: w.clock.stepSize, State: w.state.now,
		Pacing: sim.Pacing{Asked: w.clock.realTimeFactor, OnFault: w.onFault, Limits: w.options.Limits},
		Model:  m,
		Events: w.events.recent(), Stats: w.stats(),
	}
	if air := w.entities.medium; air != nil {
		s.Wind = air.Wind(w.clock.time.Seconds())
	}
	if w.state.now == sim.Paused {
		s.Halted = w.state.halted
	}
	b := &w.snapshots
	old := b.last
	if old.Snapshot != nil && old.Model == m && old.moved == b.motionStep {
		s.Entities, s.Links, s.Joints = old.Entities, old.Links, old.Joints
		s.Contacts, s.Lamps, s.Attachments = old.Contacts, old.Lamps, old.Attachments
		s.Volumes = old.Volumes
	} else {
		b.copyMotion(s, w.physics, &w.entities, w.clock.control())
		w.history.markCollisions(s)
	}
	s.Past = w.history.past()
	if old.Snapshot != nil && old.Model == m && old.measured == b.sampleStep {
		s.Samples, s.Odom = old.Samples, old.Odom
	} else {
		copySamples(s, w.entities.list, w.clock.time)
	}
	for i, e := range w.entities.list {
		s.Trajectories = e.control.AppendTrajectories(s.Trajectories, i)
		s.Batteries = e.control.AppendBatteries(s.Batteries)
	}
	s.Drawing = drawn(w.physics, b.drawing)
	b.last = shownSnapshot{s, b.motionStep, b.sampleStep}
	return s
}

// invalidate notes that entities or places came or went.
func (b *snapshotBuilder) invalidate() {
	b.model = nil
	b.motionStep++
	b.sampleStep++
}

// samplesCame notes that there are new samples to show.
func (b *snapshotBuilder) samplesCame(n uint64) {
	b.sampleStep += n
	b.samplesReady = b.samplesReady || n > 0
}

// currentModel is the shared half of snapshots, made anew when it changed.
func (b *snapshotBuilder) currentModel(src *source, gravity r3.Vec, poses []scene.NamedPose,
	entities []*entity) *sim.Model {
	if b.model != nil {
		return b.model
	}
	b.revision++
	m := &sim.Model{
		Revision: b.revision, Load: src.load, World: src.info, Gravity: gravity,
		Entities:   make([]sim.EntityModel, len(entities)),
		NamedPoses: poses, Notes: src.notes, Cloud: src.cloud,
	}
	if spec := src.spec; spec != nil {
		m.Lights, m.Ambience, m.Earth, m.Site, m.File = spec.Lights, spec.Ambience, spec.Earth, spec.Site,
			spec.File
		m.Lockstep = spec.Lockstep
	}
	var at sim.EntityModel
	for i, e := range entities {
		spec := e.model.Spec
		m.Entities[i] = sim.EntityModel{
			Name: e.name, ID: e.id, Namespace: e.namespace, Spec: spec, Info: e.info, Static: e.static(),
			Spawned: e.spawned, Deletable: e.deletable, Bounds: e.model.Bounds, Notes: e.notes(),
			NoiseSeed: e.noiseSeed,
			Compiled:  e.model,
			FirstLink: at.FirstLink, FirstJoint: at.FirstJoint, FirstSensor: at.FirstSensor,
			FirstDrive: at.FirstDrive, FirstLamp: at.FirstLamp, FirstVolume: at.FirstVolume,
			FirstBattery: at.FirstBattery,
			Sensors:      sensorModels(e.model),
		}
		at.FirstLink += len(spec.Links)
		at.FirstJoint += len(spec.Joints)
		at.FirstSensor += len(e.model.Sensors)
		at.FirstDrive += len(spec.Drives)
		at.FirstLamp += len(spec.Lamps())
		at.FirstVolume += len(spec.Flow.Engines)
		at.FirstBattery += len(spec.Batteries)
	}
	b.model = m
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

// copyMotion copies what moves.
func (b *snapshotBuilder) copyMotion(s *sim.Snapshot, p *dynamics.World, all *entitySet,
	clock control.Clock) {
	entities := all.list
	links, joints := 0, 0
	for _, e := range entities {
		links += len(e.model.Placements)
		joints += len(e.model.Joints)
	}
	s.Entities = make([]sim.EntityState, len(entities))
	s.Links = make([]sim.LinkState, 0, links)
	s.Joints = make([]sim.JointState, 0, joints)
	for i, e := range entities {
		first := len(s.Links)
		for link := range e.model.Placements {
			s.Links = append(s.Links, sim.LinkState{Pose: e.linkPose(p, link), Twist: e.linkTwist(p, link)})
		}
		for j := range e.joints {
			s.Joints = append(s.Joints, e.jointState(p, j, clock))
		}
		s.Volumes = e.control.AppendVolumes(s.Volumes)
		s.Entities[i] = e.state(p, s.Links[first+e.model.Spec.Canonical])
		s.Entities[i].Actor, s.Entities[i].Signal = e.control.Actor().State(),
			e.control.Signal().State(clock.Now)
		s.Entities[i].Patrol = e.control.Patrol()
	}
	s.Lamps, s.Attachments = all.appendLamps(nil), all.attachments()
	b.copyContacts(s, p, all.owners())
}

func (e *entity) jointState(p *dynamics.World, j int, clock control.Clock) sim.JointState {
	if !e.model.Joints[j].Moves {
		s := sim.JointState{}
		if r := e.model.SpunBy(e.model.Spec.Joints[j].Child); r >= 0 {
			s.Position, s.Velocity = e.control.Rotor(r)
		}
		return s
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
func (b *snapshotBuilder) copyContacts(s *sim.Snapshot, p *dynamics.World, owner []int32) {
	b.contacts = p.Contacts(b.contacts[:0])
	count := 0
	for i := range b.contacts {
		count += b.contacts[i].Count
	}
	s.Contacts = make([]sim.ContactPoint, 0, min(count, sim.MaxContacts))
	for i := range b.contacts {
		c := &b.contacts[i]
		first, second := owner[c.BodyA.Index()], owner[c.BodyB.Index()]
		if first == second {
			continue
		}
		linkA, linkB := model.GeomLink(p.Geom(c.GeomA).User()), model.GeomLink(p.Geom(c.GeomB).User())
		for _, p := range c.Points[:c.Count] {
			if len(s.Contacts) == sim.MaxContacts {
				return
			}
			s.Contacts = append(s.Contacts,
				sim.ContactPoint{A: int(first), B: int(second), LinkA: linkA, LinkB: linkB,
					Position: p.Position, Normal: c.Normal, Force: p.Force})
		}
	}
}

// copySamples copies the newest samples and odometry.
func copySamples(s *sim.Snapshot, entities []*entity, now time.Duration) {
	for _, e := range entities {
		s.Samples = e.sensors.AppendSamples(s.Samples)
		for i := range e.control.Drives() {
			s.Odom = append(s.Odom, e.control.Odometry(i, now))
		}
	}
	s.Samples, s.Odom = slices.Clip(s.Samples), slices.Clip(s.Odom)
}

// drawn is the debug drawing that readers requested; nil: there is none.
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

// jointMotion measures one; nil for joints that one number describes.
func (e *entity) jointMotion(p *dynamics.World, j int) *sim.JointMotion {
	if e.model.Spec.Joints[j].Kind.HasPosition() {
		return nil
	}
	joint := &e.model.Joints[j]
	parent, child := e.bodies[joint.Parent], e.bodies[joint.Child]
	a, b := p.Body(parent).Pose().Mul(joint.Def.ParentFrame),
		p.Body(child).Pose().Mul(joint.Def.ChildFrame)
	seen := r3.Twist{
		Linear:  p.Body(child).VelocityAt(b.Pos).Sub(p.Body(parent).VelocityAt(b.Pos)),
		Angular: p.Body(child).Twist().Angular.Sub(p.Body(parent).Twist().Angular),
	}
	return &sim.JointMotion{Pose: a.Relative(b), Twist: seen.RotateBack(a.Rot)}
}
