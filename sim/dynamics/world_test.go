package dynamics

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

func TestInvalidDefinitionsAreRejected(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 1), 0)
	ground := s.ground()
	j := s.hinge(BodyID{}, b, r3.V(0, 0, 1), r3.V(0, 1, 0))
	unit := r3.Diag(r3.V(1, 1, 1))
	before := s.Hash()
	second := func(_ any, err error) error { return err }
	refused := map[string]error{
		"gravity":         second(New(Config{Gravity: r3.V(0, nan, 0)})),
		"substeps":        second(New(Config{Substeps: 65})),
		"contact hertz":   second(New(Config{ContactHertz: -1})),
		"mix":             second(New(Config{Mix: 9})),
		"set gravity":     s.SetGravity(r3.V(inf, 0, 0)),
		"step 0":          s.Step(0),
		"step back":       s.Step(-1),
		"step NaN":        s.Step(nan),
		"step too long":   s.Step(0.2),
		"body pose":       second(s.AddBody(BodyDef{Pose: at(nan, 0, 0)})),
		"body quaternion": second(s.AddBody(BodyDef{Pose: r3.Pose{Rot: r3.Quat{X: nan}}})),
		"body twist":      second(s.AddBody(BodyDef{Twist: r3.Twist{Linear: r3.V(inf, 0, 0)}})),
		"body type":       second(s.AddBody(BodyDef{Type: 7})),
		"body damping":    second(s.AddBody(BodyDef{LinearDamping: -1})),
		"no mass":         second(s.AddBody(BodyDef{Type: Dynamic, Inertia: unit})),
		"no inertia":      second(s.AddBody(BodyDef{Type: Dynamic, Mass: 1})),
		"no shape":        second(s.AddGeom(b, GeomDef{})),
		"bad shape":       second(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: -1}})),
		"moving plane":    second(s.AddGeom(b, GeomDef{Shape: shape.Plane{}})),
		"moving mesh":     second(s.AddGeom(b, GeomDef{Shape: shapetest.FloorMesh(t, 2, 1)})),
		"friction": second(s.AddGeom(b,
			GeomDef{Shape: shape.Sphere{Radius: 1}, Material: Material{Friction: nan}})),
		"restitution": second(s.AddGeom(b,
			GeomDef{Shape: shape.Sphere{Radius: 1}, Material: Material{Restitution: 2}})),
		"geom pose":       second(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 1}, Pose: at(inf, 0, 0)})),
		"joint to itself": second(s.AddJoint(JointDef{Parent: b, Child: b})),
		"joint axis":      second(s.AddJoint(JointDef{Child: b, Axis: r3.V(nan, 0, 0)})),
		"joint limits":    second(s.AddJoint(JointDef{Child: b, Limited: true, Lower: 1, Upper: -1})),
		"joint damping":   second(s.AddJoint(JointDef{Child: b, Damping: nan})),
		"joint type":      second(s.AddJoint(JointDef{Child: b, Type: 9})),
		"joint frame":     second(s.AddJoint(JointDef{Child: b, ParentFrame: at(nan, 0, 0)})),
		"motor target":    s.Joint(j).SetMotorVelocity(nan, 0),
		"motor gain":      s.Joint(j).SetMotorPosition(0, -1, 0, 0),
		"set pose":        s.Body(b).SetPose(at(0, nan, 0)),
		"set twist":       s.Body(b).SetTwist(r3.Twist{Angular: r3.V(nan, 0, 0)}),
		"wrench":          s.Body(b).ApplyWrench(r3.V(nan, 0, 0), r3.Vec{}, r3.Vec{}),
	}
	for name, err := range refused {
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.Hash() != before || s.Steps() != 0 {
		t.Error("something that was refused changed the world")
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	s.check(s.Body(ground).ApplyWrench(r3.V(1, 0, 0), r3.Vec{}, r3.Vec{}))
}

func TestRemovedIDsAreReportedAsGone(t *testing.T) {
	s := newScene(t, 0.5, earth())
	b := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 1), 0)
	g := s.Body(b).Geoms(nil)[0]
	j := s.hinge(BodyID{}, b, r3.V(0, 0, 1), r3.V(0, 1, 0))
	s.check(s.RemoveBody(b))
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"body": s.RemoveBody(b), "geom": s.RemoveGeom(g), "joint": s.RemoveJoint(j),
		"motor": s.Joint(j).SetMotorOff(), "pose": s.Body(b).SetPose(at(0, 0, 0)),
		"twist":    s.Body(b).SetTwist(r3.Twist{}),
		"wrench":   s.Body(b).ApplyWrench(r3.Vec{}, r3.Vec{}, r3.Vec{}),
		"add geom": second(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 1}})),
		"child":    second(s.AddJoint(JointDef{Child: b})), "nothing": s.RemoveBody(BodyID{}),
	} {
		if !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.Body(b).Pose() != r3.IdentityPose() || s.Body(b).Twist() != (r3.Twist{}) ||
		s.Geom(g).Shape() != nil ||
		s.Joint(j).State() != (JointState{}) {
		t.Error("what is gone still has values")
	}
	if n := len(s.Geoms(nil)) + len(s.Joints(nil)) + len(s.Bodies(nil)); n != 0 {
		t.Errorf("%d things are left", n)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

func TestABodyFrameMayLieAnywhere(t *testing.T) {
	// The same body twice: once with its frame at the COM, once with it far off. Both must move alike.
	run := func(offset r3.Vec) (r3.Vec, r3.Vec) {
		s := newScene(t, 0.5, Config{Gravity: r3.V(0, 0, -9.81)})
		box := shape.Box{Half: r3.V(0.1, 0.2, 0.3)}
		pose := r3.Pose{Pos: r3.V(1, 2, 3), Rot: r3.FromRPY(0.3, 0.2, 0.1)}
		frame := r3.Pose{Pos: pose.Apply(offset.Neg()), Rot: pose.Rot}
		spin := r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0.5, 2, 0.1)}
		m := box.Mass(100)
		b := must[BodyID](t)(s.AddBody(BodyDef{
			Type: Dynamic, Pose: frame, Mass: m.Mass, COM: offset, Inertia: m.Inertia,
			Twist: r3.Twist{Linear: spin.At(frame.Pos.Sub(pose.Pos)), Angular: spin.Angular},
		}))
		s.geom(b, box, r3.Pose{Pos: offset, Rot: r3.Identity()})
		if got := s.Body(b).Pose(); got != frame {
			t.Errorf("pose %v, set to %v", got, frame)
		}
		s.stepChecked(0.001, 300)
		p := s.Body(b).Pose()
		return p.Apply(offset), s.Body(b).VelocityAt(p.Apply(offset.Add(r3.V(0.1, 0, 0))))
	}
	p0, v0 := run(r3.Vec{})
	p1, v1 := run(r3.V(0.4, -0.3, 1))
	if p0.Dist(p1) > 1e-9 || v0.Dist(v1) > 1e-9 {
		t.Errorf("%v %v and %v %v", p0, v0, p1, v1)
	}
}

