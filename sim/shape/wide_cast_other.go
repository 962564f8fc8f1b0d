//go:build !amd64

package shape

// cast finds the triangle that the ray meets first; among equal distances, the first in the order of
// traversal.
func (w *wide) cast(r *wideRay) { w.walk(r) }
