package sim

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// Footprint is the collision shapes of a model as it would be spawned, to ask where there is room for it.
type Footprint struct {
	shapes []PlacedShape
	box    r3.Box // around all, in the entity's frame
}

// PlacedShape is a convex collision shape where it is with all joints at zero.
type PlacedShape struct {
	Shape shape.Convex
	Pose  r3.Pose // in the entity's frame, that of its canonical link
}

const (
	// placementClearance is the height, in metres, by which a footprint is lifted: flatter shapes count as
	// ground.
	placementClearance = 0.02
	// maxPlacementTries bounds the poses that Near looks at.
	maxPlacementTries = 4096
)

// NewFootprint takes the convex collision shapes of a model; a mesh counts as its convex parts. A model with
// none is ErrFailed.
func NewFootprint(model string, shapes []PlacedShape) (*Footprint, error) {
	if len(shapes) == 0 {
		return nil, fmt.Errorf("%w: model %q has no collision shape of which room could be asked", ErrFailed,
			model)
	}
	f := &Footprint{shapes: shapes, box: r3.EmptyBox()}
	for _, s := range shapes {
		f.box = f.box.Union(s.Shape.Bounds(s.Pose))
	}
	return f, nil
}

// BoxFootprint is a box that stands for a model of which no more is known, in the frame of the entity's pose.
func BoxFootprint(b r3.Box) *Footprint {
	return &Footprint{shapes: []PlacedShape{{shape.Box{Half: b.Half()},
		r3.Pose{Pos: b.Centre(), Rot: r3.Identity()}}}, box: b}
}

// Box is the box around the footprint, in the frame of the entity's pose.
func (f *Footprint) Box() r3.Box { return f.box }

// FirstOverlap is the first entity's name, in the snapshot's order, that overlaps a footprint at a pose;
// empty when there is room. Planes do not count, nor what is less than 2 cm above where it stands, nor the
// entity named except.
func (f *Footprint) FirstOverlap(s *Snapshot, at r3.Pose, except string) string {
	at.Pos.Z += placementClearance
	mine := f.box.Moved(at)
	for i := range min(len(s.Entities), len(s.Model.Entities)) {
		e := &s.Model.Entities[i]
		if e.Name == except || !e.Bounds.IsEmpty() && !e.Bounds.Moved(s.Entities[i].Pose).Overlaps(mine) {
			continue
		}
		blocked := false
		s.eachShape(i, func(pose r3.Pose, sh shape.Shape) bool {
			blocked = sh.Kind() != shape.KindPlane && sh.Bounds(pose).Overlaps(mine) &&
				f.overlapsShape(at, sh, pose)
			return !blocked
		})
		if blocked {
			return e.Name
		}
	}
	return ""
}

// Overlaps reports whether two of the same footprint, standing at two poses, would reach into each other.
func (f *Footprint) Overlaps(a, b r3.Pose) bool {
	if !f.box.Moved(a).Overlaps(f.box.Moved(b)) {
		return false
	}
	for i := range f.shapes {
		if f.overlapsShape(a, f.shapes[i].Shape, b.Mul(f.shapes[i].Pose)) {
			return true
		}
	}
	return false
}

// Corners are, for each shape, points whose convex hull holds it, in the frame of the entity's pose.
func (f *Footprint) Corners() [][]r3.Vec {
	out := make([][]r3.Vec, len(f.shapes))
	for i := range f.shapes {
		out[i] = appendCorners(nil, f.shapes[i].Pose, f.shapes[i].Shape)
	}
	return out
}

func (f *Footprint) overlapsShape(at r3.Pose, sh shape.Shape, pose r3.Pose) bool {
	box := sh.Bounds(pose)
	for i := range f.shapes {
		p := at.Mul(f.shapes[i].Pose)
		if f.shapes[i].Shape.Bounds(p).Overlaps(box) && shape.Overlap(f.shapes[i].Shape, p, sh, pose) {
			return true
		}
	}
	return false
}

// NearestFree is the pose nearest to a wanted one, at its height and orientation, with room. It tries rings
// of poses outward, step metres apart, up to limit metres. False when there is none.
func (f *Footprint) NearestFree(s *Snapshot, wanted r3.Pose, step, limit float64, except string) (r3.Pose,
	bool) {
	if f.FirstOverlap(s, wanted, except) == "" {
		return wanted, true
	}
	if !(step > 0) || !(limit >= 0) || math.IsInf(limit, 1) {
		return r3.Pose{}, false
	}
	tries := 0
	for ring := 1; float64(ring)*step <= limit; ring++ {
		n := 6 * ring
		for k := range n {
			if tries++; tries > maxPlacementTries {
				return r3.Pose{}, false
			}
			sin, cos := r3.SinCos(2 * math.Pi * float64(k) / float64(n))
			at := wanted
			at.Pos = at.Pos.AddScaled(float64(ring)*step, r3.V(cos, sin, 0))
			if f.FirstOverlap(s, at, except) == "" {
				return at, true
			}
		}
	}
	return r3.Pose{}, false
}
