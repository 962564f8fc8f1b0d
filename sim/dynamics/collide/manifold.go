package collide

import (
	"math"

	"simdeck/sim/r3"
)

const (
	// MaxPoints is the number of points that Reduce keeps of a manifold.
	MaxPoints = 4
	// MaxManifolds bounds the manifolds, one for each normal, of a pair with a surface. Other pairs have one.
	MaxManifolds = 4
	// maxCandidates is the capacity of a manifold before Reduce.
	maxCandidates = 32
)

// Manifold is the contact points found for one normal, before their number is reduced.
type Manifold struct {
	Normal r3.Vec // unit length, from A to B
	Count  int
	Points [maxCandidates]Point
}

// Point is a contact point.
type Point struct {
	Position r3.Vec  // on A's surface
	Gap      float64 // m along the normal; negative in overlap
	ID       uint32  // names the features that meet: equal in successive steps while they stay the same
}

func (m *Manifold) start(normal r3.Vec) { m.Normal, m.Count = normal, 0 }

// add appends a point. A full manifold is reduced first.
func (m *Manifold) add(position r3.Vec, gap float64, id uint32) {
	if m.Count == len(m.Points) {
		var keep [MaxPoints]int
		n := m.Reduce(&keep)
		var best [MaxPoints]Point
		for i := range n {
			best[i] = m.Points[keep[i]]
		}
		m.Count = copy(m.Points[:], best[:n])
	}
	m.Points[m.Count] = Point{position, gap, id}
	m.Count++
}

// merge adds the points of another manifold that are not yet there: triangles share their edges.
func (m *Manifold) merge(other *Manifold) {
	for i := range other.Count {
		p, found := &other.Points[i], false
		for k := range m.Count {
			if m.Points[k].Position.Sub(p.Position).Len2() < 1e-10 {
				found = true
				break
			}
		}
		if !found {
			m.add(p.Position, p.Gap, p.ID)
		}
	}
}

// minGap is the gap of the deepest point, in m. The manifold is not empty.
func (m *Manifold) minGap() float64 {
	g := m.Points[0].Gap
	for i := range m.Count {
		g = min(g, m.Points[i].Gap)
	}
	return g
}

// removeBehind drops the points with a negative gap. It reports whether any are left.
func (m *Manifold) removeBehind() bool {
	n := 0
	for i := range m.Count {
		if m.Points[i].Gap >= 0 {
			m.Points[n] = m.Points[i]
			n++
		}
	}
	m.Count = n
	return n > 0
}

// transform moves the manifold from a frame whose pose is p into p's parent frame.
func (m *Manifold) transform(p r3.Pose) {
	m.Normal = p.Rot.Rotate(m.Normal)
	for i := range m.Count {
		m.Points[i].Position = p.Apply(m.Points[i].Position)
	}
}

// swapSides makes B's surface the first: points move over the gap and the normal turns round.
func (m *Manifold) swapSides() {
	for i := range m.Count {
		p := &m.Points[i]
		p.Position = p.Position.AddScaled(p.Gap, m.Normal)
	}
	m.Normal = m.Normal.Neg()
}

const (
	// DepthTolerance is the difference in depth, m, within which a point counts as deepest in Reduce.
	DepthTolerance = 5e-4
	// relativeDepthTolerance bounds it as a part of the distance of the points from their middle, for small
	// manifolds.
	relativeDepthTolerance = 0.01
	// reduceHysteresis is the factor by which a later point must be better. It keeps the choice steady
	// between steps.
	reduceHysteresis = 1.0001
)

// Reduce chooses at most four points that support a load as all of them would, and returns how many. Keep has
// their indices. They are the outermost of the deepest points, the furthest from it, and the two spanning the
// largest area on either side. A distance counts less the height above the deepest point: of a thin plate the
// lower corners support it, not the upper ones.
func (m *Manifold) Reduce(keep *[MaxPoints]int) int {
	if m.Count <= MaxPoints {
		for i := range m.Count {
			keep[i] = i
		}
		return m.Count
	}
	deepest, least := m.deepestOutermost()
	a := m.Points[deepest].Position
	far, out, best := deepest, r3.Vec{}, 0.0
	for i := range m.Count {
		v := m.Points[i].Position.Sub(a)
		v = v.AddScaled(-v.Dot(m.Normal), m.Normal)
		if d := v.Len() - (m.Points[i].Gap - least); d > float64(best*reduceHysteresis) {
			far, best, out = i, d, v
		}
	}
	side, _ := out.Cross(m.Normal).Unit()
	left, right, minSide, maxSide := deepest, deepest, 1e-9, 1e-9
	for i := range m.Count {
		d, height := m.Points[i].Position.Sub(a).Dot(side), m.Points[i].Gap-least
		if d-height > float64(maxSide*reduceHysteresis) {
			right, maxSide = i, d-height
		}
		if -d-height > float64(minSide*reduceHysteresis) {
			left, minSide = i, -d-height
		}
	}
	n := 0
	for _, i := range [MaxPoints]int{deepest, far, right, left} {
		duplicate := false
		for k := range n {
			duplicate = duplicate || keep[k] == i
		}
		if !duplicate {
			keep[n] = i
			n++
		}
	}
	return n
}

// deepestOutermost is the index of the point furthest from the middle among the deepest, and the smallest gap
// in m.
func (m *Manifold) deepestOutermost() (int, float64) {
	var middle r3.Vec
	for i := range m.Count {
		middle = middle.AddScaled(1/float64(m.Count), m.Points[i].Position)
	}
	span := 0.0
	for i := range m.Count {
		span = max(span, m.Points[i].Position.Sub(middle).Len2())
	}
	least := m.minGap()
	limit := least + min(DepthTolerance, float64(relativeDepthTolerance*math.Sqrt(span)))
	at, best := -1, 0.0
	for i := range m.Count {
		d := m.Points[i].Position.Sub(middle).Len2()
		if m.Points[i].Gap <= limit && (at < 0 || d > float64(best*reduceHysteresis)) {
			at, best = i, d
		}
	}
	return at, least
}
