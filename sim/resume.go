package sim

import (
	"math"
	"slices"
	"time"

	"simdeck/sim/r3"
)

// Resumption is the command that takes this world up where it is now. What lies before is forgotten: it cannot be taken back by Rewind, here
// or there.
func (w *World) Resumption() (Resume, error) {
	if err := w.loaded(Resume{}); err != nil {
		return Resume{}, err
	}
	c := Resume{
		Version: ResumeVersion, World: w.source.from, State: w.state, Time: w.time, Step: w.step, Pace: w.pace, LastID: w.lastID, Groups: w.groups,
		IDs: slices.Clone(w.source.ids), Steps: [2]uint64{w.job.left, w.job.done}, Stepping: w.job.running, Gravity: w.gravity,
		Slots: w.physics.Slots(), Physics: w.physics.AppendState(nil), Hash: w.Hash(),
	}
	for _, e := range w.entities {
		r := Resumed{Name: e.name, Namespace: e.namespace, ID: e.id, Spawned: e.spawned, Deletable: e.deletable, Resource: e.from, Start: e.start, Moving: e.moving,
			Info: e.info, Berth: w.physics.BerthOf(e.bodies, e.joints)}
		for i := range e.tracks {
			t := &e.tracks[i]
			r.Tracks = append(r.Tracks, ResumedTrack{t.id, t.joints, t.points, t.path.Points(), t.elapsed, t.within, t.goal, t.goalWithin, t.status, t.why})
		}
		e.words(func(x *uint64) { r.Words = append(r.Words, *x) })
		c.Entities = append(c.Entities, r)
	}
	w.past.begin(w.options.Rewind, w.stepSize)
	w.past.mark(w)
	return c, nil
}

// words visits everything that an entity remembers beside its bodies, joints and trajectories, in one order; what the visitor makes of a word
// is taken over.
func (e *entity) words(visit func(*uint64)) {
	float := func(f *float64) {
		bits := math.Float64bits(*f)
		visit(&bits)
		*f = math.Float64frombits(bits)
	}
	flag := func(b *bool) {
		var bit uint64
		if *b {
			bit = 1
		}
		visit(&bit)
		*b = bit == 1
	}
	flag(&e.pushed)
	twistWords(&e.push, float)
	for i := range e.motors {
		mode := uint64(e.motors[i].mode)
		visit(&mode)
		e.motors[i].mode = JointMode(mode)
		float(&e.motors[i].target)
	}
	for i := range e.sensors {
		e.sensors[i].schedule.Words(visit)
		visit(&e.sensors[i].seq)
	}
	for i := range e.drives {
		d := &e.drives[i]
		d.Words(visit)
		flag(&d.released)
		for _, a := range [...]*[4]float64{&d.asked.Wheels, &d.rolling.Wheels, &d.drift.wear, &d.drift.rolled, &d.drift.ahead} {
			for k := range a {
				float(&a[k])
			}
		}
		for _, a := range [...]*[2]float64{&d.asked.Steer, &d.rolling.Steer} {
			float(&a[0])
			float(&a[1])
		}
		flag(&d.drift.begun)
		d.schedule.Words(visit)
		visit(&d.shown.Seq)
		at := uint64(d.shown.Time)
		visit(&at)
		d.shown.Time = time.Duration(at)
		poseWords(&d.shown.Pose, float)
		twistWords(&d.shown.Twist, float)
		twistWords(&d.shown.Target, float)
		poseWords(&d.origin, float)
		visit(&d.bumps)
	}
}

func poseWords(p *r3.Pose, float func(*float64)) {
	for _, f := range [...]*float64{&p.Pos.X, &p.Pos.Y, &p.Pos.Z, &p.Rot.W, &p.Rot.X, &p.Rot.Y, &p.Rot.Z} {
		float(f)
	}
}

func twistWords(t *r3.Twist, float func(*float64)) {
	for _, f := range [...]*float64{&t.Linear.X, &t.Linear.Y, &t.Linear.Z, &t.Angular.X, &t.Angular.Y, &t.Angular.Z} {
		float(f)
	}
}
