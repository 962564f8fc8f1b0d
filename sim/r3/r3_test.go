package r3

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomVec(r *rand.Rand, s float64) Vec {
	return V(s*(2*r.Float64()-1), s*(2*r.Float64()-1), s*(2*r.Float64()-1))
}

func randomQuat(r *rand.Rand) Quat {
	q, _ := Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
	return q
}

func sameRotation(a, b Quat) bool { return math.Abs(a.dot(b)) > 1-1e-12 }

func TestRollPitchYawFollowsURDF(t *testing.T) {
	// Yaw is applied last, about the fixed z axis: a robot that is pitched up and then yawed left
	// looks up and to the left.
	q := FromRPY(0, -math.Pi/4, math.Pi/2)
	if got := q.Rotate(V(1, 0, 0)); got.Sub(V(0, math.Sqrt2/2, math.Sqrt2/2)).Len() > 1e-15 {
		t.Errorf("x axis turned to %v", got)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		q := randomQuat(r)
		if back := FromRPY(q.RPY()); !sameRotation(q, back) {
			t.Fatalf("%v → rpy → %v", q, back)
		}
	}
}

func TestRollPitchYawSurvivesGimbalLock(t *testing.T) {
	for _, pitch := range []float64{math.Pi / 2, -math.Pi / 2} {
		for _, yaw := range []float64{0, 1, 3, -3} {
			q := FromRPY(0.3, pitch, yaw)
			roll, p, y := q.RPY()
			if !sameRotation(q, FromRPY(roll, p, y)) || math.Abs(y) > math.Pi {
				t.Errorf("pitch %v yaw %v: came back as %v %v %v", pitch, yaw, roll, p, y)
			}
		}
	}
}

func TestAQuaternionWithoutDirectionIsRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, q := range []Quat{{}, {W: nan}, {W: 1, X: inf}, {W: 1e-13}, {W: 1e200}} {
		if u, ok := q.Unit(); ok || u != Identity() {
			t.Errorf("%v became %v, %v", q, u, ok)
		}
	}
	if u, ok := (Quat{W: 3}).Unit(); !ok || u != Identity() {
		t.Errorf("3 became %v %v", u, ok)
	}
	if _, ok := (Pose{V(nan, 0, 0), Identity()}).Unit(); ok {
		t.Error("a pose at NaN was accepted")
	}
}

func TestRotationFormsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		q, p, v := randomQuat(r), randomQuat(r), randomVec(r, 3)
		want := q.Rotate(v)
		for name, got := range map[string]Vec{
			"matrix": q.Mat().Apply(v), "transpose": q.Conj().Mat().ApplyT(v),
			"product":  q.Mul(p).Rotate(p.RotateBack(v)),
			"vector":   AxisAngle(q.Vector(), q.Vector().Len()).Rotate(v),
			"back":     q.Mat().Quat().Rotate(v),
			"slerp":    p.Slerp(q, 1).Rotate(v),
			"inverted": mustInverse(t, q.Conj().Mat()).Apply(v),
		} {
			if got.Sub(want).Len() > 1e-12 {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
		a, _ := v.Unit()
		b, _ := want.Unit()
		if Between(a, b).Rotate(a).Sub(b).Len() > 1e-12 ||
			Between(a, a.Neg()).Rotate(a).Add(a).Len() > 1e-12 {
			t.Fatalf("Between(%v, %v)", a, b)
		}
		x, y := a.Basis()
		if x.Cross(y).Sub(a).Len() > 1e-14 || math.Abs(x.Dot(y)) > 1e-14 {
			t.Fatalf("basis of %v: %v %v", a, x, y)
		}
	}
}

func mustInverse(t *testing.T, m Mat) Mat {
	t.Helper()
	inv, ok := m.Inverse()
	if !ok {
		t.Fatalf("no inverse of %v", m)
	}
	return inv
}

func TestPosesCompose(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		a := Pose{randomVec(r, 5), randomQuat(r)}
		b := Pose{randomVec(r, 5), randomQuat(r)}
		p := randomVec(r, 2)
		if a.Mul(b).Apply(p).Sub(a.Apply(b.Apply(p))).Len() > 1e-12 {
			t.Fatal("Mul is not application in turn")
		}
		if a.Relative(a.Mul(b)).Apply(p).Sub(b.Apply(p)).Len() > 1e-12 {
			t.Fatal("Relative does not undo Mul")
		}
		if a.ApplyInverse(a.Apply(p)).Sub(p).Len() > 1e-12 {
			t.Fatal("ApplyInverse does not undo Apply")
		}
	}
}

func TestASymmetricTensorTurnsAsAnyOther(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 300 {
		m := Diag(V(r.Float64(), r.Float64(), r.Float64()))
		if i%2 == 0 {
			m = m.Turned(randomQuat(r))
			m.YX, m.ZX, m.ZY = m.XY, m.XZ, m.YZ
		}
		q := randomQuat(r)
		diff := m.TurnedSymmetric(q).Add(m.Turned(q).Scale(-1))
		v := V(r.Float64(), r.Float64(), r.Float64())
		for c := range 3 {
			if diff.Col(c).MaxAbs() > 1e-14 || m.Times(v) != m.Apply(v) {
				t.Fatalf("%v turned by %v is off by %v", m, q, diff)
			}
		}
	}
}

