package transmission

import (
	"math"

	"simdeck/sim/r3"
)

// A string wraps around a shape along a shortest line. On a sphere it lies in the plane of its ends and the
// center. On a cylinder it is a straight line of the unrolled surface. Both come down to a circle in a plane.

// point is a point of that plane, whose origin is the center of the circle.
type point struct{ x, y float64 }

func (p point) dot(q point) float64    { return float64(p.x*q.x) + float64(p.y*q.y) }
func (p point) cross(q point) float64  { return float64(p.x*q.y) - float64(p.y*q.x) }
func (p point) minus(q point) point    { return point{p.x - q.x, p.y - q.y} }
func (p point) plus(q point) point     { return point{p.x + q.x, p.y + q.y} }
func (p point) scale(k float64) point  { return point{float64(k * p.x), float64(k * p.y)} }
func (p point) length() float64        { return math.Sqrt(p.dot(p)) }
func (p point) turned(a float64) point { s, c := r3.SinCos(a); return p.rotated(s, c) }
func (p point) rotated(s, c float64) point {
	return point{float64(c*p.x) - float64(s*p.y), float64(s*p.x) + float64(c*p.y)}
}

// unit is the direction of p; x where it has none.
func (p point) unit() point {
	if l := p.length(); l > 0 {
		return p.scale(1 / l)
	}
	return point{x: 1}
}

// wrap finds where a string between two points touches a shape, and how long it lies on it. It is false where
// the string passes the shape.
func wrap(kind Kind, pose r3.Pose, radius float64, from, to r3.Vec, side *r3.Vec) (a, b r3.Vec, arc float64,
	wraps bool) {
	p, q := pose.ApplyInverse(from), pose.ApplyInverse(to)
	x, y := r3.V(1, 0, 0), r3.V(0, 1, 0)
	if kind == Sphere {
		var ok bool
		if x, ok = p.Unit(); !ok {
			return a, b, 0, false
		}
		normal, ok := p.Cross(q).Unit()
		if !ok || p.Cross(q).Len() < minTurn*p.Len()*q.Len() { // any plane through them does
			_, normal = x.Basis()
		}
		y = normal.Cross(x)
	}
	flat := func(v r3.Vec) point { return point{v.Dot(x), v.Dot(y)} }
	c := circle{radius: radius, from: flat(p), to: flat(q)}
	inside := false
	if side != nil {
		s := pose.ApplyInverse(*side)
		inside = s.Len() < radius
		c.sided, c.side = true, flat(s).unit()
	}
	var on [2]point
	if inside {
		on, wraps = c.inside()
	} else {
		on, arc, wraps = c.outside()
	}
	if !wraps {
		return a, b, 0, false
	}
	a, b = x.Scale(on[0].x).AddScaled(on[0].y, y), x.Scale(on[1].x).AddScaled(on[1].y, y)
	if kind == Cylinder {
		before, after := c.from.minus(on[0]).length(), c.to.minus(on[1]).length()
		whole := before + arc + after
		rise := 0.0
		if whole > 0 {
			rise = (q.Z - p.Z) / whole
		}
		a.Z, b.Z = p.Z+float64(rise*before), p.Z+float64(rise*(before+arc))
		climb := float64(rise * arc)
		arc = math.Sqrt(float64(arc*arc) + float64(climb*climb))
	}
	return pose.Apply(a), pose.Apply(b), arc, true
}

// circle is a circle about the origin, and the ends of a string in its plane.
type circle struct {
	radius   float64
	from, to point
	sided    bool
	side     point // a direction
}

const (
	// minTurn is the least angle, rad, between the ends of a string at which they tell a plane.
	minTurn = 1e-10
	// insideTolerance is the least distance, relative to 1, of the sine of an angle of incidence from 1.
	insideTolerance = 1e-7
	// insideIterations bounds Newton's method for the point at which a string lies inside of a circle.
	insideIterations = 40
)

