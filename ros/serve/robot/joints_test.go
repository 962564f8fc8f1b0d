package robot

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/builtininterfaces"
	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/msgs/trajectorymsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/control"
	"simdeck/sim"
)

// crane is bolted to the world; its arm turns about z and its rail goes out.
const crane = `<robot name="crane"><link name="world"/><link name="root"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="hand"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="bolts" type="fixed"><parent link="world"/><child link="root"/></joint>
<joint name="hinge" type="revolute"><parent link="root"/><child link="arm"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="100" velocity="2"/></joint>
<joint name="rail" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/>
<limit lower="0" upper="1" effort="100" velocity="2"/></joint></robot>`

// craned runs a test with a crane in a world that plays.
func craned(t *testing.T, f func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState])) {
	inTheHall(t, func(h *rostest.Stage) {
		spawn(h, "crane", "", crane, 0, -2)
		joints := rostest.Hear[sensormsgs.JointState](h, "/crane/joint_states", node.DefaultQoS())
		h.Do(sim.SetState{State: sim.Playing})
		f(h, joints)
	})
}

func settle(h *rostest.Stage, what string, joints *rostest.Heard[sensormsgs.JointState],
	ok func(q, v []float64) bool) {
	h.T.Helper()
	h.Until(what, func() bool {
		m := joints.Last()
		return m != nil && len(m.Position) == 2 && ok(m.Position, m.Velocity)
	})
}

func at(q []float64, want ...float64) bool {
	for i := range want {
		if math.Abs(q[i]-want[i]) > 1e-3 {
			return false
		}
	}
	return true
}

func TestJointsGoWhereTheForwardControllersAreTold(t *testing.T) {
	craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
		position := rostest.Talk[stdmsgs.Float64MultiArray](h, "/crane/forward_position_controller/commands",
			node.DefaultQoS())
		velocity := rostest.Talk[stdmsgs.Float64MultiArray](h, "/crane/forward_velocity_controller/commands",
			node.DefaultQoS())
		effort := rostest.Talk[stdmsgs.Float64MultiArray](h, "/crane/forward_effort_controller/commands",
			node.DefaultQoS())
		position(&stdmsgs.Float64MultiArray{Data: []float64{0.5, 0.25}})
		settle(h, "both joints in place", joints, func(q, _ []float64) bool { return at(q, 0.5, 0.25) })
		velocity(&stdmsgs.Float64MultiArray{Data: []float64{-0.1, math.NaN()}})
		settle(h, "a turn, the rail left alone", joints,
			func(q, v []float64) bool { return at(v, -0.1, 0) && at(q[1:], 0.25) })
		effort(&stdmsgs.Float64MultiArray{Data: []float64{0, 100}})
		settle(h, "the rail pushed to its stop", joints, func(q, _ []float64) bool { return q[1] > 0.99 })
	})
}

func TestJointsAreCommandedByNameAsJointStates(t *testing.T) {
	craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
		say := rostest.Talk[sensormsgs.JointState](h, "/crane/joint_commands", node.DefaultQoS())
		say(&sensormsgs.JointState{Name: []string{"rail", "hinge"}, Position: []float64{0.3, math.NaN()},
			Velocity: []float64{9, 0.2}})
		settle(h, "the rail in place while the arm turns", joints,
			func(q, v []float64) bool { return at(q[1:], 0.3) && at(v, 0.2) })
	})
}

