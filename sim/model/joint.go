package model

import (
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// noLimit is the range, in rad or m, from which on a joint counts as unlimited.
const noLimit = 1e6

// buildJoints makes the joints between bodies.
func (c *compiler) buildJoints() {
	s := c.Spec
	c.Joints = make([]Joint, len(s.Joints))
	for i := range s.Joints {
		j := &s.Joints[i]
		child := c.Placements[j.Child].Body
		kind, ok := c.jointType(j)
		if !ok || j.Parent != scene.World && c.Placements[j.Parent].Body == child {
			continue
		}
		parent := 0
		if j.Parent != scene.World {
			parent = c.Placements[j.Parent].Body
		} else {
			parent = c.worldBody()
		}
		if c.Bodies[parent].Type != dynamics.Dynamic && c.Bodies[child].Type != dynamics.Dynamic {
			continue
		}
		at := s.Links[j.Child].Pose.Upright().Mul(j.Pose.Upright())
		c.Joints[i] = Joint{Moves: true, Parent: parent, Child: child, Def: jointDef(j, kind)}
		c.Joints[i].Def.ParentFrame = c.Bodies[parent].Pose.Relative(at)
		c.Joints[i].Def.ChildFrame = c.Bodies[child].Pose.Relative(at)
		if j.PullsTogether() {
			from := r3.IdentityPose()
			if j.Parent != scene.World {
				from = s.Links[j.Parent].Pose.Upright()
			}
			at = from.Mul(j.ParentPose.Upright())
			c.Joints[i].Def.ParentFrame = c.Bodies[parent].Pose.Relative(at)
		}
	}
}

// worldBody is the static body of the model to which things of the world are tied, so that an entity can be
// moved with it.
func (c *compiler) worldBody() int {
	if c.worldAnchor == 0 {
		c.Bodies = append(c.Bodies, Body{Root: c.Spec.Canonical, Pose: r3.IdentityPose(),
			Type: dynamics.Static})
		c.worldAnchor = len(c.Bodies)
	}
	return c.worldAnchor - 1
}

// collectNoCollision finds the bodies of links that do not touch each other.
func (c *compiler) collectNoCollision() {
	for _, pair := range c.Spec.Apart {
		a, b := c.Placements[pair[0]].Body, c.Placements[pair[1]].Body
		if a != b {
			c.NoCollision = append(c.NoCollision, [2]int{a, b})
		}
	}
}

// jointType is the dynamics' type of a joint; false: it has none.
func (c *compiler) jointType(j *scene.Joint) (dynamics.JointType, bool) {
	switch j.Kind {
	case scene.Revolute:
		if j.Limit.Set && j.Limit.Upper-j.Limit.Lower < noLimit {
			return dynamics.Revolute, true
		}
		return dynamics.Continuous, true
	case scene.Continuous:
		return dynamics.Continuous, true
	case scene.Prismatic:
		return dynamics.Prismatic, true
	case scene.Ball:
		return dynamics.Ball, true
	case scene.Universal:
		return dynamics.Universal, true
	case scene.Screw:
		return dynamics.Screw, true
	case scene.Planar:
		return dynamics.Planar, true
	case scene.Fixed:
		return dynamics.Fixed, j.PullsTogether()
	}
	return 0, false
}

func jointDef(j *scene.Joint, kind dynamics.JointType) dynamics.JointDef {
	d := dynamics.JointDef{
		Type: kind, Axis: j.Axis, Axis2: j.Axis2, Pitch: j.Pitch,
		Stiffness: nonNegative(j.Stiffness), SpringRest: j.SpringRest,
		Damping: nonNegative(j.Damping), Friction: nonNegative(j.Friction),
		Armature: nonNegative(j.Armature), MaxEffort: nonNegative(j.Limit.Effort),
		MaxVelocity: nonNegative(j.Limit.Velocity),
	}
	if !j.Limit.MotorOnly {
		d.SpeedLimit = d.MaxVelocity
	}
	d.Limited = j.Limit.Set && kind != dynamics.Continuous && kind != dynamics.Planar &&
		j.Limit.Lower <= j.Limit.Upper && j.Limit.Upper-j.Limit.Lower < noLimit
	if kind == dynamics.Ball {
		d.Limited = d.Limited && 0 < j.Limit.Upper && j.Limit.Upper < math.Pi // which no turn exceeds
	}
	if d.Limited {
		d.Lower, d.Upper = j.Limit.Lower, j.Limit.Upper
	}
	return d
}

// nonNegative is x, or 0, which means none, where x is negative or no finite number.
func nonNegative(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// buildSpanningTree finds, breadth first from the canonical link's body, the joints along which BodyPoses
// goes.
func (c *compiler) buildSpanningTree() {
	at := make([][]int, len(c.Bodies)) // joints that move, by either body
	for i := range c.Joints {
		if j := &c.Joints[i]; j.Moves && !c.Spec.Joints[i].PullsTogether() {
			at[j.Parent], at[j.Child] = append(at[j.Parent], i), append(at[j.Child], i)
		}
	}
	reached := make([]bool, len(c.Bodies))
	queue := []int{c.Placements[c.Spec.Canonical].Body}
	reached[queue[0]] = true
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, i := range at[from] {
			j := &c.Joints[i]
			b := treeEdge{joint: i, from: from, to: j.Child, down: true}
			if j.Child == from {
				b.to, b.down = j.Parent, false
			}
			if !reached[b.to] {
				reached[b.to] = true
				c.edges = append(c.edges, b)
				queue = append(queue, b.to)
			}
		}
	}
}
