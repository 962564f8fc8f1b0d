package conform

import (
	"math"
	"slices"
	"strings"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim/r3"
)

const canSpawn = "spawn_entity SPAWNING"

func spawnChecks() []Check {
	const section, seen, placed = "Spawning", " get_entities", " get_entity_state ENTITY_STATE_GETTING"
	return []Check{
		{ID: "spawn.name", Section: section, Needs: canSpawn + seen, Says: "what is spawned has the name that was asked for, and is listed", run: func(p *Probe) {
			q := p.request()
			s := p.spawn(q)
			p.ok("spawning", "spawn_entity", s.Result)
			p.that(s.EntityName == q.Name, "it is called %q, asked for was %q", s.EntityName, q.Name)
			p.listed(q.Name, true)
		}},
		{ID: "spawn.pose", Section: section, Needs: canSpawn + placed, Says: "it stands where it was asked to", run: spawnStandsWhereAsked},
		{ID: "spawn.taken", Section: section, Needs: canSpawn + seen, Says: "a name that is taken is NAME_NOT_UNIQUE", run: func(p *Probe) {
			name, _ := p.box()
			q := p.request()
			q.Name = name
			p.want("the same name again", "spawn_entity", p.spawn(q).Result, simif2.SpawnEntityResponseNameNotUnique)
		}},
		{ID: "spawn.renamed", Section: section, Needs: canSpawn + seen, Says: "unless renaming is allowed: then it gets another name, which is told", run: func(p *Probe) {
			name, _ := p.box()
			q := p.request()
			q.Name, q.AllowRenaming = name, true
			s := p.spawn(q)
			p.ok("the same name with renaming", "spawn_entity", s.Result)
			p.that(s.EntityName != "" && s.EntityName != name, "it is called %q, as the first one", s.EntityName)
			p.listed(name, true)
			p.listed(s.EntityName, true)
		}},
		{ID: "spawn.unnamed", Section: section, Needs: canSpawn + seen, Says: "without a name and with renaming it gets one, which is told", run: func(p *Probe) {
			for range 2 {
				q := p.request()
				q.Name, q.AllowRenaming = "", true
				s := p.spawn(q)
				p.ok("spawning without a name", "spawn_entity", s.Result)
				p.that(s.EntityName != "", "it has no name")
				p.listed(s.EntityName, true)
			}
		}},
		{ID: "spawn.zero-quaternion", Section: section, Needs: canSpawn + placed, Question: "all-zero quaternion in a request", Says: "an all-zero quaternion is the identity", run: func(p *Probe) {
			q := p.request()
			q.InitialPose.Pose.Orientation = geometrymsgs.Quaternion{}
			p.ok("spawning with an all-zero quaternion", "spawn_entity", p.spawn(q).Result)
			got := p.stateOf(q.Name).Pose.Orientation
			p.that(math.Abs(got.W) > 0.999, "it is turned by %+v", got)
		}},
		{ID: "spawn.frame-entity", Section: section, Needs: canSpawn + placed, Says: "a pose can be in the frame of an entity", run: func(p *Probe) {
			base, at := p.box()
			q := p.request()
			q.InitialPose.Header.FrameID = base
			q.InitialPose.Pose.Position = geometrymsgs.Point{Y: 2}
			p.ok("spawning in the frame of "+base, "spawn_entity", p.spawn(q).Result)
			at.Y += 2
			p.stands(q.Name, at)
		}},
		{ID: "spawn.frame-pose", Section: section, Own: true, Needs: canSpawn + placed + " get_named_poses NAMED_POSES", Says: "a pose can be in the frame of a named pose", run: spawnAtANamedPose},
		{ID: "spawn.namespace", Section: section, Needs: canSpawn + seen, Says: "a namespace that ROS allows is taken, and the name stays", run: func(p *Probe) {
			q := p.request()
			q.EntityNamespace = "conform/ns_1"
			s := p.spawn(q)
			p.ok("spawning with a namespace", "spawn_entity", s.Result)
			p.that(s.EntityName == q.Name, "it is called %q, asked for was %q", s.EntityName, q.Name)
		}},
		{ID: "spawn.entities", Section: section, In: Anyhow, Needs: "get_entities", Question: "what an entity is",
			Says: "models of the world are entities, too", run: func(p *Probe) {
				p.that(len(p.entities(simif2.EntityFilters{})) > 0, "the world has no entity before one is spawned")
			}},
	}
}

