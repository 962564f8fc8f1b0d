package shape

import (
	"math"

	"simdeck/sim/r3"
)

// wideRay is a ray on its way through a wide tree. The assembly knows the offsets of its fields.
type wideRay struct {
	// Data for boxes, in single precision. For each axis it has the ray's start as the nearer and the farther
	// planes use it. The inverse direction is rounded down and up, so that a box seems a little larger.
	// Distances are along the axis that the ray follows most.
	near, far  [3]float32
	slow, fast [3]float32
	bound      float32  // hits beyond it do not count
	_          float32  //
	side       [3]int64 // offset of the nearer planes in a node; the farther ones are at side ^ 32

	// Data for triangles. Space is turned so that the ray runs along +z from the origin, and a triangle is
	// hit when its projection contains the origin. A shared edge has the same sign for both triangles, so
	// that no ray slips between them (Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013).
	origin [3]float64
	sx, sy float64
	sz     float64
	axis   [3]int64 // offset of its rows in a block

	best  float64 // nothing at this distance or beyond counts
	reach float64 // bound by best
	tri   int32   // -1: none
}

const (
	planeBytes = 4 * wideLanes
	axisBytes  = 8 * 3 * blockLanes
	// roundingSlack covers what single precision loses in a distance: a few units of 2⁻²⁴.
	roundingSlack = 1e-6
	// startSlack, in metres, keeps a ray that runs within a box's face from missing it.
	startSlack = 1e-9
	// steepest is the inverse direction of a ray that keeps to a plane: over any distance it moves
	// less than startSlack.
	steepest = 1e25
	// farthestStart is from where on single precision fails.
	farthestStart = 1e15
)

// prepare makes a ray ready that looks for what is nearer than limit, or as near. False: the ray has
// no direction or no place.
func (r *wideRay) prepare(w *wide, ray *r3.Ray, limit float64) bool {
	o := ray.Origin.Sub(w.centre)
	origin, dir := [3]float64{ray.Origin.X, ray.Origin.Y, ray.Origin.Z},
		[3]float64{ray.Dir.X, ray.Dir.Y, ray.Dir.Z}
	kz := 0
	if math.Abs(dir[1]) > math.Abs(dir[0]) {
		kz = 1
	}
	if math.Abs(dir[2]) > math.Abs(dir[kz]) {
		kz = 2
	}
	ahead := math.Abs(dir[kz])
	if !(ahead > 0) || !(o.MaxAbs() < farthestStart) || !(limit >= 0) {
		return false
	}
	next := [5]int{0, 1, 2, 0, 1}
	kx, ky := next[kz+1], next[kz+2]
	r.origin = [3]float64{origin[kx], origin[ky], origin[kz]}
	r.sx, r.sy, r.sz = dir[kx]/dir[kz], dir[ky]/dir[kz], 1/dir[kz]
	r.axis = [3]int64{int64(kx) * axisBytes, int64(ky) * axisBytes, int64(kz) * axisBytes}
	r.aim(0, o.X, ahead/dir[0])
	r.aim(1, o.Y, ahead/dir[1])
	r.aim(2, o.Z, ahead/dir[2])
	r.best, r.tri = math.Inf(1), -1
	if limit < math.MaxFloat64 {
		r.best = math.Float64frombits(math.Float64bits(limit+0) + 1) // the next above
	}
	r.reach = float64(ahead * (1 + roundingSlack))
	r.bound = float32(r.best * r.reach)
	return true
}

// aim prepares one axis.
func (r *wideRay) aim(i int, o, inv float64) {
	slack := startSlack + float64(math.Abs(o)*1.2e-7)
	lo, hi := float32(o-slack), float32(o+slack)
	back := int64(math.Float64bits(inv) >> 63) // 1: against the axis
	r.side[i] = (int64(2*i) + back) * planeBytes
	if back != 0 {
		lo, hi = hi, lo
	}
	r.near[i], r.far[i] = hi, lo
	if !(math.Abs(inv) < steepest) {
		inv = math.Copysign(steepest, inv)
	}
	r.slow[i], r.fast[i] = float32(inv*(1-roundingSlack)), float32(inv*(1+roundingSlack))
}

// walk is cast in Go.
func (w *wide) walk(r *wideRay) {
	var stack [wideStack]uint64
	n, at := 0, uint32(0)
	for {
		if at&leafBit != 0 {
			w.blocks[at&^leafBit].meet(r)
		} else if below := w.nodes[at].enter(r, stack[n:]); below > 0 {
			n += below - 1
			at = uint32(stack[n])
			continue
		}
		for {
			if n == 0 {
				return
			}
			n--
			if uint32(stack[n]>>32) <= math.Float32bits(r.bound) {
				break
			}
		}
		at = uint32(stack[n])
	}
}

// enter writes the children that the ray enters, the nearest last: the bits of the distance, which
// sort as it does, above the child.
func (n *wideNode) enter(r *wideRay, out []uint64) int {
	p := &n.planes
	nx, ny, nz := &p[r.side[0]/planeBytes], &p[r.side[1]/planeBytes], &p[r.side[2]/planeBytes]
	fx, fy, fz := &p[r.side[0]/planeBytes^1], &p[r.side[1]/planeBytes^1], &p[r.side[2]/planeBytes^1]
	count := 0
	for i := range wideLanes {
		near, far := float32(0), r.bound
		if t := float32((nx[i] - r.near[0]) * r.slow[0]); t > near {
			near = t
		}
		if t := float32((fx[i] - r.far[0]) * r.fast[0]); t < far {
			far = t
		}
		if t := float32((ny[i] - r.near[1]) * r.slow[1]); t > near {
			near = t
		}
		if t := float32((fy[i] - r.far[1]) * r.fast[1]); t < far {
			far = t
		}
		if t := float32((nz[i] - r.near[2]) * r.slow[2]); t > near {
			near = t
		}
		if t := float32((fz[i] - r.far[2]) * r.fast[2]); t < far {
			far = t
		}
		if near > far {
			continue
		}
		key := uint64(math.Float32bits(near))<<32 | uint64(n.child[i])
		k := count
		for ; k > 0 && out[k-1] < key; k-- {
			out[k] = out[k-1]
		}
		out[k] = key
		count++
	}
	return count
}

// meet looks for a nearer triangle in a leaf.
func (b *block) meet(r *wideRay) {
	kx, ky, kz := r.axis[0]/axisBytes, r.axis[1]/axisBytes, r.axis[2]/axisBytes
	for i := range blockLanes {
		var x, y, z [3]float64
		for k := range 3 {
			w := b.corners[kz][k][i] - r.origin[2]
			x[k] = b.corners[kx][k][i] - r.origin[0] - float64(r.sx*w)
			y[k] = b.corners[ky][k][i] - r.origin[1] - float64(r.sy*w)
			z[k] = float64(r.sz * w)
		}
		if t, ok := crossing(&x, &y, &z); ok && t < r.best {
			r.best, r.tri = t, b.tri[i]
			r.bound = float32(t * r.reach)
		}
	}
}

// crossing is the height at which the z axis crosses a triangle, edges included; none behind the origin.
func crossing(x, y, z *[3]float64) (float64, bool) {
	u := float64(x[2]*y[1]) - float64(y[2]*x[1])
	v := float64(x[0]*y[2]) - float64(y[0]*x[2])
	w := float64(x[1]*y[0]) - float64(y[1]*x[0])
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
		return 0, false
	}
	det := u + v + w
	if det == 0 {
		return 0, false
	}
	t := (float64(u*z[0]) + float64(v*z[1]) + float64(w*z[2])) / det
	return t, t >= 0
}
