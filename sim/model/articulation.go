package model

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/scene"
)

// maxDofs bounds the degrees of freedom of a tree of joints in reduced coordinates: the work of a step grows
// with their square.
const maxDofs = 160

// Coordinates returns the names of a description's joints by their coordinates. Trees of joints, those of
// wheels among them, are reduced, so that their links cannot separate. Joints that close a loop are maximal:
// constraints between two bodies. Joints that hold still, because they are fixed or their links weigh
// nothing, are in neither. The error is that of Compile.
func Coordinates(spec *scene.ModelSpec) (reduced, maximal []string, err error) {
	m, err := Compile(spec, false)
	if err != nil {
		return nil, nil, err
	}
	for i := range m.Joints {
		switch j := &m.Joints[i]; {
		case !j.Moves:
		case j.Articulation > 0:
			reduced = append(reduced, spec.Joints[i].Name)
		default:
			maximal = append(maximal, spec.Joints[i].Name)
		}
	}
	return reduced, maximal, nil
}

// selectArticulations chooses the joints that are computed in reduced coordinates: all that fall into trees.
// A joint that would close a loop stays in maximal coordinates, as do those of a tree with too many freedoms.
func (c *compiler) selectArticulations() {
	sets := linalg.DisjointSets[int]{}.Reset(len(c.Bodies))
	child := make([]bool, len(c.Bodies))
	chosen := make([]bool, len(c.Joints))
	for i := range c.Joints {
		j := &c.Joints[i]
		if !j.Moves || c.Bodies[j.Child].Type != dynamics.Dynamic || child[j.Child] ||
			c.Spec.Joints[i].PullsTogether() {
			continue
		}
		if c.Bodies[j.Parent].Type == dynamics.Dynamic {
			if sets.Find(j.Parent) == sets.Find(j.Child) {
				continue
			}
			sets.Union(j.Parent, j.Child)
		}
		child[j.Child] = true
		chosen[i] = true
	}
	c.joinLoopedTrees(chosen, sets)
	freedom := make([]int, len(c.Bodies))
	for i := range c.Joints {
		if chosen[i] {
			freedom[sets.Find(c.Joints[i].Child)] += 3
		}
	}
	number := make([]int, len(c.Bodies))
	for i := range c.Joints {
		if !c.Joints[i].Moves {
			continue
		}
		set := sets.Find(c.Joints[i].Child)
		if !chosen[i] || freedom[set] > 3*maxDofs {
			continue
		}
		if number[set] == 0 {
			c.Articulations = append(c.Articulations, nil)
			number[set] = len(c.Articulations)
		}
		c.Joints[i].Articulation = number[set]
		c.Articulations[number[set]-1] = append(c.Articulations[number[set]-1], i)
	}
}

// joinLoopedTrees merges two trees on one fixed body when a joint between them closes a loop, which is then
// solved with them.
func (c *compiler) joinLoopedTrees(chosen []bool, sets linalg.DisjointSets[int]) {
	base := make([]int, len(c.Bodies)) // 1 + body, by set
	for i := range c.Joints {
		if j := &c.Joints[i]; chosen[i] && c.Bodies[j.Parent].Type != dynamics.Dynamic {
			base[sets.Find(j.Child)] = 1 + j.Parent
		}
	}
	for i := range c.Joints {
		j := &c.Joints[i]
		if !j.Moves || chosen[i] {
			continue
		}
		a, b := sets.Find(j.Parent), sets.Find(j.Child)
		if on := base[a]; on != 0 && on == base[b] && a != b {
			sets.Union(j.Parent, j.Child)
			base[sets.Find(j.Child)] = on
		}
	}
}
