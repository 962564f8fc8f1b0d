package attach

import (
	"fmt"

	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
)

// Refused is a response whose result is not OK, as an error. It wraps the
// error of sim that the code stands for, so that whoever knows sim's
// vocabulary needs no codes.
type Refused struct {
	By      string // the simulator's node
	Service string // "spawn_entity"
	Code    uint8
	Name    string // of the code, "NAME_NOT_UNIQUE"
	Message string // the simulator's reason; may be empty

	cause error
}

// Error says who refused what, and why.
func (r *Refused) Error() string {
	text := fmt.Sprintf("%s refuses %s: %s (%d)", r.By, r.Service, r.Name, r.Code)
	if r.Message == "" {
		return text + ", without a reason"
	}
	return text + ": " + r.Message
}

// Unwrap is the error of sim, see sim/errors.go.
func (r *Refused) Unwrap() error { return r.cause }

// verdict is nil for a result that is OK, and otherwise why it is not.
func (r *Remote) verdict(kind string, result simif2.Result) error {
	if result.Result == simif2.ResultOK {
		return nil
	}
	return &Refused{By: r.Title(), Service: snake(kind), Code: result.Result,
		Name:    codeName(kind, result.Result),
		Message: result.ErrorMessage, cause: causeOf(kind, result.Result)}
}

// causeOf is the error of sim that a result code of a service stands for.
func causeOf(kind string, code uint8) error {
	if err, ok := ownCauses(kind)[code]; ok {
		return err
	}
	switch code {
	case simif2.ResultFeatureUnsupported:
		return sim.ErrUnsupported
	case simif2.ResultNotFound:
		return sim.ErrNotFound
	case simif2.ResultIncorrectState:
		return sim.ErrIncorrectState
	}
	return sim.ErrFailed
}

// ownCauses are those of the codes that a service has for itself.
func ownCauses(kind string) map[uint8]error {
	switch kind {
	case "SpawnEntity", "SpawnEntities":
		return map[uint8]error{
			simif2.SpawnEntityResponseNameNotUnique:      sim.ErrNameTaken,
			simif2.SpawnEntityResponseNameInvalid:        sim.ErrNameInvalid,
			simif2.SpawnEntityResponseUnsupportedFormat:  sim.ErrUnsupportedFormat,
			simif2.SpawnEntityResponseNoResource:         sim.ErrNoResource,
			simif2.SpawnEntityResponseNamespaceInvalid:   sim.ErrNamespaceInvalid,
			simif2.SpawnEntityResponseResourceParseError: sim.ErrParse,
			simif2.SpawnEntityResponseMissingAssets:      sim.ErrMissingAssets,
			simif2.SpawnEntityResponseUnsupportedAssets:  sim.ErrUnreadableAssets,
			simif2.SpawnEntityResponseInvalidPose:        sim.ErrInvalidPose,
		}
	case "SetEntityState":
		return map[uint8]error{simif2.SetEntityStateResponseInvalidPose: sim.ErrInvalidPose}
	case "SetSimulationState":
		return map[uint8]error{
			simif2.SetSimulationStateResponseAlreadyInTargetState: sim.ErrAlreadyInState,
			simif2.SetSimulationStateResponseIncorrectTransition:  sim.ErrTransition,
		}
	case "LoadWorld":
		return map[uint8]error{
			simif2.LoadWorldResponseUnsupportedFormat:   sim.ErrUnsupportedFormat,
			simif2.LoadWorldResponseNoResource:          sim.ErrNoResource,
			simif2.LoadWorldResponseResourceParseError:  sim.ErrParse,
			simif2.LoadWorldResponseMissingAssets:       sim.ErrMissingAssets,
			simif2.LoadWorldResponseUnsupportedAssets:   sim.ErrUnreadableAssets,
			simif2.LoadWorldResponseUnsupportedElements: sim.ErrUnsupportedParts,
		}
	case "GetCurrentWorld", "UnloadWorld":
		return map[uint8]error{simif2.UnloadWorldResponseNoWorldLoaded: sim.ErrNoWorld}
	}
	return nil
}
