package mesh

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"simdeck/sim/r3"
)

// msh is a tetrahedron in MuJoCo's format, with texture coordinates.
func msh() []byte {
	var b []byte
	for _, n := range []int32{4, 0, 4, 4} {
		b, _ = binary.Append(b, binary.LittleEndian, n)
	}
	for _, f := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0.25, 1, 1} {
		b, _ = binary.Append(b, binary.LittleEndian, f)
	}
	for _, i := range []int32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3} {
		b, _ = binary.Append(b, binary.LittleEndian, i)
	}
	return b
}

func TestMuJoCosMeshesAreRead(t *testing.T) {
	m, err := Decode("a.MSH", msh())
	if err != nil || len(m.Vertices) != 4 || len(m.Triangles) != 4 || m.Vertices[3] != r3.V(0, 0, 1) ||
		m.Corners[0][1].UV != [2]float32{0, 0.75} {
		t.Fatalf("%v: %+v", err, m)
	}
	if !slices.Contains(Formats(), ".msh") {
		t.Error("nobody says that they are read")
	}
	whole := msh()
	for n := range whole {
		if _, err := Decode("a.msh", whole[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(whole), err)
		}
	}
	for at, value := range map[int]int32{0: -1, 4: 1 << 30, 8: 3, 12: 5, len(whole) - 4: 4} {
		bad := slices.Clone(whole)
		binary.LittleEndian.PutUint32(bad[at:], uint32(value))
		if _, err := Decode("a.msh", bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d at byte %d: %v", value, at, err)
		}
	}
}

func FuzzMSH(f *testing.F) {
	f.Add(msh())
	f.Add(msh()[:20])
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode("a.msh", data)
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
