package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// The pool is water of 1000 kg/m³ up to the height of 0, under nothing.
const pool = `<plugin filename="gz-sim-buoyancy-system" name="gz::sim::systems::Buoyancy"><graded_buoyancy><default_density>1000</default_density><density_change><above_depth>0</above_depth><density>0</density></density_change></graded_buoyancy></plugin>`

// solid is a model of one shape with a mass, its moments of inertia, and more.
func solid(name, place, geometry string, mass float64, moments r3.Vec, more string) string {
	return fmt.Sprintf(`<model name="%s"><pose>%s</pose><link name="l"><inertial><mass>%v</mass><inertia><ixx>%v</ixx><iyy>%v</iyy><izz>%v</izz></inertia></inertial><collision name="c"><geometry>%s</geometry></collision></link>%s</model>`,
		name, place, mass, moments.X, moments.Y, moments.Z, geometry, more)
}

// brick is a box of a mass.
func brick(name, place string, size r3.Vec, mass float64, more string) string {
	at := func(a, b float64) float64 { return mass / 12 * (a*a + b*b) }
	return solid(name, place, fmt.Sprintf("<box><size>%v %v %v</size></box>", size.X, size.Y, size.Z), mass,
		r3.V(at(size.Y, size.Z), at(size.X, size.Z), at(size.X, size.Y)), more)
}

const pull = "0 0 -9.81" // of the earth, m/s²

// state is an entity of a world.
func state(t *testing.T, w *engine.World, name string) sim.EntityState {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("there is no %q", name)
	}
	return s.Entities[i]
}

// Archimedes: what is under water accelerates by its weight less that of the water in its place.
func TestSubmergedSolidsRiseAsArchimedesSays(t *testing.T) {
	const mass = 20.0
	for shape, volume := range map[string]float64{
		"<box><size>0.4 0.5 0.6</size></box>":                                                             0.12,
		"<sphere><radius>0.3</radius></sphere>":                                                           4.0 / 3 * math.Pi * 0.027,
		"<cylinder><radius>0.2</radius><length>0.7</length></cylinder>":                                   math.Pi * 0.04 * 0.7,
		"<capsule><radius>0.2</radius><length>0.5</length></capsule>":                                     math.Pi*0.04*0.5 + 4.0/3*math.Pi*0.008,
		"<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>0.3</height></polyline>": 0.15,
	} {
		w := judgeWorld(t, &judged{gravity: pull, models: pool +
			solid("m", "0 0 -5 0.3 0.2 0.1", shape, mass, r3.V(1, 1, 1), "")})
		advance(t, w, 10)
		got := state(t, w, "m").Accel.Linear.Z
		if shape[1] == 'p' { // its centre of volume is beside its centre of mass: only the force is known
			got = state(t, w, "m").Twist.At(r3.Vec{}).Z / 0.01
		}
		if want := 9.81 * (1000*volume/mass - 1); math.Abs(got-want) > 2e-2*want {
			t.Errorf("%s of %.3g m³ accelerates by %.5g m/s², want %.5g", shape, volume, got, want)
		}
	}
}

func TestAFloatingBoxStandsWhereItDisplacesItsWeight(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: pool + brick("m", "0 0 0.03 0 0 0", r3.V(1, 1, 0.5),
		300, `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-2000</zW></plugin>`)})
	advance(t, w, 8000)
	if got, want := state(t, w, "m").Pose.Pos.Z, 0.25-0.3; math.Abs(got-want) > 1e-4 {
		t.Errorf("a box of 300 kg stands at %v m, want %v", got, want)
	}
}

// A barge rolls about its metacentre: T = 2π·√(I/(m·g·GM)), GM = KB + B²/(12·T) − KG.
func TestABargeRollsInTheTimeOfItsMetacentricHeight(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: pool +
		brick("m", "0 0 0 0.02 0 0", r3.V(4, 2, 1), 4000, "")})
	var crossings []float64
	last := 1.0
	for i := range 9000 {
		advance(t, w, 1)
		roll, _, _ := state(t, w, "m").Pose.Rot.RPY()
		if roll*last < 0 {
			crossings = append(crossings, float64(i+1)/1000)
		}
		last = roll
	}
	if len(crossings) < 6 {
		t.Fatalf("it rolls over upright %d times", len(crossings))
	}
	n := len(crossings) - 1
	period := 2 * (crossings[n] - crossings[0]) / float64(n)
	height := 0.25 + 4.0/(12*0.5) - 0.5
	want := 2 * math.Pi * math.Sqrt(4000.0/12*5/(4000*9.81*height))
	if math.Abs(period/want-1) > 5e-3 {
		t.Errorf("it rolls in %.4f s, want %.4f s for a metacentric height of %.4f m", period, want, height)
	}
}

