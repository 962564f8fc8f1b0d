// Package scenario reads scenario files and plays them on a sim.Deck: named
// phases, one after the other, that begin when a condition holds and then do
// something to the world.
//
//	name: overtaking
//	end: {time: 60}                      optional; else it ends with its last phase
//	phases:
//	  - name: go
//	    when: {time: 1}                  s since the scenario began; a phase without a condition begins at once
//	    do:
//	      - set_speed: {entity: ego, speed: 5, steer: 0.1}   held until the next one, or the end
//	      - wait: {time: 2}                                  s
//	  - name: meet
//	    when: {distance: {entity: ego, to: [40, 0], below: 5}}      or to: the name of an entity; above: further than
//	    do:
//	      - spawn: {uri: box, name: box, position: [50, 0, 0], yaw: 0}
//	      - set_pose: {entity: ego, position: [0, 0, 0], yaw: 1.57}
//	      - publish: {topic: /scenario/event, text: met}
//	  - name: arrive
//	    when: {region: {entity: ego, min: [60, -5], max: [70, 5]}}
//
// Lengths in metres, angles in radians, times in simulated seconds, all in the
// world frame. What is not known is an error with its line, and nothing begins.
package scenario

import "simdeck/sim/r3"

// Scenario is what a file holds.
type Scenario struct {
	Name   string
	Phases []Phase
	End    *Condition // nil: when the last phase is done
}

// Phase begins when its condition holds and the one before is done.
type Phase struct {
	Name string
	When *Condition // nil: at once
	Do   []Action
}

// Condition holds or not at a moment. Exactly one kind is set.
type Condition struct {
	Kind   string // "time", "distance", "region"
	Time   float64
	Entity string
	To     string // an entity; empty: Place
	Place  r3.Vec
	Below  float64 // m; 0: not asked
	Above  float64
	Region r3.Box // z does not count
}

// Action is something that a phase does.
type Action struct {
	Kind     string // "set_speed", "spawn", "set_pose", "publish", "wait"
	Entity   string
	Speed    float64 // m/s, in reverse when below 0
	Steer    float64 // rad
	URI      string
	Position r3.Vec
	Yaw      float64
	Topic    string
	Text     string
	Time     float64 // s
}
