// Package query answers rays and closest points from an immutable scene: shapes at poses, numbered bodies, no
// World.
//
// A Scene is a copy that never changes, so that any number of goroutines may cast into it while the world
// steps on. Sensors look through it. Queries on the world itself, between two steps, use its broad phase and
// need no copy.
//
// The package stands below the world. It takes shapes and poses and gives distances; ids with generations,
// collision filters and sleep are the world's. No result depends on the form of the bounding volume hierarchy
// or on who casts first.
//
// Lengths are in metres, frames are right-handed, everything is in the world frame unless said.
package query

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Geom is a shape at a pose, as rays meet it. Make it with NewGeom.
type Geom struct {
	shape     shape.Shape
	pos       r3.Vec
	axes      r3.Mat // columns: the geom's axes in the world frame
	box       r3.Box // bounds, larger by the rounding of a box test, so that no grazing ray is lost
	core      r3.Box // a shape.Box in its own frame; zero: another shape
	body      int32
	group     int32
	intensity float64
}

// NewGeom places a shape. Bounds are its bounding box in the world frame; axes are the columns of the pose's
// rotation. Body and group are numbers to skip by, group 0 is none. Intensity is the return of a ray that
// hits the geom, from 0 to 1.
func NewGeom(s shape.Shape, pos r3.Vec, axes *r3.Mat, bounds *r3.Box, body, group int32,
	intensity float64) Geom {
	margin := 1e-9 + float64(1e-12*max(bounds.Min.MaxAbs(), bounds.Max.MaxAbs()))
	g := Geom{shape: s, pos: pos, axes: *axes, box: bounds.Grow(margin), body: body, group: group,
		intensity: intensity}
	if b, ok := s.(shape.Box); ok {
		g.core = r3.Box{Min: b.Half.Neg(), Max: b.Half}
	}
	return g
}

// StaticGeoms are geoms that several scenes share, since they do not move. They are immutable.
type StaticGeoms struct {
	tree   bvh
	planes []Geom // a plane has no bounds, so every ray tests it
}

// NewStaticGeoms takes geoms over, planes among them.
func NewStaticGeoms(geoms []Geom) *StaticGeoms {
	planes := 0
	for i := range geoms {
		if geoms[i].shape.Kind() == shape.KindPlane {
			planes++
		}
	}
	s := &StaticGeoms{planes: make([]Geom, 0, planes), tree: bvh{geoms: make([]Geom, 0, len(geoms)-planes)}}
	for i := range geoms {
		if geoms[i].shape.Kind() == shape.KindPlane {
			s.planes = append(s.planes, geoms[i])
		} else {
			s.tree.geoms = append(s.tree.geoms, geoms[i])
		}
	}
	return s
}

// Scene is an immutable set of geoms: static ones, which it may share with other scenes, and moving ones of
// its own. The zero value is ready to Reset.
type Scene struct {
	static *StaticGeoms
	moving bvh
}

// Reset begins a new scene in the memory of this one, with room for a number of moving geoms. Nobody may cast
// into it until all of them are added.
func (s *Scene) Reset(static *StaticGeoms, moving int) {
	s.static = static
	s.moving.clear()
	s.moving.geoms = slices.Grow(s.moving.geoms, moving)
}

// Add adds a moving geom, which is no plane.
func (s *Scene) Add(g Geom) { s.moving.geoms = append(s.moving.geoms, g) }
