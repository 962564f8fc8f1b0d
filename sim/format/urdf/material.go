package urdf

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// readMaterials collects every material that is defined: at the top, or in the first visual that uses it.
func (r *robot) readMaterials(root *xmltree.Node) error {
	for _, n := range root.All("material") {
		if _, twice := r.materials[n.Get("name")]; twice {
			r.doc.Note(scene.Suspicious, n, "a second material %q; the first holds", n.Get("name"))
			continue
		}
		r.materials[n.Get("name")] = r.defined(n)
	}
	for _, l := range root.All("link") {
		for _, v := range l.All("visual") {
			n := v.Child("material")
			name := n.Get("name")
			if _, known := r.materials[name]; !known && name != "" && len(n.Kids) > 0 {
				r.materials[name] = r.defined(n)
			}
		}
	}
	return nil
}

// defined reads what a <material> says itself.
func (r *robot) defined(n *xmltree.Node) scene.Material {
	m := scene.Material{Name: n.Get("name")}
	if c := n.Child("color"); c != nil {
		f, err := r.doc.Numbers(c, c.Get("rgba"), 4)
		if err != nil {
			r.doc.Note(scene.Suspicious, c, "colour %q; four numbers from 0 to 1 are meant", c.Get("rgba"))
			f = []float64{0.5, 0.5, 0.5, 1}
		}
		for i, v := range f {
			if v < 0 || v > 1 {
				r.doc.Note(scene.Suspicious, c, "colour %q; numbers from 0 to 1 are meant", c.Get("rgba"))
				v = max(0, min(1, v))
			}
			m.Colour[i] = float32(v)
		}
	}
	if t := n.Child("texture"); t != nil {
		m.Texture = t.Get("filename")
		m.Image = r.doc.Texture(t, m.Texture)
	}
	return m
}

// material is that of a visual: its own words, else those of the same name anywhere in the robot.
func (r *robot) material(n *xmltree.Node) scene.Material {
	if n == nil {
		return scene.Material{}
	}
	name := n.Get("name")
	if len(n.Kids) > 0 {
		if m, known := r.materials[name]; known && name != "" {
			own := n.Find("color")
			if own == nil {
				return m
			}
		}
		return r.defined(n)
	}
	m, known := r.materials[name]
	if !known {
		r.doc.Note(scene.Suspicious, n, "material %q is not defined%s", name,
			source.NearKey(name, r.materials))
	}
	return m
}
