package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Volume is a fluid in layers, without an end or within bounds.
type Volume struct {
	Layers []scene.Layer // by their height above the surface of a bound, or else in the world
	// of what has bounds
	Viscosity float64 // Pa·s
	Stream    r3.Vec  // m/s, in the world frame
	bounds    []bound // nil: it has no end
}

// bound is a shape that a fluid fills, up to a plane.
type bound struct {
	Up    r3.Vec      // of length 1: across the plane
	top   float64     // m, of the plane along Up
	shape shape.Shape // nil: it has no end
	pose  r3.Pose
	box   r3.Box
}

// unbounded is the bound of what has none, whose layers are at heights of the world.
var unbounded = bound{Up: r3.V(0, 0, 1)}

// NewVolume is a fluid without an end.
func NewVolume(layers []scene.Layer) Volume { return Volume{Layers: layers} }

// boundVolume is a fluid within bounds; those without a shape are left out. A mesh bounds it by its hull.
func boundVolume(f *scene.FluidVolume) Volume {
	v := Volume{Viscosity: f.Viscosity, Stream: f.Stream, bounds: []bound{},
		Layers: []scene.Layer{{From: math.Inf(-1), Density: f.Density}, {}}}
	for i := range f.Bounds {
		k := &f.Bounds[i]
		s, pose, err := k.Geom.Solid()
		if err != nil {
			continue
		}
		b := bound{Up: k.Up, pose: pose}
		switch own := s.(type) {
		case shape.Plane:
			b.top = k.Up.Dot(pose.Pos)
			v.bounds = append(v.bounds, b) // it fills all below itself
			continue
		case *shape.Mesh:
			if s, err = shape.ConvexHull(own.Vertices(), 0); err != nil {
				continue
			}
		}
		if round, ok := s.(shape.Convex); ok {
			b.shape, b.box = s, s.Bounds(pose)
			b.top = k.Up.Dot(pose.Apply(round.Support(pose.Rot.RotateBack(k.Up))))
			v.bounds = append(v.bounds, b)
		}
	}
	return v
}

// Volume is the fluid within bounds that has a name; nil: there is none.
func (m *Medium) Volume(name string) *Volume {
	for i := range m.spec.Volumes {
		if m.spec.Volumes[i].Name == name {
			return &m.volumes[i]
		}
	}
	return nil
}

// Endless reports that the fluid has no bounds.
func (v *Volume) Endless() bool { return v.bounds == nil }

// over is the offset of the plane at a height above a bound's surface, along Up from a pose.
func (b *bound) over(at r3.Pose, height float64) float64 { return b.top + height - b.Up.Dot(at.Pos) }

// around is the bound that a solid at a pose touches; nil: it is out of the fluid. Of several the
// deepest counts: the one with most of its volume.
func (v *Volume) around(s *Solid, at r3.Pose) (out *bound) {
	if v.Endless() {
		return &unbounded
	}
	box, most := s.Shape.Bounds(at), 0.0
	for i := range v.bounds {
		b := &v.bounds[i]
		if b.shape != nil && (!b.box.Overlaps(box) || !shape.Overlap(s.Shape, at, b.shape, b.pose)) {
			continue
		}
		if len(v.bounds) == 1 {
			return b
		}
		if in := shape.Below(s.Shape, at.Rot.RotateBack(b.Up), b.over(at, 0)).Volume; in > most {
			out, most = b, in
		}
	}
	return out
}

// Wet is the part of a solid's surface in the fluid, and that of its shadow along the axes of its link. The
// facets are in the frame of the link, whose pose is given.
func (d *Displaced) Wet(facets *shape.Facets, link r3.Pose) (area float64, shadow r3.Vec) {
	if d.bound == nil {
		return 0, r3.Vec{}
	}
	return facets.Below(link.Rot.RotateBack(d.bound.Up), d.bound.over(link, 0))
}

// Resistance is the force and the torque of a fluid on a solid that moves by w against it. All are in the
// axes of its link. The area and the shadow of the solid are in the fluid; part is the area by that of all
// its surface. Source: Webots' reference manual, "ImmersionProperties".
func (v *Volume) Resistance(k *scene.Immersion, area float64, shadow r3.Vec, part float64,
	w r3.Twist) (force, torque r3.Vec) {
	density := v.Layers[0].Density
	if k.Projected {
		square := func(of, motion r3.Vec) r3.Vec { return of.Mul(motion).Mul(motion.Abs()).Scale(-density) }
		across := r3.V(shadow.Y+shadow.Z, shadow.Z+shadow.X, shadow.X+shadow.Y)
		force, torque = square(k.Drag.Mul(shadow), w.Linear), square(k.Turn.Mul(across), w.Angular)
	} else {
		force = w.Linear.Scale(-density * k.Drag.X * area * w.Linear.Len())
		torque = w.Angular.Scale(-density * k.Turn.X * area * w.Angular.Len())
	}
	viscous := -part * v.Viscosity
	return force.AddScaled(viscous*k.Viscous, w.Linear), torque.AddScaled(viscous*k.Twisting, w.Angular)
}
