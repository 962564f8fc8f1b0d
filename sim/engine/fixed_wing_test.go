package engine_test

import (
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// ground is a plane, below z = 0.
const ground = `<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>`

// flight is a world with the aeroplane of the demo worlds at a place.
func flight(t *testing.T, besides, place string) *engine.World {
	t.Helper()
	text, err := fs.ReadFile(worlds.FS(), "models/plane/model.sdf")
	if err != nil {
		t.Fatal(err)
	}
	_, model, _ := strings.Cut(string(text), "<model ")
	model, _, _ = strings.Cut(model, "</model>")
	before, rest, _ := strings.Cut(model, `<sensor name="camera"`)
	_, after, found := strings.Cut(rest, "</sensor>") // it would take most of the time
	if !found {
		t.Fatal("the aeroplane has no camera")
	}
	return slowWorld(t, besides+strings.Replace("<model "+before+after+"</model>",
		"<link", "<pose>"+place+"</pose><link", 1))
}

// slowWorld is a world that plays by 4 ms, as worlds with vehicles do.
func slowWorld(t *testing.T, models string) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: `<sdf version="1.9"><world name="air"><physics type="p"><max_step_size>0.004</max_step_size></physics><gravity>0 0 -9.81</gravity>` + models + `</world></sdf>`}})
	do(t, w, sim.SetState{State: sim.Playing})
	return w
}

// launched is an aeroplane high in the air, at a velocity along x.
func launched(t *testing.T, besides string, speed float64) *engine.World {
	t.Helper()
	w := flight(t, besides, "0 0 300 0 0 0")
	do(t, w, sim.SetEntityState{Name: "plane", Twist: &r3.Twist{Linear: r3.V(speed, 0, 0)}})
	return w
}

// along are the mean velocity and turn of the aeroplane over some seconds, and the way it is off level.
func along(t *testing.T, w *engine.World, seconds int) (mean r3.Twist, steepest float64) {
	t.Helper()
	before := state(t, w, "plane")
	turned, yaw := 0.0, before.Pose.Rot.Yaw()
	for range 10 * seconds {
		advance(t, w, 25)
		s := state(t, w, "plane")
		turned += math.Remainder(s.Pose.Rot.Yaw()-yaw, 2*math.Pi)
		yaw = s.Pose.Rot.Yaw()
		roll, _, _ := s.Pose.Rot.RPY()
		steepest = max(steepest, math.Abs(roll))
	}
	way := state(t, w, "plane").Pose.Pos.Sub(before.Pose.Pos)
	return r3.Twist{Linear: way.Scale(1 / float64(seconds)),
		Angular: r3.V(0, 0, turned/float64(seconds))}, steepest
}

func TestAnAeroplaneFollowsSpeedsClimbsAndTurns(t *testing.T) {
	w := launched(t, "", 15)
	if d := &w.Snapshot().Model.Entities[0].Spec.Drives[0]; d.Kind != scene.FixedWing || !d.Climbs() ||
		d.Slides() {
		t.Fatalf("its drive is %+v", d)
	}
	for _, c := range []struct{ speed, climb, turn float64 }{{15, 0, 0}, {18, 0, 0}, {14, 1.5, 0},
		{15, -0.5, 0}, {15, 0, 0.3}, {15, 0, -0.4}, {16, 1, 0.3}} {
		do(t, w, sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(c.speed, 0, c.climb),
			Angular: r3.V(0, 0, c.turn)}})
		advance(t, w, 3750)
		mean, steepest := along(t, w, 10)
		if got := state(t, w, "plane").Twist.Linear.Len(); math.Abs(got-c.speed) > 0.3 {
			t.Errorf("told %+v it flies at %.2f m/s", c, got)
		}
		if got := mean.Linear.Z; math.Abs(got-c.climb) > 0.1 {
			t.Errorf("told %+v it climbs by %.3f m/s", c, got)
		}
		if got := mean.Angular.Z; math.Abs(got-c.turn) > 0.02 {
			t.Errorf("told %+v it turns by %.3f rad/s", c, got)
		}
		// A turn without sideslip banks by the arc tangent of speed × turn over gravity.
		if want := math.Abs(math.Atan(c.speed * c.turn / 9.81)); math.Abs(steepest-want) > 0.05 {
			t.Errorf("told %+v it banks by up to %.3f rad, want %.3f", c, steepest, want)
		}
	}
}

