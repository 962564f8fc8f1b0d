package conform

import (
	"simdeck/ros/msgs/simif2"
)

func deleteChecks() []Check {
	const section, needs = "Deleting", "delete_entity DELETING"
	return []Check{
		{ID: "delete.spawned", Section: section, Needs: needs + " get_entities " + canSpawn,
			Says: "what was spawned can be deleted, once", run: func(p *Probe) {
				name, _ := p.box()
				p.ok("deleting", "delete_entity", p.remove(name))
				p.listed(name, false)
				p.want("deleting it again", "delete_entity", p.remove(name), notFound)
			}},
		{ID: "delete.unknown", Section: section, Needs: needs, Says: "an unknown entity is NOT_FOUND",
			run: func(p *Probe) {
				p.want("deleting", "delete_entity", p.remove("conform_nobody"), notFound)
			}},
		{ID: "delete.world", Section: section, Own: true, Costs: TheWorld,
			Needs: needs + " get_entities get_current_world load_world WORLD_LOADING",
			Says:  "what the world brought is not deleted, unless it is marked so", run: deleteOfTheWorld},
		{ID: "delete.name-again", Section: section, Needs: needs + " " + canSpawn,
			Says: "the name of what was deleted is free", run: func(p *Probe) {
				name, _ := p.box()
				p.ok("deleting", "delete_entity", p.remove(name))
				q := p.request()
				q.Name = name
				p.ok("spawning under its name", "spawn_entity", p.spawn(q).Result)
			}},
	}
}

func (p *Probe) remove(name string) simif2.Result {
	return call(p, simif2.DeleteEntityService(), &simif2.DeleteEntityRequest{Entity: name}).Result
}

// deleteOfTheWorld tries to delete what the world brought, and loads the world
// again.
func deleteOfTheWorld(p *Probe) {
	uri := p.reloadable()
	kept := 0
	list := p.entities(simif2.EntityFilters{})
	for _, name := range list {
		r := p.remove(name)
		p.want("deleting "+name, "delete_entity", r, simif2.ResultOK, failed)
		if r.Result == failed {
			kept++
		}
	}
	p.that(len(list) == 0 || kept > 0, "all %d entities of the world were deleted", len(list))
	if p.over() { // a fault must not cost the world
		_ = p.suite.load(p.ctx, uri)
		return
	}
	p.ok("loading the world again", "load_world", p.load(simif2.Resource{URI: uri}))
}
