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
	"simdeck/sim/vehicle"
)

// wheelLink is a wheel of SDF with its axle along y, and what else its surface says.
func wheelLink(name string, x, y float64, surface string) string {
	return fmt.Sprintf(`<link name="%s"><pose>%g %g 0.1 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.0014</ixx><iyy>0.0025</iyy><izz>0.0014</izz></inertia></inertial>
		<collision name="c"><pose>0 0 0 -1.5707963267948966 0 0</pose><geometry><cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry>%s</collision></link>`, name, x, y, surface)
}

func hinge(name, parent, child, axis, limit string) string {
	return fmt.Sprintf(`<joint name="%s" type="revolute"><parent>%s</parent><child>%s</child><axis><xyz>%s</xyz>%s</axis></joint>`,
		name, parent, child, axis, limit)
}

const chassisLink = `<link name="base"><pose>0 0 0.15 0 0 0</pose><inertial><mass>10</mass><inertia><ixx>0.15</ixx><iyy>0.25</iyy><izz>0.35</izz></inertia></inertial>
	<collision name="c"><geometry><box><size>0.5 0.3 0.1</size></box></geometry></collision></link>`

// carText is a car with a wheel base of 0.4 m and a track of 0.3 m, driven at the rear.
func carText() string {
	var b strings.Builder
	b.WriteString(`<sdf version="1.9"><model name="car">` + chassisLink)
	for _, side := range []struct {
		name string
		y    float64
	}{{"left", 0.15}, {"right", -0.15}} {
		b.WriteString(wheelLink("rear_"+side.name, -0.2, side.y, "") + wheelLink("front_"+side.name, 0.2,
			side.y, ""))
		fmt.Fprintf(&b, `<link name="knuckle_%s"><pose>0.2 %g 0.1 0 0 0</pose><inertial><mass>0.3</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link>`,
			side.name, side.y)
		b.WriteString(hinge("rear_"+side.name+"_joint", "base", "rear_"+side.name, "0 1 0", ""))
		b.WriteString(hinge("steer_"+side.name+"_joint", "base", "knuckle_"+side.name, "0 0 1",
			`<limit><lower>-0.6</lower><upper>0.6</upper><effort>20</effort><velocity>4</velocity></limit>`))
		b.WriteString(hinge("front_"+side.name+"_joint", "knuckle_"+side.name, "front_"+side.name, "0 1 0",
			""))
	}
	b.WriteString(`<plugin filename="gz-sim-ackermann-steering-system" name="gz::sim::systems::AckermannSteering">
		<left_joint>rear_left_joint</left_joint><right_joint>rear_right_joint</right_joint>
		<left_steering_joint>steer_left_joint</left_steering_joint><right_steering_joint>steer_right_joint</right_steering_joint>
		<wheel_separation>0.3</wheel_separation><kingpin_width>0.3</kingpin_width><wheel_base>0.4</wheel_base><steering_limit>0.5</steering_limit><wheel_radius>0.1</wheel_radius>
	</plugin></model></sdf>`)
	return b.String()
}

func mecanumText(dirs bool) string {
	var b strings.Builder
	b.WriteString(`<sdf version="1.9"><model name="mecanum">` + chassisLink)
	for _, k := range []struct {
		name string
		x, y float64
		dir  string
	}{{"front_left", 0.2, 0.2, "1 -1 0"}, {"front_right", 0.2, -0.2, "1 1 0"},
		{"back_left", -0.2, 0.2, "1 1 0"}, {"back_right", -0.2, -0.2, "1 -1 0"}} {
		surface := ""
		if dirs {
			surface = `<surface><friction><ode><mu>1</mu><mu2>0</mu2><fdir1 gz:expressed_in="base">` + k.dir +
				`</fdir1></ode></friction></surface>`
		}
		b.WriteString(wheelLink(k.name, k.x, k.y, surface) + hinge(k.name+"_joint", "base", k.name, "0 1 0",
			""))
	}
	b.WriteString(`<plugin filename="gz-sim-mecanum-drive-system" name="gz::sim::systems::MecanumDrive">
		<front_left_joint>front_left_joint</front_left_joint><front_right_joint>front_right_joint</front_right_joint>
		<back_left_joint>back_left_joint</back_left_joint><back_right_joint>back_right_joint</back_right_joint></plugin></model></sdf>`)
	return b.String()
}

// inTheEmptyWorld spawns a model in the empty world, which plays.
func inTheEmptyWorld(t *testing.T, o engine.Options, name, text string) *engine.World {
	t.Helper()
	w, err := engine.NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{URI: "empty"}})
	do(t, w, sim.SetState{State: sim.Playing})
	do(t, w, sim.Spawn{Name: name, Resource: scene.Resource{Document: text}})
	return w
}

// driven spawns a model in the empty world and lets it come to rest.
func driven(t *testing.T, text string) *engine.World {
	t.Helper()
	w := inTheEmptyWorld(t, engine.Options{}, "tb3", text)
	advance(t, w, 500)
	return w
}

