package mesh

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// square is a buffer: four corners of 12 bytes, six indices of two, then one index of two bytes and a corner.
func square() []byte {
	var b []byte
	for _, f := range []float32{0, 0, 0, 2, 0, 0, 2, 3, 0, 0, 3, 0} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	for _, i := range []uint16{0, 1, 2, 0, 2, 3, 2, 0} {
		b = binary.LittleEndian.AppendUint16(b, i)
	}
	for _, f := range []float32{2, 3, 5} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

const gltfRest = `"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12},
{"buffer":0,"byteOffset":60,"byteLength":2},{"buffer":0,"byteOffset":64,"byteLength":12},{"buffer":0,"byteLength":48,"byteStride":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},
{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":3}}},
{"bufferView":4,"componentType":5126,"count":2,"type":"VEC3"},{"componentType":5126,"count":4000000000,"type":"VEC3"},{"bufferView":1,"componentType":5125,"count":3,"type":"SCALAR"}]`

// gltfText is a file with that mesh, its node and anything else.
func gltfText(primitive, node, more string) string {
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[%s],"meshes":[{"name":"part","primitives":[%s]}],
"buffers":[{"byteLength":76,"uri":"data:application/octet-stream;base64,%s"}],%s%s}`, node, primitive, base64.StdEncoding.EncodeToString(square()), gltfRest, more)
}

const (
	indexed   = `{"attributes":{"POSITION":0},"indices":1}`
	plainNode = `{"mesh":0}`
)

// glb packs a text and a binary chunk.
func glb(text string, bin []byte) string {
	for len(text)%4 != 0 {
		text += " "
	}
	out := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(12+8+len(text)+8+len(bin)))
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "JSON"+text...)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(bin))), "BIN\x00"...)
	return string(append(out, bin...))
}

func packed(text string) string {
	from := strings.Index(text, `,"uri":"data:`)
	to := from + strings.Index(text[from:], `"}],`)
	return glb(text[:from]+text[to+1:], square())
}

var gltfs = []struct {
	name, data string
	triangles  int
	box        string
	warnings   int
	fails      string
}{
	{"text.gltf", gltfText(indexed, plainNode, ""), 2, "0 0 0 2 3 0", 0, ""},
	{"binary.glb", packed(gltfText(indexed, plainNode, "")), 2, "0 0 0 2 3 0", 0, ""},
	{"beside.gltf", strings.Replace(gltfText(indexed, plainNode, ""),
		base64.StdEncoding.EncodeToString(square()), "", 1), 0, "", 0, "announces 76 bytes and holds 0"},
	{"strip.gltf", gltfText(`{"attributes":{"POSITION":0},"mode":5}`, plainNode, ""), 2, "0 0 0 2 3 0", 0,
		""},
	{"fan.gltf", gltfText(`{"attributes":{"POSITION":0},"mode":6}`, plainNode, ""), 2, "0 0 0 2 3 0", 0, ""},
	{"points.gltf", gltfText(`{"attributes":{"POSITION":0},"mode":0},`+indexed, plainNode, ""), 2,
		"0 0 0 2 3 0", 1, ""},
	{"sparse.gltf", gltfText(`{"attributes":{"POSITION":2},"indices":1}`, plainNode, ""), 2, "0 0 0 2 3 5", 0,
		""},
	{"strided.gltf", gltfText(`{"attributes":{"POSITION":3},"mode":5},`+indexed, plainNode, ""), 2,
		"0 0 0 2 3 0", 0, ""},
	{"matrix.gltf", gltfText(indexed, `{"mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,10,0,0,1]}`, ""), 2,
		"7 0 0 10 2 0", 0, ""},
	{"trs.gltf", gltfText(indexed,
		`{"children":[1],"translation":[1,0,0]},{"mesh":0,"scale":[2,1,1],"rotation":[0,0,0.70710678,0.70710678]}`,
		""), 2, "-2 0 0 1 4 0", 0, ""},
	{"cycle.gltf", gltfText(indexed, `{"mesh":0,"children":[0]}`, ""), 0, "", 0, "nodes[0] is below itself"},
	{"turn.gltf", gltfText(indexed, `{"mesh":0,"rotation":[0,0,0,0]}`, ""), 0, "", 0, "has no length"},
	{"ghost.gltf", gltfText(indexed, `{"mesh":7}`, ""), 0, "", 0, "nodes[0].mesh is 7"},
	{"huge.gltf", gltfText(`{"attributes":{"POSITION":4}}`, plainNode, ""), 0, "", 0,
		"more than 250000 triangles"},
	{"long.gltf", gltfText(`{"attributes":{"POSITION":0},"indices":5}`, plainNode, ""), 2, "0 0 0 2 3 0", 0,
		"index 65536 of 4"},
	{"draco.gltf", gltfText(indexed, plainNode, `,"extensionsRequired":["KHR_draco_mesh_compression"]`), 0,
		"", 0, "export it without compression"},
	{"part.gltf", gltfText(`{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{"bufferView":0}}}`,
		plainNode, ""), 0, "", 0, "compressed with Draco"},
	{"extra.gltf", gltfText(indexed, plainNode, `,"extensionsRequired":["KHR_xyz"]`), 2, "0 0 0 2 3 0", 1,
		""},
	{"old.gltf", `{"asset":{"version":"1.0"}}`, 0, "", 0, `version "1.0"`},
	{"none.gltf", "{\n oops", 0, "", 0, "2:2: "},
	{"cut.glb", packed(gltfText(indexed, plainNode, ""))[:100], 0, "", 0, "announces"},
}

