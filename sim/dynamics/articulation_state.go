package dynamics

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics/linalg"
)

// codeArticulations reads or writes the state of articulations.
func (w *World) codeArticulations(c *stateCodec) {
	c.match(uint64(len(w.articulations)), "number of articulations")
	for i := range w.articulations {
		art := &w.articulations[i]
		c.match(uint64(len(art.dofs)), "number of degrees of freedom of an articulation")
		c.flag(&art.dirty)
		if c.reads() {
			art.step.kinematicsValid = false
		}
		for d := range art.dofs {
			c.float(&art.dofs[d].q)
			c.float(&art.dofs[d].v)
		}
		for k := range art.links {
			c.quat(&art.links[k].rotation)
		}
	}
}

// copyArticulations copies the articulations of another world; scratch stays this world's.
func (w *World) copyArticulations(from []articulation) {
	w.articulations = w.articulations[:min(len(w.articulations), len(from))]
	for i := range from {
		if i == len(w.articulations) {
			w.articulations = append(w.articulations, articulation{})
		}
		art, o := &w.articulations[i], &from[i]
		art.step.kinematicsValid = false
		art.live, art.floating, art.dirty, art.base = o.live, o.floating, o.dirty, o.base
		art.links, art.dofs = append(art.links[:0], o.links...), append(art.dofs[:0], o.dofs...)
		art.inertiaFactor.CopyShape(&o.inertiaFactor)
		art.velocityDelta = linalg.Grow(art.velocityDelta, len(o.velocityDelta))
	}
}

// validateArticulations checks that coordinates are finite, links and bodies agree, and joints have no gap.
func (w *World) validateArticulations() error {
	for i := range w.articulations {
		art := &w.articulations[i]
		for d := range art.dofs {
			if f := &art.dofs[d]; math.IsNaN(f.q+f.v) || math.IsInf(f.q+f.v, 0) {
				return fmt.Errorf("articulation %d: degree of freedom %d has position %v and velocity %v", i,
					d, f.q, f.v)
			}
		}
		for k := range art.links {
			n := &art.links[k]
			if w.bodies.all[n.body].articulation != int32(i+1) || w.bodies.all[n.body].link != int32(k) {
				return fmt.Errorf("articulation %d: link %d is body %d, whose link differs", i, k, n.body)
			}
			if n.joint < 0 {
				continue
			}
			if j := &w.joints.all[n.joint]; j.articulation != int32(i+1) || j.link != int32(k) ||
				j.child != n.body {
				return fmt.Errorf("articulation %d: link %d has joint %d, whose link differs", i, k, n.joint)
			}
			if gap := w.Joint(w.joints.id(n.joint)).Gap(); !art.dirty &&
				gap > 1e-9*(1+art.links[k].com.MaxAbs()) {
				return fmt.Errorf("articulation %d: joint %d has a gap of %v m", i, n.joint, gap)
			}
		}
	}
	return nil
}
