package stream

import (
	"math"

	"simdeck/sim/r3"
)

// Units of quantised poses.
const (
	posUnit  = 1.0 / 4096 // m
	turnUnit = 1.0 / 2048 // rad, of residuals
	quatUnit = 32767      // quaternions are integers of this length
	posMost  = 1<<31 - 1
)

// fixed is a quantised pose: position in posUnit and a quaternion (w, x, y, z) of the length quatUnit.
type fixed struct {
	pos  [3]int64
	quat [4]int64
}

// track is the state from which the next pose of a frame is predicted.
type track struct{ now, before fixed }

var identity = fixed{quat: [4]int64{quatUnit, 0, 0, 0}}

// fix quantises a pose. Numbers that are not finite become 0 or the farthest.
func fix(p r3.Pose) fixed {
	out := identity
	for k, x := range [3]float64{p.Pos.X, p.Pos.Y, p.Pos.Z} {
		if x = x / posUnit; x == x {
			out.pos[k] = int64(math.Floor(max(-posMost, min(posMost, x)) + 0.5))
		}
	}
	if q, ok := fixQuat([4]float64{p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z}); ok {
		out.quat = q
	}
	return out
}

// fixQuat quantises a quaternion of any length; false for one that has none.
func fixQuat(q [4]float64) (out [4]int64, ok bool) {
	n := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3]))
	if !(n > 1e-9) || n > 1e100 {
		return identity.quat, false
	}
	for k, x := range q {
		out[k] = int64(math.Floor(float64(x/n*quatUnit) + 0.5))
	}
	return out, true
}

// pose is the quantised pose in numbers.
func (f *fixed) pose() r3.Pose {
	q, _ := f.attitude().Unit()
	return r3.Pose{Pos: r3.V(float64(f.pos[0]), float64(f.pos[1]), float64(f.pos[2])).Scale(posUnit), Rot: q}
}

// attitude is the quaternion in numbers, of the length quatUnit.
func (f *fixed) attitude() r3.Quat {
	return r3.Quat{W: float64(f.quat[0]), X: float64(f.quat[1]), Y: float64(f.quat[2]), Z: float64(f.quat[3])}
}

// still reports that a frame did not move from the pose before to this one.
func (t *track) still() bool { return t.now == t.before }

// rest says that the frame stays where it is.
func (t *track) rest() { t.before = t.now }

// jump puts the frame elsewhere, without a velocity.
func (t *track) jump(to fixed) { t.now, t.before = to, to }

// predict continues the velocities: the position in its units, and the attitude as a quaternion of length 1.
func (t *track) predict() (pos [3]int64, quat [4]float64) {
	for k := range pos {
		pos[k] = 2*t.now.pos[k] - t.before.pos[k]
	}
	b := t.before.quat
	turn := times(t.now.quat, [4]int64{b[0], -b[1], -b[2], -b[3]})
	next := times(turn, t.now.quat)
	w, x, y, z := float64(next[0]), float64(next[1]), float64(next[2]), float64(next[3])
	n := math.Sqrt(float64(w*w) + float64(x*x) + float64(y*y) + float64(z*z))
	return pos, [4]float64{w / n, x / n, y / n, z / n}
}

// times is the product of two quaternions.
func times(a, b [4]int64) [4]int64 {
	return [4]int64{
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1],
		a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0],
	}
}

// residuals is the difference of a pose from a prediction in steps: three of the position, three of the
// rotation in the world frame. False: it is too far for residuals.
func residuals(to *fixed, pos [3]int64, q [4]float64, coarse uint) (r [6]int32, ok bool) {
	for k := range pos {
		d := to.pos[k] - pos[k]
		if d >= 1<<22 || d <= -1<<22 {
			return r, false
		}
		r[k] = int32((d + 1<<coarse>>1) >> coarse)
	}
	e := to.attitude().Mul(r3.Quat{W: q[0], X: -q[1], Y: -q[2], Z: -q[3]})
	if e.W < 0 {
		e.W, e.X, e.Y, e.Z = -e.W, -e.X, -e.Y, -e.Z
	}
	if e.W < quatUnit/2 {
		return r, false
	}
	step := turnUnit * float64(int64(1)<<coarse)
	for k, x := range [3]float64{e.X, e.Y, e.Z} {
		r[3+k] = int32(math.Floor(2*x/e.W/step + 0.5))
	}
	return r, true
}

// apply moves the frame to the prediction with residuals. Decoders do exactly the same.
func (t *track) apply(r *[6]int32, coarse uint) {
	pos, q := t.predict()
	next := fixed{}
	for k := range pos {
		next.pos[k] = max(-posMost, min(posMost, pos[k]+int64(r[k])<<coarse))
	}
	half := turnUnit / 2 * float64(int64(1)<<coarse)
	x, y, z := float64(r[3])*half, float64(r[4])*half, float64(r[5])*half
	var ok bool
	next.quat, ok = fixQuat([4]float64{
		q[0] - float64(x*q[1]) - float64(y*q[2]) - float64(z*q[3]),
		q[1] + float64(x*q[0]) + float64(y*q[3]) - float64(z*q[2]),
		q[2] - float64(x*q[3]) + float64(y*q[0]) + float64(z*q[1]),
		q[3] + float64(x*q[2]) - float64(y*q[1]) + float64(z*q[0]),
	})
	if !ok {
		next.quat = t.now.quat
	}
	t.before, t.now = t.now, next
}

// near reports that a pose is within half a step of the frame, in each component.
func (t *track) near(to *fixed, coarse uint) bool {
	for k, x := range t.now.pos {
		if d := to.pos[k] - x; 2*d > 1<<coarse || 2*d < -(1<<coarse) {
			return false
		}
	}
	// Of quaternions of one length the distance is half of the angle between them, for small ones.
	same, other := int64(0), int64(0)
	for k, x := range t.now.quat {
		same += (to.quat[k] - x) * (to.quat[k] - x)
		other += (to.quat[k] + x) * (to.quat[k] + x)
	}
	// Residuals that are rounded to 0 leave up to half a step about each of three axes.
	most := int64(quatUnit*turnUnit*0.44*float64(int64(1)<<coarse)) + 2
	return min(same, other) <= most*most
}
