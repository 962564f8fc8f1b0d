package sdf

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/gazebo"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The elements of simdeck's own namespace, which other readers of SDF pass over:
//
//	<simdeck:description>text</simdeck:description>
//	<simdeck:tags>one two</simdeck:tags>
//	<simdeck:category>robot</simdeck:category>      in <model> and <include>
//	<simdeck:deletable>true</simdeck:deletable>     in <model> and <include>
//	<simdeck:namespace>name</simdeck:namespace>     in <model> and <include>
//	<simdeck:patrol> in <model> and <include>: a loop of waypoints, which the model's drive follows until it is commanded
//	  <speed>0.4</speed>                            m/s; may be left out
//	  <point>1 2</point>…                           m, x and y in the world frame; 2 to 100 of them
//	<simdeck:ego>name</simdeck:ego>                 in <world>: the model that is the ego vehicle of the vehicle profile; or with
//	    parameters: <simdeck:ego><model>name</model><max_speed>12</max_speed><dynamics_model>rigid_body</dynamics_model> …
//	<simdeck:lockstep>rover/cmd_vel@rover/scan</simdeck:lockstep>  in <world>: topics of commands for which each step waits,
//	    as --lockstep names them, apart by white space
//	<simdeck:vessel> in <model>: it follows velocities by its thrusters
//	  <max_speed>2</max_speed> <max_turn>1</max_turn> <topic>cmd_vel</topic>   m/s, rad/s; each may be left out
//	<simdeck:fixed_wing> in <model>: it follows velocities by its wings, see gazebo.InferAircraft
//	  <min_speed>9</min_speed> <cruise_speed>13</cruise_speed> <max_speed>24</max_speed> <max_bank>0.7</max_bank>
//	  <topic>cmd_vel</topic>                        m/s, rad; each may be left out
//	<simdeck:waves>                               in <world>: of its water, see gazebo.Waves
//	<simdeck:water>                               in <world>: how it looks to cameras in it, see gazebo.Water
//	<simdeck:drift> in a <plugin> that drives        how wrong its odometry is:
//	  <scale>0.01</scale>                           deviation of the wheels' radii, relative
//	  <walk>0.002</walk>                            m/√m
//	<simdeck:speed>0.3</simdeck:speed> in a TrackController's <plugin>: of the belt until it is commanded, m/s
//	<simdeck:elevations>-0.4 0 0.1</simdeck:elevations>  in a lidar's <vertical>: rad, of its rings where they are
//	                                              not evenly apart; counts before samples and angles
//	<simdeck:bounds> with one of
//	  <box><size>1 2 3</size></box>                 centred; <pose> moves it
//	  <sphere><radius>1</radius></sphere>
//	  <hull><point>0 0 0</point>…</hull>

// extras reads what a model or an include of one says in simdeck's namespace, and Gazebo's <gz:semantics>.
func (m *model) extras(d *source.Doc, n *xmltree.Node) {
	if k := n.Child("gz:semantics"); k != nil {
		gazebo.Semantics(d, k, &m.info)
	}
	if text := n.ValueOf("simdeck:description"); text != "" {
		m.info.Description = text
	}
	if k := n.Child("simdeck:tags"); k != nil {
		m.info.Tags = strings.Fields(k.Text)
	}
	if k := n.Child("simdeck:category"); k != nil {
		c, ok := scene.ParseCategory(k.Value())
		if !ok {
			d.Note(scene.Suspicious, k, "category %q; object, robot, human, dynamic_object and static_object are known",
				k.Value())
		}
		m.info.Category = c
	}
	m.instance.deletable = d.Bool(n, "simdeck:deletable", m.instance.deletable)
	if text := n.ValueOf("simdeck:namespace"); text != "" {
		m.instance.namespace = text
	}
	if k := n.Child("simdeck:bounds"); k != nil {
		m.info.Bounds = bounds(d, k)
	}
	if k := n.Child("simdeck:patrol"); k != nil {
		m.instance.patrol = patrol(d, k)
	}
}

// bounds reads a region; what is no region is noted.
func bounds(d *source.Doc, n *xmltree.Node) scene.Bounds {
	at, _, err := pose(d, n, version{newestMajor, newestMinor})
	if err != nil {
		d.Note(scene.Suspicious, n, "bounds: %v", err)
		return scene.Bounds{}
	}
	var b scene.Bounds
	switch {
	case n.Child("box") != nil:
		k := n.Find("box", "size")
		size, err := vecOf(d, n, k)
		if err != nil || !(size.X > 0 && size.Y > 0 && size.Z > 0) {
			d.Note(scene.Suspicious, n, "bounds: a box has three lengths greater than zero in <size>")
			return b
		}
		half := size.Scale(0.5)
		b = scene.Bounds{Kind: scene.BoxBounds, Points: []r3.Vec{at.Pos.Add(half), at.Pos.Sub(half)}}
	case n.Child("sphere") != nil:
		radius := gazebo.Loose(d, n.Child("sphere"), "radius", 0)
		if !(radius > 0) {
			d.Note(scene.Suspicious, n, "bounds: a sphere has a <radius> greater than zero")
			return b
		}
		b = scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{at.Pos, {X: radius}}}
	case n.Child("hull") != nil:
		b.Kind = scene.HullBounds
		for _, k := range n.Child("hull").All("point") {
			p, err := vecOf(d, n, k)
			if err != nil {
				d.Note(scene.Suspicious, k, "bounds: %v", err)
				return scene.Bounds{}
			}
			b.Points = append(b.Points, at.Apply(p))
		}
		if len(b.Points) < 4 {
			d.Note(scene.Suspicious, n, "bounds: a hull has at least four <point>s")
			return scene.Bounds{}
		}
	default:
		d.Note(scene.Suspicious, n, "bounds hold one of <box>, <sphere>, <hull>")
	}
	return b
}

func vecOf(d *source.Doc, n, k *xmltree.Node) (r3.Vec, error) {
	if k == nil {
		return r3.Vec{}, d.Errorf(n, "three numbers are missing")
	}
	return d.Vec(k, k.Text)
}
