package scene

import (
	"time"

	"simdeck/sim/r3"
)

// Actor moves a whole model by itself, as what takes part in traffic does: its links are kinematic. It rides
// on a lane, or keeps the times of a trajectory.
type Actor struct {
	Lane  *Lane   // nil: Trajectory
	Start float64 // m along the lane, of the middle between its axles
	Base  float64 // m between its axles, which are on the lane
	AtEnd LaneEnd

	Speed  float64 // m/s that it wants to go on its lane
	Accel  float64 // m/s² by which it gets faster
	Brake  float64 // m/s² by which it slows down
	Follow *IDM    // it keeps its distance from what is ahead, and heeds signals; nil: it does neither

	Trajectory *Script // in the world frame; nil: Lane
	Held       bool    // it waits for somebody who starts it
}

// Begins is the pose at which an actor begins, in the world frame.
func (a *Actor) Begins() r3.Pose {
	if a.Lane == nil {
		return a.Trajectory.At(0)
	}
	return a.Lane.Pose(a.Start, a.Base)
}

// LaneEnd says what an actor does at the end of an open lane.
type LaneEnd uint8

// Ends of lanes.
const (
	StopAtEnd    LaneEnd = iota // it stands there
	RestartAtEnd                // it is at the beginning again
)

// IDM is the intelligent driver model, as a driver: M. Treiber, A. Hennecke and D. Helbing, "Congested
// traffic states in empirical observations and microscopic simulations", Physical Review E 62 (2000),
// equations 3, 4.
type IDM struct {
	V0    float64 // m/s: desired speed
	T     float64 // s: time headway
	A     float64 // m/s²: acceleration
	B     float64 // m/s²: comfortable deceleration
	S0    float64 // m: distance to what is ahead, at a stand
	Delta float64 // exponent of the acceleration
}

// Aspect is the set of the lamps of a traffic signal that are lit.
type Aspect uint8

// The lamps of a signal, as bits by their places in ModelSpec.Lamps. None of them is lit: it is off.
const (
	RedLamp Aspect = 1 << iota
	YellowLamp
	GreenLamp
)

// aspects are the words for what a signal can show.
var aspects = [...]struct {
	word string
	a    Aspect
}{{"off", 0}, {"red", RedLamp}, {"red_yellow", RedLamp | YellowLamp}, {"yellow", YellowLamp},
	{"green", GreenLamp}}

// String is the aspect in a word.
func (a Aspect) String() string {
	for _, k := range aspects {
		if k.a == a {
			return k.word
		}
	}
	return "unknown"
}

// ParseAspect is the inverse of Aspect.String; false for a word that is none.
func ParseAspect(word string) (Aspect, bool) {
	for _, k := range aspects {
		if k.word == word {
			return k.a, true
		}
	}
	return 0, false
}

// Aspects lists the words that ParseAspect knows.
func Aspects() (words []string) {
	for _, k := range aspects {
		words = append(words, k.word)
	}
	return words
}

// Signal makes a model a traffic signal: it goes through its phases, again and again.
type Signal struct {
	Phases []Phase
	Offset time.Duration // of its cycle, at the beginning
	Stops  []Stop
}

// Phase is a phase of a signal.
type Phase struct {
	Name     string // unique in the signal
	Aspect   Aspect
	Duration time.Duration // at least MinPhase
}

// MinPhase is the shortest phase: no step is longer.
const MinPhase = 100 * time.Millisecond

// Stop is the line at which followers on a lane wait while the signal is not green.
type Stop struct {
	Lane string
	At   float64 // m along it
}

// Begins is the phase at the beginning, and the time since when it lasts.
func (s *Signal) Begins() (phase int, since time.Duration) {
	cycle := time.Duration(0)
	for i := range s.Phases {
		cycle += s.Phases[i].Duration
	}
	if cycle <= 0 {
		return 0, 0
	}
	since = s.Offset % cycle
	if since < 0 {
		since += cycle
	}
	for since >= s.Phases[phase].Duration {
		since -= s.Phases[phase].Duration
		phase++
	}
	return phase, since
}

// Find is the phase of a name, else the first one that shows that aspect, looked for from a phase on; false:
// there is neither.
func (s *Signal) Find(what string, from int) (int, bool) {
	for i := range s.Phases {
		if s.Phases[i].Name == what {
			return i, true
		}
	}
	a, known := ParseAspect(what)
	for k := range s.Phases {
		if i := (from + k) % len(s.Phases); known && s.Phases[i].Aspect == a {
			return i, true
		}
	}
	return 0, false
}
