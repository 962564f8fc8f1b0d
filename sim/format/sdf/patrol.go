package sdf

import (
	"slices"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// patrolSpeed is the speed of a patrol without another one, m/s.
const patrolSpeed = 0.4

// route is a <simdeck:patrol> and where it was read.
type route struct {
	scene.Patrol
	doc  *source.Doc
	node *xmltree.Node
}

// patrol reads a loop of waypoints. Errors are noted, and the result is nil: the robot stands still.
func patrol(d *source.Doc, n *xmltree.Node) *route {
	out := &route{Patrol: scene.Patrol{Speed: d.Loose(n, "speed", patrolSpeed)}, doc: d, node: n}
	if !(out.Speed > 0) {
		d.Note(scene.Suspicious, n.Child("speed"), "patrol: a speed of %g m/s; want one above zero; the robot stands still",
			out.Speed)
		return nil
	}
	points := n.All("point")
	if len(points) < scene.MinPatrolPoints || len(points) > scene.MaxPatrolPoints {
		d.Note(scene.Suspicious, n, "patrol: %d <point>s; want %d to %d; the robot stands still", len(points),
			scene.MinPatrolPoints, scene.MaxPatrolPoints)
		return nil
	}
	for _, k := range points {
		f, err := d.Numbers(k, k.Text, 2)
		if err != nil {
			d.Note(scene.Suspicious, k, "patrol: %v; the robot stands still", err)
			return nil
		}
		p := r3.V(f[0], f[1], 0)
		if p.MaxAbs() > source.MostDistance {
			d.Note(scene.Suspicious, k, "patrol: the point %g %g; want at most %g m; the robot stands still", p.X, p.Y,
				source.MostDistance)
			return nil
		}
		out.Points = append(out.Points, p)
	}
	for _, k := range n.Kids {
		if k.Name != "speed" && k.Name != "point" {
			d.Note(scene.Unsupported, k, "<%s> of a patrol is not read; it has <speed> and <point>", k.Name)
		}
	}
	return out
}

// assign gives the first drive of a model the patrol.
func (k *route) assign(name string, spec *scene.ModelSpec) {
	switch {
	case k == nil:
	case spec.Static || len(spec.Drives) == 0:
		k.doc.Note(scene.Suspicious, k.node, "patrol: model %q has no drive; it stands still", name)
	case !spec.Drives[0].Pivots():
		k.doc.Note(scene.Unsupported, k.node,
			"patrol: the drive of model %q cannot turn on the spot, as differential, mecanum and tracked drives do; it stands still",
			name)
	default:
		spec.Drives = slices.Clone(spec.Drives)
		spec.Drives[0].Patrol = &k.Patrol
	}
}
