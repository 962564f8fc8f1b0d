package scene

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Resource is a model or world by URI, or as text when URI is empty.
type Resource struct{ URI, Document string }

// Reach is the set of files that clients of a simulator may have it read.
type Reach uint8

// Reaches, from the usual one.
const (
	ReachSearch   Reach = iota // files in the search folders
	ReachListed                // of those, what Spawnables and Worlds list
	ReachAnywhere              // every file that the process may read
)

// Reaches are the words for them, by number.
func Reaches() []string { return []string{"search", "listed", "anywhere"} }

// String is the word for it.
func (r Reach) String() string { return Reaches()[min(int(r), len(Reaches())-1)] }

// ParseReach is the reach that a word means; false: none.
func ParseReach(word string) (Reach, bool) {
	i := slices.Index(Reaches(), word)
	return Reach(max(i, 0)), i >= 0
}

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
	// Formats lists the model formats that Model reads, the preferred one first: "sdf", "urdf", …
	Formats() []string
}

// Interruptible is an optional interface of a Library: reading that ends soon after ctx, with an error that
// wraps its error.
type Interruptible interface {
	ModelContext(ctx context.Context, r Resource) (*ModelSpec, error)
	WorldContext(ctx context.Context, r Resource) (*WorldSpec, error)
}

// ModelContext is lib.Model, ended early with ctx where lib is Interruptible.
func ModelContext(ctx context.Context, lib Library, r Resource) (*ModelSpec, error) {
	if err := Interrupted(ctx); err != nil {
		return nil, err
	}
	if i, ok := lib.(Interruptible); ok {
		return i.ModelContext(ctx, r)
	}
	return lib.Model(r)
}

// WorldContext is lib.World, ended early with ctx where lib is Interruptible.
func WorldContext(ctx context.Context, lib Library, r Resource) (*WorldSpec, error) {
	if err := Interrupted(ctx); err != nil {
		return nil, err
	}
	if i, ok := lib.(Interruptible); ok {
		return i.WorldContext(ctx, r)
	}
	return lib.World(r)
}

// Interrupted is the reason to end loading early; nil: there is none.
func Interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("loading was interrupted: %w", err)
	}
	return nil
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
