package r3

import "math"

// Quat is a rotation as a unit quaternion W + Xi + Yj + Zk (Hamilton convention). The zero value is
// not a rotation; Identity is.
type Quat struct{ W, X, Y, Z float64 }

// Identity is the rotation by nothing.
func Identity() Quat { return Quat{W: 1} }

// AxisAngle is the rotation by angle around axis, which need not have unit length; an axis without
// direction gives the identity.
func AxisAngle(axis Vec, angle float64) Quat {
	u, ok := axis.Unit()
	if !ok {
		return Identity()
	}
	s, c := SinCos(float64(0.5 * angle))
	return Quat{c, float64(s * u.X), float64(s * u.Y), float64(s * u.Z)}
}

// FromRPY is the rotation of URDF and SDF: roll about x, then pitch about y, then yaw about z, all
// about fixed axes, R = Rz(yaw)·Ry(pitch)·Rx(roll).
func FromRPY(roll, pitch, yaw float64) Quat {
	sr, cr := SinCos(float64(0.5 * roll))
	sp, cp := SinCos(float64(0.5 * pitch))
	sy, cy := SinCos(float64(0.5 * yaw))
	cpcy, spsy := float64(cp*cy), float64(sp*sy)
	spcy, cpsy := float64(sp*cy), float64(cp*sy)
	return Quat{
		W: float64(cr*cpcy) + float64(sr*spsy),
		X: float64(sr*cpcy) - float64(cr*spsy),
		Y: float64(cr*spcy) + float64(sr*cpsy),
		Z: float64(cr*cpsy) - float64(sr*spcy),
	}
}

// RPY returns the roll, pitch and yaw that FromRPY takes; pitch in [-π/2, π/2]. Straight up or down
// (gimbal lock) only a combination of roll and yaw is defined: roll is then zero.
func (q Quat) RPY() (roll, pitch, yaw float64) {
	s := 2 * (float64(q.W*q.Y) - float64(q.Z*q.X))
	if math.Abs(s) > 1-1e-14 {
		yaw = float64(2 * Atan2(q.Z, q.W))
		if yaw > math.Pi {
			yaw -= 2 * math.Pi
		} else if yaw < -math.Pi {
			yaw += 2 * math.Pi
		}
		return 0, math.Copysign(math.Pi/2, s), yaw
	}
	xx, yy, zz := float64(q.X*q.X), float64(q.Y*q.Y), float64(q.Z*q.Z)
	roll = Atan2(2*(float64(q.W*q.X)+float64(q.Y*q.Z)), 1-float64(2*(xx+yy)))
	yaw = Atan2(2*(float64(q.W*q.Z)+float64(q.X*q.Y)), 1-float64(2*(yy+zz)))
	return roll, Asin(s), yaw
}

// Yaw is the angle about z that RPY returns, without the rest.
func (q Quat) Yaw() float64 {
	_, _, yaw := q.RPY()
	return yaw
}

// Between is the shortest rotation that turns the direction a into b; both of unit length.
func Between(a, b Vec) Quat {
	w := 1 + a.Dot(b)
	if w < 1e-12 {
		u, _ := a.Basis()
		return Quat{0, u.X, u.Y, u.Z}
	}
	c := a.Cross(b)
	return Quat{w, c.X, c.Y, c.Z}.unit()
}

// Unit returns q with length one; false when q is zero, vanishing, not finite: no rotation is meant.
// The value returned with false is the identity.
func (q Quat) Unit() (Quat, bool) {
	n2 := q.dot(q)
	if !(n2 > 1e-24) || n2 > 1e24 {
		return Identity(), false
	}
	return q.unit(), true
}

func (q Quat) dot(p Quat) float64 {
	return float64(q.W*p.W) + float64(q.X*p.X) + float64(q.Y*p.Y) + float64(q.Z*p.Z)
}

func (q Quat) unit() Quat {
	k := 1 / math.Sqrt(q.dot(q))
	return Quat{float64(q.W * k), float64(q.X * k), float64(q.Y * k), float64(q.Z * k)}
}

