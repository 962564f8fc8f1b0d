package dynamics

import (
	"fmt"
	"math"
)

// codeArticulations reads or writes the state of articulations.
func (w *World) codeArticulations(c *stateCodec) {
	c.match(uint64(len(w.articulations)), "number of articulations")
	for i := range w.articulations {
		l := &w.articulations[i]
		c.match(uint64(len(l.dofs)), "number of degrees of freedom of an articulation")
		c.flag(&l.dirty)
		if c.reads() {
			l.step.kinematicsValid = false
		}
		for d := range l.dofs {
			c.float(&l.dofs[d].q)
			c.float(&l.dofs[d].v)
		}
		for k := range l.links {
			c.quat(&l.links[k].rotation)
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
		l, o := &w.articulations[i], &from[i]
		l.step.kinematicsValid = false
		l.live, l.floating, l.dirty, l.base = o.live, o.floating, o.dirty, o.base
		l.links, l.dofs = append(l.links[:0], o.links...), append(l.dofs[:0], o.dofs...)
		l.inertiaFactor, l.velocityDelta = resizedScratch(l.inertiaFactor, len(o.inertiaFactor)), resizedScratch(l.velocityDelta, len(o.velocityDelta))
	}
}

// validateArticulations checks that coordinates are finite, links and bodies agree, and joints have no gap.
func (w *World) validateArticulations() error {
	for i := range w.articulations {
		l := &w.articulations[i]
		for d := range l.dofs {
			if f := &l.dofs[d]; math.IsNaN(f.q+f.v) || math.IsInf(f.q+f.v, 0) {
				return fmt.Errorf("articulation %d: degree of freedom %d has position %v and velocity %v", i, d, f.q, f.v)
			}
		}
		for k := range l.links {
			n := &l.links[k]
			if w.bodies[n.body].articulation != int32(i+1) || w.bodies[n.body].link != int32(k) {
				return fmt.Errorf("articulation %d: link %d is body %d, whose link differs", i, k, n.body)
			}
			if n.joint < 0 {
				continue
			}
			if j := &w.joints[n.joint]; j.articulation != int32(i+1) || j.link != int32(k) || j.child != n.body {
				return fmt.Errorf("articulation %d: link %d has joint %d, whose link differs", i, k, n.joint)
			}
			if gap := w.JointGap(w.jointID(n.joint)); !l.dirty && gap > 1e-9*(1+l.links[k].com.MaxAbs()) {
				return fmt.Errorf("articulation %d: joint %d has a gap of %v m", i, n.joint, gap)
			}
		}
	}
	return nil
}
