package mirror

import (
	"context"
	"errors"
	"slices"
	"time"

	"simdeck/ros/attach"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// Number of entities asked for their details per round: all new ones, and so many others that changes show
// after a while.
const (
	newcomersAtOnce = 64
	againAtOnce     = 2
)

// viewer looks at one simulator, and keeps what it has seen.
type viewer struct {
	m *Mirror
	r *attach.Remote

	state    sim.State
	world    scene.WorldInfo
	poses    []scene.NamedPose
	entities []attach.Entity
	stated   time.Duration // the time of the entities' states
	known    bool          // there are states, so that stated is one
	things   map[string]*thing
	nextID   uint64
	odd      bool // some of the entities are not shown as they were told
	again    int  // the next one to be asked again

	revision uint64
	model    *sim.Model // as published last; nil: something in it changed
	moved    time.Time  // when simulated time last went on
	last     time.Duration
	timed    bool // last is a time

	stateDue, factsDue time.Time
}

func newEye(m *Mirror, r *attach.Remote) *viewer {
	return &viewer{m: m, r: r, state: unknown, things: map[string]*thing{}, nextID: m.lastID(),
		revision: m.Snapshot().Model.Revision}
}

// lastID is the greatest id that was ever given to an entity: none is given twice.
func (m *Mirror) lastID() uint64 {
	var last uint64
	for _, e := range m.Snapshot().Model.Entities {
		last = max(last, e.ID)
	}
	return last
}

// hurry makes the next look a look at everything.
func (e *viewer) hurry() { e.stateDue, e.factsDue = time.Time{}, time.Time{} }

// pause is the wait until the next look.
func (e *viewer) pause() time.Duration {
	if e.m.c.Now().Sub(e.moved) > time.Second {
		return max(e.m.c.Period, restsEvery)
	}
	return e.m.c.Period
}

// look asks for what is due. Services that the simulator lacks are left out. The first other error is
// returned after all requests.
func (e *viewer) look(ctx context.Context) error {
	now := e.m.c.Now()
	if !now.Before(e.stateDue) {
		if err := e.lookAtState(ctx); err != nil {
			return err
		}
		e.stateDue = now.Add(stateEvery)
	}
	if !now.Before(e.factsDue) {
		if err := e.lookAtFacts(ctx); err != nil {
			return err
		}
		e.factsDue = now.Add(factsEvery)
	}
	if err := e.lookAtEntities(ctx); err != nil {
		return err
	}
	return e.lookAtNewcomers(ctx)
}

// ask runs a question with a limit of its own. A missing service or a refusal is no error: the answer is
// unknown then.
func ask[T any](ctx context.Context, e *viewer, kind string,
	question func(context.Context) (T, error)) (answer T, told bool, err error) {
	if !e.r.Serves(kind) {
		return answer, false, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerWithin, attach.ErrSilent)
	defer cancel()
	answer, err = question(ctx)
	var refused *attach.Refused
	if errors.As(err, &refused) {
		return answer, false, nil
	}
	return answer, err == nil, err
}

func (e *viewer) lookAtState(ctx context.Context) error {
	state, told, err := ask(ctx, e, "GetSimulationState", e.r.State)
	switch {
	case err != nil:
		return err
	case told:
		e.state = state
	default: // whether it plays can be seen from its clock
		e.state = unknown
	}
	return nil
}

func (e *viewer) lookAtFacts(ctx context.Context) error {
	e.r.Simulator() // services may have come
	world, told, err := ask(ctx, e, "GetCurrentWorld", e.r.World)
	if err != nil {
		return err
	}
	world = admitWorld(world)
	if told && !sameWorld(world, e.world) || !told && !sameWorld(e.world, scene.WorldInfo{}) {
		e.world, e.model = world, nil
	}
	poses, told, err := ask(ctx, e, "GetNamedPoses", e.r.NamedPoses)
	if err != nil || !told {
		return err
	}
	poses = admitPlaces(poses)
	for i := range poses {
		if k := slices.IndexFunc(e.poses,
			func(p scene.NamedPose) bool { return p.Name == poses[i].Name }); k >= 0 {
			poses[i].Bounds = e.poses[k].Bounds
			continue
		}
		poses[i].Bounds, _, err = ask(ctx, e, "GetNamedPoseBounds",
			func(ctx context.Context) (scene.Bounds, error) {
				return e.r.NamedPoseBounds(ctx, poses[i].Name)
			})
		poses[i].Bounds = admitBounds(poses[i].Bounds)
		if err != nil {
			return err
		}
	}
	if !slices.EqualFunc(poses, e.poses, samePlace) {
		e.poses, e.model = poses, nil
	}
	return nil
}

func sameWorld(a, b scene.WorldInfo) bool {
	return a.Name == b.Name && a.URI == b.URI && a.Description == b.Description &&
		slices.Equal(a.Tags, b.Tags)
}

func samePlace(a, b scene.NamedPose) bool {
	return a.Name == b.Name && a.Pose == b.Pose && a.Description == b.Description &&
		slices.Equal(a.Tags, b.Tags)
}

func (e *viewer) lookAtEntities(ctx context.Context) error {
	kind := "GetEntities"
	if e.r.Serves("GetEntitiesStates") {
		kind = "GetEntitiesStates"
	}
	type seen struct {
		at   time.Duration
		list []attach.Entity
	}
	s, told, err := ask(ctx, e, kind, func(ctx context.Context) (seen, error) {
		at, list, err := e.r.Entities(ctx, "")
		return seen{at, list}, err
	})
	if err != nil {
		return err
	}
	if !told {
		s = seen{}
	}
	s.list = e.admit(s.list)
	s.list = slices.CompactFunc(s.list, func(a, b attach.Entity) bool { return a.Name == b.Name })
	if !slices.EqualFunc(s.list, e.entities, func(a, b attach.Entity) bool { return a.Name == b.Name }) {
		e.model = nil
		e.keep(s.list)
	}
	e.entities, e.stated = s.list, s.at
	e.known = len(s.list) > 0 && s.list[0].State != nil
	return nil
}

// admit gives the entities that can be shown, and logs when some are not as they were told.
func (e *viewer) admit(list []attach.Entity) []attach.Entity {
	list, odd := admitEntities(list)
	if odd > 0 && !e.odd {
		e.m.note(sim.Warn, e.r.Title(), oddities(odd))
	}
	e.odd = odd > 0
	return list
}

// keep forgets entities that have gone, and notes those that came.
func (e *viewer) keep(list []attach.Entity) {
	there := make(map[string]*thing, len(list))
	for _, one := range list {
		t := e.things[one.Name]
		if t == nil {
			e.nextID++
			t = &thing{id: e.nextID}
		}
		there[one.Name] = t
	}
	e.things = there
}

// lookAtNewcomers asks some entities about themselves.
func (e *viewer) lookAtNewcomers(ctx context.Context) error {
	if !e.r.Serves("GetEntityInfo") && !e.r.Serves("GetEntityBounds") {
		return nil
	}
	asked := 0
	for _, one := range e.entities {
		if t := e.things[one.Name]; !t.asked {
			if err := e.askAbout(ctx, one.Name, t); err != nil {
				return err
			}
			if asked++; asked == newcomersAtOnce {
				return nil
			}
		}
	}
	for range min(againAtOnce, len(e.entities)) {
		e.again = (e.again + 1) % len(e.entities)
		name := e.entities[e.again].Name
		if err := e.askAbout(ctx, name, e.things[name]); err != nil {
			return err
		}
	}
	return nil
}

func (e *viewer) askAbout(ctx context.Context, name string, t *thing) error {
	info, told, err := ask(ctx, e, "GetEntityInfo",
		func(ctx context.Context) (scene.Info, error) { return e.r.Info(ctx, name) })
	if err != nil {
		return err
	}
	if !told {
		info = scene.Info{}
	}
	bounds, told, err := ask(ctx, e, "GetEntityBounds",
		func(ctx context.Context) (scene.Bounds, error) { return e.r.Bounds(ctx, name) })
	if err != nil {
		return err
	}
	if !told {
		bounds = scene.Bounds{}
	}
	info, bounds = admitInfo(info), admitBounds(bounds)
	if !t.asked || t.info.Category != info.Category || t.info.Description != info.Description ||
		!slices.Equal(t.info.Tags, info.Tags) || !sameBounds(t.bounds, bounds) {
		t.info, t.bounds, e.model = info, bounds, nil
	}
	t.asked = true
	return nil
}

func sameBounds(a, b scene.Bounds) bool { return a.Kind == b.Kind && slices.Equal(a.Points, b.Points) }
