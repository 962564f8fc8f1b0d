package engine_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// trackedVehicle is an SDF model with a belt on each side, 0.4 m apart, as Gazebo's examples have it.
func trackedVehicle(plugins string) string {
	belt := func(name string, y float64) string {
		return fmt.Sprintf(`<link name="%s"><pose>0 %g 0.1 0 0 0</pose><inertial><mass>3</mass><inertia><ixx>0.02</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>
			<collision name="c"><geometry><box><size>0.6 0.1 0.2</size></box></geometry><surface><friction><ode><mu>0.9</mu><mu2>0.9</mu2></ode></friction></surface></collision></link>
			<joint name="%s_j" type="fixed"><parent>hull</parent><child>%s</child></joint>`, name, y, name, name)
	}
	return `<sdf version="1.9"><world name="w"><physics name="p"><max_step_size>0.001</max_step_size></physics><model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
		<model name="tank"><link name="hull"><pose>0 0 0.15 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.1</ixx><iyy>0.3</iyy><izz>0.4</izz></inertia></inertial></link>` +
		belt("left", 0.2) + belt("right", -0.2) + plugins + `</model></world></sdf>`
}

const (
	tankDrive = `<plugin name="gz::sim::systems::TrackedVehicle" filename="gz-sim-tracked-vehicle-system"><left_track><link>left</link></left_track>
		<right_track><link>right</link></right_track><tracks_separation>0.4</tracks_separation><tracks_height>0.2</tracks_height><steering_efficiency>0.4</steering_efficiency>
		<linear_velocity><max_velocity>1.5</max_velocity></linear_velocity></plugin>`
	tankBelts = `<plugin name="gz::sim::systems::TrackController" filename="gz-sim-track-controller-system"><link>left</link><min_velocity>-2</min_velocity><max_velocity>2</max_velocity></plugin>
		<plugin name="gz::sim::systems::TrackController" filename="gz-sim-track-controller-system"><link>right</link><min_velocity>-2</min_velocity><max_velocity>2</max_velocity>
			<max_acceleration>4</max_acceleration><min_acceleration>-4</min_acceleration></plugin>`
	conveyor = `<sdf version="1.9"><world name="w"><physics name="p"><max_step_size>0.001</max_step_size></physics><model name="conveyor"><static>true</static><pose>0 0 1 0 0 0</pose><link name="belt"><collision name="c"><geometry><box><size>5 1 0.2</size></box></geometry></collision></link>
		<plugin name="gz::sim::systems::TrackController" filename="gz-sim-track-controller-system"><link>belt</link><track_orientation>0 0 1.5707963</track_orientation><max_command_age>1.5</max_command_age><max_velocity>1</max_velocity></plugin></model>
		<model name="parcel"><pose>0 0 1.2 0 0 0</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>0.007</ixx><iyy>0.007</iyy><izz>0.007</izz></inertia></inertial>
		<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></world></sdf>`
)

// playing is a world of a document, and the library's notes.
func playing(t *testing.T, document string) (*engine.World, string) {
	t.Helper()
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{Document: document}}
	loaded := engine.Load(mounted(t), c)
	if _, err := w.Apply(c, loaded); err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.SetState{State: sim.Playing})
	notes := ""
	for _, n := range w.Snapshot().Model.Notes {
		notes += n.Text + "\n"
	}
	for _, e := range w.Snapshot().Model.Entities {
		for _, n := range e.Notes {
			notes += n.Text + "\n"
		}
	}
	return w, notes
}

// runBelt is the command to the conveyor to run at a speed, m/s.
func runBelt(speed float64) sim.SetJoints {
	return sim.SetJoints{Name: "conveyor",
		Targets: []sim.JointTarget{{Joint: "belt", Mode: sim.JointVelocity, Target: speed}}}
}

func entityOf(t *testing.T, w *engine.World, name string) sim.EntityState {
	t.Helper()
	i, ok := w.Snapshot().Find(name)
	if !ok {
		t.Fatalf("no entity %q", name)
	}
	return w.Snapshot().Entities[i]
}

// TestATrackedVehicleDrivesAsItIsTold: ahead at its speed, and on the spot about as fast as its steering
// efficiency says. Its odometry follows its belts.
func TestATrackedVehicleDrivesAsItIsTold(t *testing.T) {
	w, notes := playing(t, trackedVehicle(tankDrive+tankBelts))
	if notes != "" {
		t.Errorf("notes: %s", notes)
	}
	advance(t, w, 200)
	do(t, w, sim.DriveEntity{Name: "tank", Twist: r3.Twist{Linear: r3.V(3, 0, 0)}})
	advance(t, w, 1000) // 1 s
	e := entityOf(t, w, "tank")
	if v := e.Twist.Linear; math.Abs(v.X-1.5) > 0.01 || math.Abs(v.Y) > 0.01 ||
		math.Abs(e.Twist.Angular.Z) > 0.01 {
		t.Errorf("told to go 3 m/s, of which it may 1.5: %v", e.Twist)
	}
	i, _ := w.Snapshot().Find("tank")
	if o := w.Snapshot().OdomOf(i)[0]; math.Abs(o.Pose.Pos.X-e.Pose.Pos.X) > 0.35 || o.Pose.Pos.X < 1 {
		t.Errorf("odometry says %v, it is at %v", o.Pose.Pos, e.Pose.Pos)
	}
	do(t, w, sim.DriveEntity{Name: "tank", Twist: r3.Twist{Angular: r3.V(0, 0, 1)}})
	advance(t, w, 2000)
	e = entityOf(t, w, "tank")
	if turn := e.Twist.Angular.Z; turn < 0.7 || turn > 1.6 || e.Twist.Linear.Len() > 0.05 {
		t.Errorf("told to turn at 1 rad/s on the spot: %v", e.Twist)
	}
	do(t, w, sim.DriveEntity{Name: "tank"})
	advance(t, w, 3000)
	if e = entityOf(t, w, "tank"); e.Twist.Linear.Len()+e.Twist.Angular.Len() > 1e-3 {
		t.Errorf("told to stop: %v", e.Twist)
	}
}

