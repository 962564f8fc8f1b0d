package r3

import "math"

// Box is an axis-aligned box. EmptyBox contains nothing.
type Box struct{ Min, Max Vec }

// EmptyBox is the box that any point extends to that point.
func EmptyBox() Box {
	i := math.Inf(1)
	return Box{Vec{i, i, i}, Vec{-i, -i, -i}}
}

// BoxAround is the box with a centre and half extents.
func BoxAround(centre, half Vec) Box { return Box{centre.Sub(half), centre.Add(half)} }

// IsEmpty reports that the box contains no point.
func (b Box) IsEmpty() bool {
	return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y && b.Min.Z <= b.Max.Z)
}

// Extend grows the box to hold p.
func (b Box) Extend(p Vec) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union is the smallest box around both.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Grow moves every face out by m.
func (b Box) Grow(m float64) Box {
	d := Vec{m, m, m}
	return Box{b.Min.Sub(d), b.Max.Add(d)}
}

// Contains reports that c lies inside b; touching counts as inside.
func (b Box) Contains(c Box) bool {
	return b.Min.X <= c.Min.X && b.Min.Y <= c.Min.Y && b.Min.Z <= c.Min.Z &&
		c.Max.X <= b.Max.X && c.Max.Y <= b.Max.Y && c.Max.Z <= b.Max.Z
}

// Holds reports that the point lies in the box or on its face.
func (b Box) Holds(p Vec) bool { return b.Contains(Box{p, p}) }

// Overlaps reports a common point; touching counts.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X &&
		b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z
}

// Gap is by how much an axis parts the boxes, in metres: the most of the three, below 0 where they overlap.
func (b *Box) Gap(c *Box) float64 {
	return max(b.Min.X-c.Max.X, c.Min.X-b.Max.X, b.Min.Y-c.Max.Y, c.Min.Y-b.Max.Y, b.Min.Z-c.Max.Z,
		c.Min.Z-b.Max.Z)
}

// Near reports that no axis parts the boxes by more than m.
func (b *Box) Near(c *Box, m float64) bool {
	return b.Min.X-c.Max.X <= m && c.Min.X-b.Max.X <= m &&
		b.Min.Y-c.Max.Y <= m && c.Min.Y-b.Max.Y <= m &&
		b.Min.Z-c.Max.Z <= m && c.Min.Z-b.Max.Z <= m
}

// Centre is the middle of the box.
func (b Box) Centre() Vec { return b.Min.Add(b.Max).Scale(0.5) }

// Half is the half extents of the box.
func (b Box) Half() Vec { return b.Max.Sub(b.Min).Scale(0.5) }

// Size is the edge lengths of the box.
func (b Box) Size() Vec { return b.Max.Sub(b.Min) }

// Area is the surface of the box.
func (b Box) Area() float64 {
	d := b.Size()
	return 2 * (float64(d.X*d.Y) + float64(d.Y*d.Z) + float64(d.Z*d.X))
}

// Moved is the smallest axis-aligned box around b placed at a pose.
func (b Box) Moved(p Pose) Box {
	m, h := p.Rot.Mat(), b.Half()
	e := Vec{
		float64(math.Abs(m.XX)*h.X) + float64(math.Abs(m.XY)*h.Y) + float64(math.Abs(m.XZ)*h.Z),
		float64(math.Abs(m.YX)*h.X) + float64(math.Abs(m.YY)*h.Y) + float64(math.Abs(m.YZ)*h.Z),
		float64(math.Abs(m.ZX)*h.X) + float64(math.Abs(m.ZY)*h.Y) + float64(math.Abs(m.ZZ)*h.Z),
	}
	return BoxAround(p.Apply(b.Centre()), e)
}

// Ray is a half-line; Dir need not have unit length, distances are then in its lengths.
type Ray struct{ Origin, Dir Vec }

// At is the point at distance t.
func (r Ray) At(t float64) Vec { return r.Origin.AddScaled(t, r.Dir) }

// Into takes the ray into a frame given by its pose; distances keep their meaning.
func (r Ray) Into(p Pose) Ray {
	return Ray{p.ApplyInverse(r.Origin), p.Rot.RotateBack(r.Dir)}
}

// Inverse is 1/Dir by component, as Box.Hit wants it; infinite where the direction is zero.
func (r Ray) Inverse() Vec { return Vec{1 / r.Dir.X, 1 / r.Dir.Y, 1 / r.Dir.Z} }

// Hit returns where the ray enters the box (0 when it starts inside) and whether it does so before
// limit; inv is Ray.Inverse. A ray that lies exactly in a face counts as a hit.
func (b *Box) Hit(origin, inv Vec, limit float64) (float64, bool) {
	near, far := slab(b.Min.X, b.Max.X, origin.X, inv.X, 0, limit)
	near, far = slab(b.Min.Y, b.Max.Y, origin.Y, inv.Y, near, far)
	near, far = slab(b.Min.Z, b.Max.Z, origin.Z, inv.Z, near, far)
	return near, near <= far
}

// slab narrows [near, far] to the ray between two planes; 0·∞ (a ray within a plane) is NaN, which the
// comparisons below ignore.
func slab(lo, hi, o, inv, near, far float64) (float64, float64) {
	t1, t2 := float64((lo-o)*inv), float64((hi-o)*inv)
	if t1 > t2 {
		t1, t2 = t2, t1
	}
	if t1 > near {
		near = t1
	}
	if t2 < far {
		far = t2
	}
	return near, far
}
