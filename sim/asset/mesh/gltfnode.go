package mesh

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// gltfPlaced is a mesh where a node puts it.
type gltfPlaced struct {
	mesh int
	name string
	at   affine
}

// instances lists the meshes of the scene that the file shows, else of the first, else of all nodes that have
// no parent.
func (g *gltf) instances() ([]gltfPlaced, error) {
	var roots []int
	switch {
	case g.Scene != nil && *g.Scene >= 0 && *g.Scene < len(g.Scenes):
		roots = g.Scenes[*g.Scene].Nodes
	case g.Scene != nil:
		return nil, fmt.Errorf("scene is %d; there are %d scenes", *g.Scene, len(g.Scenes))
	case len(g.Scenes) > 0:
		roots = g.Scenes[0].Nodes
	default:
		roots = g.orphans()
	}
	s := &gltfStage{gltf: g, open: make([]bool, len(g.Nodes))}
	for _, i := range roots {
		if err := s.node(i, affine{r3.Diag(r3.V(1, 1, 1)), r3.Vec{}}, 0); err != nil {
			return nil, err
		}
	}
	if len(s.placed) == 0 && len(g.Nodes) == 0 && len(g.Meshes) > 0 {
		g.m.warn("there is no node; using every mesh at the origin")
		for i := range g.Meshes {
			s.placed = append(s.placed, gltfPlaced{i, "", affine{r3.Diag(r3.V(1, 1, 1)), r3.Vec{}}})
		}
	}
	return s.placed, nil
}

func (g *gltf) orphans() []int {
	child := make([]bool, len(g.Nodes))
	for _, n := range g.Nodes {
		for _, k := range n.Children {
			if k >= 0 && k < len(child) {
				child[k] = true
			}
		}
	}
	var out []int
	for i := range g.Nodes {
		if !child[i] {
			out = append(out, i)
		}
	}
	return out
}

type gltfStage struct {
	*gltf
	placed []gltfPlaced
	open   []bool // nodes above the one that is read
	visits int
}

func (s *gltfStage) node(i int, at affine, depth int) error {
	switch {
	case i < 0 || i >= len(s.Nodes):
		return fmt.Errorf("nodes[%d] is not there; there are %d", i, len(s.Nodes))
	case s.open[i]:
		return fmt.Errorf("nodes[%d] is below itself", i)
	case depth > 4*maxNodeDepth:
		return fmt.Errorf("nodes[%d]: nodes nested deeper than %d", i, 4*maxNodeDepth)
	}
	if s.visits++; s.visits > maxNodeVisits {
		return fmt.Errorf("more than %d nodes", maxNodeVisits)
	}
	s.open[i] = true
	n := &s.Nodes[i]
	own, err := n.transform()
	if err != nil {
		return fmt.Errorf("nodes[%d]: %w", i, err)
	}
	at = at.mul(own)
	if n.Mesh != nil {
		if *n.Mesh < 0 || *n.Mesh >= len(s.Meshes) {
			return fmt.Errorf("nodes[%d].mesh is %d; there are %d meshes", i, *n.Mesh, len(s.Meshes))
		}
		if n.Skin != nil {
			s.m.warn("nodes[%d] has a skin; using its mesh in the bind pose", i)
		}
		s.placed = append(s.placed, gltfPlaced{*n.Mesh, n.Name, at})
	}
	for _, k := range n.Children {
		if err := s.node(k, at, depth+1); err != nil {
			return err
		}
	}
	s.open[i] = false
	return nil
}

// transform is a node's matrix, written column by column, or its translation, rotation (x, y, z, w) and
// scale.
func (n *gltfNode) transform() (affine, error) {
	a := affine{r3.Diag(r3.V(1, 1, 1)), r3.Vec{}}
	if f := n.Matrix; f != nil {
		a = affine{r3.Mat{XX: f[0], YX: f[1], ZX: f[2], XY: f[4], YY: f[5], ZY: f[6], XZ: f[8], YZ: f[9],
			ZZ: f[10]}, r3.V(f[12], f[13], f[14])}
	}
	if f := n.Translation; f != nil {
		a.t = r3.V(f[0], f[1], f[2])
	}
	if f := n.Rotation; f != nil {
		q := r3.Quat{W: f[3], X: f[0], Y: f[1], Z: f[2]}
		long := math.Sqrt(float64(q.W*q.W) + float64(q.X*q.X) + float64(q.Y*q.Y) + float64(q.Z*q.Z))
		if !(long > 1e-9) || math.IsInf(long, 0) {
			return a, fmt.Errorf("the rotation %v has no length", *f)
		}
		a.m = r3.Quat{W: q.W / long, X: q.X / long, Y: q.Y / long, Z: q.Z / long}.Mat()
	}
	if f := n.Scale; f != nil {
		a.m = a.m.Mul(r3.Diag(r3.V(f[0], f[1], f[2])))
	}
	if !a.t.IsFinite() || !a.m.IsFinite() {
		return a, fmt.Errorf("its transform is not finite")
	}
	return a, nil
}

