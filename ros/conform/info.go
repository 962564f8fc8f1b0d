package conform

import (
	"math"
	"slices"
	"strings"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
)

// staticBox is the SDF box as one that cannot move.
func staticBox(text string) (string, bool) {
	return strings.Replace(text, `<model name="conform_box">`, `<model name="conform_box"><static>true</static>`, 1), text == boxSDF
}

func infoChecks() []Check {
	const section, get, set = "Info of entities", "get_entity_info ENTITY_INFO_GETTING", " set_entity_info ENTITY_INFO_SETTING"
	read := func(p *Probe, name string) *simif2.GetEntityInfoResponse {
		return call(p, simif2.GetEntityInfoService(), &simif2.GetEntityInfoRequest{Entity: name})
	}
	write := func(p *Probe, name string, i simif2.EntityInfo) simif2.Result {
		return call(p, simif2.SetEntityInfoService(), &simif2.SetEntityInfoRequest{Entity: name, Info: i}).Result
	}
	return []Check{
		{ID: "info.get", Section: section, In: Anyhow, Needs: get + " get_entities", Says: "every entity has a category of the standard", run: func(p *Probe) {
			list := p.entities(simif2.EntityFilters{})
			for _, name := range list[:min(len(list), 20)] {
				s := read(p, name)
				p.ok("info of "+name, "get_entity_info", s.Result)
				c := s.Info.Category.Category
				p.that(c <= simif2.EntityCategoryStaticObject && c != 3, "%q has category %d", name, c)
			}
		}},
		{ID: "info.unknown", Section: section, In: Anyhow, Needs: get, Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
			p.want("its info", "get_entity_info", read(p, "conform_nobody").Result, notFound)
		}},
		{ID: "info.set", Section: section, Needs: get + set + " " + canSpawn, Says: "what is set is read", run: func(p *Probe) {
			name, _ := p.box()
			want := simif2.EntityInfo{Category: simif2.EntityCategory{Category: simif2.EntityCategoryHuman}, Description: "A test, über", Tags: []string{"a", "b c"}}
			p.ok("setting", "set_entity_info", write(p, name, want))
			got := read(p, name)
			p.ok("reading", "get_entity_info", got.Result)
			p.that(got.Info.Category == want.Category && got.Info.Description == want.Description && slices.Equal(got.Info.Tags, want.Tags), "it reads %+v, want %+v", got.Info, want)
		}},
		{ID: "info.set-unknown", Section: section, Needs: strings.TrimSpace(set), Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
			p.want("setting", "set_entity_info", write(p, "conform_nobody", simif2.EntityInfo{}), notFound)
		}},
		{ID: "info.category", Section: section, Own: true, Needs: strings.TrimSpace(set) + " " + canSpawn, Says: "a number that is no category is refused", run: func(p *Probe) {
			name, _ := p.box()
			p.refused("category 99", "set_entity_info", write(p, name, simif2.EntityInfo{Category: simif2.EntityCategory{Category: 99}}))
		}},
	}
}

func boundsChecks() []Check {
	const section, needs = "Bounds", "get_entity_bounds ENTITY_BOUNDS"
	read := func(p *Probe, name string) simif2.Bounds {
		s := call(p, simif2.GetEntityBoundsService(), &simif2.GetEntityBoundsRequest{Entity: name})
		p.ok("bounds of "+name, "get_entity_bounds", s.Result)
		return s.Bounds
	}
	return []Check{
		{ID: "bounds.unknown", Section: section, In: Anyhow, Needs: needs, Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
			s := call(p, simif2.GetEntityBoundsService(), &simif2.GetEntityBoundsRequest{Entity: "conform_nobody"})
			p.want("its bounds", "get_entity_bounds", s.Result, notFound)
		}},
		{ID: "bounds.points", Section: section, Needs: needs + " " + canSpawn, Says: "bounds have the points that their type wants", run: func(p *Probe) {
			name, _ := p.box()
			b := read(p, name)
			p.that(pointsFit(b), "type %d has %d points", b.Type, len(b.Points))
		}},
		{ID: "bounds.corners", Section: section, Question: "box corners", Needs: needs + " ENTITY_BOUNDS_BOX " + canSpawn, Says: "the greater corner of a box comes first", run: func(p *Probe) {
			name, _ := p.box()
			b := p.boxOnly(read(p, name))
			p.that(p.over() || b.Points[0].X >= b.Points[1].X && b.Points[0].Y >= b.Points[1].Y && b.Points[0].Z >= b.Points[1].Z,
				"the corners are %+v", b.Points)
		}},
		{ID: "bounds.frame", Section: section, Question: "frame of bounds", Needs: needs + " ENTITY_BOUNDS_BOX " + canSpawn + " " + canSet + " " + canGet,
			Says: "they are in the frame of the entity: they do not turn with it", run: func(p *Probe) {
				p.knownBox()
				name, _ := p.box()
				s := p.stateOf(name)
				half := math.Sqrt(0.5)
				s.Pose.Orientation = geometrymsgs.Quaternion{Z: half, W: half}
				p.ok("turning it", "set_entity_state", p.setState(name, s, "pose", "twist"))
				b := p.boxOnly(read(p, name))
				if p.over() {
					return
				}
				x, y, z := math.Abs(b.Points[0].X), math.Abs(b.Points[0].Y), math.Abs(b.Points[0].Z)
				p.that(math.Abs(x-halfX)+math.Abs(y-halfY)+math.Abs(z-halfZ) < near, "a corner of a box of 0.2 × 0.4 × 0.6 m is %+v", b.Points[0])
			}},
	}
}

