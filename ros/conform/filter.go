package conform

import (
	"fmt"
	"slices"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
)

func filterChecks() []Check {
	const section, needs, info = "Filters", "get_entities " + canSpawn, " set_entity_info ENTITY_INFO_SETTING"
	return []Check{
		{ID: "filter.all", Section: section, In: Anyhow, Needs: "get_entities",
			Says: "an empty filter lets everything through, each once", run: func(p *Probe) {
				list := p.entities(simif2.EntityFilters{})
				for i, name := range list {
					p.that(name != "" && !slices.Contains(list[:i], name), "%q is empty or there twice", name)
				}
			}},
		{ID: "filter.order", Section: section, Own: true, Needs: needs,
			Says: "entities are listed in the order of their names", run: func(p *Probe) {
				p.box()
				p.that(slices.IsSorted(p.entities(simif2.EntityFilters{})), "they are not")
			}},
		{ID: "filter.extended", Section: section, Needs: needs,
			Says: "names are filtered by POSIX extended regular expressions", run: func(p *Probe) {
				a, _ := p.box()
				b, _ := p.box()
				p.passes("alternation and anchors", simif2.EntityFilters{Filter: "^(" + a + "|" + b + ")$"},
					a, b)
				p.passes("a repetition", simif2.EntityFilters{Filter: "^conform_[0-9]+$"}, a, b)
				p.passes("a class that none has", simif2.EntityFilters{Filter: "^conform_[[:upper:]]+$"})
			}},
		{ID: "filter.search", Section: section, Needs: needs, Question: "name filter",
			Says: "an expression is found anywhere in the name", run: func(p *Probe) {
				a, _ := p.box()
				p.passes("a part of the name", simif2.EntityFilters{Filter: "onform_"}, a)
			}},
		{ID: "filter.invalid", Section: section, Needs: "get_entities", Question: "name filter",
			Says: "an expression that cannot be read is refused", run: func(p *Probe) {
				s := call(p, simif2.GetEntitiesService(),
					&simif2.GetEntitiesRequest{Filters: simif2.EntityFilters{Filter: "conform["}})
				p.want(`the expression "conform["`, "get_entities", s.Result, failed)
			}},
		{ID: "filter.category", Section: section, Needs: needs + " get_entity_info ENTITY_CATEGORIES",
			Says: "categories choose: any of those given", run: func(p *Probe) {
				a, _ := p.box()
				own := call(p, simif2.GetEntityInfoService(),
					&simif2.GetEntityInfoRequest{Entity: a}).Info.Category
				other := simif2.EntityCategory{Category: simif2.EntityCategoryHuman}
				if own == other {
					other.Category = simif2.EntityCategoryRobot
				}
				p.passes("its own category", simif2.EntityFilters{Filter: "^" + a + "$",
					Categories: []simif2.EntityCategory{other, own}}, a)
				p.passes("another category", simif2.EntityFilters{Filter: "^" + a + "$",
					Categories: []simif2.EntityCategory{other}})
			}},
		{ID: "filter.tags", Section: section, Needs: needs + info + " ENTITY_TAGS",
			Says: "tags choose: any of those given, or all", run: func(p *Probe) {
				a, b := p.tagged("conform_x", "conform_y"), p.tagged("conform_y")
				tags := func(mode uint8, tags ...string) simif2.EntityFilters {
					return simif2.EntityFilters{Tags: simif2.TagsFilter{Tags: tags, FilterMode: mode}}
				}
				p.passes("any of two tags", tags(simif2.TagsFilterModeAny, "conform_x", "conform_y"), a, b)
				p.passes("all of two tags", tags(simif2.TagsFilterModeAll, "conform_x", "conform_y"), a)
				p.passes("a tag that none has", tags(simif2.TagsFilterModeAny, "conform_z"))
			}},
		{ID: "filter.spawned", Section: section, Needs: needs + " ENTITY_TAGS",
			Question: "which entities were spawned",
			Says:     "what was spawned has the tag simdeck:spawned, what the world brought simdeck:world",
			run: func(p *Probe) {
				a, _ := p.box()
				of := func(tag string) simif2.EntityFilters {
					return simif2.EntityFilters{Tags: simif2.TagsFilter{Tags: []string{tag}}}
				}
				p.passes("what was spawned", of(sim.TagSpawned), a)
				p.passes("what the world brought", of(sim.TagWorld))
				p.that(len(p.entities(of(sim.TagSpawned)))+len(p.entities(of(sim.TagWorld))) ==
					len(p.entities(simif2.EntityFilters{})), "an entity has both, or neither")
			}},
		{ID: "filter.and", Section: section, Needs: needs + info + " ENTITY_TAGS",
			Says: "several filters choose what all of them do", run: func(p *Probe) {
				a, b := p.tagged("conform_x"), p.tagged("conform_x")
				p.passes("a name and a tag", simif2.EntityFilters{Filter: "^" + b + "$",
					Tags: simif2.TagsFilter{Tags: []string{"conform_x"}}}, b)
				p.passes("a name and another tag",
					simif2.EntityFilters{Filter: "^" + a + "$",
						Tags: simif2.TagsFilter{Tags: []string{"conform_z"}}})
			}},
	}
}

