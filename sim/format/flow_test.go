package format_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// system is a plugin of Gazebo of a kind with a content.
func system(kind, content string) string {
	return `<plugin filename="gz-sim-system" name="gz::sim::systems::` + kind + `">` + content + `</plugin>`
}

func TestPluginsOfAirAndWaterAreRead(t *testing.T) {
	m := motorised(t, system("MulticopterMotorModel", `<robotNamespace>/x3</robotNamespace><jointName>j</jointName><linkName>b</linkName><turningDirection>cw</turningDirection>
		<maxRotVelocity>700</maxRotVelocity><motorConstant>1e-5</motorConstant><commandSubTopic>go</commandSubTopic><motorNumber>3</motorNumber><rotorVelocitySlowdownSim>5</rotorVelocitySlowdownSim>`)+
		system("LiftDrag", `<link_name>m::a</link_name><a0>0.1</a0><cla>4</cla><area>0.5</area><cp>0 0 1</cp><forward>0 2 0</forward><control_joint_name>j</control_joint_name>`)+
		system("Hydrodynamics", `<link_name>b</link_name><xU>-3</xU><nRabsR>-2</nRabsR><zWW>-4</zWW><xDotU>-5</xDotU><default_current>0 1 0</default_current>`))
	want := scene.Flow{
		Rotors: []scene.Rotor{{Joint: 0, Axis: r3.V(0, 0, 1), Turn: -0.2, Thrust: 1e-5,
			Torque: -0.016 * 1e-5, SideDrag: 1e-4, Rolling: 1e-6, Rise: 1.0 / 80, Fall: 1.0 / 40, Most: 700,
			Reverses: true, Topic: "/x3/go", Index: 3}},
		Wings: []scene.Wing{{Link: 0, Centre: r3.V(0, 0, 1), Forward: r3.V(0, 1, 0), Upward: r3.V(0, 0, 1),
			Area: 0.5, Density: 1.2041, Zero: 0.1, Stall: math.Pi / 2, Lift: scene.Slope{Attached: 4},
			Drag: scene.Slope{Attached: 0.01, Detached: 1}, Joint: 1, JointLift: 4}},
		Hulls: []scene.Hull{{Link: 1, Current: r3.V(0, 1, 0), Quadratic: []scene.DragTerm{
			{Force: 2, Of: 2, Times: 2, Value: -4}, {Force: 5, Of: 5, Times: 5, Value: -2}}}},
	}
	want.Hulls[0].Linear[0][0] = -3
	if !reflect.DeepEqual(m.Flow, want) {
		t.Errorf("read\n%+v, want\n%+v", m.Flow, want)
	}
	if a := m.Links[1].Added; a == nil || a.Linear.XX != 5 || a.Linear.YY != 0 {
		t.Errorf("an added mass of %+v", a)
	}
	if len(m.Notes) != 1 || !strings.Contains(m.Notes[0].Text, "<zWW> is <zWabsW> here") {
		t.Errorf("notes %v", m.Notes)
	}
}

func TestAControllerOfVelocitiesIsADrive(t *testing.T) {
	const gains = `<velocityGain>1 2 3</velocityGain><attitudeGain>4 5 6</attitudeGain><angularRateGain>7 8 9</angularRateGain>`
	m := motorised(t, system("MulticopterVelocityControl", `<commandSubTopic>twist</commandSubTopic>`+gains+
		`<maximumLinearVelocity>5 5 2</maximumLinearVelocity><rotorConfiguration><rotor><jointName>j</jointName></rotor></rotorConfiguration>`))
	want := scene.Drive{Kind: scene.Multicopter, Topic: "twist",
		Craft: scene.Craft{Flight: &scene.Flight{Joints: []int{0}, Velocity: r3.V(1, 2, 3),
			Attitude: r3.V(4, 5, 6), Rate: r3.V(7, 8, 9), MaxLinear: r3.V(5, 5, 2)}}}
	if len(m.Drives) != 1 || !reflect.DeepEqual(m.Drives[0], want) {
		t.Errorf("read %+v, want %+v", m.Drives, want)
	}
	m = motorised(t, system("MulticopterVelocityControl", `<velocityGain>1 0 3</velocityGain>`))
	if len(m.Drives) != 0 || len(m.Notes) == 0 || !strings.Contains(m.Notes[0].Text, "<velocityGain> is three numbers") {
		t.Errorf("without gains: %v, notes %v", m.Drives, m.Notes)
	}
}

