package conform

import (
	"context"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
)

// roverSDF is a robot of two wheels and a caster, which DiffDrive drives. Its canonical link is at its feet.
const roverSDF = `<?xml version="1.0"?><sdf version="1.9"><model name="conform_rover">
<link name="base_link"><inertial><pose>-0.03 0 0.1 0 0 0</pose><mass>5</mass><inertia><ixx>0.05</ixx><iyy>0.08</iyy><izz>0.1</izz></inertia></inertial>
<collision name="c"><pose>0 0 0.15 0 0 0</pose><geometry><box><size>0.4 0.2 0.1</size></box></geometry></collision>
<collision name="back"><pose>-0.15 0 0.05 0 0 0</pose><geometry><sphere><radius>0.05</radius></sphere></geometry>
<surface><friction><ode><mu>0.001</mu><mu2>0.001</mu2></ode></friction></surface></collision></link>
<link name="left"><pose>0 0.15 0.1 -1.570796 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.0025</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.1</radius><length>0.04</length></cylinder></geometry></collision></link>
<link name="right"><pose>0 -0.15 0.1 -1.570796 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.0025</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.1</radius><length>0.04</length></cylinder></geometry></collision></link>
<joint name="left_joint" type="revolute"><parent>base_link</parent><child>left</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="right_joint" type="revolute"><parent>base_link</parent><child>right</child><axis><xyz>0 0 1</xyz></axis></joint>
<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
<wheel_separation>0.3</wheel_separation><wheel_radius>0.1</wheel_radius></plugin>
<plugin filename="gz-sim-joint-state-publisher-system" name="gz::sim::systems::JointStatePublisher"/></model></sdf>`

// groundSDF is a floor of the rover's own: it stands wherever it is spawned.
const groundSDF = `<?xml version="1.0"?><sdf version="1.9"><model name="conform_ground"><static>true</static><link name="l">
<pose>0 0 -0.05 0 0 0</pose><collision name="c"><geometry><box><size>4 4 0.1</size></box></geometry></collision></link></model></sdf>`

// Limits of the checks of topics.
const (
	topicsMayTake = 5 * time.Second // to appear, to go
	roverSpeed    = 0.5             // m/s
	roverDrives   = 2 * time.Second // of simulated time
	roverErr      = 0.05            // of the distance that odometry tells, as a part of the true one
	jointNear     = 0.02            // rad, of a joint that was put back
)

func topicChecks() []Check {
	const section = "Topics"
	const needs = canSpawn + " SPAWNING_RESOURCE_STRING get_entity_state ENTITY_STATE_GETTING get_entities " +
		"step_simulation STEP_SIMULATION_MULTIPLE delete_entity DELETING"
	const reset = needs + " reset_simulation SIMULATION_RESET_STATE"
	return []Check{
		{ID: "topic.come-and-go", Section: section, Own: true, Needs: needs,
			Says: "a spawned robot's topics are on the graph, and leave it with the robot, three times",
			run:  topicsComeAndGo},
		{ID: "topic.wheel-radius", Section: section, Own: true, Needs: needs,
			Says: "odometry tells the distance that the robot goes, as far as its wheels do not slip",
			run:  odometryTellsTheDistance},
		{ID: "topic.respawn", Section: section, Own: true, Needs: needs,
			Says: "a robot of the same name takes commands after it was deleted and spawned again, three times",
			run:  respawnedRobotsTakeCommands},
		{ID: "topic.reset", Section: section, Own: true, Needs: reset, Costs: TheRun,
			Says: "a robot takes commands after a reset of the state, three times, from where it began",
			run:  resetRobotsTakeCommands},
		{ID: "topic.joints", Section: section, Own: true, Needs: reset, Costs: TheRun,
			Says: "joint states are what they were at first after a reset of the state", run: jointsArePutBack},
	}
}

// rover is a robot that a check spawned, with what it says.
type rover struct {
	p        *Probe
	name     string
	at       geometrymsgs.Point // where it was spawned
	drive    func(speed float64)
	ends     []io.Closer
	mu       sync.Mutex
	odometry *navmsgs.Odometry
	joints   *sensormsgs.JointState
}

