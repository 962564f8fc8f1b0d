package sdf

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestASecondAxisWithLimitsIsAHingeOfItsOwn(t *testing.T) {
	const axes = `<joint name="u" type="universal"><parent>a</parent><child>b</child><pose>0 0 -0.5 0 0 0</pose><axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis><axis2><xyz>0 1 0</xyz>`
	for name, c := range map[string]struct {
		second string
		joints int
	}{
		"nothing":     {"", 1},
		"endless":     {"<limit><lower>-1e16</lower><upper>1e16</upper></limit>", 1},
		"limits":      {"<limit><lower>-0.2</lower><upper>0.3</upper><effort>5</effort></limit>", 2},
		"only effort": {"<limit><effort>5</effort></limit>", 2},
		"damping":     {"<dynamics><damping>0.5</damping></dynamics>", 2},
	} {
		m, err := Model(open(t, inModel(twoLink+axes+c.second+"</axis2></joint>"), nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(m.Joints) != c.joints || len(m.Links) != 1+c.joints || m.Joints[0].Name != "u" ||
			m.Joints[0].Limit.Lower != -1 {
			t.Fatalf("%s: joints %+v", name, m.Joints)
		}
		if c.joints == 1 {
			if m.Joints[0].Kind != scene.Universal {
				t.Errorf("%s: joint %+v", name, m.Joints[0])
			}
			continue
		}
		a, b, between := m.Joints[0], m.Joints[1], m.Links[2]
		if a.Kind != scene.Revolute || a.Child != 2 || b.Name != "u_2" || b.Parent != 2 || b.Child != 1 ||
			b.Axis != r3.V(0, 1, 0) || !between.Virtual {
			t.Errorf("%s: %+v, then %+v, between them %+v", name, a, b, between)
		}
		near(t, name, between.Pose, r3.PoseRPY(0, 0, 0.5, 0, 0, 0))
		near(t, name, m.Links[1].Pose.Mul(b.Pose), between.Pose)
		if !said(m.Notes, `the second is called "u_2"`) {
			t.Errorf("%s: notes %v", name, m.Notes)
		}
	}
	m, err := Model(open(t, inModel(twoLink+axes+
		"<limit><lower>-0.2</lower><upper>0.3</upper><effort>5</effort></limit></axis2></joint>"), nil))
	if err != nil {
		t.Fatal(err)
	}
	if l := m.Joints[1].Limit; !l.Set || l.Lower != -0.2 || l.Upper != 0.3 || l.Effort != 5 ||
		m.Joints[1].Kind != scene.Revolute {
		t.Errorf("limits %+v of joint %+v", l, m.Joints[1])
	}
}
