package conform

import (
	"math"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
)

const (
	canGet = "get_entity_state ENTITY_STATE_GETTING"
	canSet = "set_entity_state ENTITY_STATE_SETTING"
)

func getChecks() []Check {
	const section = "States of entities"
	return []Check{
		{ID: "get.sane", Section: section, In: Anyhow, Needs: canGet + " get_entities",
			Says: "a state has finite numbers, a unit quaternion and a frame", run: func(p *Probe) {
				s := p.stateOf(p.anybody())
				o := s.Pose.Orientation
				n := math.Sqrt(o.X*o.X + o.Y*o.Y + o.Z*o.Z + o.W*o.W)
				p.that(math.Abs(n-1) < 1e-3, "the quaternion %+v has length %g", o, n)
				for _, f := range []float64{s.Pose.Position.X, s.Twist.Linear.X, s.Twist.Angular.Z,
					s.Acceleration.Linear.Z} {
					p.that(!math.IsNaN(f) && !math.IsInf(f, 0), "the state has %g", f)
				}
				p.that(s.Header.FrameID != "", "the state is in no frame")
			}},
		{ID: "get.unknown", Section: section, In: Anyhow, Needs: canGet,
			Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
				s := call(p, simif2.GetEntityStateService(),
					&simif2.GetEntityStateRequest{Entity: "conform_nobody"})
				p.want("its state", "get_entity_state", s.Result, notFound)
			}},
		{ID: "get.all", Section: section, Needs: "get_entities_states get_entities " + canGet,
			Says: "all states at once are those of each, at one time", run: statesAgree},
		{ID: "get.stamp", Section: section,
			Needs: canGet + " get_entities step_simulation STEP_SIMULATION_SINGLE", Own: true,
			Says: "the stamp is simulated time: it moves with a step and at no other time while paused",
			run: func(p *Probe) {
				a := p.now()
				p.wait(clockMayTake / 20)
				b := p.now()
				p.that(a == b, "paused, it goes from %v to %v", a, b)
				p.stepSize()
			}},
		{ID: "get.acceleration", Section: section, Own: true, Needs: canGet + " step_simulation " + canSpawn,
			Says: "a falling entity accelerates by gravity", run: func(p *Probe) {
				name, _ := p.box()
				p.step(5)
				a := p.stateOf(name).Acceleration.Linear.Z
				p.that(math.Abs(a+9.8) < 0.2, "it accelerates by %.3f m/s² upwards", a)
			}},
	}
}

func statesAgree(p *Probe) {
	s := call(p, simif2.GetEntitiesStatesService(), &simif2.GetEntitiesStatesRequest{})
	p.ok("all states", "get_entities_states", s.Result)
	p.that(len(s.Entities) == len(s.States), "%d names come with %d states", len(s.Entities), len(s.States))
	list := p.entities(simif2.EntityFilters{})
	p.that(len(list) == len(s.Entities), "get_entities lists %d, get_entities_states %d", len(list),
		len(s.Entities))
	if p.over() {
		return
	}
	for i, name := range s.Entities {
		p.that(s.States[i].Header.Stamp == s.States[0].Header.Stamp,
			"the state of %q has another stamp than the first", name)
		if i < 5 {
			one := p.stateOf(name)
			p.that(apart(one.Pose.Position, s.States[i].Pose.Position) < near, "%q is at %+v and at %+v",
				name, one.Pose.Position, s.States[i].Pose.Position)
		}
	}
}

