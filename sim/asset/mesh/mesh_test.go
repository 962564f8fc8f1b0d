package mesh

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
)

const textTriangle = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 3 0\nendloop\nendfacet\nendsolid a\n"

// binaryTriangles is a binary STL of n triangles that announces count.
func binaryTriangles(header string, n, count int) string {
	data := make([]byte, stlHeader+n*stlFacet)
	copy(data, header)
	binary.LittleEndian.PutUint32(data[80:], uint32(count))
	for i := range n {
		f := data[stlHeader+i*stlFacet:]
		for k, v := range []float32{0, 0, 1, 0, 0, float32(i), 2, 0, float32(i), 0, 3, float32(i)} {
			binary.LittleEndian.PutUint32(f[4*k:], math.Float32bits(v))
		}
	}
	return string(data)
}

const (
	daeHead = `<COLLADA><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g" name="part"><mesh>` +
		`<source id="s"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>` +
		`<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>`
	daeMid  = `</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="vs">`
	daeTail = `</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#vs"/></scene></COLLADA>`
	daeTris = `<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#s" offset="1"/><p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>`
	daePoly = `<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>`
	daeNode = `<node><instance_geometry url="#g"/></node>`
)

var meshes = []struct {
	name, data string
	triangles  int
	box        string // "min max" of x, y, z
	warnings   int
	fails      string
}{
	{"text.stl", textTriangle, 1, "0 0 0 2 3 0", 0, ""},
	{"crlf.STL", strings.ReplaceAll(textTriangle, "\n", "\r\n"), 1, "0 0 0 2 3 0", 0, ""},
	{"upper.stl", strings.ToUpper(textTriangle), 1, "0 0 0 2 3 0", 0, ""},
	{"quad.stl", strings.Replace(textTriangle, "endloop", "vertex 1 1 1\nendloop", 1), 2, "0 0 0 2 3 1", 1,
		""},
	{"nan.stl", strings.Replace(textTriangle, "2 0 0", "nan 0 0", 1), 0, "", 0, "no triangle"},
	{"word.stl", strings.Replace(textTriangle, "2 0 0", "2 x 0", 1), 0, "", 0, `line 5: "x" is not a number`},
	{"binary.stl", binaryTriangles("", 2, 2), 2, "0 0 0 2 3 1", 0, ""},
	{"solid.stl", binaryTriangles("solid facet", 2, 2), 2, "0 0 0 2 3 1", 0, ""},
	{"long.stl", binaryTriangles("", 2, 1), 1, "0 0 0 2 3 0", 1, ""},
	{"short.stl", binaryTriangles("", 2, 4_000_000_000), 2, "0 0 0 2 3 1", 1, ""},
	{"empty.stl", "", 0, "", 0, "the file is empty"},
	{"81.stl", strings.Repeat("x", 81), 0, "", 0, "81 bytes are less than the header"},
	{"quad.obj", "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nf 1/1 2//2 3/3/3 -1\n", 2, "0 0 0 2 3 0", 0, ""},
	{"lines.obj", "v 0 0 \\\n0\nv 2 0 0\nv 2 3 0\nf 1 2 \\\n3\n", 1, "0 0 0 2 3 0", 0, ""},
	{"range.obj", "v 0 0 0\nv 2 0 0\nv 2 3 0\nf 1 2 3\nf 1 2 9\nf 0 1 2\nf 1 2\nf 1 2 99999999999\n", 1,
		"0 0 0 2 3 0", 1, ""},
	{"bad.obj", "v 0 0 0\nv x 0 0\nv 2 0 0\nv 2 3 0\nf 1 3 4\nf 1 2 3\n", 1, "0 0 0 2 3 0", 2, ""},
	{"none.obj", "v 0 0 0\n", 0, "", 1, ""},
	{"lines_only.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nl 1 2 3 4\n", 0, "", 1, ""},
	{"page.obj", "<html>not found</html>\n", 0, "", 0, "neither a vertex nor a triangle"},
	{"none.stl", "solid x\nendsolid x\n", 0, "", 1, ""},
	{"torn.stl", "solid torn\nfacet", 0, "", 0, "ends before endsolid"},
	{"none_binary.stl", binaryTriangles("", 0, 0), 0, "", 1, ""},
	{"cut.stl", binaryTriangles("", 0, 7), 0, "", 0, "no triangle"},
	{"none.dae", `<COLLADA><asset><unit meter="0.5"/></asset></COLLADA>`, 0, "", 1, ""},
	{"none_scene.dae", daeHead + daeMid + daeNode + daeTail, 0, "", 1, ""},
	{"none.gltf", `{"asset":{"version":"2.0"}}`, 0, "", 1, ""},
	{"none_scene.gltf", `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"empty"}]}`, 0, "", 1, ""},
	{"none.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n", 0, "", 1, ""},
	{"cloud.obj", "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nv .1 .1 .1\n", 4, "0 0 0 2 3 4", 0, ""},
	{"flat.obj", "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 1 1 0\n", 0, "", 1, ""},
	{"tris.dae", daeHead + daeTris + daeMid + daeNode + daeTail, 2, "0 0 0 .5 .5 0", 0, ""},
	{"poly.dae", daeHead + daePoly + daeMid + daeNode + daeTail, 2, "0 0 0 .5 .5 0", 0, ""},
	{"moved.dae", daeHead + daeTris + daeMid +
		`<node><translate>2 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale><instance_geometry url="#g"/></node>` +
		daeTail, 2, ".5 0 0 1 1 0", 0, ""},
	{"node.dae", daeHead + daeTris + daeMid +
		`<node id="n"><instance_geometry url="#g"/></node><node><matrix>1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#n"/></node>` +
		daeTail, 4, "0 0 0 1 .5 0", 0, ""},
	{"noscene.dae", daeHead + daeTris + "</mesh></geometry></library_geometries></COLLADA>", 2,
		"0 0 0 .5 .5 0", 1, ""},
	{"dangling.dae", daeHead + daeTris + daeMid + daeNode + `<node><instance_geometry url="#ghost"/></node>` +
		daeTail, 2, "0 0 0 .5 .5 0", 1, ""},
	{"circle.dae", daeHead + daeTris + daeMid + `<node id="n"><instance_node url="#n"/></node>` + daeTail, 0,
		"", 0, "in a circle"},
	{"index.dae", daeHead + strings.Replace(daePoly, "2 3<", "2 4<", 1) + daeMid + daeNode + daeTail, 0, "",
		0, "index 4 of 4 corners"},
	{"shortlist.dae", daeHead + strings.Replace(daePoly, "2 3<", "2<", 1) + daeMid + daeNode + daeTail, 0, "",
		0, "ends too early"},
	{"count.dae", strings.Replace(daeHead, `count="12"`, `count="900000000"`, 1) + daeTris + daeMid +
		daeNode + daeTail, 0, "", 0, "holds 12"},
	{"unit.dae", strings.Replace(daeHead, `"0.5"`, `"0"`, 1) + daeTris + daeMid + daeNode + daeTail, 0, "", 0,
		"positive number"},
	{"dtd.dae", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + daeHead + daeTris + daeMid +
		daeNode + daeTail, 0, "", 0, "internal subset"},
	{"other.3ds", "MM", 0, "", 0, `unknown mesh format ".3ds"`},
}