func TestABargeOfANegativeMetacentricHeightCapsizes(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: pool +
		brick("m", "0 0 0 0.02 0 0", r3.V(4, 1, 1.2), 2400, "")})
	most := 0.0
	for range 600 {
		advance(t, w, 10)
		roll, _, _ := state(t, w, "m").Pose.Rot.RPY()
		most = max(most, math.Abs(roll))
	}
	if most < 0.5 {
		t.Errorf("it rolls to %.3f rad at most", most)
	}
}

func TestOnlyEnabledModelsFloat(t *testing.T) {
	only := `<plugin filename="gz-sim-buoyancy-system" name="b"><uniform_fluid_density>1000</uniform_fluid_density><enable>boat</enable></plugin>`
	w := judgeWorld(t, &judged{gravity: pull, models: only +
		brick("boat", "0 0 0 0 0 0", r3.V(1, 1, 1), 500, "") +
		brick("stone", "4 0 0 0 0 0", r3.V(1, 1, 1), 500, "")})
	advance(t, w, 100)
	up, down := state(t, w, "boat").Twist.Linear.Z, state(t, w, "stone").Twist.Linear.Z
	if math.Abs(up-0.981) > 1e-3 || math.Abs(down+0.981) > 1e-3 {
		t.Errorf("the boat moves by %v m/s, the stone by %v", up, down)
	}
}

// A link in the wind takes on its velocity: v = W·(1 − e^(−k·t)) for a wind that blows from the beginning.
func TestAWindTakesLinksAlong(t *testing.T) {
	wind := `<wind><linear_velocity>4 -3 0</linear_velocity></wind><plugin filename="gz-sim-wind-effects-system" name="w"><force_approximation_scaling_factor>2</force_approximation_scaling_factor><horizontal><magnitude><time_for_rise>1e-6</time_for_rise></magnitude></horizontal></plugin>`
	calm := brick("calm", "0 9 0 0 0 0", r3.V(1, 1, 1), 5, "")
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: wind + calm +
		brick("leaf", "0 0 0 0 0 0", r3.V(1, 1, 1), 5, "<enable_wind>true</enable_wind>")})
	advance(t, w, 700)
	want := r3.V(4, -3, 0).Scale(1 - math.Exp(-1.4))
	if got := state(t, w, "leaf").Twist.Linear; got.Dist(want) > 1e-2 {
		t.Errorf("the leaf moves by %v, want %v", got, want)
	}
	if got := state(t, w, "calm").Twist.Linear; got != (r3.Vec{}) {
		t.Errorf("without <enable_wind> it moves by %v", got)
	}
}

// A sinking hull ends at the speed at which its drag is its weight less its buoyancy.
func TestASinkingHullReachesItsTerminalSpeed(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: pool + brick("m", "0 0 -5 0 0 0", r3.V(1, 1, 1), 1100,
		`<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-300</zW><zWabsW>-900</zWabsW><zDotW>-400</zDotW><xDotU>-50</xDotU><yDotV>-50</yDotV></plugin>`)})
	advance(t, w, 20)
	early := state(t, w, "m").Twist.Linear.Z
	if want := -0.02 * 100 * 9.81 / 1500; math.Abs(early/want-1) > 0.02 {
		t.Errorf("it begins with %v m/s after 20 ms, want %v by 1100 kg and an added mass of 400 kg", early, want)
	}
	advance(t, w, 20000)
	want := -(-300 + math.Sqrt(300*300+4*900*981)) / (2 * 900)
	if got := state(t, w, "m").Twist.Linear.Z; math.Abs(got/want-1) > 1e-3 {
		t.Errorf("it sinks by %v m/s, want %v", got, want)
	}
}