func TestAThrusterIsARotorThatTakesForces(t *testing.T) {
	m := motorised(t, system("Thruster", `<joint_name>j</joint_name><thrust_coefficient>0.5</thrust_coefficient><propeller_diameter>0.1</propeller_diameter><max_thrust_cmd>40</max_thrust_cmd>`))
	want := scene.Rotor{Axis: r3.V(0, 0, 1), Turn: 1, Thrust: 0.05, Reverses: true, ByForce: true,
		Force: [2]float64{-1000, 40}}
	if len(m.Flow.Rotors) != 1 {
		t.Fatalf("%d rotors", len(m.Flow.Rotors))
	}
	got := m.Flow.Rotors[0]
	if math.Abs(got.Thrust-want.Thrust) > 1e-12 {
		t.Errorf("a thrust constant of %v, want %v", got.Thrust, want.Thrust)
	}
	if got.Thrust = want.Thrust; got != want {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	if l := m.Joints[0].Listen; l.Topic != "/model/m/joint/j/cmd_thrust" || !l.Effort {
		t.Errorf("it listens to %+v", l)
	}
}

func TestAPropellerOfTheOtherHandTurnsBackward(t *testing.T) {
	m := motorised(t, system("Thruster", `<joint_name>j</joint_name><thrust_coefficient>-0.5</thrust_coefficient><propeller_diameter>0.1</propeller_diameter>`))
	r := m.Flow.Rotors
	if len(r) != 1 || math.Abs(r[0].Thrust-0.05) > 1e-12 || r[0].Turn != -1 || len(m.Notes) != 0 {
		t.Errorf("read %+v, notes %v", r, m.Notes)
	}
}

// VRX's plugin has drags and added masses above zero, and its own usual ones.
func TestABoatOfVRXIsAHull(t *testing.T) {
	m := motorised(t, `<plugin filename="libSimpleHydrodynamics.so" name="vrx::SimpleHydrodynamics"><link_name>a</link_name>
		<xDotU>0</xDotU><yDotV>0</yDotV><nDotR>2</nDotR><xU>100</xU><xUU>150</xUU></plugin>`)
	want := scene.Hull{Quadratic: []scene.DragTerm{{Value: -150}}}
	for i, x := range [...]float64{100, 20, 20, 20, 20, 20} {
		want.Linear[i][i] = -x
	}
	if len(m.Flow.Hulls) != 1 || !reflect.DeepEqual(m.Flow.Hulls[0], want) || len(m.Notes) != 0 {
		t.Errorf("read %+v, want %+v; notes %v", m.Flow.Hulls, want, m.Notes)
	}
	if a := m.Links[0].Added; a == nil || a.Linear.XX != 0 || a.Linear.ZZ != 0.1 || a.Angular.ZZ != 2 {
		t.Errorf("an added mass of %+v", a)
	}
}

func TestAirAndWaterThatCannotBeAreNoted(t *testing.T) {
	for plugin, want := range map[string]string{
		system("MulticopterMotorModel", `<jointName>nowhere</jointName>`):                                                                                        `there is no joint "nowhere"`,
		system("MulticopterMotorModel", `<jointName>j</jointName><turningDirection>up</turningDirection>`):                                                       `<turningDirection> "up"`,
		system("MulticopterMotorModel", `<jointName>j</jointName><turningDirection>cw</turningDirection><motorConstant>-1</motorConstant>`):                      `<motorConstant> of -1; want 0 or more`,
		system("Thruster", `<joint_name>j</joint_name><fluid_density>-1</fluid_density>`):                                                                        `<fluid_density> of -1 kg/m³`,
		system("Thruster", `<joint_name>j</joint_name><min_thrust_cmd>9</min_thrust_cmd><max_thrust_cmd>3</max_thrust_cmd>`):                                     `a thrust from 9 N to 3 N`,
		system("Thruster", `<joint_name>j</joint_name><wake_fraction>0.2</wake_fraction>`):                                                                       `<wake_fraction>`,
		system("LiftDrag", `<link_name>a</link_name><area>-1</area>`):                                                                                            `<area> of -1; want 0 or more`,
		system("LiftDrag", `<link_name>a</link_name><forward>0 0 1</forward>`):                                                                                   `<forward> and <upward> are one direction`,
		system("LiftDrag", `<link_name>a</link_name><cla>NaN</cla>`):                                                                                             `<cla> is "NaN"`,
		system("LiftDrag", `<link_name>z</link_name>`):                                                                                                           `there is no link "z"`,
		system("Hydrodynamics", `<link_name>a</link_name><xU>20</xU>`):                                                                                           `<xU> of 20 drives the hull on`,
		system("Hydrodynamics", `<link_name>a</link_name><zWabsW>20</zWabsW>`):                                                                                   `<zWabsW> of 20 drives the hull on`,
		system("SimpleHydrodynamics", `<link_name>a</link_name><xU>-20</xU>`):                                                                                    `<xU> of -20; want 0 or more; using 20`,
		system("MulticopterMotorModel", `<jointName>j</jointName><turningDirection>cw</turningDirection><rotorVelocitySlowdownSim>0</rotorVelocitySlowdownSim>`): `<rotorVelocitySlowdownSim> of 0`,
		system("Hydrodynamics", `<link_name>a</link_name><xDotU>5</xDotU>`):                                                                                      `its added mass is left out`,
	} {
		m := motorised(t, plugin)
		said := ""
		for _, n := range m.Notes {
			said += n.Text + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: it said %q, want %s", plugin, said, want)
		}
	}
}

func TestTheMediumOfAWorldIsRead(t *testing.T) {
	w, err := format.NewLibrary(format.Config{}).World(scene.Resource{Document: `<sdf version="1.9"><world name="w"><wind><linear_velocity>1 2 3</linear_velocity></wind>
		<atmosphere><temperature_gradient>-0.005</temperature_gradient></atmosphere>` +
		system("WindEffects", `<force_approximation_scaling_factor>0.5</force_approximation_scaling_factor><horizontal><magnitude><time_for_rise>4</time_for_rise><sin><amplitude_percent>0.1</amplitude_percent><period>30</period></sin><noise type="gaussian"><stddev>0.2</stddev></noise></magnitude><direction><sin><amplitude>90</amplitude><period>9</period></sin></direction></horizontal>`) +
		system("Buoyancy", `<graded_buoyancy><density_change><above_depth>2</above_depth><density>1</density></density_change><density_change><above_depth>-3</above_depth><density>1010</density></density_change></graded_buoyancy><enable>boat</enable>`) +
		`</world></sdf>`})
	if err != nil {
		t.Fatal(err)
	}
	want := scene.Medium{Carries: []string{"boat"}, Layers: []scene.Layer{{From: math.Inf(-1), Density: 1000},
		{From: -3, Density: 1010}, {From: 2, Density: 1}},
		Wind: scene.Wind{Velocity: r3.V(1, 2, 3), Push: 0.5, Rise: 4, RiseUp: 1,
			Sway: scene.Sway{Amplitude: 0.1, Period: 30},
			Veer: scene.Sway{Amplitude: math.Pi / 2, Period: 9}, Noise: scene.Noise{Std: 0.2}}}
	if !reflect.DeepEqual(w.Medium, want) {
		t.Errorf("read\n%+v, want\n%+v", w.Medium, want)
	}
	if w.Earth.Gradient == nil || *w.Earth.Gradient != -0.005 || len(w.Notes) != 0 {
		t.Errorf("gradient %v, notes %v", w.Earth.Gradient, w.Notes)
	}
}

// aircraft is a plugin of a whole aircraft with more in it.
func aircraft(content string) string {
	return system("AdvancedLiftDrag", `<link_name>a</link_name><AR>6.5</AR><eff>0.97</eff><area>0.34</area>`+content)
}

func TestTheCoefficientsOfAnAircraftAreRead(t *testing.T) {
	m := motorised(t, aircraft(`<CL0>0.15</CL0><CD0>0.029</CD0><Cem0>0.07</Cem0><CLa>5</CLa><Cema>-0.46</Cema><CYb>-0.25</CYb><Cellp>-0.48</Cellp>
		<Cemq>-12</Cemq><Cenr>-0.09</Cenr><alpha_stall>0.34</alpha_stall><Cema_stall>-1</Cema_stall><CLa_stall>-3.85</CLa_stall><a0>0</a0><cp>-0.12 0 0</cp>
		<num_ctrl_surfaces>1</num_ctrl_surfaces><control_surface><name>j</name><index>0</index><direction>-1</direction><CL_ctrl>0.01</CL_ctrl><Cen_ctrl>0.5</Cen_ctrl></control_surface>`))
	degrees := -180 / math.Pi
	want := scene.Airframe{Centre: r3.V(-0.12, 0, 0), Forward: r3.V(1, 0, 0),
		Upward: r3.V(0, 0, 1), Area: 0.34, Aspect: 6.5, Chord: math.Sqrt(0.34 / 6.5), Efficiency: 0.97,
		Density: 1.2041, Stall: 0.34, Blend: 15,
		Plate: [2]float64{-0.224, -0.115}, Level: scene.Coefficients{Drag: 0.029, Lift: 0.15, Pitch: 0.07},
		Attack: scene.Coefficients{Lift: 5, Pitch: -0.46}, Slip: scene.Coefficients{Side: -0.25},
		PitchStall: -1,
		Rates:      [3]scene.Coefficients{{Roll: -0.48}, {Pitch: -12}, {Yaw: -0.09}},
		Surfaces: []scene.ControlSurface{{Joint: 0, Effect: scene.Coefficients{Lift: 0.01 * degrees,
			Yaw: 0.5 * degrees}}}}
	if len(m.Flow.Frames) != 1 || !reflect.DeepEqual(m.Flow.Frames[0], want) || len(m.Notes) != 0 {
		t.Errorf("read\n%+v, want\n%+v; notes %v", m.Flow.Frames, want, m.Notes)
	}
}

func TestAnAircraftThatCannotFlyIsNoted(t *testing.T) {
	for plugin, want := range map[string]string{
		system("AdvancedLiftDrag", `<link_name>a</link_name>`):                          `it has no <AR>`,
		system("AdvancedLiftDrag", `<link_name>z</link_name>`):                          `there is no link "z"`,
		system("AdvancedLiftDrag", `<link_name>a</link_name><AR>-2</AR>`):               `<AR> of -2; want more than 0; using 6`,
		aircraft(`<CLa>NaN</CLa>`):                                                      `<CLa> is "NaN"`,
		aircraft(`<air_density>-1</air_density>`):                                       `<air_density> of -1 kg/m³`,
		aircraft(`<upward>1 0 0</upward>`):                                              `are one direction`,
		aircraft(`<control_surface><name>flap</name></control_surface>`):                `there is no joint "flap"`,
		aircraft(`<num_ctrl_surfaces>3</num_ctrl_surfaces>`):                            `<num_ctrl_surfaces> of 3 beside 0`,
		aircraft(`<CLaa>1</CLaa>`):                                                      `<CLaa>`,
		aircraft(`<control_surface><name>j</name><CL_ctl>1</CL_ctl></control_surface>`): `<CL_ctl> of a control surface is not run`,
	} {
		said := ""
		for _, n := range motorised(t, plugin).Notes {
			said += n.Text + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: it said %q, want %s", plugin, said, want)
		}
	}
}
