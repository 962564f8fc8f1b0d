package robot

import (
	"testing"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// mass is the inertial of a link of the tests.
const mass = `<inertial><pose>0.01 0 0 0 0 0.2</pose><mass>1.5</mass><inertia><ixx>0.01</ixx><ixy>0.001</ixy><iyy>0.02</iyy><izz>0.025</izz></inertia></inertial>`

// derrick has joints with axes through its links and beside them, a reversed one, a sliding one, and one
// unknown to URDF.
const derrick = `<sdf version="1.9"><model name="derrick &amp; &quot;hook&quot;"><link name="base">` + mass + `
<visual name="v"><geometry><capsule><radius>0.1</radius><length>0.3</length></capsule></geometry><material><diffuse>1 0.5 0 1</diffuse></material></visual></link>
<link name="boom"><pose>0.2 0.1 0.5 0.3 -0.2 0.7</pose>` + mass + `<collision name="c"><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision></link>
<link name="trolley"><pose>0.6 0 0.9 0 0.1 0</pose>` + mass + `<collision name="c"><geometry><cylinder><radius>0.1</radius><length>0.3</length></cylinder></geometry></collision></link>
<link name="foot"><pose>-0.3 0 0.1 0 0 1</pose>` + mass + `</link>
<link name="hook"><pose>0.6 0 0.4 0 0 0</pose>` + mass + `<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
<joint name="swing" type="revolute"><pose>0.1 -0.2 0.3 0.1 0.2 0.3</pose><parent>base</parent><child>boom</child><axis><xyz>0.6 0 0.8</xyz>
<limit><lower>-0.4</lower><upper>1.2</upper><effort>30</effort><velocity>2</velocity></limit></axis></joint>
<joint name="slide" type="prismatic"><pose>0.1 0 0 0 0 0</pose><parent>boom</parent><child>trolley</child><axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>0.5</upper></limit></axis></joint>
<joint name="ankle" type="revolute"><pose>0 0.05 0 0 0 0</pose><parent>foot</parent><child>base</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="wire" type="ball"><parent>trolley</parent><child>hook</child></joint></model></sdf>`

// described is the description of a robot that comes late to hear it.
func described(h *rostest.Stage, name string) string {
	heard := rostest.Hear[stdmsgs.String](h, "/"+name+"/robot_description", node.LatchedQoS())
	h.Until("the description of "+name, func() bool { return heard.Last() != nil })
	return heard.Last().Data
}

func specOf(h *rostest.Stage, name string) *scene.ModelSpec {
	s := h.Engine.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		h.T.Fatalf("no %s", name)
	}
	return s.Model.Entities[i].Spec
}

func linkOf(t *testing.T, m *scene.ModelSpec, name string) *scene.Link {
	t.Helper()
	for i := range m.Links {
		if m.Links[i].Name == name {
			return &m.Links[i]
		}
	}
	t.Fatalf("%s has no link %q", m.Name, name)
	return nil
}

// The reader of URDF is the oracle: a robot is described, read again, and the same.
func TestARobotOfAnyFileIsDescribedAsURDFThatSaysTheSame(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "derrick", "", derrick, 20, 0)
		for _, name := range []string{"one", "derrick"} {
			was := specOf(h, name)
			text := described(h, name)
			spawn(h, name+"_again", "", text, 20, 20)
			is := specOf(h, name+"_again")
			if is.Document != text || is.Format != "urdf" || is.Name != was.Name {
				t.Errorf("%s: read again as %s %q", name, is.Format, is.Name)
			}
			base := was.Links[0].Name
			in := func(m *scene.ModelSpec, p r3.Pose) r3.Pose { return linkOf(t, m, base).Pose.Relative(p) }
			for i := range was.Links {
				a := &was.Links[i]
				b := linkOf(t, is, a.Name)
				pa, pb := in(was, a.Pose), in(is, b.Pose)
				if pa.Pos.Dist(pb.Pos) > 1e-6 || pa.Rot.Conj().Mul(pb.Rot).Vector().Len() > 1e-6 {
					t.Errorf("%s: %s is at %v, was at %v", name, a.Name, pb, pa)
				}
				if a.Inertial.Mass != b.Inertial.Mass || a.Inertial.Inertia != b.Inertial.Inertia ||
					len(a.Collisions) != len(b.Collisions) {
					t.Errorf("%s: %s weighs %+v, weighed %+v; %d shapes of %d", name, a.Name, b.Inertial,
						a.Inertial, len(b.Collisions), len(a.Collisions))
				}
			}
			sameJoints(t, was, is, in)
		}
	})
}

