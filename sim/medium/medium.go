// Package medium is the air and the water of a world: density, viscosity and velocity at a place and a time.
// Every force of theirs on bodies is computed here.
//
// It is pure: a medium never changes, and its answers depend on its description, the seed, the place and
// the time alone. Bodies, steps and commands are others' business. Units are SI; frames follow REP 103.
package medium

import (
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Medium is the medium of a world. The zero value is still air by the standard atmosphere.
type Medium struct {
	spec    scene.Medium
	earth   scene.Earth
	wind    wind
	sea     *sea     // nil: the surface is level
	endless Volume   // of the layers
	volumes []Volume // that have bounds
}

// State is the medium at a place and a time.
type State struct {
	Density   float64 // kg/m³
	Viscosity float64 // Pa·s, dynamic
	Velocity  r3.Vec  // m/s, in the world frame
}

// Viscosity of water at 20 °C, Pa·s (IAPWS R12-08).
const waterViscosity = 1.0016e-3

// New is the medium of a world. The seed is that of the noise in its wind, and of its waves.
func New(w *scene.WorldSpec, seed uint64) *Medium {
	m := &Medium{spec: w.Medium, earth: w.Earth, wind: wind{Wind: w.Medium.Wind, seed: seed}}
	level, _ := m.Level()
	m.sea = newSea(&w.Medium.Waves, level, w.Gravity.Len(), seed)
	m.endless = NewVolume(w.Medium.Layers)
	for i := range w.Medium.Volumes {
		m.volumes = append(m.volumes, boundVolume(&w.Medium.Volumes[i]))
	}
	return m
}

// Moves reports that there are waves.
func (m *Medium) Moves() bool { return m.sea != nil }

// At is the state of the medium at a place, t seconds after the world's beginning. Liquids stand still but
// for their waves. Volumes that have bounds do not count: only solids that name them feel them.
func (m *Medium) At(place r3.Vec, t float64) State {
	if d := m.layer(m.rested(place, t)); d >= scene.LeastLiquid {
		s := State{Density: d, Viscosity: waterViscosity}
		if m.sea != nil {
			s.Velocity = m.sea.over(Extent{Pose: r3.Pose{Pos: place, Rot: r3.Identity()}}, t).Velocity
		}
		return s
	}
	s := State{Velocity: m.wind.at(t)}
	_, temperature, density := Air(&m.earth, place.Z)
	s.Density, s.Viscosity = density, airViscosity(temperature)
	return s
}

// VelocityAt is that of the medium at a place, t seconds after the world's beginning, m/s.
func (m *Medium) VelocityAt(place r3.Vec, t float64) r3.Vec {
	if m.sea == nil && (m.wind.Still() || m.layer(place.Z) >= scene.LeastLiquid) {
		return r3.Vec{}
	}
	return m.At(place, t).Velocity
}

// Water is the water about something, t seconds after the world's beginning, as if it stood in it. Where
// there are no waves it is at rest.
func (m *Medium) Water(e Extent, t float64) Swell {
	if m.sea == nil {
		level, _ := m.Level()
		return Swell{Height: level}
	}
	return m.sea.over(e, t)
}

// Wind is the velocity of the air t seconds after the world's beginning, m/s.
func (m *Medium) Wind(t float64) r3.Vec { return m.wind.at(t) }

// Push is the acceleration of a link that the wind pushes by its speed against it, 1/s; 0: none is pushed.
func (m *Medium) Push() float64 {
	if m.wind.Still() {
		return 0
	}
	return m.spec.Wind.Push
}

// Buoyant reports that there is a fluid in which things float.
func (m *Medium) Buoyant() bool { return len(m.spec.Layers) > 0 }

// Carries reports that a link of an entity floats where it has a volume.
func (m *Medium) Carries(entity, link string) bool {
	return m.spec.Carries == nil || slices.Contains(m.spec.Carries, entity) ||
		slices.Contains(m.spec.Carries, entity+"::"+link)
}

// layer is the density of the fluid at a height, kg/m³; 0: there is none.
func (m *Medium) layer(height float64) (density float64) {
	for _, l := range m.spec.Layers {
		if l.From > height {
			break
		}
		density = l.Density
	}
	return density
}

// Solid is a volume that displaces the fluid around it.
type Solid struct {
	Shape shape.Shape
	Whole shape.Displacement
	Half  r3.Vec  // half edges of the box that has its moments, m
	Box   r3.Pose // the pose of that box in the shape's frame
	In    *Volume // that it displaces; nil: that of the world's layers
}

// NewSolid is the solid of a shape; without a volume where it has none.
func NewSolid(s shape.Shape) Solid {
	out := Solid{Shape: s, Whole: shape.Whole(s)}
	out.Half, out.Box = BoxOf(s.Mass(1))
	return out
}

// BoxOf is the box that has the moments of a mass: its half edges, m, and its pose. Without a mass it is a
// point.
func BoxOf(m shape.Mass) (half r3.Vec, pose r3.Pose) {
	if !(m.Mass > 0) {
		return r3.Vec{}, r3.IdentityPose()
	}
	moments, axes := m.Inertia.Eigen()
	return scene.BoxOf(m.Mass, moments).Scale(0.5), r3.Pose{Pos: m.COM, Rot: axes}
}

// Displaced is the fluid that a solid displaces.
type Displaced struct {
	Mass   float64 // kg
	Centre r3.Vec  // in the world frame
	// Accel is that of the water around, m/s², by which its waves push the solid besides.
	Accel r3.Vec
	bound *bound // of the fluid; nil: the solid is out of it
}

// Displaced is the fluid that a solid at a pose displaces, t seconds after the world's beginning. Each layer
// counts with the exact part of the volume that is in it.
func (m *Medium) Displaced(s *Solid, at r3.Pose, t float64) Displaced {
	in, surface := s.In, -1
	if in == nil {
		in = &m.endless
	}
	out := Displaced{Centre: at.Pos, bound: in.around(s, at)}
	if out.bound == nil {
		return out
	}
	layers := in.Layers
	var around Swell
	if m.sea != nil && in.Endless() {
		surface = scene.TopLiquid(layers)
		around = m.sea.over(Extent{Half: s.Half, Pose: at.Mul(s.Box)}, t)
	}
	up := at.Rot.RotateBack(out.bound.Up) // in the shape's frame
	var moment r3.Vec
	var under shape.Displacement
	var liquid float64 // kg
	for i, l := range layers {
		part := s.Whole
		if i == surface {
			part = s.below(at, &around, layers[i+1].From-m.sea.level)
		} else if i+1 < len(layers) {
			part = shape.Below(s.Shape, up, out.bound.over(at, layers[i+1].From))
		}
		in := part.Less(under)
		under = part
		out.Mass += float64(l.Density * in.Volume)
		if i == surface {
			liquid = out.Mass
		}
		moment = moment.AddScaled(l.Density, in.Moment)
	}
	if !(out.Mass > 0) {
		out.Mass = 0
		return out
	}
	out.Centre, out.Accel = at.Apply(moment.Scale(1/out.Mass)), around.Accel.Scale(liquid/out.Mass)
	return out
}

// below is the part of a solid below a surface in waves that is higher at rest than the medium's.
func (s *Solid) below(at r3.Pose, around *Swell, higher float64) shape.Displacement {
	up, _ := r3.V(-around.Slope.X, -around.Slope.Y, 1).Unit()
	over := r3.V(0, 0, around.Height+higher-at.Apply(s.Box.Pos).Z)
	up = at.Rot.RotateBack(up)
	return shape.Below(s.Shape, up, up.Dot(s.Box.Pos.Add(at.Rot.RotateBack(over))))
}

// Level is the height of the surface of the highest liquid at rest, m; false: there is none.
func (m *Medium) Level() (float64, bool) {
	layers := m.spec.Layers
	if i := scene.TopLiquid(layers); i >= 0 {
		return layers[i+1].From, true
	}
	if n := len(layers); n > 0 && layers[n-1].Density >= scene.LeastLiquid {
		return math.Inf(1), true
	}
	return 0, false
}

// Surface is the height at which air and liquid meet at rest, m; false: there is none. A liquid without an
// end, as that of a uniform density, has it at the world's origin.
func (m *Medium) Surface() (float64, bool) {
	level, ok := m.Level()
	if math.IsInf(level, 1) {
		level = 0
	}
	return level, ok
}

// SurfaceAt is the height of the surface over a place, t seconds after the world's beginning; false: there is
// none.
func (m *Medium) SurfaceAt(place r3.Vec, t float64) (float64, bool) {
	level, ok := m.Surface()
	if ok && m.sea != nil {
		level = m.sea.height(place, t)
	}
	return level, ok
}

// rested is the height, m, that is in the layer of a place when the surface is at rest.
func (m *Medium) rested(place r3.Vec, t float64) float64 {
	if m.sea == nil {
		return place.Z
	}
	// Only the surface moves: what is below it stays so, and what is above it.
	if place.Z < m.sea.height(place, t) {
		return min(place.Z, math.Nextafter(m.sea.level, math.Inf(-1)))
	}
	return max(place.Z, m.sea.level)
}

// Pressure is that at a place, Pa: of the air, and in a liquid that of the air and the liquid above. It is t
// seconds after the world's beginning. The origin is the height of the world's above sea level, m; gravity is
// in m/s². The depth is that below the surface, m; 0 in the air.
func (m *Medium) Pressure(place r3.Vec, t, origin, gravity float64) (pascal, depth float64) {
	height := place.Z
	surface, ok := m.SurfaceAt(place, t)
	if !ok || height >= surface {
		pascal, _, _ = airAt(&m.earth, height+origin)
		return pascal, 0
	}
	pascal, _, _ = airAt(&m.earth, surface+origin)
	depth = surface - height
	top := surface
	if m.sea != nil {
		top = height + m.sea.head(place, t, depth)
	}
	for _, l := range slices.Backward(m.spec.Layers) {
		if m.sea != nil && l.Density < scene.LeastLiquid { // of the air above the surface at rest
			continue
		}
		if from := max(l.From, height); from < top {
			pascal += float64(float64(l.Density*gravity) * (top - from))
			top = from
		}
	}
	return pascal, depth
}

// Temperature is that of the air at a height, K.
func (m *Medium) Temperature(height float64) float64 {
	_, kelvin, _ := Air(&m.earth, height)
	return kelvin
}
