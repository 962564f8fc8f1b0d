package conform

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
)

// States, as the standard numbers them.
const (
	stateStopped = simif2.SimulationStateStopped
	statePlaying = simif2.SimulationStatePlaying
	statePaused  = simif2.SimulationStatePaused
	stateNoWorld = simif2.SimulationStateNoWorld
	stateLoading = simif2.SimulationStateLoadingWorld
	stateQuit    = simif2.SimulationStateQuitting
)

// Results that every service may give.
const (
	notFound       = simif2.ResultNotFound
	incorrectState = simif2.ResultIncorrectState
	unsupported    = simif2.ResultFeatureUnsupported
	failed         = simif2.ResultOperationFailed
)

// model is the model that tests spawn.
type model struct {
	resource simif2.Resource
	known    bool // it is the box below
}

// Half the box's sides, m.
const halfX, halfY, halfZ = 0.1, 0.2, 0.3

// boxSDF and boxURDF are the box as text, its origin in its middle.
const (
	boxSDF = `<?xml version="1.0"?><sdf version="1.9"><model name="conform_box"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.04</ixx><iyy>0.03</iyy><izz>0.02</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision>
<visual name="v"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></visual></link></model></sdf>`
	boxURDF = `<?xml version="1.0"?><robot name="conform_box"><link name="body">
<inertial><mass value="1"/><inertia ixx="0.04" iyy="0.03" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.2 0.4 0.6"/></geometry></collision>
<visual><geometry><box size="0.2 0.4 0.6"/></geometry></visual></link></robot>`
)

// boxText is the box in a format that the simulator takes as text.
func (p *Probe) boxText() (string, bool) {
	if !p.suite.features["SPAWNING_RESOURCE_STRING"] {
		return "", false
	}
	for format, text := range map[string]string{"sdf": boxSDF, "urdf": boxURDF} {
		if slices.Contains(p.suite.formats, format) &&
			(format == "sdf" || !slices.Contains(p.suite.formats, "sdf")) {
			return text, true
		}
	}
	return "", false
}

// model chooses once what is spawned: what the user says, the box as text, or
// the first that the simulator lists.
func (p *Probe) model() simif2.Resource {
	m := &p.suite.model
	if m.resource != (simif2.Resource{}) {
		return m.resource
	}
	text, ok := p.boxText()
	switch {
	case p.suite.options.Model != "":
		m.resource.URI = p.suite.options.Model
	case ok:
		m.resource.ResourceString, m.known = text, true
	case p.has("get_spawnables SPAWNABLES"):
		list := call(p, simif2.GetSpawnablesService(), &simif2.GetSpawnablesRequest{})
		if len(list.Spawnables) > 0 {
			m.resource = list.Spawnables[0].EntityResource
		}
	}
	if m.resource == (simif2.Resource{}) {
		p.skip("nothing is known that could be spawned; --model names something")
	}
	return m.resource
}

// knownBox skips where what is spawned has no known size.
func (p *Probe) knownBox() {
	if p.model(); !p.suite.model.known {
		p.skip("the simulator takes no box as text, so that the size of what it spawns is not known")
	}
}

// name is a name that nobody has.
func (p *Probe) name() string {
	p.suite.count++
	return fmt.Sprintf("conform_%d", p.suite.count)
}

// request asks for a box of a new name where nothing else is, a few metres
// from the one before.
func (p *Probe) request() *simif2.SpawnEntityRequest {
	q := simif2.NewSpawnEntityRequest()
	q.Name, q.EntityResource = p.name(), p.model()
	q.InitialPose.Pose.Position = geometrymsgs.Point{X: 100 + 5*float64(p.suite.count), Y: 100, Z: 5}
	q.InitialPose.Pose.Orientation.W = 1
	return q
}

// spawn sends a request; what comes of it is deleted after the check.
func (p *Probe) spawn(q *simif2.SpawnEntityRequest) *simif2.SpawnEntityResponse {
	s := call(p, simif2.SpawnEntityService(), q)
	if !p.over() && s.Result.Result == simif2.ResultOK {
		name := s.EntityName
		if name == "" {
			name = q.Name
		}
		p.made = append(p.made, name)
	}
	return s
}

