package source

import (
	"errors"
	"math"
	"strings"
	"sync"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Positive checks the lengths of a shape; every one must be greater than zero.
func (d *Doc) Positive(n *xmltree.Node, lengths ...float64) error {
	for _, l := range lengths {
		if l > 0 {
			continue
		}
		err := d.Errorf(n, "<%s> has a length of %g; every length of a shape is greater than zero", n.Name, l)
		if l == 0 {
			return zero{err}
		}
		return err
	}
	return nil
}

// zero is the error of a length that is exactly that.
type zero struct{ error }

func (z zero) Unwrap() error { return z.error }

// Flat reports that err says that the shape of a <visual> or <collision> has a length of zero, and notes it.
// Such a part shows and touches nothing, and files have them on purpose; the rest of the model is as good
// without it.
func (d *Doc) Flat(n *xmltree.Node, err error) bool {
	if !errors.As(err, new(zero)) {
		return false
	}
	d.Note(scene.Suspicious, n, "the shape of <%s> %q has a length of 0; left out", n.Name, n.Get("name"))
	return true
}

// Submesh chooses a part of a mesh; the zero value takes all.
type Submesh struct {
	Name   string
	Centre bool // move the middle of its box to the origin
}

// Mesh fills a geom with the mesh that uri names. False: there is none, and a note says why; the geom's kind
// then tells that it was to be a mesh, but for a file without a triangle, which makes no shape.
func (d *Doc) Mesh(n *xmltree.Node, uri string, scale r3.Vec, part Submesh, g *scene.Geom) bool {
	m, err := d.Files.Mesh(uri, d.Ref)
	if err != nil {
		kind := scene.Missing
		if errors.Is(err, scene.ErrUnsupportedFormat) || errors.Is(err, mesh.ErrFormat) ||
			errors.Is(err, mesh.ErrCorrupt) || errors.Is(err, asset.ErrTooLarge) ||
			errors.Is(err, asset.ErrNotAFile) {
			kind = scene.Unreadable
		}
		d.Note(kind, n, "mesh %s", named(uri, err))
		g.Kind = scene.MeshGeom
		return false
	}
	for _, w := range m.Warnings {
		d.Note(scene.Suspicious, n, "mesh %s: %s", clip(uri), w)
	}
	shape := &m.Mesh
	if len(shape.Triangles) == 0 {
		return false
	}
	if part.Name != "" {
		named, ok := m.Named(part.Name)
		if !ok {
			d.Note(scene.Suspicious, n, "mesh %s has no part %q; using all of it", clip(uri),
				clip(part.Name))
		} else if shape = named; part.Centre {
			shape = centred(named)
		}
	}
	if scale.X*scale.Y*scale.Z < 0 {
		shape = mirrored(shape)
	}
	g.Kind, g.Mesh, g.Scale = scene.MeshGeom, shape, scale
	return true
}

// Texture reads the image that an element names; nil with a note when it cannot be had.
func (d *Doc) Texture(n *xmltree.Node, uri string) *scene.Texture {
	t, err := d.Files.Texture(uri, d.Ref)
	switch {
	case err == nil:
		return t
	case errors.Is(err, scene.ErrUnsupportedFormat) || errors.Is(err, texture.ErrFormat) ||
		errors.Is(err, texture.ErrCorrupt) || errors.Is(err, asset.ErrTooLarge) ||
		errors.Is(err, asset.ErrNotAFile):
		d.Note(scene.Unreadable, n, "texture %s", named(uri, err))
	default:
		d.Note(scene.Missing, n, "texture: %v", err)
	}
	return nil
}

// named is an error that says which address it is about.
func named(uri string, err error) string {
	if text := err.Error(); strings.HasPrefix(text, uri) {
		return text
	}
	return clip(uri) + ": " + err.Error()
}

// mirrored is the mesh with its triangles the other way round, so that they face outside once a negative
// scale is applied.
func mirrored(m *scene.Mesh) *scene.Mesh {
	out := &scene.Mesh{URI: m.URI, Vertices: m.Vertices, Triangles: make([][3]int32, len(m.Triangles)),
		Looks: m.Looks}
	for i, t := range m.Triangles {
		out.Triangles[i] = [3]int32{t[0], t[2], t[1]}
	}
	for _, t := range m.Corners {
		out.Corners = append(out.Corners, [3]scene.Corner{t[0], t[2], t[1]})
	}
	return out
}

func centred(m *scene.Mesh) *scene.Mesh {
	out := &scene.Mesh{URI: m.URI, Triangles: m.Triangles, Vertices: make([]r3.Vec, len(m.Vertices)),
		Corners: m.Corners, Looks: m.Looks}
	box := (&mesh.Mesh{Mesh: *m}).Box()
	for i, v := range m.Vertices {
		out.Vertices[i] = v.Sub(box.Centre())
	}
	return out
}

// segments of the meshes that stand for shapes which scene.Geom does not know.
const segments = 24

// Ellipsoid fills a geom with a mesh of an ellipsoid with the given half axes.
func Ellipsoid(radii r3.Vec, g *scene.Geom) {
	g.Kind, g.Mesh, g.Scale = scene.MeshGeom, ellipsoid(), radii
}

// ellipsoid is the mesh of all ellipsoids, of radius 1: those of one size have one hull.
var ellipsoid = sync.OnceValue(func() *scene.Mesh {
	const rings = segments / 2
	m := &scene.Mesh{URI: "ellipsoid"}
	for i := 0; i <= rings; i++ {
		lat := math.Pi * (float64(i)/float64(rings) - 0.5)
		for k := range segments {
			lon := 2 * math.Pi * float64(k) / segments
			m.Vertices = append(m.Vertices,
				r3.V(r3.Cos(lat)*r3.Cos(lon), r3.Cos(lat)*r3.Sin(lon), r3.Sin(lat)))
		}
	}
	for i := range rings {
		for k := range segments {
			a, b := int32(i*segments+k), int32(i*segments+(k+1)%segments)
			c, e := b+segments, a+segments
			if i > 0 {
				m.Triangles = append(m.Triangles, [3]int32{a, b, c})
			}
			if i < rings-1 {
				m.Triangles = append(m.Triangles, [3]int32{a, c, e})
			}
		}
	}
	return m
})

// Cone fills a geom with a mesh of a cone along z around the origin, its tip up.
func Cone(radius, length float64, g *scene.Geom) {
	m := &scene.Mesh{URI: "cone", Vertices: []r3.Vec{{X: 0, Y: 0, Z: 0.5}, {X: 0, Y: 0, Z: -0.5}}}
	for k := range segments {
		lon := 2 * math.Pi * float64(k) / segments
		m.Vertices = append(m.Vertices, r3.V(r3.Cos(lon), r3.Sin(lon), -0.5))
		a, b := int32(2+k), int32(2+(k+1)%segments)
		m.Triangles = append(m.Triangles, [3]int32{0, a, b}, [3]int32{1, b, a})
	}
	g.Kind, g.Mesh, g.Scale = scene.MeshGeom, m, r3.V(radius, radius, length)
}
