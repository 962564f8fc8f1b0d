package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// source0 takes all of a mesh.
var source0 source.Submesh

// meshOf is the mesh that a shape names; nil when it could not be had.
func (s *assets) meshOf(a attrs, g *geom) (*meshAsset, error) {
	name := a.text("mesh")
	m := s.meshes[name]
	switch {
	case name == "":
		return nil, g.elem.errorf("a shape of type mesh names no mesh")
	case m == nil:
		return nil, g.elem.errorf("there is no mesh %q among the assets%s", clip(name),
			source.NearKey(name, s.meshes))
	}
	if !s.load(m) {
		g.lost, g.Kind = true, scene.MeshGeom
		return nil, nil
	}
	return m, nil
}

func (s *assets) meshGeom(a attrs, g *geom) error {
	m, err := s.meshOf(a, g)
	if m == nil {
		return err
	}
	g.Kind, g.Mesh, g.Scale = m.geom.Kind, m.geom.Mesh, m.geom.Scale
	g.shell, g.massProps = g.shell || m.massProps == "shell", m.massProps
	return nil
}

// fitToMesh fits a simple shape to the mesh that it names. Its size is that of the box with the same inertia,
// or of the mesh's bounds on request (by the compiler in older files).
func (s *assets) fitToMesh(a attrs, kind string, g *geom) (bool, error) {
	m, err := s.meshOf(a, g)
	if m == nil {
		return true, err
	}
	factor, err := a.number("fitscale", 1)
	if err != nil {
		return true, err
	}
	probe := geom{Geom: m.geom, massProps: m.massProps}
	probe.Pose = r3.IdentityPose()
	in, ok := probe.solidMesh()
	if !ok {
		g.elem.note(scene.Unreadable, "mesh %q encloses no volume that a %s could be fitted to",
			clip(a.text("mesh")), kind)
		g.lost, g.Kind = true, scene.MeshGeom
		return true, nil
	}
	v, axes := in.Inertia.Eigen()
	// A box of half edges h has moments m/3·(the squares of the two others).
	half := r3.V(edge(v.Y, v.Z, v.X, in.Mass), edge(v.X, v.Z, v.Y, in.Mass),
		edge(v.X, v.Y, v.Z, in.Mass)).Scale(factor)
	// Let the greatest be z.
	turn := r3.Identity()
	switch {
	case half.X >= half.Y && half.X >= half.Z:
		half, turn = r3.V(half.Z, half.Y, half.X), r3.AxisAngle(r3.V(0, 1, 0), math.Pi/2)
	case half.Y >= half.Z:
		half, turn = r3.V(half.X, half.Z, half.Y), r3.AxisAngle(r3.V(1, 0, 0), -math.Pi/2)
	}
	at := in.Pose.Mul(r3.Pose{Rot: axes.Mul(turn)})
	g.Pose = g.Pose.Mul(at)
	switch kind {
	case "sphere":
		g.size = r3.V((half.X+half.Y+half.Z)/3, 0, 0)
	case "capsule":
		radius := (half.X + half.Y) / 2
		g.size = r3.V(radius, max(half.Z-radius/2, 1e-3*radius), 0)
	case "cylinder":
		g.size = r3.V((half.X+half.Y)/2, half.Z, 0)
	default:
		g.size = half
	}
	if kind == "plane" || kind == "hfield" {
		return true, g.elem.errorf("a %s is fitted to no mesh", kind)
	}
	return true, g.primitive(kind)
}

func edge(a, b, own, mass float64) float64 {
	return math.Sqrt(max(1e-12, 1.5*(a+b-own)/mass))
}

// terrain is an <hfield>.
type terrain struct {
	elem       elem
	rows, cols int
	size       [4]float64 // half edges along x and y, height of 1, depth of the base
	heights    []float64  // row by row from the least y, 0 to 1; nil: flat
	shape      *scene.Heights
}

// maxHeights bounds the points of a height field.
const maxHeights = 1_000_000