// A turning body with an added mass that is not even keeps the momentum of both.
func TestAnUnevenAddedMassTurnsABodyAcrossTheFlow(t *testing.T) {
	added := `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><xDotU>-1</xDotU><yDotV>-30</yDotV><zDotW>-30</zDotW></plugin>`
	w := judgeWorld(t, &judged{gravity: "0 0 0",
		models: brick("m", "0 0 0 0 0 0.1", r3.V(2, 0.4, 0.4), 10, added)})
	do(t, w, sim.SetEntityState{Name: "m", Twist: &r3.Twist{Linear: r3.V(2, 0, 0)}})
	advance(t, w, 3000)
	_, _, yaw := state(t, w, "m").Pose.Rot.RPY()
	// Munk's moment turns a long body broadside on: away from where it pointed.
	if yaw < 0.5 {
		t.Errorf("it points at %v rad, which began at 0.1", yaw)
	}
}

// A wing in the wind lifts its slider by its coefficient.
func TestAWingInTheWindLiftsASlider(t *testing.T) {
	models := `<wind><linear_velocity>-12 0 0</linear_velocity></wind>` + slider("m", "") // of 2 kg
	wing := `<plugin filename="gz-sim-lift-drag-system" name="l"><link_name>body</link_name><a0>0.1</a0><cla>3</cla><area>0.05</area><air_density>1.2</air_density></plugin></model>`
	models = models[:len(models)-len("</model>")] + wing
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: models})
	advance(t, w, 10)
	lift := 3 * 0.1 * 0.5 * 1.2 * 144 * 0.05
	k := judged{of: "m/j"}
	if got, want := k.read(t, w, "v"), lift/2*0.01; math.Abs(got/want-1) > 1e-2 {
		t.Errorf("after 10 ms it rises by %v m/s, want %v", got, want)
	}
}

// quadrotor is a model of 1.5 kg with four rotors on arms of 0.2 m.
func quadrotor(name, place string) string {
	links, plugins := "", ""
	for i, at := range []string{"0.2 -0.2", "-0.2 0.2", "0.2 0.2", "-0.2 -0.2"} {
		turn := []string{"ccw", "ccw", "cw", "cw"}[i]
		links += fmt.Sprintf(`<link name="rotor_%d"><pose>%s 0.05 0 0 0</pose><inertial><mass>0.005</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia></inertial></link><joint name="rotor_%d_joint" type="revolute"><parent>base_link</parent><child>rotor_%d</child><axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>1e16</upper></limit></axis></joint>`,
			i, at, i, i)
		plugins += fmt.Sprintf(`<plugin filename="gz-sim-multicopter-motor-model-system" name="gz::sim::systems::MulticopterMotorModel"><robotNamespace>%s</robotNamespace><jointName>rotor_%d_joint</jointName><linkName>rotor_%d</linkName><turningDirection>%s</turningDirection><timeConstantUp>0.0125</timeConstantUp><timeConstantDown>0.025</timeConstantDown><maxRotVelocity>800</maxRotVelocity><motorConstant>8.54858e-06</motorConstant><momentConstant>0.016</momentConstant><commandSubTopic>command/motor_speed</commandSubTopic><motorNumber>%d</motorNumber><rotorDragCoefficient>8.06428e-05</rotorDragCoefficient><rollingMomentCoefficient>1e-06</rollingMomentCoefficient><motorType>velocity</motorType></plugin>`,
			name, i, i, turn, i)
	}
	return fmt.Sprintf(`<model name="%s"><pose>%s</pose><link name="base_link"><inertial><mass>1.48</mass><inertia><ixx>0.0347563</ixx><iyy>0.0458929</iyy><izz>0.0977</izz></inertia></inertial><collision name="c"><geometry><box><size>0.47 0.47 0.11</size></box></geometry></collision></link>%s%s</model>`,
		name, place, links, plugins)
}

// rotors is a command of four speeds, rad/s.
func rotors(name string, speeds [4]float64) sim.SetJoints {
	c := sim.SetJoints{Name: name}
	for i, s := range speeds {
		c.Targets = append(c.Targets, sim.JointTarget{Joint: fmt.Sprintf("rotor_%d_joint", i),
			Mode: sim.JointVelocity, Target: s})
	}
	return c
}

