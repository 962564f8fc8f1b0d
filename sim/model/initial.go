package model

import (
	"fmt"
	"math"
	"strings"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// sameInitial is the difference, rad or m, up to which an initial position is as the file has it.
const sameInitial = 1e-9

// follower is a joint's position as a linear function of its leader's: factor·q + offset. A joint that follows
// none is its own leader.
type follower struct {
	leader         int
	factor, offset float64
}

// settleJoints finds the positions at which joints begin: as the description has them, but within their
// limits, and on the relations of mimic joints. It notes those that it changes. Joints of closed loops begin
// as they are described: another position would open the loop.
func (c *compiler) settleJoints() {
	c.Initial = make([]float64, len(c.Joints))
	for i := range c.Initial {
		c.Initial[i] = c.Spec.Joints[i].Initial
	}
	all, fixed := c.followers(), c.onLoops()
	type span struct{ lower, upper float64 }
	own, common := make([]span, len(all)), make([]span, len(all)) // of each leader: its limits, with followers'
	for i := range all {
		own[i] = span{math.Inf(-1), math.Inf(1)}
		if d := &c.Joints[i].Def; c.Joints[i].IsSingleDOF() && d.Limited {
			own[i] = span{d.Lower, d.Upper}
		}
		common[i] = own[i]
	}
	for i, f := range all {
		if fixed[i] {
			fixed[f.leader] = true
		}
		if f.leader == i || f.factor == 0 {
			continue
		}
		a, b := (own[i].lower-f.offset)/f.factor, (own[i].upper-f.offset)/f.factor
		s := &common[f.leader]
		s.lower, s.upper = max(s.lower, min(a, b)), min(s.upper, max(a, b))
	}
	var changed []string
	kind := scene.Inferred
	for pass := range 2 { // leaders come first
		for i, f := range all {
			if !c.Joints[i].Moves || (f.leader == i) != (pass == 0) || fixed[f.leader] {
				continue
			}
			was := c.Initial[i]
			to := was
			switch {
			case pass == 1:
				to = float64(f.factor*c.Initial[f.leader]) + f.offset
			case c.Joints[i].IsSingleDOF():
				s := common[i]
				if !(s.lower <= s.upper) {
					s = own[i]
				}
				to = max(s.lower, min(s.upper, wholeTurns(&c.Joints[i].Def, was, s.lower, s.upper)))
			}
			if !(math.Abs(to-was) > sameInitial) || !(math.Abs(to) <= MaxDistance) {
				continue
			}
			c.Initial[i], c.resettled = to, true
			if turns := (to - was) / (2 * math.Pi); c.Joints[i].Def.Type == dynamics.Revolute &&
				math.Abs(turns-math.Round(turns)) < sameInitial {
				continue // the same place
			}
			if was != 0 {
				kind = scene.Suspicious
			}
			changed = append(changed, fmt.Sprintf("%q at %.4g instead of %.4g", c.Spec.Joints[i].Name, to, was))
		}
	}
	const listed = 5
	if n := len(changed); n > listed {
		changed = append(changed[:listed], fmt.Sprintf("and %d more", n-listed))
	}
	if len(changed) > 0 {
		c.note(kind, "joints begin within their limits and where they follow others: %s",
			strings.Join(changed, ", "))
	}
}

// wholeTurns adds turns to a position of a revolute joint, so that it is within limits where that is possible.
func wholeTurns(d *dynamics.JointDef, q, lower, upper float64) float64 {
	const turn = 2 * math.Pi
	if d.Type != dynamics.Revolute {
		return q
	}
	to := q
	switch {
	case q < lower-sameInitial:
		to = q + float64(turn*math.Ceil((lower-q)/turn))
	case q > upper+sameInitial:
		to = q - float64(turn*math.Ceil((q-upper)/turn))
	}
	if to >= lower && to <= upper {
		return to
	}
	return q
}

// followers finds by joint what it follows in the end. Joints that follow each other around follow none.
func (c *compiler) followers() []follower {
	all, done := make([]follower, len(c.Joints)), make([]bool, len(c.Joints))
	onPath := make([]bool, len(c.Joints))
	var path []int
	for i := range all {
		at := i
		for path = path[:0]; !done[at] && !onPath[at] && c.IsMimic(at); at = c.Spec.Joints[at].Mimic.Joint {
			path, onPath[at] = append(path, at), true
		}
		circle := onPath[at]
		if !done[at] && !circle {
			all[at], done[at] = follower{at, 1, 0}, true
		}
		for k := len(path) - 1; k >= 0; k-- {
			j := path[k]
			m := &c.Spec.Joints[j].Mimic
			if all[j] = (follower{j, 1, 0}); !circle {
				f := all[m.Joint]
				all[j] = follower{f.leader, m.Multiplier * f.factor, float64(m.Multiplier*f.offset) + m.Offset}
			}
			done[j], onPath[j] = true, false
		}
	}
	return all
}

// onLoops reports by joint whether it is on a closed loop.
func (c *compiler) onLoops() []bool {
	out := make([]bool, len(c.Joints))
	up := make([]int, len(c.Bodies)) // by body: 1 + its edge towards the root
	depth := make([]int, len(c.Bodies))
	inTree := make([]bool, len(c.Joints))
	for k, e := range c.edges {
		up[e.to], depth[e.to], inTree[e.joint] = k+1, depth[e.from]+1, true
	}
	for i := range c.Joints {
		if !c.Joints[i].Moves || inTree[i] {
			continue
		}
		out[i] = true
		for a, b := c.Joints[i].Parent, c.Joints[i].Child; a != b; {
			if depth[a] < depth[b] {
				a, b = b, a
			}
			if up[a] == 0 { // not tied to each other
				break
			}
			e := &c.edges[up[a]-1]
			out[e.joint] = true
			a = e.from
		}
	}
	return out
}

// InitialPoses is BodyPoses with the joints where they begin. What hangs on the world stays there.
func (m *Model) InitialPoses(canonical r3.Pose) []r3.Pose {
	begin := func(q func(joint int) float64) []r3.Pose {
		return m.PosesBy(canonical, func(j int) r3.Pose {
			def := &m.Joints[j].Def
			if turn, ok := m.Spec.Joints[j].InitialTurn.Unit(); ok && def.Type == dynamics.Ball {
				return r3.Pose{Rot: turn}
			}
			return jointTransform(def, q(j))
		})
	}
	poses := begin(func(joint int) float64 { return m.Initial[joint] })
	if m.resettled && m.worldAnchor > 0 {
		described := begin(func(joint int) float64 { return m.Spec.Joints[joint].Initial })
		at, to := poses[m.worldAnchor-1], described[m.worldAnchor-1]
		if at != to {
			back := to.Mul(at.Inverse())
			for i := range poses {
				poses[i] = back.Mul(poses[i])
			}
		}
	}
	return poses
}