func TestGroupsAndMasksFilterCollisions(t *testing.T) {
	cases := []struct {
		name         string
		group        [2]int32
		cat, mask    [2]uint32
		wantContacts int
	}{
		{"everything", [2]int32{0, 0}, [2]uint32{0, 0}, [2]uint32{0, 0}, 1},
		{"same group", [2]int32{3, 3}, [2]uint32{0, 0}, [2]uint32{0, 0}, 0},
		{"other groups", [2]int32{3, 4}, [2]uint32{0, 0}, [2]uint32{0, 0}, 1},
		{"masks meet", [2]int32{0, 0}, [2]uint32{1, 2}, [2]uint32{2, 1}, 1},
		{"one mask misses", [2]int32{0, 0}, [2]uint32{1, 2}, [2]uint32{2, 4}, 0},
	}
	for _, c := range cases {
		s := newScene(t, 0.5, Config{})
		for i := range 2 {
			b := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Mass: 1, Inertia: r3.Diag(r3.V(1, 1, 1)),
				Group: c.group[i], Pose: at(0.1*float64(i), 0, 0)}))
			must[GeomID](t)(s.AddGeom(b, GeomDef{Shape: shape.Sphere{Radius: 0.1}, Category: c.cat[i],
				Mask: c.mask[i]}))
		}
		s.stepChecked(0.001, 1)
		if n := len(s.Contacts(nil)); n != c.wantContacts {
			t.Errorf("%s: %d contacts", c.name, n)
		}
	}
}

func TestFrictionsCombineByTheirRule(t *testing.T) {
	for mix, want := range map[Mix]float64{MixMin: 0.2, MixMax: 0.8, MixMultiply: 0.16, MixGeometric: 0.4} {
		if got := mix.combine(0.2, 0.8); math.Abs(got-want) > 1e-12 {
			t.Errorf("mix %d of 0.2 and 0.8 is %v, want %v", mix, got, want)
		}
	}
}

func TestStagesAreTimedByTheClockGiven(t *testing.T) {
	now := int64(0)
	c := earth()
	c.Clock = func() int64 { now += 7; return now }
	s := pyramid(t, 3, c)
	s.step(1.0/60, 1)
	st := s.Stats()
	for i, d := range st.Stage {
		if d != 7 {
			t.Errorf("%v took %d", Stage(i), d)
		}
	}
	if st.Bodies != 7 || st.Awake != 6 || st.Geoms != 7 || st.Touching < 6 || st.Points < 20 ||
		st.Substeps != 4 {
		t.Errorf("%+v", st)
	}
}
