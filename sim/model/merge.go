package model

import (
	minheap "container/heap"

	"simdeck/sim/dynamics"
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/scene"
)

// mergeFixed puts every link into a body. Fixed joints make one body of their links, and so does a joint to a
// link without mass and collision shapes. Links that are fixed to the world are static.
func (c *compiler) mergeFixed() {
	s := c.Spec
	world := len(s.Links)
	sets := linalg.DisjointSets[int]{}.Reset(len(s.Links) + 1)
	for i := range s.Joints {
		if j := &s.Joints[i]; c.isFixed(j) || c.isFused(i) {
			sets.Union(c.attachLink(j), j.Child)
		}
	}
	if c.Static {
		for i := range s.Links {
			sets.Union(world, i)
		}
	} else {
		c.absorbMassless(sets)
	}
	c.Placements = make([]Placement, len(s.Links))
	index := make([]int, len(s.Links)+1) // set → body + 1
	number := func(link int) {
		set := sets.Find(link)
		if index[set] == 0 {
			index[set] = len(c.Bodies) + 1
			c.Bodies = append(c.Bodies, Body{Root: link, Pose: s.Links[link].Pose.Upright(),
				Type: dynamics.Dynamic})
		}
		c.Placements[link].Body = index[set] - 1
	}
	number(s.Canonical) // so that it is the root of body 0
	for i := range s.Links {
		number(i)
		l := &s.Links[i]
		b := &c.Bodies[c.Placements[i].Body]
		c.Placements[i].Pose = b.Pose.Relative(l.Pose.Upright())
		b.NoGravity = b.NoGravity || l.NoGravity
		b.SelfCollide = b.SelfCollide || l.SelfCollide
		switch {
		case sets.Find(i) == sets.Find(world):
			b.Type = dynamics.Static
		case l.Kinematic:
			b.Type = dynamics.Kinematic
		}
	}
}

// attachLink is the node of a joint's parent; the world comes after the links.
func (c *compiler) attachLink(j *scene.Joint) int {
	if j.Parent == scene.World {
		return len(c.Spec.Links)
	}
	return j.Parent
}

// isFixed reports whether a joint keeps its links together.
func (c *compiler) isFixed(j *scene.Joint) bool {
	switch j.Kind {
	case scene.Revolute, scene.Continuous, scene.Prismatic, scene.Ball, scene.Universal, scene.Screw,
		scene.Planar, scene.Floating:
		return false
	}
	return !j.PullsTogether()
}

// absorbMassless joins a set without mass and shape that hangs on a single movable joint to its parent, until
// none is left. Each time it takes the first such joint in the order of the file.
func (c *compiler) absorbMassless(sets linalg.DisjointSets[int]) {
	a := absorption{compiler: c, sets: sets, joints: make([]setJoints, len(c.Spec.Links)+1)}
	for i := range c.linkMasses {
		h := &a.joints[sets.Find(i)]
		h.solid = h.solid || c.linkMasses[i].Mass > 0 || len(c.Spec.Links[i].Collisions) > 0
	}
	a.joints[sets.Find(len(c.Spec.Links))].solid = true // the world
	for i := range c.Spec.Joints {
		if j := &c.Spec.Joints[i]; j.Kind != scene.Floating {
			if from, to := a.ends(i); from != to {
				a.joints[from].add(1, i)
				a.joints[to].add(1, i)
			}
		}
	}
	for i := range a.joints {
		a.consider(i)
	}
	for a.Len() > 0 {
		i := minheap.Pop(&a).(int)
		from, to := a.ends(i)
		if from == to { // both of its ends were leaves
			continue
		}
		c.note(scene.Inferred, "joint %q is held still: one of its links has neither mass nor collision shapes",
			c.Spec.Joints[i].Name)
		one, other := a.joints[from], a.joints[to]
		sets.Union(from, to)
		whole := sets.Find(from)
		a.joints[whole] = setJoints{one.movable + other.movable - 2, one.sum + other.sum - 2*i, one.solid ||
			other.solid}
		a.consider(whole)
	}
}

// absorption is the joints that absorbMassless can hold still, the first on top.
type absorption struct {
	firsts
	*compiler
	sets   linalg.DisjointSets[int]
	joints []setJoints // by set
}

// setJoints counts the movable joints of a set.
type setJoints struct {
	movable int  // movable ones that end in it
	sum     int  // of their indices: when there is one, it is that one
	solid   bool // something of it has mass or shape, or it is the world
}

func (h *setJoints) add(joints, sum int) { h.movable, h.sum = h.movable+joints, h.sum+sum }

// ends are the sets that a joint ties.
func (a *absorption) ends(i int) (from, to int) {
	j := &a.Spec.Joints[i]
	return a.sets.Find(a.attachLink(j)), a.sets.Find(j.Child)
}

// consider puts the only joint of a set on the list when the set is empty.
func (a *absorption) consider(set int) {
	if h := a.joints[set]; h.movable == 1 && !h.solid {
		minheap.Push(a, h.sum)
	}
}

// firsts is a heap of indices.
type firsts []int

func (f firsts) Len() int           { return len(f) }
func (f firsts) Less(i, k int) bool { return f[i] < f[k] }
func (f firsts) Swap(i, k int)      { f[i], f[k] = f[k], f[i] }

// Push is heap.Interface.
func (f *firsts) Push(x any) { *f = append(*f, x.(int)) }

// Pop is heap.Interface.
func (f *firsts) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
