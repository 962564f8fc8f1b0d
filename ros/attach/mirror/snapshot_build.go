package mirror

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// publish makes a snapshot of what the viewer has seen.
func (m *Mirror) publish(e *viewer) {
	now := m.c.Now()
	at, pace := m.clock.read(e.stated, e.known, now)
	if at != e.last && e.timed {
		e.moved = now
	}
	e.last, e.timed = at, true
	if e.model == nil {
		e.revision++
		e.model = e.newModel(e.r.Serves("DeleteEntity"))
	}
	m.frames.sweep(now, func() map[string]bool { return m.node().Publishers("/tf", "/tf_static") })
	last := m.Snapshot()
	s := &sim.Snapshot{
		Seq: last.Seq + 1, Time: at, State: e.seenState(), Model: e.model,
		Pacing: sim.Pacing{Asked: notTold, Measured: pace}, Events: m.log.shared(), Drawing: m.frames.draw(),
		Stats: sim.Stats{Commands: m.commands.Load(), Refused: m.refused.Load(), Snapshots: last.Seq,
			Dropped: m.feed.Dropped()},
	}
	e.place(s)
	m.feed.Publish(s, now, true)
}

// place puts the entities where they were seen.
func (e *viewer) place(s *sim.Snapshot) {
	s.Entities = make([]sim.EntityState, len(e.entities))
	s.Links = make([]sim.LinkState, len(e.entities))
	for i, one := range e.entities {
		s.Entities[i] = nowhere()
		if one.State != nil {
			s.Entities[i] = *one.State
		}
		s.Links[i] = sim.LinkState{Pose: s.Entities[i].Pose, Twist: s.Entities[i].Twist}
	}
}

// seenState is the state that was told; of a simulator that does not tell, its
// clock shows whether it plays.
func (e *viewer) seenState() sim.State {
	if e.state != unknown || e.r.Serves("GetSimulationState") {
		return e.state
	}
	if e.m.c.Now().Sub(e.moved) < staleAfter {
		return sim.Playing
	}
	return unknown
}

// newModel builds the part of a snapshot that changes rarely. An entity has no model that could be known from
// here. Its bounds stand for it, as a box for the map and as a wire frame for cameras.
func (e *viewer) newModel(deletable bool) *sim.Model {
	m := &sim.Model{Revision: e.revision, World: e.world, NamedPoses: e.poses,
		Entities: make([]sim.EntityModel, len(e.entities))}
	specs := map[r3.Box]*scene.ModelSpec{}
	for i, one := range e.entities {
		t := e.things[one.Name]
		box := t.bounds.Box()
		if specs[box] == nil {
			specs[box] = standIn(box)
		}
		info := t.info
		info.Bounds = t.bounds
		m.Entities[i] = sim.EntityModel{Name: one.Name, ID: t.id, Namespace: one.Name, Spec: specs[box],
			Info: info, Bounds: box,
			Static: t.info.Category == scene.StaticObject, Deletable: deletable, FirstLink: i}
	}
	return m
}

// standIn is a model of one link that has the shape of a box.
func standIn(b r3.Box) *scene.ModelSpec {
	link := scene.Link{Name: "bounds", Inertial: scene.Inertial{Mass: 1, Inertia: r3.Mat{}}}
	if !b.IsEmpty() {
		link.Collisions = []scene.Geom{bar(b.Centre(), b.Max.Sub(b.Min))}
		link.Visuals = wireFrame(b)
	}
	return &scene.ModelSpec{Links: []scene.Link{link}}
}

// Thickness of the bars of a wire frame: a part of the box's diagonal, within limits.
const (
	barPart  = 0.02
	leastBar = 0.005 // m
	mostBar  = 0.1   // m
)

// wireFrame is the twelve edges of a box. A solid box would hide what the bounds contain: those of a room's
// walls contain the room.
func wireFrame(b r3.Box) (bars []scene.Geom) {
	size, middle := b.Max.Sub(b.Min), b.Centre()
	d := max(leastBar, min(mostBar, barPart*size.Len()))
	for _, u := range [2]float64{-0.5, 0.5} {
		for _, v := range [2]float64{-0.5, 0.5} {
			bars = append(bars,
				bar(middle.Add(r3.V(0, u*size.Y, v*size.Z)), r3.V(size.X+d, d, d)),
				bar(middle.Add(r3.V(u*size.X, 0, v*size.Z)), r3.V(d, size.Y+d, d)),
				bar(middle.Add(r3.V(u*size.X, v*size.Y, 0)), r3.V(d, d, size.Z+d)))
		}
	}
	return bars
}

func bar(at, size r3.Vec) scene.Geom {
	return scene.Geom{Name: "bounds", Kind: scene.Box, Size: size, Pose: r3.Pose{Pos: at, Rot: r3.Identity()}}
}

// nowhere is the state of an entity that the simulator tells nothing of: it is
// not drawn.
func nowhere() sim.EntityState {
	return sim.EntityState{Pose: r3.Pose{Pos: r3.V(math.NaN(), math.NaN(), math.NaN()), Rot: r3.Identity()}}
}
