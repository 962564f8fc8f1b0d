package simif

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/node"
	"simdeck/sim"
)

// The draft of SpawnEntities: parallel arrays instead of a list of requests,
// and a result for each but none of the whole.

// draftBatch is a batch of the draft; broken says why its arrays are no batch.
type draftBatch struct {
	spawns []sim.Spawn
	broken error
}

// batchOf puts parallel arrays together. An array that is left out gives every
// request the default; one of another length than the longest fits no request.
func batchOf(q *simifdraft.SpawnEntitiesRequest) draftBatch {
	names, renaming, resources := len(q.Names), len(q.AllowRenaming), len(q.EntityResources)
	spaces, poses := len(q.EntityNamespaces), len(q.InitialPoses)
	n := max(names, renaming, resources, spaces, poses)
	b := draftBatch{spawns: make([]sim.Spawn, n)}
	for _, have := range []int{names, renaming, resources, spaces, poses} {
		if have != 0 && have != n {
			b.broken = fmt.Errorf("%w: the arrays belong together, but there are %d names, %d allow_renaming, %d entity_resources, "+
				"%d entity_namespaces and %d initial_poses: want %d of each, or none", sim.ErrFailed, names,
				renaming, resources, spaces, poses, n)
			return b
		}
	}
	for i := range b.spawns {
		b.spawns[i] = spawning2(at(q.Names, i), at(q.AllowRenaming, i), at(q.EntityResources, i),
			at(q.EntityNamespaces, i), at(q.InitialPoses, i))
	}
	return b
}

// at is an element, or the zero value where there is none.
func at[T any](list []T, i int) (v T) {
	if i < len(list) {
		v = list[i]
	}
	return v
}

// spawnEach answers for each request; what fails as a whole fails for each.
func (s *Services) spawnEach(ctx context.Context, b draftBatch) ([]sim.SpawnResult, error) {
	list, err := []sim.SpawnResult(nil), b.broken
	if err == nil {
		list, err = s.spawnAll(ctx, b.spawns)
	}
	if err == nil || errors.Is(err, errBatch) {
		return list, nil
	}
	list = make([]sim.SpawnResult, len(b.spawns))
	for i := range list {
		list[i] = sim.SpawnResult{Name: b.spawns[i].Name, Err: err}
	}
	return list, nil
}

func (s *Services) spawnAllDraft() node.Line {
	return line(simifdraft.SpawnEntitiesService(),
		func(q *simifdraft.SpawnEntitiesRequest) (draftBatch, error) { return batchOf(q), nil }, s.spawnEach,
		func(list []sim.SpawnResult, err error) *simifdraft.SpawnEntitiesResponse {
			m := &simifdraft.SpawnEntitiesResponse{Results: []simif2.Result{}, EntityNames: []string{}}
			if err != nil { // of a request that cannot be read
				list = []sim.SpawnResult{{Err: err}}
			}
			for _, one := range list {
				m.Results = append(m.Results, result2(one.Err, spawnCodes()))
				m.EntityNames = append(m.EntityNames, one.Name)
			}
			return m
		})
}
