package r3

import "math"

// Mat is a 3×3 matrix, row by row.
type Mat struct {
	XX, XY, XZ float64
	YX, YY, YZ float64
	ZX, ZY, ZZ float64
}

// Diag is the matrix with d on its diagonal.
func Diag(d Vec) Mat { return Mat{XX: d.X, YY: d.Y, ZZ: d.Z} }

// Columns is the matrix with the columns x, y, z.
func Columns(x, y, z Vec) Mat {
	return Mat{x.X, y.X, z.X, x.Y, y.Y, z.Y, x.Z, y.Z, z.Z}
}

// Skew is the matrix that makes a cross product: Skew(a)·b = a×b.
func Skew(a Vec) Mat { return Mat{0, -a.Z, a.Y, a.Z, 0, -a.X, -a.Y, a.X, 0} }

// Apply returns m·v.
func (m Mat) Apply(v Vec) Vec {
	return Vec{
		float64(m.XX*v.X) + float64(m.XY*v.Y) + float64(m.XZ*v.Z),
		float64(m.YX*v.X) + float64(m.YY*v.Y) + float64(m.YZ*v.Z),
		float64(m.ZX*v.X) + float64(m.ZY*v.Y) + float64(m.ZZ*v.Z),
	}
}

// ApplyT returns mᵀ·v.
func (m Mat) ApplyT(v Vec) Vec {
	return Vec{
		float64(m.XX*v.X) + float64(m.YX*v.Y) + float64(m.ZX*v.Z),
		float64(m.XY*v.X) + float64(m.YY*v.Y) + float64(m.ZY*v.Z),
		float64(m.XZ*v.X) + float64(m.YZ*v.Y) + float64(m.ZZ*v.Z),
	}
}

// Mul returns m·n.
func (m Mat) Mul(n Mat) Mat {
	return Columns(m.Apply(n.Col(0)), m.Apply(n.Col(1)), m.Apply(n.Col(2)))
}

// T is the transpose.
func (m Mat) T() Mat { return Mat{m.XX, m.YX, m.ZX, m.XY, m.YY, m.ZY, m.XZ, m.YZ, m.ZZ} }

// Add returns m + n.
func (m Mat) Add(n Mat) Mat {
	return Mat{
		m.XX + n.XX, m.XY + n.XY, m.XZ + n.XZ,
		m.YX + n.YX, m.YY + n.YY, m.YZ + n.YZ,
		m.ZX + n.ZX, m.ZY + n.ZY, m.ZZ + n.ZZ,
	}
}

// Scale returns s·m.
func (m Mat) Scale(s float64) Mat {
	return Mat{
		float64(s * m.XX), float64(s * m.XY), float64(s * m.XZ),
		float64(s * m.YX), float64(s * m.YY), float64(s * m.YZ),
		float64(s * m.ZX), float64(s * m.ZY), float64(s * m.ZZ),
	}
}

// Col is column 0, 1 or 2.
func (m Mat) Col(i int) Vec {
	switch i {
	case 0:
		return Vec{m.XX, m.YX, m.ZX}
	case 1:
		return Vec{m.XY, m.YY, m.ZY}
	}
	return Vec{m.XZ, m.YZ, m.ZZ}
}

// Row is row 0, 1 or 2.
func (m Mat) Row(i int) Vec { return m.T().Col(i) }

// Det is the determinant.
func (m Mat) Det() float64 { return m.Row(0).Dot(m.Row(1).Cross(m.Row(2))) }

// Inverse returns m⁻¹; false (and the zero matrix) when m has none.
func (m Mat) Inverse() (Mat, bool) {
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	bc, ca, ab := b.Cross(c), c.Cross(a), a.Cross(b)
	det := a.Dot(bc)
	if det == 0 || !finite(1/det) {
		return Mat{}, false
	}
	k := 1 / det
	r := Columns(bc.Scale(k), ca.Scale(k), ab.Scale(k)).T()
	return r, r.IsFinite()
}

// IsFinite reports that no entry is NaN or infinite.
func (m Mat) IsFinite() bool {
	return m.Col(0).IsFinite() && m.Col(1).IsFinite() && m.Col(2).IsFinite()
}

