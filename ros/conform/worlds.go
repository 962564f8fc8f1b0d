package conform

import (
	"fmt"
	"slices"

	"simdeck/ros/msgs/simif2"
)

const noWorldLoaded = simif2.UnloadWorldResponseNoWorldLoaded

func worldListChecks() []Check {
	const section, needs = "Worlds", "get_available_worlds AVAILABLE_WORLDS"
	read := func(p *Probe, q simif2.GetAvailableWorldsRequest) *simif2.GetAvailableWorldsResponse {
		q.OfflineOnly = true
		return call(p, simif2.GetAvailableWorldsService(), &q)
	}
	return []Check{
		{ID: "worlds.current", Section: section, In: Anyhow, Needs: "get_current_world WORLD_INFO_GETTING",
			Says: "the world that is loaded has a name", run: func(p *Probe) {
				s := call(p, simif2.GetCurrentWorldService(), &simif2.GetCurrentWorldRequest{})
				p.want("current world", "get_current_world", s.Result, simif2.ResultOK, noWorldLoaded)
				p.that(s.Result.Result != simif2.ResultOK || s.World.Name != "", "it has none")
			}},
		{ID: "worlds.available", Section: section, In: Anyhow, Needs: needs,
			Says: "each world that is listed has a name, and a URI of its own", run: func(p *Probe) {
				s := read(p, simif2.GetAvailableWorldsRequest{})
				p.ok("worlds", "get_available_worlds", s.Result)
				seen := map[string]bool{}
				for _, w := range s.Worlds {
					uri := w.WorldResource.URI
					p.that(w.Name != "" && (uri != "" || w.WorldResource.ResourceString != "") && !seen[uri],
						"world %q has the URI %q", w.Name, uri)
					seen[uri] = uri != ""
				}
			}},
		{ID: "worlds.tags", Section: section, In: Anyhow, Needs: needs + " WORLD_TAGS",
			Says: "tags choose worlds", run: func(p *Probe) {
				none := read(p, simif2.GetAvailableWorldsRequest{Filter: simif2.TagsFilter{Tags: []string{"conform_no_such_tag"}}})
				p.ok("worlds with a tag that none has", "get_available_worlds", none.Result)
				p.that(len(none.Worlds) == 0, "%d worlds are listed", len(none.Worlds))
				for _, w := range read(p, simif2.GetAvailableWorldsRequest{}).Worlds {
					if len(w.Tags) == 0 {
						continue
					}
					q := simif2.GetAvailableWorldsRequest{Filter: simif2.TagsFilter{Tags: w.Tags[:1]}}
					for _, one := range read(p, q).Worlds {
						p.that(slices.Contains(one.Tags, w.Tags[0]), "%q is listed for the tag %q, it has %q",
							one.Name, w.Tags[0], one.Tags)
					}
				}
			}},
		{ID: "worlds.source", Section: section, In: Anyhow, Own: true, Needs: needs,
			Says: "a source that cannot be read is refused, unless to continue was asked for",
			run: func(p *Probe) {
				q := simif2.GetAvailableWorldsRequest{AdditionalSources: []string{"/conform/does/not/exist"}}
				p.refused("with a source that is not there", "get_available_worlds", read(p, q).Result)
				q.ContinueOnError = true
				p.ok("the same, to continue", "get_available_worlds", read(p, q).Result)
			}},
	}
}

