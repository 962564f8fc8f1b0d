package dynamics

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// pieces is a triangle surface, for engines that have no other shapes.
type pieces struct {
	vertices  []r3.Vec
	triangles [][3]int32
}

// flatPieces is the surface of all geoms of a scene; round shapes have 32 sides.
func (s *scene) flatPieces() *pieces {
	var p pieces
	for _, id := range s.Bodies(nil) {
		for _, g := range s.Body(id).Geoms(nil) {
			pose := s.Geom(g).Pose()
			switch g := s.Geom(g).Shape().(type) {
			case shape.Plane:
				p.add(pose, []r3.Vec{{X: -200, Y: -200}, {X: 200, Y: -200}, {X: 200, Y: 200},
					{X: -200, Y: 200}}, [][3]int32{{0, 1, 2}, {0, 2, 3}})
			case *shape.Mesh:
				p.add(pose, g.Vertices(), g.Triangles())
			case shape.Box:
				p.box(pose, g.Half)
			case shape.Sphere:
				p.turned(pose, halfCircle(g.Radius, 0))
			case shape.Capsule:
				p.turned(pose, halfCircle(g.Radius, g.Half))
			case shape.Cylinder:
				p.turned(pose, [][2]float64{{0, -g.Half}, {g.Radius, -g.Half}, {g.Radius, g.Half},
					{0, g.Half}})
			default:
				s.Fatalf("no triangles for a %v", g.Kind())
			}
		}
	}
	return &p
}

func (p *pieces) add(pose r3.Pose, vertices []r3.Vec, triangles [][3]int32) {
	first := int32(len(p.vertices))
	for _, v := range vertices {
		p.vertices = append(p.vertices, pose.Apply(v))
	}
	for _, t := range triangles {
		p.triangles = append(p.triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
	}
}

func (p *pieces) box(pose r3.Pose, half r3.Vec) {
	corners := make([]r3.Vec, 8)
	for i := range corners {
		corners[i] = boxCorner(half, i)
	}
	var sides [][3]int32
	for axis := range 3 {
		a, b := int32(1)<<((axis+1)%3), int32(1)<<((axis+2)%3)
		for _, from := range [2]int32{0, 1 << axis} {
			sides = append(sides, [3]int32{from, from + a, from + a + b},
				[3]int32{from, from + a + b, from + b})
		}
	}
	p.add(pose, corners, sides)
}

// halfCircle is the outline of a ball, drawn out along z by half on either side.
func halfCircle(radius, half float64) [][2]float64 {
	var out [][2]float64
	for i := range 17 {
		sin, cos := math.Sincos(math.Pi * (float64(i)/16 - 0.5))
		if i <= 8 {
			out = append(out, [2]float64{radius * cos, radius*sin - half})
		}
		if i > 8 || i == 8 && half > 0 {
			out = append(out, [2]float64{radius * cos, radius*sin + half})
		}
	}
	return out
}

// turned is the solid whose outline, as distance from z and height, goes around the z axis.
func (p *pieces) turned(pose r3.Pose, outline [][2]float64) {
	const sides = 32
	var v []r3.Vec
	var tri [][3]int32
	for k, o := range outline {
		for i := range int32(sides) {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
			v = append(v, r3.V(o[0]*cos, o[0]*sin, o[1]))
			if a, b := int32(k*sides)+i, int32(k*sides)+(i+1)%sides; k+1 < len(outline) {
				tri = append(tri, [3]int32{a, b, b + sides}, [3]int32{a, b + sides, a + sides})
			}
		}
	}
	p.add(pose, v, tri)
}
