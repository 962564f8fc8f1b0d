package shape

import (
	"math"

	"simdeck/sim/r3"
)

// Proxy is a convex shape as the distance algorithm sees it: a core and a radius around it. It is a
// plain value so that package physics can keep one per geom and ask it without an interface call.
type Proxy struct {
	kind   proxyKind
	half   r3.Vec // box: half extents; segment: Z; disc: X is the radius, Z half the length
	points []r3.Vec
	near   *supportMap // of the points; nil: there are few
	scale  r3.Vec      // stretches a direction for near
	tri    [3]r3.Vec
	Radius float64 // all points within this distance of the core belong to the shape
}

type proxyKind uint8

const (
	proxyPoint proxyKind = iota
	proxySegment
	proxyBox
	proxyCylinder
	proxyPoints
	proxyTriangle
)

// ProxyOf is the proxy of a convex shape. Spheres and capsules have a core and a radius already. Of a box or
// cylinder, round is taken off the core and returned as radius, which rounds the edges and keeps the faces.
func ProxyOf(s Convex, round float64) Proxy {
	d := r3.Vec{X: round, Y: round, Z: round}
	switch s := s.(type) {
	case Sphere:
		return Proxy{kind: proxyPoint, Radius: s.Radius}
	case Capsule:
		return Proxy{kind: proxySegment, half: r3.Vec{Z: s.Half}, Radius: s.Radius}
	case Cylinder:
		return Proxy{kind: proxyCylinder, half: r3.Vec{X: s.Radius - round, Z: s.Half - round}, Radius: round}
	case Box:
		return Proxy{kind: proxyBox, half: s.Half.Sub(d), Radius: round}
	case *Hull:
		maps := s.prepare()
		return Proxy{kind: proxyPoints, points: s.vertices, near: maps.vertices, scale: maps.stretch}
	}
	return Proxy{}
}

// CoreOf is the proxy of a convex shape without its outer layer of a thickness less than its smallest half
// extent. Of a hull it is the hull drawn in towards its middle by as much along each axis of its frame.
func CoreOf(s Convex, layer float64) Proxy {
	d := r3.Vec{X: layer, Y: layer, Z: layer}
	switch s := s.(type) {
	case Sphere:
		return Proxy{kind: proxyPoint, Radius: s.Radius - layer}
	case Capsule:
		return Proxy{kind: proxySegment, half: r3.Vec{Z: s.Half}, Radius: s.Radius - layer}
	case Cylinder:
		return Proxy{kind: proxyCylinder, half: r3.Vec{X: s.Radius - layer, Z: s.Half - layer}}
	case Box:
		return Proxy{kind: proxyBox, half: s.Half.Sub(d)}
	case *Hull:
		h, middle := s.Bounds(r3.IdentityPose()).Half(), r3.Vec{}
		for _, v := range s.vertices {
			middle = middle.AddScaled(1/float64(len(s.vertices)), v)
		}
		part := r3.Vec{X: 1 - layer/h.X, Y: 1 - layer/h.Y, Z: 1 - layer/h.Z}
		points := make([]r3.Vec, len(s.vertices))
		for i, v := range s.vertices {
			off := v.Sub(middle)
			points[i] = middle.Add(off.Mul(part))
		}
		maps := s.prepare()
		return Proxy{kind: proxyPoints, points: points, near: maps.vertices, scale: maps.stretch.Mul(part)}
	}
	return Proxy{}
}

// TriangleProxy is a single triangle.
func TriangleProxy(a, b, c r3.Vec) Proxy {
	return Proxy{kind: proxyTriangle, tri: [3]r3.Vec{a, b, c}}
}

// support is a point of the core furthest along dir.
func (p *Proxy) support(dir r3.Vec) r3.Vec {
	switch p.kind {
	case proxySegment:
		return r3.Vec{Z: math.Copysign(p.half.Z, dir.Z)}
	case proxyBox:
		return Box{p.half}.Support(dir)
	case proxyCylinder:
		return Cylinder{p.half.X, p.half.Z}.Support(dir)
	case proxyPoints:
		return p.points[p.near.furthest(p.points, dir, dir.Mul(p.scale))]
	case proxyTriangle:
		return p.tri[furthestIndex(p.tri[:], dir)]
	}
	return r3.Vec{}
}

// Furthest is the support distance along a direction of unit length, from the origin of the shape's frame.
func (p *Proxy) Furthest(dir r3.Vec) float64 { return p.support(dir).Dot(dir) + p.Radius }

// pairSupport asks both proxies in the frame of the first.
type pairSupport struct {
	a, b *Proxy
	rot  r3.Mat // b's frame in a's
	pos  r3.Vec
}

// corner is a support point of the Minkowski difference A - B and what it came from.
type corner struct{ w, a, b r3.Vec }

func (p *pairSupport) at(dir r3.Vec) corner {
	a := p.a.support(dir)
	b := p.rot.Apply(p.b.support(p.rot.ApplyT(dir.Neg()))).Add(p.pos)
	return corner{a.Sub(b), a, b}
}
