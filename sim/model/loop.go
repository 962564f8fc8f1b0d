package model

import (
	"simdeck/sim/dynamics"
	"simdeck/sim/scene"
)

// Joints of a closed loop, and of a connected whole, from which on the compiler notes their cost. A loop
// costs the cube of its joints.
const (
	costlyLoop   = 50
	costlyJoints = 300
)

// mostWalked bounds the joints that the search of the longest loop visits.
const mostWalked = 1 << 22

// findLongestLoop finds the longest closed loop of joints by breadth-first search, and notes loops and trees
// that make steps long.
func (c *compiler) findLongestLoop() {
	up, depth, size := make([]int, len(c.Bodies)), make([]int, len(c.Bodies)), make([]int, len(c.Bodies))
	next := make([][]int, len(c.Bodies)) // joints
	dynamic := func(j *Joint) bool {
		return j.Moves && c.Bodies[j.Parent].Type == dynamics.Dynamic &&
			c.Bodies[j.Child].Type == dynamics.Dynamic
	}
	for i := range c.Joints {
		if j := &c.Joints[i]; dynamic(j) {
			next[j.Parent], next[j.Child] = append(next[j.Parent], i), append(next[j.Child], i)
		}
	}
	seen, crossed := make([]bool, len(c.Bodies)), make([]bool, len(c.Joints))
	most, walked := 0, 0
	for root := range c.Bodies {
		if seen[root] {
			continue
		}
		seen[root], up[root] = true, root
		queue := []int{root}
		var closing []int
		for len(queue) > 0 {
			b := queue[0]
			queue = queue[1:]
			for _, i := range next[b] {
				j := &c.Joints[i]
				other := j.Parent + j.Child - b
				if crossed[i] {
					continue
				}
				crossed[i] = true
				size[root]++
				if seen[other] {
					closing = append(closing, i)
					continue
				}
				seen[other], up[other], depth[other] = true, b, depth[b]+1
				queue = append(queue, other)
			}
		}
		most = max(most, size[root])
		for _, i := range closing {
			n := 1
			for a, b := c.Joints[i].Parent, c.Joints[i].Child; a != b && walked < mostWalked; n++ {
				walked++
				if depth[a] < depth[b] {
					a, b = b, a
				}
				a = up[a]
			}
			c.LongestLoop = max(c.LongestLoop, n)
		}
	}
	if c.LongestLoop > costlyLoop {
		c.note(scene.Suspicious, "model %q: a ring of %d joints: the cost of a step grows with the cube of them; up to %d are fast",
			c.Spec.Name, c.LongestLoop, costlyLoop)
	} else if most > costlyJoints {
		c.note(scene.Suspicious, "model %q: %d joints hang together: each costs some 15 µs of a step; up to %d are fast",
			c.Spec.Name, most, costlyJoints)
	}
}
