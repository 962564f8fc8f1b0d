package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
)

// Entity is an entity of a simulator; State is nil when it does not tell.
type Entity struct {
	Name  string
	State *sim.EntityState // in the simulator's world frame
}

// Entities are the entities, ordered by name, that a filter selects in the simulator's expressions, and the
// simulated time of their states. A simulator that does not tell all states at once is asked for each.
func (r *Remote) Entities(ctx context.Context, filter string) (time.Duration, []Entity, error) {
	if _, ok, err := r.served(ctx, "GetEntitiesStates"); err != nil {
		return 0, nil, err
	} else if !ok {
		return r.entitiesOneByOne(ctx, filter)
	}
	s, err := Ask(ctx, r, simif2.GetEntitiesStatesService(),
		&simif2.GetEntitiesStatesRequest{Filters: simif2.EntityFilters{Filter: filter}})
	if err != nil {
		return 0, nil, err
	}
	if err := r.verdict("GetEntitiesStates", s.Result); err != nil {
		return 0, nil, err
	}
	if len(s.States) != len(s.Entities) {
		return 0, nil, fmt.Errorf("%w: %s answers get_entities_states with %d names and %d states", ErrAnswer,
			r.Title(), len(s.Entities), len(s.States))
	}
	var at time.Duration
	var list []Entity
	for i, name := range s.Entities {
		state := entityState(s.States[i])
		list, at = append(list, Entity{name, &state}), node.SimDuration(s.States[i].Header.Stamp)
	}
	slices.SortFunc(list, byName)
	return at, list, nil
}

func (r *Remote) entitiesOneByOne(ctx context.Context, filter string) (time.Duration, []Entity, error) {
	s, err := Ask(ctx, r, simif2.GetEntitiesService(),
		&simif2.GetEntitiesRequest{Filters: simif2.EntityFilters{Filter: filter}})
	if err != nil {
		return 0, nil, err
	}
	if err := r.verdict("GetEntities", s.Result); err != nil {
		return 0, nil, err
	}
	_, tells, err := r.served(ctx, "GetEntityState")
	if err != nil {
		return 0, nil, err
	}
	var at time.Duration
	var list []Entity
	for _, name := range s.Entities {
		e := Entity{Name: name}
		if tells {
			one, err := Ask(ctx, r, simif2.GetEntityStateService(),
				&simif2.GetEntityStateRequest{Entity: name})
			if err != nil {
				return 0, nil, err
			}
			if one.Result.Result == simif2.ResultOK { // else it went meanwhile
				state := entityState(one.State)
				e.State, at = &state, node.SimDuration(one.State.Header.Stamp)
			}
		}
		list = append(list, e)
	}
	slices.SortFunc(list, byName)
	return at, list, nil
}

func byName(a, b Entity) int { return strings.Compare(a.Name, b.Name) }

func (r *Remote) spawn(ctx context.Context, c sim.Spawn) (sim.Reply, error) {
	one := spawnRequest(c)
	s, err := Ask(ctx, r, simif2.SpawnEntityService(),
		&simif2.SpawnEntityRequest{Name: one.Name, AllowRenaming: one.AllowRenaming,
			EntityResource: one.EntityResource, EntityNamespace: one.EntityNamespace,
			InitialPose: one.InitialPose})
	if err != nil {
		return nil, err
	}
	if err := r.verdict("SpawnEntity", s.Result); err != nil {
		return nil, err
	}
	return sim.Spawned{Name: s.EntityName}, nil
}

func (r *Remote) spawnBatch(ctx context.Context, c sim.SpawnBatch) (sim.Reply, error) {
	q := &simif2.SpawnEntitiesRequest{}
	for _, one := range c.Spawns {
		q.SpawnRequests = append(q.SpawnRequests, spawnRequest(one))
	}
	s, err := Ask(ctx, r, simif2.SpawnEntitiesService(), q)
	if err != nil {
		return nil, err
	}
	if s.Result.Result != simif2.SpawnEntitiesResponseEntitiesSpawnFailed || len(s.Results) != len(c.Spawns) {
		if err := r.verdict("SpawnEntities", s.Result); err != nil {
			return nil, err
		}
	}
	var reply sim.BatchSpawned
	for _, one := range s.Results {
		reply.Results = append(reply.Results,
			sim.SpawnResult{Name: one.EntityName, Err: r.verdict("SpawnEntities", one.Result)})
	}
	return reply, nil
}

