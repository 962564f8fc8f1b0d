package mesh

import (
	"math"
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// attribute is an attribute of corners besides their positions: a normal or texture coordinates, as the
// values of a <source>.
type attribute struct {
	values   []float64
	offset   int // of its index in a group of indices
	at, step int
	count    int
}

// attribute finds the values of an input of a primitive; without any its count is zero. Unreadable attributes
// affect the appearance alone.
func (c *collada) attribute(n *xmltree.Node, semantic string, size int) attribute {
	for _, in := range n.All("input") {
		if in.Get("semantic") != semantic {
			continue
		}
		from := c.target(in, "source")
		if from == nil {
			return attribute{}
		}
		a, known := c.arrays[from]
		if !known {
			a = c.values(from, size)
			c.arrays[from] = a
		}
		a.offset = max(0, whole(in, "offset", 0))
		return a
	}
	return attribute{}
}

func (c *collada) values(source *xmltree.Node, size int) attribute {
	array, acc := source.Child("float_array"), source.Find("technique_common", "accessor")
	if array == nil {
		return attribute{}
	}
	values, err := arrayOf(array)
	if err != nil {
		c.m.warn("%v", err)
		return attribute{}
	}
	a := attribute{values: values, step: whole(acc, "stride", size), at: whole(acc, "offset", 0)}
	if a.step < size || a.step > 64 || a.at < 0 || a.at > len(values) {
		return attribute{}
	}
	a.count = (len(values) - a.at) / a.step
	return a
}

// get writes the first numbers of the value that word names.
func (a *attribute) get(word string, into []float32) {
	i, err := strconv.Atoi(word)
	if err != nil || i < 0 || i >= a.count {
		return
	}
	for k := range into {
		if f := a.values[a.at+i*a.step+k]; math.Abs(f) < 1e6 {
			into[k] = float32(f)
		}
	}
}

// look takes what the index at place k of a group says of its corner.
func (p *indices) look(corner *scene.Corner, k int, word string) {
	if p.normal.count > 0 && k == p.normal.offset {
		p.normal.get(word, corner.Normal[:])
	}
	if p.uv.count > 0 && k == p.uv.offset {
		p.uv.get(word, corner.UV[:])
	}
}

// dressed reports whether corners say more than where they are.
func (p *indices) dressed() bool { return p.normal.count > 0 || p.uv.count > 0 }

// add appends the triangle between three corners of the group.
func (p *indices) add(s *geometry, a, b, c int32) {
	if p.dressed() {
		for len(s.corners) < len(s.triangles) {
			s.corners = append(s.corners, [3]scene.Corner{})
		}
		s.corners = append(s.corners, [3]scene.Corner{p.looks[a], p.looks[b], p.looks[c]})
	}
	s.triangles = append(s.triangles, [3]int32{p.group[a], p.group[b], p.group[c]})
}

// appendLooks appends the corners and materials of an instance of a shape.
func (c *collada) appendLooks(s *geometry, at affine, mirrored bool, bound map[string]scene.Material) {
	for _, r := range s.runs {
		c.m.Looks = append(c.m.Looks, scene.Look{First: len(c.m.Triangles) + r.first,
			Material: bound[r.symbol]})
	}
	if len(s.corners) == 0 {
		return
	}
	for len(c.m.Corners) < len(c.m.Triangles) {
		c.m.Corners = append(c.m.Corners, [3]scene.Corner{})
	}
	across, ok := at.m.T().Inverse()
	for _, t := range s.corners {
		for k := range t {
			n := t[k].Normal
			u, unit := across.Apply(r3.V(float64(n[0]), float64(n[1]), float64(n[2]))).Unit()
			t[k].Normal = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
			if !ok || !unit {
				t[k].Normal = [3]float32{}
			}
		}
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		c.m.Corners = append(c.m.Corners, t)
	}
}

// bound are the materials that an instance gives to the symbols of its
// geometry.
func (c *collada) bound(instance *xmltree.Node) map[string]scene.Material {
	out := map[string]scene.Material{}
	for _, i := range instance.Find("bind_material", "technique_common").All("instance_material") {
		if m := c.target(i, "target"); m != nil {
			out[i.Get("symbol")] = c.material(m)
		}
	}
	return out
}

// material reads the common profile of a <material>'s effect: lambert, phong,
// blinn or constant.
func (c *collada) material(n *xmltree.Node) scene.Material {
	m := scene.Material{Name: n.Get("name")}
	inst := n.Child("instance_effect")
	if inst == nil {
		return m
	}
	effect := c.target(inst, "url")
	profile := effect.Child("profile_COMMON")
	technique := profile.Child("technique")
	for _, kind := range []string{"phong", "blinn", "lambert", "constant"} {
		if body := technique.Child(kind); body != nil {
			c.paint(body, profile, &m)
			break
		}
	}
	if extra := technique.Find("extra", "technique", "double_sided"); extra.Value() == "1" {
		m.DoubleSided = true
	}
	return m
}

func (c *collada) paint(body, profile *xmltree.Node, m *scene.Material) {
	for name, into := range map[string]*[4]float32{"diffuse": &m.Colour, "ambient": &m.Ambient,
		"specular": &m.Specular, "emission": &m.Emissive} {
		if f, err := floats4(body.Find(name, "color")); err == nil {
			*into = f
			into[3] = 1
		}
	}
	if t := body.Find("diffuse", "texture"); t != nil {
		m.Texture = c.image(t.Get("texture"), profile)
		m.Colour = [4]float32{1, 1, 1, 1}
	}
	if f, err := number(body.Find("shininess", "float").Value()); err == nil && f > 0 && f <= 1000 {
		m.Shininess = float32(f)
	}
	if f, err := number(body.Find("transparency", "float").Value()); err == nil && f > 0 && f < 1 &&
		m.Colour[3] > 0 {
		// A_ONE: 1 is opaque. Exporters that mean the reverse write 0, which is taken as opaque.
		m.Colour[3] = float32(f)
	}
}

func floats4(n *xmltree.Node) (out [4]float32, err error) {
	if n == nil {
		return out, errShort
	}
	f, err := floats(n, 4)
	for i, v := range f {
		out[i] = float32(max(0, min(1, v)))
	}
	return out, err
}

// image follows a sampler to the file of its image; the name of an image does
// as well, as some exporters write it.
func (c *collada) image(name string, profile *xmltree.Node) string {
	for range 4 {
		var next string
		for _, p := range profile.All("newparam") {
			if p.Get("sid") != name {
				continue
			}
			if next = p.Find("sampler2D", "source").Value(); next == "" {
				next = p.Find("surface", "init_from").Value()
			}
			if inst := p.Find("sampler2D", "instance_image"); inst != nil {
				next = strings.TrimPrefix(inst.Get("url"), "#")
			}
		}
		if next == "" {
			break
		}
		name = next
	}
	i := c.ids[name]
	if i == nil || i.Name != "image" {
		return ""
	}
	from := i.Child("init_from")
	if ref := from.Child("ref"); ref != nil {
		from = ref
	}
	return strings.TrimPrefix(from.Value(), "file://")
}
