package vehicle

import (
	"math"

	"simdeck/sim/r3"
)

// Of the dynamic bicycle.
const (
	slipStep = 0.001 // s: the slip of tyres is followed in steps no longer
	grip     = 1.0   // friction of a tyre: it slides beyond its share of the weight
	gravity  = 9.81  // m/s²
)

// slip moves a car with mass by a step from steering angle steer to the current one, and to the given forward
// speed. It is the linear bicycle of R. Rajamani, "Vehicle Dynamics and Control" (2012), section 2.3, whose
// lateral forces end at the grip of the tyres:
//
//	m (v̇ + u r) = Ff cos δ + Fr       Ff = -Cf ((v + a r)/u - tan δ)
//	I ṙ = a Ff cos δ - b Fr           Fr = -Cr (v - b r)/u
//
// The equations are solved implicitly, multiplied by u, so that they hold at a stand, where they give tyres
// without slip.
func (d *Drive) slip(steer, speed, dt float64) {
	n := max(1, int(math.Ceil(dt/slipStep)))
	h := dt / float64(n)
	from, to := d.linear, speed
	for i := range n {
		part := float64(i+1) / float64(n)
		delta := steer + float64((d.steer-steer)*part)
		d.linear = from + float64((to-from)*part)
		d.slide(delta, h)
	}
	d.linear = to
}

// slide is one of these steps.
func (d *Drive) slide(delta, h float64) {
	c := d.spec.Car
	sin, cos := r3.SinCos(delta)
	tan := sin / cos
	u := math.Abs(d.linear)
	ahead := math.Copysign(1, d.linear)
	weight := float64(c.Mass*gravity) / (c.Front + c.Rear)
	cf := d.held(c.FrontStiffness, float64(grip*weight*c.Rear),
		(d.lateral+float64(c.Front*d.angular))*ahead-float64(u*tan), u)
	cr := d.held(c.RearStiffness, float64(grip*weight*c.Front), (d.lateral-float64(c.Rear*d.angular))*ahead,
		u)
	cf = float64(cf * cos)
	a, b := c.Front, c.Rear
	// (u + h cf/m + h cr/m) v + (h u² + h (a cf - b cr)/m) r = u v₀ + h cf/m |u| tan δ, and likewise for r.
	// The sign of u is with tan δ, because a car in reverse steers the other way.
	m11 := u + float64(h*(cf+cr))/c.Mass
	m12 := float64(h*float64(u*d.linear)) + float64(h*(float64(a*cf)-float64(b*cr)))/c.Mass
	m21 := float64(h*(float64(a*cf)-float64(b*cr))) / c.Inertia
	m22 := u + float64(h*(float64(a*a*cf)+float64(b*b*cr)))/c.Inertia
	push := float64(h * cf * float64(d.linear*tan))
	r1 := float64(u*d.lateral) + push/c.Mass
	r2 := float64(u*d.angular) + float64(a*push)/c.Inertia
	det := float64(m11*m22) - float64(m12*m21)
	if !(math.Abs(det) > 1e-300) {
		d.lateral, d.angular = 0, 0
		return
	}
	d.lateral = (float64(r1*m22) - float64(m12*r2)) / det
	d.angular = (float64(m11*r2) - float64(m21*r1)) / det
}

// held is the stiffness of an axle that slips sideways at a speed: less, where its
// force would be more than its grip.
func (d *Drive) held(stiffness, most, sideways, u float64) float64 {
	if force := math.Abs(float64(stiffness * sideways)); force > float64(most*u) && u > 0.1 {
		return float64(stiffness*float64(most*u)) / force
	}
	return stiffness
}