func TestACarDrivesTheCircleThatItsSteeringSays(t *testing.T) {
	w := driven(t, carText())
	s := w.Snapshot()
	if spec := s.Model.Entities[must(s.Find("tb3"))].Spec; len(spec.Drives) != 1 {
		t.Fatalf("notes %v", spec.Notes)
	} else if reduced, maximal, _ := engine.Coordinates(spec); len(reduced) == 0 || len(maximal) > 0 {
		t.Errorf("the car's joints %v are in maximal coordinates", maximal)
	}
	for _, c := range []struct{ v, w float64 }{{0.5, 0.25}, {0.5, -0.4}, {-0.4, 0.2}} {
		do(t, w, sim.DriveEntity{Name: "tb3",
			Twist: r3.Twist{Linear: r3.V(c.v, 0, 0), Angular: r3.V(0, 0, c.w)}})
		advance(t, w, 500)
		before := stateOf(t, w)
		advance(t, w, 1000)
		after := stateOf(t, w)
		way := before.state.Pose.Relative(after.state.Pose)
		yaw, chord := way.Rot.Yaw(), math.Hypot(way.Pos.X, way.Pos.Y)
		// Where the middle of the rear axle goes; the base's frame is ahead of it by 0.2 m.
		radius := chord / (2 * math.Abs(math.Sin(yaw/2)))
		want := math.Hypot(c.v/c.w, 0.2)
		if math.Abs(yaw-4*c.w) > 0.02*math.Abs(4*c.w) || math.Abs(radius/want-1) > 0.02 {
			t.Errorf("told %+v it turns by %v rad on a circle of %v m; want %v and %v", c, yaw, radius, 4*c.w,
				want)
		}
	}
	for _, gear := range []vehicle.Gear{vehicle.Forward, vehicle.Reverse} {
		do(t, w, sim.DriveCar{Name: "tb3",
			Control: vehicle.Control{Gear: gear, Longitudinal: vehicle.ToSpeed, Speed: 0.4, Steer: -0.25}})
		advance(t, w, 500)
		before := stateOf(t, w)
		advance(t, w, 1000)
		way := before.state.Pose.Relative(stateOf(t, w).state.Pose)
		radius, want := math.Hypot(way.Pos.X, way.Pos.Y)/(2*math.Abs(math.Sin(way.Rot.Yaw()/2))),
			math.Hypot(0.4/math.Tan(0.25), 0.2)
		if math.Abs(radius/want-1) > 0.02 || (way.Rot.Yaw() < 0) != (gear == vehicle.Forward) {
			t.Errorf("in %s, steered by an angle, it turns by %v rad on a circle of %v m, want %v", gear,
				way.Rot.Yaw(), radius, want)
		}
	}
	for _, c := range []vehicle.Control{{Gear: vehicle.Forward, Throttle: 1},
		{Gear: vehicle.Park, Longitudinal: vehicle.ToSpeed}} {
		if _, err := w.Apply(sim.DriveCar{Name: "tb3", Control: c}, engine.Loaded{}); !errors.Is(err,
			sim.ErrUnsupported) {
			t.Errorf("%+v, which is for cars: %v", c, err)
		}
	}
	do(t, w, sim.DriveEntity{Name: "tb3"})
	advance(t, w, 1500)
	end := stateOf(t, w)
	if !end.state.Asleep {
		t.Errorf("told to stop it still moves: %+v", end.state.Twist)
	}
}

func must(i int, ok bool) int {
	if !ok {
		return -1
	}
	return i
}

func TestAMecanumRobotDrivesEveryWay(t *testing.T) {
	for _, dirs := range []bool{true, false} {
		w := driven(t, mecanumText(dirs))
		for _, c := range []r3.Twist{
			{Linear: r3.V(0, 0.3, 0)}, {Linear: r3.V(0.3, 0, 0)}, {Linear: r3.V(0.2, -0.2, 0)},
			{Angular: r3.V(0, 0, 0.5)},
		} {
			do(t, w, sim.DriveEntity{Name: "tb3", Twist: c})
			advance(t, w, 250)
			before := stateOf(t, w)
			advance(t, w, 500)
			after := stateOf(t, w)
			way := before.state.Pose.Relative(after.state.Pose)
			odom := before.odom.Pose.Relative(after.odom.Pose)
			want := c.Linear.Scale(2)
			if d := way.Pos.Sub(want); math.Hypot(d.X, d.Y) > 0.02 ||
				math.Abs(way.Rot.Yaw()-2*c.Angular.Z) > 0.02 {
				t.Errorf("directions from the file %v: told %v it went by %v, turned by %v", dirs, c, way.Pos,
					way.Rot.Yaw())
			}
			if d := odom.Pos.Sub(want); math.Hypot(d.X, d.Y) > 0.02 {
				t.Errorf("told %v it believes to have gone by %v", c, odom.Pos)
			}
		}
	}
}

func TestAKinematicRobotGoesWhereItIsTold(t *testing.T) {
	w := driven(t, `<sdf version="1.9"><model name="slider">`+chassisLink+
		`<plugin filename="libgazebo_ros_planar_move.so" name="move"/></model></sdf>`)
	do(t, w, sim.DriveEntity{Name: "tb3",
		Twist: r3.Twist{Linear: r3.V(0.5, 0.2, 0), Angular: r3.V(0, 0, 0.3)}})
	before := stateOf(t, w)
	advance(t, w, 1000)
	after := stateOf(t, w)
	way, odom := before.state.Pose.Relative(after.state.Pose), before.odom.Pose.Relative(after.odom.Pose)
	// An arc of 1.2 rad.
	x, y := math.Sin(1.2)/0.3, (1-math.Cos(1.2))/0.3
	want := r3.V(0.5*x-0.2*y, 0.5*y+0.2*x, 0)
	if way.Pos.Dist(want) > 0.02 || math.Abs(way.Rot.Yaw()-1.2) > 0.01 || odom.Pos.Dist(want) > 0.02 {
		t.Errorf("went by %v and turned by %v, believes %v; want %v and 1.2", way.Pos, way.Rot.Yaw(),
			odom.Pos, want)
	}
	do(t, w, sim.DriveEntity{Name: "tb3"})
	advance(t, w, 500)
	if end := stateOf(t, w); !end.state.Asleep {
		t.Errorf("at a stand it does not sleep: %+v", end.state.Twist)
	}
}
