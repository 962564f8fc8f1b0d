package worlds_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"simdeck/sim/r3"
)

// The track: an oval of two straights and half circles, a hump under the north straight, a paved field
// inside, joined to the south.
const (
	trackWest, trackSouth = -42.0, -26.0 // m: the corner of the ground
	trackColumns          = 85           // heights, 1 m apart
	trackRows             = 53
	straight, bend        = 20.0, 12.0 // m: half the length of a straight, radius of the middle of the road
	halfRoad              = 3.5        // m
)

// trackHeight is that of the ground: a hump of 1.2 m across the north straight.
func trackHeight(x, y float64) float64 {
	if math.Abs(x) >= 12 || y <= 5 {
		return 0
	}
	return 0.6 * (1 + math.Cos(math.Pi*x/12)) * 0.5 * (1 - math.Cos(math.Pi*min(1, (y-5)/3)))
}

// onOval is a point of the oval at so many metres along its middle, side metres to the left of it.
func onOval(s, side float64) (x, y float64) {
	half := math.Pi * bend
	s = math.Mod(s, 4*straight+2*half)
	r := bend - side // left is inward, the way is counterclockwise
	switch {
	case s < 2*straight:
		return -straight + s, -r
	case s < 2*straight+half:
		a := (s-2*straight)/bend - math.Pi/2
		return straight + r*math.Cos(a), r * math.Sin(a)
	case s < 4*straight+half:
		return straight - (s - 2*straight - half), r
	}
	a := (s-4*straight-half)/bend + math.Pi/2
	return -straight + r*math.Cos(a), r * math.Sin(a)
}

const ovalLength = 4*straight + 2*math.Pi*bend

// paint is triangles of one colour.
type paint struct {
	colour [3]float64
	points []r3.Vec
	faces  []uint32
}

// strip paints between two distances from the middle of the oval, a little above the ground; dashed: every
// other 3 m.
func (p *paint) strip(left, right, above float64, dashed bool) {
	const piece = 1.0
	n := int(math.Floor(ovalLength / piece))
	for k := range n {
		if dashed && k/3%2 == 1 {
			continue
		}
		from, to := ovalLength*float64(k)/float64(n), ovalLength*float64(k+1)/float64(n)
		p.quad(above, [4][2]float64{pair(onOval(from, right)), pair(onOval(to, right)),
			pair(onOval(to, left)), pair(onOval(from, left))})
	}
}

func pair(x, y float64) [2]float64 { return [2]float64{x, y} }

// quad paints a quadrangle whose corners go counterclockwise.
func (p *paint) quad(above float64, corners [4][2]float64) {
	first := uint32(len(p.points))
	for _, c := range corners {
		p.points = append(p.points, r3.V(c[0], c[1], trackHeight(c[0], c[1])+above))
	}
	p.faces = append(p.faces, first, first+1, first+2, first, first+2, first+3)
}

// rectangle paints one along the axes.
func (p *paint) rectangle(west, south, east, north, above float64) {
	p.quad(above, [4][2]float64{{west, south}, {east, south}, {east, north}, {west, north}})
}

// road is the asphalt and what is painted on it.
func road() []paint {
	asphalt, white, yellow := paint{colour: [3]float64{0.2, 0.2, 0.21}},
		paint{colour: [3]float64{0.9, 0.9, 0.88}}, paint{colour: [3]float64{0.9, 0.7, 0.1}}
	asphalt.strip(halfRoad, -halfRoad, 0.03, false)
	asphalt.rectangle(-20, -6, 20, 4, 0.03)
	asphalt.rectangle(-4, -8.6, 4, -6, 0.03)
	white.strip(halfRoad-0.1, halfRoad-0.35, 0.045, false)
	white.strip(-halfRoad+0.35, -halfRoad+0.1, 0.045, false)
	yellow.strip(0.12, -0.12, 0.045, true)
	white.rectangle(-6.3, -bend-halfRoad, -5.7, -bend+halfRoad, 0.05) // where a lap begins
	for k := range 5 {                                                // bays to park in
		x := 8 + 3*float64(k)
		white.rectangle(x-1.56, -5.8, x-1.44, -0.5, 0.045)
	}
	return []paint{asphalt, white, yellow}
}

