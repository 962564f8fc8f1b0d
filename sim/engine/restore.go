package engine

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/statecodec"
)

// Restorable is Still, and what lies before is forgotten here too: it cannot be taken back by Rewind.
func (w *World) Restorable() (sim.Restore, error) {
	c, err := w.RestorableAtRest()
	if err == nil {
		w.history.begin(w.options.Rewind, w.stepSize)
		w.history.checkpoint(w)
	}
	return c, err
}

// RestorableAtRest is the command that takes this world up where it is now, in another world. What lies
// before cannot be taken back by Rewind there.
func (w *World) RestorableAtRest() (sim.Restore, error) {
	if err := w.loaded(sim.Restore{}); err != nil {
		return sim.Restore{}, err
	}
	c := sim.Restore{
		Version: sim.RestoreVersion, World: w.source.from, State: w.state, Time: w.time, Step: w.step,
		Pace: w.realTimeFactor, LastID: w.lastID, Groups: w.groups,
		IDs: slices.Clone(w.source.ids), Steps: [2]uint64{w.job.left, w.job.done}, Stepping: w.job.running,
		Gravity: w.gravity,
		Slots:   sim.SlotLayout(w.physics.SlotLayout()), Physics: w.physics.AppendState(nil), Hash: w.Hash(),
	}
	if w.onFault != w.options.OnFault {
		c.OnFault = w.onFault.String()
	}
	for _, e := range w.entities {
		r := sim.RestoredEntity{Fault: e.fault, Name: e.name, Namespace: e.namespace, ID: e.id,
			Spawned: e.spawned, Deletable: e.deletable, Resource: e.resource, Start: e.initialPose,
			Moving: e.initialTwist,
			Info:   e.info, Placement: sim.Placement(w.physics.PlacementOf(e.bodies, e.joints))}
		for i := range e.trajectories {
			t := &e.trajectories[i]
			r.Trajectories = append(r.Trajectories,
				sim.RestoredTrajectory{ID: t.id, Joints: t.joints, Points: t.points, Path: t.path.Points(),
					Elapsed: t.elapsed, Within: t.within, Goal: t.goal,
					GoalWithin: t.goalWithin, Status: t.status, Why: t.why})
		}
		e.codeState(func(x *uint64) { r.Words = append(r.Words, *x) })
		c.Entities = append(c.Entities, r)
	}
	return c, nil
}

// codeState visits everything that an entity remembers beside its bodies, joints and trajectories.
func (e *entity) codeState(v statecodec.Visitor) {
	v.Flag(&e.hasWrench)
	v.Twist(&e.wrench)
	for i := range e.motors {
		statecodec.Whole(v, &e.motors[i].mode)
		v.Floats(&e.motors[i].target)
	}
	for i := range e.sensors {
		e.sensors[i].schedule.CodeState(v)
		v(&e.sensors[i].seq)
	}
	for i := range e.drives {
		d := &e.drives[i]
		d.CodeState(v)
		v.Flag(&d.idle)
		for _, a := range [...]*[4]float64{&d.target.Wheels, &d.current.Wheels, &d.odometryError.radiusError,
			&d.odometryError.traveled, &d.odometryError.predicted} {
			v.Floats(&a[0], &a[1], &a[2], &a[3])
		}
		for _, a := range [...]*[2]float64{&d.target.Steer, &d.current.Steer} {
			v.Floats(&a[0], &a[1])
		}
		v.Flag(&d.odometryError.begun)
		d.schedule.CodeState(v)
		v(&d.odometry.Seq)
		v.Duration(&d.odometry.Time)
		v.Pose(&d.odometry.Pose)
		v.Twist(&d.odometry.Twist)
		v.Twist(&d.odometry.Target)
		v.Pose(&d.origin)
		v(&d.collisions)
	}
}