// pilot is the controller of the quadrotor.
func pilot(name string) string {
	list := ""
	for i := range 4 {
		list += fmt.Sprintf(`<rotor><jointName>rotor_%d_joint</jointName></rotor>`, i)
	}
	return fmt.Sprintf(`<plugin filename="gz-sim-multicopter-control-system" name="gz::sim::systems::MulticopterVelocityControl"><robotNamespace>%s</robotNamespace><commandSubTopic>cmd_vel</commandSubTopic><comLinkName>base_link</comLinkName><velocityGain>2.7 2.7 2.7</velocityGain><attitudeGain>2 3 0.15</attitudeGain><angularRateGain>0.4 0.52 0.18</angularRateGain><maximumLinearAcceleration>2 2 2</maximumLinearAcceleration><rotorConfiguration>%s</rotorConfiguration></plugin>`,
		name, list)
}

func piloted(name, place string) string {
	return strings.Replace(quadrotor(name, place), "</model>", pilot(name)+"</model>", 1)
}

// Gazebo's gains fly the quadrotor around a square by velocities in its own frame; it ends where it began.
func TestAMulticopterFliesASquareByItsVelocities(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: floorModel + piloted("q", "0 0 0.06 0 0 0")})
	fly := func(v r3.Vec, yaw float64, steps int) sim.EntityState {
		do(t, w, sim.DriveEntity{Name: "q", Twist: r3.Twist{Linear: v, Angular: r3.V(0, 0, yaw)}})
		advance(t, w, steps)
		return state(t, w, "q")
	}
	advance(t, w, 500)
	if s := state(t, w, "q"); s.Pose.Pos.Z > 0.07 {
		t.Errorf("without a command it is at %v", s.Pose.Pos)
	}
	if s := fly(r3.V(0, 0, 0.5), 0, 4000); math.Abs(s.Twist.Linear.Z-0.5) > 0.01 {
		t.Errorf("told to climb by 0.5 m/s it climbs by %v", s.Twist.Linear)
	}
	begin := fly(r3.Vec{}, 0, 4000)
	if begin.Twist.Linear.Len() > 5e-3 {
		t.Errorf("told to hover it moves by %v", begin.Twist.Linear)
	}
	// The gain pulls against the drag of the rotors, as in Gazebo: it stays behind by a part.
	behind := 1 / (1 + 4*hoverSpeed*8.06428e-05/2.7)
	for _, v := range []r3.Vec{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		s := fly(v, 0, 4000)
		if ahead := s.Pose.Rot.RotateBack(s.Twist.Linear); ahead.Dist(v.Scale(behind)) > 0.04 {
			t.Errorf("told %v m/s it flies by %v, want %.3f of that", v, ahead, behind)
		}
		fly(r3.Vec{}, 0, 4000)
	}
	end := state(t, w, "q")
	if far := end.Pose.Pos.Dist(begin.Pose.Pos); far > 0.2 {
		t.Errorf("after a square of 4 m it is at %v, which began at %v", end.Pose.Pos, begin.Pose.Pos)
	}
	// A turn at a rate beyond what its rotors can do does not let it fall.
	if s := fly(r3.Vec{}, 3, 3000); s.Twist.Angular.Z < 2 || math.Abs(s.Pose.Pos.Z-end.Pose.Pos.Z) > 0.1 {
		t.Errorf("told to turn by 3 rad/s it turns by %v at %v", s.Twist.Angular, s.Pose.Pos)
	}
	end = fly(r3.Vec{}, 0, 4000)
	s := w.Snapshot()
	i, _ := s.Find("q")
	o := s.OdomOf(i)[0]
	if far := o.Pose.Pos.Add(r3.V(0, 0, 0.06)).Dist(end.Pose.Pos); far > 0.05 {
		t.Errorf("its odometry has it at %v, it is at %v", o.Pose.Pos, end.Pose.Pos)
	}
	// It hovers where its thrust is its weight.
	turned := judged{of: "q/rotor_0_joint"}
	if got := 10 * turned.read(t, w, "v"); math.Abs(got/hoverSpeed-1) > 0.02 {
		t.Errorf("its rotor turns at %v rad/s, want %v", got, hoverSpeed)
	}
	// A command to a rotor takes all of them, until the next velocity.
	do(t, w, rotors("q", [4]float64{}))
	advance(t, w, 500)
	if v := state(t, w, "q").Twist.Linear.Z; v > -4 {
		t.Errorf("with its rotors still it falls by %v m/s", v)
	}
}