func (s *assets) hfield(e elem) error {
	a := attrs{e}
	t := &terrain{elem: e}
	name := named(e)
	if name == "" || s.terrains[name] != nil {
		return e.errorf("<hfield> has no name, or one that another has: %q", clip(name))
	}
	s.terrains[name] = t
	size, err := a.numbers("size", 4, 4)
	if err != nil {
		return err
	}
	if size == nil || !(size[0] > 0 && size[1] > 0 && size[2] > 0 && size[3] > 0) {
		return e.errorf("size=%q of <hfield>; want four numbers greater than zero", clip(e.Get("size")))
	}
	copy(t.size[:], size)
	if t.rows, err = a.whole("nrow", 0); err != nil {
		return err
	}
	if t.cols, err = a.whole("ncol", 0); err != nil {
		return err
	}
	if file := e.Get("file"); file != "" {
		s.relief(e, t, s.set.address(file, s.set.meshes))
		return nil
	}
	if t.rows < 2 || t.cols < 2 || t.rows > maxHeights || t.cols > maxHeights || t.rows*t.cols > maxHeights {
		return e.errorf("<hfield> of %d × %d points; 2 × 2 to %d in all are read", t.rows, t.cols, maxHeights)
	}
	own, err := a.numbers("elevation", 0, maxHeights)
	if err != nil || len(own) == 0 {
		return err
	}
	if len(own) != t.rows*t.cols {
		return e.errorf("elevation has %d numbers, needs %d × %d", len(own), t.rows, t.cols)
	}
	t.heights = make([]float64, len(own))
	for i := range own { // the file's first row is that of the greatest y
		t.heights[(t.rows-1-i/t.cols)*t.cols+i%t.cols] = own[i]
	}
	t.even()
	return nil
}

// even brings heights to 0…1; flat ones are none.
func (t *terrain) even() {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, h := range t.heights {
		lo, hi = min(lo, h), max(hi, h)
	}
	if !(hi > lo) {
		t.heights = nil
		return
	}
	for i := range t.heights {
		t.heights[i] = (t.heights[i] - lo) / (hi - lo)
	}
}

// relief takes the heights from the grey of an image.
func (s *assets) relief(e elem, t *terrain, uri string) {
	at := *e.doc
	at.Ref = s.doc.top.Ref
	image := at.Texture(e.Node, uri)
	if image == nil || len(image.Levels) == 0 {
		t.rows = 0
		return
	}
	l := &image.Levels[0]
	for i := 1; l.Width*l.Height > maxHeights && i < len(image.Levels); i++ {
		l = &image.Levels[i]
	}
	t.rows, t.cols = l.Height, l.Width
	t.heights = make([]float64, t.rows*t.cols)
	for i := range t.heights {
		t.heights[(t.rows-1-i/t.cols)*t.cols+i%t.cols] = float64(l.Pix[4*i])
	}
	t.even()
}

// hfieldGeom takes a height field; one that is flat is a box.
func (s *assets) hfieldGeom(a attrs, g *geom) error {
	name := a.text("hfield")
	t := s.terrains[name]
	if t == nil {
		return g.elem.errorf("there is no hfield %q among the assets%s", clip(name),
			source.NearKey(name, s.terrains))
	}
	g.terrain = t
	switch {
	case t.rows < 2 || t.cols < 2:
		g.lost, g.Kind = true, scene.Heightfield
	case t.heights == nil:
		g.Kind, g.Size = scene.Box, r3.V(2*t.size[0], 2*t.size[1], t.size[3])
		g.Pose = g.Pose.Mul(r3.Pose{Pos: r3.V(0, 0, -t.size[3]/2), Rot: r3.Identity()})
	default:
		if t.shape == nil {
			t.shape = t.relief()
		}
		g.Kind, g.Heights = scene.Heightfield, t.shape
	}
	return nil
}

// relief is the surface of a height field.
func (t *terrain) relief() *scene.Heights {
	h := &scene.Heights{URI: named(t.elem), Columns: t.cols, Rows: t.rows, X: 2 * t.size[0], Y: 2 * t.size[1],
		Z: make([]float32, len(t.heights))}
	for i, z := range t.heights {
		h.Z[i] = float32(z * t.size[2])
	}
	return h
}
