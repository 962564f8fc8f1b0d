package control_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	cm "simdeck/ros/msgs/controllermanagermsgs"
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/lifecyclemsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/scene"
)

const floor = `<sdf version="1.9"><world name="room"><model name="floor"><static>true</static><link name="l">
<collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model></world></sdf>`

// robots are those of the interoperability tests: an arm with two joints and a cart with two wheels.
const robots = "../../interop/testdata"

// with runs a test with a robot whose file is one of robots', paused at time zero.
func with(t *testing.T, name, file string, f func(h *rostest.Stage)) {
	t.Helper()
	rostest.On(t, rostest.Play{Files: os.DirFS(robots), World: scene.Resource{Document: floor},
		Start: sim.Paused}, func(h *rostest.Stage) error {
		_, err := robot.New(h.Server, h.Engine)
		return err
	}, func(h *rostest.Stage) {
		h.Do(sim.Spawn{Name: name, Resource: sim.Resource{
			URI: "package://controlled_arm_description/urdf/" + file}})
		f(h)
	})
}

func load(h *rostest.Stage, name string) bool {
	h.T.Helper()
	return rostest.Ask(h, "/controller_manager/load_controller", cm.LoadControllerService(),
		&cm.LoadControllerRequest{Name: name}).OK
}

func configure(h *rostest.Stage, name string) bool {
	h.T.Helper()
	return rostest.Ask(h, "/controller_manager/configure_controller", cm.ConfigureControllerService(),
		&cm.ConfigureControllerRequest{Name: name}).OK
}

func change(h *rostest.Stage, strictness int32, start, stop string) *cm.SwitchControllerResponse {
	h.T.Helper()
	return rostest.Ask(h, "/controller_manager/switch_controller", cm.SwitchControllerService(),
		&cm.SwitchControllerRequest{ActivateControllers: strings.Fields(start),
			DeactivateControllers: strings.Fields(stop), Strictness: strictness})
}

// bring makes controllers active.
func bring(h *rostest.Stage, names ...string) {
	h.T.Helper()
	for _, name := range names {
		if !load(h, name) || !configure(h, name) {
			h.T.Fatalf("%s cannot be loaded and configured", name)
		}
		if r := change(h, cm.SwitchControllerRequestStrict, name, ""); !r.OK {
			h.T.Fatal(r.Message)
		}
	}
}

// states are the names and states of the controllers, and what they claim.
func states(h *rostest.Stage) (all []string) {
	h.T.Helper()
	r := rostest.Ask(h, "/controller_manager/list_controllers", cm.ListControllersService(),
		&cm.ListControllersRequest{})
	for _, c := range r.Controller {
		all = append(all, strings.Join(append([]string{c.Name, c.State}, c.ClaimedInterfaces...), " "))
	}
	return all
}

func expect(h *rostest.Stage, want ...string) {
	h.T.Helper()
	if got := states(h); !slices.Equal(got, want) {
		h.T.Errorf("the controllers are %q, want %q", got, want)
	}
}

func TestControllersGoThroughTheirStatesWhilePaused(t *testing.T) {
	with(t, "it", "arm.urdf.xacro", func(h *rostest.Stage) {
		if load(h, "unknown_controller") || load(h, "nobody") {
			t.Error("a controller of no known type was loaded")
		}
		if !load(h, "wrong_controller") || configure(h, "wrong_controller") || load(h, "wrong_controller") {
			t.Error("a controller of a joint that is not there was configured, or loaded twice")
		}
		bring(h, "arm_controller")
		if !load(h, "position_controller") || configure(h, "arm_controller") {
			t.Error("an active controller was configured")
		}
		arm := "arm_controller active shoulder/position elbow/position"
		if r := change(h, cm.SwitchControllerRequestStrict, "position_controller", ""); r.OK ||
			!strings.Contains(r.Message, "unconfigured") {
			t.Errorf("%+v", r)
		}
		if !configure(h, "position_controller") {
			t.Fatal("position_controller is not configured")
		}
		for _, strictness := range []int32{cm.SwitchControllerRequestStrict,
			cm.SwitchControllerRequestBestEffort} {
			if r := change(h, strictness, "position_controller", ""); r.OK ||
				!strings.Contains(r.Message, `claimed by "arm_controller"`) {
				t.Errorf("%+v", r)
			}
		}
		if r := change(h, cm.SwitchControllerRequestStrict, "position_controller nobody",
			"arm_controller"); r.OK {
			t.Error("a strict switch with an unknown controller was done")
		}
		expect(h, "wrong_controller unconfigured", arm, "position_controller inactive")
		if r := change(h, cm.SwitchControllerRequestForceAuto, "position_controller", ""); !r.OK {
			t.Errorf("%+v", r)
		}
		expect(h, "wrong_controller unconfigured", "arm_controller inactive",
			"position_controller active shoulder/position elbow/position")
		if r := change(h, cm.SwitchControllerRequestBestEffort, "arm_controller nobody",
			"position_controller"); !r.OK || !strings.Contains(r.Message, "nobody") {
			t.Errorf("%+v", r)
		}
		unload := func(name string) bool {
			return rostest.Ask(h, "/controller_manager/unload_controller", cm.UnloadControllerService(),
				&cm.UnloadControllerRequest{Name: name}).OK
		}
		if unload("arm_controller") || !unload("position_controller") || unload("position_controller") {
			t.Error("an active controller was unloaded, or another one was not")
		}
		reload := func(kill bool) bool {
			return rostest.Ask(h, "/controller_manager/reload_controller_libraries",
				cm.ReloadControllerLibrariesService(),
				&cm.ReloadControllerLibrariesRequest{ForceKill: kill}).OK
		}
		if reload(false) || !reload(true) {
			t.Error("libraries were reloaded under controllers, or not at all")
		}
		expect(h)
	})
}

