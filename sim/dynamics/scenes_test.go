package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// The scenes below compare engines: A falling boxes, B pyramid, C robots among boxes, C2 driving accuracy, D
// arm, E closed forms, F rays. Products inside sums are float64(x*y) here too, so that golden hashes are
// equal on every machine.

// scene is a world with the bodies that a test asks about.
type scene struct {
	testing.TB
	*World
	seed  uint32
	mu    float64
	added []BodyID
}

func newScene(t testing.TB, mu float64, c Config) *scene {
	t.Helper()
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &scene{TB: t, World: w, seed: 12345, mu: mu}
}

func earth() Config { return Config{Gravity: r3.V(0, 0, -9.81), NoSleep: true} }

// rnd is the scenes' own random stream.
func (s *scene) rnd() float64 {
	s.seed = s.seed*1664525 + 1013904223
	return float64(s.seed>>8) / 16777216
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (s *scene) geom(b BodyID, sh shape.Shape, p r3.Pose) GeomID {
	s.Helper()
	return must[GeomID](s)(s.AddGeom(b, GeomDef{Shape: sh, Pose: p, Material: Material{Friction: s.mu}}))
}

// body makes a dynamic body of one shape; group as in BodyDef.
func (s *scene) body(sh shape.Shape, mass float64, p r3.Pose, group int32) BodyID {
	s.Helper()
	if p.Rot == (r3.Quat{}) {
		p.Rot = r3.Identity()
	}
	m := sh.Mass(1)
	b := must[BodyID](s)(s.AddBody(BodyDef{
		Type: Dynamic, Pose: p, Mass: mass, Inertia: m.Inertia.Scale(mass / m.Mass), Group: group,
	}))
	s.geom(b, sh, r3.Pose{})
	s.added = append(s.added, b)
	return b
}

func (s *scene) fixed(sh shape.Shape, p r3.Pose) BodyID {
	s.Helper()
	b := must[BodyID](s)(s.AddBody(BodyDef{Pose: p}))
	s.geom(b, sh, r3.Pose{})
	return b
}

func (s *scene) ground() BodyID { return s.fixed(shape.Plane{}, r3.Pose{}) }

func (s *scene) step(dt float64, n int) {
	s.Helper()
	for range n {
		if err := s.Step(dt); err != nil {
			s.Fatal(err)
		}
	}
}

// stepChecked is step with all invariants validated after each step.
func (s *scene) stepChecked(dt float64, n int) {
	s.Helper()
	for range n {
		s.step(dt, 1)
		if err := s.Validate(); err != nil {
			s.Fatal(err)
		}
	}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// fallingBoxes is scene A.
func fallingBoxes(t testing.TB, nx, ny, nz int, c Config) *scene {
	s := newScene(t, 0.5, c)
	s.ground()
	for k := range nz {
		for j := range ny {
			for i := range nx {
				x := float64((float64(i)-float64(nx-1)/2)*1.1) + float64((s.rnd()-0.5)*0.2)
				y := float64((float64(j)-float64(ny-1)/2)*1.1) + float64((s.rnd()-0.5)*0.2)
				z := 0.6 + float64(1.1*float64(k))
				q := r3.Quat{W: s.rnd() - 0.5}
				q.X, q.Y, q.Z = s.rnd()-0.5, s.rnd()-0.5, s.rnd()-0.5
				q, _ = q.Unit()
				s.body(shape.BoxOf(r3.V(0.5, 0.5, 0.5)), 125, r3.Pose{Pos: r3.V(x, y, z), Rot: q}, 0)
			}
		}
	}
	return s
}

// pyramid is scene B.
func pyramid(t testing.TB, base int, c Config) *scene {
	s := newScene(t, 0.6, c)
	s.ground()
	for r := range base {
		n := base - r
		for i := range n {
			x := (float64(i) - float64(n-1)/2) * 0.52
			s.body(shape.BoxOf(r3.V(0.5, 0.5, 0.5)), 125, at(x, 0, 0.25+float64(r)/2), 0)
		}
	}
	return s
}

// wheelPose turns a cylinder's axis to +y.
func wheelPose(x, y, z float64) r3.Pose {
	return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.AxisAngle(r3.V(1, 0, 0), -math.Pi/2)}
}

// hinge connects child and parent at a world point about a world axis, from their current poses.
func (s *scene) hinge(parent, child BodyID, point, axis r3.Vec) JointID {
	s.Helper()
	frame := r3.Pose{Pos: point, Rot: r3.Identity()}
	d := JointDef{Type: Continuous, Parent: parent, Child: child, Axis: axis, ParentFrame: frame}
	if parent != (BodyID{}) {
		d.ParentFrame = s.Body(parent).Pose().Relative(frame)
	}
	d.ChildFrame = s.Body(child).Pose().Relative(frame)
	return must[JointID](s)(s.AddJoint(d))
}

func (s *scene) wheel(chassis BodyID, cyl shape.Cylinder, x, y, z, mass, speed, effort float64,
	group int32) JointID {
	s.Helper()
	b := s.body(cyl, mass, wheelPose(x, y, z), group)
	j := s.hinge(chassis, b, r3.V(x, y, z), r3.V(0, 1, 0))
	if err := s.Joint(j).SetMotorVelocity(speed, effort); err != nil {
		s.Fatal(err)
	}
	return j
}

// robot4 is the skid-steer robot of scene C.
func (s *scene) robot4(x, y float64, group int32, left, right float64) (BodyID, []JointID) {
	s.Helper()
	chassis := s.body(shape.Box{Half: r3.V(0.25, 0.2, 0.075)}, 10, at(x, y, 0.175), group)
	var joints []JointID
	for k, d := range [4][2]float64{{0.18, 0.24}, {-0.18, 0.24}, {0.18, -0.24}, {-0.18, -0.24}} {
		speed := left
		if k >= 2 {
			speed = right
		}
		joints = append(joints, s.wheel(chassis, shape.Cylinder{Radius: 0.1, Half: 0.025}, x+d[0], y+d[1],
			0.1, 0.5, speed, 5, group))
	}
	return chassis, joints
}

// robots is scene C.
func robots(t testing.TB, nrob, nbox int, c Config) *scene {
	s := newScene(t, 0.8, c)
	s.ground()
	g := int(math.Ceil(math.Sqrt(float64(nrob))))
	place := func(k int) (x, y float64) {
		return (float64(k%g) - float64(g-1)/2) * 3, (float64(k/g) - float64(g-1)/2) * 3
	}
	for k := range nrob {
		x, y := place(k)
		s.robot4(x, y, int32(k+1), 6, 6+float64(2*r3.Sin(float64(k))))
	}
	for n := 0; n < nbox; {
		x, y := (s.rnd()-0.5)*32, (s.rnd()-0.5)*32
		ok := true
		for k := range nrob {
			rx, ry := place(k)
			ok = ok && !(math.Abs(x-rx) < 0.55 && math.Abs(y-ry) < 0.55)
		}
		if ok {
			s.body(shape.Box{Half: r3.V(0.15, 0.15, 0.15)}, 2, at(x, y, 0.15), 0)
			n++
		}
	}
	return s
}

// boxCorner is corner 0 to 7 of a box with half extents h: bits 0, 1 and 2 mean x, y and z; set: positive.
func boxCorner(h r3.Vec, i int) r3.Vec {
	if i&1 == 0 {
		h.X = -h.X
	}
	if i&2 == 0 {
		h.Y = -h.Y
	}
	if i&4 == 0 {
		h.Z = -h.Z
	}
	return h
}
