package linalg

// DisjointSets is a union-find over the numbers from 0: a forest in which each element points towards the
// root of its set. The root is always the smallest member, so that no result depends on the order of unions.
// Paths are halved on the way (Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984).
type DisjointSets[I int | int32] []I

// Reset returns n sets of one element each, in the memory of s.
func (s DisjointSets[I]) Reset(n int) DisjointSets[I] {
	s = Grow(s, n)
	for i := range s {
		s[i] = I(i)
	}
	return s
}

// Find returns the root of the set that holds i.
func (s DisjointSets[I]) Find(i I) I {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Union merges the sets that hold a and b, and returns the root.
func (s DisjointSets[I]) Union(a, b I) I {
	a, b = s.Find(a), s.Find(b)
	root := min(a, b)
	s[max(a, b)] = root
	return root
}
