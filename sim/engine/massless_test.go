package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// A link without inertial between joints has no inertia in URDF: masses move as by closed forms without it. A
// ball of 1 kg stood in for it.
func TestLinksWithoutMassBetweenJointsWeighNothing(t *testing.T) {
	const bob = `<link name="bob"><inertial><origin xyz="0 0 -0.3"/><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>`
	joint := func(name, kind, parent, child, axis string) string {
		return fmt.Sprintf(`<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><axis xyz="%s"/></joint>`, name, kind, parent, child, axis)
	}
	for _, massless := range []string{`<link name="mid"/>`,
		`<link name="mid"><inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><box size="1 1 1"/></geometry></visual></link>`} {
		for name, c := range map[string]struct {
			joints string
			omega  float64 // rad/s, of the first joint
		}{
			// (I + m l²) θ'' = −m g l θ
			"two hinges": {joint("first", "continuous", "world", "mid", "0 1 0") + joint("second", "continuous", "mid", "bob", "1 0 0"),
				math.Sqrt(0.5 * 9.81 * 0.3 / (0.001 + 0.5*0.09))},
			// the links are in the order of the file, the outer massless one before its parent
			"three hinges": {`<link name="outer"/>` + joint("first", "continuous", "world", "mid", "0 1 0") + joint("second", "continuous", "mid", "outer", "0 0 1") +
				joint("third", "continuous", "outer", "bob", "1 0 0"), math.Sqrt(0.5 * 9.81 * 0.3 / (0.001 + 0.5*0.09))},
			// m x'' = −k x, on a slide with a spring that moves all
			"two slides": {joint("first", "prismatic", "world", "mid", "1 0 0") + joint("second", "prismatic", "mid", "bob", "0 1 0") +
				`<gazebo reference="first"><springStiffness>20</springStiffness></gazebo>`, math.Sqrt(20 / 0.5)},
		} {
			text := `<robot name="it"><link name="world"/>` + massless + bob + c.joints + `</robot>`
			text = strings.Replace(text, `type="prismatic">`, `type="prismatic"><limit lower="-1" upper="1" effort="0" velocity="0"/>`, -1)
			w := inTheEmptyWorld(t, engine.Options{StepSize: time.Millisecond}, "it", text)
			s := w.Snapshot()
			i, _ := s.Find("it")
			first := 0
			for s.Model.Entities[i].Spec.Joints[first].Name != "first" {
				first++
			}
			do(t, w, putAt("it", "first", 0.02))
			before, crossed := 0.02, 0.0
			for n := 1; crossed == 0 && n < 5000; n++ {
				advance(t, w, 1)
				q := w.Snapshot().JointsOf(i)[first].Position
				if before > 0 && q <= 0 { // a quarter of a period
					crossed = (float64(n) - 1 + before/(before-q)) * 0.001
				}
				before = q
			}
			if want := math.Pi / 2 / c.omega; math.Abs(crossed/want-1) > 0.01 {
				t.Errorf("%s, %.30s: a quarter of a period takes %.4f s, want %.4f s; notes %v", name, massless, crossed, want, s.Model.Entities[i].Notes)
			}
		}
	}
}

func putAt(entity, joint string, q float64) sim.SetJointPositions {
	return sim.SetJointPositions{Name: entity, Positions: []sim.JointPlace{{Joint: joint, Position: q}}}
}
