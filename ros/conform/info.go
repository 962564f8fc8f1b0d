package conform

import (
	"slices"
	"strings"

	"simdeck/ros/msgs/simif2"
)

// staticBox is the SDF box as one that cannot move.
func staticBox(text string) (string, bool) {
	return strings.Replace(text, `<model name="conform_box">`,
		`<model name="conform_box"><static>true</static>`, 1), text == boxSDF
}

func infoChecks() []Check {
	const section, get, set = "Info of entities", "get_entity_info ENTITY_INFO_GETTING",
		" set_entity_info ENTITY_INFO_SETTING"
	read := func(p *Probe, name string) *simif2.GetEntityInfoResponse {
		return call(p, simif2.GetEntityInfoService(), &simif2.GetEntityInfoRequest{Entity: name})
	}
	write := func(p *Probe, name string, i simif2.EntityInfo) simif2.Result {
		return call(p, simif2.SetEntityInfoService(),
			&simif2.SetEntityInfoRequest{Entity: name, Info: i}).Result
	}
	return []Check{
		{ID: "info.get", Section: section, In: Anyhow, Needs: get + " get_entities",
			Says: "every entity has a category of the standard", run: func(p *Probe) {
				list := p.entities(simif2.EntityFilters{})
				for _, name := range list[:min(len(list), 20)] {
					s := read(p, name)
					p.ok("info of "+name, "get_entity_info", s.Result)
					c := s.Info.Category.Category
					p.that(c <= simif2.EntityCategoryStaticObject && c != 3, "%q has category %d", name, c)
				}
			}},
		{ID: "info.unknown", Section: section, In: Anyhow, Needs: get,
			Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
				p.want("its info", "get_entity_info", read(p, "conform_nobody").Result, notFound)
			}},
		{ID: "info.set", Section: section, Needs: get + set + " " + canSpawn, Says: "info that is set is read",
			run: func(p *Probe) {
				name, _ := p.box()
				human := simif2.EntityCategory{Category: simif2.EntityCategoryHuman}
				want := simif2.EntityInfo{Category: human,
					Description: "A test, über", Tags: []string{"a", "b c"}}
				p.ok("setting", "set_entity_info", write(p, name, want))
				got := read(p, name)
				p.ok("reading", "get_entity_info", got.Result)
				p.that(got.Info.Category == want.Category && got.Info.Description == want.Description &&
					slices.Equal(got.Info.Tags, want.Tags), "it reads %+v, want %+v", got.Info, want)
			}},
		{ID: "info.set-unknown", Section: section, Needs: strings.TrimSpace(set),
			Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
				p.want("setting", "set_entity_info", write(p, "conform_nobody", simif2.EntityInfo{}),
					notFound)
			}},
		{ID: "info.category", Section: section, Own: true, Needs: strings.TrimSpace(set) + " " + canSpawn,
			Says: "a number that is no category is refused", run: func(p *Probe) {
				name, _ := p.box()
				p.refused("category 99", "set_entity_info",
					write(p, name, simif2.EntityInfo{Category: simif2.EntityCategory{Category: 99}}))
			}},
	}
}
