package engine

import (
	"errors"
	"fmt"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// atMost refuses more than a limit.
func atMost(what string, n, limit int, name string) error {
	if limit > 0 && n > limit {
		return fmt.Errorf("%w: %s: %d; at most %d (limits %s=%d)", sim.ErrLimit, what, n, limit, name, limit)
	}
	return nil
}

// admitModel refuses a model that is too much by itself.
func admitModel(l *sim.Limits, p *model.Model) error {
	return errors.Join(
		atMost(fmt.Sprintf("links of model %q", p.Spec.Name), len(p.Spec.Links), l.Links, "links"),
		atMost(fmt.Sprintf("joints of model %q", p.Spec.Name), len(p.Spec.Joints), l.Joints, "joints"),
		atMost(fmt.Sprintf("joints in a ring of model %q", p.Spec.Name), p.LongestLoop, l.Loop, "loop"))
}

// CheckModel refuses a model that is too much by itself, as spawning it does.
func CheckModel(l sim.Limits, m *scene.ModelSpec) error {
	p, err := model.Compile(m, false)
	if err != nil {
		return err
	}
	return admitModel(&l, p)
}

// CheckWorld refuses a world that is too much, as loading it does. It takes as long.
func CheckWorld(l sim.Limits, lib scene.Library, r sim.Resource) error {
	if l == (sim.Limits{}) {
		return nil
	}
	w, err := NewWorld(Options{Limits: l})
	if err == nil {
		c := sim.LoadWorld{Resource: r, IgnoreMissingAssets: true}
		_, err = w.Apply(c, Load(lib, c))
	}
	if errors.Is(err, sim.ErrLimit) {
		return err
	}
	return nil // other errors are for others to tell
}

// admit refuses a model that would be too much at a pose. Nothing has happened then.
func (w *World) admit(p *model.Model, start r3.Pose) error {
	l := &w.options.Limits
	if *l == (sim.Limits{}) {
		return nil
	}
	if err := errors.Join(
		atMost("entities", len(w.entities)+1, l.Entities, "entities"),
		atMost("bodies", w.physics.Stats().Bodies+len(p.Bodies), l.Bodies, "bodies"),
		admitModel(l, p)); err != nil {
		return err
	}
	return w.admitCrowd(p, p.BodyPoses(start, func(j int) float64 { return p.Spec.Joints[j].Initial }), nil)
}

// admitCrowd refuses bodies of a model at poses where too many others are already.
func (w *World) admitCrowd(p *model.Model, poses []r3.Pose, own []dynamics.BodyID) error {
	most := w.options.Limits.Overlaps
	if most == 0 {
		return nil
	}
	for i := range p.Bodies {
		b := &p.Bodies[i]
		if b.Type != dynamics.Dynamic {
			continue
		}
		for k := range b.Geoms {
			g := &b.Geoms[k].Def
			if g.Sensor || g.Shape.Kind() == shape.KindPlane {
				continue
			}
			box := g.Shape.Bounds(poses[i].Mul(g.Pose.Upright()))
			if n := w.physics.Queries().Crowd(box, own, most); n >= most {
				return atMost(fmt.Sprintf("bodies in one place, at %.4g %.4g %.4g", box.Centre().X,
					box.Centre().Y, box.Centre().Z), n+1, most, "overlaps")
			}
		}
	}
	return nil
}

// admitMove refuses to put an entity where too many others are already.
func (w *World) admitMove(e *entity, to r3.Pose) error {
	if w.options.Limits.Overlaps == 0 || e.static() {
		return nil
	}
	shift := to.Mul(e.linkPose(w.physics, e.model.Spec.Canonical).Inverse())
	poses := make([]r3.Pose, len(e.bodies))
	for i, b := range e.bodies {
		poses[i] = shift.Mul(w.physics.Body(b).Pose())
	}
	return w.admitCrowd(e.model, poses, e.bodies)
}
