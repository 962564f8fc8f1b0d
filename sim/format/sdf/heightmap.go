package sdf

import (
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// heightmap reads a terrain from an image: over <size>, at <pos>.
func heightmap(d *source.Doc, k *xmltree.Node, g *scene.Geom) (bool, error) {
	g.Kind = scene.Heightfield
	size, at := r3.V(1, 1, 1), r3.Vec{}
	for _, part := range []struct {
		name string
		into *r3.Vec
	}{{"size", &size}, {"pos", &at}} {
		if n := k.Child(part.name); n.Value() != "" {
			v, err := d.Vec(n, n.Text)
			if err != nil {
				return false, err
			}
			*part.into = v
		}
	}
	if err := d.Positive(k, size.X, size.Y); err != nil {
		return false, err
	}
	g.Pose = g.Pose.Mul(r3.Pose{Pos: at, Rot: r3.Identity()})
	return d.Heights(k, k.ValueOf("uri"), size, g), nil
}

// A cover of a terrain is worth so many parts, and at most so many layers are laid into one.
const (
	coverParts = 4000
	maxLayers  = 16
)

// cover gives a visual terrain its <heightmap>'s <texture>s, each after the first above its <blend>'s height,
// instead of its <material>.
func cover(d *source.Doc, k *xmltree.Node, g *scene.Geom) {
	textures, blends := k.All("texture"), k.All("blend")
	if len(textures) == 0 || g.Heights == nil {
		return
	}
	if d.Budget.Parts < 2*coverParts {
		d.Note(scene.Unsupported, textures[0],
			"the <texture> of a <heightmap> is not drawn: there are too many in one document")
		return
	}
	d.Budget.Parts -= coverParts
	var layers []texture.Layer
	for i, n := range textures[:min(len(textures), maxLayers)] {
		l := texture.Layer{Size: gazebo.Loose(d, n, "size", 10)}
		if i > 0 {
			if i > len(blends) {
				d.Note(scene.Suspicious, n, "texture %d of a <heightmap> has no <blend> that says from what height on it is seen; left out",
					i+1)
				break
			}
			l.From, l.Fade = gazebo.Loose(d, blends[i-1], "min_height", 0),
				gazebo.Loose(d, blends[i-1], "fade_dist", 0)
		}
		if !(l.Size > 1e-3) {
			d.Note(scene.Suspicious, n, "texture %d of a <heightmap> is %g m wide; left out", i+1, l.Size)
			continue
		}
		if l.Image = d.Texture(n, n.ValueOf("diffuse")); l.Image != nil {
			layers = append(layers, l)
		}
	}
	if len(layers) > 0 {
		g.Material = scene.Material{Name: g.Material.Name, Image: texture.Cover(g.Heights, layers)}
	}
}