// passes wants a filter to let through exactly some of the check's own
// entities, and get_entities_states to agree.
func (p *Probe) passes(what string, f simif2.EntityFilters, want ...string) {
	own := func(list []string) []string {
		mine := []string{}
		for _, name := range list {
			if slices.Contains(p.made, name) {
				mine = append(mine, name)
			}
		}
		slices.Sort(mine)
		return mine
	}
	want = own(want)
	got := p.entities(f)
	p.that(slices.Equal(own(got), want), "%s lets through %q of the test's own, want %q", what, own(got),
		want)
	if !p.over() && p.has("get_entities_states") {
		s := call(p, simif2.GetEntitiesStatesService(), &simif2.GetEntitiesStatesRequest{Filters: f})
		p.ok(what, "get_entities_states", s.Result)
		p.that(len(s.Entities) == len(s.States), "%d names come with %d states", len(s.Entities),
			len(s.States))
		p.that(slices.Equal(own(s.Entities), want),
			"%s lets get_entities_states through %q of the test's own, want %q", what, own(s.Entities), want)
	}
}

// tagged spawns a box with tags.
func (p *Probe) tagged(tags ...string) string {
	name, _ := p.box()
	s := call(p, simif2.SetEntityInfoService(),
		&simif2.SetEntityInfoRequest{Entity: name, Info: simif2.EntityInfo{Tags: tags}})
	p.ok("giving tags", "set_entity_info", s.Result)
	return name
}

func regionChecks() []Check {
	const section, needs = "Filters by region", "get_entities ENTITY_BOUNDS " + canSpawn
	kinds := []struct {
		id, says, needs string
		about           func(geometrymsgs.Point, float64) simif2.Bounds
	}{
		{"box", "a box chooses what it overlaps", " ENTITY_BOUNDS_BOX", boxAbout},
		{"sphere", "a sphere chooses what it overlaps", "", sphereAbout},
		{"hull", "a convex hull chooses what it overlaps", " ENTITY_BOUNDS_CONVEX", hullAbout},
	}
	var checks []Check
	for _, k := range kinds {
		checks = append(checks, Check{ID: "region." + k.id, Section: section, Says: k.says,
			Needs: needs + k.needs, run: func(p *Probe) {
				a, at := p.box()
				p.passes("a "+k.id+" about it", simif2.EntityFilters{Bounds: k.about(at, 1)}, a)
				beside := at
				beside.Y += 20
				p.passes("a "+k.id+" beside it", simif2.EntityFilters{Bounds: k.about(beside, 1)})
			}})
	}
	return append(checks,
		Check{ID: "region.exact", Section: section, Own: true, Needs: needs,
			Says: "the shape decides, not a box about it", run: func(p *Probe) {
				p.knownBox()
				a, at := p.box()
				at.X, at.Y = at.X+halfX+0.5, at.Y+halfY+0.5
				p.passes("a sphere that reaches its corner's box, not its corner",
					simif2.EntityFilters{Bounds: sphereAbout(at, 0.6)})
				p.passes("a sphere that reaches its corner",
					simif2.EntityFilters{Bounds: sphereAbout(at, 0.75)},
					a)
			}},
		Check{ID: "region.corners", Section: section, Question: "box corners",
			Needs: needs + " ENTITY_BOUNDS_BOX", Says: "a box is accepted with either corner first",
			run: func(p *Probe) {
				a, at := p.box()
				b := boxAbout(at, 1)
				p.passes("greater corner first", simif2.EntityFilters{Bounds: b}, a)
				slices.Reverse(b.Points)
				p.passes("smaller corner first", simif2.EntityFilters{Bounds: b}, a)
			}},
		Check{ID: "region.invalid", Section: section, Own: true, Needs: "get_entities ENTITY_BOUNDS",
			Says: "bounds that mean nothing are refused", run: func(p *Probe) {
				for _, b := range []simif2.Bounds{{Type: simif2.BoundsTypeBox,
					Points: make([]geometrymsgs.Vector3, 1)}, {Type: 9}} {
					s := call(p, simif2.GetEntitiesService(),
						&simif2.GetEntitiesRequest{Filters: simif2.EntityFilters{Bounds: b}})
					p.refused(fmt.Sprintf("bounds of type %d with %d points", b.Type, len(b.Points)),
						"get_entities", s.Result)
				}
			}})
}

func boxAbout(c geometrymsgs.Point, r float64) simif2.Bounds {
	return simif2.Bounds{Type: simif2.BoundsTypeBox,
		Points: []geometrymsgs.Vector3{{X: c.X + r, Y: c.Y + r, Z: c.Z + r},
			{X: c.X - r, Y: c.Y - r, Z: c.Z - r}}}
}

func sphereAbout(c geometrymsgs.Point, r float64) simif2.Bounds {
	return simif2.Bounds{Type: simif2.BoundsTypeSphere,
		Points: []geometrymsgs.Vector3{{X: c.X, Y: c.Y, Z: c.Z}, {X: r}}}
}

func hullAbout(c geometrymsgs.Point, r float64) simif2.Bounds {
	return simif2.Bounds{Type: simif2.BoundsTypeConvexHull, Points: []geometrymsgs.Vector3{
		{X: c.X - 2*r, Y: c.Y - 2*r, Z: c.Z - r}, {X: c.X + 2*r, Y: c.Y - 2*r, Z: c.Z - r},
		{X: c.X, Y: c.Y + 2*r, Z: c.Z - r}, {X: c.X, Y: c.Y, Z: c.Z + 2*r}}}
}
