package node

import (
	"errors"
	"strings"
	"testing"
)

func TestNamesExpandAsROSDoes(t *testing.T) {
	for _, c := range []struct{ name, ns, want string }{
		{"chatter", "/", "/chatter"},
		{"chatter", "/a/b", "/a/b/chatter"},
		{"/chatter", "/a", "/chatter"},
		{"~/x", "/a", "/a/sim/x"},
		{"~", "/", "/sim"},
		{"{node}/x", "/a", "/a/sim/x"},
		{"{ns}/x", "/a", "/a/x"},
		{"a/b_c/d1", "/", "/a/b_c/d1"},
	} {
		got, err := Expand(c.name, c.ns, "sim")
		if err != nil || got != c.want {
			t.Errorf("Expand(%q, %q) = %q, %v; want %q", c.name, c.ns, got, err, c.want)
		}
	}
}

func TestNamesThatROSRefusesAreRefusedWithTheReason(t *testing.T) {
	for _, c := range []struct{ name, says string }{
		{"", "empty"},
		{"a//b", "empty part"},
		{"a/", "empty part"},
		{"1a", "digit"},
		{"a/2", "digit"},
		{"a-b", `'-'`},
		{"grün", "only letters"},
		{strings.Repeat("a", 300), "300"},
	} {
		_, err := Expand(c.name, "/", "sim")
		if !errors.Is(err, ErrName) {
			t.Errorf("Expand(%q): %v, want ErrName", c.name, err)
			continue
		}
		if len(c.name) < 300 && !strings.Contains(err.Error(), c.says) {
			t.Errorf("Expand(%q) says %q, want it to mention %q", c.name, err, c.says)
		}
	}
	for _, ns := range []string{"", "a", "/a/", "//", "/1"} {
		if err := CheckNamespace(ns); !errors.Is(err, ErrName) {
			t.Errorf("CheckNamespace(%q) = %v, want ErrName", ns, err)
		}
	}
	for _, name := range []string{"", "a/b", "1", "a b", strings.Repeat("n", 256)} {
		if err := CheckNodeName(name); !errors.Is(err, ErrName) {
			t.Errorf("CheckNodeName(%q) = %v, want ErrName", name, err)
		}
	}
}

func TestAnyTextBecomesARelativeName(t *testing.T) {
	for in, want := range map[string]string{
		"robot": "robot", "/a/b/": "a/b", "my-robot.1": "my_robot_1", "3po": "_3po", "a//b": "a/b", "//": "",
		"ü": "_",
	} {
		if got := Relative(in); got != want {
			t.Errorf("Relative(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDDSNamesTranslateBothWays(t *testing.T) {
	for _, c := range []struct {
		dds, ros string
		kind     rosKind
	}{
		{ddsTopic("/a/b"), "/a/b", rosTopic},
		{ddsRequest("/a/s"), "/a/s", rosRequest},
		{ddsReply("/s"), "/s", rosReply},
		{"ros_discovery_info", "ros_discovery_info", notROS},
		{"rq/odd", "rq/odd", notROS},
	} {
		if name, kind := rosName(c.dds); name != c.ros || kind != c.kind {
			t.Errorf("rosName(%q) = %q, %d; want %q, %d", c.dds, name, kind, c.ros, c.kind)
		}
	}
	for dds, ros := range map[string]string{
		"std_msgs::msg::dds_::String_":             "std_msgs/msg/String",
		"std_srvs::srv::dds_::SetBool_Request_":    "std_srvs/srv/SetBool",
		"std_srvs::srv::dds_::SetBool_Response_":   "std_srvs/srv/SetBool",
		"a::action::dds_::Fib_FeedbackMessage_":    "a/action/Fib_FeedbackMessage",
		"a::action::dds_::Fib_SendGoal_Request_":   "a/action/Fib_SendGoal",
		"a::action::dds_::Fib_GetResult_Response_": "a/action/Fib_GetResult",
		"Something":           "Something",
		"HelloWorldData::Msg": "HelloWorldData::Msg",
	} {
		if got := rosType(dds); got != ros {
			t.Errorf("rosType(%q) = %q, want %q", dds, got, ros)
		}
	}
}