func TestRotorsThatCannotTurnAMulticopterAreToldOf(t *testing.T) {
	flat := strings.NewReplacer("0.2 -0.2 0.05", "0.2 0 0.05", "-0.2 0.2 0.05", "-0.2 0 0.05",
		"0.2 0.2 0.05", "0.1 0 0.05", "-0.2 -0.2 0.05", "-0.1 0 0.05").Replace(piloted("q", "0 0 1 0 0 0"))
	w := judgeWorld(t, &judged{models: flat})
	s := w.Snapshot()
	i, _ := s.Find("q")
	told := ""
	for _, n := range s.Model.Entities[i].Notes {
		told += n.Text
	}
	if !strings.Contains(told, "its 4 rotors cannot turn it about every axis") {
		t.Errorf("notes %q", told)
	}
	if _, err := w.Apply(sim.DriveEntity{Name: "q"}, engine.Loaded{}); err == nil {
		t.Error("it takes velocities")
	}
}

const hoverMass = 1.5

// hoverSpeed is that at which four rotors carry the quadrotor, rad/s.
var hoverSpeed = math.Sqrt(hoverMass * 9.81 / 4 / 8.54858e-06)

func TestAQuadrotorHoversWhereItsThrustIsItsWeight(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: quadrotor("q", "0 0 10 0 0 0")})
	h := hoverSpeed
	do(t, w, rotors("q", [4]float64{h, h, h, h}))
	advance(t, w, 500) // the rotors speed up
	speed := state(t, w, "q").Twist.Linear.Z
	advance(t, w, 2000)
	if s := state(t, w, "q"); math.Abs(s.Twist.Linear.Z-speed) > 1e-4 || s.Twist.Linear.Len() > 1 {
		t.Errorf("its speed changes from %v to %v m/s in 2 s", speed, s.Twist.Linear)
	}
	// While they sped up by a time constant of 12.5 ms they lacked 1.5 time constants of the weight.
	if want := -9.81 * 1.5 * 0.0125; math.Abs(speed/want-1) > 0.05 {
		t.Errorf("it lost %v m/s while its rotors sped up, want %v", speed, want)
	}
}

func TestAQuadrotorYawsByTheMomentsOfItsRotors(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: quadrotor("q", "0 0 10 0 0 0")})
	do(t, w, rotors("q", [4]float64{300, 300, 0, 0})) // the two to the left
	advance(t, w, 200)
	thrust := 2 * 8.54858e-06 * 300 * 300
	inertia := 0.0977 + 4*(2e-5+0.005*0.08)
	if got, want := state(t, w, "q").Accel.Angular.Z, -thrust*0.016/inertia; math.Abs(got/want-1) > 0.02 {
		t.Errorf("it yaws by %v rad/s², want %v", got, want)
	}
}

// A rotor that is part of its mount does to it what one on a joint does.
func TestAFusedRotorFliesAsOneOnAJoint(t *testing.T) {
	fused := quadrotor("fused", "0 0 10 0 0 0")
	// A sensor on its link keeps a rotor on its joint.
	jointed := strings.ReplaceAll(quadrotor("jointed", "9 0 10 0 0 0"), "</inertial></link><joint",
		`</inertial><sensor name="s" type="imu"/></link><joint`)
	w := judgeWorld(t, &judged{gravity: pull, models: fused + jointed})
	h := hoverSpeed
	for _, name := range []string{"fused", "jointed"} {
		do(t, w, rotors(name, [4]float64{h * 1.02, h * 0.99, h, h * 1.01}))
	}
	for _, n := range []int{50, 450, 500} {
		advance(t, w, n)
		a, b := state(t, w, "fused"), state(t, w, "jointed")
		if far := a.Pose.Pos.Add(r3.V(9, 0, 0)).Dist(b.Pose.Pos); far > 2e-3 {
			t.Errorf("they are %.5f m apart: %v and %v", far, a.Pose.Pos, b.Pose.Pos)
		}
		if far := a.Twist.Angular.Dist(b.Twist.Angular); far > 0.02*b.Twist.Angular.Len()+1e-4 {
			t.Errorf("they turn by %v and %v rad/s", a.Twist.Angular, b.Twist.Angular)
		}
	}
	turned := judged{of: "fused/rotor_0_joint"}
	jointTurned := judged{of: "jointed/rotor_0_joint"}
	if a, b := turned.read(t, w, "q"), jointTurned.read(t, w, "q"); math.Abs(a-b) > 0.5 || a < 10 {
		t.Errorf("their rotors have turned by %v and %v rad", a, b)
	}
	s := w.Snapshot()
	i, _ := s.Find("fused")
	if n := len(s.Model.Entities[i].Spec.Links); n != 5 || s.LinksOf(i)[1].Twist.Angular.Z < 50 {
		t.Errorf("its first rotor of %d links turns by %v", n, s.LinksOf(i)[1].Twist)
	}
}

