package engine

// SensorPolicy says when sensors are computed. It never changes what the world
// does.
type SensorPolicy uint8

// Sensor policies.
const (
	SensorsOnDemand SensorPolicy = iota // while some open Subscription wants them
	SensorsAlways
	SensorsNever
)