// Conj is the inverse rotation.
func (q Quat) Conj() Quat { return Quat{q.W, -q.X, -q.Y, -q.Z} }

// Mul is q∘p: first p, then q.
func (q Quat) Mul(p Quat) Quat {
	return Quat{
		float64(q.W*p.W) - float64(q.X*p.X) - float64(q.Y*p.Y) - float64(q.Z*p.Z),
		float64(q.W*p.X) + float64(q.X*p.W) + float64(q.Y*p.Z) - float64(q.Z*p.Y),
		float64(q.W*p.Y) - float64(q.X*p.Z) + float64(q.Y*p.W) + float64(q.Z*p.X),
		float64(q.W*p.Z) + float64(q.X*p.Y) - float64(q.Y*p.X) + float64(q.Z*p.W),
	}
}

// Rotate turns v from the rotated frame into the reference frame.
func (q Quat) Rotate(v Vec) Vec {
	u := Vec{q.X, q.Y, q.Z}
	t := u.Cross(v)
	t = t.Add(t)
	return v.AddScaled(q.W, t).Add(u.Cross(t))
}

// RotateBack turns v from the reference frame into the rotated frame: the inverse of Rotate.
func (q Quat) RotateBack(v Vec) Vec { return q.Conj().Rotate(v) }

// Turn returns q turned by the rotation vector d (reference frame, radians), normalised: what an
// angular velocity d/t does within the time t.
func (q Quat) Turn(d Vec) Quat {
	x2 := float64(0.25 * d.Dot(d)) // the half angle, squared
	var s, c float64               // sin(x)/2x and cos(x)
	if x2 < 0.01 {
		s = 0.5 - float64(x2*(1.0/12-float64(x2*(1.0/240-x2/10080))))
		c = 1 - float64(x2*(0.5-float64(x2*(1.0/24-x2/720))))
	} else {
		x := math.Sqrt(x2)
		s, c = SinCos(x)
		s /= x + x
	}
	return Quat{c, float64(s * d.X), float64(s * d.Y), float64(s * d.Z)}.Mul(q).unit()
}

// Vector is the rotation vector of q: its axis times its angle in [0, π].
func (q Quat) Vector() Vec {
	if q.W < 0 {
		q = Quat{-q.W, -q.X, -q.Y, -q.Z}
	}
	v := Vec{q.X, q.Y, q.Z}
	s := v.Len()
	if s < 1e-9 {
		return v.Scale(2)
	}
	return v.Scale(float64(2*Atan2(s, q.W)) / s)
}

// Slerp goes from q (t = 0) to p (t = 1) at constant speed on the shorter arc.
func (q Quat) Slerp(p Quat, t float64) Quat {
	d := p.Mul(q.Conj()).Vector()
	return AxisAngle(d, float64(d.Len()*t)).Mul(q).unit()
}

// IsFinite reports that no component is NaN or infinite.
func (q Quat) IsFinite() bool {
	return finite(q.W) && finite(q.X) && finite(q.Y) && finite(q.Z)
}

// Mat is the rotation matrix of q; its columns are the rotated axes.
func (q Quat) Mat() Mat {
	x, y, z := q.Rows()
	return Mat{x.X, x.Y, x.Z, y.X, y.Y, y.Z, z.X, z.Y, z.Z}
}

// Rows are those of Mat: vectors stay in registers, where a matrix goes through memory.
func (q Quat) Rows() (x, y, z Vec) {
	x2, y2, z2 := q.X+q.X, q.Y+q.Y, q.Z+q.Z
	xx, yy, zz := float64(q.X*x2), float64(q.Y*y2), float64(q.Z*z2)
	xy, xz, yz := float64(q.X*y2), float64(q.X*z2), float64(q.Y*z2)
	wx, wy, wz := float64(q.W*x2), float64(q.W*y2), float64(q.W*z2)
	return Vec{1 - (yy + zz), xy - wz, xz + wy}, Vec{xy + wz, 1 - (xx + zz), yz - wx},
		Vec{xz - wy, yz + wx, 1 - (xx + yy)}
}