// box spawns a box that must come to be, and gives its name and place.
func (p *Probe) box() (name string, at geometrymsgs.Point) {
	q := p.request()
	s := p.spawn(q)
	p.ok("spawning", "spawn_entity", s.Result)
	return q.Name, q.InitialPose.Pose.Position
}

// anybody is the name of some entity: the first of the world, or a new box.
func (p *Probe) anybody() string {
	if list := p.entities(simif2.EntityFilters{}); len(list) > 0 || !p.has("spawn_entity SPAWNING") {
		if len(list) == 0 {
			p.skip("the world has no entity")
			return ""
		}
		return list[0]
	}
	name, _ := p.box()
	return name
}

// entities are the names that a filter lets through.
func (p *Probe) entities(f simif2.EntityFilters) []string {
	s := call(p, simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{Filters: f})
	p.ok("listing entities", "get_entities", s.Result)
	return s.Entities
}

// stateOf is the state of an entity that is there.
func (p *Probe) stateOf(name string) simif2.EntityState {
	s := call(p, simif2.GetEntityStateService(), &simif2.GetEntityStateRequest{Entity: name})
	p.ok("state of "+name, "get_entity_state", s.Result)
	return s.State
}

// setState sets parts of a state. In the 1.x line, which has no flags, pose
// and twist are both set.
func (p *Probe) setState(name string, state simif2.EntityState, what ...string) simif2.Result {
	s := call(p, simif2.SetEntityStateService(), &simif2.SetEntityStateRequest{Entity: name, State: state,
		SetPose: slices.Contains(what, "pose"), SetTwist: slices.Contains(what, "twist"),
		SetAcceleration: slices.Contains(what, "acceleration")})
	return s.Result
}

// simulation is the state of the simulation.
func (p *Probe) simulation() uint8 {
	s := call(p, simif2.GetSimulationStateService(), &simif2.GetSimulationStateRequest{})
	p.ok("state of the simulation", "get_simulation_state", s.Result)
	return s.State.State
}

// ask asks for a state of the simulation.
func (p *Probe) ask(state uint8) simif2.Result {
	return call(p, simif2.SetSimulationStateService(),
		&simif2.SetSimulationStateRequest{State: simif2.SimulationState{State: state}}).Result
}

// become brings the simulation into a state, whether or not it is in it.
func (p *Probe) become(state uint8) {
	if p.has("get_simulation_state") && p.simulation() == state {
		return
	}
	p.want("going to "+stateWord(state), "set_simulation_state", p.ask(state),
		simif2.ResultOK, simif2.SetSimulationStateResponseAlreadyInTargetState)
	if p.has("get_simulation_state") {
		got := p.simulation()
		p.that(got == state, "after going to %s the state is %s", stateWord(state), stateWord(got))
	}
}

// pause holds the simulation where that can be asked for.
func (p *Probe) pause() {
	if p.has("set_simulation_state SIMULATION_STATE_PAUSE") {
		p.become(statePaused)
	}
}

// step does steps that must be done.
func (p *Probe) step(n uint64) { p.ok(fmt.Sprintf("%d steps", n), "step_simulation", p.tryStep(n)) }

func (p *Probe) tryStep(n uint64) simif2.Result {
	return call(p, simif2.StepSimulationService(), &simif2.StepSimulationRequest{Steps: n}).Result
}

// now is the simulated time, as the state of an entity tells it.
func (p *Probe) now() time.Duration {
	if !p.has("get_entity_state ENTITY_STATE_GETTING get_entities") {
		p.skip("simulated time cannot be asked for without states of entities")
		return 0
	}
	t := p.stateOf(p.anybody()).Header.Stamp
	return node.SimDuration(t)
}

// stepSize is the simulated time of one step.
func (p *Probe) stepSize() time.Duration {
	before := p.now()
	p.step(1)
	dt := p.now() - before
	p.that(dt > 0, "one step moves simulated time by %v", dt)
	return dt
}

// apart is the distance of two places, m.
func apart(a, b geometrymsgs.Point) float64 {
	return math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) + (a.Z-b.Z)*(a.Z-b.Z))
}

// near is the tolerance of a set position, in m: a simulator may step once.
const near = 0.05