// listed wants an entity to be there, or not.
func (p *Probe) listed(name string, there bool) {
	if p.over() || !p.has("get_entities") {
		return
	}
	got := slices.Contains(p.entities(simif2.EntityFilters{}), name)
	p.that(got == there, "whether %q is listed: %v, want %v", name, got, there)
}

// stands wants an entity to be at a place.
func (p *Probe) stands(name string, want geometrymsgs.Point) {
	got := p.stateOf(name).Pose.Position
	p.that(apart(got, want) < near, "%q is at (%.3f, %.3f, %.3f), want (%.3f, %.3f, %.3f)", name, got.X, got.Y, got.Z, want.X, want.Y, want.Z)
}

func spawnStandsWhereAsked(p *Probe) {
	q := p.request()
	half := math.Sqrt(0.5)
	q.InitialPose.Pose.Orientation = geometrymsgs.Quaternion{Z: half, W: half}
	p.ok("spawning", "spawn_entity", p.spawn(q).Result)
	p.stands(q.Name, q.InitialPose.Pose.Position)
	o := p.stateOf(q.Name).Pose.Orientation
	p.that(math.Abs(o.Z*half+o.W*half) > 0.999, "it is turned by %+v, want a quarter about z", o)
}

func spawnAtANamedPose(p *Probe) {
	s := call(p, simif2.GetNamedPosesService(), &simif2.GetNamedPosesRequest{})
	p.ok("named poses", "get_named_poses", s.Result)
	if len(s.Poses) == 0 {
		p.skip("the world has no named pose")
		return
	}
	q := p.request()
	q.InitialPose.Header.FrameID = s.Poses[0].Name
	q.InitialPose.Pose.Position = geometrymsgs.Point{X: 1, Z: 5}
	p.ok("spawning in the frame of "+s.Poses[0].Name, "spawn_entity", p.spawn(q).Result)
	o, want := s.Poses[0].Pose.Orientation, s.Poses[0].Pose.Position
	off := r3.Quat{W: o.W, X: o.X, Y: o.Y, Z: o.Z}.Rotate(r3.V(1, 0, 5))
	want.X, want.Y, want.Z = want.X+off.X, want.Y+off.Y, want.Z+off.Z
	p.stands(q.Name, want)
}