func (r *Remote) remove(ctx context.Context, c sim.Delete) (sim.Reply, error) {
	for i, name := range c.Names {
		s, err := Ask(ctx, r, simif2.DeleteEntityService(), &simif2.DeleteEntityRequest{Entity: name})
		if err == nil {
			err = r.verdict("DeleteEntity", s.Result)
		}
		if err != nil && i > 0 {
			return nil, fmt.Errorf("%w (deleted before it: %s)", err, strings.Join(c.Names[:i], ", "))
		}
		if err != nil {
			return nil, err
		}
	}
	return sim.Done{}, nil
}

func (r *Remote) setInfo(ctx context.Context, c sim.SetEntityInfo) (sim.Reply, error) {
	s, err := Ask(ctx, r, simif2.SetEntityInfoService(),
		&simif2.SetEntityInfoRequest{Entity: c.Name, Info: simif2.EntityInfo{
			Category:    simif2.EntityCategory{Category: uint8(c.Info.Category)},
			Description: c.Info.Description,
			Tags:        c.Info.Tags}})
	if err != nil {
		return nil, err
	}
	return done(r.verdict("SetEntityInfo", s.Result))
}

func (r *Remote) setState(ctx context.Context, c sim.SetEntityState) (sim.Reply, error) {
	q := &simif2.SetEntityStateRequest{Entity: c.Name, SetPose: c.Pose != nil, SetTwist: c.Twist != nil,
		SetAcceleration: c.Accel != nil}
	q.State.Header.FrameID = c.Frame
	q.State.Pose.Orientation.W = 1
	if c.Pose != nil {
		q.State.Pose = geometry.Pose(*c.Pose)
	}
	if c.Twist != nil {
		q.State.Twist.Linear, q.State.Twist.Angular = geometry.Vector3(c.Twist.Linear),
			geometry.Vector3(c.Twist.Angular)
	}
	if c.Accel != nil {
		q.State.Acceleration.Linear, q.State.Acceleration.Angular = geometry.Vector3(c.Accel.Linear),
			geometry.Vector3(c.Accel.Angular)
	}
	if err := r.completeState(ctx, q); err != nil {
		return nil, err
	}
	s, err := Ask(ctx, r, simif2.SetEntityStateService(), q)
	if err != nil {
		return nil, err
	}
	return done(r.verdict("SetEntityState", s.Result))
}

// moveAll moves one after the other: the standard has no call for several.
func (r *Remote) moveAll(ctx context.Context, c sim.MoveEntities) (sim.Reply, error) {
	return inTurn(c.Moves, "moved",
		func(one sim.SetEntityState) (sim.Reply, error) { return r.setState(ctx, one) })
}

// informAll is moveAll for what is said of them.
func (r *Remote) informAll(ctx context.Context, c sim.SetEntityInfos) (sim.Reply, error) {
	return inTurn(c.Infos, "set", func(one sim.SetEntityInfo) (sim.Reply,
		error) {
		return r.setInfo(ctx, one)
	})
}

// inTurn does one after the other, until one is refused.
func inTurn[C sim.Command](list []C, done string, do func(C) (sim.Reply, error)) (sim.Reply, error) {
	for i, one := range list {
		if _, err := do(one); err != nil {
			return nil, fmt.Errorf("%w (%d of %d were %s before it)", err, i, len(list), done)
		}
	}
	return sim.Done{}, nil
}

// completeState fills in the values to keep for a simulator of the 1.x line, which always sets pose and
// twist.
func (r *Remote) completeState(ctx context.Context, q *simif2.SetEntityStateRequest) error {
	_, d, err := r.dialect(ctx, "SetEntityState")
	if err != nil || d.line != Line1 || q.SetPose && q.SetTwist {
		return err
	}
	s, err := Ask(ctx, r, simif2.GetEntityStateService(), &simif2.GetEntityStateRequest{Entity: q.Entity})
	if err != nil {
		return err
	}
	if err := r.verdict("GetEntityState", s.Result); err != nil {
		return err
	}
	if frame := q.State.Header.FrameID; frame != "" && frame != s.State.Header.FrameID {
		return fmt.Errorf("%w: %s speaks the 1.x line, which sets pose and twist together: the one that is not given is known in frame %q, not in %q",
			sim.ErrUnsupported, r.Title(), s.State.Header.FrameID, frame)
	}
	q.State.Header.FrameID = s.State.Header.FrameID
	if !q.SetPose {
		q.State.Pose = s.State.Pose
	}
	if !q.SetTwist {
		q.State.Twist = s.State.Twist
	}
	return nil
}
