package robot

import (
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/visualizationmsgs"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds on what a picture of a world may weigh: what is beyond is drawn as
// its box.
const (
	maxTriangles  = 5_000  // of a shape
	allTriangles  = 50_000 // of the world
	terrainCells  = 48     // along an edge of a terrain: within maxTriangles
	endlessPlane  = 100.0  // m: edge of a plane without one
	planeThinness = 0.001  // m
)

// brush draws the shapes of one link.
type brush struct {
	to        *visualizationmsgs.MarkerArray
	triangles *int // left in the world's budget
	space     string
	frame     string
	at        r3.Pose // of the link in the frame
	colour    stdmsgs.ColorRGBA
	solid     bool // collision shapes, of which planes have no end
	next      int32
}

// draw adds the markers of a shape.
func (b *brush) draw(g *scene.Geom) {
	switch g.Kind {
	case scene.Box:
		b.add(visualizationmsgs.MarkerCube, g, r3.IdentityPose(), g.Size)
	case scene.Sphere:
		b.add(visualizationmsgs.MarkerSphere, g, r3.IdentityPose(), across(g.Radius))
	case scene.Cylinder:
		b.add(visualizationmsgs.MarkerCylinder, g, r3.IdentityPose(), r3.V(2*g.Radius, 2*g.Radius, g.Length))
	case scene.Capsule:
		b.add(visualizationmsgs.MarkerCylinder, g, r3.IdentityPose(), r3.V(2*g.Radius, 2*g.Radius, g.Length))
		for _, end := range []float64{g.Length / 2, -g.Length / 2} {
			b.add(visualizationmsgs.MarkerSphere, g, r3.Pose{Pos: r3.V(0, 0, end), Rot: r3.Identity()},
				across(g.Radius))
		}
	case scene.Plane:
		size := r3.V(g.Size.X, g.Size.Y, planeThinness)
		if b.solid || size.X <= 0 || size.Y <= 0 {
			size.X, size.Y = endlessPlane, endlessPlane
		}
		b.add(visualizationmsgs.MarkerCube, g,
			r3.Pose{Pos: r3.V(0, 0, -planeThinness/2), Rot: r3.Between(r3.V(0, 0, 1), g.Normal)}, size)
	case scene.Heightfield:
		if g.Heights != nil {
			b.mesh(&scene.Geom{Kind: g.Kind, Pose: g.Pose, Material: g.Material,
				Mesh: g.Heights.Mesh(terrainCells)})
		}
	default:
		if g.Mesh != nil {
			b.mesh(g)
		}
	}
}

func across(radius float64) r3.Vec { return r3.V(2*radius, 2*radius, 2*radius) }

// add adds a marker that stands at a place in the shape's frame.
func (b *brush) add(kind int32, g *scene.Geom, in r3.Pose, scale r3.Vec) *visualizationmsgs.Marker {
	m := *visualizationmsgs.NewMarker()
	m.Header.FrameID, m.Ns, m.ID, m.Type = b.frame, b.space, b.next, kind
	m.FrameLocked = true
	p := b.at.Mul(g.Pose).Mul(in)
	m.Pose.Position = geometry.Point(p.Pos)
	m.Pose.Orientation = geometry.Quaternion(p.Rot)
	m.Scale, m.Color = geometry.Vector3(scale), b.colour
	if c := g.Material.Colour; c[3] > 0 {
		m.Color = stdmsgs.ColorRGBA{R: c[0], G: c[1], B: c[2], A: c[3]}
	}
	b.next++
	b.to.Markers = append(b.to.Markers, m)
	return &b.to.Markers[len(b.to.Markers)-1]
}

// mesh draws triangles. It sends them while the budget lasts, which any viewer can show. Beyond it names
// their file where a viewer that has the package finds it, and else draws their box.
func (b *brush) mesh(g *scene.Geom) {
	switch n := len(g.Mesh.Triangles); {
	case n == 0:
	case n <= maxTriangles && n <= *b.triangles:
		*b.triangles -= n
		m := b.add(visualizationmsgs.MarkerTriangleList, g, r3.IdentityPose(), r3.V(1, 1, 1))
		m.Points = make([]geometrymsgs.Point, 0, 3*n)
		for _, t := range g.Mesh.Triangles {
			for _, corner := range t {
				p := scaled(g.Mesh.Vertices[corner], scaleOf(g))
				m.Points = append(m.Points, geometry.Point(p))
			}
		}
	case strings.HasPrefix(g.Mesh.URI, "package://"):
		m := b.add(visualizationmsgs.MarkerMeshResource, g, r3.IdentityPose(), scaleOf(g))
		m.MeshResource, m.MeshUseEmbeddedMaterials = g.Mesh.URI, g.Material.Colour[3] == 0
		if m.MeshUseEmbeddedMaterials {
			m.Color = stdmsgs.ColorRGBA{}
		}
	default:
		if box := boundsOf(g); !box.IsEmpty() {
			b.add(visualizationmsgs.MarkerCube, g, r3.Pose{Pos: box.Centre(), Rot: r3.Identity()}, box.Size())
		}
	}
}

// scaleOf is the scale of a mesh; left out it is 1.
func scaleOf(g *scene.Geom) r3.Vec {
	if g.Scale == (r3.Vec{}) {
		return r3.V(1, 1, 1)
	}
	return g.Scale
}

// boundsOf is the box around a mesh, in the shape's frame.
func boundsOf(g *scene.Geom) r3.Box {
	box := r3.EmptyBox()
	for _, v := range g.Mesh.Vertices {
		box = box.Extend(scaled(v, scaleOf(g)))
	}
	return box
}

func scaled(v, s r3.Vec) r3.Vec { return r3.V(v.X*s.X, v.Y*s.Y, v.Z*s.Z) }
