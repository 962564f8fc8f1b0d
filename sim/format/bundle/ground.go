package bundle

import (
	"encoding/binary"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxEdge bounds the samples along an edge of the height map that is collided with; one that is finer is
// thinned out.
const maxEdge = 2048

// heights is a height map: rows from the smallest y.
type heights struct {
	width, height int
	step          float64 // m between samples
	origin        r3.Vec
	z             []float32 // m, above origin
}

// ground reads the height map and makes a terrain of it.
func (b *bundle) ground() error {
	t, err := b.tableOf(true, b.spelled("geometry", "heightmap_meta", "heightmap_yaml")...)
	if err != nil {
		return err
	}
	h := &heights{}
	var size [2]float64
	low, high := -1e6, 1e6
	for _, f := range []struct {
		to          *float64
		least, most float64
		key         string
	}{{&size[0], 2, 32768, "width"}, {&size[1], 2, 32768, "height"}, {&h.step, 1e-3, 1000, "resolution"},
		{&low, -1e6, 1e6, "min_height"}, {&high, -1e6, 1e6, "max_height"}} {
		if t.find(f.key) == nil && f.key[0] != 'm' {
			return t.fail(nil, "%s is not given", f.key)
		}
		if err := t.number(f.to, f.least, f.most, f.key); err != nil {
			return err
		}
	}
	h.width, h.height = int(size[0]), int(size[1])
	if n := t.find("origin"); n != nil {
		if h.origin, err = t.vec(n); err != nil {
			return err
		}
		b.site.Corner = h.origin
	}
	if err := b.samples(h, low, high); err != nil {
		return err
	}
	b.earth = h
	if thin(h.width)*thin(h.height) > 1 {
		b.note(t, nil, scene.Inferred, "%d × %d heights; using every %dth along x and every %dth along y",
			h.width, h.height, thin(h.width), thin(h.height))
	}
	g := scene.Geom{Kind: scene.Heightfield, Heights: h.field(thin(h.width), thin(h.height)),
		Pose: r3.IdentityPose()}
	g.Pose.Pos = h.origin.Add(r3.V(g.Heights.X/2, g.Heights.Y/2, 0))
	b.spec.Models = append(b.spec.Models,
		staticModel("ground", g, scene.Material{Colour: [4]float32{0.42, 0.44, 0.42, 1}}))
	return nil
}

// samples reads the numbers.
func (b *bundle) samples(h *heights, low, high float64) error {
	at := b.spelled("geometry", "heightmap", "heightmap_bin")
	data, name, err := b.part(true, maxHeights, at...)
	if err != nil {
		return err
	}
	n := b.top.find(at...)
	if want := 4 * h.width * h.height; len(data) != want {
		return b.top.fail(n, "%s has %d bytes; %d × %d heights need %d", name, len(data), h.width, h.height,
			want)
	}
	h.z = make([]float32, h.width*h.height)
	outside, known := 0, []int{}
	for i := range h.z {
		z := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		h.z[i] = float32(z)
		if math.IsNaN(z) {
			continue
		}
		if !(math.Abs(z) < 1e6) {
			return b.top.fail(n, "%s: height %g in column %d of row %d; want a finite number of metres",
				name, z, i%h.width, i/h.width)
		}
		if z < low-1e-3 || z > high+1e-3 {
			outside++
		}
		known = append(known, i)
	}
	if len(known) == 0 {
		return b.top.fail(n, "%s: all heights are NaN", name)
	}
	if missing := len(h.z) - len(known); missing > 0 {
		h.fill(known)
		b.note(b.top, n, scene.Inferred, "%s: %d heights are NaN; each is that of the nearest one that is known",
			name, missing)
	}
	if outside > 0 {
		b.note(b.top, n, scene.Suspicious, "%s: %d heights lie outside min_height %g to max_height %g", name,
			outside, low, high)
	}
	return nil
}

// fill gives heights that are not known (NaN) that of the nearest known one, in steps along rows and columns.
// Of several that are as near the one of the lower index counts. The list of known ones is lengthened.
func (h *heights) fill(known []int) {
	for i := 0; i < len(known); i++ {
		at := known[i]
		x, y := at%h.width, at/h.width
		for _, next := range [4]struct {
			inside bool
			index  int
		}{{y > 0, at - h.width}, {x > 0, at - 1}, {x < h.width-1, at + 1}, {y < h.height-1, at + h.width}} {
			if next.inside && math.IsNaN(float64(h.z[next.index])) {
				h.z[next.index] = h.z[at]
				known = append(known, next.index)
			}
		}
	}
}

// thin is the sampling interval that leaves at most maxEdge samples in a row.
func thin(n int) int { return 1 + (n-2)/(maxEdge-1) }

// field is every sx-th sample of every sy-th row. Where the last ones are none of these, the edge is cut off.
func (h *heights) field(sx, sy int) *scene.Heights {
	f := &scene.Heights{URI: "heightmap", Columns: (h.width-1)/sx + 1, Rows: (h.height-1)/sy + 1}
	f.X, f.Y = float64((f.Columns-1)*sx)*h.step, float64((f.Rows-1)*sy)*h.step
	for y := range f.Rows {
		for x := range f.Columns {
			f.Z = append(f.Z, h.z[y*sy*h.width+x*sx])
		}
	}
	return f
}
