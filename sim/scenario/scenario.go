// Package scenario reads scenario files and plays them on a sim.Backend: consecutive phases, each with a
// condition to begin and actions on the world.
//
//	name: overtaking
//	vars: {fast: 5}                      optional; ${fast} stands for it below, and a sweep gives it other values
//	end: {time: 60}                      optional; else it ends with its last phase
//	phases:
//	  - name: go
//	    when: {time: 1}                  s since the scenario began; a phase without a condition begins at once
//	    do:
//	      - set_speed: {entity: ego, speed: "${fast}", steer: 0.1}   held until the next one, or the end
//	      - set_speed: {entity: rover, speed: 0.5, turn: 0.2}        without steering: it turns, in rad/s
//	      - set_speed: {entity: quad, speed: 1, aside: 0, climb: 0.5} what flies or dives
//	      - set_joints: {entity: arm, positions: {joint_1: 1.2, joint_2: 0.4}, time: 2}   smoothly within 2 s
//	      - wait: {time: 2}                                  s; or until: with a condition
//	  - name: meet
//	    when: {distance: {entity: ego, to: [40, 0], below: 5}}      or to: the name of an entity; above: further than
//	    do:
//	      - spawn: {uri: box, name: box, position: [50, 0, 0], yaw: 0}
//	      - set_pose: {entity: ego, position: [0, 0, 0], yaw: 1.57}
//	      - publish: {topic: /scenario/event, text: met}
//	  - name: arrive
//	    when: {region: {entity: ego, min: [60, -5], max: [70, 5]}}
//	    do:
//	      - set_signal: {signal: light, phase: green, hold: true}       by what it shows, or by the phase's name
//	      - set_actor: {actor: walker, moving: true, speed: 1.2}        of those on lanes: set_speed does it, too
//	  - name: wait
//	    when: {signal: {signal: light, is: red}}
//	lanes: {…}                           optional, with actors and signals: traffic of its own, see package traffic
//
// Lengths in metres, angles in radians, times in simulated seconds, all in the world frame. An unknown key is
// an error with its line, and nothing begins.
package scenario

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/format/traffic"
	"simdeck/sim/r3"
)

// Scenario is the content of a file.
type Scenario struct {
	Name    string
	Traffic *traffic.Document // that it brings into the world
	Phases  []Phase
	End     *Condition // nil: when the last phase is done
}

// Phase begins when its condition holds and the one before is done.
type Phase struct {
	Name string
	When *Condition // nil: at once
	Do   []Action
}

// Condition holds or not at a moment. Exactly one kind is set.
type Condition struct {
	Kind   string // "time", "distance", "region", "signal"
	Time   float64
	Entity string // of a signal: its name
	Shows  string // the aspect of a signal, or the name of its phase
	To     string // an entity; empty: Place
	Place  r3.Vec
	Below  float64 // m; 0: not asked
	Above  float64
	Region r3.Box // z does not count
}

// String is the condition in words.
func (c *Condition) String() string {
	switch c.Kind {
	case "time":
		return fmt.Sprintf("%g s are over", c.Time)
	case "signal":
		return fmt.Sprintf("signal %s is %s", c.Entity, c.Shows)
	case "region":
		b := &c.Region
		return fmt.Sprintf("%s is within %g to %g, %g to %g m", c.Entity, b.Min.X, b.Max.X, b.Min.Y, b.Max.Y)
	}
	to, far := c.To, fmt.Sprintf("more than %g", c.Above)
	if to == "" {
		to = fmt.Sprintf("%g, %g", c.Place.X, c.Place.Y)
	}
	if c.Below > 0 {
		far = fmt.Sprintf("less than %g", c.Below)
	}
	return fmt.Sprintf("%s is %s m from %s", c.Entity, far, to)
}

// Action is one action of a phase.
type Action struct {
	Kind     string // "set_speed", "set_joints", "set_actor", "set_signal", "spawn", "set_pose", …
	Entity   string
	Speed    float64 // m/s, in reverse when below 0
	Steer    float64 // rad, of a vehicle that steers
	Turn     float64 // rad/s, of one that does not
	Aside    float64 // m/s to the left, of what moves sideways
	Climb    float64 // m/s, of what flies or dives
	Joints   []Joint // in the order of the file
	URI      string
	Position r3.Vec
	Yaw      float64
	Topic    string
	Text     string
	Time     float64    // s
	Until    *Condition // of a wait, instead of Time
	Actor    sim.SetActor
	Signal   sim.SetSignal
}

// Joint is the target position of a joint.
type Joint struct {
	Name     string
	Position float64 // rad or m
}
