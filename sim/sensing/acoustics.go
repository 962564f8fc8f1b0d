package sensing

import (
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// surfaceOf is the height of the surface of a world's liquid over a place, m; not a number where there is
// none.
func surfaceOf(w World, place r3.Vec, now time.Duration) float64 {
	if level, ok := w.Medium().SurfaceAt(place, now.Seconds()); ok {
		return level
	}
	return math.NaN()
}

// toSurface is the distance along a ray to a level surface; +Inf if the ray does not meet it.
func toSurface(origin, dir r3.Vec, surface float64) float64 {
	if d := (surface - origin.Z) / dir.Z; d >= 0 {
		return d
	}
	return math.Inf(1)
}

// echo is a sound that comes back: from how far, and from a thing of which velocity.
type echo struct {
	distance float64 // m; +Inf: nothing does within the limit
	velocity r3.Vec  // m/s
}

// listen follows a ray of sound to a body other than the sensor's own, or to the surface of a liquid. The
// surface stands still and returns all sound.
func listen(w World, origin, dir r3.Vec, limit, surface float64, own dynamics.BodyID) echo {
	out := echo{distance: math.Inf(1)}
	if d := toSurface(origin, dir, surface); d <= limit {
		out.distance, limit = d, d
	}
	hit, ok := w.Dynamics().Queries().CastRayExcept(r3.Ray{Origin: origin, Dir: dir}, limit, 0, own)
	if !ok {
		return out
	}
	return echo{hit.Distance, w.Dynamics().Body(hit.Body).VelocityAt(hit.Point)}
}

// sonarRange is the nearest echo in the cone of a sonar.
func sonarRange(w World, s *model.Sensor, m *state, frame r3.Pose, own dynamics.BodyID,
	now time.Duration) *sim.SonarRange {
	spec, surface := &s.Spec.Sonar, surfaceOf(w, frame.Pos, now)
	nearest := math.Inf(1)
	for _, ray := range s.Rays {
		limit := min(spec.MaxRange, nearest)
		nearest = min(nearest, listen(w, frame.Pos, frame.Rot.Rotate(ray), limit, surface, own).distance)
	}
	switch {
	case nearest < spec.MinRange:
		nearest = math.Inf(-1)
	case nearest <= spec.MaxRange:
		nearest = m.channels[0].Report(nearest, m.seq)
	}
	return reading(m, sim.SonarRange{Spec: spec, Metres: nearest})
}

// bottomTrack measures against what the beams meet.
func bottomTrack(w World, s *model.Sensor, m *state, frame r3.Pose, own dynamics.BodyID,
	surface float64, out *sim.DVLReading) {
	spec := &s.Spec.DVL
	velocity := w.Dynamics().Body(own).VelocityAt(frame.Pos)
	var fit sensor.BeamFit
	height := 0.0
	for i, axis := range spec.Beams {
		b := &out.Beams[i]
		*b = sim.DVLBeam{Axis: spec.Report.Rotate(axis)}
		if frame.Pos.Z >= surface { // in the air it hears nothing
			continue
		}
		dir := frame.Rot.Rotate(axis)
		e := listen(w, frame.Pos, dir, spec.MaxRange, surface, own)
		if !(e.distance >= spec.MinRange && e.distance <= spec.MaxRange) {
			continue
		}
		b.Locked, b.Range = true, e.distance
		b.Speed = m.channels[i].Report(velocity.Sub(e.velocity).Dot(dir), m.seq)
		fit.Add(axis, b.Speed)
		out.Locked++
		height -= float64(b.Range * axis.Z)
	}
	conclude(spec, &fit, spec.Bottom.Noise.Std, height, out)
}

// waterTrack measures against a layer of the water, with beams that get through it.
func waterTrack(w World, e *Sensors, s *model.Sensor, m *state, frame r3.Pose, own dynamics.BodyID,
	surface float64, now time.Duration, out *sim.DVLReading) {
	spec := &s.Spec.DVL
	height, layer := 0.0, (spec.Near+spec.Far)/2
	at := medium.Extent{Pose: r3.Pose{Pos: frame.Apply(r3.V(0, 0, -layer)), Rot: r3.Identity()}}
	flow := w.Medium().Water(at, now.Seconds()).Velocity.Add(e.current(s.Link))
	velocity := w.Dynamics().Body(own).VelocityAt(frame.Pos).Sub(flow)
	out.Water = true
	var fit sensor.BeamFit
	for i, axis := range spec.Beams {
		b := &out.Beams[i]
		*b = sim.DVLBeam{Axis: spec.Report.Rotate(axis)}
		dir := frame.Rot.Rotate(axis)
		through := -spec.Far / axis.Z
		if frame.Pos.Z >= surface || listen(w, frame.Pos, dir, through, surface, own).distance < through {
			continue
		}
		b.Locked, b.Range = true, -layer/axis.Z
		b.Speed = m.channels[len(spec.Beams)+i].Report(velocity.Dot(dir), m.seq)
		fit.Add(axis, b.Speed)
		out.Locked++
		height += layer
	}
	conclude(spec, &fit, spec.Water.Noise.Std, height, out)
}

// conclude makes a velocity of the beams that have an echo; height is the sum of theirs.
func conclude(spec *scene.DVLSpec, fit *sensor.BeamFit, std, height float64, out *sim.DVLReading) {
	if out.Locked > 0 {
		out.Altitude = height / float64(out.Locked)
	}
	v, covariance, ok := fit.Solve(std)
	out.Valid = ok
	out.Velocity, out.Covariance = spec.Report.Rotate(v), covariance.Turned(spec.Report)
}

// velocityLog is the measurement of a Doppler velocity log against the bottom. Where that gives no velocity,
// or a worse one and the better is asked for, it is against the water.
func velocityLog(w World, e *Sensors, s *model.Sensor, m *state, frame r3.Pose,
	own dynamics.BodyID, now time.Duration) *sim.DVLReading {
	spec, surface := &s.Spec.DVL, surfaceOf(w, frame.Pos, now)
	beams := []sim.DVLBeam(nil)
	if old, ok := m.sample.Data.(*sim.DVLReading); ok && !m.published {
		beams = old.Beams
	}
	if len(beams) != len(spec.Beams) {
		beams = make([]sim.DVLBeam, len(spec.Beams))
	}
	out := sim.DVLReading{Spec: spec, Beams: beams}
	if spec.Bottom.On {
		bottomTrack(w, s, m, frame, own, surface, &out)
	}
	variance := out.Covariance.XX + out.Covariance.YY + out.Covariance.ZZ
	if spec.Water.On && (!out.Valid || spec.Water.Best) {
		water := sim.DVLReading{Spec: spec, Beams: make([]sim.DVLBeam, len(spec.Beams))}
		waterTrack(w, e, s, m, frame, own, surface, now, &water)
		c := &water.Covariance
		if !spec.Bottom.On || water.Valid && (!out.Valid || c.XX+c.YY+c.ZZ < variance) {
			out = water
		}
	}
	return reading(m, out)
}

// current is the velocity of the water around a link, m/s: that of its own coefficients, else of the first
// link that has some.
func (e *Sensors) current(link int) r3.Vec {
	hulls := e.model.Spec.Flow.Hulls
	if len(hulls) == 0 {
		return r3.Vec{}
	}
	own := slices.IndexFunc(hulls, func(h scene.Hull) bool { return h.Link == link })
	return hulls[max(own, 0)].Current
}