// TestABeltIsToldItsSpeedByItsLink: from then on it is no longer the drive's, until the drive is told again.
func TestABeltIsToldItsSpeedByItsLink(t *testing.T) {
	w, _ := playing(t, trackedVehicle(tankDrive+tankBelts))
	tell := func(mode sim.JointMode, speeds ...float64) error {
		c := sim.SetJoints{Name: "tank"}
		for i, v := range speeds {
			c.Targets = append(c.Targets,
				sim.JointTarget{Joint: [...]string{"left", "right"}[i], Mode: mode, Target: v})
		}
		_, err := w.Apply(c, engine.Loaded{})
		return err
	}
	if err := tell(sim.JointVelocity, 1, 9); err != nil {
		t.Fatal(err)
	}
	advance(t, w, 250)
	if e := entityOf(t, w, "tank"); e.Twist.Angular.Z < -0.2 || e.Twist.Linear.X < 0.3 {
		t.Errorf("after 0.25 s, in which the right belt came to 1 m/s as well: %v", e.Twist)
	}
	advance(t, w, 1500)
	if e := entityOf(t, w, "tank"); e.Twist.Angular.Z < 0.5 {
		t.Errorf("a right belt at 2 m/s and a left one at 1 m/s turn it by %v", e.Twist)
	}
	do(t, w, sim.DriveEntity{Name: "tank"})
	advance(t, w, 2000)
	if e := entityOf(t, w, "tank"); e.Twist.Linear.Len()+e.Twist.Angular.Len() > 1e-3 {
		t.Errorf("told to stop: %v", e.Twist)
	}
	for _, mode := range []sim.JointMode{sim.JointPosition, sim.JointEffort} {
		if err := tell(mode, 1); !errors.Is(err, sim.ErrUnsupported) || !strings.Contains(err.Error(), `track "left" of "tank"`) {
			t.Errorf("%v of a belt: %v", mode, err)
		}
	}
	if err := tell(sim.JointVelocity, math.NaN()); !errors.Is(err, sim.ErrFailed) {
		t.Errorf("no number: %v", err)
	}
}

// TestAConveyorOfGazeboCarriesParcels: across the belt's link, as it is oriented, for as long as its command
// counts.
func TestAConveyorOfGazeboCarriesParcels(t *testing.T) {
	w, notes := playing(t, conveyor)
	if notes != "" {
		t.Errorf("notes: %s", notes)
	}
	advance(t, w, 1000)
	if e := entityOf(t, w, "parcel"); e.Pose.Pos.Dist(r3.V(0, 0, 1.2)) > 1e-3 {
		t.Errorf("before a command at %v", e.Pose.Pos)
	}
	do(t, w, runBelt(0.2))
	advance(t, w, 1000)
	if e := entityOf(t, w, "parcel"); math.Abs(e.Pose.Pos.Y-0.2) > 0.01 ||
		math.Abs(e.Twist.Linear.Y-0.2) > 1e-3 || math.Abs(e.Pose.Pos.X) > 1e-3 {
		t.Errorf("after 1 s at 0.2 m/s at %v with %v", e.Pose.Pos, e.Twist)
	}
	advance(t, w, 1000)
	if e := entityOf(t, w, "parcel"); math.Abs(e.Pose.Pos.Y-0.3) > 0.01 || e.Twist.Linear.Len() > 1e-3 {
		t.Errorf("after a command of 1.5 s at %v with %v", e.Pose.Pos, e.Twist)
	}
}

// TestBeltsAreResetWithTheirWorld: after a reset it runs as at first.
func TestBeltsAreResetWithTheirWorld(t *testing.T) {
	carry := func(w *engine.World) uint64 {
		do(t, w, runBelt(0.5))
		advance(t, w, 700)
		return w.Hash()
	}
	w, _ := playing(t, conveyor)
	want := carry(w)
	do(t, w, sim.Reset{Scope: sim.ResetAll})
	if e := entityOf(t, w, "parcel"); e.Pose.Pos.Y != 0 {
		t.Errorf("after a reset at %v", e.Pose.Pos)
	}
	if got := carry(w); got != want {
		t.Errorf("after a reset it runs to %016x, at first to %016x", got, want)
	}
}

// TestAVehicleWithoutATrackControllerIsNotDriven: its notes say why.
func TestAVehicleWithoutATrackControllerIsNotDriven(t *testing.T) {
	_, notes := playing(t, trackedVehicle(tankDrive))
	if !strings.Contains(notes, `link "left" has no TrackController`) {
		t.Errorf("notes: %s", notes)
	}
	for plugin, want := range map[string]string{
		strings.Replace(tankDrive, "<tracks_separation>0.4", "<tracks_separation>0", 1): "<tracks_separation> of 0 m",
		strings.Replace(tankDrive, "<link>left", "<link>lefd", 1):                       `there is no link "lefd"`,
		strings.Replace(tankDrive, "right_track>", "other_track>", 2):                   "no <left_track> or no <right_track>",
		strings.Replace(tankBelts, "<max_velocity>2", "<max_velocity>-3", 1):            "want one below and one above zero",
		tankBelts + tankBelts: `link "left" has a track already`,
	} {
		if _, notes := playing(t, trackedVehicle(plugin)); !strings.Contains(notes, want) {
			t.Errorf("%s\nnotes: %s; want %s", plugin, notes, want)
		}
	}
}
