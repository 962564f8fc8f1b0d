package sdf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// turnOf is the angular velocity of a link about an axis of the outermost model when a joint turns by one
// radian a second.
func turnOf(spec *scene.ModelSpec, joint, link int, axis r3.Vec) float64 {
	j := &spec.Joints[joint]
	own := spec.Links[j.Child].Pose.Rot.Rotate(j.Pose.Rot.Rotate(j.Axis))
	if j.Child != link { // it is the parent, which turns the other way
		own = own.Neg()
	}
	return own.Dot(axis)
}

// TestTheRelationOfAGearboxHoldsInEveryPose turns the model, its links and all axes, swaps parents and
// children, and starts at other angles.
func TestTheRelationOfAGearboxHoldsInEveryPose(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	turn := func() string {
		return fmt.Sprintf("%g %g %g", 6*random.Float64()-3, 3*random.Float64()-1.5, 6*random.Float64()-3)
	}
	for try := range 300 {
		// Axes of the hinges in the model's frame; the gearbox names them forwards or backwards.
		axes, sides := [2]r3.Vec{}, [2]float64{1, 1}
		for i := range axes {
			axes[i], _ = r3.V(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).Unit()
			if random.IntN(2) == 0 {
				sides[i] = -1
			}
		}
		ratio, angle := 0.5+4*random.Float64(), [2]float64{random.Float64() - 0.5, random.Float64() - 0.5}
		hinges := ""
		for i, name := range []string{"b", "c"} {
			ends := "<parent>a</parent><child>" + name + "</child>"
			if random.IntN(2) == 0 {
				ends = "<parent>" + name + "</parent><child>a</child>"
			}
			hinges += fmt.Sprintf(`<joint name="j%s" type="revolute"><pose relative_to="__model__">1 %d 0 %s</pose>%s
				<axis><xyz expressed_in="__model__">%v %v %v</xyz><initial_position>%v</initial_position></axis></joint>`,
				name, i, turn(), ends, axes[i].X, axes[i].Y, axes[i].Z, angle[i])
		}
		spec, err := Model(open(t, fmt.Sprintf(`<sdf version="1.11"><model name="m"><pose>1 2 3 %s</pose>
			<link name="a"><pose>0 0 1 %s</pose></link><link name="b"><pose>1 0 0 %s</pose></link>
			<link name="c"><pose>0 1 0 %s</pose></link>%s
			<joint name="gears" type="gearbox"><pose>0 0 0 %s</pose><parent>b</parent><child>c</child>
			<gearbox_ratio>%v</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>
			<axis><xyz expressed_in="__model__">%v %v %v</xyz></axis>
			<axis2><xyz expressed_in="__model__">%v %v %v</xyz></axis2></joint></model></sdf>`,
			turn(), turn(), turn(), turn(), hinges, turn(), ratio,
			sides[0]*axes[0].X, sides[0]*axes[0].Y, sides[0]*axes[0].Z,
			sides[1]*axes[1].X, sides[1]*axes[1].Y, sides[1]*axes[1].Z), nil))
		if err != nil {
			t.Fatal(err)
		}
		m := spec.Joints[1].Mimic
		if !m.Set || m.Joint != 0 {
			t.Fatalf("try %d: %+v", try, spec.Joints)
		}
		// The child turns about its axis by minus the ratio times as far as the parent does about its own.
		parent := turnOf(spec, 0, 1, axes[0].Scale(sides[0]))
		child := m.Multiplier * turnOf(spec, 1, 2, axes[1].Scale(sides[1]))
		if math.Abs(child+ratio*parent) > 1e-9 {
			t.Errorf("try %d: parent turns by %v, child by %v; ratio %v", try, parent, child, ratio)
		}
		if start := m.Multiplier*angle[0] + m.Offset; math.Abs(start-angle[1]) > 1e-9 {
			t.Errorf("try %d: at the start the child is to be at %v, the file shows it at %v", try, start, angle[1])
		}
	}
}
