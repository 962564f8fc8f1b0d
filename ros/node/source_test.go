package node

import (
	"strings"
	"testing"

	"simdeck/ros/msgs/controlmsgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
)

func TestADefinitionComesWithAllThatItIsMadeOf(t *testing.T) {
	line := "\n" + strings.Repeat("=", 80) + "\nMSG: "
	header := line + "builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
	stamped := line + "std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n"
	s := NewSources()
	for name, want := range map[string]string{
		"std_msgs/msg/String": "string data\n",
		"rosgraph_msgs/msg/Clock": "builtin_interfaces/Time clock\n" +
			header,
		"geometry_msgs/msg/Vector3Stamped": "std_msgs/Header header\nVector3 vector\n" +
			header + line + "geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n" + stamped,
		"control_msgs/action/FollowJointTrajectory_FeedbackMessage": "unique_identifier_msgs/UUID goal_id\ncontrol_msgs/FollowJointTrajectory_Feedback feedback\n",
	} {
		got, err := s.Text(name, "")
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
	if _, err := s.Text("no_msgs/msg/Nothing", ""); err == nil {
		t.Error("a type that nobody knows has a definition")
	}
}

func TestTheDefinitionIsThatOfTheLineWithTheHash(t *testing.T) {
	s := NewSources()
	one, err1 := s.Text("simulation_interfaces/msg/Spawnable", (*simif1.Spawnable)(nil).TypeHash())
	two, err2 := s.Text("simulation_interfaces/msg/Spawnable", (*simif2.Spawnable)(nil).TypeHash())
	if err1 != nil || err2 != nil || one == two {
		t.Errorf("two lines have one definition, or none: %v, %v", err1, err2)
	}
	if _, err := s.Text("control_msgs/msg/JointTolerance",
		(*controlmsgs.JointTolerance)(nil).TypeHash()+"0"); err == nil {
		t.Error("a hash that nobody has has a definition")
	}
}
