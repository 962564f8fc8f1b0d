package sim

import (
	"math"

	"simdeck/sim/scene"
)

// SetBattery starts or stops the draining and the charging of a battery. A field that is nil changes nothing.
// Replies Done.
type SetBattery struct {
	Name     string // of the entity
	Battery  string
	Draining *bool
	Charging *bool // true fails on a battery that cannot be charged
}

func (SetBattery) command() {}

// BatteryState is a battery between two steps.
type BatteryState struct {
	Voltage  float64 // V
	Current  float64 // A, smoothed; below zero it charges
	Charge   float64 // Ah
	Draining bool    // its load is switched on
	Charging bool    // its charger is
}

// BatteryStatus is the kind of a battery's state.
type BatteryStatus uint8

// Kinds of batteries' states, the first that holds.
const (
	BatteryCharging BatteryStatus = iota // its charger is switched on
	BatteryEmpty                         // it has no charge: its robot stands
	BatteryDraining                      // its load is switched on
	BatteryFull                          // its state of charge is above scene.FullFrom
	BatteryResting
)

// String is the kind in the console's word.
func (s BatteryStatus) String() string {
	return [...]string{"charging", "empty", "draining", "full", "resting"}[min(int(s), int(BatteryResting))]
}

// Empty reports that there is no charge.
func (s BatteryState) Empty() bool { return s.Charge <= 0 }

// Status is the kind of the state.
func (s BatteryState) Status(b *scene.Battery) BatteryStatus {
	switch {
	case s.Charging:
		return BatteryCharging
	case s.Empty():
		return BatteryEmpty
	case s.Draining:
		return BatteryDraining
	case s.Charge > scene.FullFrom*b.Capacity:
		return BatteryFull
	}
	return BatteryResting
}

// Remaining is the time until it is empty at its present current, s. Where it charges, it is that until
// charging ends. +Inf: nothing flows.
func (s BatteryState) Remaining(b *scene.Battery) float64 {
	const hour = 3600
	switch {
	case s.Current > 0:
		return s.Charge / s.Current * hour
	case s.Current < 0:
		return max(0, scene.FullFrom*b.Capacity-s.Charge) / -s.Current * hour
	}
	return math.Inf(1)
}

// BatteriesOf are the batteries of entity i, in the order of its Spec.
func (s *Snapshot) BatteriesOf(i int) []BatteryState {
	e := &s.Model.Entities[i]
	if e.Spec == nil {
		return nil
	}
	return part(s.Batteries, e.FirstBattery, len(e.Spec.Batteries))
}