func TestARotorTakesSpeedsAndThrusts(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: quadrotor("q", "0 0 10 0 0 0")})
	for _, c := range []struct {
		command sim.Command
		refused bool
	}{
		{sim.SetJoint{Name: "q", Joint: "rotor_0_joint", Mode: sim.JointEffort, Target: 3}, false},
		{sim.SetJoint{Name: "q", Joint: "rotor_0_joint", Mode: sim.JointVelocity, Target: 1e9}, false},
		{sim.SetJoint{Name: "q", Joint: "rotor_0_joint", Mode: sim.JointVelocity, Target: math.NaN()}, true},
		{sim.SetJoint{Name: "q", Joint: "rotor_0_joint", Mode: sim.JointPosition, Target: 1}, true},
	} {
		_, err := w.Apply(c.command, engine.Loaded{})
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", sim.Describe(c.command), err)
		}
	}
	advance(t, w, 100)
	k := judged{of: "q/rotor_0_joint"}
	if got := k.read(t, w, "v"); math.Abs(got-80) > 0.5 {
		t.Errorf("a rotor that is told 1e9 rad/s turns its joint by %v rad/s, want a tenth of 800", got)
	}
}

// A thruster pushes its vessel by the thrust that it is told, within its bounds.
func TestAThrusterPushesItsVessel(t *testing.T) {
	vessel := `<model name="m"><link name="hull"><inertial><mass>90</mass><inertia><ixx>9</ixx><iyy>9</iyy><izz>9</izz></inertia></inertial></link><link name="prop"><pose>-1 0 0 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link><joint name="p" type="continuous"><parent>hull</parent><child>prop</child><axis><xyz>1 0 0</xyz></axis></joint><plugin filename="gz-sim-thruster-system" name="t"><joint_name>p</joint_name><propeller_diameter>0.2</propeller_diameter><thrust_coefficient>0.5</thrust_coefficient><max_thrust_cmd>60</max_thrust_cmd></plugin></model>`
	w := judgeWorld(t, &judged{gravity: "0 0 0", models: vessel})
	do(t, w, sim.SetJoint{Name: "m", Joint: "p", Mode: sim.JointEffort, Target: 100})
	advance(t, w, 1000)
	if got := state(t, w, "m").Twist.Linear.X; math.Abs(got-0.6) > 5e-3 {
		t.Errorf("60 N take 100 kg to %v m/s in a second, want 0.6", got)
	}
	do(t, w, sim.SetJoint{Name: "m", Joint: "p", Mode: sim.JointEffort, Target: -60})
	advance(t, w, 1000)
	if got := state(t, w, "m").Twist.Linear.X; math.Abs(got) > 5e-3 {
		t.Errorf("backward it comes to %v m/s, want 0", got)
	}
}

