package simif

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// ErrHabit is the error of a word that names no habit.
var ErrHabit = errors.New("unknown habit")

// Habits are ways of other simulators that differ from simdeck's where the standard is silent, or from the
// standard. The zero value is none.
type Habits uint16

// The habits, each a bit.
const (
	SameStateOK   Habits = 1 << iota // setting the state that it is in already is OK, not 101
	DeletesWorld                     // entities of the world can be deleted
	WholeNames                       // a filter's expression must match the whole name
	SlashNames                       // names may begin with "/" or "/World/", which are not part of them
	WorldFrame                       // the frames "World" and "/World" are "world"
	EmptyEntities                    // spawning without a resource makes an entity of nothing
	ResetPlays                       // it plays after a reset
	StepState                        // a step while not PAUSED is INCORRECT_STATE
)

// Habit describes one of them for people.
type Habit struct {
	Habits Habits   `json:"-"`
	Name   string   `json:"name"`
	Means  string   `json:"means"`
	Of     []string `json:"of"` // simulators
}

// Simulators whose habits can be asked for together.
const (
	standard = "standard"
	gzSim    = "gazebo"
	isaacSim = "isaac"
)

// AllHabits lists them.
func AllHabits() []Habit {
	return []Habit{
		{SameStateOK, "same-state-ok", "setting the state that the simulation is in already is OK, not 101",
			[]string{gzSim, isaacSim}},
		{DeletesWorld, "delete-world", "what the world brought can be deleted", []string{gzSim, isaacSim}},
		{WholeNames, "whole-names", "a filter's expression must match the whole name", []string{gzSim}},
		{SlashNames, "slash-names", `names of entities may begin with "/" or "/World/": /rover is rover`,
			[]string{isaacSim}},
		{WorldFrame, "world-frame", `the frames "World" and "/World" are the world`, []string{isaacSim}},
		{EmptyEntities, "empty-entities", "spawning with neither URI nor document makes an entity without geometry",
			[]string{isaacSim}},
		{ResetPlays, "reset-plays", "it plays after a reset", []string{isaacSim}},
		{StepState, "step-state", "a step while not PAUSED is INCORRECT_STATE, not OPERATION_FAILED",
			[]string{isaacSim}},
	}
}

// HabitNames are the words that ParseHabits takes.
func HabitNames() []string {
	names := []string{standard, gzSim, isaacSim}
	for _, h := range AllHabits() {
		names = append(names, h.Name)
	}
	return names
}

// ParseHabits reads names of habits, and of simulators for all of theirs; standard is none. Errors wrap
// ErrHabit.
func ParseHabits(words []string) (all Habits, err error) {
	for _, w := range words {
		found := w == standard
		for _, h := range AllHabits() {
			if h.Name == w || slices.Contains(h.Of, w) {
				all, found = all|h.Habits, true
			}
		}
		if !found {
			return 0, fmt.Errorf("%w %q: want %s", ErrHabit, w, strings.Join(HabitNames(), ", "))
		}
	}
	return all, nil
}

// has reports that a habit is one of them.
func (h Habits) has(one Habits) bool { return h&one != 0 }

// names of those that are set.
func (h Habits) names() []string {
	names := []string{}
	for _, one := range AllHabits() {
		if h.has(one.Habits) {
			names = append(names, one.Name)
		}
	}
	return names
}

// entity is an entity's name as a client writes it.
func (h Habits) entity(name string) string {
	if !h.has(SlashNames) {
		return name
	}
	if rest, below := strings.CutPrefix(name, "/World/"); below {
		return rest
	}
	return strings.TrimPrefix(name, "/")
}

// frame is a frame's name as a client writes it. Those of entities follow entity.
func (h Habits) frame(name string) string {
	if h.has(WorldFrame) && (name == "World" || name == "/World") {
		return "world"
	}
	return h.entity(name)
}

// filter is a filter as a client means it.
func (h Habits) filter(f sim.Filter) sim.Filter {
	if h.has(WholeNames) && f.Name != "" {
		f.Name = "^(" + f.Name + ")$"
	}
	return f
}

// emptyModel is an entity of nothing: it can be moved, and be a frame of others.
const emptyModel = `<sdf version="1.9"><model name="empty"><static>true</static><link name="base"/></model></sdf>`

// habitBackend is a simulator for clients with habits: it takes their commands as they mean them.
type habitBackend struct {
	sim.Backend
	habits Habits
}

// Do carries out a command as its client means it; see sim.Backend.
func (b habitBackend) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	h := b.habits
	switch c := c.(type) {
	case sim.SetState:
		r, err := b.Backend.Do(ctx, c)
		if h.has(SameStateOK) && errors.Is(err, sim.ErrAlreadyInState) {
			return sim.Done{}, nil
		}
		return r, err
	case sim.StepWorld:
		if now := b.Snapshot().State; h.has(StepState) && now != sim.Paused {
			return nil, fmt.Errorf("%w: stepping while %s; pause first", sim.ErrIncorrectState, now)
		}
	case sim.Reset:
		r, err := b.Backend.Do(ctx, c)
		if err == nil && h.has(ResetPlays) {
			_, err = b.Backend.Do(ctx, sim.SetState{State: sim.Playing})
			if errors.Is(err, sim.ErrAlreadyInState) {
				err = nil
			}
		}
		return r, err
	case sim.Delete:
		return b.Backend.Do(ctx, sim.Delete{Names: h.entities(c.Names), OfWorld: h.has(DeletesWorld)})
	case sim.Spawn:
		return b.Backend.Do(ctx, h.spawn(c))
	case sim.SpawnBatch:
		list := slices.Clone(c.Spawns)
		for i := range list {
			list[i] = h.spawn(list[i])
		}
		return b.Backend.Do(ctx, sim.SpawnBatch{Spawns: list})
	case sim.SetEntityState:
		c.Name, c.Frame = h.entity(c.Name), h.frame(c.Frame)
		return b.Backend.Do(ctx, c)
	case sim.SetEntityInfo:
		c.Name = h.entity(c.Name)
		return b.Backend.Do(ctx, c)
	}
	return b.Backend.Do(ctx, c)
}

// entities are names as a client writes them.
func (h Habits) entities(names []string) []string {
	own := make([]string, len(names))
	for i, n := range names {
		own[i] = h.entity(n)
	}
	return own
}

// spawn is a spawn as a client means it.
func (h Habits) spawn(c sim.Spawn) sim.Spawn {
	c.Name, c.Pose.Frame = h.entity(c.Name), h.frame(c.Pose.Frame)
	if h.has(EmptyEntities) && c.Resource == (scene.Resource{}) {
		c.Resource.Document = emptyModel
	}
	return c
}
