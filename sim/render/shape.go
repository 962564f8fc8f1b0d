package render

import (
	"math"
	"slices"
	"sync"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Shape is a geom prepared for drawing: at its first use, in whatever
// goroutine that is; from then on it never changes.
type Shape struct {
	geom *scene.Geom
	once sync.Once

	points    []r3.Vec
	faces     [][3]int32
	corners   [][3]scene.Corner // by faces; a normal of zero: the face's own
	materials []materialRun
	centre    r3.Vec
	radius    float64

	mu      sync.Mutex
	glowing map[scene.Glow]*Shape // with lights of their own
}

// keptGlows bounds the lights in which a shape is kept: a blinking lamp has two.
const keptGlows = 8

// materialRun is faces with one paint.
type materialRun struct {
	first, end int
	paint      paint
}

// NewShape takes a geom of a link; nil for kinds that nothing can be drawn of.
func NewShape(g *scene.Geom) *Shape {
	if g.Kind == scene.Heightfield && g.Heights == nil || g.Kind == scene.MeshGeom && g.Mesh == nil {
		return nil
	}
	return &Shape{geom: g}
}

// terrainCells is the finest that a terrain is drawn, along an edge.
const terrainCells = 256

// Points of a round shape's circle.
const around = 32

// Glowing is the shape with a light instead of what its materials emit; one that is off has them as they are.
func (s *Shape) Glowing(light scene.Glow) *Shape {
	if light == (scene.Glow{}) {
		return s
	}
	s.ready()
	s.mu.Lock()
	defer s.mu.Unlock()
	if lit := s.glowing[light]; lit != nil {
		return lit
	}
	lit := &Shape{geom: s.geom, points: s.points, faces: s.faces, corners: s.corners,
		materials: slices.Clone(s.materials), centre: s.centre, radius: s.radius}
	lit.once.Do(func() {})
	for i := range lit.materials {
		lit.materials[i].paint.emissive = colour{light[0], light[1], light[2]}
	}
	if s.glowing == nil || len(s.glowing) == keptGlows {
		s.glowing = map[scene.Glow]*Shape{}
	}
	s.glowing[light] = lit
	return lit
}

// ready prepares the shape.
func (s *Shape) ready() *Shape {
	s.once.Do(s.prepare)
	return s
}

func (s *Shape) prepare() {
	g := s.geom
	switch g.Kind {
	case scene.Box:
		s.box(g.Size)
	case scene.Sphere:
		s.turned(g.Radius, 0)
	case scene.Capsule:
		s.turned(g.Radius, g.Length/2)
	case scene.Cylinder:
		s.cylinder(g.Radius, g.Length/2)
	case scene.Plane:
		s.plane(g)
	case scene.Heightfield:
		s.mesh(&scene.Geom{Mesh: g.Heights.Mesh(terrainCells)})
	default:
		if g.Mesh != nil {
			s.mesh(g)
		}
	}
	s.setupFace(g)
	box := r3.EmptyBox()
	for _, p := range s.points {
		box = box.Extend(p)
	}
	if box.IsEmpty() {
		s.faces, s.materials = nil, nil
		return
	}
	s.centre = box.Centre()
	for _, p := range s.points {
		s.radius = max(s.radius, p.Dist(s.centre))
	}
}

// setupFace gives the faces their paint: what the geom says counts, else what the
// mesh's own file says.
func (s *Shape) setupFace(g *scene.Geom) {
	said := g.Material.Colour[3] > 0 || g.Material.Image != nil
	if said || g.Mesh == nil || len(g.Mesh.Looks) == 0 {
		s.materials = []materialRun{{0, len(s.faces), paintOf(&g.Material)}}
		return
	}
	looks := g.Mesh.Looks
	if looks[0].First > 0 {
		s.materials = append(s.materials,
			materialRun{0, min(looks[0].First, len(s.faces)), paintOf(&g.Material)})
	}
	for i := range looks {
		end := len(s.faces)
		if i+1 < len(looks) {
			end = min(end, looks[i+1].First)
		}
		if looks[i].First < end {
			s.materials = append(s.materials, materialRun{looks[i].First, end, paintOf(&looks[i].Material)})
		}
	}
}

// quad adds two faces between four points that run counter-clockwise seen from
// outside, with the whole texture on them.
func (s *Shape) quad(a, b, c, d r3.Vec, normals [4]r3.Vec, uv [4][2]float32) {
	at := int32(len(s.points))
	s.points = append(s.points, a, b, c, d)
	s.faces = append(s.faces, [3]int32{at, at + 1, at + 2}, [3]int32{at, at + 2, at + 3})
	var k [4]scene.Corner
	for i := range k {
		n := normals[i]
		k[i] = scene.Corner{Normal: [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}, UV: uv[i]}
	}
	s.corners = append(s.corners, [3]scene.Corner{k[0], k[1], k[2]}, [3]scene.Corner{k[0], k[2], k[3]})
}

var whole = [4][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}

func (s *Shape) box(size r3.Vec) {
	h := size.Scale(0.5)
	for _, f := range [...][3]r3.Vec{ // outward, right, up
		{{X: 1}, {Y: 1}, {Z: 1}}, {{X: -1}, {Y: -1}, {Z: 1}}, {{Y: 1}, {X: -1}, {Z: 1}},
		{{Y: -1}, {X: 1}, {Z: 1}},
		{{Z: 1}, {X: 1}, {Y: 1}}, {{Z: -1}, {X: -1}, {Y: 1}},
	} {
		corner := func(x, y float64) r3.Vec { return f[0].AddScaled(x, f[1]).AddScaled(y, f[2]).Mul(h) }
		s.quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), [4]r3.Vec{}, whole)
	}
}

