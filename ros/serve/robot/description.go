package robot

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// unbounded stands for a missing limit, which URDF requires.
const unbounded = 1e6

// description is a robot of any file as URDF: for RViz, MoveIt and whatever else reads /robot_description.
// Its frames are those in tf, its links hang together as there. Elements without a URDF form are left out
// (planes, terrains), or drawn as their box (meshes that no viewer finds). Joints of other types are
// floating, as tf has their poses. Its format is that of http://wiki.ros.org/urdf/XML.
func description(t *tree) string {
	d := &describer{tree: t, links: map[string]int{}}
	for i, l := range t.spec.Links {
		d.links[l.Name] = i
	}
	d.put(`<?xml version="1.0"?>` + "\n")
	d.open("robot", "name", t.spec.Name)
	d.link(t.base.name)
	for _, e := range t.fixed {
		if e.via == "" {
			d.link(e.child)
			d.joint(&e, "fixed", e.parent, e.child, e.pose, "")
			d.end("joint")
		}
	}
	for i := range t.moving {
		d.moving(&t.moving[i])
	}
	d.end("robot")
	return d.out.String()
}

// describer writes one description.
type describer struct {
	tree    *tree
	links   map[string]int // of the model, by name
	out     strings.Builder
	colours int
}

func (d *describer) put(text string) { d.out.WriteString(text) }

// tag writes the beginning of an element: its name, then names and values of its attributes.
func (d *describer) tag(name string, attributes ...string) {
	d.put("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		d.put(" " + attributes[i] + `="`)
		// A Builder takes all that is written.
		_ = xml.EscapeText(&d.out, []byte(attributes[i+1]))
		d.put(`"`)
	}
}

func (d *describer) open(name string, attributes ...string) {
	d.tag(name, attributes...)
	d.put(">\n")
}

func (d *describer) empty(name string, attributes ...string) {
	d.tag(name, attributes...)
	d.put("/>\n")
}

func (d *describer) end(name string) { d.put("</" + name + ">\n") }

// words are numbers, with a blank between.
func words(x ...float64) string {
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = fmt.Sprintf("%.9g", v)
	}
	return strings.Join(parts, " ")
}

func triple(v r3.Vec) string { return words(v.X, v.Y, v.Z) }

func (d *describer) origin(p r3.Pose) {
	d.empty("origin", "xyz", triple(p.Pos), "rpy", words(angles(p.Rot)...))
}

func angles(q r3.Quat) []float64 {
	roll, pitch, yaw := q.RPY()
	return []float64{roll, pitch, yaw}
}

// link describes a frame: a link of the model with its mass and shapes, any other without.
func (d *describer) link(name string) {
	i, ok := d.links[name]
	if !ok {
		d.empty("link", "name", name)
		return
	}
	l := &d.tree.spec.Links[i]
	d.open("link", "name", name)
	if m := &l.Inertial; m.Mass > 0 {
		d.open("inertial")
		d.origin(m.Pose)
		d.empty("mass", "value", words(m.Mass))
		x, y, z := m.Inertia.Row(0), m.Inertia.Row(1), m.Inertia.Row(2)
		d.empty("inertia", "ixx", words(x.X), "ixy", words(x.Y), "ixz", words(x.Z), "iyy", words(y.Y), "iyz",
			words(y.Z), "izz", words(z.Z))
		d.end("inertial")
	}
	visuals := l.Visuals
	if len(visuals) == 0 {
		visuals = l.Collisions
	}
	for i := range visuals {
		d.shape("visual", &visuals[i])
	}
	for i := range l.Collisions {
		d.shape("collision", &l.Collisions[i])
	}
	d.end("link")
}

// shape describes a shape, as what it has the form of.
func (d *describer) shape(as string, g *scene.Geom) {
	at := func(in r3.Vec) r3.Pose { return g.Pose.Mul(r3.Pose{Pos: in, Rot: r3.Identity()}) }
	switch g.Kind {
	case scene.Box:
		d.form(as, g, at(r3.Vec{}), "box", "size", triple(g.Size))
	case scene.Sphere:
		d.form(as, g, at(r3.Vec{}), "sphere", "radius", words(g.Radius))
	case scene.Cylinder, scene.Capsule:
		d.form(as, g, at(r3.Vec{}), "cylinder", "radius", words(g.Radius), "length", words(g.Length))
		for _, end := range []float64{g.Length / 2, -g.Length / 2} {
			if g.Kind == scene.Capsule {
				d.form(as, g, at(r3.V(0, 0, end)), "sphere", "radius", words(g.Radius))
			}
		}
	case scene.MeshGeom:
		switch {
		case g.Mesh == nil:
		case reachable(g.Mesh.URI):
			d.form(as, g, at(r3.Vec{}), "mesh", "filename", g.Mesh.URI, "scale", triple(scaleOf(g)))
		default:
			if box := boundsOf(g); !box.IsEmpty() {
				d.form(as, g, at(box.Centre()), "box", "size", triple(box.Size()))
			}
		}
	}
}