// boxOnly skips where bounds are no box.
func (p *Probe) boxOnly(b simif2.Bounds) simif2.Bounds {
	if p.over() {
		return b
	}
	if b.Type != simif2.BoundsTypeBox {
		p.skip("the bounds are of type %d, not a box", b.Type)
	}
	p.that(pointsFit(b), "a box of %d points", len(b.Points))
	return b
}

// pointsFit reports whether bounds have as many points as their type wants.
func pointsFit(b simif2.Bounds) bool {
	switch n := len(b.Points); b.Type {
	case simif2.BoundsTypeEmpty:
		return n == 0
	case simif2.BoundsTypeBox, simif2.BoundsTypeSphere:
		return n == 2
	case simif2.BoundsTypeConvexHull:
		return n >= 4
	}
	return false
}

func poseChecks() []Check {
	const section, needs = "Named poses", "get_named_poses NAMED_POSES"
	read := func(p *Probe, mode uint8, tags ...string) []simif2.NamedPose {
		s := call(p, simif2.GetNamedPosesService(), &simif2.GetNamedPosesRequest{Tags: simif2.TagsFilter{Tags: tags, FilterMode: mode}})
		p.ok("named poses", "get_named_poses", s.Result)
		return s.Poses
	}
	bounds := func(p *Probe, name string) *simif2.GetNamedPoseBoundsResponse {
		return call(p, simif2.GetNamedPoseBoundsService(), &simif2.GetNamedPoseBoundsRequest{Name: name})
	}
	return []Check{
		{ID: "poses.unique", Section: section, In: Anyhow, Needs: needs, Says: "names are unique, rotations are unit quaternions", run: func(p *Probe) {
			seen := map[string]bool{}
			for _, n := range read(p, 0) {
				p.that(n.Name != "" && !seen[n.Name], "%q is empty or there twice", n.Name)
				seen[n.Name] = true
				o := n.Pose.Orientation
				p.that(math.Abs(o.X*o.X+o.Y*o.Y+o.Z*o.Z+o.W*o.W-1) < 1e-3, "%q is turned by %+v", n.Name, o)
			}
		}},
		{ID: "poses.tags", Section: section, In: Anyhow, Needs: needs, Says: "tags choose: any of those given, or all", run: func(p *Probe) {
			all := read(p, 0)
			for _, n := range all {
				for mode, fits := range map[uint8]func(simif2.NamedPose) bool{
					simif2.TagsFilterModeAny: func(o simif2.NamedPose) bool {
						return slices.ContainsFunc(n.Tags, func(t string) bool { return slices.Contains(o.Tags, t) })
					},
					simif2.TagsFilterModeAll: func(o simif2.NamedPose) bool {
						return !slices.ContainsFunc(n.Tags, func(t string) bool { return !slices.Contains(o.Tags, t) })
					},
				} {
					want := len(all) - len(slices.DeleteFunc(slices.Clone(all), fits))
					got := len(read(p, mode, n.Tags...))
					p.that(len(n.Tags) == 0 || got == want, "tags %q in mode %d choose %d poses, want %d", n.Tags, mode, got, want)
				}
			}
			p.that(len(read(p, 0, "conform_no_such_tag")) == 0, "a tag that none has chooses poses")
		}},
		{ID: "poses.bounds", Section: section, In: Anyhow, Needs: needs + " get_named_pose_bounds POSE_BOUNDS", Says: "bounds of a pose have the points that their type wants", run: func(p *Probe) {
			for _, n := range read(p, 0) {
				s := bounds(p, n.Name)
				p.ok("bounds of "+n.Name, "get_named_pose_bounds", s.Result)
				p.that(pointsFit(s.Bounds), "%q: type %d has %d points", n.Name, s.Bounds.Type, len(s.Bounds.Points))
			}
		}},
		{ID: "poses.unknown", Section: section, In: Anyhow, Needs: "get_named_pose_bounds POSE_BOUNDS", Says: "a pose that is not there is NOT_FOUND", run: func(p *Probe) {
			p.want("its bounds", "get_named_pose_bounds", bounds(p, "conform_nowhere").Result, notFound)
		}},
	}
}
