package sdf

import (
	"simdeck/sim/asset/markup"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// heightmap reads a terrain from an image: over <size>, at <pos>. The layers of texture that others blend by height
// are not drawn.
func heightmap(d *source.Doc, k *markup.Node, g *scene.Geom) (bool, error) {
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
	if n := k.Child("texture"); n != nil {
		d.Note(scene.Unsupported, n, "the <texture> of a <heightmap> is not drawn: it has the colour of its <material>")
	}
	d.Unknown(k, "uri", "size", "pos", "texture", "blend", "use_terrain_paging", "sampling")
	if err := d.Positive(k, size.X, size.Y); err != nil {
		return false, err
	}
	g.Pose = g.Pose.Mul(r3.Pose{Pos: at, Rot: r3.Identity()})
	return d.Heights(k, k.ValueOf("uri"), size, g), nil
}
