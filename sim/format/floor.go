package format

import (
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// floor adds a ground plane to a world in which something falls that could stand, and nothing is there to
// stand on.
func (ld *loader) floor(d *source.Doc, w *scene.WorldSpec) error {
	falls := false
	for _, p := range w.Models {
		m := p.Model
		held := p.Static || m.Links[m.Canonical].Kinematic
		for i := range m.Joints {
			held = held || m.Joints[i].Parent == scene.World
		}
		for i := range m.Links {
			touches := len(m.Links[i].Collisions) > 0
			if touches && p.Static {
				return nil
			}
			falls = falls || touches && !held
		}
	}
	if !falls || w.Gravity == (r3.Vec{}) {
		return nil
	}
	ground, err := ld.ground(d)
	if err != nil {
		return err
	}
	w.Models = append(w.Models, ground)
	d.Note(scene.Inferred, d.Tree.Root, "the file holds a model and no world; it stands on a ground plane")
	lift(d, w.Models)
	w.Notes = *d.Notes
	return nil
}

func (ld *loader) modelOnGround(d *source.Doc, f file) (*scene.WorldSpec, error) {
	spec, err := readModel(d)
	if err != nil {
		return nil, err
	}
	return ld.onGround(d, spec, f)
}

// onGround puts a model on a ground plane.
func (ld *loader) onGround(d *source.Doc, spec *scene.ModelSpec, f file) (*scene.WorldSpec, error) {
	spec.Source = f.source
	w := &scene.WorldSpec{Name: spec.Name, Gravity: r3.V(0, 0, -9.8)}
	if spec.Name != groundName { // it is the ground itself
		ground, err := ld.ground(d)
		if err != nil {
			return nil, err
		}
		d.Note(scene.Inferred, d.Tree.Root,
			"the file holds a model and no world; it stands on a ground plane")
		w.Models = append(w.Models, ground)
	}
	spec.Notes = nil
	w.Models = append(w.Models, scene.Placed{Name: spec.Name, Model: spec, Pose: spec.Placement})
	if len(w.Models) > 1 {
		lift(d, w.Models)
	}
	w.Notes = *d.Notes
	return w, nil
}
