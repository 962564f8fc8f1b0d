package engine

import (
	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
)

// sensed is a World as its sensors see it.
type sensed World

var _ sensing.World = (*sensed)(nil)

// Dynamics are the bodies and what they feel.
func (s *sensed) Dynamics() *dynamics.World { return s.physics }

// Model is the model that cameras draw.
func (s *sensed) Model() *sim.Model {
	return s.snapshots.currentModel(&s.source, s.gravity, s.poses, s.entities.list)
}

// Gravity is that of the world, in m/s².
func (s *sensed) Gravity() r3.Vec { return s.gravity }

// Earth is the world's location on the earth.
func (s *sensed) Earth() *scene.Earth {
	if s.source.spec == nil {
		return &scene.Earth{}
	}
	return &s.source.spec.Earth
}

// Medium is the world's air and water.
func (s *sensed) Medium() *medium.Medium { return s.entities.medium }

// AppendLinkPoses appends where all links are.
func (s *sensed) AppendLinkPoses(dst []r3.Pose) []r3.Pose {
	for _, e := range s.entities.list {
		for link := range e.model.Placements {
			dst = append(dst, e.linkPose(s.physics, link))
		}
	}
	return dst
}

// AppendLamps appends the lights of all lamps.
func (s *sensed) AppendLamps(dst []scene.Glow) []scene.Glow { return s.entities.appendLamps(dst) }

// CollisionName is the name of a collision shape.
func (s *sensed) CollisionName(body dynamics.BodyID, geom dynamics.GeomID) string {
	return s.entities.collisionName(s.physics, body, geom)
}

// Sensors are those of an entity; nil: it has gone.
func (s *sensed) Sensors(entity string, id uint64) *sensing.Sensors {
	at, ok := s.entities.lookup(entity)
	if !ok || s.entities.list[at].id != id {
		return nil
	}
	return &s.entities.list[at].sensors
}

// collectSamples shows the samples that are done, and reports whether there were any.
func (w *World) collectSamples() bool {
	n := w.sensing.Collect((*sensed)(w))
	w.snapshots.samplesCame(n)
	return n > 0
}

// drainSamples waits for every sample that was due, and shows them.
func (w *World) drainSamples() { w.snapshots.samplesCame(w.sensing.Drain((*sensed)(w))) }