// Turned returns R·m·Rᵀ: a tensor that was given in the frame q, seen from the reference frame.
func (m Mat) Turned(q Quat) Mat {
	r := q.Mat()
	return r.Mul(m).Mul(r.T())
}

// TurnedSymmetric returns Turned of a symmetric matrix, with fewer operations.
func (m *Mat) TurnedSymmetric(q Quat) Mat {
	x, y, z := q.Rows()
	var mx, my, mz Vec
	if m.XY == 0 && m.XZ == 0 && m.YZ == 0 {
		d := Vec{m.XX, m.YY, m.ZZ}
		mx, my, mz = d.Mul(x), d.Mul(y), d.Mul(z)
	} else {
		mx, my, mz = m.Times(x), m.Times(y), m.Times(z)
	}
	xy, xz, yz := x.Dot(my), x.Dot(mz), y.Dot(mz)
	return Mat{XX: x.Dot(mx), XY: xy, XZ: xz, YX: xy, YY: y.Dot(my), YZ: yz, ZX: xz, ZY: yz, ZZ: z.Dot(mz)}
}

// Times is Apply without a copy of m.
func (m *Mat) Times(v Vec) Vec {
	return Vec{
		X: float64(m.XX*v.X) + float64(m.XY*v.Y) + float64(m.XZ*v.Z),
		Y: float64(m.YX*v.X) + float64(m.YY*v.Y) + float64(m.YZ*v.Z),
		Z: float64(m.ZX*v.X) + float64(m.ZY*v.Y) + float64(m.ZZ*v.Z),
	}
}

// Quat is the rotation of a rotation matrix (Shepperd's choice of the largest component).
func (m Mat) Quat() Quat {
	tr := m.XX + m.YY + m.ZZ
	var q Quat
	switch {
	case tr >= m.XX && tr >= m.YY && tr >= m.ZZ:
		q = Quat{1 + tr, m.ZY - m.YZ, m.XZ - m.ZX, m.YX - m.XY}
	case m.XX >= m.YY && m.XX >= m.ZZ:
		q = Quat{m.ZY - m.YZ, 1 + m.XX - m.YY - m.ZZ, m.XY + m.YX, m.XZ + m.ZX}
	case m.YY >= m.ZZ:
		q = Quat{m.XZ - m.ZX, m.XY + m.YX, 1 + m.YY - m.XX - m.ZZ, m.YZ + m.ZY}
	default:
		q = Quat{m.YX - m.XY, m.XZ + m.ZX, m.YZ + m.ZY, 1 + m.ZZ - m.XX - m.YY}
	}
	return q.unit()
}

// Eigen splits a symmetric matrix into its principal values and the rotation whose columns are the
// principal axes, so that Diag(values).Turned(axes) = m (cyclic Jacobi rotations).
func (m Mat) Eigen() (values Vec, axes Quat) {
	axes = Identity()
	a := m
	for range 64 {
		p, q, off := 0, 1, a.XY
		if math.Abs(a.XZ) > math.Abs(off) {
			p, q, off = 0, 2, a.XZ
		}
		if math.Abs(a.YZ) > math.Abs(off) {
			p, q, off = 1, 2, a.YZ
		}
		scale := math.Abs(a.XX) + math.Abs(a.YY) + math.Abs(a.ZZ)
		if math.Abs(off) <= float64(1e-17*scale) || off == 0 {
			break
		}
		d := Vec{a.XX, a.YY, a.ZZ}
		// The angle that makes entry (p,q) vanish; half of atan2 keeps it in (-π/2, π/2).
		angle := float64(0.5 * Atan2(2*off, d.At(p)-d.At(q)))
		axis := Vec{0, 0, 1}
		if p == 0 && q == 2 {
			axis = Vec{0, -1, 0}
		} else if p == 1 {
			axis = Vec{1, 0, 0}
		}
		axes = axes.Mul(AxisAngle(axis, angle)).unit()
		a = m.Turned(axes.Conj())
	}
	return Vec{a.XX, a.YY, a.ZZ}, axes
}
