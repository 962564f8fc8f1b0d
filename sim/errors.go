package sim

import (
	"errors"

	"simdeck/sim/scene"
)

// Kinds of refusals. Every error of Backend.Do wraps one of these; its text says what was wrong, the value
// received and what would be right.
var (
	ErrUnsupported       = errors.New("not supported")
	ErrNotFound          = scene.ErrNotFound
	ErrIncorrectState    = errors.New("incorrect state")
	ErrFailed            = errors.New("operation failed")
	ErrNameTaken         = errors.New("name not unique")
	ErrNameInvalid       = errors.New("name invalid")
	ErrUnsupportedFormat = scene.ErrUnsupportedFormat
	ErrNoResource        = scene.ErrNoResource
	ErrNamespaceInvalid  = errors.New("namespace invalid")
	ErrParse             = scene.ErrParse
	ErrMissingAssets     = scene.ErrMissingAssets
	ErrUnreadableAssets  = scene.ErrUnreadableAssets
	ErrUnsupportedParts  = scene.ErrUnsupportedParts
	ErrInvalidPose       = errors.New("invalid pose")
	ErrAlreadyInState    = errors.New("already in target state")
	ErrTransition        = errors.New("incorrect transition")
	ErrNoWorld           = errors.New("no world loaded")
	ErrBusy              = errors.New("busy")
	ErrClosed            = errors.New("simulator has quit")
	ErrCancelled         = errors.New("cancelled")
	ErrFault             = errors.New("engine fault") // of Engine.Run: the engine itself broke
)
