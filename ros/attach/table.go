package attach

import (
	"strings"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
)

// pkg is the ROS package of the standard.
const pkg = "simulation_interfaces"

// service is a service of the standard in all the lines that have it. The
// messages of its first dialect are the neutral ones.
type service struct {
	kind     string // "SpawnEntity"
	lasting  bool   // its answer may take as long as it likes
	dialects []dialect
}

// name is the service's name in the standard: "spawn_entity".
func (s *service) name() string { return snake(s.kind) }

// same is a service that is the same on the wire in every line.
func same[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S]) service {
	return service{kind: kindOf(svc.Name), dialects: []dialect{speech[Q, S, PQ, PS](LineAny, svc)}}
}

// differing is a service of the 2.x line with what other lines have under its
// name.
func differing[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](svc msgs.Service[Q, S], others ...dialect) service {
	return service{kind: kindOf(svc.Name),
		dialects: append([]dialect{speech[Q, S, PQ, PS](Line2, svc)}, others...)}
}

func lasting(s service) service {
	s.lasting = true
	return s
}

// services is the table of everything that can be called, in the order in
// which people are shown it.
func services() []service {
	return []service{
		same(simif2.GetSimulatorFeaturesService()),
		differing(simif2.GetSpawnablesService(),
			translated(Line1, simif2.GetSpawnablesService(), simif1.GetSpawnablesService(), spawnablesDown1,
				spawnablesUp1)),
		differing(simif2.SpawnEntityService(),
			translated(Line1, simif2.SpawnEntityService(), simif1.SpawnEntityService(), spawnDown1,
				spawnUp1)),
		{kind: "SpawnEntities", dialects: []dialect{speech(LineAny, simif2.SpawnEntitiesService()),
			translated(LineDraft, simif2.SpawnEntitiesService(), simifdraft.SpawnEntitiesService(),
				spawnAllDownDraft, spawnAllUpDraft)}},
		same(simif2.DeleteEntityService()),
		same(simif2.GetEntitiesService()),
		same(simif2.GetEntitiesStatesService()),
		same(simif2.GetEntityStateService()),
		differing(simif2.SetEntityStateService(),
			translated(Line1, simif2.SetEntityStateService(), simif1.SetEntityStateService(), setStateDown1,
				setStateUp1)),
		same(simif2.GetEntityInfoService()),
		same(simif2.SetEntityInfoService()),
		same(simif2.GetEntityBoundsService()),
		same(simif2.GetNamedPosesService()),
		same(simif2.GetNamedPoseBoundsService()),
		lasting(same(simif2.ResetSimulationService())),
		lasting(same(simif2.StepSimulationService())),
		same(simif2.GetSimulationStateService()),
		same(simif2.SetSimulationStateService()),
		same(simif2.GetAvailableWorldsService()),
		same(simif2.GetCurrentWorldService()),
		lasting(differing(simif2.LoadWorldService(),
			translated(Line1, simif2.LoadWorldService(), simif1.LoadWorldService(), loadDown1, loadUp1))),
		same(simif2.UnloadWorldService()),
	}
}

// serviceOf finds a row of the table by its kind.
func serviceOf(kind string) (*service, bool) {
	for _, s := range services() {
		if s.kind == kind {
			return &s, true
		}
	}
	return nil, false
}

// kindOf is the last part of a type's name.
func kindOf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// snake writes a CamelCase kind as the standard names the service.
func snake(kind string) string {
	var b strings.Builder
	for i, r := range kind {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
