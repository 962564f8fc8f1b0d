package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// water fills everything below a height.
const water = `<plugin filename="gz-sim-buoyancy-system" name="gz::sim::systems::Buoyancy"><graded_buoyancy><default_density>1000</default_density><density_change><above_depth>0</above_depth><density>1.2</density></density_change></graded_buoyancy></plugin>`

// swimmer is a hull with thrusters at places, as x y z and roll pitch yaw; they push along their x.
func swimmer(name, place, size string, mass float64, thrusters ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<model name="%s"><pose>%s</pose><link name="hull"><inertial><pose>0 0 -0.04 0 0 0</pose><mass>%g</mass><inertia><ixx>%g</ixx><iyy>%g</iyy><izz>%g</izz></inertia></inertial><collision name="c"><geometry><box><size>%s</size></box></geometry></collision></link>`,
		name, place, mass, mass*0.05, mass*0.1, mass*0.13, size)
	for i, at := range thrusters {
		fmt.Fprintf(&b, `<link name="t%d"><pose>%s</pose><inertial><mass>0.1</mass><inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial></link><joint name="t%d_joint" type="continuous"><parent>hull</parent><child>t%d</child><axis><xyz>1 0 0</xyz></axis></joint><plugin filename="gz-sim-thruster-system" name="gz::sim::systems::Thruster"><joint_name>t%d_joint</joint_name><propeller_diameter>0.1</propeller_diameter><thrust_coefficient>0.5</thrust_coefficient><min_thrust_cmd>-40</min_thrust_cmd><max_thrust_cmd>50</max_thrust_cmd></plugin>`,
			i, at, i, i, i)
	}
	b.WriteString(`<plugin filename="gz-sim-hydrodynamics-system" name="gz::sim::systems::Hydrodynamics"><link_name>hull</link_name><xU>-5</xU><yV>-10</yV><zW>-10</zW><kP>-1</kP><mQ>-1</mQ><nR>-1</nR><xUabsU>-20</xUabsU><yVabsV>-60</yVabsV><zWabsW>-60</zWabsW><nRabsR>-3</nRabsR><xDotU>-4</xDotU><yDotV>-10</yDotV><zDotW>-12</zDotW></plugin></model>`)
	return b.String()
}

// rov is a diver of 20 kg with four thrusters across its corners and two upward ones, a little too light.
func rov(place string) string {
	return swimmer("rov", place, "0.6 0.4 0.084", 19.5,
		"0.2 0.15 0 0 0 -0.785398", "0.2 -0.15 0 0 0 0.785398", "-0.2 0.15 0 0 0 0.785398", "-0.2 -0.15 0 0 0 -0.785398",
		"0 0.12 0 0 -1.570796 0", "0 -0.12 0 0 -1.570796 0")
}

// raft is a boat with two thrusters astern.
func raft(place string) string {
	return swimmer("raft", place, "1.4 0.8 0.3", 120, "-0.6 0.3 -0.1 0 0 0", "-0.6 -0.3 -0.1 0 0 0")
}

// A diver follows velocities along all axes that its thrusters have, against drag and its own buoyancy.
func TestADiverFollowsVelocitiesAlongEveryAxisOfItsThrusters(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: water + rov("0 0 -3 0 0 0")})
	m := w.Snapshot().Model
	d := &m.Entities[0].Spec.Drives[0]
	if d.Kind != scene.Vessel || !d.Climbs() || !d.Slides() || !d.Inferred {
		t.Fatalf("its drive is %+v", d)
	}
	for _, c := range []r3.Twist{{Linear: r3.V(0.6, 0, 0)}, {Linear: r3.V(0, 0.4, 0)},
		{Linear: r3.V(0, 0, -0.3)},
		{Angular: r3.V(0, 0, 0.5)}, {Linear: r3.V(0.3, -0.2, 0.2), Angular: r3.V(0, 0, -0.3)}} {
		do(t, w, sim.DriveEntity{Name: "rov", Twist: c})
		advance(t, w, 12000)
		s := state(t, w, "rov")
		v := r3.AxisAngle(r3.V(0, 0, 1), s.Pose.Rot.Yaw()).RotateBack(s.Twist.Linear)
		if v.Dist(c.Linear) > 0.01 || math.Abs(s.Twist.Angular.Z-c.Angular.Z) > 0.01 {
			t.Errorf("told %+v it swims by %v and turns by %v", c, v, s.Twist.Angular.Z)
		}
		if roll, pitch, _ := s.Pose.Rot.RPY(); math.Abs(roll) > 0.05 {
			t.Errorf("told %+v it rolls by %v rad and pitches by %v", c, roll, pitch)
		}
	}
	do(t, w, sim.DriveEntity{Name: "rov"})
	advance(t, w, 12000)
	at := state(t, w, "rov")
	advance(t, w, 10000)
	if far := state(t, w, "rov").Pose.Pos.Dist(at.Pose.Pos); far > 0.02 {
		t.Errorf("told to stand it moves by %v m in 10 s", far)
	}
}

// A boat has no thruster that pushes sideways. It does what is asked as far as its thrust reaches, and
// nothing adds up meanwhile.
func TestABoatTurnsAndGoesAsFarAsItsThrustDoes(t *testing.T) {
	w := judgeWorld(t, &judged{gravity: pull, models: water + raft("0 0 0.05 0 0 0")})
	if d := &w.Snapshot().Model.Entities[0].Spec.Drives[0]; d.Climbs() || d.Slides() {
		t.Fatalf("its drive is %+v", d)
	}
	advance(t, w, 4000)
	if s := state(t, w, "raft"); math.Hypot(s.Twist.Linear.X, s.Twist.Linear.Y) > 0.01 {
		t.Errorf("before it is told anything it moves by %v", s.Twist.Linear)
	}
	drive := func(ahead, turn float64, steps int) (v, spin float64) {
		do(t, w, sim.DriveEntity{Name: "raft",
			Twist: r3.Twist{Linear: r3.V(ahead, 0, 0), Angular: r3.V(0, 0, turn)}})
		advance(t, w, steps)
		s := state(t, w, "raft")
		return s.Pose.Rot.RotateBack(s.Twist.Linear).X, s.Twist.Angular.Z
	}
	if v, spin := drive(0.8, 0.3, 15000); math.Abs(v-0.8) > 0.02 || math.Abs(spin-0.3) > 0.02 {
		t.Errorf("told 0.8 m/s and 0.3 rad/s it goes %v and %v", v, spin)
	}
	// 100 N against 5·v + 20·v².
	most := (-5 + math.Sqrt(25+4*20*100)) / 40
	// Its heading comes first: some of the thrust holds it against the moment of its added mass.
	if v, spin := drive(5, 0, 40000); v < 0.85*most || v > most || math.Abs(spin) > 0.02 {
		t.Errorf("told 5 m/s it goes %v m/s and turns by %v rad/s; its thrusters reach %v m/s", v, spin, most)
	}
	if v, _ := drive(0, 0, 15000); math.Abs(v) > 0.02 {
		t.Errorf("15 s after it is told to stop it goes %v m/s", v)
	}
	// A command to a thruster takes both from the controller, until the next velocity.
	do(t, w, sim.SetJoints{Name: "raft", Targets: []sim.JointTarget{
		{Joint: "t0_joint", Mode: sim.JointEffort, Target: 20},
		{Joint: "t1_joint", Mode: sim.JointEffort, Target: 20}}})
	advance(t, w, 1000)
	want := math.Sqrt(20 / (1000 * 0.5 * 1e-4)) // rad/s
	for i, j := range w.Snapshot().JointsOf(0) {
		if math.Abs(j.Velocity-want) > 0.1 {
			t.Errorf("by a thrust of 20 N thruster %d turns at %v rad/s, want %v", i, j.Velocity, want)
		}
	}
}

// A state that was saved goes on with the bits that it would have had: the integrals of the controller too.
func TestARewoundVesselTakesTheSameCourseAgain(t *testing.T) {
	w, err := engine.NewWorld(engine.Options{Rewind: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: `<sdf version="1.9"><world name="sea">` + water +
		rov("0 0 -3 0 0 0") + `</world></sdf>`}})
	do(t, w, sim.SetState{State: sim.Playing})
	do(t, w, sim.DriveEntity{Name: "rov",
		Twist: r3.Twist{Linear: r3.V(0.6, 0.1, -0.1), Angular: r3.V(0, 0, 0.2)}})
	advance(t, w, 3000)
	want := w.Hash()
	do(t, w, sim.Rewind{Back: 1500 * time.Millisecond})
	do(t, w, sim.SetState{State: sim.Playing})
	for w.Snapshot().Step < 3000 {
		advance(t, w, 1)
	}
	if got := w.Hash(); got != want {
		t.Errorf("it ends with the hash %x, the first time %x", got, want)
	}
}