func TestAControllerTellsJointsAndTakesCommandsOnlyWhileItIsActive(t *testing.T) {
	with(t, "it", "arm.urdf.xacro", func(h *rostest.Stage) {
		bring(h, "joint_state_broadcaster", "position_controller")
		joints := rostest.Hear[sensormsgs.JointState](h, "/joint_states", node.SensorQoS())
		say := rostest.Talk[stdmsgs.Float64MultiArray](h, "/position_controller/commands", node.DefaultQoS())
		h.Do(sim.SetState{State: sim.Playing})
		near := func(shoulder, elbow float64) bool {
			m := joints.Last()
			return m != nil && slices.Equal(m.Name, []string{"shoulder", "elbow"}) &&
				math.Abs(m.Position[0]-shoulder) < 0.01 && math.Abs(m.Position[1]-elbow) < 0.01
		}
		h.Until("the initial values", func() bool { return near(0.2, 0.2) })
		say(&stdmsgs.Float64MultiArray{Data: []float64{0.5, math.NaN()}})
		h.Until("the shoulder at 0.5", func() bool { return near(0.5, 0.2) })
		say(&stdmsgs.Float64MultiArray{Data: []float64{0}})
		if r := change(h, cm.SwitchControllerRequestStrict, "", "position_controller"); !r.OK {
			t.Fatal(r.Message)
		}
		say(&stdmsgs.Float64MultiArray{Data: []float64{-0.5, -0.5}})
		time.Sleep(2 * time.Second)
		if !near(0.5, 0.2) {
			t.Errorf("an inactive controller moves its joints: %+v", joints.Last())
		}
		if h.Has("/it/joint_states") || h.Has("/it/joint_commands") {
			t.Error("the robot has topics of its own beside those of its controllers")
		}
	})
}