func TestACommandThatIsNotUnderstoodIsLoggedOnceWithWhatWouldBeRight(t *testing.T) {
	craned(t, func(h *rostest.Stage, _ *rostest.Heard[sensormsgs.JointState]) {
		log := rostest.Hear[rclinterfaces.Log](h, "/rosout", node.RosoutQoS())
		position := rostest.Talk[stdmsgs.Float64MultiArray](h, "/crane/forward_position_controller/commands",
			node.DefaultQoS())
		say := rostest.Talk[sensormsgs.JointState](h, "/crane/joint_commands", node.DefaultQoS())
		for range 3 {
			position(&stdmsgs.Float64MultiArray{Data: []float64{1}})
			say(&sensormsgs.JointState{Name: []string{"elbow"}, Position: []float64{1}})
		}
		time.Sleep(time.Second)
		told := map[string]int{}
		for _, m := range log.All() {
			for _, want := range []string{"1 numbers for 2 joints, which are hinge, rail",
				`no joint \"elbow\"`} {
				if strings.Contains(m.Msg, want) ||
					strings.Contains(m.Msg, strings.ReplaceAll(want, `\`, "")) {
					told[want]++
				}
			}
		}
		if len(told) != 2 || told["1 numbers for 2 joints, which are hinge, rail"] != 1 {
			t.Errorf("told %v in %d lines", told, len(log.All()))
		}
	})
}

// swing is a trajectory of the crane.
func swing(seconds int32, hinge, rail float64) trajectorymsgs.JointTrajectory {
	p := trajectorymsgs.JointTrajectoryPoint{Positions: []float64{rail, hinge}, Velocities: []float64{0, 0}}
	p.TimeFromStart.Sec = seconds
	return trajectorymsgs.JointTrajectory{JointNames: []string{"rail", "hinge"},
		Points: []trajectorymsgs.JointTrajectoryPoint{p}}
}

// goals is a client of the crane's controller.
func goals(h *rostest.Stage) *node.ActionClient[controlmsgs.FollowJointTrajectoryGoal, control.FollowResult,
	control.FollowFeedback] {
	h.T.Helper()
	c, err := node.NewActionClient(h.Client, "/crane/joint_trajectory_controller/follow_joint_trajectory",
		controlmsgs.FollowJointTrajectoryAction())
	if err != nil {
		h.T.Fatal(err)
	}
	if err := c.WaitReady(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	return c
}

func TestAGoalIsFollowedWithFeedbackToItsEnd(t *testing.T) {
	craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
		c, said := goals(h), make(chan control.FollowFeedback, 1000)
		g, err := c.Send(context.Background(),
			&controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(2, 1, 0.5),
				PathTolerance: []controlmsgs.JointTolerance{{Name: "hinge", Position: 0.02}},
				GoalTolerance: []controlmsgs.JointTolerance{{Name: "rail", Position: 0.001},
					{Name: "hinge", Position: 0.001}}},
			func(f *control.FollowFeedback) { said <- *f })
		if err != nil {
			t.Fatal(err)
		}
		status, r, err := g.Result(context.Background())
		if err != nil || status != node.GoalSucceeded || r.ErrorCode != 0 {
			t.Fatalf("%v, %+v: %v", status, r, err)
		}
		if !at(joints.Last().Position, 1, 0.5) {
			t.Errorf("the joints are at %v", joints.Last().Position)
		}
		if len(said) < 20 {
			t.Errorf("%d times feedback in 2 s", len(said))
		}
		for len(said) > 0 {
			f := <-said
			for k := range f.JointNames {
				if off := f.Desired.Positions[k] - f.Actual.Positions[k]; math.Abs(off) > 0.01 ||
					math.Abs(off-f.Error.Positions[k]) > 1e-12 {
					t.Fatalf("feedback %+v", f)
				}
			}
		}
	})
}

func TestAGoalThatCannotBeFollowedSaysWhy(t *testing.T) {
	for _, c := range []struct {
		what string
		goal controlmsgs.FollowJointTrajectoryGoal
		code int32
		text string
	}{
		{"no such joint", controlmsgs.FollowJointTrajectoryGoal{Trajectory: trajectorymsgs.JointTrajectory{
			JointNames: []string{"elbow"},
			Points:     swing(1, 0, 0).Points}},
			controlmsgs.FollowJointTrajectoryResultInvalidJoints, "elbow"},
		{"no points", controlmsgs.FollowJointTrajectoryGoal{Trajectory: trajectorymsgs.JointTrajectory{
			JointNames: []string{"rail"}}},
			controlmsgs.FollowJointTrajectoryResultInvalidGoal, "no points"},
		{"too fast", controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(0, 2, 0),
			GoalTolerance:     []controlmsgs.JointTolerance{{Name: "hinge", Position: 0.01}},
			GoalTimeTolerance: builtininterfaces.Duration{Nanosec: 2e8}},
			controlmsgs.FollowJointTrajectoryResultGoalToleranceViolated, "hinge"},
		{"off its path", controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(1, 2, 1),
			PathTolerance: []controlmsgs.JointTolerance{{Name: "hinge", Position: 1e-9}}},
			controlmsgs.FollowJointTrajectoryResultPathToleranceViolated, "hinge"},
		{"a tolerance of another joint",
			controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(1, 0, 0),
				PathTolerance: []controlmsgs.JointTolerance{{Name: "knee"}}},
			controlmsgs.FollowJointTrajectoryResultInvalidGoal, "knee"},
	} {
		craned(t, func(h *rostest.Stage, _ *rostest.Heard[sensormsgs.JointState]) {
			g, err := goals(h).Send(context.Background(), &c.goal, nil)
			if err != nil {
				t.Fatal(c.what, err)
			}
			status, r, err := g.Result(context.Background())
			if err != nil || status != node.GoalAborted || r.ErrorCode != c.code ||
				!strings.Contains(r.ErrorString, c.text) {
				t.Errorf("%s: %v, %+v: %v", c.what, status, r, err)
			}
		})
	}
}

func TestACancelledGoalHoldsWhereItIs(t *testing.T) {
	craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
		g, err := goals(h).Send(context.Background(),
			&controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(4, 2, 1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		settle(h, "it to be on its way", joints, func(q, _ []float64) bool { return q[0] > 0.5 })
		if err := g.Cancel(context.Background()); err != nil {
			t.Fatal(err)
		}
		if status, r, err := g.Result(context.Background()); err != nil || status != node.GoalWasCanceled {
			t.Errorf("%v, %+v: %v", status, r, err)
		}
		held := joints.Last().Position[0]
		time.Sleep(2 * time.Second)
		if now := joints.Last(); math.Abs(now.Position[0]-held) > 0.05 || math.Abs(now.Velocity[0]) > 1e-3 {
			t.Errorf("from %v it went on to %v", held, now.Position[0])
		}
	})
}

func TestADeletedOrCommandedRobotEndsItsGoals(t *testing.T) {
	for what, c := range map[string]sim.Command{
		"gone":                sim.Delete{Names: []string{"crane"}},
		"commanded by itself": sim.SetJoint{Name: "crane", Joint: "hinge", Mode: sim.JointPosition},
	} {
		craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
			g, err := goals(h).Send(context.Background(),
				&controlmsgs.FollowJointTrajectoryGoal{Trajectory: swing(4, 2, 1)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			settle(h, "it to be on its way", joints, func(q, _ []float64) bool { return q[0] > 0.2 })
			ended := make(chan string, 1)
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				defer cancel()
				status, r, err := g.Result(ctx)
				if err != nil {
					ended <- err.Error()
					return
				}
				ended <- status.String() + " " + r.ErrorString
			}()
			time.Sleep(100 * time.Millisecond)
			h.Do(c)
			if got := <-ended; what != "gone" && !strings.Contains(got, what) {
				t.Errorf("%s: the goal ended with %q", what, got)
			}
		})
	}
}

func TestATrajectoryOnTheTopicIsFollowedAfterARespawnToo(t *testing.T) {
	craned(t, func(h *rostest.Stage, joints *rostest.Heard[sensormsgs.JointState]) {
		for _, q := range []float64{1, -1} {
			say := rostest.Talk[trajectorymsgs.JointTrajectory](h,
				"/crane/joint_trajectory_controller/joint_trajectory", node.DefaultQoS())
			m := swing(1, q, 0.5)
			say(&m)
			settle(h, "the trajectory's end", joints, func(p, _ []float64) bool { return at(p, q, 0.5) })
			h.Do(sim.Delete{Names: []string{"crane"}})
			time.Sleep(time.Second)
			spawn(h, "crane", "", crane, 0, -2)
			time.Sleep(time.Second)
		}
	})
}

func TestARobotWhoseJointsAreAllADrivesHasNoTopicsForThem(t *testing.T) {
	inTheHall(t, func(h *rostest.Stage) {
		rostest.Hear[sensormsgs.JointState](h, "/one/joint_states", node.DefaultQoS())
		for _, topic := range []string{"/one/joint_commands", "/one/forward_position_controller/commands",
			"/one/joint_trajectory_controller/joint_trajectory"} {
			if h.Has(topic) {
				t.Errorf("there is %s", topic)
			}
		}
	})
}
