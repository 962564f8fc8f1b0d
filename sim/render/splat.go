package render

import (
	"math"
	"slices"

	"simdeck/sim/r3"
)

const (
	// nearest is the least distance of visible Gaussians, m: nearer ones would cover the picture.
	nearest = 0.2
	// softest is added to the variances of a Gaussian's picture, px²: none is smaller than a pixel, whose
	// parts would be missed.
	softest = 0.3
	// widest bounds, in pictures, the distance beside the picture at which a Gaussian is projected: farther
	// out the tangent plane is inaccurate.
	widest = 1.3
	// hidden is the light that passes when what is behind is not looked at any more.
	hidden = 1e-4
	// densest is the greatest opacity of a Gaussian.
	densest = 0.99
)

// projectedSplat is the picture of a Gaussian: an ellipse about (u, v) in which brightness falls by a
// quadratic form.
type projectedSplat struct {
	u, v       float64
	xx, xy, yy float64 // of the form: exp(-½ dᵀ Q d)
	limit      float64 // of dᵀ Q d, where it is too faint to be seen
	half       float64 // of its height, px
	inverse    float32 // of its depth
	opacity    float32
	colour     colour
}

// splatBuffer are the splats of a picture, in the memory of one after the other.
type splatBuffer struct {
	all, sorted []projectedSplat
	order       []uint64 // depth and index
}

// projectSplats finds the splats of the stage's cloud, the nearest first; once a picture, whoever comes
// first.
func (r *pinhole) projectSplats() []projectedSplat {
	r.lighting.Lock()
	defer r.lighting.Unlock()
	if r.projected {
		return r.splats.all
	}
	r.projected = true
	d, c := &r.splats, r.stage.Cloud
	d.all, d.order = d.all[:0], d.order[:0]
	f := r.visibility()
	for i := range c.blocks {
		k := &c.blocks[i]
		if f.isVisible(k) {
			continue
		}
		for b := k.first; b < k.end; b++ {
			if s, depth, ok := f.findVisible(&c.gaussians[b]); ok {
				d.order = append(d.order, uint64(math.Float32bits(float32(depth)))<<32|uint64(len(d.all)))
				d.all = append(d.all, s)
			}
		}
	}
	d.sort()
	return d.all
}

// sort puts the splats in order, from near to far.
func (d *splatBuffer) sort() {
	slices.Sort(d.order) // the depths, which are above zero, have the order of their bits
	d.sorted = sized(d.sorted, len(d.all))
	for i, key := range d.order {
		d.sorted[i] = d.all[uint32(key)]
	}
	d.all, d.sorted = d.sorted, d.all
}

// visibility finds where Gaussians are seen.
type visibility struct {
	r          *pinhole
	near       float64
	edges      [4]r3.Vec // of what is seen: planes through the eye, inward
	x, y, z    r3.Vec    // rows of the view
	left, top  float64   // x and y at depth 1, as far aside as shapes are taken as they are
	right, low float64
}

func (r *pinhole) visibility() visibility {
	l := &r.lens
	wide, high := float64(widest*float64(l.Width)/2), float64(widest*float64(l.Height)/2)
	cx, cy := float64(float64(l.Width)/2)-l.CX, float64(float64(l.Height)/2)-l.CY
	return visibility{r: r, near: max(r.near, nearest), edges: l.edges(0, l.Height), x: r.view.Row(0),
		y: r.view.Row(1), z: r.view.Row(2),
		left: (cx - wide) / l.FX, right: (cx + wide) / l.FX, top: (cy - high) / l.FY, low: (cy + high) / l.FY}
}

// isVisible reports that nothing of a block is in the picture.
func (f *visibility) isVisible(k *block) bool {
	m := f.r.view.Apply(k.middle.Sub(f.r.eye))
	if m.Z+k.radius < f.near || m.Z-k.radius > f.r.far {
		return true
	}
	for _, e := range f.edges {
		if e.Dot(m) < -k.radius {
			return true
		}
	}
	return false
}

// findVisible projects a Gaussian by the lens's tangent plane there (Zwicker et al., "EWA Volume Splatting",
// 2001); false when it is not seen.
func (f *visibility) findVisible(b *gaussian) (s projectedSplat, depth float64, ok bool) {
	l := &f.r.lens
	way := b.pos.Sub(f.r.eye)
	p := r3.V(f.x.Dot(way), f.y.Dot(way), f.z.Dot(way))
	if p.Z < f.near || p.Z > f.r.far {
		return s, 0, false
	}
	x, y := p.X/p.Z, p.Y/p.Z
	// How the picture's x and y change with the place in the world.
	byX := f.x.AddScaled(-min(max(x, f.left), f.right), f.z).Scale(l.FX / p.Z)
	byY := f.y.AddScaled(-min(max(y, f.top), f.low), f.z).Scale(l.FY / p.Z)
	alongX := b.along(byX)
	xx, xy, yy := byX.Dot(alongX)+softest, byY.Dot(alongX), byY.Dot(b.along(byY))+softest
	det := float64(xx*yy) - float64(xy*xy)
	if !(det > 0) {
		return s, 0, false
	}
	s = projectedSplat{u: float64(x*l.FX) + l.CX, v: float64(y*l.FY) + l.CY, xx: yy / det, xy: -xy / det,
		yy:    xx / det,
		limit: b.limit, inverse: float32(1 / p.Z), opacity: b.opacity}
	s.half = math.Sqrt(float64(s.limit * yy))
	across := math.Sqrt(float64(s.limit * xx))
	if s.u+across < 0 || s.u-across > float64(l.Width-1) || s.v+s.half < 0 ||
		s.v-s.half > float64(l.Height-1) {
		return s, 0, false
	}
	s.colour = f.r.stage.Cloud.colour(b, way)
	return s, p.Z, true
}

// along is a vector times the covariance.
func (b *gaussian) along(v r3.Vec) r3.Vec {
	xx, xy, xz := float64(b.spread[0]), float64(b.spread[1]), float64(b.spread[2])
	yy, yz, zz := float64(b.spread[3]), float64(b.spread[4]), float64(b.spread[5])
	return r3.V(r3.V(xx, xy, xz).Dot(v), r3.V(xy, yy, yz).Dot(v), r3.V(xz, yz, zz).Dot(v))
}
