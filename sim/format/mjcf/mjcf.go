// Package mjcf reads MuJoCo's model files (MJCF, the XML whose root is <mujoco>) into scene descriptions. It
// reads default classes, includes, frames, replicas and attached models. It reads bodies with any number of
// joints, geoms with the masses that follow from them, contact filters, meshes, textures and lights. It also
// reads cameras, sensors, actuators, equality constraints and the keyframe "home". Elements that the engine
// does not support are in the notes, each with its line and column.
//
// Units become metres, kilograms, seconds and radians; rotations are MuJoCo's w x y z. Source of the
// meanings: "MuJoCo documentation", chapters Modeling and XML Reference.
package mjcf

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Root is the name of the element that a file of this format begins with.
const Root = "mujoco"

// Kinds reports whether a document can be spawned, which needs a body, and whether it can be loaded as a
// world. A world has a floor, other shapes or several bodies.
func Kinds(root *xmltree.Node) (model, world bool) {
	bodies, shapes := 0, 0
	for _, w := range root.All("worldbody") {
		for _, k := range w.Kids {
			switch k.Name {
			case "body":
				bodies++
			case "geom":
				shapes++
			case "replicate", "attach", "frame":
				bodies += 2
			}
		}
	}
	return bodies == 1, shapes > 0 || bodies > 1
}

// Model reads all bodies of a document as one model, without the world's own parts (floor, walls, lights),
// unless nothing else exists. Errors wrap scene.ErrParse.
func Model(d *source.Doc) (*scene.ModelSpec, error) {
	b, err := compile(d)
	if err != nil {
		return nil, err
	}
	var bodies []int
	for i := 1; i < len(b.bodies); i++ {
		bodies = append(bodies, i)
	}
	switch world := b.bodies[0]; {
	case len(bodies) == 0 && len(world.geoms) == 0:
		return nil, d.Errorf(d.Tree.Root, "<%s> has neither a <body> nor a <geom>", Root)
	case len(bodies) == 0:
		bodies = []int{0}
	case len(world.geoms) > 0:
		d.Note(scene.Inferred, world.elem.Node,
			"%d shapes of the world itself (floor, walls) are no part of the model", len(world.geoms))
	}
	spec := b.model(b.name, bodies)
	convex := spec.Info.Convex
	if spec.Info = d.Info; spec.Info.Convex == (scene.Convex{}) {
		spec.Info.Convex = convex
	}
	spec.Notes = *d.Notes
	return spec, nil
}

// World reads a document as a world: a model per body of the worldbody with its subtree, and one of the
// worldbody's own shapes. Errors wrap scene.ErrParse.
func World(d *source.Doc) (*scene.WorldSpec, error) {
	b, err := compile(d)
	if err != nil {
		return nil, err
	}
	spec := &scene.WorldSpec{Name: b.name, Gravity: b.set.gravity, StepSize: b.set.timestep, Lights: b.lights,
		Ambience: b.ambience}
	taken := source.Names{"world": 1}
	if w := b.bodies[0]; len(w.geoms)+len(w.sites)+len(w.cameras) > 0 {
		spec.Models = append(spec.Models,
			scene.Placed{Name: taken.Take("ground"), Model: b.model("ground", []int{0}),
				Pose: r3.IdentityPose(), Static: true})
	}
	trees := b.trees()
	for _, tree := range trees {
		name := plain(b.bodies[tree[0]].name)
		if len(trees) == 1 {
			name = b.name
		}
		m := b.model(name, tree)
		spec.Models = append(spec.Models,
			scene.Placed{Name: taken.Take(name), Model: m, Pose: r3.IdentityPose(), Static: m.Static})
	}
	if len(spec.Models) == 0 && len(b.lights) == 0 && !b.soft {
		return nil, d.Errorf(d.Tree.Root, "<%s> has neither a <body> nor a <geom>", Root)
	}
	spec.Notes = *d.Notes
	return spec, nil
}

// compile reads the whole document.
func compile(d *source.Doc) (*build, error) {
	root := d.Tree.Root
	b := &build{doc: d, name: plain(root.Get("model")), named: map[string]map[string]int{},
		copies: map[string]map[string][]int{}, keyNames: map[string]bool{},
		places: map[devicePlace]int{}}
	if b.name == "" {
		b.name = "mujoco_model"
	}
	b.bodies = []*body{{name: "world", parent: -1, pose: r3.IdentityPose(), at: r3.IdentityPose(),
		elem: elem{root, d}}}
	b.opened = []opened{{elem{root, d}, Root}}
	r := newReader(b, d)
	if err := r.prepare(); err != nil {
		return nil, err
	}
	b.set = r.set
	if err := r.worldbody(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{b.weigh, r.references, b.checkKeyframe, b.finish} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.remarks()
	return b, nil
}
