package gazebo

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// mostPoints bounds the points of a hull of VRX.
const mostPoints = 256

// pontoon reads VRX's Surface: a lying cylinder in parts, one about each point. Its lowest line is at the
// points.
func (f *flow) pontoon() {
	link, ok := f.link("link_name")
	if !ok {
		return
	}
	points := f.n.Child("points").All("point")
	if len(points) == 0 || len(points) > mostPoints {
		f.d.Note(scene.Suspicious, f.at("points"), "plugin %s is left out: it has %d <point>s; want 1 to %d",
			PluginName(f.n), len(points), mostPoints)
		return
	}
	radius := f.above("hull_radius", 0.213)
	length := f.above("hull_length", 4.9) / float64(len(points))
	one := scene.Float{Link: link, Density: density(f.d, f.n, "fluid_density", 997.7735),
		Level: Loose(f.d, f.n, "fluid_level", 0)}
	lying := r3.FromRPY(0, math.Pi/2, 0)
	for _, k := range points {
		text := k
		if at := k.Child("position"); at != nil {
			text = at
		}
		v, err := f.d.Vec(text, text.Text)
		if err != nil {
			f.d.Note(scene.Suspicious, text, "%v; the point is left out", err)
			continue
		}
		one.Geom = scene.Geom{Kind: scene.Cylinder, Radius: radius, Length: length,
			Pose: r3.Pose{Pos: v.Add(r3.V(0, 0, radius)), Rot: lying}}
		f.spec.Flow.Floats = append(f.spec.Flow.Floats, one)
	}
	others(f.d, f.n, "link_name", "hull_length", "hull_radius", "fluid_level", "fluid_density", "points",
		"wavefield", "vehicle_length", "vehicle_width")
}

// buoys reads VRX's PolyhedraBuoyancyDrag: shapes that float, and slow down by the mass of their links.
func (f *flow) buoys() {
	linear, angular := f.size("linear_drag", 0), f.size("angular_drag", 0)
	rho, level := density(f.d, f.n, "fluid_density", 997), Loose(f.d, f.n, "fluid_level", 0)
	list := f.n.All("buoyancy")
	if len(list) > mostPoints {
		f.d.Note(scene.Suspicious, f.n, "%d <buoyancy> shapes; the first %d float", len(list), mostPoints)
		list = list[:mostPoints]
	}
	for _, k := range list {
		one := &flow{reader{d: f.d, n: k}, f.spec, f.joints, f.prefix}
		link, ok := one.link("link_name")
		if !ok {
			continue
		}
		out := scene.Float{Link: link, Density: rho, Level: level, Drag: linear}
		out.Geom.Pose = one.pose()
		across, ok := one.shape(k.Child("geometry"), &out.Geom)
		if !ok {
			f.d.Note(scene.Suspicious, k, "a <buoyancy> without a <box>, <sphere> or <cylinder>; left out")
			continue
		}
		out.Swirl = angular * across * across
		f.spec.Flow.Floats = append(f.spec.Flow.Floats, out)
		others(f.d, k, "link_name", "pose", "geometry")
	}
	others(f.d, f.n, "linear_drag", "angular_drag", "fluid_density", "fluid_level", "buoyancy", "wavefield")
}

// pose is a pose in an element: six numbers.
func (f *flow) pose() r3.Pose {
	k := f.n.Child("pose")
	if k.Value() == "" {
		return r3.IdentityPose()
	}
	x, err := f.d.Numbers(k, k.Text, 6)
	if err != nil {
		f.d.Note(scene.Suspicious, k, "%v; using none", err)
		return r3.IdentityPose()
	}
	return r3.PoseRPY(x[0], x[1], x[2], x[3], x[4], x[5])
}

// shape reads a shape and its mean length, m, by which VRX slows down its turning.
func (f *flow) shape(n *xmltree.Node, g *scene.Geom) (across float64, ok bool) {
	switch {
	case n.Child("box") != nil:
		one := &flow{reader: reader{d: f.d, n: n.Child("box")}}
		g.Kind, g.Size = scene.Box, one.vector("size")
		return (g.Size.X + g.Size.Y + g.Size.Z) / 3, min(g.Size.X, g.Size.Y, g.Size.Z) > 0
	case n.Child("sphere") != nil:
		g.Kind, g.Radius = scene.Sphere, Loose(f.d, n.Child("sphere"), "radius", 0)
		return 2 * g.Radius, g.Radius > 0
	case n.Child("cylinder") != nil:
		k := n.Child("cylinder")
		g.Kind, g.Radius, g.Length = scene.Cylinder, Loose(f.d, k, "radius", 0), Loose(f.d, k, "length", 0)
		return g.Radius + g.Length/2, min(g.Radius, g.Length) > 0
	}
	return 0, false
}
