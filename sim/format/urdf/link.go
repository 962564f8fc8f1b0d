package urdf

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func (r *robot) link(n *xmltree.Node) (scene.Link, error) {
	d := r.doc
	l := scene.Link{Name: strings.TrimSpace(n.Get("name")), Pose: r3.IdentityPose(),
		Inertial: scene.Inertial{Pose: r3.IdentityPose()}}
	if l.Name == "" {
		return l, d.Errorf(n, "<link> has no name")
	}
	raw, _ := n.Attr("name")
	if at, taken := r.links[l.Name]; taken {
		if r.spelled[at] == raw {
			return l, d.Errorf(n, "a second link %q", l.Name)
		}
		l.Name = r.apart(n, raw, l.Name, func(name string) bool { _, taken := r.links[name]; return taken })
	}
	r.spelled = append(r.spelled, raw)
	r.byText[raw] = len(r.spec.Links)
	if err := d.Link(n); err != nil {
		return l, err
	}
	r.links[l.Name] = len(r.spec.Links)
	if shapes := len(n.All("collision")); shapes > 0 { // at once: they are large, and a file may have many
		l.Collisions = make([]scene.Geom, 0, shapes)
	}
	for _, k := range n.Kids {
		var err error
		switch k.Name {
		case "inertial":
			l.Inertial, err = r.inertial(k, l.Name)
		case "collision", "visual":
			err = r.geom(k, &l)
		}
		if err != nil {
			return l, err
		}
	}
	if k := n.Child("contact"); k != nil {
		return l, r.contact(k, &l)
	}
	return l, nil
}

// contact reads the contact parameters of a link, as PyBullet has them.
func (r *robot) contact(n *xmltree.Node, l *scene.Link) error {
	for _, k := range n.Kids {
		text, written := k.Attr("value")
		if !written {
			continue
		}
		x, err := r.doc.Number(k, text)
		if err != nil {
			return err
		}
		x = max(x, 0)
		for i := range l.Collisions {
			switch s := &l.Collisions[i].Surface; k.Name {
			case "lateral_friction":
				s.Default, s.Mu, s.Mu2 = false, x, x
			case "rolling_friction":
				s.Rolling = x
			case "spinning_friction":
				s.Torsional = x
			case "restitution":
				s.Restitution = min(x, 1)
			case "stiffness":
				s.Stiffness = x
			case "damping":
				s.Damping = x
			}
		}
	}
	return nil
}

func (r *robot) inertial(n *xmltree.Node, link string) (scene.Inertial, error) {
	d := r.doc
	in := scene.Inertial{Pose: r3.IdentityPose()}
	var err error
	if in.Pose, err = r.origin(n); err != nil {
		return in, err
	}
	if k := n.Child("mass"); k == nil {
		d.Note(scene.Suspicious, n, "link %q: <inertial> without <mass>", link)
	} else if in.Mass, err = d.Number(k, k.Get("value")); err != nil {
		return in, err
	}
	switch k := n.Child("mass"); {
	case in.Mass < 0:
		return in, d.Errorf(n, "link %q has a mass of %g kg", link, in.Mass)
	case k != nil && in.Mass == 0:
		r.massless = k
	}
	if k := n.Child("inertia"); k != nil {
		var v [6]float64
		for i, name := range []string{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"} {
			if text, written := k.Attr(name); written {
				if v[i], err = d.Number(k, text); err != nil {
					return in, err
				}
			}
		}
		r.incomplete(k, link)
		in.Inertia = r3.Mat{XX: v[0], XY: v[3], XZ: v[4], YX: v[3], YY: v[1], YZ: v[5], ZX: v[4], ZY: v[5],
			ZZ: v[2]}
	}
	if why := source.SuspiciousInertia(in); why != "" {
		d.Note(scene.Suspicious, n, "link %q: %s", link, why)
	}
	return in, nil
}

// incomplete notes the terms that an <inertia> lacks: all six are to be written.
func (r *robot) incomplete(n *xmltree.Node, link string) {
	var lacks []string
	for _, term := range []string{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} {
		if _, written := n.Attr(term); !written {
			lacks = append(lacks, term)
		}
	}
	if len(lacks) > 0 {
		r.doc.Note(scene.Suspicious, n, "link %q: <inertia> lacks %s; using 0", link,
			strings.Join(lacks, ", "))
	}
}