// fits counts what all instances will hold before any is made.
func (g *gltf) fits(all []gltfPlaced) error {
	var triangles, vertices int64
	for _, p := range all {
		for i := range g.Meshes[p.mesh].Primitives {
			t, v := g.size(&g.Meshes[p.mesh].Primitives[i])
			triangles, vertices = triangles+t, vertices+v
		}
		if most := int64(g.m.most); triangles > most || vertices > 3*most {
			return fmt.Errorf("more than %d triangles or %d vertices in a file of this size", most, 3*most)
		}
	}
	return nil
}

// size bounds the numbers of a primitive's triangles and vertices.
func (g *gltf) size(p *gltfPrimitive) (triangles, vertices int64) {
	count := func(i int) int64 {
		if i < 0 || i >= len(g.Accessors) {
			return 0
		}
		return max(0, min(g.Accessors[i].Count, 1<<40))
	}
	if at, ok := p.Attributes["POSITION"]; ok {
		vertices = count(at)
	}
	triangles = vertices
	if p.Indices != nil {
		triangles = count(*p.Indices)
	}
	if p.Mode == nil || *p.Mode == 4 {
		triangles /= 3
	}
	return triangles, vertices
}

// instance appends the primitives of a mesh.
func (g *gltf) instance(p gltfPlaced) error {
	name := g.Meshes[p.mesh].Name
	if name == "" {
		name = p.name
	}
	g.m.begin(name)
	for i := range g.Meshes[p.mesh].Primitives {
		if err := g.primitive(&g.Meshes[p.mesh].Primitives[i], p.at); err != nil {
			return fmt.Errorf("meshes[%d].primitives[%d]: %w", p.mesh, i, err)
		}
	}
	return nil
}

func (g *gltf) primitive(p *gltfPrimitive, at affine) error {
	if _, packed := p.Extensions["KHR_draco_mesh_compression"]; packed {
		return fmt.Errorf("it is compressed with Draco, which is not read; export it without compression")
	}
	mode := 4
	if p.Mode != nil {
		mode = *p.Mode
	}
	if mode < 4 || mode > 6 {
		g.passed++
		return nil
	}
	if len(p.Targets) > 0 {
		g.m.warn("a mesh has morph targets; ignored")
	}
	index, ok := p.Attributes["POSITION"]
	if !ok {
		return fmt.Errorf("it has no positions")
	}
	points, err := g.vectors(index, 3)
	if err != nil {
		return err
	}
	count := len(points) / 3
	order, err := g.order(p, count)
	if err != nil {
		return err
	}
	first := int32(len(g.m.Vertices))
	for i := range count {
		g.m.Vertices = append(g.m.Vertices, at.apply(r3.V(points[3*i], points[3*i+1], points[3*i+2])))
	}
	corners := g.corners(p, at, count)
	g.m.Looks = append(g.m.Looks, scene.Look{First: len(g.m.Triangles), Material: g.look(p)})
	mirrored := at.m.Det() < 0
	strip(len(order), mode, func(a, b, c int) {
		t := [3]int32{order[a], order[b], order[c]}
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		if corners != nil {
			g.m.even()
			g.m.Corners = append(g.m.Corners, [3]scene.Corner{corners[t[0]], corners[t[1]], corners[t[2]]})
		}
		g.m.Triangles = append(g.m.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
	})
	return nil
}

// strip calls f with the places of every triangle's corners in a list, a strip or a fan of n.
func strip(n, mode int, f func(a, b, c int)) {
	switch mode {
	case 4:
		for i := 0; i+2 < n; i += 3 {
			f(i, i+1, i+2)
		}
	case 5:
		for i := 0; i+2 < n; i++ {
			f(i, i+1+i%2, i+2-i%2)
		}
	case 6:
		for i := 1; i+1 < n; i++ {
			f(i, i+1, 0)
		}
	}
}

// order is the list of corners of a primitive, each below count.
func (g *gltf) order(p *gltfPrimitive, count int) ([]int32, error) {
	if p.Indices == nil {
		out := make([]int32, count)
		for i := range out {
			out[i] = int32(i)
		}
		return out, nil
	}
	values, err := g.vectors(*p.Indices, 1)
	if err != nil {
		return nil, err
	}
	out := make([]int32, len(values))
	for i, v := range values {
		if v >= float64(count) || v < 0 {
			return nil, fmt.Errorf("index %g of %d corners", v, count)
		}
		out[i] = int32(v)
	}
	return out, nil
}
