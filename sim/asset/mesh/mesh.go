// Package mesh reads triangle meshes: STL and PLY (all kinds), OBJ, COLLADA and glTF; and clouds of
// Gaussians. No allocation depends on a size that a file claims, and no number that is not finite leaves the
// package.
//
// COLLADA and glTF: the unit of length is applied, the up axis is not, as in Gazebo, whose users have turned
// their meshes accordingly. For COLLADA RViz does the same. glTF is y-up by definition. Gazebo shows it so
// (gz-common #543), and so do we, because worlds and robots with glTF are written for Gazebo. RViz turns it
// since 2025 (ros2/rviz #1482), as converters to USD do.
package mesh

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of what is read.
const (
	MaxBytes     = 256 << 20
	MaxTriangles = 2_000_000
	maxVertices  = 3 * MaxTriangles
)

// Why a mesh could not be read.
var (
	ErrFormat  = errors.New("unknown mesh format")
	ErrCorrupt = errors.New("mesh cannot be read")
)

// Mesh is a decoded file. Units are those of the file except for COLLADA, which says its own: metres.
type Mesh struct {
	scene.Mesh
	Parts    []Part
	Warnings []string // omitted and repaired parts
	Palettes []string // OBJ: the files of materials that it names
	Pictures [][]byte // glTF: the images that the file carries; Material.Texture "#0" is the first

	most int // triangles while it is read; 0: MaxTriangles
}

// Part is a named run of triangles: an object or group of the file.
type Part struct {
	Name  string
	First int // index of its first triangle
}

// Formats lists the extensions that Decode reads.
func Formats() []string { return []string{".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".msh"} }

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// Decode reads a mesh; the extension of name says which format. Errors wrap ErrFormat or ErrCorrupt.
func Decode(name string, data []byte) (*Mesh, error) { return DecodeWith(name, data, nil) }

// DecodeWith is Decode for a file that needs others: those that Beside lists, by their names there. A whole file
// without a triangle, as of points or lines, is a mesh without a triangle, which a warning says.
func DecodeWith(name string, data []byte, beside map[string][]byte) (*Mesh, error) {
	var m *Mesh
	var err error
	switch ext := extension(name); ext {
	case ".stl":
		m, err = decodeSTL(data)
	case ".obj":
		m, err = decodeOBJ(data)
	case ".dae":
		m, err = decodeCollada(data)
	case ".glb", ".gltf":
		m, err = decodeGLTF(data, beside)
	case ".ply":
		m, err = decodePLY(data)
	case ".msh":
		m, err = decodeMSH(data)
	default:
		return nil, fmt.Errorf("%w %q; known are %s", ErrFormat, ext, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	m.most = 0
	m.tidy()
	if len(m.Triangles) > 0 {
		return m, nil
	}
	switch {
	case len(m.Warnings) > 0:
		return nil, fmt.Errorf("%w: it has no triangle (%s)", ErrCorrupt, m.Warnings[0])
	case extension(name) == ".obj" && len(m.Vertices) == 0: // any text would be an OBJ
		return nil, fmt.Errorf("%w: it has neither a vertex nor a triangle", ErrCorrupt)
	}
	m.Mesh, m.Parts = scene.Mesh{}, nil
	m.warn("it has no triangle, and makes no shape")
	return m, nil
}

// Named is the triangles of the parts with that name as a mesh of its own; false when there are none.
func (m *Mesh) Named(name string) (*scene.Mesh, bool) {
	out := &scene.Mesh{URI: m.URI, Vertices: m.Vertices}
	for i, p := range m.Parts {
		end := len(m.Triangles)
		if i+1 < len(m.Parts) {
			end = m.Parts[i+1].First
		}
		if p.Name != name || p.First >= end {
			continue
		}
		for look := 0; look < len(m.Looks); look++ {
			next := len(m.Triangles)
			if look+1 < len(m.Looks) {
				next = m.Looks[look+1].First
			}
			if from := max(m.Looks[look].First, p.First); from < min(next, end) {
				out.Looks = append(out.Looks, scene.Look{First: len(out.Triangles) + from - p.First,
					Material: m.Looks[look].Material})
			}
		}
		out.Triangles = append(out.Triangles, m.Triangles[p.First:end]...)
		if m.Corners != nil {
			out.Corners = append(out.Corners, m.Corners[p.First:end]...)
		}
	}
	return out, len(out.Triangles) > 0
}

// Box is the smallest box around the vertices that triangles use.
func (m *Mesh) Box() r3.Box {
	b := r3.EmptyBox()
	for _, t := range m.Triangles {
		for _, i := range t {
			b = b.Extend(m.Vertices[i])
		}
	}
	return b
}

// even gives every triangle its corners when some have them: those of the
// others say nothing.
func (m *Mesh) even() {
	if len(m.Corners) == 0 {
		m.Corners = nil
		return
	}
	for len(m.Corners) < len(m.Triangles) {
		m.Corners = append(m.Corners, [3]scene.Corner{})
	}
}

func (m *Mesh) warn(format string, args ...any) {
	if len(m.Warnings) < 20 {
		m.Warnings = append(m.Warnings, fmt.Sprintf(format, args...))
	}
}

func (m *Mesh) begin(part string) {
	m.Parts = append(m.Parts, Part{part, len(m.Triangles)})
}

// room says that n more triangles are allowed.
func (m *Mesh) room(n int) error {
	most := MaxTriangles
	if m.most > 0 {
		most = m.most
	}
	if n < 0 || len(m.Triangles)+n > most {
		return fmt.Errorf("more than %d triangles", most)
	}
	return nil
}

// instanced is the largest number of triangles of a file whose meshes may be instanced. It grows with the
// file, so that a small one cannot demand much.
func instanced(size int) int { return min(MaxTriangles, max(250_000, size)) }

// tidy drops triangles with a corner that is not finite, counts those without area, and drops unused vertices
// that are not finite.
func (m *Mesh) tidy() {
	kept, bad, flat, next, look := m.Triangles[:0], 0, 0, 0, 0
	m.even()
	corners := m.Corners[:0]
	for i, t := range m.Triangles {
		for look < len(m.Looks) && m.Looks[look].First <= i {
			m.Looks[look].First = len(kept)
			look++
		}
		for next < len(m.Parts) && m.Parts[next].First == i {
			m.Parts[next].First = len(kept)
			next++
		}
		a, b, c := m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
		if !a.IsFinite() || !b.IsFinite() || !c.IsFinite() {
			bad++
			continue
		}
		if b.Sub(a).Cross(c.Sub(a)).Len2() == 0 {
			flat++
		}
		kept = append(kept, t)
		if m.Corners != nil {
			corners = append(corners, m.Corners[i])
		}
	}
	for ; look < len(m.Looks); look++ {
		m.Looks[look].First = len(kept)
	}
	for ; next < len(m.Parts); next++ {
		m.Parts[next].First = len(kept)
	}
	m.Triangles = kept
	if m.Corners != nil {
		m.Corners = corners
	}
	if bad > 0 {
		m.warn("%d triangles with a corner that is no finite number left out", bad)
	}
	if 2*flat > len(kept) { // exporters leave a few
		m.warn("%d of %d triangles have no area", flat, len(kept))
	}
	for i, v := range m.Vertices {
		if !v.IsFinite() {
			m.Vertices[i] = r3.Vec{}
		}
	}
}
