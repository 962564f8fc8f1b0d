package model

// unionFind is disjoint sets of small numbers (union–find with path halving); the smallest member names its
// set.
type unionFind []int

func newUnionFind(n int) unionFind {
	s := make(unionFind, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// find is the name of the set with i.
func (s unionFind) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join unites the sets of a and b.
func (s unionFind) join(a, b int) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