func setChecks() []Check {
	const section, needs = "Setting states", canSet + " " + canGet + " " + canSpawn
	invalid := func(change func(*simif2.EntityState)) func(*Probe) {
		return func(p *Probe) {
			name, at := p.box()
			s := p.stateOf(name)
			change(&s)
			p.want("setting", "set_entity_state", p.setState(name, s, "pose", "twist"),
				simif2.SetEntityStateResponseInvalidPose)
			p.stands(name, at)
		}
	}
	return []Check{
		{ID: "set.pose", Section: section, Needs: needs, Says: "an entity is put where it is asked to be",
			run: setPose},
		{ID: "set.unknown", Section: section, Needs: canSet, Says: "an entity that is not there is NOT_FOUND",
			run: func(p *Probe) {
				s := simif2.NewEntityState()
				p.want("setting", "set_entity_state", p.setState("conform_nobody", *s, "pose", "twist"),
					notFound)
			}},
		{ID: "set.nan", Section: section, Needs: needs,
			Says: "a pose that is no number is INVALID_POSE, and nothing moves",
			run:  invalid(func(s *simif2.EntityState) { s.Pose.Position.Y = math.NaN() })},
		{ID: "set.unknown-frame", Section: section, Needs: needs,
			Says: "a frame that is not known is INVALID_POSE, and nothing moves",
			run:  invalid(func(s *simif2.EntityState) { s.Header.FrameID = "conform_nowhere" })},
		{ID: "set.zero-quaternion", Section: section, Needs: needs,
			Question: "all-zero quaternion in a request", Says: "an all-zero quaternion is the identity",
			run: func(p *Probe) {
				name, _ := p.box()
				s := p.stateOf(name)
				s.Pose.Orientation = geometrymsgs.Quaternion{}
				p.ok("setting", "set_entity_state", p.setState(name, s, "pose", "twist"))
				got := p.stateOf(name).Pose.Orientation
				p.that(math.Abs(got.W) > 0.999, "it is turned by %+v", got)
			}},
		{ID: "set.parts", Section: section, Needs: needs, Says: "only what its flag names is set (2.x)",
			run: setParts},
		{ID: "set.twist", Section: section,
			Needs: needs + " step_simulation STEP_SIMULATION_MULTIPLE get_entities",
			Says:  "a twist moves the entity", run: setTwist},
		{ID: "set.frame", Section: section, Needs: needs, Question: "frame of twist and acceleration",
			Says: "pose and twist are in the frame of the header", run: setInAFrame},
		{ID: "set.frame-once", Section: section, Needs: needs, Question: "frame of SetEntityState afterwards",
			Says: "what was put into a frame stays when the frame goes on", run: setInAFrameOnce},
		{ID: "set.acceleration", Section: section, Own: true, Needs: needs + " step_simulation get_entities",
			Says: "an acceleration is a push that lasts a step", run: setAcceleration},
		{ID: "set.static", Section: section, Own: true,
			Needs: canSet + " " + canGet + " " + canSpawn + " SPAWNING_RESOURCE_STRING",
			Says:  "what cannot move is not given a twist: OPERATION_FAILED", run: setStatic},
	}
}

func setPose(p *Probe) {
	name, at := p.box()
	s := p.stateOf(name)
	half := math.Sqrt(0.5)
	at.X, at.Y, at.Z = at.X+1, at.Y-2, at.Z+3
	s.Pose.Position, s.Pose.Orientation = at, geometrymsgs.Quaternion{Z: half, W: half}
	p.ok("setting the pose", "set_entity_state", p.setState(name, s, "pose", "twist"))
	p.stands(name, at)
	o := p.stateOf(name).Pose.Orientation
	p.that(math.Abs(o.Z*half+o.W*half) > 0.999, "it is turned by %+v, want a quarter about z", o)
}

func setParts(p *Probe) {
	if p.remote.Line() == attach.Line1 {
		p.skip("the 1.x line has no flags")
	}
	name, at := p.box()
	s := p.stateOf(name)
	s.Pose.Position.X, s.Twist.Linear.X = at.X+1, 0.5
	p.ok("setting the twist", "set_entity_state", p.setState(name, s, "twist"))
	p.stands(name, at)
	v := p.stateOf(name).Twist.Linear.X
	p.that(math.Abs(v-0.5) < near, "its speed is %g, want 0.5", v)
	s.Twist.Linear.X = 3
	p.ok("setting the pose", "set_entity_state", p.setState(name, s, "pose"))
	p.stands(name, s.Pose.Position)
	v = p.stateOf(name).Twist.Linear.X
	p.that(math.Abs(v-0.5) < near, "after setting the pose its speed is %g, want 0.5 as before", v)
	p.ok("setting nothing", "set_entity_state", p.setState(name, simif2.EntityState{}))
	p.stands(name, s.Pose.Position)
}

