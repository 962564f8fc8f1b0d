package mjcf

import (
	"path"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// meshAsset is a <mesh>, read when the first shape uses it.
type meshAsset struct {
	a         attrs
	scale     r3.Vec
	at        r3.Pose    // refpos and refquat
	points    []r3.Vec   // written in the file itself
	faces     [][3]int32 //
	massProps string     // how its mass is found
	done      bool
	geom      scene.Geom
	ok        bool
}

// assets are the contents of the <asset> sections of one file.
type assets struct {
	doc      *document
	classes  *classes
	set      *settings
	ambience *scene.Ambience // of the world, whose sky may be a texture
	meshes   map[string]*meshAsset
	terrains map[string]*terrain
	textures map[string]*textureAsset
	coats    map[string]scene.Material
	repeats  map[string]repeat // by material
	models   map[string]elem   // that can be attached
	unnamed  []elem            // likewise, until their files were opened for their names
}

func newAssets(d *document, c *classes, set *settings, sky *scene.Ambience) *assets {
	return &assets{doc: d, classes: c, set: set, ambience: sky, meshes: map[string]*meshAsset{},
		terrains: map[string]*terrain{}, textures: map[string]*textureAsset{},
		coats: map[string]scene.Material{}, repeats: map[string]repeat{}, models: map[string]elem{}}
}

// read reads an <asset>.
func (s *assets) read(e elem) error {
	return s.doc.parts(e, func(k elem) error {
		switch k.Name {
		case "mesh":
			return s.mesh(k)
		case "hfield":
			return s.hfield(k)
		case "texture":
			return s.texture(k)
		case "material":
			// read once all textures are known
		case "model":
			return s.model(k)
		case "skin":
			k.note(scene.Unsupported, "<skin> is not drawn")
		default:
			unknown(k, "asset")
		}
		return nil
	})
}

// named is the name of an asset: as it is written, or the last part of its file's name.
func named(e elem) string {
	if name := e.Get("name"); name != "" {
		return name
	}
	base := path.Base(strings.ReplaceAll(e.Get("file"), `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// model keeps a model that can be attached. One without a name takes that in its file, which is opened when
// an <attach> asks for a name that is not among the others.
func (s *assets) model(e elem) error {
	name := e.Get("name")
	if name == "" {
		if e.Get("file") == "" {
			return e.errorf("<model> has neither a name nor a file")
		}
		s.unnamed = append(s.unnamed, e)
		return nil
	}
	if _, taken := s.models[name]; taken {
		return e.errorf("a second model %q", clip(name))
	}
	s.models[name] = e
	return nil
}

// maxPoints bounds the vertices that a file writes itself.
const maxPoints = 1_000_000

func (s *assets) mesh(e elem) error {
	a, err := s.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	m := &meshAsset{a: a, scale: r3.V(1, 1, 1), at: r3.IdentityPose()}
	name := named(e)
	switch {
	case name == "":
		return e.errorf("<mesh> has neither a name nor a file")
	case s.meshes[name] != nil:
		return e.errorf("a second mesh %q", clip(name))
	}
	s.meshes[name] = m
	if m.scale, err = a.vec("scale", m.scale); err != nil {
		return err
	}
	if m.scale.X*m.scale.Y*m.scale.Z == 0 {
		return e.errorf("scale=%q makes the mesh flat", clip(a.text("scale")))
	}
	if m.at.Pos, err = a.vec("refpos", m.at.Pos); err != nil {
		return err
	}
	if f, err := a.numbers("refquat", 4, 4); err != nil {
		return err
	} else if f != nil {
		q, ok := r3.Quat{W: f[0], X: f[1], Y: f[2], Z: f[3]}.Unit()
		if !ok {
			return e.errorf("refquat=%q has no direction", clip(a.text("refquat")))
		}
		m.at.Rot = q
	}
	if m.massProps, err = a.word("inertia", "legacy", "convex", "exact", "shell"); err != nil {
		return err
	}
	return m.inline(a)
}

// inline reads the vertices and faces that a file writes itself.
func (m *meshAsset) inline(a attrs) error {
	f, err := a.numbers("vertex", 0, 3*maxPoints)
	if err != nil || len(f) == 0 {
		return err
	}
	e := a.own()
	if len(f)%3 != 0 || len(f) < 12 {
		return e.errorf("vertex of a mesh has %d numbers; want three for each of at least four points",
			len(f))
	}
	for i := 0; i < len(f); i += 3 {
		m.points = append(m.points, r3.V(f[i], f[i+1], f[i+2]))
	}
	faces, err := a.numbers("face", 0, 6*maxPoints)
	if err != nil {
		return err
	}
	if len(faces)%3 != 0 {
		return e.errorf("face of a mesh has %d numbers; want three for each triangle", len(faces))
	}
	for i := 0; i < len(faces); i += 3 {
		var t [3]int32
		for k := range t {
			v := faces[i+k]
			if !(v >= 0 && v < float64(len(m.points))) || v != float64(int32(v)) {
				return e.errorf("face of a mesh names vertex %g of %d", v, len(m.points))
			}
			t[k] = int32(v)
		}
		m.faces = append(m.faces, t)
	}
	return nil
}

// load makes the mesh ready for shapes; false when it could not be had, which is noted.
func (s *assets) load(m *meshAsset) bool {
	if m.done {
		return m.ok
	}
	m.done = true
	e := m.a.own()
	g := &m.geom
	switch file := e.Get("file"); {
	case m.points != nil && m.faces != nil:
		g.Kind, g.Mesh, g.Scale = scene.MeshGeom,
			&scene.Mesh{URI: named(e), Vertices: m.points, Triangles: m.faces}, m.scale
	case m.points != nil:
		hull := hullOf(m.points)
		if hull == nil {
			e.note(scene.Unreadable, "mesh %q: its vertices lie in a plane", clip(named(e)))
			return false
		}
		g.Kind, g.Mesh, g.Scale = scene.MeshGeom, hull, m.scale
	case file != "":
		at := *e.doc
		at.Ref = s.doc.top.Ref
		if m.ok = at.Mesh(e.Node, s.set.address(file, s.set.meshes), m.scale, source0, g); !m.ok {
			return false
		}
	default:
		e.note(scene.Unsupported, "mesh %q has neither a file nor vertices; builtin meshes are not made",
			clip(named(e)))
		return false
	}
	m.ok = true
	if m.at != r3.IdentityPose() {
		g.Mesh = shifted(g.Mesh, m.at)
	}
	return true
}

// shifted is a mesh seen from a pose.
func shifted(m *scene.Mesh, at r3.Pose) *scene.Mesh {
	out := *m
	out.Vertices = make([]r3.Vec, len(m.Vertices))
	for i, v := range m.Vertices {
		out.Vertices[i] = at.ApplyInverse(v)
	}
	out.Corners = nil // their normals would have to turn, too
	return &out
}

// hullOf is the convex hull of points as a mesh; nil when they have none.
func hullOf(points []r3.Vec) *scene.Mesh {
	h, err := shape.ConvexHull(points, len(points))
	if err != nil {
		return nil
	}
	m := &scene.Mesh{URI: "hull", Vertices: h.Vertices()}
	for _, f := range h.Faces() {
		for i := 2; i < len(f); i++ {
			m.Triangles = append(m.Triangles, [3]int32{f[0], f[i-1], f[i]})
		}
	}
	return m
}
