package sim

import (
	"simdeck/sim/words"
	"slices"
)

// Resumption is Still, and what lies before is forgotten here too: it cannot be taken back by Rewind.
func (w *World) Resumption() (Resume, error) {
	c, err := w.Still()
	if err == nil {
		w.past.begin(w.options.Rewind, w.stepSize)
		w.past.mark(w)
	}
	return c, err
}

// Still is the command that takes this world up where it is now, in another world. What lies before cannot be taken back by Rewind there.
func (w *World) Still() (Resume, error) {
	if err := w.loaded(Resume{}); err != nil {
		return Resume{}, err
	}
	c := Resume{
		Version: ResumeVersion, World: w.source.from, State: w.state, Time: w.time, Step: w.step, Pace: w.pace, LastID: w.lastID, Groups: w.groups,
		IDs: slices.Clone(w.source.ids), Steps: [2]uint64{w.job.left, w.job.done}, Stepping: w.job.running, Gravity: w.gravity,
		Slots: w.physics.Slots(), Physics: w.physics.AppendState(nil), Hash: w.Hash(),
	}
	if w.onFault != w.options.OnFault {
		c.OnFault = w.onFault.String()
	}
	for _, e := range w.entities {
		r := Resumed{Fault: e.fault, Name: e.name, Namespace: e.namespace, ID: e.id, Spawned: e.spawned, Deletable: e.deletable, Resource: e.from, Start: e.start, Moving: e.moving,
			Info: e.info, Berth: w.physics.BerthOf(e.bodies, e.joints)}
		for i := range e.tracks {
			t := &e.tracks[i]
			r.Tracks = append(r.Tracks, ResumedTrack{t.id, t.joints, t.points, t.path.Points(), t.elapsed, t.within, t.goal, t.goalWithin, t.status, t.why})
		}
		e.words(func(x *uint64) { r.Words = append(r.Words, *x) })
		c.Entities = append(c.Entities, r)
	}
	return c, nil
}

// words visits everything that an entity remembers beside its bodies, joints and trajectories.
func (e *entity) words(v words.Visitor) {
	v.Flag(&e.pushed)
	v.Twist(&e.push)
	for i := range e.motors {
		words.Whole(v, &e.motors[i].mode)
		v.Floats(&e.motors[i].target)
	}
	for i := range e.sensors {
		e.sensors[i].schedule.Words(v)
		v(&e.sensors[i].seq)
	}
	for i := range e.drives {
		d := &e.drives[i]
		d.Words(v)
		v.Flag(&d.released)
		for _, a := range [...]*[4]float64{&d.asked.Wheels, &d.rolling.Wheels, &d.drift.wear, &d.drift.rolled, &d.drift.ahead} {
			v.Floats(&a[0], &a[1], &a[2], &a[3])
		}
		for _, a := range [...]*[2]float64{&d.asked.Steer, &d.rolling.Steer} {
			v.Floats(&a[0], &a[1])
		}
		v.Flag(&d.drift.begun)
		d.schedule.Words(v)
		v(&d.shown.Seq)
		v.Duration(&d.shown.Time)
		v.Pose(&d.shown.Pose)
		v.Twist(&d.shown.Twist)
		v.Twist(&d.shown.Target)
		v.Pose(&d.origin)
		v(&d.bumps)
	}
}