func setTwist(p *Probe) {
	dt := p.stepSize()
	name, at := p.box()
	s := p.stateOf(name)
	s.Twist.Linear = geometrymsgs.Vector3{X: 2, Z: 1}
	p.ok("setting the twist", "set_entity_state", p.setState(name, s, "pose", "twist"))
	const n = 20
	p.step(n)
	got, want := p.stateOf(name).Pose.Position.X-at.X, 2*(n*dt).Seconds()
	p.that(math.Abs(got-want) < 0.05*want, "at 2 m/s it moved %.4f m in %v, want %.4f", got, n*dt, want)
}

func setInAFrame(p *Probe) {
	base, at := p.box()
	half := math.Sqrt(0.5)
	turned := p.stateOf(base)
	turned.Pose.Orientation = geometrymsgs.Quaternion{Z: half, W: half}
	p.ok("turning the first", "set_entity_state", p.setState(base, turned, "pose", "twist"))
	name, _ := p.box()
	s := simif2.NewEntityState()
	s.Header.FrameID = base
	s.Pose.Position, s.Twist.Linear = geometrymsgs.Point{X: 2}, geometrymsgs.Vector3{X: 1}
	p.ok("setting in the frame of "+base, "set_entity_state", p.setState(name, *s, "pose", "twist"))
	at.Y += 2
	p.stands(name, at)
	v := p.stateOf(name).Twist.Linear
	p.that(math.Abs(v.X) < near && math.Abs(v.Y-1) < near,
		"1 m/s along the frame's x is (%.3f, %.3f) in the world, want (0, 1)", v.X, v.Y)
}

func setInAFrameOnce(p *Probe) {
	base, at := p.box()
	name, _ := p.box()
	s := simif2.NewEntityState()
	s.Header.FrameID, s.Pose.Position.X = base, 2
	p.ok("setting in the frame of "+base, "set_entity_state", p.setState(name, *s, "pose", "twist"))
	moved := p.stateOf(base)
	moved.Pose.Position.Y += 10
	p.ok("moving "+base, "set_entity_state", p.setState(base, moved, "pose", "twist"))
	at.X += 2
	p.stands(name, at)
}

func setAcceleration(p *Probe) {
	dt := p.stepSize()
	name, at := p.box()
	s := p.stateOf(name)
	s.Pose.Position, s.Acceleration.Linear.X = at, 10
	p.ok("setting the acceleration", "set_entity_state", p.setState(name, s, "pose", "twist", "acceleration"))
	p.step(3)
	got, want := p.stateOf(name).Twist.Linear.X, 10*dt.Seconds()
	p.that(math.Abs(got-want) < 0.05*want+1e-6, "10 m/s² for a step of %v make %.5f m/s, want %.5f",
		dt.Round(time.Microsecond), got, want)
}

func setStatic(p *Probe) {
	p.knownBox()
	q := p.request()
	text, ok := staticBox(q.EntityResource.ResourceString)
	if !ok {
		p.skip("the simulator takes no SDF")
	}
	q.EntityResource.ResourceString = text
	p.ok("spawning a static box", "spawn_entity", p.spawn(q).Result)
	s := p.stateOf(q.Name)
	p.ok("setting its pose", "set_entity_state", p.setState(q.Name, s, "pose"))
	s.Twist.Linear.X = 1
	p.want("setting its twist", "set_entity_state", p.setState(q.Name, s, "pose", "twist"), failed)
}