// reachable reports whether a viewer may find a mesh by its URI.
func reachable(uri string) bool {
	for _, scheme := range []string{"package://", "file://", "http://", "https://"} {
		if strings.HasPrefix(uri, scheme) {
			return true
		}
	}
	return false
}

// form writes a shape that URDF knows.
func (d *describer) form(as string, g *scene.Geom, at r3.Pose, kind string, attributes ...string) {
	d.open(as)
	d.origin(at)
	d.open("geometry")
	d.empty(kind, attributes...)
	d.end("geometry")
	if c := g.Material.Colour; as == "visual" && c[3] > 0 {
		d.colours++
		d.open("material", "name", fmt.Sprintf("%s_%d", d.tree.spec.Name, d.colours))
		d.empty("color", "rgba", words(float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3])))
		d.end("material")
	}
	d.end(as)
}

// joint begins the element of an edge; the caller ends it. after tells apart what stands for one joint
// together.
func (d *describer) joint(e *edge, kind, parent, child string, at r3.Pose, after string) {
	name := child + "_joint"
	if e.joint >= 0 {
		name = d.tree.spec.Joints[e.joint].Name
	}
	d.open("joint", "name", name+after, "type", kind)
	d.empty("parent", "link", parent)
	d.empty("child", "link", child)
	d.origin(at)
}

// moving describes an edge that moves: by way of a frame on the joint's axis, where the axis does not go
// through the link.
func (d *describer) moving(e *edge) {
	rest := d.tree.spec.Links[e.parentLink].Pose.Relative(d.tree.spec.Links[e.childLink].Pose)
	d.link(e.child)
	if e.joint < 0 {
		d.joint(e, "floating", e.parent, e.child, rest, "")
		d.end("joint")
		return
	}
	child := e.child
	if e.via != "" {
		child = e.via
		d.link(child)
		on := r3.Pose{Pos: e.pose.Pos.Scale(-1), Rot: r3.Identity()}
		d.joint(e, "fixed", child, e.child, on, "_offset")
		d.end("joint")
		rest = rest.Mul(e.pose)
	}
	d.turning(e, child, rest)
}

// turning describes what a joint does.
func (d *describer) turning(e *edge, child string, at r3.Pose) {
	j := &d.tree.spec.Joints[e.joint]
	kind := "floating"
	switch {
	case j.Kind == scene.Prismatic:
		kind = "prismatic"
	case (j.Kind == scene.Revolute || j.Kind == scene.Continuous) && j.Limit.Set:
		kind = "revolute"
	case j.Kind == scene.Revolute || j.Kind == scene.Continuous:
		kind = "continuous"
	}
	d.joint(e, kind, e.parent, child, at, "")
	if kind != "floating" {
		_, axis := axisIn(d.tree.spec, j, e.childLink)
		d.empty("axis", "xyz", triple(axis))
		l, most := &j.Limit, func(x float64) float64 {
			if x > 0 && !math.IsInf(x, 1) {
				return min(x, unbounded)
			}
			return unbounded
		}
		lower, upper := -unbounded, unbounded
		if l.Set {
			lower, upper = max(lower, l.Lower), min(upper, l.Upper)
		}
		d.empty("limit", "lower", words(lower), "upper", words(upper), "effort", words(most(l.Effort)),
			"velocity", words(most(l.Velocity)))
		d.empty("dynamics", "damping", words(j.Damping), "friction", words(j.Friction))
		if m := &j.Mimic; m.Set {
			d.empty("mimic", "joint", d.tree.spec.Joints[m.Joint].Name, "multiplier", words(m.Multiplier),
				"offset", words(m.Offset))
		}
	}
	d.end("joint")
}

// axisIn is a point and the direction of a joint's axis, with joints at zero, in the frame of either end's
// link. The direction is that of the link's motion relative to the other.
func axisIn(spec *scene.ModelSpec, j *scene.Joint, link int) (r3.Vec, r3.Vec) {
	at, axis := j.Pose, j.Axis
	if link != j.Child {
		at, axis = spec.Links[link].Pose.Relative(spec.Links[j.Child].Pose).Mul(j.Pose), axis.Scale(-1)
	}
	return at.Pos, at.Rot.Rotate(axis)
}
