package uitest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Backend is a simulator without physics: what is driven moves straight on, and
// everything else stays where it was put.
type Backend struct {
	mu       sync.Mutex
	feed     sim.Feed
	snap     *sim.Snapshot
	bodies   []body
	poses    []scene.NamedPose
	world    sim.WorldInfo
	notes    scene.Notes
	events   []sim.Event
	models   []sim.Spawnable
	specs    map[string]*scene.ModelSpec
	state    sim.State
	step     uint64
	asked    float64
	done     []sim.Command
	revision uint64
	model    *sim.Model
	replaced []replaced // by loads
	reach    uint64     // steps that are kept; 0: none
	newest   uint64     // step that a rewind left; 0: none did
	marks    []sim.Mark // of the past
}

// replaced is a world that another was loaded in place of.
type replaced struct {
	world  sim.WorldInfo
	bodies []body
	state  sim.State
	step   uint64
}

type body struct {
	model sim.EntityModel
	state sim.EntityState
	start r3.Pose
	drive r3.Twist
	sent  time.Duration
}

const stepSize = 4 * time.Millisecond

var _ sim.Backend = (*Backend)(nil)

// Snapshot is the newest picture.
func (d *Backend) Snapshot() *sim.Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.snap
}

// Subscribe delivers snapshots.
func (d *Backend) Subscribe(v sim.Delivery) *sim.Subscription { return d.feed.Subscribe(v) }

// Capabilities declares none beside commands and snapshots.
func (d *Backend) Capabilities() sim.Capabilities { return sim.Capabilities{} }

// Close ends every subscription, as an engine that ends does.
func (d *Backend) Close() { d.feed.Close() }

// Done lists the commands that were done or refused, the oldest first.
func (d *Backend) Done() []sim.Command {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.done)
}

// KeepPast has it keep a past from now on, with marks.
func (d *Backend) KeepPast(reach time.Duration, marks ...sim.Mark) *Backend {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reach, d.marks = uint64(reach/stepSize), marks
	d.publish()
	return d
}

// past is what can be rewound to.
func (d *Backend) past() sim.Past {
	if d.reach == 0 {
		return sim.Past{}
	}
	at := func(step uint64) time.Duration { return time.Duration(step) * stepSize }
	newest := max(d.step, d.newest)
	return sim.Past{Reach: at(d.reach), Oldest: at(newest - min(newest, d.reach)), Now: at(d.step),
		Newest: at(newest), Marks: d.marks}
}

// rewind changes the time; things keep their places.
func (d *Backend) rewind(back time.Duration) sim.Rewound {
	p := d.past()
	to := min(max(p.Now-back, p.Oldest), p.Newest)
	d.newest = uint64(p.Newest / stepSize)
	d.step, d.state = uint64(to/stepSize), sim.Paused
	return sim.Rewound{Time: to, Back: p.Now - to}
}

// Advance does n steps if it plays.
func (d *Backend) Advance(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state == sim.Playing {
		d.run(uint64(n))
	}
	d.publish()
}

// Lose takes an entity out of the world without a picture of it, as if somebody
// else were faster.
func (d *Backend) Lose(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.find(name)
	d.bodies, d.model = slices.Delete(d.bodies, i, i+1), nil
}

func (d *Backend) run(n uint64) {
	dt := float64(n) * stepSize.Seconds()
	for i := range d.bodies {
		b := &d.bodies[i]
		b.state.Pose.Pos = b.state.Pose.Pos.Add(b.state.Twist.Linear.Scale(dt))
		b.state.Pose.Rot = b.state.Pose.Rot.Turn(b.state.Twist.Angular.Scale(dt))
		b.state.Twist.Linear = b.state.Pose.Rot.Rotate(b.drive.Linear)
	}
	d.step, d.newest = d.step+n, 0
}

// Do carries out a command at once.
func (d *Backend) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, c)
	r, err := d.apply(c)
	if !sim.OnlyAsks(c) {
		level, text := sim.Info, sim.Describe(c)
		if err != nil {
			level, text = sim.Error, text+": "+err.Error()
		}
		d.say(level, sim.Sender(ctx), text)
	}
	d.publish()
	return r, err
}

