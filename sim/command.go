package sim

import (
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// Command is one of the structs below: everything that can change the world,
// as plain data that can be logged, replayed and sent.
type Command interface{ command() }

// OnlyAsks reports whether a command changes nothing: it looks through files.
func OnlyAsks(c Command) bool {
	switch c.(type) {
	case ListSpawnables, ListWorlds, Measure:
		return true
	}
	return false
}

// Reply is the reply to a command: Done, or the struct named after it.
type Reply interface{ reply() }

// Done is the reply of commands that have nothing to say.
type Done struct{}

// SetState asks for Stopped, Playing, Paused or Quitting. Replies Done.
type SetState struct{ State State }

// StepWorld runs N steps while paused and replies Stepped when the last one
// is done. Only one runs at a time. One that is ended early, by its context,
// CancelSteps or a command that leaves Paused, answers with both Stepped and
// an error.
type StepWorld struct{ N uint64 }

// Stepped is the reply of StepWorld.
type Stepped struct {
	Completed uint64
	Time      time.Duration // simulated, after the last step
}

// CancelSteps ends a running StepWorld after the step it is in; that StepWorld
// then answers with what it completed and ErrCancelled. Without one running
// nothing happens. Replies Done.
type CancelSteps struct{}

// Reset applies the scopes in the order Spawned, State, Time, and puts the world's entity that Move names at
// another pose. Replies Done.
type Reset struct {
	Scope ResetScope
	Move  string
	To    r3.Pose
}

// Rewind takes the world back along its history by a simulated time, and pauses it there; at the oldest moment
// that is kept it ends. Entities spawned since are gone, deleted ones are back, and a reset is undone. The
// history reaches back by Config.Rewind, or less when much is moving. A Back below 0 goes forward again, at
// most to where a Rewind came from, until a step or command changes the world. Replies Rewound.
type Rewind struct{ Back time.Duration }

// Target is the step to which it leads from the step now, in a history from the step oldest to the step newest: to a
// step at or before the time that it names.
func (c Rewind) Target(oldest, now, newest uint64, stepSize time.Duration) uint64 {
	if c.Back < 0 {
		return now + min(uint64(-c.Back/stepSize), newest-now)
	}
	steps := uint64(c.Back / stepSize)
	if c.Back%stepSize > 0 {
		steps++
	}
	return now - min(steps, now-oldest)
}

// Rewound is the reply of Rewind.
type Rewound struct {
	Time time.Duration // simulated, now
	Back time.Duration // by whole steps, as far as there was a past or a way forward again
}

// ResetScope is a bit field with the numbers of
// simulation_interfaces/srv/ResetSimulation.
type ResetScope uint8

// Scopes of a reset. ResetDefault is ResetAll.
const (
	ResetDefault ResetScope = 0
	ResetTime    ResetScope = 1
	ResetState   ResetScope = 2
	ResetSpawned ResetScope = 4
	ResetAll     ResetScope = 255
)

func (s ResetScope) All() bool { return s == ResetDefault || s == ResetAll }

// Resource is a model or world by URI, or as text when URI is empty.
type Resource = scene.Resource

// FramedPose is a pose in a named frame: "" and "world" are the world. An entity, "entity/link" or a named
// pose is that frame at the time when the command takes effect. An all-zero rotation is the identity.
type FramedPose struct {
	Frame string
	Pose  r3.Pose
}

// Spawn puts a model into the world. Replies Spawned.
type Spawn struct {
	Name          string
	AllowRenaming bool
	Resource      Resource
	Namespace     string
	Pose          FramedPose
}

// Spawned is the reply of Spawn.
type Spawned struct{ Name string }

// SpawnBatch spawns each of its list; those that fail leave nothing, those
// that succeed stay. Replies BatchSpawned, also when some failed.
type SpawnBatch struct{ Spawns []Spawn }

// BatchSpawned has a result per Spawn of the batch, in its order.
type BatchSpawned struct{ Results []SpawnResult }

// SpawnResult is the outcome of one Spawn in a batch.
type SpawnResult struct {
	Name string
	Err  error // nil when it was spawned
}

// Delete removes entities, all or none. Replies Done. Entities of the loaded world stay, unless the
// world permits their deletion or OfWorld asks for it.
type Delete struct {
	Names   []string
	OfWorld bool
}

// SetEntityState moves an entity rigidly by its canonical link. Fields that are nil change nothing. Replies
// Done.
type SetEntityState struct {
	Name  string
	Frame string    // of all three; see FramedPose
	Pose  *r3.Pose  // of the canonical link
	Twist *r3.Twist // m/s, rad/s
	Accel *r3.Twist // m/s², rad/s²; acts during the next step
}

// MoveEntities does each of its list at one step boundary, all or none; frames
// and what is not set are as they are before. Replies Done.
type MoveEntities struct{ Moves []SetEntityState }

// SetEntityInfo overrides what the sidecar says until a reset of the state.
// Replies Done.
type SetEntityInfo struct {
	Name string
	Info scene.Info
}

// SetEntityInfos does each of its list at one step boundary, all or none.
// Replies Done.
type SetEntityInfos struct{ Infos []SetEntityInfo }

// DriveEntity is a velocity command to a robot's drive: Linear.X and
// Angular.Z in the base frame. Replies Done.
type DriveEntity struct {
	Name  string
	Drive int // index among the entity's drives
	Twist r3.Twist
}

// DriveCar tells a car what its driver does. Another drive that steers (Ackermann)
// takes it too, without pedals: an angle and a speed. Replies Done.
type DriveCar struct {
	Name    string
	Drive   int // index among the entity's drives
	Control vehicle.Control
}

// SetPacing sets the real-time factor; 0 is as fast as possible. Replies Done.
type SetPacing struct{ RealTime float64 }

// LoadWorld replaces the world and leaves Stopped. When it fails the world that
// stands goes on where it was. Replies WorldLoaded.
type LoadWorld struct {
	Resource            Resource
	FailOnUnsupported   bool
	IgnoreMissingAssets bool
}

// BeginLoad is the beginning of LoadWorld. The state is LoadingWorld, and nothing is stepped, until that
// LoadWorld, whose files are read meanwhile, takes effect. Backend.Do sends it by itself and refuses it from
// others. Replies Done.
type BeginLoad struct{ Resource Resource }

// WorldLoaded is the reply of LoadWorld.
type WorldLoaded struct {
	World  WorldInfo
	Paused bool     // its file wants it to begin so
	Before *Restore // takes up the replaced world as it stood; nil: there was none, or it is not told
}

// UnloadWorld leaves NoWorld. Replies Done.
type UnloadWorld struct{}

// ListSpawnables looks through the search paths and Sources. Replies Spawnables.
type ListSpawnables struct{ Sources []string }

// Spawnables is the reply of ListSpawnables, ordered by URI.
type Spawnables struct {
	List   []Spawnable
	Failed []string // a sentence for each source that could not be read
}

// Spawnable is a model that Spawn accepts.
type Spawnable = scene.Spawnable

// Measure reads a model and tells what room it takes. Replies Measured.
type Measure struct{ Resource Resource }

// Measured is the reply of Measure.
type Measured struct{ Footprint *Footprint }

// ListWorlds looks through the embedded worlds, the search paths and Sources.
// Replies Worlds.
type ListWorlds struct{ Sources []string }

// Worlds is the reply of ListWorlds, ordered by URI.
type Worlds struct {
	List   []WorldInfo
	Failed []string
}

// WorldInfo names a world.
type WorldInfo = scene.WorldInfo

func (SetState) command()       {}
func (StepWorld) command()      {}
func (CancelSteps) command()    {}
func (Reset) command()          {}
func (Spawn) command()          {}
func (SpawnBatch) command()     {}
func (Delete) command()         {}
func (SetEntityState) command() {}
func (MoveEntities) command()   {}
func (SetEntityInfo) command()  {}
func (SetEntityInfos) command() {}
func (DriveEntity) command()    {}
func (DriveCar) command()       {}
func (SetPacing) command()      {}
func (Rewind) command()         {}
func (BeginLoad) command()      {}
func (LoadWorld) command()      {}
func (UnloadWorld) command()    {}
func (ListSpawnables) command() {}
func (Measure) command()        {}
func (ListWorlds) command()     {}

func (Done) reply()         {}
func (Stepped) reply()      {}
func (Rewound) reply()      {}
func (Spawned) reply()      {}
func (BatchSpawned) reply() {}
func (WorldLoaded) reply()  {}
func (Spawnables) reply()   {}
func (Measured) reply()     {}
func (Worlds) reply()       {}
