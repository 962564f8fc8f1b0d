package control

import (
	"fmt"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
	"simdeck/sim/vehicle"
)

// track is the state of a belt.
type track struct {
	told  float64       // m/s
	until time.Duration // when the command ends; 0: never
	speed float64       // m/s
	way   float64       // m, since the entity came into the world
}

// trackSet is the belts of an entity.
type trackSet struct {
	owner string // the entity, for errors
	on    *model.Model
	parts []dynamics.BodyID   // by Model.Bodies
	geoms [][]dynamics.GeomID // by belt; found when a belt first runs
	all   []track             // by Model.Tracks
	off   bool                // they have no power in this step
}

// newTracks is the belts of an entity, told to run as its description says.
func newTracks(entity string, m *model.Model, bodies []dynamics.BodyID) trackSet {
	k := trackSet{owner: entity, on: m, parts: bodies, all: make([]track, len(m.Tracks))}
	for i := range k.all {
		k.tell(i, k.spec(i).Start, 0)
	}
	return k
}

// spec is the description of a belt.
func (k *trackSet) spec(i int) *scene.Track { return k.on.Spec.Links[k.on.Tracks[i]].Track }

// trackOf is the belt of a link; -1: it has none.
func (k *trackSet) trackOf(link int) int { return slices.Index(k.on.Tracks, link) }

// find finds the shapes of the belts.
func (k *trackSet) find(p Dynamics) {
	k.geoms = make([][]dynamics.GeomID, len(k.all))
	for i, link := range k.on.Tracks {
		for _, id := range p.Body(k.parts[k.on.Placements[link].Body]).Geoms(nil) {
			if model.GeomLink(p.Geom(id).User()) == link {
				k.geoms[i] = append(k.geoms[i], id)
			}
		}
	}
}

// run sets the speeds of the belts for the step to come.
func (k *trackSet) run(p Dynamics, clock Clock) {
	if len(k.all) == 0 {
		return
	}
	if k.geoms == nil {
		k.find(p)
	}
	for i := range k.all {
		s := &k.all[i]
		if s.until > 0 && clock.Now >= s.until {
			s.told, s.until = 0, 0
		}
		was, told := s.speed, s.told
		if k.off {
			told = 0
		}
		s.speed = k.spec(i).Next(was, told, clock.dt())
		s.way += float64(0.5 * (was + s.speed) * clock.dt())
		for _, id := range k.geoms[i] {
			if g := p.Geom(id); g.SurfaceSpeed() != s.speed {
				// The shapes of an entity live as long as it does, and speeds are finite.
				_ = g.SetSurfaceSpeed(s.speed)
			}
		}
	}
}

// tell tells a belt its speed.
func (k *trackSet) tell(i int, speed float64, until time.Duration) {
	k.all[i].told, k.all[i].until = speed, until
}

// beltSpeed is a command for a belt.
type beltSpeed struct {
	track int
	speed float64 // m/s
}

// speeds takes the commands for belts, by the names of their links, out of a list. Joints come first where
// one has the same name.
func (k *trackSet) speeds(targets []sim.JointTarget) (own []beltSpeed, others []sim.JointTarget, err error) {
	if len(k.all) == 0 {
		return nil, targets, nil
	}
	for _, t := range targets {
		i := slices.IndexFunc(k.on.Tracks,
			func(link int) bool { return k.on.Spec.Links[link].Name == t.Joint })
		joint := slices.ContainsFunc(k.on.Spec.Joints, func(j scene.Joint) bool { return j.Name == t.Joint })
		switch {
		case i < 0 || joint:
			others = append(others, t)
			continue
		case t.Mode != sim.JointVelocity:
			return nil, nil, fmt.Errorf("%w: %s for track %q of %q; want velocity, m/s",
				sim.ErrUnsupported, t.Mode, t.Joint, k.owner)
		case !finite(t.Target):
			return nil, nil, fmt.Errorf("%w: speed %v for track %q of %q; want a finite number", sim.ErrFailed,
				t.Target, t.Joint, k.owner)
		}
		own = append(own, beltSpeed{i, t.Target})
	}
	return own, others, nil
}

// set sets the speeds of belts, m/s, from a time on, and takes them from drives.
func (k *trackSet) set(list []beltSpeed, now time.Duration, drives []drive) {
	for _, b := range list {
		until := time.Duration(0)
		if age := k.spec(b.track).Timeout; age > 0 {
			until = now + time.Duration(age*float64(time.Second))
		}
		k.tell(b.track, b.speed, until)
		for i := range drives {
			for _, links := range k.on.Spec.Drives[i].Tracks {
				drives[i].idle = drives[i].idle || slices.Contains(links, k.on.Tracks[b.track])
			}
		}
	}
}

// follow gives the belts of a drive its targets.
func (k *trackSet) follow(d *scene.Drive, target *vehicle.JointTargets) {
	for side, links := range d.Tracks {
		for _, link := range links {
			k.tell(k.trackOf(link), target.Wheels[vehicle.Left+side], 0)
		}
	}
}

// way is the mean way of the belts of some links, m.
func (k *trackSet) way(links []int) (mean float64) {
	for _, link := range links {
		mean += k.all[k.trackOf(link)].way / float64(len(links))
	}
	return mean
}

// hash takes in the belts that run or are told to.
func (k *trackSet) hash(d *statecodec.Digest) {
	for i, s := range k.all {
		if s != (track{}) {
			d.Word(uint64(i))
			d.Float(s.told)
			d.Word(uint64(s.until))
			d.Float(s.speed)
			d.Float(s.way)
		}
	}
}

// code visits the belts.
func (k *trackSet) code(v statecodec.Visitor) {
	for i := range k.all {
		s := &k.all[i]
		v.Floats(&s.told, &s.speed, &s.way)
		v.Duration(&s.until)
	}
}
