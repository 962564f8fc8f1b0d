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

// assets reads an <asset>.
func (r *reader) assets(e elem) error {
	return r.parts(e, func(k elem) error {
		switch k.Name {
		case "mesh":
			return r.mesh(k)
		case "hfield":
			return r.hfield(k)
		case "texture":
			return r.texture(k)
		case "material":
			// read once all textures are known
		case "model":
			return r.model(k)
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

// address is where a file lies that an asset names, from the folder of the outermost file.
func (r *reader) address(file, folder string) string {
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	switch {
	case r.set.bare:
		file = path.Base(file)
	case strings.Contains(file, "://"):
		return file
	}
	if path.IsAbs(file) || folder == "" {
		return file
	}
	return path.Join(strings.ReplaceAll(folder, `\`, "/"), file)
}

func (r *reader) model(e elem) error {
	name := named(e)
	if name == "" {
		return e.errorf("<model> has neither a name nor a file")
	}
	if _, taken := r.modelOf[name]; taken {
		return e.errorf("a second model %q", clip(name))
	}
	r.modelOf[name] = e
	return nil
}

// maxPoints bounds the vertices that a file writes itself.
const maxPoints = 1_000_000

func (r *reader) mesh(e elem) error {
	a, err := r.attrs(e, nil)
	if err != nil {
		return err
	}
	m := &meshAsset{a: a, scale: r3.V(1, 1, 1), at: r3.IdentityPose()}
	name := named(e)
	switch {
	case name == "":
		return e.errorf("<mesh> has neither a name nor a file")
	case r.meshes[name] != nil:
		return e.errorf("a second mesh %q", clip(name))
	}
	r.meshes[name] = m
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
		return e.errorf("vertex of a mesh has %d numbers; three for each of at least four points are right",
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
		return e.errorf("face of a mesh has %d numbers; three for each triangle are right", len(faces))
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
func (r *reader) load(m *meshAsset) bool {
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
		at.Ref = r.top.Ref
		if m.ok = at.Mesh(e.Node, r.address(file, r.set.meshes), m.scale, source0, g); !m.ok {
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
