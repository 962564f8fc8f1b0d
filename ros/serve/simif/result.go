package simif

import (
	"errors"

	"simdeck/sim"
)

// Codes of simulation_interfaces/msg/Result, in every line.
const (
	featureUnsupported uint8 = 0
	ok                 uint8 = 1
	notFound           uint8 = 2
	incorrectState     uint8 = 3
	operationFailed    uint8 = 4
)

// code is a row of a table that gives an error its result code.
type code struct {
	err  error
	code uint8
}

// generalCodes are those of every service. A missing thing is a failed operation.
func generalCodes() []code {
	return []code{
		{sim.ErrUnsupported, featureUnsupported},
		{sim.ErrNotFound, notFound},
		{sim.ErrIncorrectState, incorrectState},
		{sim.ErrNoWorld, incorrectState},
		{sim.ErrBusy, incorrectState},
		{sim.ErrClosed, incorrectState},
	}
}

// spawnCodes are those of SpawnEntity and SpawnEntities.
func spawnCodes() []code {
	return []code{
		{sim.ErrNameTaken, 101},
		{sim.ErrNameInvalid, 102},
		{sim.ErrUnsupportedFormat, 103},
		{sim.ErrNoResource, 104},
		{sim.ErrNamespaceInvalid, 105},
		{sim.ErrParse, 106},
		{sim.ErrMissingAssets, 107},
		{sim.ErrUnreadableAssets, 108},
		{sim.ErrInvalidPose, 109},
	}
}

// loadCodes are those of LoadWorld.
func loadCodes() []code {
	return []code{
		{sim.ErrUnsupportedFormat, 101},
		{sim.ErrNoResource, 102},
		{sim.ErrParse, 103},
		{sim.ErrMissingAssets, 104},
		{sim.ErrUnreadableAssets, 105},
		{sim.ErrUnsupportedParts, 106},
	}
}

// stateCodes are those of SetEntityState.
func stateCodes() []code { return []code{{sim.ErrInvalidPose, 101}} }

// transitionCodes are those of SetSimulationState; 102 (a transition that
// began and failed) cannot happen here: a transition is one command.
func transitionCodes() []code {
	return []code{{sim.ErrAlreadyInState, 101}, {sim.ErrTransition, 103}, {sim.ErrNoWorld, 103}}
}

// noWorldCodes are those of GetCurrentWorld and UnloadWorld.
func noWorldCodes() []code { return []code{{sim.ErrNoWorld, 101}} }

// codeOf is the result code of an error: of the service's own table first.
func codeOf(err error, own []code) uint8 {
	if err == nil {
		return ok
	}
	for _, table := range [][]code{own, generalCodes()} {
		for _, c := range table {
			if errors.Is(err, c.err) {
				return c.code
			}
		}
	}
	return operationFailed
}