// topicOf is a topic of the simulator for an entity, by its name, with a type and one of some endings; ""
// without one.
func (p *Probe) topicOf(entity, kind string, ends []string) string {
	for _, t := range p.node().Graph().Topics {
		theirs := t.Publishers
		if kind == twistType {
			theirs = t.Subscribers
		}
		if theirs > 0 && slices.Contains(t.Types, kind) && slices.Contains(ends, path.Base(t.Name)) &&
			slices.Contains(strings.Split(t.Name, "/"), entity) {
			return t.Name
		}
	}
	return ""
}

// Names of topics that simulators and bridges give a robot's commands, odometry and joints.
var (
	commandNames  = []string{"cmd_vel"}
	odometryNames = []string{"odom", "odometry"}
	jointNames    = []string{"joint_states", "joint_state"}
)

const (
	twistType    = "geometry_msgs/msg/Twist"
	odometryType = "nav_msgs/msg/Odometry"
	jointsType   = "sensor_msgs/msg/JointState"
)

// spawnRover spawns the robot, which has topics, or skips.
func (p *Probe) spawnRover(name string) *rover {
	r := &rover{p: p, name: name, drive: func(float64) {}}
	if !slices.Contains(p.suite.formats, "sdf") {
		p.skip("the simulator takes no SDF as text, and with it no robot that is known here")
		return r
	}
	p.suite.count++
	r.at = geometrymsgs.Point{X: 100 + 5*float64(p.suite.count), Y: 120, Z: 5}
	for _, one := range []struct{ name, text string }{{name + "_ground", groundSDF}, {name, roverSDF}} {
		q := simif2.NewSpawnEntityRequest()
		q.Name, q.EntityResource.ResourceString, q.EntityNamespace = one.name, one.text, one.name
		q.InitialPose.Pose.Position, q.InitialPose.Pose.Orientation.W = r.at, 1
		p.ok("spawning "+one.name, "spawn_entity", p.spawn(q).Result)
	}
	return r
}

// listen follows the robot's topics; it skips when there are none.
func (r *rover) listen() *rover {
	p := r.p
	var command, odometry, joints string
	if !p.until(topicsMayTake, func() bool {
		command = p.topicOf(r.name, twistType, commandNames)
		odometry = p.topicOf(r.name, odometryType, odometryNames)
		joints = p.topicOf(r.name, jointsType, jointNames)
		return command != "" && odometry != "" && joints != ""
	}) {
		p.skip("the robot that was spawned has no topics for commands, odometry and joints by its name")
		return r
	}
	r.talk(command)
	hear(r, odometry, func(m *navmsgs.Odometry) { r.odometry = m })
	hear(r, joints, func(m *sensormsgs.JointState) { r.joints = m })
	p.wait(200 * time.Millisecond) // until they have met
	return r
}

// talk lets it be driven by a topic.
func (r *rover) talk(topic string) {
	pub, err := node.NewPublisher[geometrymsgs.Twist](r.p.node(), topic, node.DefaultQoS())
	if err != nil {
		r.p.fault("%v", err)
		return
	}
	r.ends = append(r.ends, pub)
	r.drive = func(speed float64) {
		r.p.until(topicsMayTake, func() bool { return pub.Subscribers() > 0 })
		if err := pub.Publish(&geometrymsgs.Twist{Linear: geometrymsgs.Vector3{X: speed}}); err != nil {
			r.p.fault("%v", err)
		}
	}
}

// hear follows a topic.
func hear[T any, PT msgs.Of[T]](r *rover, topic string, keep func(*T)) {
	s, err := node.NewSubscription[T, PT](r.p.node(), topic, node.BurstQoS(100),
		func(_ context.Context, m *T, _ node.Origin) {
			r.mu.Lock()
			defer r.mu.Unlock()
			keep(m)
		})
	if err != nil {
		r.p.fault("%v", err)
		return
	}
	r.ends = append(r.ends, s)
}

// close ends what listens and talks here.
func (r *rover) close() {
	for _, e := range r.ends {
		_ = e.Close() // of a node that is left
	}
	r.ends = nil
}

// said gives the last messages, nil before the first.
func (r *rover) said() (*navmsgs.Odometry, *sensormsgs.JointState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.odometry, r.joints
}

