package sdf

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// geometry reads the shape in <geometry>; false when there is none that the engine knows, which is noted.
func geometry(d *source.Doc, n *xmltree.Node, g *scene.Geom) (bool, error) {
	var k *xmltree.Node
	for _, c := range n.Kids {
		if k == nil {
			k = c
		} else if c.Name != "polyline" || k.Name != "polyline" {
			d.Note(scene.Suspicious, c, "a second shape <%s> in one <geometry>; left out", c.Name)
		}
	}
	if k == nil {
		d.Note(scene.Suspicious, n, "<geometry> is empty")
		return false, nil
	}
	switch k.Name {
	case "box":
		return box(d, k, g)
	case "sphere", "cylinder", "capsule", "cone":
		return round(d, k, g)
	case "ellipsoid":
		return ellipsoid(d, k, g)
	case "plane":
		return plane(d, k, g)
	case "mesh":
		return meshShape(d, k, g)
	case "heightmap":
		return heightmap(d, k, g)
	case "polyline":
		return polylines(d, n, g)
	case "empty":
		return false, nil
	}
	d.Note(scene.Unsupported, k, "shape <%s> is not known", k.Name)
	return false, nil
}

func box(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	g.Kind, g.Size = scene.Box, r3.V(1, 1, 1)
	if s := k.Child("size"); s.Value() != "" {
		v, err := d.Vec(s, s.Text)
		if err != nil {
			return false, err
		}
		g.Size = v
	}
	return true, d.Positive(k, g.Size.X, g.Size.Y, g.Size.Z)
}

func round(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	usual := map[string]float64{"sphere": 1, "cylinder": 1, "capsule": 0.5, "cone": 0.5}[k.Name]
	var err error
	if g.Radius, err = d.Float(k, "radius", usual); err != nil {
		return false, err
	}
	if k.Name == "sphere" {
		g.Kind = scene.Sphere
		return true, d.Positive(k, g.Radius)
	}
	if g.Length, err = d.Float(k, "length", 1); err != nil {
		return false, err
	}
	switch k.Name {
	case "cylinder":
		g.Kind = scene.Cylinder
	case "capsule":
		g.Kind = scene.Capsule
	case "cone":
		radius, length := g.Radius, g.Length
		g.Radius, g.Length = 0, 0
		source.Cone(radius, length, g)
		return true, d.Positive(k, radius, length)
	}
	return true, d.Positive(k, g.Radius, g.Length)
}

func ellipsoid(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	radii := r3.V(1, 1, 1)
	if s := k.Child("radii"); s.Value() != "" {
		v, err := d.Vec(s, s.Text)
		if err != nil {
			return false, err
		}
		radii = v
	}
	source.Ellipsoid(radii, g)
	return true, d.Positive(k, radii.X, radii.Y, radii.Z)
}

func plane(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	g.Kind, g.Normal, g.Size = scene.Plane, r3.V(0, 0, 1), r3.V(1, 1, 0)
	if s := k.Child("normal"); s.Value() != "" {
		v, err := d.Vec(s, s.Text)
		if err != nil {
			return false, err
		}
		unit, ok := v.Unit()
		if !ok {
			return false, d.Errorf(s, "<normal> of a plane is %q, which has no direction", s.Value())
		}
		g.Normal = unit
	}
	if s := k.Child("size"); s.Value() != "" {
		f, err := d.Numbers(s, s.Text, 2)
		if err != nil {
			return false, err
		}
		g.Size = r3.V(f[0], f[1], 0)
	}
	return true, d.Positive(k, g.Size.X, g.Size.Y)
}

func meshShape(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	scale := r3.V(1, 1, 1)
	if s := k.Child("scale"); s.Value() != "" {
		v, err := d.Vec(s, s.Text)
		if err != nil {
			return false, err
		}
		if scale = v; v.X*v.Y*v.Z == 0 {
			return false, d.Errorf(s, "mesh scale %q makes it flat", s.Value())
		}
	}
	part := source.Submesh{Name: k.Child("submesh").ValueOf("name")}
	part.Centre = isTrue(k.Child("submesh").ValueOf("center"))
	return d.Mesh(k, k.ValueOf("uri"), scale, part, g), nil
}
