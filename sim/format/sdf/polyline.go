package sdf

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// polylines makes one body of the outlines of a <geometry>, each with its height.
func polylines(d *source.Doc, n *xmltree.Node, g *scene.Geom) (bool, error) {
	m := &scene.Mesh{URI: "polyline"}
	for _, k := range n.All("polyline") {
		points := k.All("point")
		switch {
		case len(points) < 3:
			return false, d.Errorf(k, "<polyline> has %d points, at least 3 make an outline", len(points))
		case len(points) > source.MaxOutline:
			d.Note(scene.Unsupported, k, "shape <polyline> with %d points; at most %d are read", len(points),
				source.MaxOutline)
			return false, nil
		}
		var outline []r3.Vec
		for _, p := range points {
			f, err := d.Numbers(p, p.Text, 2)
			if err != nil {
				return false, err
			}
			outline = append(outline, r3.V(f[0], f[1], 0))
		}
		height, err := d.Float(k, "height", 1)
		if err != nil {
			return false, err
		}
		if !(height > 0) || !source.Extrude(m, outline, height) {
			d.Note(scene.Suspicious, k, "shape <polyline> with a height of %g m, or with points that enclose nothing; left out",
				height)
			return false, nil
		}
	}
	g.Kind, g.Mesh, g.Scale = scene.MeshGeom, m, r3.V(1, 1, 1)
	return true, nil
}
