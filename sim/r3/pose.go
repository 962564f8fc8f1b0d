package r3

// Pose is a frame in a reference frame: its origin and its rotation.
type Pose struct {
	Pos Vec
	Rot Quat
}

// IdentityPose is the reference frame itself.
func IdentityPose() Pose { return Pose{Rot: Identity()} }

// PoseRPY is the <pose> of SDF and the <origin> of URDF: a position and roll, pitch, yaw.
func PoseRPY(x, y, z, roll, pitch, yaw float64) Pose {
	return Pose{Vec{x, y, z}, FromRPY(roll, pitch, yaw)}
}

// Upright is the pose, with the identity for a rotation that was left out: one that is all zeros.
func (a Pose) Upright() Pose {
	if a.Rot == (Quat{}) {
		a.Rot = Identity()
	}
	return a
}

// Mul is the pose of a frame b, given in a, as seen from a's reference frame.
func (a Pose) Mul(b Pose) Pose {
	return Pose{a.Rot.Rotate(b.Pos).Add(a.Pos), a.Rot.Mul(b.Rot)}
}

// Apply takes a point from the frame to the reference frame.
func (a Pose) Apply(p Vec) Vec { return a.Rot.Rotate(p).Add(a.Pos) }

// ApplyInverse takes a point from the reference frame into the frame.
func (a Pose) ApplyInverse(p Vec) Vec { return a.Rot.RotateBack(p.Sub(a.Pos)) }

// Inverse is the pose of the reference frame, seen from a.
func (a Pose) Inverse() Pose {
	c := a.Rot.Conj()
	return Pose{c.Rotate(a.Pos).Neg(), c}
}

// Relative is b as seen from a: a.Mul(a.Relative(b)) = b.
func (a Pose) Relative(b Pose) Pose { return a.Inverse().Mul(b) }

// IsFinite reports that nothing in the pose is NaN or infinite.
func (a Pose) IsFinite() bool { return a.Pos.IsFinite() && a.Rot.IsFinite() }

// Unit returns the pose with its rotation normalised; false when something is not finite or the
// quaternion has no direction.
func (a Pose) Unit() (Pose, bool) {
	q, ok := a.Rot.Unit()
	a.Rot = q
	return a, ok && a.Pos.IsFinite()
}

// Twist is the velocity of a body: of a point of it (m/s) and around it (rad/s).
type Twist struct{ Linear, Angular Vec }

// At is the velocity of the point of the same body at arm from the twist's own point.
func (t Twist) At(arm Vec) Vec { return t.Linear.Add(t.Angular.Cross(arm)) }

// Rotate turns a twist by a rotation: from a frame's axes to those in which its rotation q is given.
func (t Twist) Rotate(q Quat) Twist { return Twist{q.Rotate(t.Linear), q.Rotate(t.Angular)} }

// RotateBack is the inverse of Rotate.
func (t Twist) RotateBack(q Quat) Twist {
	return Twist{q.RotateBack(t.Linear), q.RotateBack(t.Angular)}
}

// IsFinite reports that nothing in the twist is NaN or infinite.
func (t Twist) IsFinite() bool { return t.Linear.IsFinite() && t.Angular.IsFinite() }
