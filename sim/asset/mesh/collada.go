package mesh

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a scene graph: its nodes may instance each other.
const (
	maxNodeDepth  = 64
	maxNodeVisits = 100_000
)

// decodeCollada reads the geometry of COLLADA 1.4 and 1.5: the visual scene with its nodes and instances, or
// all geometries when there is no scene. Skins are read in their bind pose; lines are passed over.
func decodeCollada(data []byte) (*Mesh, error) {
	doc, err := xmltree.Parse(data, xmltree.Limits{Bytes: MaxBytes, Elements: 2_000_000})
	if err != nil {
		return nil, err
	}
	if doc.Root.Name != "COLLADA" {
		return nil, fmt.Errorf("%v: root element <%s> is not <COLLADA>", doc.Root.Pos, doc.Root.Name)
	}
	c := &collada{m: &Mesh{most: instanced(len(data))}, ids: map[string]*xmltree.Node{},
		shapes: map[*xmltree.Node]*geometry{}, arrays: map[*xmltree.Node]attribute{}}
	c.index(doc.Root)
	unit, err := unitOf(doc.Root)
	if err != nil {
		return nil, err
	}
	top := affine{r3.Diag(r3.V(unit, unit, unit)), r3.Vec{}}
	stage := c.scene(doc.Root)
	if stage == nil {
		all := doc.Root.Child("library_geometries").All("geometry")
		if len(all) > 0 {
			c.m.warn("there is no visual scene; using every geometry at the origin")
		}
		for _, g := range all {
			if err := c.geometry(g, top, nil); err != nil {
				return nil, err
			}
		}
		return c.m, nil
	}
	for _, n := range stage.All("node") {
		if err := c.node(n, top, 0); err != nil {
			return nil, err
		}
	}
	return c.m, nil
}

// collada is one file being read.
type collada struct {
	m      *Mesh
	ids    map[string]*xmltree.Node
	shapes map[*xmltree.Node]*geometry // geometries already read
	arrays map[*xmltree.Node]attribute
	visits int
}

// index notes every id; the first of a doubled one holds.
func (c *collada) index(n *xmltree.Node) {
	if id := n.Get("id"); id != "" {
		if _, taken := c.ids[id]; !taken {
			c.ids[id] = n
		}
	}
	for _, k := range n.Kids {
		c.index(k)
	}
}

// target is the element that a local url names; nil with a warning when there is none.
func (c *collada) target(n *xmltree.Node, attr string) *xmltree.Node {
	url := n.Get(attr)
	id, local := strings.CutPrefix(url, "#")
	if t := c.ids[id]; local && t != nil {
		return t
	}
	c.m.warn("%v: <%s> refers to %q, which is not in the file", n.Pos, n.Name, url)
	return nil
}

func unitOf(root *xmltree.Node) (float64, error) {
	unit := root.Find("asset", "unit")
	text, written := unit.Attr("meter")
	if !written {
		return 1, nil
	}
	f, err := number(strings.TrimSpace(text))
	if err != nil || !(f > 0) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%v: unit of %q metres; a positive number is needed", unit.Pos, text)
	}
	return f, nil
}

func (c *collada) scene(root *xmltree.Node) *xmltree.Node {
	if inst := root.Find("scene", "instance_visual_scene"); inst != nil {
		if s := c.target(inst, "url"); s != nil && s.Name == "visual_scene" {
			return s
		}
	}
	s := root.Find("library_visual_scenes", "visual_scene")
	if s != nil {
		c.m.warn("no <scene> chooses a visual scene; using the first")
	}
	return s
}