func TestAnAeroplaneTakesOffAndLands(t *testing.T) {
	w := flight(t, ground, "0 0 0.005 0 0 0")
	advance(t, w, 250)
	if s := state(t, w, "plane"); s.Pose.Pos.Len() > 0.05 || s.Twist.Linear.Len() > 1e-3 {
		t.Errorf("before its first command it is at %v, at %v", s.Pose.Pos, s.Twist.Linear)
	}
	do(t, w, sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(15, 0, 2)}})
	advance(t, w, 3750)
	if at := state(t, w, "plane").Pose.Pos; at.Z < 15 || math.Abs(at.Y) > 0.2*at.X {
		t.Errorf("15 s after its start it is at %v, want it above 15 m, ahead", at)
	}
	do(t, w, sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(12, 0, -2)}})
	for range 60 {
		if advance(t, w, 62); state(t, w, "plane").Pose.Pos.Z < 2 {
			break
		}
	}
	do(t, w, sim.DriveEntity{Name: "plane"})
	advance(t, w, 10000)
	s := state(t, w, "plane")
	roll, pitch, _ := s.Pose.Rot.RPY()
	if s.Twist.Linear.Len() > 0.01 || math.Abs(s.Pose.Pos.Z) > 0.01 || math.Abs(roll)+math.Abs(pitch) > 0.02 {
		t.Errorf("after its landing it is at %v, at %v, rolled by %.3f and pitched by %.3f", s.Pose.Pos,
			s.Twist.Linear, roll, pitch)
	}
}

// Without its motor, or where a climb is steeper than its motor is strong, the least speed comes first.
func TestAnAeroplaneDoesNotStallWhateverClimbIsAsked(t *testing.T) {
	for name, told := range map[string]r3.Twist{"a climb of 20 m/s": {Linear: r3.V(12, 0, 20)},
		"no speed": {}, "no speed, but a climb": {Linear: r3.V(0, 0, 3)},
		"a speed below its least": {Linear: r3.V(2, 0, 0)}, "a turn of 3 rad/s": {
			Linear: r3.V(14, 0, 0), Angular: r3.V(0, 0, 3)}} {
		w := launched(t, "", 14)
		do(t, w, sim.DriveEntity{Name: "plane", Twist: told})
		least := w.Snapshot().Model.Entities[0].Spec.Drives[0].Aircraft.LeastSpeed
		for range 300 {
			advance(t, w, 25)
			s := state(t, w, "plane")
			roll, _, _ := s.Pose.Rot.RPY()
			if v := s.Twist.Linear.Len(); v < 0.85*least || math.Abs(roll) > 0.9 {
				t.Fatalf("%s: %v s on it flies at %.2f m/s, rolled by %.2f; its least speed is %.2f", name,
					w.Snapshot().Time, v, roll, least)
			}
		}
	}
}

func TestTheSpeedOfAnAeroplaneIsThatThroughTheAir(t *testing.T) {
	w := launched(t, "<wind><linear_velocity>-5 0 0</linear_velocity></wind>", 10)
	do(t, w, sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(15, 0, 0)}})
	advance(t, w, 5000)
	if mean, _ := along(t, w, 5); math.Abs(mean.Linear.X-10) > 0.3 {
		t.Errorf("against a wind of 5 m/s it flies %.2f m/s over ground, want 10", mean.Linear.X)
	}
}

func TestAControlSurfaceThatIsCommandedTakesTheAeroplaneUntilItsNextVelocity(t *testing.T) {
	w := launched(t, "", 15)
	ahead := sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(15, 0, 0)}}
	do(t, w, ahead)
	advance(t, w, 500)
	do(t, w, sim.SetJoints{Name: "plane", Targets: []sim.JointTarget{{Joint: "aileron_left_joint",
		Mode: sim.JointPosition, Target: 0.1}}})
	advance(t, w, 375)
	aileron := judged{of: "plane/aileron_left_joint"}
	roll, _, _ := state(t, w, "plane").Pose.Rot.RPY()
	if got := aileron.read(t, w, "q"); math.Abs(got-0.1) > 0.01 || roll < 0.5 {
		t.Errorf("its aileron told 0.1 rad is at %.3f, and it has rolled by %.3f rad", got, roll)
	}
	do(t, w, ahead)
	advance(t, w, 2000)
	if roll, _, _ := state(t, w, "plane").Pose.Rot.RPY(); math.Abs(roll) > 0.05 {
		t.Errorf("told a velocity again it is rolled by %.3f rad", roll)
	}
}

