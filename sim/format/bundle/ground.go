package bundle

import (
	"encoding/binary"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxCells bounds the height map that is collided with; one that is finer is thinned out.
const maxCells = 400_000

// heights is a height map: rows from the smallest y.
type heights struct {
	width, height int
	step          float64 // m between samples
	origin        r3.Vec
	z             []float32 // m, above origin
}

// ground reads the height map and makes a static mesh of it.
func (b *bundle) ground() error {
	t, err := b.tableOf(true, "geometry", "heightmap_yaml")
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
	}
	if err := b.samples(h, low, high); err != nil {
		return err
	}
	stride := 1
	for (h.width/stride)*(h.height/stride) > maxCells {
		stride++
	}
	if stride > 1 {
		b.note(t, nil, scene.Inferred, "%d × %d heights; every %dth is taken in both directions", h.width, h.height, stride)
	}
	b.spec.Models = append(b.spec.Models, still("ground", h.mesh(stride), scene.Material{Colour: [4]float32{0.42, 0.44, 0.42, 1}}))
	return nil
}

// samples reads the numbers.
func (b *bundle) samples(h *heights, low, high float64) error {
	data, name, err := b.part(true, maxHeights, "geometry", "heightmap_bin")
	if err != nil {
		return err
	}
	n := b.top.find("geometry", "heightmap_bin")
	if want := 4 * h.width * h.height; len(data) != want {
		return b.top.fail(n, "%s has %d bytes; %d × %d heights need %d", name, len(data), h.width, h.height, want)
	}
	h.z = make([]float32, h.width*h.height)
	outside := 0
	for i := range h.z {
		z := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		if !(math.Abs(z) < 1e6) {
			return b.top.fail(n, "%s: height %g in column %d of row %d; a finite number of metres is right", name, z, i%h.width, i/h.width)
		}
		if z < low-1e-3 || z > high+1e-3 {
			outside++
		}
		h.z[i] = float32(z)
	}
	if outside > 0 {
		b.note(b.top, n, scene.Suspicious, "%s: %d heights lie outside min_height %g to max_height %g", name, outside, low, high)
	}
	return nil
}

// mesh is the surface between every stride-th sample, the last ones of a row and column always among them.
func (h *heights) mesh(stride int) *scene.Mesh {
	columns, rows := lines(h.width, stride), lines(h.height, stride)
	m := &scene.Mesh{URI: "heightmap"}
	for _, y := range rows {
		for _, x := range columns {
			m.Vertices = append(m.Vertices, h.origin.Add(r3.V(float64(x)*h.step, float64(y)*h.step, float64(h.z[y*h.width+x]))))
		}
	}
	w := int32(len(columns))
	for y := range int32(len(rows) - 1) {
		for x := range w - 1 {
			a := y*w + x
			m.Triangles = append(m.Triangles, [3]int32{a, a + 1, a + w + 1}, [3]int32{a, a + w + 1, a + w})
		}
	}
	return m
}

func lines(n, stride int) []int {
	var out []int
	for i := 0; i < n-1; i += stride {
		out = append(out, i)
	}
	return append(out, n-1)
}
