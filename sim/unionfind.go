package sim

// unionFind are disjoint sets of small numbers (union–find); each is named by its
// smallest member.
type unionFind []int

func newUnionFind(n int) unionFind {
	s := make(unionFind, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// find is the name of the set that i is in.
func (s unionFind) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join makes one set of two.
func (s unionFind) join(a, b int) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}
