package conform

import (
	"strings"

	"simdeck/ros/msgs/simif2"
)

func spawnableChecks() []Check {
	const section, needs = "Spawnables", "get_spawnables SPAWNABLES"
	list := func(p *Probe, sources ...string) *simif2.GetSpawnablesResponse {
		return call(p, simif2.GetSpawnablesService(), &simif2.GetSpawnablesRequest{Sources: sources})
	}
	return []Check{
		{ID: "spawnables.uris", Section: section, In: Anyhow, Needs: needs, Says: "each has a URI of its own",
			run: func(p *Probe) {
				s := list(p)
				p.ok("spawnables", "get_spawnables", s.Result)
				seen := map[string]bool{}
				for _, one := range s.Spawnables {
					uri := one.EntityResource.URI
					p.that((uri != "" || one.EntityResource.ResourceString != "") && !seen[uri],
						"%q is empty or there twice", uri)
					seen[uri] = true
				}
			}},
		{ID: "spawnables.bounds", Section: section, In: Anyhow, Needs: needs,
			Says: "bounds of a spawnable have the points that their type wants", run: func(p *Probe) {
				for _, one := range list(p).Spawnables {
					p.that(pointsFit(one.SpawnBounds), "%s: type %d has %d points", one.EntityResource.URI,
						one.SpawnBounds.Type, len(one.SpawnBounds.Points))
				}
			}},
		{ID: "spawnables.spawn", Section: section, Needs: needs + " " + canSpawn,
			Says: "listed resources can be spawned", run: func(p *Probe) {
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
		{ID: "spawnables.source", Section: section, In: Anyhow, Own: true, Needs: needs,
			Says: "a source that cannot be read is named, and the others are listed", run: func(p *Probe) {
				all, s := list(p), list(p, "/conform/does/not/exist")
				p.ok("with a source that is not there", "get_spawnables", s.Result)
				p.that(len(s.Spawnables) == len(all.Spawnables), "it lists %d, without the source %d",
					len(s.Spawnables), len(all.Spawnables))
				p.that(strings.Contains(s.Result.ErrorMessage, "/conform/does/not/exist"),
					"it says %q, which does not name the source", s.Result.ErrorMessage)
			}},
	}
}
