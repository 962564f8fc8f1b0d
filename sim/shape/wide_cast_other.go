//go:build !amd64

package shape

// cast finds the triangle that the ray meets first; of those at the same distance the one that it
// comes to first on its way through the tree.
func (w *wide) cast(r *wideRay) { w.walk(r) }