// refusals are requests that must be refused, and leave nothing.
func refusalChecks() []Check {
	const section = "Refused spawning"
	all := []struct {
		id, says, needs string
		own             bool
		change          func(*simif2.SpawnEntityRequest)
		codes           []uint8
	}{
		{"resource", "no URI and no text is NO_RESOURCE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.EntityResource = simif2.Resource{} }, []uint8{simif2.SpawnEntityResponseNoResource}},
		{"name", "a name with spaces is NAME_INVALID", "", true,
			func(q *simif2.SpawnEntityRequest) { q.Name = "two words!" }, []uint8{simif2.SpawnEntityResponseNameInvalid}},
		{"no-name", "no name without renaming is NAME_INVALID", "", true,
			func(q *simif2.SpawnEntityRequest) { q.Name = "" }, []uint8{simif2.SpawnEntityResponseNameInvalid}},
		{"namespace", "a namespace that ROS does not allow is NAMESPACE_INVALID", "", false,
			func(q *simif2.SpawnEntityRequest) { q.EntityNamespace = "9 lives" }, []uint8{simif2.SpawnEntityResponseNamespaceInvalid}},
		{"format", "a format that is not among spawn_formats is UNSUPPORTED_FORMAT, or not understood", "SPAWNING_RESOURCE_STRING", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: "solid conform\nendsolid conform\n"}
			}, []uint8{simif2.SpawnEntityResponseUnsupportedFormat, simif2.SpawnEntityResponseResourceParseError}},
		{"syntax", "text that cannot be parsed is RESOURCE_PARSE_ERROR", "SPAWNING_RESOURCE_STRING", false,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: `<sdf version="1.9"><model name="broken"><link`}
			}, []uint8{simif2.SpawnEntityResponseResourceParseError}},
		{"assets", "a mesh that is not there is MISSING_ASSETS", "SPAWNING_RESOURCE_STRING", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{ResourceString: strings.Replace(boxSDF, "<box><size>0.2 0.4 0.6</size></box>",
					"<mesh><uri>model://conform_nowhere/hull.stl</uri></mesh>", 1)}
			}, []uint8{simif2.SpawnEntityResponseMissingAssets}},
		{"unknown", "a resource that is not there is NOT_FOUND", "", true,
			func(q *simif2.SpawnEntityRequest) {
				q.EntityResource = simif2.Resource{URI: "model://conform_unicorn"}
			}, []uint8{notFound}},
		{"position", "a position that is no number is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Pose.Position.X = math.NaN() }, []uint8{simif2.SpawnEntityResponseInvalidPose}},
		{"rotation", "a rotation without end is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Pose.Orientation.Z = math.Inf(1) }, []uint8{simif2.SpawnEntityResponseInvalidPose}},
		{"frame", "a frame that is not known is INVALID_POSE", "", false,
			func(q *simif2.SpawnEntityRequest) { q.InitialPose.Header.FrameID = "conform_nowhere" }, []uint8{simif2.SpawnEntityResponseInvalidPose}},
	}
	var checks []Check
	for _, r := range all {
		checks = append(checks, Check{ID: "refuse." + r.id, Section: section, Says: r.says, Own: r.own, Needs: canSpawn + " get_entities " + r.needs,
			run: func(p *Probe) {
				q := p.request()
				before := p.entities(simif2.EntityFilters{})
				r.change(q)
				s := p.spawn(q)
				p.want("spawning", "spawn_entity", s.Result, r.codes...)
				after := p.entities(simif2.EntityFilters{})
				p.that(len(after) == len(before), "what was refused left something: %d entities, before %d", len(after), len(before))
			}})
	}
	return checks
}

func spawnableChecks() []Check {
	const section, needs = "Spawnables", "get_spawnables SPAWNABLES"
	list := func(p *Probe, sources ...string) *simif2.GetSpawnablesResponse {
		return call(p, simif2.GetSpawnablesService(), &simif2.GetSpawnablesRequest{Sources: sources})
	}
	return []Check{
		{ID: "spawnables.uris", Section: section, In: Anyhow, Needs: needs, Says: "each has a URI of its own", run: func(p *Probe) {
			s := list(p)
			p.ok("spawnables", "get_spawnables", s.Result)
			seen := map[string]bool{}
			for _, one := range s.Spawnables {
				uri := one.EntityResource.URI
				p.that((uri != "" || one.EntityResource.ResourceString != "") && !seen[uri], "%q is empty or there twice", uri)
				seen[uri] = true
			}
		}},
		{ID: "spawnables.spawn", Section: section, Needs: needs + " " + canSpawn, Says: "what is listed can be spawned", run: func(p *Probe) {
			s := list(p)
			if len(s.Spawnables) == 0 {
				p.skip("none is listed")
			}
			for _, one := range s.Spawnables[:min(3, len(s.Spawnables))] {
				q := p.request()
				q.EntityResource = one.EntityResource
				p.ok("spawning "+one.EntityResource.URI, "spawn_entity", p.spawn(q).Result)
			}
		}},
		{ID: "spawnables.source", Section: section, In: Anyhow, Own: true, Needs: needs, Says: "a source that cannot be read is named, and the others are listed", run: func(p *Probe) {
			all, s := list(p), list(p, "/conform/does/not/exist")
			p.ok("with a source that is not there", "get_spawnables", s.Result)
			p.that(len(s.Spawnables) == len(all.Spawnables), "it lists %d, without the source %d", len(s.Spawnables), len(all.Spawnables))
			p.that(strings.Contains(s.Result.ErrorMessage, "/conform/does/not/exist"), "it says %q, which does not name the source", s.Result.ErrorMessage)
		}},
	}
}

