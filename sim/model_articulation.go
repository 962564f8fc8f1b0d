package sim

import (
	"math"
	"strings"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// maxDofs is how many degrees of freedom a tree of joints may have in reduced coordinates: the work
// of a step grows with their square.
const maxDofs = 160

// Coordinates says of each joint of a model whether the engine computes it in reduced coordinates
// (trees of joints: arms, grippers, legs; their links cannot part) or as a constraint between two bodies
// (wheels and casters of mobile robots, joints that close a loop). Joints that hold still, because they
// are fixed or their links weigh nothing, are neither: both counts leave them out. The error is that of
// a model which cannot be simulated.
func Coordinates(spec *scene.ModelSpec) (reduced, maximal []string, err error) {
	p, err := compileModel(spec, false)
	if err != nil {
		return nil, nil, err
	}
	for i := range p.joints {
		switch j := &p.joints[i]; {
		case !j.moves:
		case j.tree > 0:
			reduced = append(reduced, spec.Joints[i].Name)
		default:
			maximal = append(maximal, spec.Joints[i].Name)
		}
	}
	return reduced, maximal, nil
}

// selectArticulations chooses the joints that are computed in reduced coordinates. Running gear stays as it is:
// wheels, and what steers or carries nothing but wheels. The rest falls into trees; what would close a
// loop stays as it is too. A tree on a base that moves must have a chain of two joints, or a joint that
// follows another, to be worth it.
func (p *compiledModel) selectArticulations() {
	gear := p.wheelbase()
	sets := newUnionFind(len(p.bodies))
	child := make([]bool, len(p.bodies))
	var chosen []int
	for i := range p.joints {
		j := &p.joints[i]
		if !j.moves || gear[i] || p.bodies[j.child].kind != dynamics.Dynamic || child[j.child] {
			continue
		}
		if p.bodies[j.parent].kind == dynamics.Dynamic {
			if sets.find(j.parent) == sets.find(j.child) {
				continue
			}
			sets.join(j.parent, j.child)
		}
		child[j.child] = true
		chosen = append(chosen, i)
	}
	p.buildArticulations(chosen, gear, sets)
	depth := p.depths(chosen)
	worth, freedom := make([]bool, len(p.bodies)), make([]int, len(p.bodies))
	for _, i := range chosen {
		j, set := &p.joints[i], sets.find(p.joints[i].child)
		freedom[set] += 3
		worth[set] = worth[set] || depth[i] > 1 || p.bodies[j.parent].kind != dynamics.Dynamic || p.spec.Joints[i].Mimic.Set
	}
	number := make([]int, len(p.bodies))
	for i := range p.joints {
		set := 0
		if p.joints[i].moves {
			set = sets.find(p.joints[i].child)
		}
		if depth[i] == 0 || !worth[set] || freedom[set] > 3*maxDofs {
			continue
		}
		if number[set] == 0 {
			p.articulations = append(p.articulations, nil)
			number[set] = len(p.articulations)
		}
		p.joints[i].tree = number[set]
		p.articulations[number[set]-1] = append(p.articulations[number[set]-1], i)
	}
}

// buildArticulations makes one tree of those that hang on the same body that does not move and between which a joint closes a loop: so
// the loop is solved with its tree.
func (p *compiledModel) buildArticulations(chosen []int, gear []bool, sets unionFind) {
	base := make([]int, len(p.bodies)) // 1 + body, by set
	taken := make([]bool, len(p.joints))
	for _, i := range chosen {
		taken[i] = true
		if j := &p.joints[i]; p.bodies[j.parent].kind != dynamics.Dynamic {
			base[sets.find(j.child)] = 1 + j.parent
		}
	}
	for i := range p.joints {
		j := &p.joints[i]
		if !j.moves || gear[i] || taken[i] {
			continue
		}
		a, b := sets.find(j.parent), sets.find(j.child)
		if on := base[a]; on != 0 && on == base[b] && a != b {
			sets.join(j.parent, j.child)
			base[sets.find(j.child)] = on
		}
	}
}

// driven reports whether a joint has an axis that a motor can drive.
func (j *modelJoint) driven() bool { return j.def.Type == dynamics.Universal || j.singleDof() }

// depths is, by joint, how many of the chosen joints lead to it from the base, itself included; 0: it is
// not chosen.
func (p *compiledModel) depths(chosen []int) []int {
	above := make([]int, len(p.bodies)) // joint + 1 by child
	for _, i := range chosen {
		above[p.joints[i].child] = i + 1
	}
	depth := make([]int, len(p.joints))
	var path []int // from i towards the base, as far as depths are not known
	for _, i := range chosen {
		path = path[:0]
		at := i + 1
		for ; at != 0 && depth[at-1] == 0; at = above[p.joints[at-1].parent] {
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

// wheelbase marks wheels and the joints that carry nothing but wheels: swivels of casters, steering,
// suspension.
func (p *compiledModel) wheelbase() []bool {
	gear := make([]bool, len(p.joints))
	hanging := make([][]int, len(p.bodies)) // joints by parent
	for i := range p.joints {
		if j := &p.joints[i]; j.moves {
			hanging[j.parent] = append(hanging[j.parent], i)
		}
	}
	for i := range p.joints {
		j := &p.joints[i]
		gear[i] = j.moves && len(hanging[j.child]) == 0 && p.isWheel(i) && !p.isVirtual(j.parent)
	}
	for i := range p.spec.Drives {
		for _, k := range p.spec.Drives[i].Joints() {
			if k >= 0 && k < len(gear) {
				gear[k] = p.joints[k].moves
			}
		}
	}
	for range 2 {
		for i := range p.joints {
			j := &p.joints[i]
			if !j.moves || p.bodies[j.parent].kind != dynamics.Dynamic || len(hanging[j.child]) == 0 {
				continue
			}
			all := true
			for _, k := range hanging[j.child] {
				all = all && gear[k]
			}
			gear[i] = gear[i] || all
		}
	}
	return gear
}

// isVirtual reports that a body only stands between two joints.
func (p *compiledModel) isVirtual(body int) bool { return p.spec.Links[p.bodies[body].root].Virtual }

// isWheel reports that a joint turns a wheel or a caster's ball: it turns without end, on a base that
// moves, something that is round about it or is called a wheel.
func (p *compiledModel) isWheel(i int) bool {
	j := &p.joints[i]
	b := &p.bodies[j.child]
	switch {
	case p.bodies[j.parent].kind != dynamics.Dynamic:
		return false
	case j.def.Type == dynamics.Ball:
		return true
	case j.def.Type != dynamics.Continuous:
		return false
	}
	for _, name := range [...]string{p.spec.Links[b.root].Name, p.spec.Joints[i].Name} {
		name = strings.ToLower(name)
		for _, word := range [...]string{"wheel", "caster", "castor", "roller"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	axis, _ := j.def.ChildFrame.Rot.Rotate(j.def.Axis).Unit()
	for k := range b.geoms {
		g := &b.geoms[k].def
		arm := g.Pose.Pos.Sub(j.def.ChildFrame.Pos)
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
