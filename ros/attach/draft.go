package attach

import (
	"fmt"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
)

// The codec of the draft of SpawnEntities, which has parallel arrays where the
// released lines have a list of requests.

func spawnAllDownDraft(q *simif2.SpawnEntitiesRequest) *simifdraft.SpawnEntitiesRequest {
	d := simifdraft.NewSpawnEntitiesRequest()
	for _, one := range q.SpawnRequests {
		d.Names = append(d.Names, one.Name)
		d.AllowRenaming = append(d.AllowRenaming, one.AllowRenaming)
		d.EntityResources = append(d.EntityResources, one.EntityResource)
		d.EntityNamespaces = append(d.EntityNamespaces, one.EntityNamespace)
		d.InitialPoses = append(d.InitialPoses, one.InitialPose)
	}
	return d
}

// spawnAllUpDraft adds the result of the whole, which the draft does not have:
// 150 when any failed, as the released lines say.
func spawnAllUpDraft(s *simifdraft.SpawnEntitiesResponse) *simif2.SpawnEntitiesResponse {
	up := &simif2.SpawnEntitiesResponse{Result: simif2.Result{Result: simif2.ResultOK}}
	failed := 0
	for i, r := range s.Results {
		one := simif2.SpawnResult{Result: r}
		if i < len(s.EntityNames) {
			one.EntityName = s.EntityNames[i]
		}
		if r.Result != simif2.ResultOK {
			failed++
		}
		up.Results = append(up.Results, one)
	}
	if failed > 0 {
		up.Result = simif2.Result{Result: simif2.SpawnEntitiesResponseEntitiesSpawnFailed,
			ErrorMessage: fmt.Sprintf("%d of %d were not spawned", failed, len(s.Results))}
	}
	return up
}