func TestGLTFIsReadAndRefused(t *testing.T) {
	for _, c := range gltfs {
		t.Run(c.name, func(t *testing.T) {
			m, err := Decode(c.name, []byte(c.data))
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("error %v, want %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Triangles) != c.triangles || len(m.Warnings) != c.warnings || m.Parts[0].Name != "part" {
				t.Errorf("%d triangles, warnings %q, parts %v; want %d, %d", len(m.Triangles), m.Warnings,
					m.Parts, c.triangles, c.warnings)
			}
			w := words{rest: c.box}
			lo, _ := w.vec()
			hi, _ := w.vec()
			if b := m.Box(); b.Min.Sub(lo).Len() > 1e-6 || b.Max.Sub(hi).Len() > 1e-6 {
				t.Errorf("box %v, want %s", b, c.box)
			}
			if n := normal(m); n.Z <= 0 {
				t.Errorf("the first triangle faces %v, want up", n)
			}
		})
	}
}

func TestEveryStrictPrefixOfABinaryGLTFFails(t *testing.T) {
	data := []byte(packed(gltfText(indexed, plainNode, "")))
	for i := range data {
		if _, err := Decode("a.glb", data[:i]); err == nil {
			t.Fatalf("the first %d of %d bytes are read", i, len(data))
		}
	}
}

func TestABufferBesideAGLTFIsAskedForAndTaken(t *testing.T) {
	text := gltfText(indexed, plainNode, "")
	from := strings.Index(text, "data:")
	text = text[:from] + "a b.bin" + text[from+strings.Index(text[from:], `"`):]
	if got := Beside("a.gltf", []byte(text)); len(got) != 1 || got[0] != "a b.bin" {
		t.Fatalf("it asks for %q", got)
	}
	if _, err := Decode("a.gltf", []byte(text)); err == nil || !strings.Contains(err.Error(), "a b.bin") {
		t.Errorf("without its buffer: %v", err)
	}
	m, err := DecodeWith("a.gltf", []byte(text), map[string][]byte{"a b.bin": square()})
	if err != nil || len(m.Triangles) != 2 {
		t.Errorf("with its buffer: %v", err)
	}
}

func TestGLTFKeepsColourTextureAndItsCoordinates(t *testing.T) {
	more := `,"materials":[{"name":"red","doubleSided":true,"emissiveFactor":[0,1,0],"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0,0.25],
"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.5,0],"scale":[0.5,0.25]}}}}}],
"textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,QUJD"}]`
	primitive := `{"attributes":{"POSITION":0,"TEXCOORD_0":6,"NORMAL":0},"indices":1,"material":0}`
	text := strings.Replace(gltfText(primitive, plainNode, more), `"type":"SCALAR"}]`,
		`"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":4,"type":"VEC2"}]`, 1)
	m, err := Decode("a.gltf", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pictures) != 1 || string(m.Pictures[0]) != "ABC" || len(m.Looks) != 1 {
		t.Fatalf("pictures %q, looks %+v", m.Pictures, m.Looks)
	}
	want := scene.Material{Name: "red", DoubleSided: true, Colour: [4]float32{1, 0.5, 0, 1},
		Emissive: [4]float32{0, 1, 0, 1}, Texture: "#0"}
	if got := m.Looks[0].Material; got != want {
		t.Errorf("the material is %+v, want %+v", got, want)
	}
	// The second corner's pair is (0, 2): it is scaled to (0, 0.5), shifted to (0.5, 0.5) and counted from
	// below.
	if c := m.Corners[0][1]; c.UV != [2]float32{0.5, 0.5} || c.Normal != [3]float32{1, 0, 0} {
		t.Errorf("the second corner is %+v", c)
	}
}

func TestAMirroredGLTFNodeKeepsItsTrianglesFacingOut(t *testing.T) {
	m, err := Decode("a.gltf", []byte(gltfText(indexed, `{"mesh":0,"scale":[-1,1,1]}`, "")))
	if err != nil || normal(m).Dot(r3.V(0, 0, 1)) <= 0 {
		t.Errorf("%v: the first triangle faces %v, want up", err, normal(m))
	}
}

func FuzzGLTF(f *testing.F) {
	for _, c := range gltfs {
		f.Add([]byte(c.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeWith("a.glb", data, map[string][]byte{"a": square()})
		if err == nil {
			sound(t, m)
		}
	})
}

// sound fails on a mesh that its readers could not use.
func sound(t *testing.T, m *Mesh) {
	t.Helper()
	if m.Corners != nil && len(m.Corners) != len(m.Triangles) {
		t.Fatalf("%d triangles and corners for %d", len(m.Triangles), len(m.Corners))
	}
	for _, tri := range m.Triangles {
		for _, i := range tri {
			if !m.Vertices[i].IsFinite() {
				t.Fatal("a corner is not finite")
			}
		}
	}
	for i, l := range m.Looks {
		if l.First < 0 || l.First > len(m.Triangles) || i > 0 && l.First < m.Looks[i-1].First {
			t.Fatalf("looks out of order: %d of %d", l.First, len(m.Triangles))
		}
	}
}
