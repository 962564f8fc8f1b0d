package mesh

import (
	"encoding/binary"
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// decodeMSH reads MuJoCo's own binary format: four counts (vertices, normals, texture coordinates,
// triangles), then these as 32-bit floats and vertex numbers, little-endian. Normals and coordinates go with
// the vertices.
func decodeMSH(data []byte) (*Mesh, error) {
	if len(data) < 16 {
		return nil, fmt.Errorf("%d bytes are less than the header of an MSH (16)", len(data))
	}
	var count [4]int64
	for i := range count {
		count[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		if count[i] < 0 || count[i] > int64(len(data))/4 {
			return nil, fmt.Errorf("a count of %d in a file of %d bytes", count[i], len(data))
		}
	}
	vertices, normals, coordinates, faces := count[0], count[1], count[2], count[3]
	if want := 16 + 4*(3*vertices+3*normals+2*coordinates+3*faces); want != int64(len(data)) {
		return nil, fmt.Errorf("%d vertices, %d normals, %d texture coordinates and %d triangles take %d bytes, the file has %d",
			vertices, normals, coordinates, faces, want, len(data))
	}
	if normals != 0 && normals != vertices || coordinates != 0 && coordinates != vertices {
		return nil, fmt.Errorf("%d normals and %d texture coordinates of %d vertices; want one of each per vertex, or none",
			normals, coordinates, vertices)
	}
	m := &Mesh{}
	if err := m.room(int(faces)); err != nil {
		return nil, err
	}
	m.begin("")
	float := func(i int64) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[16+4*i:])) }
	corners := make([]scene.Corner, vertices)
	for i := range vertices {
		m.Vertices = append(m.Vertices,
			r3.V(float64(float(3*i)), float64(float(3*i+1)), float64(float(3*i+2))))
		if at := 3 * (vertices + i); normals > 0 {
			corners[i].Normal = [3]float32{float(at), float(at + 1), float(at + 2)}
		}
		if at := 3*(vertices+normals) + 2*i; coordinates > 0 {
			corners[i].UV = [2]float32{float(at), 1 - float(at+1)}
		}
	}
	first := 16 + 4*(3*vertices+3*normals+2*coordinates)
	for i := range faces {
		var t [3]int32
		for k := range t {
			t[k] = int32(binary.LittleEndian.Uint32(data[first+4*(3*i+int64(k)):]))
			if t[k] < 0 || int64(t[k]) >= vertices {
				return nil, fmt.Errorf("triangle %d names vertex %d of %d", i, t[k], vertices)
			}
		}
		m.Triangles = append(m.Triangles, t)
		if normals+coordinates > 0 {
			m.Corners = append(m.Corners, [3]scene.Corner{corners[t[0]], corners[t[1]], corners[t[2]]})
		}
	}
	return m, nil
}