func (c *collada) node(n *xmltree.Node, at affine, depth int) error {
	if depth > maxNodeDepth {
		return fmt.Errorf("%v: nodes nested deeper than %d, or in a circle", n.Pos, maxNodeDepth)
	}
	if c.visits++; c.visits > maxNodeVisits {
		return fmt.Errorf("more than %d nodes", maxNodeVisits)
	}
	own, err := transform(n)
	if err != nil {
		return err
	}
	at = at.mul(own)
	for _, k := range n.Kids {
		switch k.Name {
		case "node":
			err = c.node(k, at, depth+1)
		case "instance_node":
			if t := c.target(k, "url"); t != nil && t.Name == "node" {
				err = c.node(t, at, depth+1)
			}
		case "instance_geometry":
			if t := c.target(k, "url"); t != nil && t.Name == "geometry" {
				err = c.geometry(t, at, c.bound(k))
			}
		case "instance_controller":
			if t := c.target(k, "url"); t != nil {
				err = c.controller(t, at, c.bound(k), 0)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// controller reads what a skin or morph deforms, as it is before any deformation.
func (c *collada) controller(n *xmltree.Node, at affine, bound map[string]scene.Material, depth int) error {
	if depth > maxNodeDepth {
		return fmt.Errorf("%v: controllers refer to each other in a circle", n.Pos)
	}
	skin := n.Child("skin")
	if b := skin.Child("bind_shape_matrix"); b != nil {
		own, err := matrix(b)
		if err != nil {
			return err
		}
		at = at.mul(own)
	}
	if skin == nil {
		skin = n.Child("morph")
	}
	if skin == nil {
		return nil
	}
	switch t := c.target(skin, "source"); {
	case t == nil:
		return nil
	case t.Name == "geometry":
		return c.geometry(t, at, bound)
	default:
		return c.controller(t, at, bound, depth+1)
	}
}

// geometry appends an instance of a geometry.
func (c *collada) geometry(g *xmltree.Node, at affine, bound map[string]scene.Material) error {
	s, err := c.shape(g)
	if err != nil {
		return err
	}
	if len(s.triangles) == 0 {
		return nil
	}
	if err := c.m.room(len(s.triangles)); err != nil {
		return err
	}
	if len(c.m.Vertices)+len(s.vertices) > maxVertices {
		return fmt.Errorf("more than %d vertices", maxVertices)
	}
	name := g.Get("name")
	if name == "" {
		name = g.Get("id")
	}
	c.m.begin(name)
	first := int32(len(c.m.Vertices))
	for _, v := range s.vertices {
		c.m.Vertices = append(c.m.Vertices, at.apply(v))
	}
	mirrored := at.m.Det() < 0
	c.appendLooks(s, at, mirrored, bound)
	for _, t := range s.triangles {
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		c.m.Triangles = append(c.m.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
	}
	return nil
}

// affine is a linear map and a shift.
type affine struct {
	m r3.Mat
	t r3.Vec
}

func (a affine) apply(v r3.Vec) r3.Vec { return a.m.Apply(v).Add(a.t) }

func (a affine) mul(b affine) affine { return affine{a.m.Mul(b.m), a.apply(b.t)} }

// transform multiplies the transforms of a node in the order in which they are written.
func transform(n *xmltree.Node) (affine, error) {
	at := affine{r3.Diag(r3.V(1, 1, 1)), r3.Vec{}}
	for _, k := range n.Kids {
		var own affine
		var err error
		switch k.Name {
		case "matrix":
			own, err = matrix(k)
		case "translate":
			own, err = translate(k)
		case "rotate":
			own, err = rotate(k)
		case "scale":
			own, err = scale(k)
		case "lookat", "skew":
			err = fmt.Errorf("%v: <%s> transforms are not known", k.Pos, k.Name)
		default:
			continue
		}
		if err != nil {
			return at, err
		}
		at = at.mul(own)
	}
	return at, nil
}

func matrix(n *xmltree.Node) (affine, error) {
	f, err := floats(n, 16)
	if err != nil {
		return affine{}, err
	}
	return affine{r3.Mat{XX: f[0], XY: f[1], XZ: f[2], YX: f[4], YY: f[5], YZ: f[6], ZX: f[8], ZY: f[9],
		ZZ: f[10]},
		r3.V(f[3], f[7], f[11])}, nil
}

func translate(n *xmltree.Node) (affine, error) {
	f, err := floats(n, 3)
	if err != nil {
		return affine{}, err
	}
	return affine{r3.Diag(r3.V(1, 1, 1)), r3.V(f[0], f[1], f[2])}, nil
}

func rotate(n *xmltree.Node) (affine, error) {
	f, err := floats(n, 4)
	if err != nil {
		return affine{}, err
	}
	return affine{r3.AxisAngle(r3.V(f[0], f[1], f[2]), f[3]*math.Pi/180).Mat(), r3.Vec{}}, nil
}

func scale(n *xmltree.Node) (affine, error) {
	f, err := floats(n, 3)
	if err != nil {
		return affine{}, err
	}
	return affine{r3.Diag(r3.V(f[0], f[1], f[2])), r3.Vec{}}, nil
}

// floats reads exactly count finite numbers.
func floats(n *xmltree.Node, count int) ([]float64, error) {
	w, out := words{rest: n.Text}, make([]float64, 0, count)
	for word := w.next(); word != ""; word = w.next() {
		f, err := number(word)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || len(out) == count {
			return nil, fmt.Errorf("%v: <%s> needs %d finite numbers, at %q", n.Pos, n.Name, count, word)
		}
		out = append(out, f)
	}
	if len(out) != count {
		return nil, fmt.Errorf("%v: <%s> has %d numbers, needs %d", n.Pos, n.Name, len(out), count)
	}
	return out, nil
}

var errShort = errors.New("the list of indices ends too early")
