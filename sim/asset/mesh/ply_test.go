package mesh

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

const plyHead3 = "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"

// binaryPLY is a square of one polygon.
func binaryPLY(format string, order binary.AppendByteOrder) string {
	b := []byte("ply\r\nformat " + format +
		" 1.0\r\nelement vertex 4\r\nproperty uchar red\r\nproperty double x\r\nproperty short y\r\nproperty float z\r\n" +
		"element face 1\r\nproperty list uchar uint vertex_indices\r\nproperty list uchar uchar other\r\nend_header\r\n")
	for _, v := range [][2]float64{{0, 0}, {2, 0}, {2, 3}, {0, 3}} {
		b = order.AppendUint64(append(b, 9), math.Float64bits(v[0]))
		b = order.AppendUint16(b, uint16(int16(v[1])))
		b = order.AppendUint32(b, math.Float32bits(0.5))
	}
	b = append(b, 4)
	for i := range uint32(4) {
		b = order.AppendUint32(b, i)
	}
	return string(append(b, 2, 7, 7))
}

var plys = []struct {
	data      string
	triangles int
	box       string
	fails     string
}{
	{plyHead3 + "element face 2\nproperty list uchar int vertex_index\nend_header\n0 0 0\n2 0 0\n2 3 0\n0 3 0\n3 0 1 2\n4 0 1 2 3\n",
		3, "0 0 0 2 3 0", ""},
	{plyHead3 + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 3 0\n2 3 0\n8 0 1 2 3 -1 2 1 3\n",
		3, "0 0 0 2 3 0", ""},
	{binaryPLY("binary_little_endian", binary.LittleEndian), 2, "0 0 .5 2 3 .5", ""},
	{binaryPLY("binary_big_endian", binary.BigEndian), 2, "0 0 .5 2 3 .5", ""},
	{plyHead3 + "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n2 0 0\n2 3 0\n0 3 0\n3 0 1 4\n",
		0, "", "1 faces left out"},
	{plyHead3 + "end_header\n0 0 0\n2 0 0\n2 3 0\n0 3 0\n", 0, "", ""},
	{plyHead3 + "end_header\n0 0 0\n2 0 0\n2 3", 0, "", "element \"vertex\" 3 of 4: the file ends"},
	{plyHead3 + "end_header\n0 0 x\n", 0, "", "\"x\" is not a number"},
	{strings.Replace(plyHead3, "vertex 4", "vertex 4000000000", 1) + "end_header\n0 0 0\n", 0, "",
		"2 of 4000000000"},
	{strings.Replace(plyHead3, "vertex 4", "vertex -4", 1) + "end_header\n", 0, "", `line 4: "-4" elements`},
	{strings.Replace(plyHead3, "float x", "real x", 1) + "end_header\n", 0, "",
		`line 5: property kind "real"`},
	{strings.Replace(plyHead3, "ascii", "json", 1) + "end_header\n", 0, "", `format "json"`},
	{plyHead3, 0, "", "the header does not end"},
	{"play", 0, "", "it does not begin with"},
}

func TestPLYIsReadAndRefused(t *testing.T) {
	for _, c := range plys {
		m, err := Decode("a.ply", []byte(c.data))
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%.80q: error %v, want %q", c.data, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%.80q: %v", c.data, err)
			continue
		}
		if c.triangles == 0 && len(m.Triangles) == 0 && len(m.Warnings) == 1 {
			continue // a cloud of points
		}
		w := words{rest: c.box}
		lo, _ := w.vec()
		hi, _ := w.vec()
		if b := m.Box(); len(m.Triangles) != c.triangles || b.Min.Sub(lo).Len() > 1e-9 ||
			b.Max.Sub(hi).Len() > 1e-9 {
			t.Errorf("%.80q: %d triangles in %v, want %d in %s", c.data, len(m.Triangles), b, c.triangles,
				c.box)
		}
		if n := normal(m); n.Z <= 0 {
			t.Errorf("%.80q: the first triangle faces %v, want up", c.data, n)
		}
	}
}

func TestEveryStrictPrefixOfABinaryPLYFails(t *testing.T) {
	data := []byte(binaryPLY("binary_big_endian", binary.BigEndian))
	for i := range data {
		if _, err := Decode("a.ply", data[:i]); err == nil {
			t.Fatalf("the first %d of %d bytes are read", i, len(data))
		}
	}
}

