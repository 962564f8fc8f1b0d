package control

import (
	"fmt"
	"slices"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// bladder is the state of a buoyancy engine, m³.
type bladder struct{ told, volume float64 }

// bladderSet is the buoyancy engines of an entity.
type bladderSet struct {
	owner string // the entity, for errors
	in    *model.Model
	parts []dynamics.BodyID // by Model.Bodies
	all   []bladder         // by Flow.Engines
}

// newBladders are the buoyancy engines of an entity, as full as its file says.
func newBladders(owner string, m *model.Model, bodies []dynamics.BodyID) bladderSet {
	k := bladderSet{owner: owner, in: m, parts: bodies}
	for i := range m.Spec.Flow.Engines {
		e := &m.Spec.Flow.Engines[i]
		k.all = append(k.all, bladder{told: e.Told, volume: e.Start})
	}
	return k
}

// pump fills and drains the bladders for the step to come, and applies their forces: those of their volumes
// in the middle of it.
func (k *bladderSet) pump(p Dynamics, clock Clock, m *medium.Medium) {
	for i := range k.all {
		e, s := &k.in.Spec.Flow.Engines[i], &k.all[i]
		at := &k.in.Placements[e.Link]
		body := p.Body(k.parts[at.Body])
		was := s.volume
		s.volume = medium.NextVolume(e, was, s.told, clock.dt())
		place := body.Pose().Mul(at.Pose).Pos
		force := m.OnBuoyancyEngine(e, place, p.Gravity(), (was+s.volume)/2, clock.Now.Seconds())
		// Forces of finite volumes are finite, and a body that is gone is not pushed.
		_ = body.ApplyWrench(force, r3.Vec{}, place)
	}
}

// hasBelt reports that the link of a buoyancy engine has a belt, too.
func (k *bladderSet) hasBelt(i int) bool {
	return k.in.Spec.Links[k.in.Spec.Flow.Engines[i].Link].Track != nil
}

// bladderVolume is a command for a buoyancy engine.
type bladderVolume struct {
	engine int
	volume float64 // m³
}

// volumes takes the commands for buoyancy engines, by the names of their links, out of a list. Joints come
// first where one has the same name, and belts where the mode is velocity.
func (k *bladderSet) volumes(targets []sim.JointTarget) (own []bladderVolume, others []sim.JointTarget,
	err error) {
	if len(k.all) == 0 {
		return nil, targets, nil
	}
	spec := k.in.Spec
	for _, t := range targets {
		i := slices.IndexFunc(spec.Flow.Engines,
			func(e scene.BuoyancyEngine) bool { return spec.Links[e.Link].Name == t.Joint })
		joint := slices.ContainsFunc(spec.Joints, func(j scene.Joint) bool { return j.Name == t.Joint })
		switch {
		case i < 0 || joint || t.Mode == sim.JointVelocity && k.hasBelt(i):
			others = append(others, t)
			continue
		case t.Mode != sim.JointPosition:
			return nil, nil, fmt.Errorf("%w: %s for buoyancy engine %q of %q; want position, its volume in m³",
				sim.ErrUnsupported, t.Mode, t.Joint, k.owner)
		case !finite(t.Target):
			return nil, nil, fmt.Errorf("%w: volume %v for buoyancy engine %q of %q; want a finite number",
				sim.ErrFailed, t.Target, t.Joint, k.owner)
		}
		e := &spec.Flow.Engines[i]
		own = append(own, bladderVolume{i, max(e.Least, min(e.Most, t.Target))})
	}
	return own, others, nil
}

// set tells buoyancy engines their volumes.
func (k *bladderSet) set(list []bladderVolume) {
	for _, v := range list {
		k.all[v.engine].told = v.volume
	}
}

// AppendVolumes appends the volumes of the buoyancy engines, m³, by ModelSpec.Flow.Engines.
func (k *bladderSet) AppendVolumes(dst []float64) []float64 {
	for i := range k.all {
		dst = append(dst, k.all[i].volume)
	}
	return dst
}

// hash takes in the buoyancy engines.
func (k *bladderSet) hash(d *statecodec.Digest) {
	for _, s := range k.all {
		d.Float(s.told)
		d.Float(s.volume)
	}
}

// code visits the buoyancy engines.
func (k *bladderSet) code(v statecodec.Visitor) {
	for i := range k.all {
		v.Floats(&k.all[i].told, &k.all[i].volume)
	}
}
