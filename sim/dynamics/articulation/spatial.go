package articulation

import "simdeck/sim/r3"

// spatial is a Plücker vector about the articulation's origin (Featherstone, RBDA 2008, ch. 2). A motion
// vector is the angular velocity and the velocity of the body's point at the origin. A force vector is the
// moment and the force.
type spatial struct{ ang, lin r3.Vec }

// dot is the power of a force vector at a motion vector.
func (a *spatial) dot(b *spatial) float64 { return a.ang.Dot(b.ang) + a.lin.Dot(b.lin) }

func (a *spatial) add(b *spatial) {
	a.ang, a.lin = a.ang.Add(b.ang), a.lin.Add(b.lin)
}

func (a *spatial) addScaled(s float64, b *spatial) {
	a.ang, a.lin = a.ang.AddScaled(s, b.ang), a.lin.AddScaled(s, b.lin)
}

// linearAt is the velocity of the point at an arm from the origin.
func (a *spatial) linearAt(arm r3.Vec) r3.Vec { return a.lin.Add(a.ang.Cross(arm)) }

// inertia is a rigid-body spatial inertia: mass, first moment, and the rotational inertia about the origin
// (RBDA 2008, eq. 2.63).
type inertia struct {
	mass                   float64
	moment                 r3.Vec
	xx, xy, xz, yy, yz, zz float64
}

// set makes it the inertia of a body with tensor t about its COM at an arm from the origin.
func (i *inertia) set(mass float64, t *r3.Mat, arm r3.Vec) {
	h := arm.Scale(mass)
	x, y, z := float64(arm.X*h.X), float64(arm.Y*h.Y), float64(arm.Z*h.Z)
	i.mass, i.moment = mass, h
	i.xx, i.yy, i.zz = t.XX+y+z, t.YY+x+z, t.ZZ+x+y
	i.xy, i.xz, i.yz = t.XY-float64(arm.X*h.Y), t.XZ-float64(arm.X*h.Z), t.YZ-float64(arm.Y*h.Z)
}

func (i *inertia) add(o *inertia) {
	i.mass += o.mass
	i.moment = i.moment.Add(o.moment)
	i.xx += o.xx
	i.xy += o.xy
	i.xz += o.xz
	i.yy += o.yy
	i.yz += o.yz
	i.zz += o.zz
}

// momentum is the spatial momentum at a velocity.
func (i *inertia) momentum(v *spatial) spatial {
	ang, lin := i.apply(v.ang, v.lin)
	return spatial{ang, lin}
}

// apply is momentum of vectors that stay in registers.
func (i *inertia) apply(a, v r3.Vec) (ang, lin r3.Vec) {
	return r3.Vec{
		X: float64(i.xx*a.X) + float64(i.xy*a.Y) + float64(i.xz*a.Z),
		Y: float64(i.xy*a.X) + float64(i.yy*a.Y) + float64(i.yz*a.Z),
		Z: float64(i.xz*a.X) + float64(i.yz*a.Y) + float64(i.zz*a.Z),
	}.Add(i.moment.Cross(v)), v.Scale(i.mass).Sub(i.moment.Cross(a))
}