func TestGoalsAreFollowedByAnActiveControllerAndEndWithIt(t *testing.T) {
	with(t, "it", "arm.urdf.xacro", func(h *rostest.Stage) {
		if !load(h, "arm_controller") || !configure(h, "arm_controller") {
			t.Fatal("arm_controller is not there")
		}
		client, err := node.NewActionClient(h.Client, "/arm_controller/follow_joint_trajectory",
			controlmsgs.FollowJointTrajectoryAction())
		if err != nil {
			t.Fatal(err)
		}
		goal := func(seconds int32, names ...string) *controlmsgs.FollowJointTrajectoryGoal {
			g := controlmsgs.NewFollowJointTrajectoryGoal()
			g.Trajectory.JointNames = names
			p := trajectorymsgs.JointTrajectoryPoint{Positions: []float64{-0.3, 0.7}[:len(names)]}
			p.TimeFromStart.Sec = seconds
			g.Trajectory.Points = append(g.Trajectory.Points, p)
			return g
		}
		refused := func(what string, g *controlmsgs.FollowJointTrajectoryGoal) {
			t.Helper()
			if _, err := client.Send(h.Soon(), g, nil); err == nil {
				t.Errorf("%s: a goal was accepted", what)
			}
		}
		refused("inactive", goal(1, "shoulder", "elbow"))
		if r := change(h, cm.SwitchControllerRequestStrict, "arm_controller", ""); !r.OK {
			t.Fatal(r.Message)
		}
		refused("a part of the joints", goal(1, "elbow"))
		refused("another joint", goal(1, "elbow", "wrist"))
		refused("no points", &controlmsgs.FollowJointTrajectoryGoal{
			Trajectory: trajectorymsgs.JointTrajectory{JointNames: []string{"shoulder", "elbow"}}})
		told := rostest.Hear[controlmsgs.JointTrajectoryControllerState](h, "/arm_controller/controller_state",
			node.SensorQoS())
		h.Do(sim.SetState{State: sim.Playing})
		ends := func(g *controlmsgs.FollowJointTrajectoryGoal, while func()) node.GoalStatus {
			t.Helper()
			handle, err := client.Send(h.Soon(), g, nil)
			if err != nil {
				t.Fatal(err)
			}
			while()
			status, _, err := handle.Result(h.Soon())
			if err != nil {
				t.Fatal(err)
			}
			return status
		}
		if s := ends(goal(1, "shoulder", "elbow"), func() {}); s != node.GoalSucceeded {
			t.Errorf("the goal has %v", s)
		}
		h.Until("the state at the goal", func() bool {
			m := told.Last()
			return m != nil && math.Abs(m.Feedback.Positions[0]+0.3) < 0.02 && m.Reference.Positions[1] == 0.7
		})
		if s := ends(goal(9, "shoulder", "elbow"), func() {
			time.Sleep(time.Second)
			if r := change(h, cm.SwitchControllerRequestStrict, "", "arm_controller"); !r.OK {
				t.Error(r.Message)
			}
		}); s != node.GoalAborted {
			t.Errorf("the goal of a controller that became inactive has %v", s)
		}
	})
}

func TestHardwareThatIsNotActiveTakesNoCommands(t *testing.T) {
	with(t, "it", "arm.urdf.xacro", func(h *rostest.Stage) {
		bring(h, "arm_controller")
		set := func(name string, id uint8) *cm.SetHardwareComponentStateResponse {
			return rostest.Ask(h, "/controller_manager/set_hardware_component_state",
				cm.SetHardwareComponentStateService(), &cm.SetHardwareComponentStateRequest{Name: name,
					TargetState: lifecyclemsgs.State{ID: id}})
		}
		if set("nobody", 2).OK || set("arm_hardware", 9).OK {
			t.Error("hardware that is not there, or a state, was set")
		}
		if r := set("arm_hardware", 1); !r.OK || r.State.Label != "unconfigured" {
			t.Errorf("%+v", r)
		}
		expect(h, "arm_controller inactive")
		if r := change(h, cm.SwitchControllerRequestStrict, "arm_controller", ""); r.OK ||
			!strings.Contains(r.Message, "arm_hardware") {
			t.Errorf("%+v", r)
		}
		if r := set("arm_hardware", 3); !r.OK {
			t.Errorf("%+v", r)
		}
		if r := change(h, cm.SwitchControllerRequestStrict, "arm_controller", ""); !r.OK {
			t.Errorf("%+v", r)
		}
		r := rostest.Ask(h, "/controller_manager/list_hardware_interfaces", cm.ListHardwareInterfacesService(),
			&cm.ListHardwareInterfacesRequest{})
		var claimed []string
		for _, i := range r.CommandInterfaces {
			if i.IsClaimed && i.IsAvailable {
				claimed = append(claimed, i.Name)
			}
		}
		if !slices.Equal(claimed, []string{"shoulder/position", "elbow/position"}) ||
			len(r.StateInterfaces) != 6 {
			t.Errorf("claimed are %v of %+v", claimed, r)
		}
	})
}

