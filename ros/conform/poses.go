package conform

import (
	"math"
	"slices"

	"simdeck/ros/msgs/simif2"
)

func poseChecks() []Check {
	const section, needs = "Named poses", "get_named_poses NAMED_POSES"
	read := func(p *Probe, mode uint8, tags ...string) []simif2.NamedPose {
		s := call(p, simif2.GetNamedPosesService(),
			&simif2.GetNamedPosesRequest{Tags: simif2.TagsFilter{Tags: tags, FilterMode: mode}})
		p.ok("named poses", "get_named_poses", s.Result)
		return s.Poses
	}
	bounds := func(p *Probe, name string) *simif2.GetNamedPoseBoundsResponse {
		return call(p, simif2.GetNamedPoseBoundsService(), &simif2.GetNamedPoseBoundsRequest{Name: name})
	}
	return []Check{
		{ID: "poses.unique", Section: section, In: Anyhow, Needs: needs,
			Says: "names are unique, rotations are unit quaternions", run: func(p *Probe) {
				seen := map[string]bool{}
				for _, n := range read(p, 0) {
					p.that(n.Name != "" && !seen[n.Name], "%q is empty or there twice", n.Name)
					seen[n.Name] = true
					o := n.Pose.Orientation
					p.that(math.Abs(o.X*o.X+o.Y*o.Y+o.Z*o.Z+o.W*o.W-1) < 1e-3, "%q is turned by %+v", n.Name,
						o)
				}
			}},
		{ID: "poses.tags", Section: section, In: Anyhow, Needs: needs,
			Says: "tags choose: any of those given, or all", run: func(p *Probe) {
				all := read(p, 0)
				for _, n := range all {
					for mode, fits := range map[uint8]func(simif2.NamedPose) bool{
						simif2.TagsFilterModeAny: func(o simif2.NamedPose) bool {
							return slices.ContainsFunc(n.Tags,
								func(t string) bool { return slices.Contains(o.Tags, t) })
						},
						simif2.TagsFilterModeAll: func(o simif2.NamedPose) bool {
							return !slices.ContainsFunc(n.Tags,
								func(t string) bool { return !slices.Contains(o.Tags, t) })
						},
					} {
						want := len(all) - len(slices.DeleteFunc(slices.Clone(all), fits))
						got := len(read(p, mode, n.Tags...))
						p.that(len(n.Tags) == 0 || got == want, "tags %q in mode %d choose %d poses, want %d",
							n.Tags, mode, got, want)
					}
				}
				p.that(len(read(p, 0, "conform_no_such_tag")) == 0, "a tag that none has chooses poses")
			}},
		{ID: "poses.bounds", Section: section, In: Anyhow,
			Needs: needs + " get_named_pose_bounds POSE_BOUNDS",
			Says:  "bounds of a pose have the points that their type wants", run: func(p *Probe) {
				for _, n := range read(p, 0) {
					s := bounds(p, n.Name)
					p.ok("bounds of "+n.Name, "get_named_pose_bounds", s.Result)
					p.that(pointsFit(s.Bounds), "%q: type %d has %d points", n.Name, s.Bounds.Type,
						len(s.Bounds.Points))
				}
			}},
		{ID: "poses.unknown", Section: section, In: Anyhow, Needs: "get_named_pose_bounds POSE_BOUNDS",
			Says: "a pose that is not there is NOT_FOUND", run: func(p *Probe) {
				p.want("its bounds", "get_named_pose_bounds", bounds(p, "conform_nowhere").Result, notFound)
			}},
	}
}
