package simif

import (
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// The 2.x line: services about entities and named poses.

func (s *Services) spawnables2() node.Line {
	return line(simif2.GetSpawnablesService(),
		func(q *simif2.GetSpawnablesRequest) ([]string, error) { return q.Sources, nil }, s.spawnables,
		func(a sim.Spawnables, err error) *simif2.GetSpawnablesResponse {
			m := &simif2.GetSpawnablesResponse{Result: result2(err, nil)}
			if err == nil {
				m.Result.ErrorMessage = strings.Join(a.Failed, "; ")
			}
			for _, one := range a.List {
				m.Spawnables = append(m.Spawnables, simif2.Spawnable{
					EntityResource: simif2.Resource{URI: one.URI}, Description: one.Info.Description,
					SpawnBounds: rosBounds2(one.Info.Bounds)})
			}
			return m
		})
}

func spawning2(name string, rename bool, r simif2.Resource, namespace string,
	at geometrymsgs.PoseStamped) sim.Spawn {
	return sim.Spawn{Name: name, AllowRenaming: rename, Resource: resource2(r), Namespace: namespace,
		Pose: sim.FramedPose{Frame: at.Header.FrameID, Pose: geometry.PoseOf(at.Pose)}}
}

func (s *Services) spawn2() node.Line {
	return line(simif2.SpawnEntityService(),
		func(q *simif2.SpawnEntityRequest) (sim.Spawn, error) {
			return spawning2(q.Name, q.AllowRenaming, q.EntityResource, q.EntityNamespace, q.InitialPose), nil
		}, s.spawn,
		func(name string, err error) *simif2.SpawnEntityResponse {
			return &simif2.SpawnEntityResponse{Result: result2(err, spawnCodes()), EntityName: name}
		})
}

func (s *Services) spawnAll2() node.Line {
	return line(simif2.SpawnEntitiesService(),
		func(q *simif2.SpawnEntitiesRequest) ([]sim.Spawn, error) {
			var list []sim.Spawn
			for _, one := range q.SpawnRequests {
				list = append(list, spawning2(one.Name, one.AllowRenaming, one.EntityResource,
					one.EntityNamespace, one.InitialPose))
			}
			return list, nil
		}, s.spawnAll,
		func(list []sim.SpawnResult, err error) *simif2.SpawnEntitiesResponse {
			m := &simif2.SpawnEntitiesResponse{Result: result2(err, []code{{errBatch, 150}})}
			for _, one := range list {
				m.Results = append(m.Results, simif2.SpawnResult{Result: result2(one.Err, spawnCodes()),
					EntityName: one.Name})
			}
			return m
		})
}

func (s *Services) delete2() node.Line {
	return line(simif2.DeleteEntityService(),
		func(q *simif2.DeleteEntityRequest) (string, error) { return q.Entity, nil }, s.remove,
		func(_ nothing, err error) *simif2.DeleteEntityResponse {
			return &simif2.DeleteEntityResponse{Result: result2(err, nil)}
		})
}

func (s *Services) entities2() node.Line {
	return line(simif2.GetEntitiesService(),
		func(q *simif2.GetEntitiesRequest) (sim.Filter, error) { return filter2(q.Filters) }, s.names,
		func(names []string, err error) *simif2.GetEntitiesResponse {
			return &simif2.GetEntitiesResponse{Result: result2(err, nil), Entities: names}
		})
}

func (s *Services) states2() node.Line {
	return line(simif2.GetEntitiesStatesService(),
		func(q *simif2.GetEntitiesStatesRequest) (sim.Filter, error) { return filter2(q.Filters) }, s.states,
		func(all states, err error) *simif2.GetEntitiesStatesResponse {
			m := &simif2.GetEntitiesStatesResponse{Result: result2(err, nil)}
			for _, e := range all.List {
				m.Entities = append(m.Entities, e.Name)
				m.States = append(m.States, rosState2(all.Snapshot, e.State))
			}
			return m
		})
}

func (s *Services) state2() node.Line {
	return line(simif2.GetEntityStateService(),
		func(q *simif2.GetEntityStateRequest) (string, error) { return q.Entity, nil }, s.state,
		func(one states, err error) *simif2.GetEntityStateResponse {
			m := simif2.NewGetEntityStateResponse()
			m.Result = result2(err, nil)
			for _, e := range one.List {
				m.State = rosState2(one.Snapshot, e.State)
			}
			return m
		})
}

func (s *Services) setState2() node.Line {
	return line(simif2.SetEntityStateService(),
		func(q *simif2.SetEntityStateRequest) (sim.SetEntityState, error) { return command2(q), nil },
		s.setState,
		func(_ nothing, err error) *simif2.SetEntityStateResponse {
			return &simif2.SetEntityStateResponse{Result: result2(err, stateCodes())}
		})
}

func (s *Services) info2() node.Line {
	return line(simif2.GetEntityInfoService(),
		func(q *simif2.GetEntityInfoRequest) (string, error) { return q.Entity, nil }, s.info,
		func(i scene.Info, err error) *simif2.GetEntityInfoResponse {
			return &simif2.GetEntityInfoResponse{Result: result2(err, nil), Info: simif2.EntityInfo{
				Category: simif2.EntityCategory{Category: uint8(i.Category)}, Description: i.Description,
				Tags: i.Tags}}
		})
}

func (s *Services) setInfo2() node.Line {
	return line(simif2.SetEntityInfoService(),
		func(q *simif2.SetEntityInfoRequest) (sim.SetEntityInfo, error) {
			return sim.SetEntityInfo{Name: q.Entity, Info: scene.Info{
				Category: scene.Category(q.Info.Category.Category), Description: q.Info.Description,
				Tags: q.Info.Tags}}, nil
		}, s.setInfo,
		func(_ nothing, err error) *simif2.SetEntityInfoResponse {
			return &simif2.SetEntityInfoResponse{Result: result2(err, nil)}
		})
}

func (s *Services) bounds2() node.Line {
	return line(simif2.GetEntityBoundsService(),
		func(q *simif2.GetEntityBoundsRequest) (string, error) { return q.Entity, nil }, s.entityBounds,
		func(b scene.Bounds, err error) *simif2.GetEntityBoundsResponse {
			return &simif2.GetEntityBoundsResponse{Result: result2(err, nil), Bounds: rosBounds2(b)}
		})
}

func (s *Services) poses2() node.Line {
	return line(simif2.GetNamedPosesService(),
		func(q *simif2.GetNamedPosesRequest) (sim.Filter, error) {
			return sim.Filter{Tags: q.Tags.Tags, TagsAll: all2(q.Tags)}, nil
		}, s.namedPoses,
		func(list []scene.NamedPose, err error) *simif2.GetNamedPosesResponse {
			m := &simif2.GetNamedPosesResponse{Result: result2(err, nil)}
			for _, p := range list {
				m.Poses = append(m.Poses, simif2.NamedPose{Name: p.Name, Description: p.Description,
					Tags: p.Tags, Pose: geometry.Pose(p.Pose)})
			}
			return m
		})
}

func (s *Services) poseBounds2() node.Line {
	return line(simif2.GetNamedPoseBoundsService(),
		func(q *simif2.GetNamedPoseBoundsRequest) (string, error) { return q.Name, nil }, s.poseBounds,
		func(b scene.Bounds, err error) *simif2.GetNamedPoseBoundsResponse {
			return &simif2.GetNamedPoseBoundsResponse{Result: result2(err, nil), Bounds: rosBounds2(b)}
		})
}
