package dynamics

import (
	"fmt"
	"math"
)

// encode reads or writes the state of articulations.
func (as articulationList) encode(c *stateCodec) {
	c.match(uint64(len(as)), "number of articulations")
	for i := range as {
		art := &as[i]
		c.match(uint64(art.DOFs()), "number of degrees of freedom of an articulation")
		c.flag(&art.dirty)
		if c.reads() {
			art.Invalidate()
		}
		art.Coordinates(func(q, v *float64) {
			c.float(q)
			c.float(v)
		}, c.quat)
	}
}

// articulationList is the articulations of a world.
type articulationList []worldArticulation

// copyFrom copies the articulations of another world; scratch stays this world's.
func (as *articulationList) copyFrom(from articulationList) {
	*as = (*as)[:min(len(*as), len(from))]
	for i := range from {
		if i == len(*as) {
			*as = append(*as, worldArticulation{})
		}
		art, o := &(*as)[i], &from[i]
		art.live, art.dirty, art.base = o.live, o.dirty, o.base
		art.links = append(art.links[:0], o.links...)
		art.Articulation.CopyFrom(&o.Articulation)
	}
}

// validate checks that coordinates are finite, links and bodies agree, and joints have no gap.
func (as articulationList) validate(bodies *bodySet, joints *jointSet) error {
	for i := range as {
		art := &as[i]
		for d := range int32(art.DOFs()) {
			if q, v := art.Q(d), art.V(d); math.IsNaN(q+v) || math.IsInf(q+v, 0) {
				return fmt.Errorf("articulation %d: degree of freedom %d has position %v and velocity %v", i,
					d, q, v)
			}
		}
		for k := range art.links {
			n := &art.links[k]
			if bodies.all[n.body].articulation != int32(i+1) || bodies.all[n.body].link != int32(k) {
				return fmt.Errorf("articulation %d: link %d is body %d, whose link differs", i, k, n.body)
			}
			if n.joint < 0 {
				continue
			}
			if j := &joints.all[n.joint]; j.articulation != int32(i+1) || j.link != int32(k) ||
				j.child != n.body {
				return fmt.Errorf("articulation %d: link %d has joint %d, whose link differs", i, k, n.joint)
			}
			com, _ := art.LinkPose(int32(k))
			if gap := joints.gap(bodies, n.joint); !art.dirty && gap > 1e-9*(1+com.MaxAbs()) {
				return fmt.Errorf("articulation %d: joint %d has a gap of %v m", i, n.joint, gap)
			}
		}
	}
	return nil
}
