package engine_test

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// glider is a plane of 2 kg with the coefficients of PX4's, about its centre of mass. It has no rudders and
// no rotor.
const glider = `<plugin filename="gz-sim-advanced-lift-drag-system" name="gz::sim::systems::AdvancedLiftDrag">
	<a0>0.0</a0><CL0>0.15188</CL0><AR>6.5</AR><eff>0.97</eff><CLa>5.015</CLa><CD0>0.029</CD0><Cem0>0.03</Cem0><Cema>-0.463966</Cema>
	<CYb>-0.258244</CYb><Cellb>-0.039250</Cellb><Cenb>0.100826</Cenb><CYp>0.065861</CYp><Cellp>-0.487407</Cellp><Cenp>-0.040416</Cenp>
	<CDq>0.055166</CDq><CLq>7.971792</CLq><Cemq>-12.140140</Cemq><CYr>0.230299</CYr><Cellr>0.078165</Cellr><Cenr>-0.089947</Cenr>
	<alpha_stall>0.3391428111</alpha_stall><CLa_stall>-3.85</CLa_stall><CDa_stall>-0.9233984055</CDa_stall><Cema_stall>0</Cema_stall>
	<cp>0 0 0</cp><area>0.34</area><mac>0.22</mac><air_density>1.2041</air_density><forward>1 0 0</forward><upward>0 0 1</upward>
	<link_name>l</link_name>%s</plugin>`

// A plane glides at the ratio of its lift and drag, at the angle of attack where its pitching moment is none.
func TestAPlaneGlidesAtTheRatioOfItsLiftAndDrag(t *testing.T) {
	attack := 0.03 / 0.463966
	sigma := 1/(1+math.Exp(-15*(attack-0.3391428111))) + 1/(1+math.Exp(15*(attack+0.3391428111)))
	sin, cos := math.Sincos(attack)
	lift := (1-sigma)*(0.15188+5.015*attack) + sigma*2*sin*sin*cos
	plate := 2 / (1 + math.Exp(-0.224-0.115*6.5))
	drag := (1-sigma)*(0.029+lift*lift/(math.Pi*6.5*0.97)) + sigma*plate*sin*sin
	speed := math.Sqrt(2 * 2 * 9.81 / (1.2041 * 0.34 * math.Hypot(lift, drag)))
	path := -math.Atan2(drag, lift)

	at := fmt.Sprintf("0 0 500 0 %v 0", -(attack + path))
	w := judgeWorld(t, &judged{gravity: pull, models: solid("plane", at,
		"<box><size>0.4 1 0.1</size></box>", 2, r3.V(0.2, 0.15, 0.3), fmt.Sprintf(glider, ""))})
	do(t, w, sim.SetEntityState{Name: "plane",
		Twist: &r3.Twist{Linear: r3.V(math.Cos(path), 0, math.Sin(path)).Scale(speed + 1)}})
	advance(t, w, 60000) // until its phugoid, which begins with a metre per second too much, has faded
	before := state(t, w, "plane").Pose.Pos
	advance(t, w, 20000)
	after := state(t, w, "plane")
	flown := after.Pose.Pos.Sub(before)
	if got, want := flown.X/-flown.Z, lift/drag; math.Abs(got/want-1) > 0.01 {
		t.Errorf("it glides by %.3f to one, want %.3f", got, want)
	}
	if got := flown.Len() / 20; math.Abs(got/speed-1) > 0.01 || math.Abs(flown.Y) > 1e-6*flown.X {
		t.Errorf("it flies %.3f m/s by %v, want %.3f", got, flown, speed)
	}
}

// A rudder's coefficient is by degrees of its joint, and by its direction.
func TestARudderTurnsAPlane(t *testing.T) {
	const told, speed = 0.2, 15.0
	surface := `<num_ctrl_surfaces>1</num_ctrl_surfaces><control_surface><name>rudder</name><index>0</index><direction>-1</direction><CD_ctrl>0</CD_ctrl><CY_ctrl>0</CY_ctrl><CL_ctrl>0</CL_ctrl><Cell_ctrl>0</Cell_ctrl><Cem_ctrl>0</Cem_ctrl><Cen_ctrl>0.001613</Cen_ctrl></control_surface>`
	fin := `<link name="fin"><inertial><mass>0.001</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial></link><joint name="rudder" type="revolute"><parent>l</parent><child>fin</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>`
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: solid("plane", "0 0 5 0 0 0",
		"<box><size>0.4 1 0.1</size></box>", 2, r3.V(0.2, 0.15, 0.3), fin+fmt.Sprintf(glider, surface))})
	do(t, w, sim.SetJoints{Name: "plane", Targets: []sim.JointTarget{{Joint: "rudder",
		Mode: sim.JointPosition, Target: told}}})
	advance(t, w, 1000)
	do(t, w, sim.SetEntityState{Name: "plane", Twist: &r3.Twist{Linear: r3.V(speed, 0, 0)}})
	advance(t, w, 10)
	hinge := judged{of: "plane/rudder"}
	deflection := hinge.read(t, w, "q")
	push := 0.5 * 1.2041 * speed * speed * 0.34 * math.Sqrt(0.34*6.5)
	// A yaw to the right is one about −z.
	want := push * 0.001613 * deflection * 180 / math.Pi / 0.3 * 0.01
	if got := state(t, w, "plane").Twist.Angular.Z; math.Abs(got/want-1) > 0.05 {
		t.Errorf("after 10 ms, with its rudder at %.4f rad, it yaws by %.5f rad/s, want %.5f", deflection,
			got, want)
	}
}
