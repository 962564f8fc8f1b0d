package conform

import (
	"slices"
	"strings"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/simif2"
)

// feature is a row of simulation_interfaces/msg/SimulatorFeatures with what
// serves it.
type feature struct {
	code    uint8
	name    string
	service string // without which it cannot be
}

func features() []feature {
	return []feature{
		{simif2.SimulatorFeaturesSpawning, "SPAWNING", "spawn_entity"},
		{simif2.SimulatorFeaturesDeleting, "DELETING", "delete_entity"},
		{simif2.SimulatorFeaturesNamedPoses, "NAMED_POSES", "get_named_poses"},
		{simif2.SimulatorFeaturesPoseBounds, "POSE_BOUNDS", "get_named_pose_bounds"},
		{simif2.SimulatorFeaturesEntityTags, "ENTITY_TAGS", "get_entities"},
		{simif2.SimulatorFeaturesEntityBounds, "ENTITY_BOUNDS", "get_entity_bounds"},
		{simif2.SimulatorFeaturesEntityBoundsBox, "ENTITY_BOUNDS_BOX", "get_entity_bounds"},
		{simif2.SimulatorFeaturesEntityBoundsConvex, "ENTITY_BOUNDS_CONVEX", "get_entity_bounds"},
		{simif2.SimulatorFeaturesEntityCategories, "ENTITY_CATEGORIES", "get_entities"},
		{simif2.SimulatorFeaturesSpawningResourceString, "SPAWNING_RESOURCE_STRING", "spawn_entity"},
		{simif2.SimulatorFeaturesEntityStateGetting, "ENTITY_STATE_GETTING", "get_entity_state"},
		{simif2.SimulatorFeaturesEntityStateSetting, "ENTITY_STATE_SETTING", "set_entity_state"},
		{simif2.SimulatorFeaturesEntityInfoGetting, "ENTITY_INFO_GETTING", "get_entity_info"},
		{simif2.SimulatorFeaturesEntityInfoSetting, "ENTITY_INFO_SETTING", "set_entity_info"},
		{simif2.SimulatorFeaturesSpawnables, "SPAWNABLES", "get_spawnables"},
		{simif2.SimulatorFeaturesSimulationReset, "SIMULATION_RESET", "reset_simulation"},
		{simif2.SimulatorFeaturesSimulationResetTime, "SIMULATION_RESET_TIME", "reset_simulation"},
		{simif2.SimulatorFeaturesSimulationResetState, "SIMULATION_RESET_STATE", "reset_simulation"},
		{simif2.SimulatorFeaturesSimulationResetSpawned, "SIMULATION_RESET_SPAWNED", "reset_simulation"},
		{simif2.SimulatorFeaturesSimulationStateGetting, "SIMULATION_STATE_GETTING", "get_simulation_state"},
		{simif2.SimulatorFeaturesSimulationStateSetting, "SIMULATION_STATE_SETTING", "set_simulation_state"},
		{simif2.SimulatorFeaturesSimulationStatePause, "SIMULATION_STATE_PAUSE", "set_simulation_state"},
		{simif2.SimulatorFeaturesStepSimulationSingle, "STEP_SIMULATION_SINGLE", "step_simulation"},
		{simif2.SimulatorFeaturesStepSimulationMultiple, "STEP_SIMULATION_MULTIPLE", "step_simulation"},
		{simif2.SimulatorFeaturesStepSimulationAction, "STEP_SIMULATION_ACTION", "simulate_steps"},
		{simif2.SimulatorFeaturesWorldLoading, "WORLD_LOADING", "load_world"},
		{simif2.SimulatorFeaturesWorldResourceString, "WORLD_RESOURCE_STRING", "load_world"},
		{simif2.SimulatorFeaturesWorldTags, "WORLD_TAGS", "get_available_worlds"},
		{simif2.SimulatorFeaturesWorldUnloading, "WORLD_UNLOADING", "unload_world"},
		{simif2.SimulatorFeaturesWorldInfoGetting, "WORLD_INFO_GETTING", "get_current_world"},
		{simif2.SimulatorFeaturesAvailableWorlds, "AVAILABLE_WORLDS", "get_available_worlds"},
		{simif2.SimulatorFeaturesSpawningEntities, "SPAWNING_ENTITIES", "spawn_entities"},
	}
}