// sameJoints holds the axes and limits of a robot against those of another; in is a pose in the frame of the
// base.
func sameJoints(t *testing.T, was, is *scene.ModelSpec, in func(*scene.ModelSpec, r3.Pose) r3.Pose) {
	t.Helper()
	again := map[string]*scene.Joint{}
	for i := range is.Joints {
		again[is.Joints[i].Name] = &is.Joints[i]
	}
	moving := 0
	for i := range was.Joints {
		a := &was.Joints[i]
		b := again[a.Name]
		switch {
		case a.Kind == scene.Fixed:
			continue
		case b == nil:
			t.Errorf("joint %s is gone", a.Name)
			continue
		case a.Kind == scene.Ball:
			if b.Kind != scene.Floating {
				t.Errorf("joint %s, which URDF has not, is of kind %d", a.Name, b.Kind)
			}
			continue
		}
		moving++
		frame := func(m *scene.ModelSpec, j *scene.Joint) (r3.Vec, r3.Vec) {
			p := in(m, m.Links[j.Child].Pose.Mul(j.Pose))
			return p.Pos, p.Rot.Rotate(j.Axis)
		}
		pa, ua := frame(was, a)
		pb, ub := frame(is, b)
		if reversed := was.Links[a.Parent].Name == is.Links[b.Child].Name; reversed {
			ub = ub.Scale(-1)
		}
		if ua.Dot(ub) < 1-1e-9 {
			t.Errorf("the axis of %s is %v, was %v", a.Name, ub, ua)
		}
		if off := pb.Sub(pa); a.Kind != scene.Prismatic && off.Sub(ua.Scale(off.Dot(ua))).Len() > 1e-6 {
			t.Errorf("the axis of %s goes through %v, went through %v", a.Name, pb, pa)
		}
		if a.Limit.Set != b.Limit.Set && a.Kind != scene.Prismatic || a.Limit.Set &&
			(a.Limit.Lower != b.Limit.Lower || a.Limit.Upper != b.Limit.Upper) {
			t.Errorf("%s moves within %+v, did within %+v", a.Name, b.Limit, a.Limit)
		}
	}
	if moving == 0 {
		t.Error("no joint was compared")
	}
}

func TestEveryFrameOfADescriptionIsInTF(t *testing.T) {
	m := &scene.ModelSpec{Name: "m",
		Links: []scene.Link{{Name: "a", Pose: r3.IdentityPose()},
			{Name: "b", Pose: r3.PoseRPY(1, 0, 0, 0, 0, 0)}},
		Joints: []scene.Joint{{Name: "b", Kind: scene.Revolute, Parent: 0, Child: 1,
			Pose: r3.PoseRPY(0, 0.5, 0, 0, 0, 0), Axis: r3.V(0, 0, 1)}}}
	p := newTree(m, nil)
	if len(p.fixed) != 1 || p.fixed[0].parent != "b" || p.fixed[0].child != "b_axis" ||
		p.fixed[0].pose.Pos != r3.V(0, 0.5, 0) || p.moving[0].via != "b_axis" {
		t.Errorf("an axis beside its link: %+v %+v", p.fixed, p.moving)
	}
}
