package worker

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/logtest"
)

// position is that of the only joint of a robot.
func (r *running) position(robot string) float64 {
	s := r.engine.Snapshot()
	i, _ := s.Find(robot)
	return s.JointsOf(i)[0].Position
}

// loosely publishes from the viewer, best effort, until something is so.
func loosely[T any, PT msgs.Of[T]](h *site, topic string, m *T, what string, ok func() bool) {
	h.T.Helper()
	rostest.Tell[T, PT](&h.Stage, topic, node.SensorQoS(), m)
	h.Until(what, ok)
}

// swing is a trajectory of a robot's joint that ends after a second.
func swing(robot string, to float64) *trajectorymsgs.JointTrajectory {
	return &trajectorymsgs.JointTrajectory{JointNames: []string{robot + " motor"},
		Points: []trajectorymsgs.JointTrajectoryPoint{{Positions: []float64{to},
			TimeFromStart: builtininterfaces.Duration{Sec: 1}}}}
}

func near(want float64, is func() float64) func() bool {
	return func() bool { return math.Abs(is()-want) < 0.02 }
}

func TestARobotWithAnExternalControllerTakesCommandsAndPublishesNothing(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/hall.wbt", sim.Playing)
		one := func() float64 { return r.position("one") }
		loosely(h, "/lab/one/joint_trajectory_command", swing("one", 0.7),
			"the joint at the trajectory's end", near(0.7, one))
		loosely(h, "/lab/one/forward_position_controller/commands",
			&stdmsgs.Float64MultiArray{Data: []float64{-0.4}}, "the joint where it was sent", near(-0.4, one))
		loosely(h, "/lab/one/forward_velocity_controller/commands",
			&stdmsgs.Float64MultiArray{Data: []float64{2}}, "a turn with that velocity",
			func() bool { return one() > 3 })
		time.Sleep(time.Second)
		if got := h.topics("/lab/one/"); len(got) > 0 {
			h.T.Errorf("%v: its controller publishes, and not the robot", got)
		}
		if got := h.topics("/lab/two/"); !slices.Contains(got, "/lab/two/joint_states") {
			h.T.Errorf("%v: nobody else publishes for a robot with a controller of its own", got)
		}
		world := rostest.Hear[sensormsgs.JointState](&h.Stage, "/lab/joint_states", many())
		h.Until("the joints of both in those of the world",
			func() bool { m := world.Last(); return m != nil && len(m.Name) == 2 && m.Position[0] > 3 })
	})
}

func TestARobotWithAnExternalControllerDrivesByCmdVel(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/yard.wbt", sim.Playing)
		h.Until("the listener", func() bool { return h.Has("/lab/cart/cmd_vel") })
		drive := rostest.Talk[geometrymsgs.Twist](&h.Stage, "/lab/cart/cmd_vel", node.DefaultQoS())
		at := func() float64 {
			s := r.engine.Snapshot()
			i,
				_ := s.Find("cart")
			return s.Entities[i].Pose.Pos.X
		}
		h.Until("a metre of driving", func() bool {
			drive(&geometrymsgs.Twist{Linear: geometrymsgs.Vector3{X: 0.5}})
			return at() > -4
		})
		if s := r.engine.Snapshot(); len(s.Odom) != 1 || s.Odom[0].Pose.Pos.X < 0.9 {
			h.T.Errorf("%+v: it drove by its wheels", s.Odom)
		}
		for _, topic := range h.topics("/lab/cart/") {
			if topic != "/lab/cart/cmd_vel" { // the controller's own
				h.T.Errorf("%s is published: its controller publishes, and not the robot", topic)
			}
		}
	})
}

func TestOneRobotCanBeTheOnlyOneThatTakesCommands(t *testing.T) {
	for _, c := range []struct{ robot, takes, deaf string }{{"one", "one", "two"}, {"two", "two", "one"}} {
		onSite(t, func(h *site) {
			h.start(Config{Robot: c.robot}, "/lab", "worlds/hall.wbt", sim.Playing)
			h.Until("the world", func() bool { return len(h.topics("/lab/")) > 0 })
			taken := func(robot string) (out []string) {
				for _, topic := range h.Client.Graph().Topics {
					if topic.Subscribers > 0 && strings.HasPrefix(topic.Name, "/lab/"+robot+"/") {
						out = append(out, topic.Name)
					}
				}
				return out
			}
			h.Until("the interfaces of "+c.takes, func() bool { return len(taken(c.takes)) >= 5 })
			time.Sleep(time.Second)
			if got := taken(c.deaf); len(got) > 0 {
				h.T.Errorf("--webots-robot-name %s, and %s takes %v", c.robot, c.deaf, got)
			}
		})
	}
}

func TestARobotThatIsNotThereIsTold(t *testing.T) {
	onSite(t, func(h *site) {
		var j logtest.Journal
		e := rostest.Engine(h.T, files(), sim.Resource{URI: "worlds/hall.wbt"}, sim.Paused)
		n, err := node.New(node.Config{Name: "w", Transport: h.Net.Host("w"), Log: j.Log()})
		if err != nil {
			h.T.Fatal(err)
		}
		if _, err := New(Config{Robot: "three"}, n, e); err != nil {
			h.T.Fatal(err)
		}
		rostest.Run(h.T, "engine", e.Run)
		rostest.Run(h.T, "worker", n.Run)
		h.Until("a warning", func() bool { return j.Count("name=three") == 1 && j.Count("one, two") == 1 })
	})
}