func (d *Backend) say(level sim.Level, who, text string) {
	d.events = append(slices.Clip(d.events),
		sim.Event{Seq: uint64(len(d.events) + 1), Time: d.time(), Level: level, Who: who, Text: text})
}

func (d *Backend) time() time.Duration { return time.Duration(d.step) * stepSize }

func (d *Backend) apply(c sim.Command) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.SetState:
		if d.state == c.State {
			return nil, fmt.Errorf("%w: %s", sim.ErrAlreadyInState, c.State)
		}
		d.state = c.State
	case sim.StepWorld:
		if d.state != sim.Paused {
			return nil, fmt.Errorf("%w: stepping while %s", sim.ErrIncorrectState, d.state)
		}
		d.run(c.N)
		return sim.Stepped{Completed: c.N, Time: d.time()}, nil
	case sim.Rewind:
		return d.rewind(c.Back), nil
	case sim.Reset:
		d.reset(c.Scope)
	case sim.SetPacing:
		d.asked = c.RealTime
	case sim.ListWorlds:
		return sim.Worlds{List: []sim.WorldInfo{{Name: "attic", URI: "world://attic",
			Description: "under the roof"}, {Name: "room", URI: "world://room"}},
			Failed: []string{"cellar: locked"}}, nil
	case sim.LoadWorld:
		if c.Resource.URI != "world://attic" {
			return nil, fmt.Errorf("%w: %s", sim.ErrNotFound, c.Resource.URI)
		}
		d.replaced = append(d.replaced, replaced{d.world, d.bodies, d.state, d.step})
		d.bodies, d.model, d.state, d.step = nil, nil, sim.Stopped, 0
		d.world = sim.WorldInfo{Name: "attic", URI: c.Resource.URI}
		d.add("chest", crate(0.5), r3.IdentityPose())
		lift := crate(0.5)
		lift.Info.Category = scene.Robot
		d.add("lift", lift, r3.IdentityPose())
		return sim.WorldLoaded{World: d.world, Before: &sim.Restore{Version: len(d.replaced)}}, nil
	case sim.Restore: // of the world number Version
		b := d.replaced[c.Version-1]
		d.world, d.bodies, d.model, d.state, d.step = b.world, b.bodies, nil, b.state, b.step
	case sim.ListSpawnables:
		return sim.Spawnables{List: d.models}, nil
	case sim.Spawn:
		return d.spawn(c)
	case sim.SpawnBatch:
		var b sim.BatchSpawned
		for _, one := range c.Spawns {
			r, err := d.spawn(one)
			spawned, _ := r.(sim.Spawned)
			b.Results = append(b.Results, sim.SpawnResult{Name: spawned.Name, Err: err})
		}
		return b, nil
	default:
		return d.touch(c)
	}
	return sim.Done{}, nil
}

// touch does what is done to entities that are there.
func (d *Backend) touch(c sim.Command) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.SetEntityInfo:
		i := d.find(c.Name)
		if i < 0 {
			return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, c.Name)
		}
		d.bodies[i].model.Info, d.model = c.Info, nil
	case sim.SetEntityInfos:
		for _, one := range c.Infos {
			if d.find(one.Name) < 0 {
				return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, one.Name)
			}
		}
		for _, one := range c.Infos {
			d.bodies[d.find(one.Name)].model.Info, d.model = one.Info, nil
		}
	case sim.Delete:
		for _, n := range c.Names {
			i := d.find(n)
			if i < 0 {
				return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, n)
			}
			d.bodies, d.model = slices.Delete(d.bodies, i, i+1), nil
		}
	case sim.SetEntityState:
		i := d.find(c.Name)
		if i < 0 {
			return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, c.Name)
		}
		d.bodies[i].state.Pose = *c.Pose
	case sim.MoveEntities:
		for _, one := range c.Moves {
			if d.find(one.Name) < 0 {
				return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, one.Name)
			}
		}
		for _, one := range c.Moves {
			d.bodies[d.find(one.Name)].state.Pose = *one.Pose
		}
	case sim.Measure:
		return d.measure(c)
	case sim.DriveEntity:
		i := d.find(c.Name)
		if i < 0 {
			return nil, fmt.Errorf("%w: entity %q", sim.ErrNotFound, c.Name)
		}
		b := &d.bodies[i]
		b.drive = c.Twist
		b.state.Twist = r3.Twist{Linear: b.state.Pose.Rot.Rotate(c.Twist.Linear), Angular: c.Twist.Angular}
	default:
		return nil, fmt.Errorf("%w: %T", sim.ErrUnsupported, c)
	}
	return sim.Done{}, nil
}