// flyingWing is a tailless aeroplane: two wings with elevons, of Gazebo's LiftDrag, swept back by their
// places, and a fin.
func flyingWing(place string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<model name="plane"><pose>%s</pose><link name="body"><inertial><mass>1.5</mass><inertia><ixx>0.06</ixx><iyy>0.04</iyy><izz>0.1</izz></inertia></inertial><collision name="c"><geometry><box><size>0.3 1.2 0.05</size></box></geometry></collision></link>`, place)
	wing := func(name, centre string) {
		fmt.Fprintf(&b, `<plugin filename="gz-sim-lift-drag-system" name="gz::sim::systems::LiftDrag"><link_name>body</link_name><cp>%s</cp><area>0.15</area><a0>0.06</a0><cla>4.5</cla><cda>0.25</cda><alpha_stall>0.26</alpha_stall><cla_stall>-3</cla_stall><cda_stall>1</cda_stall>`, centre)
		if name != "" {
			fmt.Fprintf(&b, `<control_joint_name>%s</control_joint_name><control_joint_rad_to_cl>-1</control_joint_rad_to_cl>`, name)
		}
		b.WriteString(`</plugin>`)
	}
	for _, side := range []struct {
		name string
		y    float64
	}{{"left", 0.35}, {"right", -0.35}} {
		fmt.Fprintf(&b, `<link name="%[1]s"><pose>-0.15 %[2]g 0 0 0 0</pose><inertial><mass>0.01</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial></link><joint name="%[1]s_elevon" type="revolute"><parent>body</parent><child>%[1]s</child><axis><xyz>0 1 0</xyz><limit><lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>`, side.name, side.y)
		wing(side.name+"_elevon", fmt.Sprintf("-0.06 %g 0", side.y))
	}
	wing("", "0.1 0.0 0")
	b.WriteString(`<plugin filename="gz-sim-lift-drag-system" name="gz::sim::systems::LiftDrag"><link_name>body</link_name><cp>-0.4 0 0.05</cp><upward>0 1 0</upward><area>0.06</area><cla>3</cla><cda>0.1</cda><alpha_stall>0.3</alpha_stall></plugin>`)
	b.WriteString(`<link name="prop"><pose>-0.2 0 0 0 1.570796 0</pose><inertial><mass>0.01</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial></link><joint name="prop_joint" type="continuous"><parent>body</parent><child>prop</child><axis><xyz>0 0 1</xyz></axis></joint><plugin filename="gz-sim-multicopter-motor-model-system" name="gz::sim::systems::MulticopterMotorModel"><jointName>prop_joint</jointName><linkName>prop</linkName><turningDirection>ccw</turningDirection><maxRotVelocity>1000</maxRotVelocity><motorConstant>1e-05</motorConstant><momentConstant>0.01</momentConstant><rotorDragCoefficient>0</rotorDragCoefficient><rollingMomentCoefficient>0</rollingMomentCoefficient></plugin></model>`)
	return b.String()
}

// Elevons share pitching and rolling; what has no rudder turns by its bank.
func TestAFlyingWingIsFlownByItsElevons(t *testing.T) {
	w := slowWorld(t, flyingWing("0 0 300 0 0 0"))
	d := w.Snapshot().Model.Entities[0].Spec.Drives[0]
	if d.Kind != scene.FixedWing || !d.Inferred || len(d.Aircraft.Surfaces) != 2 {
		t.Fatalf("its drive is %+v", d)
	}
	v := d.Aircraft.CruiseSpeed
	do(t, w, sim.SetEntityState{Name: "plane", Twist: &r3.Twist{Linear: r3.V(v, 0, 0)}})
	for _, c := range []r3.Twist{{Linear: r3.V(v, 0, 0)}, {Linear: r3.V(v, 0, 1)},
		{Linear: r3.V(v, 0, 0), Angular: r3.V(0, 0, 0.3)}} {
		do(t, w, sim.DriveEntity{Name: "plane", Twist: c})
		advance(t, w, 3750)
		mean, _ := along(t, w, 10)
		if got := state(t, w, "plane").Twist.Linear.Len(); math.Abs(got-v) > 0.5 ||
			math.Abs(mean.Linear.Z-c.Linear.Z) > 0.15 || math.Abs(mean.Angular.Z-c.Angular.Z) > 0.05 {
			t.Errorf("told %+v it flies at %.2f m/s, climbs by %.2f and turns by %.3f", c, got, mean.Linear.Z,
				mean.Angular.Z)
		}
	}
}

func TestAnAeroplaneThatIsRewoundFliesOnAsItDid(t *testing.T) {
	w, err := engine.NewWorld(engine.Options{Seed: 1, Rewind: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "world://@cache@/airfield"}})
	do(t, w, sim.SetState{State: sim.Playing})
	do(t, w, sim.DriveEntity{Name: "plane", Twist: r3.Twist{Linear: r3.V(15, 0, 2),
		Angular: r3.V(0, 0, 0.2)}})
	var hashes []uint64
	for range 40 {
		advance(t, w, 50)
		hashes = append(hashes, w.Hash())
	}
	do(t, w, sim.Rewind{Back: 4 * time.Second})
	do(t, w, sim.SetState{State: sim.Playing})
	for i := range 20 {
		if advance(t, w, 50); w.Hash() != hashes[20+i] {
			t.Fatalf("the hash %d steps after the rewind is %x, before it was %x", 50*(i+1), w.Hash(),
				hashes[20+i])
		}
	}
}