func TestACartDrivesByItsControllerAndStopsWithoutCommands(t *testing.T) {
	with(t, "cart", "cart.urdf", func(h *rostest.Stage) {
		ask := func(name string) {
			t.Helper()
			ok := rostest.Ask(h, "/cart/controller_manager/load_controller", cm.LoadControllerService(),
				&cm.LoadControllerRequest{Name: name}).OK
			ok = ok && rostest.Ask(h, "/cart/controller_manager/configure_controller",
				cm.ConfigureControllerService(), &cm.ConfigureControllerRequest{Name: name}).OK
			r := rostest.Ask(h, "/cart/controller_manager/switch_controller", cm.SwitchControllerService(),
				&cm.SwitchControllerRequest{ActivateControllers: []string{name},
					Strictness: cm.SwitchControllerRequestStrict})
			if !ok || !r.OK {
				t.Fatal(r.Message)
			}
		}
		ask("base_controller")
		odom := rostest.Hear[navmsgs.Odometry](h, "/cart/base_controller/odom", node.SensorQoS())
		tf := rostest.Hear[tf2msgs.TFMessage](h, "/tf", node.BurstQoS(512))
		say := rostest.Talk[geometrymsgs.TwistStamped](h, "/cart/base_controller/cmd_vel", node.DefaultQoS())
		h.Do(sim.SetState{State: sim.Playing})
		m := geometrymsgs.NewTwistStamped()
		m.Twist.Linear.X, m.Twist.Angular.Z = 5, 0.5 // of which 1 m/s is allowed
		for range 30 {
			say(m)
			time.Sleep(100 * time.Millisecond)
		}
		o := odom.Last()
		if v := o.Twist.Twist; math.Abs(v.Linear.X-1) > 0.05 || math.Abs(v.Angular.Z-0.5) > 0.05 {
			t.Errorf("it drives with %+v", v)
		}
		time.Sleep(2 * time.Second)
		o = odom.Last()
		if v := o.Twist.Twist; math.Abs(v.Linear.X) > 0.01 || o.ChildFrameID != "cart/base_link" {
			t.Errorf("without commands it drives on: %+v", o)
		}
		parents := map[string]bool{}
		for _, m := range tf.All() {
			for _, t := range m.Transforms {
				parents[t.ChildFrameID+" in "+t.Header.FrameID] = true
			}
		}
		for edge, want := range map[string]bool{"cart/base_link in cart/odom": true,
			"cart/odom in world": true, "cart/base_link in world": false} {
			if parents[edge] != want {
				t.Errorf("tf has %v", parents)
			}
		}
		s := h.Engine.Snapshot()
		i := slices.IndexFunc(s.Model.Entities, func(e sim.EntityModel) bool { return e.Name == "cart" })
		at := s.LinksOf(i)[0].Pose.Pos
		if p := o.Pose.Pose.Position; math.Hypot(p.X-at.X, p.Y-at.Y) > 0.1 || math.Hypot(at.X, at.Y) < 1 {
			t.Errorf("odometry says %+v, and it is at %v", p, at)
		}
	})
}

func TestTheParametersOfASpawnerAreTaken(t *testing.T) {
	with(t, "it", "arm.urdf.xacro", func(h *rostest.Stage) {
		r := rostest.Ask(h, "/controller_manager/set_parameters", rclinterfaces.SetParametersService(),
			&rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{
				{Name: "mine.type", Value: node.StringValue("velocity_controllers/JointGroupVelocityController")},
				{Name: "mine.params_file", Value: node.StringValue(
					"package://controlled_arm_description/config/arm_controllers.yaml")}}})
		if len(r.Results) != 2 || !r.Results[0].Successful || !r.Results[1].Successful {
			t.Fatalf("%+v", r)
		}
		if !load(h, "mine") || configure(h, "mine") {
			t.Error("a controller without joints was configured")
		}
		rostest.Ask(h, "/mine/set_parameters", rclinterfaces.SetParametersService(),
			&rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{{Name: "joints",
				Value: node.Value{Type: node.StringArray, StringArrayValue: []string{"elbow"}}}}})
		if !configure(h, "mine") {
			t.Error("the joints that were set are not the controller's")
		}
		if r := change(h, cm.SwitchControllerRequestStrict, "mine", ""); !r.OK {
			t.Error(r.Message)
		}
		expect(h, "mine active elbow/velocity")
	})
}

func TestARobotWhoseParametersCannotBeReadKeepsSimdecksTopics(t *testing.T) {
	text, err := os.ReadFile(robots + "/share/controlled_arm_description/urdf/cart.urdf")
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(text), "package://controlled_arm_description/config/cart_controllers.yaml",
		"bad.yaml", 1)
	rostest.On(t, rostest.Play{Files: rostest.Files(map[string]string{"m/cart.urdf": bad,
		"m/bad.yaml": "a:\n  ros__parameters:\n    b: [1, two]\n"}), World: scene.Resource{Document: floor},
		Start: sim.Paused}, func(h *rostest.Stage) error {
		_, err := robot.New(h.Server, h.Engine)
		return err
	}, func(h *rostest.Stage) {
		h.Do(sim.Spawn{Name: "it", Resource: sim.Resource{URI: "model://m/cart.urdf"}})
		h.Until("simdeck's topics", func() bool { return h.Publishes("/it/joint_states") })
		if names := h.Client.Graph().Nodes; slices.ContainsFunc(names,
			func(n string) bool { return strings.Contains(n, "controller_manager") }) {
			t.Errorf("a manager without parameters is there: %v", names)
		}
	})
}