// measure takes the room of a model as an engine does.
func (d *Backend) measure(c sim.Measure) (sim.Reply, error) {
	spec := d.specs[c.Resource.URI]
	if spec == nil {
		return nil, fmt.Errorf("%w: %q", sim.ErrNotFound, c.Resource.URI)
	}
	var shapes []sim.PlacedShape
	for l := range spec.Links {
		for g := range spec.Links[l].Collisions {
			s, pose, err := spec.Links[l].Collisions[g].Solid()
			if err != nil {
				return nil, err
			}
			if convex, ok := s.(shape.Convex); ok {
				shapes = append(shapes, sim.PlacedShape{Shape: convex, Pose: spec.Links[l].Pose.Mul(pose)})
			}
		}
	}
	f, err := sim.NewFootprint(spec.Name, shapes)
	if err != nil {
		return nil, err
	}
	return sim.Measured{Footprint: f}, nil
}

func (d *Backend) reset(s sim.ResetScope) {
	if s == sim.ResetDefault {
		s = sim.ResetAll
	}
	if s&sim.ResetSpawned != 0 {
		d.bodies = slices.DeleteFunc(d.bodies, func(b body) bool { return b.model.Spawned })
		d.model = nil
	}
	for i := range d.bodies {
		if s&sim.ResetState != 0 {
			d.bodies[i].state, d.bodies[i].drive = sim.EntityState{Pose: d.bodies[i].start}, r3.Twist{}
		}
	}
	if s&sim.ResetTime != 0 {
		d.step = 0
	}
}

func (d *Backend) spawn(c sim.Spawn) (sim.Reply, error) {
	spec := d.specs[c.Resource.URI]
	if spec == nil {
		return nil, fmt.Errorf("%w: %q", sim.ErrNotFound, c.Resource.URI)
	}
	name := c.Name
	if name == "" {
		name = spec.Name
	}
	for n := 1; d.find(name) >= 0; n++ {
		if !c.AllowRenaming {
			return nil, fmt.Errorf("%w: %q is in the world already", sim.ErrNameTaken, name)
		}
		name = fmt.Sprintf("%s_%d", spec.Name, n)
	}
	d.add(name, spec, c.Pose.Pose)
	b := &d.bodies[d.find(name)]
	b.model.Spawned, b.model.Deletable = true, true
	return sim.Spawned{Name: name}, nil
}

func (d *Backend) find(name string) int {
	i, ok := slices.BinarySearchFunc(d.bodies, name,
		func(b body, n string) int { return strings.Compare(b.model.Name, n) })
	if !ok {
		return -1
	}
	return i
}

// add puts an entity into the list, which is ordered by name.
func (d *Backend) add(name string, spec *scene.ModelSpec, at r3.Pose) {
	m := sim.EntityModel{
		Name: name, ID: uint64(len(d.bodies) + 1), Namespace: name, Spec: spec, Info: spec.Info,
		Static: spec.Static, Bounds: boundsOf(spec),
	}
	for l := range spec.Links {
		for s := range spec.Links[l].Sensors {
			m.Sensors = append(m.Sensors, sim.SensorModel{Link: l, Spec: &spec.Links[l].Sensors[s]})
		}
	}
	i, _ := slices.BinarySearchFunc(d.bodies, name,
		func(b body, n string) int { return strings.Compare(b.model.Name, n) })
	d.bodies = slices.Insert(d.bodies, i,
		body{model: m, state: sim.EntityState{Pose: at, Asleep: !spec.Static && len(spec.Drives) == 0},
			start: at})
	d.model = nil
}