func TestDecodeReadsRepairsAndRefuses(t *testing.T) {
	for _, c := range meshes {
		t.Run(c.name, func(t *testing.T) {
			m, err := Decode(c.name, []byte(c.data))
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("error %v, want %q", err, c.fails)
				}
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrFormat) {
					t.Errorf("error %v wraps no sentinel", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Triangles) != c.triangles || len(m.Warnings) != c.warnings {
				t.Errorf("%d triangles, warnings %q; want %d, %d", len(m.Triangles), m.Warnings, c.triangles,
					c.warnings)
			}
			if c.triangles == 0 {
				return
			}
			w := words{rest: c.box}
			lo, _ := w.vec()
			hi, _ := w.vec()
			if b := m.Box(); b.Min.Sub(lo).Len() > 1e-9 || b.Max.Sub(hi).Len() > 1e-9 {
				t.Errorf("box %v, want %s", b, c.box)
			}
		})
	}
}

func TestAMirroredNodeKeepsItsTrianglesFacingOut(t *testing.T) {
	plain, err := Decode("a.dae", []byte(daeHead+daeTris+daeMid+daeNode+daeTail))
	if err != nil {
		t.Fatal(err)
	}
	mirrored, err := Decode("a.dae",
		[]byte(daeHead+daeTris+daeMid+"<node><scale>-1 1 1</scale><instance_geometry url='#g'/></node>"+
			daeTail))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := normal(plain), normal(mirrored); a.Z <= 0 || b.Z <= 0 {
		t.Errorf("normals %v and %v, want both up", a, b)
	}
}

func normal(m *Mesh) r3.Vec {
	t := m.Triangles[0]
	return m.Vertices[t[1]].Sub(m.Vertices[t[0]]).Cross(m.Vertices[t[2]].Sub(m.Vertices[t[0]]))
}

func TestConcavePolygonsKeepTheirArea(t *testing.T) {
	// A U of area 5 in the plane x = y, which a fan would fill.
	u := [][2]float64{{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}
	var vertices []r3.Vec
	var corners []int32
	for i, p := range u {
		vertices = append(vertices, r3.V(p[0]/math.Sqrt2, p[0]/math.Sqrt2, p[1]))
		corners = append(corners, int32(i))
	}
	area := 0.0
	triangles := triangulate(nil, vertices, corners)
	for _, k := range triangles {
		a, b, c := vertices[k[0]], vertices[k[1]], vertices[k[2]]
		area += b.Sub(a).Cross(c.Sub(a)).Len() / 2
	}
	if len(triangles) != 6 || math.Abs(area-5) > 1e-9 {
		t.Errorf("%d triangles of area %g, want 6 of area 5", len(triangles), area)
	}
}

func TestAPartCanBeTakenAlone(t *testing.T) {
	m, err := Decode("a.obj", []byte("o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no two\nf 3 2 1\nf 1 2 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if two, ok := m.Named("two"); !ok || len(two.Triangles) != 2 {
		t.Errorf("part two has %d triangles, want 2", len(two.Triangles))
	}
	if _, ok := m.Named("ghost"); ok {
		t.Error("a part that is not there was found")
	}
}

func TestEqualCornersOfAnSTLBecomeOneVertex(t *testing.T) {
	m, err := Decode("a.stl", []byte(textTriangle[:len(textTriangle)-len("endsolid a\n")]+
		strings.TrimPrefix(textTriangle, "solid a\n")))
	if err != nil || len(m.Triangles) != 2 || len(m.Vertices) != 3 {
		t.Errorf("%v, %d triangles over %d vertices, want 2 over 3", err, len(m.Triangles), len(m.Vertices))
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range meshes {
		f.Add(c.name, []byte(c.data))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		m, err := Decode(name, data)
		if err != nil {
			return
		}
		for _, tri := range m.Triangles {
			for _, i := range tri {
				if !m.Vertices[i].IsFinite() {
					t.Fatal("a corner is not finite")
				}
			}
		}
	})
}