func TestPrincipalAxesRebuildTheTensor(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 500 {
		d := V(r.Float64(), r.Float64(), r.Float64())
		if i%5 == 0 {
			d = V(d.X, d.X, d.Z)
		}
		m := Diag(d).Turned(randomQuat(r))
		values, axes := m.Eigen()
		diff := Diag(values).Turned(axes).Add(m.Scale(-1))
		for c := range 3 {
			if diff.Col(c).MaxAbs() > 1e-13 {
				t.Fatalf("%v: eigen gives %v %v, off by %v", m, values, axes, diff)
			}
		}
	}
	if _, ok := Diag(V(1, 0, 1)).Inverse(); ok {
		t.Error("a singular matrix was inverted")
	}
}

func TestTurnFollowsTheAngularVelocity(t *testing.T) {
	q, w := Identity(), V(0, 0, 1)
	for range 1000 {
		q = q.Turn(w.Scale(1e-3))
	}
	if math.Abs(q.Yaw()-1) > 1e-12 {
		t.Errorf("yaw after 1 s at 1 rad/s is %v", q.Yaw())
	}
	for _, angle := range []float64{1e-9, 0.199, 0.201, 3} {
		axis, _ := V(1, 2, -3).Unit()
		got, want := Identity().Turn(axis.Scale(angle)), AxisAngle(axis, angle)
		if math.Abs(got.W-want.W) > 1e-12 || math.Abs(got.Z-want.Z) > 1e-12 {
			t.Errorf("turn by %v: %v, want %v", angle, got, want)
		}
	}
}

func TestBoxesHoldWhatTheyShould(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		b := BoxAround(randomVec(r, 2), randomVec(r, 1).Abs())
		p := Pose{randomVec(r, 5), randomQuat(r)}
		moved := b.Moved(p)
		inner := b.Centre().Add(randomVec(r, 1).Mul(b.Half()))
		if !moved.Grow(1e-12).Holds(p.Apply(inner)) {
			t.Fatalf("%v moved to %v lost %v", b, moved, inner)
		}
		// A ray towards an inner point hits, and its entry lies on the surface.
		o := b.Centre().Add(randomVec(r, 1).Add(V(10, 0, 0)))
		ray := Ray{o, inner.Sub(o)}
		near, ok := b.Hit(ray.Origin, ray.Inverse(), 1)
		if !ok || !b.Grow(1e-9).Holds(ray.At(near)) || b.Grow(-1e-9).Holds(ray.At(near)) {
			t.Fatalf("ray %v at box %v: %v %v", ray, b, near, ok)
		}
		back := Ray{o, ray.Dir.Neg()}
		if _, ok := b.Hit(back.Origin, back.Inverse(), 1e9); ok {
			t.Fatal("a ray away from the box hits it")
		}
	}
	far := BoxAround(V(3.5, 0, 0), V(1, 1, 1))
	if unit := BoxAround(Vec{}, V(1, 1, 1)); unit.Near(&far, 1.4) || !unit.Near(&far, 1.6) ||
		unit.Overlaps(far) {
		t.Error("boxes 1.5 m apart")
	}
	if !EmptyBox().IsEmpty() || EmptyBox().Extend(V(1, 2, 3)) != (Box{V(1, 2, 3), V(1, 2, 3)}) {
		t.Error("the empty box is not neutral")
	}
	// Within a face, and parallel beside it.
	unit := BoxAround(Vec{}, V(1, 1, 1))
	for z, want := range map[float64]bool{0: true, 1: true, 1.001: false} {
		ray := Ray{V(-5, 0, z), V(1, 0, 0)}
		if _, ok := unit.Hit(ray.Origin, ray.Inverse(), 100); ok != want {
			t.Errorf("ray at height %v: hit %v", z, ok)
		}
	}
}

func TestUnitRefusesWhatHasNoDirection(t *testing.T) {
	for _, v := range []Vec{{}, {X: math.NaN()}, {Y: math.Inf(1)}, {Z: 1e-200}} {
		if u, ok := v.Unit(); ok || u != (Vec{}) {
			t.Errorf("%v has unit %v", v, u)
		}
	}
	if u, ok := V(0, -2, 0).Unit(); !ok || u != V(0, -1, 0) {
		t.Errorf("got %v %v", u, ok)
	}
}

func TestTwistMovesPointsOfTheBody(t *testing.T) {
	tw := Twist{V(1, 0, 0), V(0, 0, 2)}
	if got := tw.At(V(0, 1, 0)); got != V(-1, 0, 0) {
		t.Errorf("velocity %v", got)
	}
}

func FuzzUnitQuaternionsStayUnit(f *testing.F) {
	f.Add(1.0, 0.0, 0.0, 0.0)
	f.Add(0.0, 1e-11, 0.0, 0.0)
	f.Add(math.NaN(), 1.0, 2.0, 3.0)
	f.Fuzz(func(t *testing.T, w, x, y, z float64) {
		q, ok := Quat{w, x, y, z}.Unit()
		if !ok && q != Identity() {
			t.Fatalf("refused but not the identity: %v", q)
		}
		if n := q.dot(q); math.Abs(n-1) > 1e-14 {
			t.Fatalf("length² %v", n)
		}
	})
}