func worldChecks() []Check {
	const section, load = "Loading worlds", "load_world WORLD_LOADING get_current_world get_simulation_state"
	refusals := []struct {
		id, says, needs string
		own             bool
		resource        simif2.Resource
		codes           []uint8
	}{
		{"resource", "no URI and no text is NO_RESOURCE", "", false, simif2.Resource{},
			[]uint8{simif2.LoadWorldResponseNoResource}},
		{"syntax", "text that cannot be parsed is RESOURCE_PARSE_ERROR", " WORLD_RESOURCE_STRING", false,
			simif2.Resource{ResourceString: `<sdf version="1.9"><world name="broken"><model`},
			[]uint8{simif2.LoadWorldResponseResourceParseError}},
		{"format", "a format that is not known is UNSUPPORTED_FORMAT, or not understood",
			" WORLD_RESOURCE_STRING", true,
			simif2.Resource{ResourceString: "solid conform\nendsolid conform\n"},
			[]uint8{simif2.LoadWorldResponseUnsupportedFormat, simif2.LoadWorldResponseResourceParseError}},
		{"unknown", "a world that is not there is NOT_FOUND", "", true,
			simif2.Resource{URI: "world://conform/atlantis"}, []uint8{notFound}},
	}
	checks := []Check{
		{ID: "world.load", Section: section, Costs: TheWorld, Needs: load,
			Says: "a world that is loaded is the current one, and the simulation is STOPPED",
			run:  loadsAgain},
		{ID: "world.unload", Section: section, Costs: TheWorld, Needs: load + " unload_world WORLD_UNLOADING",
			Says: "without a world the state is NO_WORLD, and there is nothing to unload, to play or to list",
			run:  nothingIsLoaded},
	}
	checks = append(checks, worldTextChecks(section, load+" WORLD_RESOURCE_STRING")...)
	for _, r := range refusals {
		checks = append(checks, Check{ID: "world." + r.id, Section: section, Costs: TheWorld, Own: r.own,
			Needs: load + r.needs, Says: r.says, run: func(p *Probe) {
				p.reloadable()
				p.want("loading", "load_world", p.load(r.resource), r.codes...)
			}})
	}
	return append(checks, Check{ID: "world.failed", Section: section, Costs: TheWorld,
		Question: "a world that cannot be loaded", Needs: load + " WORLD_RESOURCE_STRING",
		Says: "where a world cannot be loaded, the one that stands goes on in the state that it had",
		run: func(p *Probe) {
			uri, state := p.reloadable(), p.simulation()
			p.refused("loading", "load_world", p.load(simif2.Resource{ResourceString: "<sdf"}))
			p.stays(state)
			now := call(p, simif2.GetCurrentWorldService(), &simif2.GetCurrentWorldRequest{})
			p.that(now.World.WorldResource.URI == uri, "the current world is %q, want %q",
				now.World.WorldResource.URI, uri)
		}})
}

// worldText is a world with one model, whose shape is a mesh that is not there
// when missing.
func worldText(missing bool, more string) string {
	shape := "<box><size>1 1 1</size></box>"
	if missing {
		shape = "<mesh><uri>model://conform_nowhere/hull.stl</uri></mesh>"
	}
	return `<?xml version="1.0"?><sdf version="1.9"><world name="conform_world">` + more + `<model name="conform_model"><static>true</static>
<link name="body"><collision name="c"><geometry>` + shape + `</geometry></collision></link></model></world></sdf>`
}

// worldTextChecks load worlds as text.
func worldTextChecks(section, needs string) []Check {
	try := func(p *Probe, q simif2.LoadWorldRequest, text string) *simif2.LoadWorldResponse {
		if !slices.Contains(p.suite.formats, "sdf") {
			p.skip("the simulator takes no SDF")
		}
		p.reloadable()
		q.WorldResource.ResourceString = text
		return call(p, simif2.LoadWorldService(), &q)
	}
	return []Check{
		{ID: "world.text", Section: section, Costs: TheWorld, Needs: needs + " get_entities",
			Says: "a world can be loaded from text", run: func(p *Probe) {
				s := try(p, simif2.LoadWorldRequest{}, worldText(false, ""))
				p.ok("loading", "load_world", s.Result)
				p.that(s.World.Name == "conform_world", "it is called %q", s.World.Name)
				p.stays(stateStopped)
				p.listed("conform_model", true)
			}},
		{ID: "world.empty", Section: section, Costs: TheWorld, Own: true,
			Needs: needs + " get_entities step_simulation reset_simulation SIMULATION_RESET " +
				"set_simulation_state SIMULATION_STATE_PAUSE",
			Says: "a world without entities is reset as any other: its time is zero, and it stays empty",
			run: func(p *Probe) {
				const empty = `<?xml version="1.0"?><sdf version="1.9"><world name="conform_empty"/></sdf>`
				p.ok("loading", "load_world", try(p, simif2.LoadWorldRequest{}, empty).Result)
				p.emptyResets()
			}},
		{ID: "world.assets", Section: section, Costs: TheWorld, Own: true, Needs: needs,
			Says: "a mesh that is not there is MISSING_ASSETS, unless to ignore that was asked for",
			run: func(p *Probe) {
				s := try(p, simif2.LoadWorldRequest{}, worldText(true, ""))
				p.want("loading", "load_world", s.Result, simif2.LoadWorldResponseMissingAssets)
				s = try(p, simif2.LoadWorldRequest{IgnoreMissingOrUnsupportedAssets: true},
					worldText(true, ""))
				p.ok("loading, to ignore it", "load_world", s.Result)
			}},
		{ID: "world.elements", Section: section, Costs: TheWorld, Own: true, Needs: needs,
			Says: "an element that is not supported is no fault, unless to fail was asked for",
			run: func(p *Probe) {
				unknownPlugin := `<plugin name="conform" filename="conform_no_such_plugin.so"/>`
				s := try(p, simif2.LoadWorldRequest{}, worldText(false, unknownPlugin))
				p.ok("loading", "load_world", s.Result)
				s = try(p, simif2.LoadWorldRequest{FailOnUnsupportedElement: true},
					worldText(false, unknownPlugin))
				p.want("loading, to fail", "load_world", s.Result,
					simif2.LoadWorldResponseUnsupportedElements)
			}},
	}
}

