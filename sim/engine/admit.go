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

// admit refuses a model that would be too much at a pose in a world of so many entities. Nothing has happened
// then.
func admit(l *sim.Limits, p *dynamics.World, entities int, m *model.Model, start r3.Pose) error {
	if *l == (sim.Limits{}) {
		return nil
	}
	if err := errors.Join(
		atMost("entities", entities+1, l.Entities, "entities"),
		atMost("bodies", p.Stats().Bodies+len(m.Bodies), l.Bodies, "bodies"),
		admitModel(l, m)); err != nil {
		return err
	}
	poses := m.InitialPoses(start)
	return admitCrowd(l.Overlaps, p, m, poses, nil)
}

// admitCrowd refuses bodies of a model at poses where most others, which are not its own, are already. Zero
// refuses none.
func admitCrowd(most int, p *dynamics.World, m *model.Model, poses []r3.Pose, own []dynamics.BodyID) error {
	if most == 0 {
		return nil
	}
	for i := range m.Bodies {
		b := &m.Bodies[i]
		if b.Type != dynamics.Dynamic {
			continue
		}
		for k := range b.Geoms {
			g := &b.Geoms[k].Def
			if g.Sensor || g.Shape.Kind() == shape.KindPlane {
				continue
			}
			box := g.Shape.Bounds(poses[i].Mul(g.Pose.Upright()))
			if n := p.Queries().Crowd(box, own, most); n >= most {
				return atMost(fmt.Sprintf("bodies in one place, at %.4g %.4g %.4g", box.Centre().X,
					box.Centre().Y, box.Centre().Z), n+1, most, "overlaps")
			}
		}
	}
	return nil
}

// admitMove refuses to put an entity where most others are already. Zero refuses none.
func admitMove(most int, p *dynamics.World, e *entity, to r3.Pose) error {
	if most == 0 || e.static() {
		return nil
	}
	shift := to.Mul(e.linkPose(p, e.model.Spec.Canonical).Inverse())
	poses := make([]r3.Pose, len(e.bodies))
	for i, b := range e.bodies {
		poses[i] = shift.Mul(p.Body(b).Pose())
	}
	return admitCrowd(most, p, e.model, poses, e.bodies)
}
