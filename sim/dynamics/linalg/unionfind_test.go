package linalg

import (
	"math/rand/v2"
	"testing"
)

// relabel is union by relabelling every element: the oracle.
func relabel(label []int, a, b int) {
	from, to := max(label[a], label[b]), min(label[a], label[b])
	for i := range label {
		if label[i] == from {
			label[i] = to
		}
	}
}

func TestSetsAreNamedByTheirSmallestMember(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s DisjointSets[int32]
	for range 200 {
		n := 1 + r.IntN(60)
		s = s.Reset(n)
		label := make([]int, n)
		for i := range label {
			label[i] = i
		}
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			relabel(label, a, b)
			if root := s.Union(int32(a), int32(b)); int(root) != label[a] {
				t.Fatalf("union of %d and %d has root %d, want %d", a, b, root, label[a])
			}
		}
		for i := range label {
			if root := s.Find(int32(i)); int(root) != label[i] {
				t.Fatalf("%d is in the set of %d, want %d", i, root, label[i])
			}
		}
	}
}

func TestTheOrderOfUnionsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40
	for range 50 {
		edges := make([][2]int, 30)
		for i := range edges {
			edges[i] = [2]int{r.IntN(n), r.IntN(n)}
		}
		a, b := DisjointSets[int]{}.Reset(n), DisjointSets[int]{}.Reset(n)
		for _, e := range edges {
			a.Union(e[0], e[1])
		}
		for _, i := range r.Perm(len(edges)) {
			b.Union(edges[i][1], edges[i][0])
		}
		for i := range n {
			if a.Find(i) != b.Find(i) {
				t.Fatalf("%d is in the set of %d or of %d", i, a.Find(i), b.Find(i))
			}
		}
	}
}
