package broadphase

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/r3"
)

// list is the tree's oracle: every box, tried one after the other.
type list struct {
	tree  Tree
	boxes map[int32]r3.Box
	leaf  map[int32]int32
}

func randomBox(r *rand.Rand) r3.Box {
	center := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(5)
	return r3.BoxAround(center, r3.V(0.1+r.Float64(), 0.1+r.Float64(), 0.1+r.Float64()))
}

// change inserts, moves or removes a geom.
func (l *list) change(r *rand.Rand) {
	geom := int32(r.IntN(80))
	box := randomBox(r)
	switch _, there := l.boxes[geom]; {
	case !there:
		l.leaf[geom] = l.tree.Insert(geom, box)
		l.boxes[geom] = box
	case r.IntN(3) == 0:
		l.tree.Remove(l.leaf[geom])
		delete(l.boxes, geom)
		delete(l.leaf, geom)
	default:
		l.tree.Move(l.leaf[geom], box)
		l.boxes[geom] = box
	}
}

func newList() *list {
	l := &list{boxes: map[int32]r3.Box{}, leaf: map[int32]int32{}}
	l.tree.Clear()
	return l
}

func (l *list) overlapping(b r3.Box) (out []int32) {
	for geom, box := range l.boxes {
		if box.Overlaps(b) {
			out = append(out, geom)
		}
	}
	slices.Sort(out)
	return out
}

func TestTheTreeFindsWhatAListFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	l := newList()
	for step := range 5000 {
		l.change(r)
		leaves, err := l.tree.Validate()
		if err != nil || leaves != len(l.boxes) {
			t.Fatalf("step %d: %d leaves for %d geoms, %v", step, leaves, len(l.boxes), err)
		}
		if step%10 > 0 {
			continue
		}
		for geom, leaf := range l.leaf {
			if g, box := l.tree.Leaf(leaf); g != geom || box != l.boxes[geom] {
				t.Fatalf("step %d: the leaf of geom %d holds %d, %v", step, geom, g, box)
			}
		}
		b := randomBox(r)
		got := l.tree.Query(&b, nil)
		slices.Sort(got)
		if want := l.overlapping(b); !slices.Equal(got, want) {
			t.Fatalf("step %d: %v overlap %v, want %v", step, got, b, want)
		}
	}
}

// nearest casts a ray against boxes as if they were the geoms: the distance at which it enters the first.
func (l *list) nearest(ray r3.Ray, limit float64) (best float64) {
	best = limit
	for _, box := range l.boxes {
		if d, ok := box.Hit(ray.Origin, ray.Inverse(), best); ok {
			best = min(best, d)
		}
	}
	return best
}

func TestARayVisitsTheNearestGeomAndSkipsTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	l := newList()
	for range 400 {
		l.change(r)
	}
	visits := 0
	for range 2000 {
		dir, _ := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
		ray := r3.Ray{Origin: r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(8), Dir: dir}
		best := 20.0
		inv := ray.Inverse()
		for stack := l.tree.StartRay(nil); ; {
			var geom int32
			if geom, stack = l.tree.NextOnRay(&ray, inv, best, stack); geom < 0 {
				break
			}
			visits++
			box := l.boxes[geom]
			d, ok := box.Hit(ray.Origin, inv, best)
			if !ok {
				t.Fatalf("geom %d is not on the ray within %v", geom, best)
			}
			best = min(best, d)
		}

		if want := l.nearest(ray, 20); best != want {
			t.Fatalf("ray %v comes %v far, want %v", ray, best, want)
		}
	}
	if visits > 2000*len(l.boxes)/4 {
		t.Errorf("%d visits of 2000 rays among %d geoms: nothing is culled", visits, len(l.boxes))
	}
}

func TestACopyOfATreeGoesOnAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	l := newList()
	for range 300 {
		l.change(r)
	}
	var c Tree
	c.CopyFrom(&l.tree)
	if c.Size() != l.tree.Size() || c.Size() == 0 {
		t.Errorf("the copy takes %d bytes, the tree %d", c.Size(), l.tree.Size())
	}
	for range 50 {
		box := randomBox(r)
		if a, b := c.Insert(99, box), l.tree.Insert(99, box); a != b {
			t.Fatalf("the copy's new leaf is %d, the tree's %d", a, b)
		}
		b := randomBox(r)
		if got, want := c.Query(&b, nil), l.tree.Query(&b, nil); !slices.Equal(got, want) {
			t.Fatalf("the copy answers %v, the tree %v", got, want)
		}
	}
}

func TestTreesThatHaveGrownAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	l := newList()
	for range 300 {
		l.change(r)
	}
	b, near := randomBox(r), make([]int32, 0, 100)
	if n := testing.AllocsPerRun(50, func() {
		leaf := l.tree.Insert(99, b)
		near = l.tree.Query(&b, near[:0])
		l.tree.Move(leaf, r3.BoxAround(r3.Vec{}, r3.V(1, 1, 1)))
		ray, geom := r3.Ray{Dir: r3.V(1, 0, 0)}, int32(0)
		var buf [64]RayNode
		for stack := l.tree.StartRay(buf[:0]); geom >= 0; {
			geom, stack = l.tree.NextOnRay(&ray, ray.Inverse(), 10, stack)
		}
		l.tree.Remove(leaf)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
