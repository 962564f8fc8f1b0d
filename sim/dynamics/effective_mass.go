package dynamics

import "simdeck/sim/r3"

// Effective masses and inverse inertias of impulses at bodies and joints.

// applyInvInertia is I⁻¹·j, the angular velocity by an angular impulse.
func (t *bodyMass) applyInvInertia(j r3.Vec) r3.Vec { return t.invInertia.Times(j) }

// leverMass is the inverse effective mass of a point at an arm by rotation: [arm]×ᵀ·I⁻¹·[arm]×.
func leverMass(inv *r3.Mat, arm r3.Vec) r3.Mat {
	if arm == (r3.Vec{}) {
		return r3.Mat{}
	}
	x, y, z := arm.X, arm.Y, arm.Z // e.g. x × arm is (0, z, -y); zero terms are omitted
	xY, xZ := float64(inv.YY*z)-float64(inv.YZ*y), float64(inv.ZY*z)-float64(inv.ZZ*y)
	yX, yY, yZ := float64(inv.XZ*x)-float64(inv.XX*z), float64(inv.YZ*x)-float64(inv.YX*z),
		float64(inv.ZZ*x)-float64(inv.ZX*z)
	zX, zY, zZ := float64(inv.XX*y)-float64(inv.XY*x), float64(inv.YX*y)-float64(inv.YY*x),
		float64(inv.ZX*y)-float64(inv.ZY*x)
	xy, xz, yz := float64(z*yY)-float64(y*yZ), float64(z*zY)-float64(y*zZ), float64(x*zZ)-float64(z*zX)
	return r3.Mat{
		XX: float64(z*xY) - float64(y*xZ), XY: xy, XZ: xz,
		YX: xy, YY: float64(x*yZ) - float64(z*yX), YZ: yz,
		ZX: xz, ZY: yz, ZZ: float64(y*zX) - float64(x*zY),
	}
}

// anchorMass is the inverse effective mass of the two ends against an impulse between them.
func (r *jointConstraint) anchorMass(s *solver, wa, wb *bodyMass) r3.Mat {
	if r.onArticulation {
		return r.linkMass(s)
	}
	a, b := leverMass(&wa.invInertia, r.armA), leverMass(&wb.invInertia, r.armB)
	im := wa.invMass + wb.invMass
	k := a.Add(b)
	k.XX += im
	k.YY += im
	k.ZZ += im
	return k
}

// inverseSymmetric is the inverse of a symmetric matrix; zero for a singular one.
func inverseSymmetric(m *r3.Mat) r3.Mat {
	a := float64(m.YY*m.ZZ) - float64(m.YZ*m.YZ)
	b := float64(m.XZ*m.YZ) - float64(m.XY*m.ZZ)
	c := float64(m.XY*m.YZ) - float64(m.XZ*m.YY)
	det := float64(m.XX*a) + float64(m.XY*b) + float64(m.XZ*c)
	if det == 0 {
		return r3.Mat{}
	}
	k := 1 / det
	yy := float64(m.XX*m.ZZ) - float64(m.XZ*m.XZ)
	yz := float64(m.XY*m.XZ) - float64(m.XX*m.YZ)
	zz := float64(m.XX*m.YY) - float64(m.XY*m.XY)
	a, b, c = float64(a*k), float64(b*k), float64(c*k)
	yy, yz, zz = float64(yy*k), float64(yz*k), float64(zz*k)
	return r3.Mat{XX: a, XY: b, XZ: c, YX: b, YY: yy, YZ: yz, ZX: c, ZY: yz, ZZ: zz}
}

// planarMass is the inverse of k in the plane of p1 and p2.
func planarMass(k *r3.Mat, p1, p2 r3.Vec) r3.Mat {
	k1, k2 := k.Times(p1), k.Times(p2)
	k11, k12, k22 := p1.Dot(k1), p1.Dot(k2), p2.Dot(k2)
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	return r3.Mat{XX: float64(k22 * det), XY: float64(-k12 * det), YX: float64(-k12 * det),
		YY: float64(k11 * det)}
}
