package shape

// withAVX2 says that this processor, and the system on it, can run castAVX2.
var withAVX2 = hasAVX2()

// cast finds the triangle that the ray meets first; among equal distances, the first in the order of
// traversal.
func (w *wide) cast(r *wideRay) {
	if withAVX2 {
		castAVX2(&w.nodes[0], &w.blocks[0], r)
		return
	}
	w.walk(r)
}

// hasAVX2 asks the processor (CPUID leaves 1 and 7) and the system (XGETBV: it keeps the upper halves
// of registers).
func hasAVX2() bool

// castAVX2 is walk in assembly: the same operations in the same order on eight boxes or four
// triangles at once.
//
//go:noescape
func castAVX2(nodes *wideNode, blocks *block, r *wideRay)
