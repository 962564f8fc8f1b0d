package scene

import "simdeck/sim/r3"

// Protocols of autopilots outside.
const (
	ArduPilot  = "ardupilot"  // its JSON interface
	Betaflight = "betaflight" // its SITL's packets
	PX4        = "px4"        // its MAVLink interface for simulators
)

// Autopilot is the connection of a model to an autopilot outside of the simulator, as a file has it. Plugins
// for Gazebo are ArduPilotPlugin, BetaflightPlugin and PX4's gazebo_mavlink_interface. Nothing is opened
// because of it alone.
type Autopilot struct {
	Protocol string
	Port     int    // 0: the protocol's own
	IMU      string // name of the sensor that the autopilot feels; empty: the first
	Channels []AutopilotChannel
	// Body turns vectors of the autopilot's body frame, x forward and z down, into the model's; nil: x is
	// forward and z up. World likewise turns north, east, down into the world's; nil: as its Earth says.
	Body, World *r3.Quat
}

// AutopilotChannel is a joint that an output of an autopilot commands, by Scale·(output + Offset). Outputs
// that are pulses count from 0 at Min to 1 at Max.
type AutopilotChannel struct {
	Output        int // counted from 0
	Joint         int // below 0: that of the rotor with the number Motor
	Motor         int
	By            ChannelMode
	Scale, Offset float64
	Min, Max      float64 // µs
	// Armed is added while motors may turn; Disarmed is commanded while they may not.
	Armed, Disarmed float64
	Effort          float64 // bound of the effort, N·m or N; 0: the joint's own
}

// ChannelMode is the quantity of a joint that a channel commands.
type ChannelMode uint8

// Quantities that channels command.
const (
	ChannelVelocity ChannelMode = iota // rad/s or m/s; of a rotor
	ChannelPosition                    // rad or m
	ChannelEffort                      // N·m or N; of a rotor its thrust
)

// Outside is the part of a model that programs outside of the simulator drive or switch.
type Outside struct {
	WebotsNode
	Autopilots  []Autopilot
	Detachables []Detachable
	Batteries   []Battery
	PowerUses   []PowerUse // of Batteries, beside their own loads
}
