package conform

import (
	"encoding/json"
	"fmt"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
)

func batchChecks() []Check {
	const needs = "spawn_entities SPAWNING_ENTITIES get_entities"
	return []Check{
		{ID: "batch.all", Section: "Spawning several", Needs: needs,
			Says: "each has a result and its name, in the order of the requests", run: func(p *Probe) {
				s, asked := p.batch()
				p.ok("spawning three", "spawn_entities", s.Result)
				for i, r := range s.Results {
					p.ok("one of three", "spawn_entities", r.Result)
					p.that(i < len(asked) && r.EntityName == asked[i],
						"result %d is of %q, asked for were %q", i,
						r.EntityName, asked)
				}
				p.that(p.over() || len(s.Results) == 3, "there are %d results of 3", len(s.Results))
				for _, name := range asked {
					p.listed(name, true)
				}
			}},
		{ID: "batch.some", Section: "Spawning several", Needs: needs,
			Says: "one that fails makes it ENTITIES_SPAWN_FAILED, and says which", run: func(p *Probe) {
				s, _ := p.batch(p.first())
				p.want("spawning three with a name taken", "spawn_entities", s.Result,
					simif2.SpawnEntitiesResponseEntitiesSpawnFailed)
				if p.that(len(s.Results) == 3, "there are %d results of 3", len(s.Results)); p.over() {
					return
				}
				p.ok("the first", "spawn_entities", s.Results[0].Result)
				p.want("the one whose name is in use", "spawn_entities", s.Results[1].Result,
					simif2.SpawnEntityResponseNameNotUnique)
				p.ok("the last", "spawn_entities", s.Results[2].Result)
			}},
		{ID: "batch.stay", Section: "Spawning several", Needs: needs, Question: "a batch of which some fail",
			Says: "when one fails the others stay", run: func(p *Probe) {
				_, asked := p.batch(p.first())
				p.listed(asked[0], true)
				p.listed(asked[2], true)
			}},
		{ID: "batch.lengths", Section: "Spawning several", Needs: needs,
			Question: "arrays of different lengths in the draft of SpawnEntities",
			Says:     "arrays of different lengths spawn nothing, and fail for each", run: arraysOfTwoLengths},
		{ID: "batch.none", Section: "Spawning several", Own: true, Needs: needs, Says: "none is OK",
			run: func(p *Probe) {
				s := call(p, simif2.SpawnEntitiesService(), &simif2.SpawnEntitiesRequest{})
				p.ok("spawning none", "spawn_entities", s.Result)
			}},
	}
}

// arraysOfTwoLengths sends the draft's parallel arrays, which the released lines do not have.
func arraysOfTwoLengths(p *Probe) {
	if p.remote.Line() != attach.LineDraft {
		p.skip("only the draft has arrays beside each other")
		return
	}
	names := []string{p.name(), p.name()}
	asked, err := json.Marshal([]simif2.Resource{p.model()})
	var a attach.Answer
	if err == nil {
		a, err = p.remote.Call(p.ctx, "spawn_entities", []string{
			fmt.Sprintf("names=[%q, %q]", names[0], names[1]), "entity_resources=" + string(asked)})
	}
	if err != nil {
		p.fault("%v", err)
		return
	}
	s := new(simifdraft.SpawnEntitiesResponse)
	p.that(json.Unmarshal(a.JSON, s) == nil && len(s.Results) == 2, "two names and one resource have %d results",
		len(s.Results))
	for _, r := range s.Results {
		p.want("one of two names beside one resource", "spawn_entities", r, failed)
	}
	for _, name := range names {
		p.listed(name, false)
	}
}

// batch spawns three; names given replace that of the second.
func (p *Probe) batch(second ...string) (*simif2.SpawnEntitiesResponse, []string) {
	q := &simif2.SpawnEntitiesRequest{}
	var asked []string
	for i := range 3 {
		one := p.request()
		if i == 1 && len(second) > 0 {
			one.Name = second[0]
		}
		asked = append(asked, one.Name)
		q.SpawnRequests = append(q.SpawnRequests,
			simif2.SpawnEntity{Name: one.Name, EntityResource: one.EntityResource,
				InitialPose: one.InitialPose})
	}
	s := call(p, simif2.SpawnEntitiesService(), q)
	for i, r := range s.Results {
		if r.Result.Result == simif2.ResultOK && i < len(asked) {
			p.made = append(p.made, asked[i])
		}
	}
	return s, asked
}

// first spawns one by spawn_entities.
func (p *Probe) first() string {
	one := p.request()
	s := call(p, simif2.SpawnEntitiesService(),
		&simif2.SpawnEntitiesRequest{SpawnRequests: []simif2.SpawnEntity{{
			Name: one.Name, EntityResource: one.EntityResource, InitialPose: one.InitialPose}}})
	p.ok("spawning one", "spawn_entities", s.Result)
	if !p.over() {
		p.made = append(p.made, one.Name)
	}
	return one.Name
}