func TestPLYKeepsNormalsAndTextureCoordinates(t *testing.T) {
	m, err := Decode("a.ply", []byte("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n"+
		"property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 0 0 2 0 0\n1 0 0 0 0 1 1 0\n0 1 0 0 0 1 0 1\n3 0 1 2\n"))
	if err != nil || len(m.Corners) != 1 ||
		m.Corners[0][2] != (scene.Corner{Normal: [3]float32{0, 0, 1}, UV: [2]float32{0, 1}}) {
		t.Errorf("%v, corners %+v", err, m.Corners)
	}
}

// cloud is a file of Gaussians with the first degree of harmonics.
func cloud() string {
	text := "ply\nformat ascii 1.0\nelement vertex 3\n"
	for _, name := range strings.Fields("x y z nx ny nz f_dc_0 f_dc_1 f_dc_2 f_rest_0 f_rest_1 f_rest_2 f_rest_3 f_rest_4 f_rest_5 f_rest_6 f_rest_7 f_rest_8 opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3") {
		text += "property float " + name + "\n"
	}
	return text + "end_header\n" +
		"1 2 3 0 0 0  1.7724539 0 -1.7724539  1 2 3 4 5 6 7 8 9  0  0 -0.6931472 0.6931472  2 0 0 0\n" +
		"1 2 3 0 0 0  0 0 0  1 2 3 4 5 6 7 8 9  0  0 0 0  0 0 0 0\n" +
		"4 5 6 0 0 0  0 0 0  1 2 3 4 5 6 7 8 9  100  0 0 0  0 0 0 1\n"
}

func TestGaussiansAreReadWithTheirScalesTurnsAndColours(t *testing.T) {
	s, lost, err := Splats("a.ply", []byte(cloud()))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Gaussians) != 2 || lost != 1 || s.Degree != 1 || len(s.Harmonics) != 18 || s.Harmonics[17] != 9 {
		t.Fatalf("%d Gaussians, %d lost, degree %d, harmonics %v", len(s.Gaussians), lost, s.Degree,
			s.Harmonics)
	}
	g := s.Gaussians[0]
	if g.Pos != [3]float32{1, 2, 3} || g.Scale != [3]float32{1, 0.5, 2} || g.Rot != [4]float32{1, 0, 0, 0} ||
		g.Opacity != 0.5 {
		t.Errorf("the first is %+v", g)
	}
	if c := g.Colour(); math.Abs(float64(c[0])-1) > 1e-6 || c[1] != 0.5 || c[2] > 1e-6 {
		t.Errorf("its colour is %v, want red 1, green a half and no blue", c)
	}
	if o := s.Gaussians[1].Opacity; o != 1 {
		t.Errorf("a logit of 100 is an opacity of %g", o)
	}
}

func TestACloudIsNoMeshAndAMeshNoCloud(t *testing.T) {
	if _, err := Decode("a.ply", []byte(cloud())); err == nil ||
		!strings.Contains(err.Error(), "Gaussians, which have no surface") {
		t.Errorf("a cloud as a mesh: %v", err)
	}
	if _, _, err := Splats("a.ply", []byte(plys[0].data)); !errors.Is(err, ErrFormat) {
		t.Errorf("a mesh as a cloud: %v", err)
	}
	if _, _, err := Splats("a.ply", []byte(cloud()[:700])); !errors.Is(err, ErrCorrupt) {
		t.Errorf("half a cloud: %v", err)
	}
	if _, _, err := Splats("a.splat", nil); !errors.Is(err, ErrFormat) {
		t.Errorf("another format: %v", err)
	}
}

func FuzzPLY(f *testing.F) {
	for _, c := range plys {
		f.Add([]byte(c.data))
	}
	f.Add([]byte(cloud()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Decode("a.ply", data); err == nil {
			sound(t, m)
		}
		s, _, err := Splats("a.ply", data)
		if err == nil && len(s.Harmonics) != len(s.Gaussians)*3*((s.Degree+1)*(s.Degree+1)-1) {
			t.Fatal("harmonics do not belong to the Gaussians")
		}
	})
}
