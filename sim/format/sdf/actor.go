package sdf

import (
	"cmp"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// read reads an <actor>: what it looks like, and the trajectories of its <script>, one after the other. The
// movement of its limbs is not run: the skin, and what stands in its links, glide along.
func (a *includedActor) read(spec *scene.WorldSpec) error {
	d, n := a.doc, a.node
	at, relative, err := pose(d, n, a.version)
	if err != nil {
		return err
	}
	if relative != "" && relative != "world" {
		d.Note(scene.Suspicious, n, "the pose of actor %q is relative to %q; using the world",
			n.Get("name"), relative)
	}
	for _, k := range []string{"joint", "plugin"} {
		if c := n.Child(k); c != nil {
			d.Note(scene.Unsupported, c, "<%s> of an actor is not run", k)
		}
	}
	link := scene.Link{Name: "link", Pose: r3.IdentityPose(),
		Inertial: scene.Inertial{Pose: r3.IdentityPose()}, Kinematic: true}
	skin(d, n.Child("skin"), &link)
	if err := a.links(&link); err != nil {
		return err
	}
	out := &scene.ModelSpec{Name: n.Get("name"), Format: "sdf", Frame: r3.IdentityPose(),
		Placement: r3.IdentityPose(),
		Links:     []scene.Link{link}, Info: scene.Info{Category: scene.Human}}
	if out.Script, err = script(d, n.Child("script"), a.version); err != nil {
		return err
	}
	if a.pose != nil {
		at = *a.pose
	}
	spec.Models = append(spec.Models, scene.Placed{Name: cmp.Or(a.name, n.Get("name")), Model: out, Pose: at})
	return nil
}

// links puts everything of the links of an actor into the one that goes along: they stay where they are to
// one another.
func (a *includedActor) links(into *scene.Link) error {
	m := &model{doc: a.doc, node: a.node, version: a.version, name: a.node.Get("name"),
		names: map[string]*entity{}, top: r3.IdentityPose()}
	for _, k := range a.node.All("link") {
		if err := m.addLink(k); err != nil {
			return err
		}
	}
	for i, l := range m.links {
		at, err := m.poseIn(l.node, l.name)
		if err != nil {
			return err
		}
		l.top = at
		part, err := l.read(true)
		if err != nil {
			return err
		}
		if i == 0 {
			into.Name = l.name
		}
		for _, geoms := range [][]scene.Geom{part.Visuals, part.Collisions} {
			for k := range geoms {
				geoms[k].Pose = at.Mul(geoms[k].Pose)
			}
		}
		for k := range part.Sensors {
			part.Sensors[k].Pose = at.Mul(part.Sensors[k].Pose)
		}
		into.Visuals, into.Collisions = append(into.Visuals, part.Visuals...),
			append(into.Collisions, part.Collisions...)
		into.Sensors, into.Lost = append(into.Sensors, part.Sensors...), append(into.Lost, part.Lost...)
	}
	return nil
}

// skin gives an actor its mesh to be seen, and the box around it to be met by rays and robots.
func skin(d *source.Doc, n *xmltree.Node, l *scene.Link) {
	k := n.Child("filename")
	if k.Value() == "" {
		return
	}
	scale := d.Loose(n, "scale", 1)
	g := scene.Geom{Name: "skin", Pose: r3.IdentityPose()}
	if !(scale > 0) || !d.Mesh(k, k.Value(), r3.V(scale, scale, scale), source.Submesh{}, &g) {
		return
	}
	l.Visuals = append(l.Visuals, g)
	box := r3.EmptyBox()
	for _, v := range g.Mesh.Vertices {
		box = box.Extend(v.Mul(g.Scale))
	}
	if size := box.Size(); min(size.X, size.Y, size.Z) > 0 {
		l.Collisions = append(l.Collisions,
			scene.Geom{Name: "box", Kind: scene.Box, Size: size, Surface: scene.Surface{Default: true},
				Pose: r3.Pose{Pos: box.Centre(), Rot: r3.Identity()}})
	}
}

// script reads the trajectories of an actor; nil when it has none, or is not to start by itself.
func script(d *source.Doc, n *xmltree.Node, v version) (*scene.Script, error) {
	if n == nil || !d.Bool(n, "auto_start", true) {
		return nil, nil
	}
	out := &scene.Script{Loop: d.Bool(n, "loop", true), Delay: max(0, d.Loose(n, "delay_start", 0))}
	before := 0.0
	for _, k := range n.All("trajectory") {
		if t, err := source.ParseFloat(k.Get("tension")); err == nil && t > 0 && t <= 1 {
			out.Tension = t
		}
		for _, w := range k.All("waypoint") {
			t, err := d.Float(w, "time", 0)
			if err != nil {
				return nil, err
			}
			p, _, err := pose(d, w, v)
			if err != nil {
				return nil, err
			}
			t += before
			if last := len(out.Waypoints) - 1; last >= 0 && !(t > out.Waypoints[last].Time) {
				if t == out.Waypoints[last].Time {
					continue // the beginning of the next trajectory, or the same said twice
				}
				d.Note(scene.Suspicious, w, "a waypoint at %g s after one at %g s; left out", t,
					out.Waypoints[last].Time)
				continue
			}
			out.Waypoints = append(out.Waypoints, scene.Waypoint{Time: t, Pose: p})
		}
		if last := len(out.Waypoints) - 1; last >= 0 {
			before = out.Waypoints[last].Time
		}
	}
	if len(out.Waypoints) == 0 {
		return nil, nil
	}
	return out, nil
}