// outside wraps the string around the outside, where it would pass through the circle. With a side beyond the
// center, as both ends see it, the string always goes there.
func (c *circle) outside() (on [2]point, arc float64, wraps bool) {
	r2 := float64(c.radius * c.radius)
	if c.from.dot(c.from) < r2 || c.to.dot(c.to) < r2 {
		return on, 0, false
	}
	along := c.to.minus(c.from)
	l2 := along.dot(along)
	if l2 == 0 {
		return on, 0, false
	}
	nearest := c.from.plus(along.scale(max(0, min(1, -along.dot(c.from)/l2))))
	beyond := c.sided && c.isBeyond(c.side)
	if nearest.dot(nearest) > r2 && !beyond {
		return on, 0, false
	}
	best := math.Inf(-1)
	turn := 0.0
	for _, way := range [2]float64{1, -1} {
		a, b := c.tangent(c.from, way), c.tangent(c.to, -way)
		good := -a.minus(b).dot(a.minus(b))
		if beyond {
			good = a.plus(b).unit().dot(c.side)
		}
		if crossing(c.from, a, c.to, b) {
			good = math.Inf(-1)
		}
		if good > best {
			best, on, turn = good, [2]point{a, b}, way
		}
	}
	if math.IsInf(best, -1) {
		return on, 0, false
	}
	angle := float64(turn * r3.Atan2(on[0].cross(on[1]), on[0].dot(on[1])))
	if angle < 0 {
		angle += 2 * math.Pi
	}
	return on, float64(c.radius * angle), true
}

// isBeyond reports that a direction is −α·from − β·to, with α and β not negative.
func (c *circle) isBeyond(d point) bool {
	turn := c.from.cross(c.to)
	a, b := -d.cross(c.to), -c.from.cross(d)
	return turn != 0 && float64(a*turn) >= 0 && float64(b*turn) >= 0
}

// tangent is the point of the circle at which a line from p touches it. From there it goes on in the positive
// sense of rotation for way 1, in the negative for -1.
func (c *circle) tangent(p point, way float64) point {
	l := p.length()
	cos := min(1, c.radius/l)
	sin := math.Sqrt(max(0, 1-float64(cos*cos)))
	return p.scale(c.radius/l).rotated(float64(way*sin), cos)
}

// crossing reports that two straight pieces have a point in common.
func crossing(a, b, c, d point) bool {
	u, v := b.minus(a), d.minus(c)
	det := u.cross(v)
	if det == 0 {
		return false
	}
	w := c.minus(a)
	s, t := w.cross(v)/det, w.cross(u)/det
	return s >= 0 && s <= 1 && t >= 0 && t <= 1
}

// inside finds the point where a string that is held inside of the circle touches it, as light is reflected.
// It is false where the string passes the circle by itself.
func (c *circle) inside() (on [2]point, wraps bool) {
	l0, l1 := c.from.length(), c.to.length()
	if l0 <= c.radius || l1 <= c.radius {
		return on, false
	}
	along := c.to.minus(c.from)
	if l2 := along.dot(along); l2 > 0 {
		if k := -along.dot(c.from) / l2; k > 0 && k < 1 {
			if c.from.plus(along.scale(k)).length() <= c.radius {
				return on, false
			}
		}
	}
	middle := c.from.plus(c.to).unit().scale(c.radius)
	on = [2]point{middle, middle}
	between := math.Abs(r3.Atan2(c.from.cross(c.to), c.from.dot(c.to)))
	if math.Pi-between < minTurn {
		return on, false
	}
	z, ok := incidence(c.radius/l0, c.radius/l1, between)
	if !ok {
		return on, true
	}
	var at point
	if c.from.cross(c.to) > 0 {
		at = c.from.unit().turned(r3.Asin(z) - r3.Asin(float64(c.radius/l0*z)))
	} else {
		at = c.to.unit().turned(r3.Asin(z) - r3.Asin(float64(c.radius/l1*z)))
	}
	at = at.scale(c.radius)
	return [2]point{at, at}, true
}

// incidence is the sine z of the angle at which both pieces meet the circle, by Newton's method on
// asin(a·z) + asin(b·z) − 2·asin(z) + angle = 0. It is false where there is none.
func incidence(a, b, angle float64) (z float64, ok bool) {
	value := func(z float64) float64 {
		return r3.Asin(float64(a*z)) + r3.Asin(float64(b*z)) - float64(2*r3.Asin(z)) + angle
	}
	slope := func(k, z float64) float64 {
		return k / math.Sqrt(max(1e-15, 1-float64(float64(k*k)*float64(z*z))))
	}
	z = 1 - insideTolerance
	f := value(z)
	if f > 0 {
		return 0, false
	}
	for range insideIterations {
		d := slope(a, z) + slope(b, z) - float64(2*slope(1, z))
		if d >= 0 {
			return 0, false
		}
		next := z - f/d
		if next > z || next < 0 {
			return 0, false
		}
		z, f = next, value(next)
		if math.Abs(f) <= 1e-12 {
			return z, true
		}
	}
	return z, math.Abs(f) < 1e-6
}
