package robot

import (
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/actuatormsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestJointCommandsMoveWhatNoDriveTurns(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", stick, 3, -3)
		h.Until("the topic of its joint",
			func() bool { return h.Has("/stick/joint_commands", "sensor_msgs/msg/JointState") })
		if h.Has("/one/joint_commands") {
			t.Error("wheels of a drive can be commanded one by one")
		}
		say := rostest.Talk[sensormsgs.JointState](h, "/stick/joint_commands", node.DefaultQoS())
		hinge := func() sim.JointState {
			s := h.Engine.Snapshot()
			i, _ := s.Find("stick")
			return s.JointsOf(i)[0]
		}
		send := func(m *sensormsgs.JointState, seconds int) sim.JointState {
			say(m)
			time.Sleep(100 * time.Millisecond)
			h.Do(sim.StepWorld{N: uint64(250 * seconds)})
			return hinge()
		}
		name, none := []string{"hinge"}, []float64{math.NaN()}
		if j := send(&sensormsgs.JointState{Name: name, Position: []float64{0.5}},
			3); math.Abs(j.Position-0.5) > 0.01 {
			t.Errorf("sent to 0.5 rad it is at %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name, Position: none, Velocity: []float64{-0.2}},
			1); math.Abs(j.Velocity+0.2) > 0.01 {
			t.Errorf("told to turn at -0.2 rad/s it turns at %.4f", j.Velocity)
		}
		if j := send(&sensormsgs.JointState{Name: name, Effort: []float64{9}}, 2); j.Position < 0.9 {
			t.Errorf("pushed with 9 N·m it is at %.4f rad, want its stop at 1", j.Position)
		}
		// An invalid command is refused whole.
		if j := send(&sensormsgs.JointState{Name: []string{"hinge", "knee"}, Position: []float64{0.2, 1}},
			3); j.Position < 0.9 {
			t.Errorf("beside a joint that is not there it went to %.4f", j.Position)
		}
		if j := send(&sensormsgs.JointState{Name: name}, 1); j.Position < 0.9 {
			t.Errorf("an empty command moves it to %.4f", j.Position)
		}
	})
}

// A controller of a joint in the robot's file names the topic of its numbers: positions, or speeds.
func TestAJointListensToTheTopicOfItsController(t *testing.T) {
	for plugin, want := range map[string]func(sim.JointState) bool{
		"JointPositionController": func(j sim.JointState) bool { return math.Abs(j.Position-0.4) < 0.01 },
		"JointController":         func(j sim.JointState) bool { return math.Abs(j.Velocity-0.4) < 0.01 },
	} {
		inTheHall(t, func(h *rostest.Stage) {
			spawn(h, "stick", "", strings.Replace(stick, "</robot>",
				`<gazebo><plugin filename="x" name="gz::sim::systems::`+plugin+
					`"><joint_name>hinge</joint_name><topic>turn/hinge</topic></plugin></gazebo></robot>`, 1),
				3,
				-3)
			h.Until("the topic of its joint",
				func() bool { return h.Has("/stick/turn/hinge", "std_msgs/msg/Float64") })
			rostest.Talk[stdmsgs.Float64](h, "/stick/turn/hinge",
				node.DefaultQoS())(&stdmsgs.Float64{Data: 0.4})
			time.Sleep(100 * time.Millisecond)
			h.Do(sim.StepWorld{N: 500})
			s := h.Engine.Snapshot()
			i, _ := s.Find("stick")
			if j := s.JointsOf(i)[0]; !want(j) {
				t.Errorf("%s: told 0.4 it is at %.4f with %.4f", plugin, j.Position, j.Velocity)
			}
		})
	}
}

// A rotor takes speeds by its number on the topic of its file; short messages and numbers that are none are
// refused or left out.
func TestARotorListensToTheTopicOfItsFile(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "stick", "", strings.Replace(stick, "</robot>",
			`<gazebo><plugin filename="x" name="gz::sim::systems::MulticopterMotorModel"><jointName>hinge</jointName><turningDirection>ccw</turningDirection><motorNumber>1</motorNumber></plugin></gazebo></robot>`,
			1), 3, -3)
		h.Until("the topic of its rotor",
			func() bool { return h.Has("/stick/command/motor_speed", "actuator_msgs/msg/Actuators") })
		say := rostest.Talk[actuatormsgs.Actuators](h, "/stick/command/motor_speed", node.DefaultQoS())
		for _, velocities := range [][]float64{{9, 4}, {9}, {9, math.NaN()}} {
			say(&actuatormsgs.Actuators{Velocity: velocities})
			time.Sleep(100 * time.Millisecond)
		}
		h.Do(sim.StepWorld{N: 250})
		s := h.Engine.Snapshot()
		i, _ := s.Find("stick")
		if j := s.JointsOf(i)[0]; math.Abs(j.Velocity-0.4) > 0.01 {
			t.Errorf("told 4 rad/s, its joint turns at %.4f rad/s, want a tenth", j.Velocity)
		}
	})
}