func featureChecks() []Check {
	const section = "Features"
	return []Check{
		{ID: "features.served", Section: section, In: Anyhow, Needs: "get_simulator_features",
			Says: "advertised features are served", run: advertisedIsServed},
		{ID: "features.advertised", Section: section, In: Anyhow, Needs: "get_simulator_features",
			Says: "served features are advertised", run: servedIsAdvertised},
		{ID: "features.known", Section: section, In: Anyhow, Needs: "get_simulator_features",
			Says: "every feature is one of the standard, and stands there once", run: featuresAreKnown},
		{ID: "features.formats", Section: section, In: Anyhow, Needs: "get_simulator_features SPAWNING",
			Says: "a simulator that spawns says which formats it takes", run: formatsAreGiven},
		{ID: "features.parents", Section: section, In: Anyhow, Needs: "get_simulator_features",
			Says: "a part of a feature is advertised with the whole (a scope of reset with reset, a kind of bounds with bounds)",
			run:  partsComeWithTheWhole},
		{ID: "names.services", Section: section, In: Anyhow, Says: "services have the names of the standard",
			run: servicesHaveTheirNames},
		{ID: "names.prefix", Section: section, In: Anyhow, Question: "service prefix",
			Says: "services are in the node's namespace", run: prefixIsTheNamespace},
		{ID: "names.line", Section: section, In: Anyhow,
			Says: "every service announces a released definition, all of one line",
			run:  definitionsAreOfOneLine},
	}
}

func advertisedIsServed(p *Probe) {
	var missing []string
	for _, f := range features() {
		if p.suite.features[f.name] && !p.has(f.service) {
			missing = append(missing, f.name+" without "+f.service)
		}
	}
	p.that(len(missing) == 0, "%s", strings.Join(missing, ", "))
}

func servedIsAdvertised(p *Probe) {
	var silent []string
	for _, f := range features() {
		any := slices.ContainsFunc(features(),
			func(o feature) bool { return o.service == f.service && p.suite.features[o.name] })
		free := f.service == "get_entities" // needs no feature of its own
		if p.has(f.service) && !any && !free && !slices.Contains(silent, f.service) {
			silent = append(silent, f.service)
		}
	}
	p.that(len(silent) == 0, "no feature is advertised for %s", strings.Join(silent, ", "))
}

func featuresAreKnown(p *Probe) {
	seen := map[uint16]bool{}
	for _, code := range p.suite.codes {
		p.that(!seen[code], "%d is there twice", code)
		seen[code] = true
		p.that(slices.ContainsFunc(features(), func(f feature) bool { return uint16(f.code) == code }),
			"%d is no feature", code)
	}
}

func formatsAreGiven(p *Probe) {
	p.that(len(p.suite.formats) > 0, "spawn_formats is empty")
	for i, f := range p.suite.formats {
		p.that(f != "" && !slices.Contains(p.suite.formats[:i], f), "spawn_formats are %q", p.suite.formats)
	}
}

func partsComeWithTheWhole(p *Probe) {
	for _, whole := range []string{"ENTITY_BOUNDS", "SIMULATION_RESET"} {
		for _, f := range features() {
			part := strings.HasPrefix(f.name, whole+"_")
			p.that(!part || !p.suite.features[f.name] || p.suite.features[whole],
				"%s is advertised without %s", f.name, whole)
		}
	}
}

func servicesHaveTheirNames(p *Probe) {
	for _, v := range p.sim.Services {
		kind, err := attach.Kind(v.Name)
		p.that(err == nil && kind == v.Kind, "a %s is served as %s", v.Kind, v.Name)
	}
}

func prefixIsTheNamespace(p *Probe) {
	if p.sim.Node == "" {
		p.skip("the simulator's participant does not say which node it is")
	}
	namespace := p.sim.Node[:max(1, strings.LastIndexByte(p.sim.Node, '/'))]
	p.that(p.sim.Prefix == namespace, "node %s serves under %s, want %s", p.sim.Node, p.sim.Prefix, namespace)
}

func definitionsAreOfOneLine(p *Probe) {
	var lines []attach.Line
	for _, v := range p.sim.Services {
		p.that(v.Line != attach.LineUnknown, "%s announces %s, which is that of no line", v.Name, v.Hash)
		if v.Line == attach.Line1 || v.Line == attach.Line2 {
			if !slices.Contains(lines, v.Line) {
				lines = append(lines, v.Line)
			}
		}
	}
	p.that(len(lines) < 2, "some services are of line %v, some of another", lines)
}