func batchChecks() []Check {
	const needs = "spawn_entities SPAWNING_ENTITIES get_entities"
	return []Check{
		{ID: "batch.all", Section: "Spawning several", Needs: needs, Says: "each has a result and its name, in the order of the requests", run: func(p *Probe) {
			s, asked := p.batch()
			p.ok("spawning three", "spawn_entities", s.Result)
			for i, r := range s.Results {
				p.ok("one of three", "spawn_entities", r.Result)
				p.that(i < len(asked) && r.EntityName == asked[i], "result %d is of %q, asked for were %q", i, r.EntityName, asked)
			}
			p.that(p.over() || len(s.Results) == 3, "there are %d results of 3", len(s.Results))
			for _, name := range asked {
				p.listed(name, true)
			}
		}},
		{ID: "batch.some", Section: "Spawning several", Needs: needs, Says: "one that fails makes it ENTITIES_SPAWN_FAILED, and the others stay", run: func(p *Probe) {
			taken, _ := p.first()
			s, asked := p.batch(taken)
			p.want("spawning three with a name taken", "spawn_entities", s.Result, simif2.SpawnEntitiesResponseEntitiesSpawnFailed)
			if p.that(len(s.Results) == 3, "there are %d results of 3", len(s.Results)); p.over() {
				return
			}
			p.ok("the first", "spawn_entities", s.Results[0].Result)
			p.want("the one whose name is taken", "spawn_entities", s.Results[1].Result, simif2.SpawnEntityResponseNameNotUnique)
			p.ok("the last", "spawn_entities", s.Results[2].Result)
			p.listed(asked[0], true)
			p.listed(asked[2], true)
		}},
		{ID: "batch.none", Section: "Spawning several", Own: true, Needs: needs, Says: "none is OK", run: func(p *Probe) {
			s := call(p, simif2.SpawnEntitiesService(), &simif2.SpawnEntitiesRequest{})
			p.ok("spawning none", "spawn_entities", s.Result)
		}},
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
		q.SpawnRequests = append(q.SpawnRequests, simif2.SpawnEntity{Name: one.Name, EntityResource: one.EntityResource, InitialPose: one.InitialPose})
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
func (p *Probe) first() (string, *simif2.SpawnEntitiesResponse) {
	one := p.request()
	s := call(p, simif2.SpawnEntitiesService(), &simif2.SpawnEntitiesRequest{SpawnRequests: []simif2.SpawnEntity{{
		Name: one.Name, EntityResource: one.EntityResource, InitialPose: one.InitialPose}}})
	p.ok("spawning one", "spawn_entities", s.Result)
	if !p.over() {
		p.made = append(p.made, one.Name)
	}
	return one.Name, s
}

func deleteChecks() []Check {
	const section, needs = "Deleting", "delete_entity DELETING"
	remove := func(p *Probe, name string) simif2.Result {
		return call(p, simif2.DeleteEntityService(), &simif2.DeleteEntityRequest{Entity: name}).Result
	}
	return []Check{
		{ID: "delete.spawned", Section: section, Needs: needs + " get_entities " + canSpawn, Says: "what was spawned can be deleted, once", run: func(p *Probe) {
			name, _ := p.box()
			p.ok("deleting", "delete_entity", remove(p, name))
			p.listed(name, false)
			p.want("deleting it again", "delete_entity", remove(p, name), notFound)
		}},
		{ID: "delete.unknown", Section: section, Needs: needs, Says: "what is not there is NOT_FOUND", run: func(p *Probe) {
			p.want("deleting", "delete_entity", remove(p, "conform_nobody"), notFound)
		}},
		{ID: "delete.name-again", Section: section, Needs: needs + " " + canSpawn, Says: "the name of what was deleted is free", run: func(p *Probe) {
			name, _ := p.box()
			p.ok("deleting", "delete_entity", remove(p, name))
			q := p.request()
			q.Name = name
			p.ok("spawning under its name", "spawn_entity", p.spawn(q).Result)
		}},
	}
}