// A belt takes its speed on the topic that Gazebo gives it, by the name of the entity, or on its file's.
func TestABeltListensToTheTopicOfItsLink(t *testing.T) {
	for topic, own := range map[string]string{"/model/crawler/link/belt/track_cmd_vel": "",
		"/crawler/go": "<velocity_topic>go</velocity_topic>"} {
		inTheHall(t, func(h *rostest.Stage) {
			spawn(h, "crawler", "", `<sdf version="1.9"><model name="m"><link name="belt"><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial>
				<collision name="c"><pose>0 0 0.1 0 0 0</pose><geometry><box><size>0.5 0.3 0.2</size></box></geometry></collision></link>
				<plugin filename="gz-sim-track-controller-system" name="gz::sim::systems::TrackController"><link>belt</link>`+own+`</plugin></model></sdf>`, 3, -3)
			h.Until("the topic of its belt", func() bool { return h.Has(topic, "std_msgs/msg/Float64") })
			rostest.Talk[stdmsgs.Float64](h, topic, node.DefaultQoS())(&stdmsgs.Float64{Data: 0.3})
			time.Sleep(100 * time.Millisecond)
			h.Do(sim.StepWorld{N: 250})
			s := h.Engine.Snapshot()
			i, _ := s.Find("crawler")
			if v := s.Entities[i].Twist.Linear; math.Abs(v.X-0.3) > 0.01 {
				t.Errorf("%s: its belt at 0.3 m/s drives it by %v", topic, v)
			}
		})
	}
}

// A buoyancy engine takes volumes on the topic of the namespace that its file names, or Gazebo's. It tells
// the one that it has.
func TestABuoyancyEngineListensToTheTopicOfItsNamespace(t *testing.T) {
	for topic, own := range map[string]string{"/buoyancy_engine": "",
		"/model/tethys/buoyancy_engine": "<namespace>tethys</namespace>"} {
		inTheHall(t, func(h *rostest.Stage) {
			spawn(h, "glider", "", `<sdf version="1.9"><model name="m"><link name="hull"><inertial><mass>1</mass></inertial></link>
				<plugin filename="gz-sim-buoyancy-engine-system" name="gz::sim::systems::BuoyancyEngine"><link_name>hull</link_name><max_inflation_rate>1</max_inflation_rate>`+own+`</plugin></model></sdf>`, 3, -3)
			h.Until("the topic of its volume",
				func() bool { return h.Has(topic, "std_msgs/msg/Float64") })
			heard := rostest.Hear[stdmsgs.Float64](h, topic+"/current_volume", node.DefaultQoS())
			say := rostest.Talk[stdmsgs.Float64](h, topic, node.DefaultQoS())
			for _, volume := range []float64{4e-4, math.NaN()} {
				say(&stdmsgs.Float64{Data: volume})
				time.Sleep(100 * time.Millisecond)
			}
			h.Do(sim.StepWorld{N: 250})
			h.Until("its volume",
				func() bool { return heard.Last() != nil && heard.Last().Data == 4e-4 })
		})
	}
}

// A joint to another model is removed and made again on the topics that Gazebo gives it, or on its file's.
// Its state is latched. A command that cannot be done changes nothing.
func TestAJointToAnotherModelIsDetachedAndAttachedByTopics(t *testing.T) {
	const usual = "/model/holder/detachable_joint/"
	for own, topics := range map[string][3]string{
		"": {usual + "detach", usual + "attach", usual + "state"},
		`<detach_topic>let/go</detach_topic><attach_topic>/hold</attach_topic><output_topic>holds</output_topic>`: {
			"/let/go", "/hold", "/holds"},
		"<topic>/old/detach</topic>": {"/old/detach", usual + "attach", usual + "state"},
	} {
		inEachHall(t, func(h *rostest.Stage) {
			spawn(h, "holder", "", `<sdf version="1.9"><model name="m"><link name="hand"/><plugin filename="gz-sim-detachable-joint-system" name="gz::sim::systems::DetachableJoint">
				<parent_link>hand</parent_link><child_model>box</child_model><child_link>l</child_link>`+own+`</plugin></model></sdf>`, 3, -3)
			state := rostest.Hear[stdmsgs.String](h, topics[2], node.LatchedQoS())
			h.Until("its topics", func() bool {
				return h.Has(topics[0], "std_msgs/msg/Empty") && h.Has(topics[1], "std_msgs/msg/Empty")
			})
			says := func(word string) {
				t.Helper()
				h.Until(word, func() bool { return state.Last() != nil && state.Last().Data == word })
			}
			says("detached") // the other model is not there yet
			spawn(h, "box", "", `<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>`, 4, -3)
			says("attached")
			say := func(topic string) {
				rostest.Tell(h, topic, node.DefaultQoS(), &stdmsgs.Empty{})
				time.Sleep(100 * time.Millisecond)
			}
			say(topics[1])
			if n := len(h.Engine.Snapshot().Attachments); n != 1 {
				t.Errorf("attached again, there are %d attachments", n)
			}
			say(topics[0])
			says("detached")
			h.Do(sim.Delete{Names: []string{"box"}})
			say(topics[1])
			if n := len(h.Engine.Snapshot().Attachments); n != 0 {
				t.Errorf("%d attachments to a model that is gone", n)
			}
			spawn(h, "box", "", `<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>`, 4, -3)
			say(topics[1])
			says("attached")
		})
	}
}