// plane is a rectangle; one without edges is 200 m wide. boundless is the half size of the drawn rectangle of
// a plane without a size, m. It covers the driven part of a world, since things stand on it anywhere.
const boundless = 1e5

func (s *Shape) plane(g *scene.Geom) {
	x, y := g.Size.X/2, g.Size.Y/2
	if !(x > 0 && y > 0) {
		x, y = boundless, boundless
	}
	turn := r3.Between(r3.V(0, 0, 1), g.Normal)
	at := func(x, y float64) r3.Vec { return turn.Rotate(r3.V(x, y, 0)) }
	s.quad(at(-x, -y), at(x, -y), at(x, y), at(-x, y), [4]r3.Vec{}, whole)
}

// turned is a sphere whose halves stand apart by twice the half length.
func (s *Shape) turned(radius, half float64) {
	const rings = around / 2
	at := func(i, k int) (p, n r3.Vec, uv [2]float32) {
		lat := math.Pi * (float64(float64(i)/rings) - 0.5)
		lon := 2 * math.Pi * float64(k) / around
		n = r3.V(r3.Cos(lat)*r3.Cos(lon), r3.Cos(lat)*r3.Sin(lon), r3.Sin(lat))
		return n.Scale(radius), n, [2]float32{float32(k) / around, float32(i) / rings}
	}
	for i := range rings {
		for k := range around {
			a, na, ua := at(i, k)
			b, nb, ub := at(i, k+1)
			c, nc, uc := at(i+1, k+1)
			d, nd, ud := at(i+1, k)
			lift := r3.V(0, 0, half)
			if i < rings/2 {
				lift = lift.Neg()
			}
			s.quad(a.Add(lift), b.Add(lift), c.Add(lift), d.Add(lift), [4]r3.Vec{na, nb, nc, nd},
				[4][2]float32{ua, ub, uc, ud})
		}
	}
	if half > 0 {
		s.wall(radius, half)
	}
}

// wall is the side of a cylinder.
func (s *Shape) wall(radius, half float64) {
	for k := range around {
		u, v := float32(k)/around, float32(k+1)/around
		a := r3.V(r3.Cos(2*math.Pi*float64(k)/around), r3.Sin(2*math.Pi*float64(k)/around), 0)
		b := r3.V(r3.Cos(2*math.Pi*float64(k+1)/around), r3.Sin(2*math.Pi*float64(k+1)/around), 0)
		up := r3.V(0, 0, half)
		p, q := a.Scale(radius), b.Scale(radius)
		s.quad(p.Sub(up), q.Sub(up), q.Add(up), p.Add(up), [4]r3.Vec{a, b, b, a},
			[4][2]float32{{u, 0}, {v, 0}, {v, 1}, {u, 1}})
	}
}

func (s *Shape) cylinder(radius, half float64) {
	s.wall(radius, half)
	for k := range around {
		for _, up := range [...]float64{half, -half} {
			a, b := 2*math.Pi*float64(k)/around, 2*math.Pi*float64(k+1)/around
			if up < 0 {
				a, b = b, a
			}
			p, q := r3.V(r3.Cos(a), r3.Sin(a), 0), r3.V(r3.Cos(b), r3.Sin(b), 0)
			lift := r3.V(0, 0, up)
			at := int32(len(s.points))
			s.points = append(s.points, lift, p.Scale(radius).Add(lift), q.Scale(radius).Add(lift))
			s.faces = append(s.faces, [3]int32{at, at + 1, at + 2})
			uv := func(v r3.Vec) [2]float32 {
				return [2]float32{float32(0.5 + float64(v.X/2)), float32(0.5 + float64(v.Y/2))}
			}
			s.corners = append(s.corners, [3]scene.Corner{{UV: uv(r3.Vec{})}, {UV: uv(p)}, {UV: uv(q)}})
		}
	}
}

// Faces is the number of the shape's triangles.
func (s *Shape) Faces() int { return len(s.ready().faces) }
