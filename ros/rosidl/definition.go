package rosidl

import "strings"

// Field is one member of a Struct, in the order of the wire.
type Field struct {
	Name string
	Type Type
	// nil, or bool, int64, uint64, float64, string; a []any of these when the type has many elements
	Default     any
	DefaultText string // as it is written in the definition
	Position    Position
}

// Constant is a named value of a Struct; it is not on the wire.
type Constant struct {
	Name     string
	Type     Type
	Value    any // bool, int64, uint64, float64 or string
	Position Position
}

// Struct is a message, or one part of a service or action.
type Struct struct {
	Name      string // "geometry_msgs/msg/Point", "std_srvs/srv/SetBool_Request"
	Fields    []Field
	Constants []Constant
	Position  Position
}

// Service is a .srv file with the types it implies (REP 2011, service type description).
type Service struct {
	Name                     string // "std_srvs/srv/SetBool"
	Request, Response, Event *Struct
}

// Action is a .action file with the types it implies.
type Action struct {
	Name                                    string // "control_msgs/action/FollowJointTrajectory"
	Goal, Result, Feedback, FeedbackMessage *Struct
	SendGoal, GetResult                     *Service
}

// DDSName is the name of a type in DDS discovery: geometry_msgs/msg/Point becomes
// geometry_msgs::msg::dds_::Point_.
func DDSName(name string) string {
	i := strings.LastIndexByte(name, '/')
	return strings.ReplaceAll(name[:i+1], "/", "::") + "dds_::" + name[i+1:] + "_"
}
