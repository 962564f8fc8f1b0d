package conform

import (
	"math"
	"slices"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim/r3"
)

const canSpawn = "spawn_entity SPAWNING"

func spawnChecks() []Check {
	const section, seen, placed = "Spawning", " get_entities", " get_entity_state ENTITY_STATE_GETTING"
	return []Check{
		{ID: "spawn.name", Section: section, Needs: canSpawn + seen,
			Says: "a spawned entity has the name that was asked for, and is listed", run: func(p *Probe) {
				q := p.request()
				s := p.spawn(q)
				p.ok("spawning", "spawn_entity", s.Result)
				p.that(s.EntityName == q.Name, "it is called %q, asked for was %q", s.EntityName, q.Name)
				p.listed(q.Name, true)
			}},
		{ID: "spawn.pose", Section: section, Needs: canSpawn + placed,
			Says: "it stands where it was asked to", run: spawnStandsWhereAsked},
		{ID: "spawn.taken", Section: section, Needs: canSpawn + seen,
			Says: "a name already in use is NAME_NOT_UNIQUE", run: func(p *Probe) {
				name, _ := p.box()
				q := p.request()
				q.Name = name
				p.want("the same name again", "spawn_entity", p.spawn(q).Result,
					simif2.SpawnEntityResponseNameNotUnique)
			}},
		{ID: "spawn.renamed", Section: section, Needs: canSpawn + seen,
			Says: "unless renaming is allowed: then it gets another name, which is told",
			run: func(p *Probe) {
				name, _ := p.box()
				q := p.request()
				q.Name, q.AllowRenaming = name, true
				s := p.spawn(q)
				p.ok("the same name with renaming", "spawn_entity", s.Result)
				p.that(s.EntityName != "" && s.EntityName != name, "it is called %q, as the first one",
					s.EntityName)
				p.listed(name, true)
				p.listed(s.EntityName, true)
			}},
		{ID: "spawn.unnamed", Section: section, Needs: canSpawn + seen,
			Says: "without a name and with renaming it gets one, which is told", run: func(p *Probe) {
				for range 2 {
					q := p.request()
					q.Name, q.AllowRenaming = "", true
					s := p.spawn(q)
					p.ok("spawning without a name", "spawn_entity", s.Result)
					p.that(s.EntityName != "", "it has no name")
					p.listed(s.EntityName, true)
				}
			}},
		{ID: "spawn.zero-quaternion", Section: section, Needs: canSpawn + placed,
			Question: "all-zero quaternion in a request", Says: "an all-zero quaternion is the identity",
			run: func(p *Probe) {
				q := p.request()
				q.InitialPose.Pose.Orientation = geometrymsgs.Quaternion{}
				p.ok("spawning with an all-zero quaternion", "spawn_entity", p.spawn(q).Result)
				got := p.stateOf(q.Name).Pose.Orientation
				p.that(math.Abs(got.W) > 0.999, "it is turned by %+v", got)
			}},
		{ID: "spawn.frame-entity", Section: section, Needs: canSpawn + placed,
			Says: "a pose can be in the frame of an entity", run: func(p *Probe) {
				base, at := p.box()
				q := p.request()
				q.InitialPose.Header.FrameID = base
				q.InitialPose.Pose.Position = geometrymsgs.Point{Y: 2}
				p.ok("spawning in the frame of "+base, "spawn_entity", p.spawn(q).Result)
				at.Y += 2
				p.stands(q.Name, at)
			}},
		{ID: "spawn.frame-pose", Section: section, Own: true,
			Needs: canSpawn + placed + " get_named_poses NAMED_POSES",
			Says:  "a pose can be in the frame of a named pose", run: spawnAtANamedPose},
		{ID: "spawn.namespace", Section: section, Needs: canSpawn + seen,
			Says: "a valid ROS namespace is accepted, and the name stays", run: func(p *Probe) {
				q := p.request()
				q.EntityNamespace = "conform/ns_1"
				s := p.spawn(q)
				p.ok("spawning with a namespace", "spawn_entity", s.Result)
				p.that(s.EntityName == q.Name, "it is called %q, asked for was %q", s.EntityName, q.Name)
			}},
		{ID: "spawn.entities", Section: section, In: Anyhow, Needs: "get_entities",
			Question: "what an entity is",
			Says:     "models of the world are entities, too", run: func(p *Probe) {
				p.that(len(p.entities(simif2.EntityFilters{})) > 0,
					"the world has no entity before one is spawned")
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
	p.that(apart(got, want) < near, "%q is at (%.3f, %.3f, %.3f), want (%.3f, %.3f, %.3f)", name, got.X,
		got.Y, got.Z, want.X, want.Y, want.Z)
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