// courier is a robot with a battery of 10 V and 0.01 Ah, which gives 2 A while it drains.
const courier = `<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial></link>
	<plugin filename="gz-sim-linearbatteryplugin-system" name="gz::sim::systems::LinearBatteryPlugin"><battery_name>pack</battery_name><voltage>10</voltage>
	<open_circuit_voltage_constant_coef>10</open_circuit_voltage_constant_coef><capacity>0.01</capacity><power_load>20</power_load><smooth_current_tau>0.001</smooth_current_tau>
	<enable_recharge>true</enable_recharge><charging_time>0.01</charging_time><recharge_by_topic>true</recharge_by_topic><fix_issue_225>true</fix_issue_225>
	<power_draining_topic>/courier/work</power_draining_topic><stop_power_draining_topic>/courier/rest</stop_power_draining_topic></plugin></model></sdf>`

// A battery is told once in a second of simulated time, and when its status changes. Topics and services
// switch it. Its message is that of ros_gz, with a percentage from 0 to 1.
func TestABatteryIsToldOnceInASecondAndSwitchedByTopicsAndServices(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "courier", "", courier, 3, -3)
		const topic = "/model/courier/battery/pack/"
		heard := rostest.Hear[sensormsgs.BatteryState](h, topic+"state", node.DefaultQoS())
		h.Until("its topics", func() bool {
			return h.Has("/courier/work", "std_msgs/msg/Empty") &&
				h.Has("/courier/rest", "std_msgs/msg/Empty") &&
				h.Has(topic+"recharge/start", "std_msgs/msg/Bool") &&
				h.Has(topic+"recharge/stop", "std_msgs/msg/Bool")
		})
		says := func(status uint8) *sensormsgs.BatteryState {
			t.Helper()
			h.Do(sim.StepWorld{N: 25})
			h.Until("its status",
				func() bool { return heard.Last() != nil && heard.Last().PowerSupplyStatus == status })
			return heard.Last()
		}
		say := func(topic string) {
			rostest.Tell(h, topic, node.DefaultQoS(), &stdmsgs.Empty{})
			time.Sleep(100 * time.Millisecond)
		}
		m := *says(sensormsgs.BatteryStatePowerSupplyStatusFull)
		if m.Voltage != 10 || m.Current != 0 || m.Charge != 0.01 || m.Capacity != 0.01 ||
			m.Percentage != 1 || !m.Present || m.Location != "pack" || !math.IsNaN(float64(m.Temperature)) ||
			m.PowerSupplyHealth != sensormsgs.BatteryStatePowerSupplyHealthGood {
			t.Errorf("at the beginning: %+v", m)
		}
		say("/courier/work")
		says(sensormsgs.BatteryStatePowerSupplyStatusDischarging)
		before := len(heard.All())
		h.Do(sim.StepWorld{N: 1250}) // 5 s
		h.Until("five states", func() bool { return len(heard.All()) >= before+5 })
		if n := len(heard.All()) - before; n > 6 {
			t.Errorf("%d states in 5 s", n)
		}
		if m = *heard.Last(); m.Current != 2 || m.Voltage != 10 || m.Charge > 0.0085 || m.Charge < 0.0065 {
			t.Errorf("while it drains: %+v", m)
		}
		say("/courier/rest")
		says(sensormsgs.BatteryStatePowerSupplyStatusNotCharging)
		ask := func(name string) bool {
			return rostest.Ask(h, topic+"recharge/"+name, stdsrvs.TriggerService(),
				&stdsrvs.TriggerRequest{}).Success
		}
		if !ask("start") {
			t.Error("it cannot be charged")
		}
		says(sensormsgs.BatteryStatePowerSupplyStatusCharging)
		if !ask("stop") {
			t.Error("its charging cannot be stopped")
		}
		says(sensormsgs.BatteryStatePowerSupplyStatusNotCharging)
		rostest.Tell(h, topic+"recharge/start", node.DefaultQoS(), &stdmsgs.Bool{Data: true})
		time.Sleep(100 * time.Millisecond)
		says(sensormsgs.BatteryStatePowerSupplyStatusCharging)
	})
}