// glb is a binary glTF 2.0 file of one mesh, y up as the standard has it (Khronos, "glTF 2.0 specification",
// 3.4 and 4.4).
func glb(t *testing.T, paints []paint) []byte {
	t.Helper()
	var data []byte
	type object = map[string]any
	var views, accessors, materials, primitives []any
	view := func(b []byte, target, kind, count int, shape string, more object) int {
		views = append(views, object{"buffer": 0, "byteOffset": len(data), "byteLength": len(b),
			"target": target})
		data = append(data, b...)
		a := object{"bufferView": len(views) - 1, "componentType": kind, "count": count, "type": shape}
		for k, v := range more {
			a[k] = v
		}
		accessors = append(accessors, a)
		return len(accessors) - 1
	}
	for i, p := range paints {
		var vertices, indices []byte
		box := r3.EmptyBox()
		for _, v := range p.points {
			v = r3.V(v.X, v.Z, -v.Y)
			box = box.Union(r3.Box{Min: v, Max: v})
			for _, c := range [3]float64{v.X, v.Y, v.Z} {
				vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(float32(c)))
			}
		}
		for _, f := range p.faces {
			indices = binary.LittleEndian.AppendUint16(indices, uint16(f))
		}
		indices = append(indices, make([]byte, len(indices)%4)...)
		round := func(v r3.Vec) []float32 { return []float32{float32(v.X), float32(v.Y), float32(v.Z)} }
		position := view(vertices, 34962, 5126, len(p.points), "VEC3",
			object{"min": round(box.Min), "max": round(box.Max)})
		index := view(indices, 34963, 5123, len(p.faces), "SCALAR", nil)
		materials = append(materials, object{"pbrMetallicRoughness": object{"baseColorFactor": append(p.colour[:],
			1), "metallicFactor": 0}})
		primitives = append(primitives,
			object{"attributes": object{"POSITION": position}, "indices": index, "material": i})
	}
	text, err := json.Marshal(object{"asset": object{"version": "2.0", "generator": "simdeck"}, "scene": 0,
		"scenes": []any{object{"nodes": []int{0}}},
		"nodes":  []any{object{"mesh": 0}}, "meshes": []any{object{"primitives": primitives}},
		"materials": materials,
		"accessors": accessors, "bufferViews": views, "buffers": []any{object{"byteLength": len(data)}}})
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, bytes.Repeat([]byte(" "), (4-len(text)%4)%4)...)
	out := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
	out = binary.LittleEndian.AppendUint32(out, uint32(28+len(text)+len(data)))
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "JSON"...)
	out = append(append(out, text...), binary.LittleEndian.AppendUint32(nil, uint32(len(data)))...)
	return append(append(out, "BIN\x00"...), data...)
}

// drivable is the road and the field as GeoJSON.
func drivable(t *testing.T) []byte {
	t.Helper()
	ring := func(side float64) (out [][2]float64) {
		for s := 0.0; s < ovalLength; s += 2 {
			x, y := onOval(s, side)
			out = append(out, [2]float64{math.Round(100*x) / 100, math.Round(100*y) / 100})
		}
		return append(out, out[0])
	}
	type object = map[string]any
	polygon := func(name string, rings ...[][2]float64) object {
		return object{"type": "Feature", "properties": object{"name": name},
			"geometry": object{"type": "Polygon", "coordinates": rings}}
	}
	text, err := json.Marshal(object{"type": "FeatureCollection", "features": []any{
		polygon("oval", ring(-halfRoad), ring(halfRoad)),
		polygon("field", [][2]float64{{-20, -6}, {-4, -6}, {-4, -8.6}, {4, -8.6}, {4, -6}, {20, -6}, {20, 4},
			{-20, 4}, {-20, -6}})}})
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func TestThePartsOfTheTrackAreAsTheyAreMade(t *testing.T) {
	var heights []byte
	for y := range trackRows {
		for x := range trackColumns {
			h := trackHeight(trackWest+float64(x), trackSouth+float64(y))
			heights = binary.LittleEndian.AppendUint32(heights,
				math.Float32bits(float32(math.Round(1e4*h)/1e4)))
		}
	}
	for name, got := range map[string][]byte{"heightmap.bin": heights, "road.glb": glb(t, road()),
		"drivable.geojson": drivable(t)} {
		file := "track/" + name
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what is made (-update rewrites it): %v", file, err)
		}
	}
	if text, err := os.ReadFile("track/heightmap.yaml"); err != nil ||
		!bytes.Contains(text, fmt.Appendf(nil, "width: %d\nheight: %d\n", trackColumns, trackRows)) {
		t.Errorf("heightmap.yaml: %v; %d × %d heights are made", err, trackColumns, trackRows)
	}
}
