package model

import (
	"math"
	"strings"

	"simdeck/sim/dynamics"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// maxDofs bounds the degrees of freedom of a tree of joints in reduced coordinates: the work of a step grows
// with their square.
const maxDofs = 160

// Coordinates returns the names of a description's joints by their coordinates. Trees of joints as arms,
// grippers and legs are reduced, so that their links cannot separate. Wheels and casters of mobile robots and
// joints that close a loop are maximal: constraints between two bodies. Joints that hold still, because they
// are fixed or their links weigh nothing, are in neither. The error is that of Compile.
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

// selectArticulations chooses the joints that are computed in reduced coordinates. Wheel joints stay in
// maximal coordinates. The rest falls into trees; a joint that would close a loop stays maximal too. A tree
// on a base that moves needs a chain of two joints, or a mimic joint, to be worth it.
func (c *compiler) selectArticulations() {
	wheels := c.wheelJoints()
	sets := linalg.DisjointSets[int]{}.Reset(len(c.Bodies))
	child := make([]bool, len(c.Bodies))
	var chosen []int
	for i := range c.Joints {
		j := &c.Joints[i]
		if !j.Moves || wheels[i] || c.Bodies[j.Child].Type != dynamics.Dynamic || child[j.Child] {
			continue
		}
		if c.Bodies[j.Parent].Type == dynamics.Dynamic {
			if sets.Find(j.Parent) == sets.Find(j.Child) {
				continue
			}
			sets.Union(j.Parent, j.Child)
		}
		child[j.Child] = true
		chosen = append(chosen, i)
	}
	c.joinLoopedTrees(chosen, wheels, sets)
	depth := c.depths(chosen)
	worth, freedom := make([]bool, len(c.Bodies)), make([]int, len(c.Bodies))
	for _, i := range chosen {
		j, set := &c.Joints[i], sets.Find(c.Joints[i].Child)
		freedom[set] += 3
		worth[set] = worth[set] || depth[i] > 1 || c.Bodies[j.Parent].Type != dynamics.Dynamic ||
			c.Spec.Joints[i].Mimic.Set
	}
	number := make([]int, len(c.Bodies))
	for i := range c.Joints {
		set := 0
		if c.Joints[i].Moves {
			set = sets.Find(c.Joints[i].Child)
		}
		if depth[i] == 0 || !worth[set] || freedom[set] > 3*maxDofs {
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
func (c *compiler) joinLoopedTrees(chosen []int, wheels []bool, sets linalg.DisjointSets[int]) {
	base := make([]int, len(c.Bodies)) // 1 + body, by set
	taken := make([]bool, len(c.Joints))
	for _, i := range chosen {
		taken[i] = true
		if j := &c.Joints[i]; c.Bodies[j.Parent].Type != dynamics.Dynamic {
			base[sets.Find(j.Child)] = 1 + j.Parent
		}
	}
	for i := range c.Joints {
		j := &c.Joints[i]
		if !j.Moves || wheels[i] || taken[i] {
			continue
		}
		a, b := sets.Find(j.Parent), sets.Find(j.Child)
		if on := base[a]; on != 0 && on == base[b] && a != b {
			sets.Union(j.Parent, j.Child)
			base[sets.Find(j.Child)] = on
		}
	}
}

// depths is, by joint, the number of chosen joints from the base to it, itself included; 0: it is not chosen.
func (c *compiler) depths(chosen []int) []int {
	above := make([]int, len(c.Bodies)) // joint + 1 by child
	for _, i := range chosen {
		above[c.Joints[i].Child] = i + 1
	}
	depth := make([]int, len(c.Joints))
	var path []int // from i towards the base, as far as depths are not known
	for _, i := range chosen {
		path = path[:0]
		at := i + 1
		for ; at != 0 && depth[at-1] == 0; at = above[c.Joints[at-1].Parent] {
			path = append(path, at-1)
		}
		known := 0
		if at != 0 {
			known = depth[at-1]
		}
		for k := len(path) - 1; k >= 0; k-- {
			known++
			depth[path[k]] = known
		}
	}
	return depth
}

// wheelJoints marks the running wheels: wheels, and the joints that carry nothing but wheels (casters'
// swivels, steering, suspension).
func (c *compiler) wheelJoints() []bool {
	wheels := make([]bool, len(c.Joints))
	hanging := make([][]int, len(c.Bodies)) // joints by parent
	for i := range c.Joints {
		if j := &c.Joints[i]; j.Moves {
			hanging[j.Parent] = append(hanging[j.Parent], i)
		}
	}
	for i := range c.Joints {
		j := &c.Joints[i]
		wheels[i] = j.Moves && len(hanging[j.Child]) == 0 && c.isWheel(i) && !c.isVirtual(j.Parent)
	}
	for i := range c.Spec.Drives {
		for _, k := range c.Spec.Drives[i].Joints() {
			if k >= 0 && k < len(wheels) {
				wheels[k] = c.Joints[k].Moves
			}
		}
	}
	for range 2 {
		for i := range c.Joints {
			j := &c.Joints[i]
			if !j.Moves || c.Bodies[j.Parent].Type != dynamics.Dynamic || len(hanging[j.Child]) == 0 {
				continue
			}
			all := true
			for _, k := range hanging[j.Child] {
				all = all && wheels[k]
			}
			wheels[i] = wheels[i] || all
		}
	}
	return wheels
}

// collectWheels finds the joints between a chassis and its wheels, those of one chassis together.
func (c *compiler) collectWheels() {
	wheels := c.wheelJoints()
	for _, b := range c.edges {
		if b.down && wheels[b.joint] && c.Joints[b.joint].Articulation == 0 {
			c.Wheels = append(c.Wheels, b.joint)
		}
	}
}

// isVirtual reports whether a body only stands between two joints.
func (c *compiler) isVirtual(body int) bool { return c.Spec.Links[c.Bodies[body].Root].Virtual }

// isWheel reports whether a joint turns a wheel or a caster's ball. Such a joint is continuous, its base
// moves, and its child is round about the axis or has the name of a wheel.
func (c *compiler) isWheel(i int) bool {
	j := &c.Joints[i]
	b := &c.Bodies[j.Child]
	switch {
	case c.Bodies[j.Parent].Type != dynamics.Dynamic:
		return false
	case j.Def.Type == dynamics.Ball:
		return true
	case j.Def.Type != dynamics.Continuous:
		return false
	}
	for _, name := range [...]string{c.Spec.Links[b.Root].Name, c.Spec.Joints[i].Name} {
		name = strings.ToLower(name)
		for _, word := range [...]string{"wheel", "caster", "castor", "roller"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	axis, _ := j.Def.ChildFrame.Rot.Rotate(j.Def.Axis).Unit()
	for k := range b.Geoms {
		g := &b.Geoms[k].Def
		arm := g.Pose.Pos.Sub(j.Def.ChildFrame.Pos)
		centred := arm.AddScaled(-arm.Dot(axis), axis).Len() < 1e-3
		switch g.Shape.Kind() {
		case shape.KindCylinder:
			if centred && math.Abs(g.Pose.Rot.Rotate(r3.V(0, 0, 1)).Dot(axis)) > 0.999 {
				return true
			}
		case shape.KindSphere:
			if centred {
				return true
			}
		}
	}
	return false
}
