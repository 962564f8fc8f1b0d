package engine

import (
	"fmt"
	"time"

	"simdeck/sim"
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

// setPace sets the real-time factor.
func (c *clock) setPace(factor float64) error {
	if err := checkPace(factor); err != nil {
		return err
	}
	c.realTimeFactor = factor
	return nil
}

func checkPace(f float64) error {
	if !(f >= 0 && f <= maxRealTimeFactor) {
		return fmt.Errorf("%w: a real-time factor of %v; 0 (as fast as possible) to %g is possible",
			sim.ErrFailed, f, maxRealTimeFactor)
	}
	return nil
}