// goAhead commands it for a while, and gives how far it went, by its state and by its odometry.
func (r *rover) goAhead() (truth, told float64) {
	p := r.p
	dt := p.stepSize()
	if p.over() {
		return 0, 0
	}
	p.until(topicsMayTake, func() bool { o, _ := r.said(); return o != nil })
	begin, first := p.stateOf(r.name).Pose.Position, r.place()
	const parts = 10 // commands have time-outs
	steps := uint64(max(1, roverDrives/dt/parts))
	for range parts {
		r.drive(roverSpeed)
		p.wait(50 * time.Millisecond) // on its way
		p.step(steps)
	}
	end := p.stateOf(r.name).Pose.Position
	var last geometrymsgs.Point
	p.until(topicsMayTake/5, func() bool {
		last = r.place()
		return apart(first, last) >= apart(begin, end)*(1-roverErr)
	})
	return apart(begin, end), apart(first, last)
}

// place is its position by odometry, in the frame of that.
func (r *rover) place() geometrymsgs.Point {
	o, _ := r.said()
	if o == nil {
		return geometrymsgs.Point{}
	}
	return o.Pose.Pose.Position
}

// obeys wants it to go ahead by command.
func (r *rover) obeys(when string) {
	want := roverSpeed * roverDrives.Seconds()
	truth, _ := r.goAhead()
	r.p.that(truth > want/2 && truth < want*1.5, "%s: commanded to %g m/s for %v it went %.2f m, want about %.1f",
		when, roverSpeed, roverDrives, truth, want)
}

// gone deletes it and waits for the end of its topics.
func (r *rover) gone() {
	p := r.p
	r.close()
	for _, name := range []string{r.name, r.name + "_ground"} {
		p.ok("deleting "+name, "delete_entity", p.remove(name))
	}
	var left string
	p.that(p.until(topicsMayTake, func() bool {
		left = p.topicOf(r.name, odometryType, odometryNames)
		return left == ""
	}), "%s is on the graph after its robot was deleted", left)
}

func topicsComeAndGo(p *Probe) {
	name := p.name()
	for range 3 {
		p.spawnRover(name).listen().gone()
	}
}

func odometryTellsTheDistance(p *Probe) {
	r := p.spawnRover(p.name()).listen()
	defer r.close()
	truth, told := r.goAhead()
	p.that(truth > 0 && math.Abs(told-truth) <= roverErr*truth,
		"it went %.3f m and its odometry tells %.3f m: the radius of its wheels is %.3f times what drives count on",
		truth, told, truth/told)
}

func respawnedRobotsTakeCommands(p *Probe) {
	name := p.name()
	for _, when := range []string{"spawned", "spawned again", "spawned a third time"} {
		r := p.spawnRover(name).listen()
		r.obeys(when)
		r.gone()
	}
}

func resetRobotsTakeCommands(p *Probe) {
	r := p.spawnRover(p.name()).listen()
	defer r.close()
	r.obeys("before any reset")
	for _, when := range []string{"after a reset", "after a second one", "after a third one"} {
		p.ok("reset of the state", "reset_simulation", p.reset(2))
		p.stands(r.name, r.at)
		r.obeys(when)
	}
}

func jointsArePutBack(p *Probe) {
	r := p.spawnRover(p.name()).listen()
	defer r.close()
	p.step(1)
	first := r.positions()
	r.obeys("before the reset")
	p.that(!r.rests(first), "its joints stand where they began, after it went ahead")
	p.ok("reset of the state", "reset_simulation", p.reset(2))
	p.step(25) // joint states have a rate of their own
	p.that(p.until(topicsMayTake, func() bool { return r.rests(first) }),
		"joints are at %v after a reset of the state; they began at %v", r.positions(), first)
}

// positions are those of its joints as they were told last, once there are some.
func (r *rover) positions() (at []float64) {
	r.p.until(topicsMayTake, func() bool {
		if _, j := r.said(); j != nil && len(j.Position) > 0 {
			at = j.Position
		}
		return at != nil
	})
	return at
}

// rests reports that its joints are told to be somewhere.
func (r *rover) rests(at []float64) bool {
	_, j := r.said()
	return j != nil && slices.EqualFunc(j.Position, at,
		func(a, b float64) bool { return math.Abs(a-b) < jointNear })
}
