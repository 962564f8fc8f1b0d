package sim

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// hullVertices is the number of vertices of an entity's hull.
const hullVertices = 64

const (
	maxBoundsPoints = 4096
	roundSides      = 16 // of the prism that stands for something round in a hull
)

// BoundsOf is a region around the collision geometry of entity i in its canonical link's frame, with the
// joint positions of the snapshot. The region is a box, a sphere or a convex hull; other kinds are
// ErrUnsupported. Endless planes are left out. An entity without collision geometry has none: ErrFailed.
func BoundsOf(s *Snapshot, i int, kind scene.BoundsKind) (scene.Bounds, error) {
	b := scene.Bounds{Kind: kind}
	back := s.Entities[i].Pose.Inverse()
	box := r3.EmptyBox()
	var points []r3.Vec
	s.eachShape(i, func(pose r3.Pose, sh shape.Shape) bool {
		if sh.Kind() == shape.KindPlane {
			return true
		}
		local := back.Mul(pose)
		box = box.Union(sh.Bounds(local))
		if kind != scene.BoxBounds {
			points = appendCorners(points, local, sh)
		}
		return true
	})
	if box.IsEmpty() {
		return b, fmt.Errorf("%w: entity %q has no collision geometry with an end", ErrFailed,
			s.Model.Entities[i].Name)
	}
	switch kind {
	case scene.BoxBounds:
		b.Points = []r3.Vec{box.Max, box.Min}
	case scene.SphereBounds:
		b.Points = []r3.Vec{box.Centre(), r3.V(enclosingRadius(box.Centre(), points), 0, 0)}
	case scene.HullBounds:
		hull, err := shape.ConvexHull(points, hullVertices)
		if err != nil {
			return b, fmt.Errorf("%w: hull of entity %q: %w", ErrFailed, s.Model.Entities[i].Name, err)
		}
		b.Points = append(b.Points, hull.Vertices()...)
	default:
		return b, fmt.Errorf("%w: bounds of kind %d; want %d (box), %d (convex hull) or %d (sphere)",
			ErrUnsupported, kind, scene.BoxBounds, scene.HullBounds, scene.SphereBounds)
	}
	return b, nil
}

func enclosingRadius(centre r3.Vec, points []r3.Vec) float64 {
	r := 0.0
	for _, p := range points {
		r = max(r, centre.Dist(p))
	}
	return r
}

// appendCorners adds points whose convex hull holds the shape: its own
// corners, or those of a prism around what is round.
func appendCorners(out []r3.Vec, pose r3.Pose, sh shape.Shape) []r3.Vec {
	switch s := sh.(type) {
	case shape.Box:
		return appendBox(out, pose, r3.Box{Min: s.Half.Neg(), Max: s.Half})
	case shape.Sphere:
		return appendRound(out, pose, s.Radius, 0, s.Radius)
	case shape.Cylinder:
		return appendRound(out, pose, s.Radius, s.Half, 0)
	case shape.Capsule:
		return appendRound(out, pose, s.Radius, s.Half, s.Radius)
	case *shape.Hull:
		return appendPoints(out, pose, s.Vertices())
	case *shape.Mesh:
		return appendPoints(out, pose, s.Vertices())
	case *shape.Field:
		return appendBox(out, pose, s.Bounds(r3.IdentityPose()))
	}
	return appendBox(out, r3.IdentityPose(), sh.Bounds(pose))
}

func appendPoints(out []r3.Vec, pose r3.Pose, points []r3.Vec) []r3.Vec {
	for _, p := range points {
		out = append(out, pose.Apply(p))
	}
	return out
}

func appendBox(out []r3.Vec, pose r3.Pose, b r3.Box) []r3.Vec {
	for i := range 8 {
		p := b.Min
		for axis := range 3 {
			if i>>axis&1 == 1 {
				p = p.With(axis, b.Max.At(axis))
			}
		}
		out = append(out, pose.Apply(p))
	}
	return out
}

// appendRound adds a prism about z: the straight part reaches to ±half, a
// round cap beyond it for another cap.
func appendRound(out []r3.Vec, pose r3.Pose, radius, half, cap float64) []r3.Vec {
	around := radius / math.Cos(math.Pi/roundSides)
	rings := []r3.Vec{r3.V(around, half, 0)}
	if cap > 0 {
		// A cap lies within the cone frustum that touches it at 45°.
		rings = []r3.Vec{r3.V(around, half+float64(cap*(math.Sqrt2-1)), 0),
			r3.V(float64(around*(math.Sqrt2-1)), half+cap, 0)}
	}
	for _, ring := range rings {
		for i := range roundSides {
			s, c := r3.SinCos(float64(i) * (2 * math.Pi / roundSides))
			for _, z := range [...]float64{ring.Y, -ring.Y} {
				out = append(out, pose.Apply(r3.V(float64(ring.X*c), float64(ring.X*s), z)))
			}
		}
	}
	return out
}

// region is a scene.Bounds in the world frame, ready to be tested against.
type region struct {
	shape shape.Convex
	pose  r3.Pose
	box   r3.Box
}

// newRegion reads bounds. Both orders of a box's corners are taken.
func newRegion(b scene.Bounds) (*region, error) {
	r := &region{pose: r3.IdentityPose()}
	if len(b.Points) > maxBoundsPoints {
		return nil, fmt.Errorf("%w: bounds of %d points; at most %d are read", ErrFailed, len(b.Points),
			maxBoundsPoints)
	}
	for _, p := range b.Points {
		if !p.IsFinite() {
			return nil, fmt.Errorf("%w: bounds with the point %v; want finite numbers", ErrFailed, p)
		}
	}
	want := map[scene.BoundsKind]int{scene.BoxBounds: 2, scene.SphereBounds: 2}[b.Kind]
	if want > 0 && len(b.Points) != want {
		return nil, fmt.Errorf("%w: bounds of kind %d with %d points; want %d", ErrFailed, b.Kind,
			len(b.Points), want)
	}
	switch b.Kind {
	case scene.BoxBounds:
		box := r3.EmptyBox().Extend(b.Points[0]).Extend(b.Points[1])
		// A box without thickness is still a place that can be touched.
		r.shape, r.pose.Pos = shape.Box{Half: box.Half().Max(r3.V(pointRadius, pointRadius, pointRadius))},
			box.Centre()
	case scene.SphereBounds:
		r.shape, r.pose.Pos = shape.Sphere{Radius: b.Points[1].X}, b.Points[0]
	case scene.HullBounds:
		hull, err := shape.ConvexHull(b.Points, maxBoundsPoints)
		if err != nil {
			return nil, fmt.Errorf("%w: bounds: %w", ErrFailed, err)
		}
		r.shape = hull
	default:
		return nil, fmt.Errorf("%w: bounds of kind %d", ErrUnsupported, b.Kind)
	}
	if err := r.shape.Check(); err != nil {
		return nil, fmt.Errorf("%w: bounds: %w", ErrFailed, err)
	}
	r.box = r.shape.Bounds(r.pose)
	return r, nil
}
