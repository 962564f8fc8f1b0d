package dynamics

import (
	"simdeck/sim/dynamics/collide"
	"simdeck/sim/r3"
)

// reduceFrom begins a manifold with at most four of the points found. Com is A's center of mass.
func (m *manifold) reduceFrom(found *collide.Manifold, com r3.Vec) {
	var keep [maxManifoldPoints]int
	n := found.Reduce(&keep)
	*m = manifold{normal: found.Normal, n: int32(n)}
	for i := range n {
		p := &found.Points[keep[i]]
		m.points[i], m.ids[i] = contactPoint{arm: p.Position.Sub(com), gapWhenFound: p.Gap, gap: p.Gap}, p.ID
	}
}

// inherit warm-starts a manifold from one of the step before: friction, and the impulses of points whose
// features are the same.
func (m *manifold) inherit(old *manifold) {
	if m.normal.Dot(old.normal) > 0.9 && m.friction == (r3.Vec{}) {
		m.friction, m.rolling, m.spin = old.friction, old.rolling, old.spin
	}
	m.noWarmStart = m.noWarmStart || old.noWarmStart
	var taken [maxManifoldPoints]bool
	for i := range m.n {
		for k := range old.n {
			if old.ids[k] == m.ids[i] && !taken[k] {
				m.impulses[i], m.matched[i], taken[k] = old.impulses[k], true, true
				break
			}
		}
	}
	m.inheritNearby(old, &taken)
}

// matchDistance2 is how far, in m², a point may have moved and still be the same when its features have
// changed: a vertex that slips over an edge becomes a crossing of edges.
const matchDistance2 = 0.01 * 0.01

// inheritNearby gives impulses that no feature has matched to new points at the same places.
func (m *manifold) inheritNearby(old *manifold, taken *[maxManifoldPoints]bool) {
	for i := range m.n {
		if m.matched[i] {
			continue
		}
		at, best := int32(-1), matchDistance2
		for k := range old.n {
			if d := old.points[k].arm.Sub(m.points[i].arm).Len2(); !taken[k] && d < best {
				at, best = k, d
			}
		}
		if at >= 0 {
			m.impulses[i], m.matched[i], taken[at] = old.impulses[at], true, true
		}
	}
}
