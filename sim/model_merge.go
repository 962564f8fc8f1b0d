package sim

import (
	minheap "container/heap"

	"simdeck/sim/scene"
)

// mergeInto joins sets without mass and shape that hang on a single movable
// joint to what they hang on, until none is left. Joints are taken in their
// order, the first that can be each time.
func (p *compiledModel) mergeInto(sets unionFind) {
	a := absorption{compiledModel: p, sets: sets, hanging: make([]hanging, len(p.spec.Links)+1)}
	for i := range p.linkMasses {
		h := &a.hanging[sets.find(i)]
		h.solid = h.solid || p.linkMasses[i].Mass > 0 || len(p.spec.Links[i].Collisions) > 0
	}
	a.hanging[sets.find(len(p.spec.Links))].solid = true // the world
	for i := range p.spec.Joints {
		if j := &p.spec.Joints[i]; j.Kind != scene.Floating {
			if from, to := a.ends(i); from != to {
				a.hanging[from].add(1, i)
				a.hanging[to].add(1, i)
			}
		}
	}
	for i := range a.hanging {
		a.consider(i)
	}
	for a.Len() > 0 {
		i := minheap.Pop(&a).(int)
		from, to := a.ends(i)
		if from == to { // both of its ends were leaves
			continue
		}
		p.note(scene.Inferred, "joint %q is held still: one of its links has neither mass nor collision shapes", p.spec.Joints[i].Name)
		one, other := a.hanging[from], a.hanging[to]
		sets.join(from, to)
		whole := sets.find(from)
		a.hanging[whole] = hanging{one.joints + other.joints - 2, one.sum + other.sum - 2*i, one.solid || other.solid}
		a.consider(whole)
	}
}

// absorption is the joints that absorb can hold still, the first on top.
type absorption struct {
	firsts
	*compiledModel
	sets    unionFind
	hanging []hanging // by set
}

// hanging is what absorb knows of a set.
type hanging struct {
	joints int  // that can move and end in it
	sum    int  // of their indices: when there is one, it is that one
	solid  bool // something of it has mass or shape, or it is the world
}

func (h *hanging) add(joints, sum int) { h.joints, h.sum = h.joints+joints, h.sum+sum }

// ends are the sets that a joint ties.
func (a *absorption) ends(i int) (from, to int) {
	j := &a.spec.Joints[i]
	return a.sets.find(a.attachLink(j)), a.sets.find(j.Child)
}

// consider puts the only joint of a set on the list when the set is empty.
func (a *absorption) consider(set int) {
	if h := a.hanging[set]; h.joints == 1 && !h.solid {
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
