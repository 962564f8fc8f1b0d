package shape

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/r3"
)

func TestATreeOfBoxesFindsThoseThatOverlapAndNoOther(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 4, 5, 100, 3000} {
		boxes := make([]r3.Box, n)
		for i := range boxes {
			at := r3.V(random.Float64(), random.Float64(), 0) // level: no spread along z
			boxes[i] = r3.Box{Min: at, Max: at.Add(r3.V(0.05, 0.02, 0.1))}
		}
		tree := NewBoxTree(boxes)
		for range 50 {
			at := r3.V(random.Float64(), random.Float64(), 0)
			asked := r3.Box{Min: at, Max: at.Add(r3.V(0.1, 0.1, 0.1))}
			var got, want []int32
			tree.Query(asked, func(i int32) bool { got = append(got, i); return true })
			for i := range boxes {
				if boxes[i].Overlaps(asked) {
					want = append(want, int32(i))
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("of %d boxes %v overlap, want %v", n, got, want)
			}
		}
	}
}
