package sdf

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// material reads what a visual looks like: its diffuse colour, or that of a well-known script.
func material(d *source.Doc, visual *xmltree.Node) scene.Material {
	n := visual.Child("material")
	m := scene.Material{}
	if n == nil {
		return m
	}
	if k := n.Child("script"); k != nil {
		m = scripted(d, k)
	}
	colours(d, n, &m)
	albedo := n.Find("pbr", "metal", "albedo_map")
	if albedo == nil {
		albedo = n.Find("pbr", "specular", "albedo_map")
	}
	if albedo.Value() != "" {
		m.Texture = albedo.Value()
		m.Image = d.Texture(albedo, m.Texture)
		if n.Child("diffuse") == nil {
			m.Colour = [4]float32{1, 1, 1, 1}
		}
	}
	if f := d.Loose(n, "shininess", 0); f > 0 && f <= 1000 {
		m.Shininess = float32(f)
	}
	m.DoubleSided = d.Bool(n, "double_sided", false)
	if t := d.Loose(visual, "transparency", 0); t > 0 && t <= 1 {
		if m.Colour[3] == 0 {
			m.Colour = [4]float32{0.7, 0.7, 0.7, 1}
		}
		m.Colour[3] *= float32(1 - t)
	}
	return m
}

// scripted is the material that a script of OGRE defines, or the well-known one of that name.
func scripted(d *source.Doc, n *xmltree.Node) scene.Material {
	m := scene.Material{Name: n.ValueOf("name")}
	c, known := gazebo.ScriptColour(m.Name)
	m.Colour = c
	files, _ := d.Files.(source.Scripts)
	for _, u := range n.All("uri") {
		err := d.Files.Exists(u.Value(), d.Ref)
		switch {
		case err == nil && files != nil:
			texts, err := files.Script(u.Value(), ".material", d.Ref)
			if err != nil {
				d.Note(scene.Unreadable, u, "material script: %v", err)
			}
			for _, text := range texts {
				if found, ok := gazebo.Script(text, m.Name); ok {
					return textured(d, n, found)
				}
			}
		case err == nil:
		case known:
			d.Note(scene.Inferred, u, "material script %s is not there; %s is drawn in a colour like it",
				u.Value(), m.Name)
		default:
			d.Note(scene.Missing, u, "material script: %v", err)
		}
	}
	return m
}

// textured reads the texture of a script's material. It stands in one of the folders that the visual names,
// or in the folder textures beside that of the scripts.
func textured(d *source.Doc, n *xmltree.Node, m scene.Material) scene.Material {
	if m.Texture == "" {
		return m
	}
	for _, u := range n.All("uri") {
		for _, between := range []string{"/", "/../textures/", "/../../textures/"} {
			uri := strings.TrimSuffix(u.Value(), "/") + between + m.Texture
			if d.Files.Exists(uri, d.Ref) == nil {
				m.Texture, m.Image = uri, d.Texture(u, uri)
				if m.Colour[3] == 0 {
					m.Colour = [4]float32{1, 1, 1, 1}
				}
				return m
			}
		}
	}
	d.Note(scene.Missing, n, "texture %s of material %s is in none of the folders of the script", m.Texture,
		m.Name)
	return m
}

// colours reads the four of them. One that is given as ambient only stands for
// the diffuse as well: what files that were written for the eye of another
// renderer mean.
func colours(d *source.Doc, n *xmltree.Node, m *scene.Material) {
	for _, part := range []struct {
		name string
		into *[4]float32
	}{{"ambient", &m.Ambient}, {"diffuse", &m.Colour}, {"specular", &m.Specular}, {"emissive", &m.Emissive}} {
		if c := n.Child(part.name); c.Value() != "" {
			*part.into = colour(d, c)
		}
	}
	if n.Child("diffuse") == nil && m.Ambient[3] > 0 {
		m.Colour = m.Ambient
	}
}

// colour reads "r g b" or "r g b a"; what is no colour is noted.
func colour(d *source.Doc, n *xmltree.Node) [4]float32 {
	out := [4]float32{0, 0, 0, 1}
	words := strings.Fields(n.Text)
	if len(words) != 3 && len(words) != 4 {
		d.Note(scene.Suspicious, n, "colour %q has %d numbers; 3 or 4 are meant", n.Value(), len(words))
		return [4]float32{}
	}
	for i, w := range words {
		f, err := source.ParseFloat(w)
		if err != nil || !(f >= 0 && f <= 1) {
			d.Note(scene.Suspicious, n, "colour %q; numbers from 0 to 1 are meant", n.Value())
			if !(f >= 0) {
				f = 0
			}
		}
		out[i] = float32(min(f, 1))
	}
	return out
}