// A propeller of the other hand turns backward for a thrust along its axis, and a speed of its joint is
// bounded by the thrusts.
func TestAPropellerOfTheOtherHandPushesBackward(t *testing.T) {
	vessel := func(more string) string {
		return `<model name="m"><link name="hull"><inertial><mass>90</mass><inertia><ixx>9</ixx><iyy>9</iyy><izz>9</izz></inertia></inertial></link><link name="prop"><pose>-1 0 0 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link><joint name="p" type="continuous"><parent>hull</parent><child>prop</child><axis><xyz>1 0 0</xyz></axis></joint><plugin filename="gz-sim-thruster-system" name="t"><joint_name>p</joint_name><propeller_diameter>0.2</propeller_diameter><thrust_coefficient>-0.5</thrust_coefficient><min_thrust_cmd>-40</min_thrust_cmd>` + more + `</plugin></model>`
	}
	const speeds = "<use_angvel_cmd>1</use_angvel_cmd>"
	turn := math.Sqrt(40 / 0.8) // 1000 kg/m³ × 0.5 × 0.2⁴
	for _, c := range []struct {
		more         string
		told         sim.SetJoint
		speed, joint float64
	}{
		{"", sim.SetJoint{Mode: sim.JointEffort, Target: 40}, 0.4, -turn},
		{speeds, sim.SetJoint{Mode: sim.JointVelocity, Target: turn / 2}, -0.1, turn / 2},
		{speeds, sim.SetJoint{Mode: sim.JointVelocity, Target: 1e200}, -0.4, turn},
	} {
		w := judgeWorld(t, &judged{gravity: "0 0 0", models: vessel(c.more)})
		c.told.Name, c.told.Joint = "m", "p"
		do(t, w, c.told)
		advance(t, w, 1000)
		s := w.Snapshot()
		i, _ := s.Find("m")
		joint := s.JointsOf(i)[0].Velocity
		got := state(t, w, "m").Twist.Linear.X
		if math.Abs(got-c.speed) > 5e-3 || math.Abs(joint-c.joint) > 0.01*turn {
			t.Errorf("%v: %v m/s and a joint at %v rad/s, want %v and %v", c.told, got, joint, c.speed, c.joint)
		}
	}
}

// A step takes no memory for the air and the water, whose noises, layers, wings and hulls all act here.
func TestAirAndWaterTakeNoMemory(t *testing.T) {
	models := pool + `<wind><linear_velocity>3 0 0</linear_velocity></wind><plugin filename="gz-sim-wind-effects-system" name="w"><horizontal><magnitude><noise type="gaussian"><stddev>0.2</stddev></noise></magnitude></horizontal></plugin>` +
		quadrotor("q", "0 0 9 0 0 0") + piloted("p", "5 0 9 0 0 0") +
		brick("raft", "30 0 0 0.1 0.2 0", r3.V(1, 1, 0.5), 200, "<enable_wind>true</enable_wind>") +
		brick("hull", "40 0 -3 0.1 0.2 0", r3.V(1, 1, 0.5), 200, `<plugin filename="gz-sim-hydrodynamics-system" name="h"><link_name>l</link_name><zW>-300</zW><zWabsW>-900</zWabsW><zDotW>-400</zDotW></plugin><plugin filename="gz-sim-lift-drag-system" name="d"><link_name>l</link_name></plugin>`)
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	do(t, w, rotors("q", [4]float64{600, 500, 550, 520}))
	do(t, w, sim.DriveEntity{Name: "p", Twist: r3.Twist{Linear: r3.V(1, 0, 0.5)}})
	advance(t, w, 100)
	before := state(t, w, "hull").Pose
	if n := testing.AllocsPerRun(100, func() { advance(t, w, 1) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	if state(t, w, "hull").Pose == before {
		t.Error("the hull stands")
	}
}

// A world with all of it goes on as it would have where it is taken up again.
func TestAirAndWaterAreTakenUpWhereTheyWere(t *testing.T) {
	models := pool + `<wind><linear_velocity>3 0 0</linear_velocity></wind><plugin filename="gz-sim-wind-effects-system" name="w"/>` +
		quadrotor("q", "0 0 1 0 0 0") + piloted("p", "5 0 1 0 0 0") + brick("leaf", "3 0 0 0.1 0.2 0", r3.V(1, 1, 0.5), 200, "<enable_wind>true</enable_wind>")
	w := judgeWorld(t, &judged{gravity: pull, models: models})
	do(t, w, rotors("q", [4]float64{600, 500, 550, 520}))
	do(t, w, sim.DriveEntity{Name: "p", Twist: r3.Twist{Linear: r3.V(1, 0, 0.5)}})
	advance(t, w, 30)
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, again, c)
	advance(t, w, 300)
	advance(t, again, 300)
	if w.Hash() != again.Hash() {
		t.Errorf("after 300 steps one is %016x, the other %016x", w.Hash(), again.Hash())
	}
	if state(t, w, "q").Pose != state(t, again, "q").Pose {
		t.Error("the quadrotor is elsewhere")
	}
}
