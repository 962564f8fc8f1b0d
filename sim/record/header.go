// Package record writes down what was done to a world, and does it again.
//
// A recording is lines of JSON: a header with world and settings, then each command at its effective step,
// with the hash after it. Each second or so has a line with the hashes of its steps. It suffices to reproduce
// the same states, bit for bit, and to name the first step that came out differently. The recording of a
// killed process is valid up to its last whole line.
//
// A recording may begin late: the state of the world as it was then comes first.
//
// A Writer records an engine; a Reader parses a recording; a Player replays it on a world of its own and
// compares; a Playback is a simulator that shows it.
package record

import (
	"errors"
	"fmt"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// Format is the version of what is written; it grows when an older reader would misunderstand.
const Format = 1

var (
	// ErrFormat is wrapped when a recording cannot be read; the message says line and reason.
	ErrFormat = errors.New("not a recording")
	// ErrDiverged is wrapped when a replay came out differently; the message says where.
	ErrDiverged = errors.New("diverged")
)

// Header holds the start conditions of a world.
type Header struct {
	Format  int      `json:"simlog"`
	Version string   `json:"version"`        // of the program
	World   string   `json:"world"`          // as the user named it
	Path    []string `json:"path,omitempty"` // folders that were searched
	// parameters of the ego vehicle that were set beside the world's files
	Vehicle  []string      `json:"vehicle,omitempty"`
	Seed     uint64        `json:"seed"`    // of noise
	StepSize time.Duration `json:"step_ns"` // 0: what the world asks
	RealTime float64       `json:"rtf"`     // as engine.Options has it
	// contain or pause; empty: of a version before, which halted until a reset
	OnFault string        `json:"on_fault,omitempty"`
	Limits  *sim.Limits   `json:"limits,omitempty"`  // nil: none
	Rewind  time.Duration `json:"rewind_ns"`         // length of the history for rewinding
	Steps   uint64        `json:"steps,omitempty"`   // that the engine had done when the world was loaded
	LastID  uint64        `json:"last_id,omitempty"` // of an entity then
	// steps that it had done when the recording began: those before have no hashes
	Since   uint64 `json:"since,omitempty"`
	Started string `json:"started,omitempty"` // for people: when, RFC 3339
}

// faultPolicy is the recording's policy on faults; an ErrFormat says that OnFault is none.
func (h *Header) faultPolicy() (sim.FaultPolicy, error) {
	if h.OnFault == "" {
		return sim.HaltOnFault, nil
	}
	p, err := sim.ParseFaultPolicy(h.OnFault)
	if err != nil {
		return p, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	return p, nil
}

// Options are those of the world to replay on.
func (h *Header) Options() engine.Options {
	onFault, _ := h.faultPolicy() // NewReader has looked
	o := engine.Options{OnFault: onFault, StepSize: h.StepSize, RealTime: h.RealTime, Seed: h.Seed,
		Rewind: h.Rewind, Start: sim.RecordPosition{Steps: h.Steps, ID: h.LastID}}
	if h.Limits != nil {
		o.Limits = *h.Limits
	}
	return o
}