// origin reads the <origin> of an element: xyz in metres, rpy in radians.
func (r *robot) origin(n *xmltree.Node) (r3.Pose, error) {
	p, k := r3.IdentityPose(), n.Child("origin")
	if k == nil {
		return p, nil
	}
	if text, written := k.Attr("xyz"); written {
		v, err := r.doc.Vec(k, text)
		if err != nil {
			return p, err
		}
		p.Pos = v
	}
	if text, written := k.Attr("rpy"); written {
		v, err := r.doc.Vec(k, text)
		if err != nil {
			return p, err
		}
		p.Rot = r3.FromRPY(v.X, v.Y, v.Z)
	}
	if text, written := k.Attr("quat_xyzw"); written {
		f, err := r.doc.Numbers(k, text, 4)
		if err != nil {
			return p, err
		}
		q, ok := r3.Quat{W: f[3], X: f[0], Y: f[1], Z: f[2]}.Unit()
		if !ok {
			return p, r.doc.Errorf(k, "quaternion %q has no direction", text)
		}
		p.Rot = q
	}
	return p, nil
}

// geom reads a <collision> or <visual> into the link.
func (r *robot) geom(n *xmltree.Node, l *scene.Link) error {
	g := scene.Geom{Name: n.Get("name"), Surface: scene.Surface{Mu: 1, Mu2: 1, Default: true}}
	err := r.doc.Part(n)
	if err != nil {
		return err
	}
	if g.Pose, err = r.origin(n); err != nil {
		return err
	}
	ok, err := r.shape(n, &g)
	if n.Name == "collision" {
		c := collision{name: g.Name, at: -1}
		if err == nil && ok {
			c.at = len(l.Collisions)
		}
		r.collisions[l.Name] = append(r.collisions[l.Name], c)
	}
	if r.doc.Flat(n, err) {
		return nil
	}
	if n.Name == "visual" {
		g.Material = r.material(n.Child("material"))
	}
	switch {
	case err == nil && !ok && n.Name == "collision" && g.Kind == scene.MeshGeom:
		l.Lost = append(l.Lost, g.Name)
	case err != nil || !ok:
	case n.Name == "collision":
		l.Collisions = append(l.Collisions, g)
	default:
		l.Visuals = append(l.Visuals, g)
	}
	return err
}

// shape reads <geometry>; false when there is none that the engine knows, which is noted.
func (r *robot) shape(n *xmltree.Node, g *scene.Geom) (bool, error) {
	body := n.Child("geometry")
	if body == nil || len(body.Kids) == 0 {
		r.doc.Note(scene.Suspicious, n, "<%s> has no shape", n.Name)
		return false, nil
	}
	for _, second := range body.Kids[1:] {
		r.doc.Note(scene.Suspicious, second, "a second shape <%s> in one <geometry>; left out", second.Name)
	}
	k := body.Kids[0]
	switch k.Name {
	case "box":
		g.Kind = scene.Box
		v, err := r.doc.Vec(k, k.Get("size"))
		if err != nil {
			return false, err
		}
		g.Size = v
		return true, r.doc.Positive(k, v.X, v.Y, v.Z)
	case "sphere", "cylinder", "capsule":
		return r.round(k, g)
	case "mesh":
		return r.mesh(k, g)
	}
	r.doc.Note(scene.Unsupported, k, "shape <%s> is not known", k.Name)
	return false, nil
}

func (r *robot) round(k *xmltree.Node, g *scene.Geom) (bool, error) {
	var err error
	if g.Radius, err = r.doc.Number(k, k.Get("radius")); err != nil {
		return false, err
	}
	if k.Name == "sphere" {
		g.Kind = scene.Sphere
		return true, r.doc.Positive(k, g.Radius)
	}
	if g.Length, err = r.doc.Number(k, k.Get("length")); err != nil {
		return false, err
	}
	if g.Kind = scene.Cylinder; k.Name == "capsule" {
		g.Kind = scene.Capsule
	}
	return true, r.doc.Positive(k, g.Radius, g.Length)
}

func (r *robot) mesh(k *xmltree.Node, g *scene.Geom) (bool, error) {
	uri, scale := k.Get("filename"), r3.V(1, 1, 1)
	if uri == "" {
		return false, r.doc.Errorf(k, "<mesh> names no file; write filename=\"package://…\"")
	}
	if text := k.Get("scale"); text != "" {
		count := 3
		if len(strings.Fields(text)) == 1 {
			count = 1
			r.doc.Note(scene.Suspicious, k, "mesh scale %q has one number; using it for all three axes", text)
		}
		f, err := r.doc.Numbers(k, text, count)
		if err != nil {
			return false, err
		}
		if scale = r3.V(f[0], f[0], f[0]); count == 3 {
			scale = r3.V(f[0], f[1], f[2])
		}
		if scale.X*scale.Y*scale.Z == 0 {
			return false, r.doc.Errorf(k, "mesh scale %q makes it flat", text)
		}
	}
	return r.doc.Mesh(k, uri, scale, source.Submesh{}, g), nil
}
