package scene

// ROS2Control is the content of a robot's <ros2_control> elements and of the plugin that runs them: the
// hardware and the parameters of its controllers.
type ROS2Control struct {
	Namespace  string // of the controller manager and its controllers; empty: not given
	Manager    string // name of its node; empty: controller_manager
	Components []HardwareComponent
	Parameters []ParameterFile // later ones override earlier ones
}

// HardwareComponent is one <ros2_control> element.
type HardwareComponent struct {
	Name     string
	Type     string // "system", "actuator" or "sensor"
	Plugin   string // that drives the real hardware, which is not loaded
	Commands []HardwareInterface
	States   []HardwareInterface
}

// HardwareInterface is a value of a joint that is commanded or told.
type HardwareInterface struct {
	Joint string
	Name  string // "position", "velocity", "effort", …
	Index int    // of the joint in ModelSpec.Joints
}

// FullName is the interface as controllers claim it: "elbow/position".
func (i HardwareInterface) FullName() string { return i.Joint + "/" + i.Name }

// ParameterFile is a ROS parameter file that a robot's file names.
type ParameterFile struct{ Name, Text string }
