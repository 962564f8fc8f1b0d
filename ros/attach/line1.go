package attach

import (
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
)

// The codecs of the 1.x line: neutral requests go down to it, its responses
// come up from it.

func result1(r simif1.Result) simif2.Result {
	return simif2.Result{Result: r.Result, ErrorMessage: r.ErrorMessage}
}

func spawnablesDown1(q *simif2.GetSpawnablesRequest) *simif1.GetSpawnablesRequest {
	return &simif1.GetSpawnablesRequest{Sources: q.Sources}
}

func spawnablesUp1(s *simif1.GetSpawnablesResponse) *simif2.GetSpawnablesResponse {
	up := &simif2.GetSpawnablesResponse{Result: result1(s.Result)}
	for _, one := range s.Spawnables {
		up.Spawnables = append(up.Spawnables, simif2.Spawnable{EntityResource: simif2.Resource{URI: one.URI},
			Description: one.Description, SpawnBounds: simif2.Bounds{Type: one.SpawnBounds.Type,
				Points: one.SpawnBounds.Points}})
	}
	return up
}

func spawnDown1(q *simif2.SpawnEntityRequest) *simif1.SpawnEntityRequest {
	return &simif1.SpawnEntityRequest{Name: q.Name, AllowRenaming: q.AllowRenaming, URI: q.EntityResource.URI,
		ResourceString: q.EntityResource.ResourceString, EntityNamespace: q.EntityNamespace,
		InitialPose: q.InitialPose}
}

func spawnUp1(s *simif1.SpawnEntityResponse) *simif2.SpawnEntityResponse {
	return &simif2.SpawnEntityResponse{Result: result1(s.Result), EntityName: s.EntityName}
}

// setStateDown1 has no flags to say by: 1.x sets pose and twist, always.
// Remote.completeState fills in what is to stay as it is before.
func setStateDown1(q *simif2.SetEntityStateRequest) *simif1.SetEntityStateRequest {
	return &simif1.SetEntityStateRequest{Entity: q.Entity, State: simif1.EntityState{
		Header: q.State.Header, Pose: q.State.Pose, Twist: q.State.Twist, Acceleration: q.State.Acceleration}}
}

func setStateUp1(s *simif1.SetEntityStateResponse) *simif2.SetEntityStateResponse {
	return &simif2.SetEntityStateResponse{Result: result1(s.Result)}
}

func loadDown1(q *simif2.LoadWorldRequest) *simif1.LoadWorldRequest {
	return &simif1.LoadWorldRequest{URI: q.WorldResource.URI, ResourceString: q.WorldResource.ResourceString,
		FailOnUnsupportedElement:         q.FailOnUnsupportedElement,
		IgnoreMissingOrUnsupportedAssets: q.IgnoreMissingOrUnsupportedAssets}
}

func loadUp1(s *simif1.LoadWorldResponse) *simif2.LoadWorldResponse {
	return &simif2.LoadWorldResponse{Result: result1(s.Result),
		World: simif2.WorldResource{Name: s.World.Name,
			WorldResource: simif2.Resource{URI: s.World.WorldResource.URI,
				ResourceString: s.World.WorldResource.ResourceString},
			Description: s.World.Description, Tags: s.World.Tags}}
}
