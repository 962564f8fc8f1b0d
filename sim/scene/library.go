package scene

import "errors"

// Resource is a model or world by URI, or as text when URI is empty.
type Resource struct{ URI, Document string }

// Spawnable is a model that can be spawned.
type Spawnable struct {
	URI  string
	Name string // short, for people
	Info Info
}

// WorldInfo names a world.
type WorldInfo struct {
	Name        string
	URI         string
	Description string
	Tags        []string
}

// Library finds and reads models and worlds. Its methods do file I/O and are
// called outside the simulation loop; they are safe from any goroutine. Their
// errors wrap the sentinels below. A returned spec is shared and not changed.
type Library interface {
	// Model reads and compiles a model. Assets that are missing or cannot be
	// read are in its Notes, not errors, unless nothing of the model is left.
	Model(r Resource) (*ModelSpec, error)
	// World reads a world with all the models it includes.
	World(r Resource) (*WorldSpec, error)
	// Spawnables lists models of the search paths and of sources, ordered by
	// URI, and a sentence for each source that could not be read.
	Spawnables(sources []string) ([]Spawnable, []string)
	// Worlds lists worlds likewise.
	Worlds(sources []string) ([]WorldInfo, []string)
	// Formats lists the model formats that Model reads: "sdf", "urdf", "mjcf".
	Formats() []string
}

// Why a Library could not read something.
var (
	ErrNotFound          = errors.New("not found")
	ErrUnsupportedFormat = errors.New("unsupported format")
	ErrNoResource        = errors.New("no resource")
	ErrParse             = errors.New("resource parse error")
	ErrMissingAssets     = errors.New("missing assets")
	ErrUnreadableAssets  = errors.New("unsupported assets")
	ErrUnsupportedParts  = errors.New("unsupported elements")
)