// emptyResets resets a world without entities by every scope that there is.
func (p *Probe) emptyResets() {
	for _, r := range []struct {
		scope uint8
		needs string
		time  bool
	}{{0, "", true}, {1, "SIMULATION_RESET_TIME", true}, {2, "SIMULATION_RESET_STATE", false},
		{4, "SIMULATION_RESET_SPAWNED", false}, {255, "", true}} {
		if p.over() || !p.has(r.needs) {
			continue
		}
		what := fmt.Sprintf("reset of scope %d", r.scope)
		p.become(statePaused)
		p.step(3)
		p.ok(what, "reset_simulation", p.reset(r.scope))
		if r.time && p.published() {
			zero := p.until(clockMayTake, func() bool { at, _, _ := p.clock().heard(); return at == 0 })
			at, _, _ := p.clock().heard()
			p.that(zero, "after the %s /clock is at %v, want 0", what, at)
		}
		list := p.entities(simif2.EntityFilters{})
		p.that(len(list) == 0, "after the %s there are entities: %q", what, list)
	}
}

func (p *Probe) load(r simif2.Resource) simif2.Result {
	return call(p, simif2.LoadWorldService(), &simif2.LoadWorldRequest{WorldResource: r}).Result
}

// reloadable is the URI of the world that was found; it skips where that cannot
// be loaded again.
func (p *Probe) reloadable() string {
	if p.suite.before.world == "" {
		p.skip("the simulator does not tell the URI of its world, so that it could not be loaded again")
	}
	return p.suite.before.world
}

func loadsAgain(p *Probe) {
	uri := p.reloadable()
	s := call(p, simif2.LoadWorldService(),
		&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: uri}})
	p.ok("loading "+uri, "load_world", s.Result)
	p.stays(stateStopped)
	now := call(p, simif2.GetCurrentWorldService(), &simif2.GetCurrentWorldRequest{})
	p.ok("current world", "get_current_world", now.Result)
	p.that(now.World.WorldResource.URI == uri && now.World.Name == s.World.Name,
		"it is %q from %q, want %q from %q",
		now.World.Name, now.World.WorldResource.URI, s.World.Name, uri)
}

func nothingIsLoaded(p *Probe) {
	p.reloadable()
	unload := func() simif2.Result {
		return call(p, simif2.UnloadWorldService(), &simif2.UnloadWorldRequest{}).Result
	}
	p.ok("unloading", "unload_world", unload())
	p.stays(stateNoWorld)
	p.want("unloading again", "unload_world", unload(), noWorldLoaded)
	current := call(p, simif2.GetCurrentWorldService(), &simif2.GetCurrentWorldRequest{})
	p.want("current world", "get_current_world", current.Result, noWorldLoaded)
	if p.has("set_simulation_state SIMULATION_STATE_SETTING") {
		for _, s := range []uint8{statePlaying, statePaused, stateStopped} {
			p.want("from NO_WORLD to "+stateWord(s), "set_simulation_state", p.ask(s), badTransition)
		}
		p.stays(stateNoWorld)
	}
	if p.has("get_entities") {
		p.refused("entities of no world", "get_entities",
			call(p, simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{}).Result)
	}
}
