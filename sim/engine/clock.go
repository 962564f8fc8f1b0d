package engine

import (
	"time"

	"simdeck/sim/control"
	"simdeck/sim/sensing"
)

// clock is the simulated time of a world, and how it is to go.
type clock struct {
	time           time.Duration // since the last reset of time
	stepSize       time.Duration
	step           uint64  // since the last reset of time
	total          uint64  // steps since the world was made
	realTimeFactor float64 // 0: as fast as possible
}

// control is the time as controllers are told it.
func (c *clock) control() control.Clock {
	return control.Clock{Now: c.time, StepSize: c.stepSize, Step: c.step}
}

// sensing is the time as sensors are told it.
func (c *clock) sensing() sensing.Clock { return sensing.Clock{Now: c.time, StepSize: c.stepSize} }
