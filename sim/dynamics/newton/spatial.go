package newton

import "simdeck/sim/r3"

// Vector6 is a spatial vector about the origin of its tree: a twist or a wrench. A twist is the angular
// velocity and the velocity of the point at the origin, a wrench the moment and the force.
type Vector6 struct{ Ang, Lin r3.Vec }

// Dot is the product of a twist and a wrench.
func (a *Vector6) Dot(b *Vector6) float64 { return a.Ang.Dot(b.Ang) + a.Lin.Dot(b.Lin) }

// addScaled adds k·b.
func (a *Vector6) addScaled(k float64, b *Vector6) {
	a.Ang.X += float64(k * b.Ang.X)
	a.Ang.Y += float64(k * b.Ang.Y)
	a.Ang.Z += float64(k * b.Ang.Z)
	a.Lin.X += float64(k * b.Lin.X)
	a.Lin.Y += float64(k * b.Lin.Y)
	a.Lin.Z += float64(k * b.Lin.Z)
}

// Symmetric6 is a symmetric 6×6 matrix: a spatial inertia, or the curvature of what holds a body. Its blocks
// are angular, angular–linear and linear.
type Symmetric6 struct {
	aa [6]float64 // xx xy xz yy yz zz
	al [9]float64
	ll [6]float64
}

// Inertia is the spatial inertia of a mass whose center is at c from the origin, with the rotational inertia
// about its center.
func Inertia(mass float64, c r3.Vec, rot *r3.Mat) (s Symmetric6) {
	m := c.Scale(mass)
	s.aa = [6]float64{
		rot.XX + float64(m.Y*c.Y) + float64(m.Z*c.Z), rot.XY - float64(m.X*c.Y), rot.XZ - float64(m.X*c.Z),
		rot.YY + float64(m.X*c.X) + float64(m.Z*c.Z), rot.YZ - float64(m.Y*c.Z),
		rot.ZZ + float64(m.X*c.X) + float64(m.Y*c.Y),
	}
	s.al = [9]float64{0, -m.Z, m.Y, m.Z, 0, -m.X, -m.Y, m.X, 0}
	s.ll = [6]float64{mass, 0, 0, mass, 0, mass}
	return s
}

// add adds another matrix.
func (s *Symmetric6) add(o *Symmetric6) {
	for i := range 6 {
		s.aa[i] += o.aa[i]
		s.ll[i] += o.ll[i]
	}
	for i := range 9 {
		s.al[i] += o.al[i]
	}
}

// addOuter adds k·f·fᵀ.
func (s *Symmetric6) addOuter(k float64, f *Vector6) {
	ax, ay, az := float64(k*f.Ang.X), float64(k*f.Ang.Y), float64(k*f.Ang.Z)
	lx, ly, lz := float64(k*f.Lin.X), float64(k*f.Lin.Y), float64(k*f.Lin.Z)
	a, l := &f.Ang, &f.Lin
	s.aa[0] += float64(ax * a.X)
	s.aa[1] += float64(ax * a.Y)
	s.aa[2] += float64(ax * a.Z)
	s.aa[3] += float64(ay * a.Y)
	s.aa[4] += float64(ay * a.Z)
	s.aa[5] += float64(az * a.Z)
	s.al[0] += float64(ax * l.X)
	s.al[1] += float64(ax * l.Y)
	s.al[2] += float64(ax * l.Z)
	s.al[3] += float64(ay * l.X)
	s.al[4] += float64(ay * l.Y)
	s.al[5] += float64(ay * l.Z)
	s.al[6] += float64(az * l.X)
	s.al[7] += float64(az * l.Y)
	s.al[8] += float64(az * l.Z)
	s.ll[0] += float64(lx * l.X)
	s.ll[1] += float64(lx * l.Y)
	s.ll[2] += float64(lx * l.Z)
	s.ll[3] += float64(ly * l.Y)
	s.ll[4] += float64(ly * l.Z)
	s.ll[5] += float64(lz * l.Z)
}

// times returns the product with a twist.
func (s *Symmetric6) times(v *Vector6) (f Vector6) {
	a, l := &v.Ang, &v.Lin
	f.Ang.X = float64(s.aa[0]*a.X) + float64(s.aa[1]*a.Y) + float64(s.aa[2]*a.Z) +
		float64(s.al[0]*l.X) + float64(s.al[1]*l.Y) + float64(s.al[2]*l.Z)
	f.Ang.Y = float64(s.aa[1]*a.X) + float64(s.aa[3]*a.Y) + float64(s.aa[4]*a.Z) +
		float64(s.al[3]*l.X) + float64(s.al[4]*l.Y) + float64(s.al[5]*l.Z)
	f.Ang.Z = float64(s.aa[2]*a.X) + float64(s.aa[4]*a.Y) + float64(s.aa[5]*a.Z) +
		float64(s.al[6]*l.X) + float64(s.al[7]*l.Y) + float64(s.al[8]*l.Z)
	f.Lin.X = float64(s.al[0]*a.X) + float64(s.al[3]*a.Y) + float64(s.al[6]*a.Z) +
		float64(s.ll[0]*l.X) + float64(s.ll[1]*l.Y) + float64(s.ll[2]*l.Z)
	f.Lin.Y = float64(s.al[1]*a.X) + float64(s.al[4]*a.Y) + float64(s.al[7]*a.Z) +
		float64(s.ll[1]*l.X) + float64(s.ll[3]*l.Y) + float64(s.ll[4]*l.Z)
	f.Lin.Z = float64(s.al[2]*a.X) + float64(s.al[5]*a.Y) + float64(s.al[8]*a.Z) +
		float64(s.ll[2]*l.X) + float64(s.ll[4]*l.Y) + float64(s.ll[5]*l.Z)
	return f
}

// InertiaAtOrigin is the spatial inertia of a mass with its first moment and the rotational inertia about the
// origin.
func InertiaAtOrigin(mass float64, m r3.Vec, rot *r3.Mat) (s Symmetric6) {
	s.aa = [6]float64{rot.XX, rot.XY, rot.XZ, rot.YY, rot.YZ, rot.ZZ}
	s.al = [9]float64{0, -m.Z, m.Y, m.Z, 0, -m.X, -m.Y, m.X, 0}
	s.ll = [6]float64{mass, 0, 0, mass, 0, mass}
	return s
}
