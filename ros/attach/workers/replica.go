package workers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a replica: messages of others fill it.
const (
	mostEntities = 20_000
	mostModels   = 2_000 // descriptions of spawned entities
)

// thing is an entity of a replica.
type thing struct {
	name   string
	spec   *scene.ModelSpec
	static bool
	text   string  // of an entity that was spawned; empty: the world's text has it
	gone   bool    // object3d has it no more, though it may come again
	listed bool    // object3d has had it
	pose   r3.Pose // of its model frame
	joints []float64
}

// replica is a world as a worker tells of it. It is for one goroutine.
type replica struct {
	library scene.Library
	world   *scene.WorldSpec // nil: not known yet
	things  []*thing         // by name
	models  map[string]*scene.ModelSpec

	model    *sim.Model // nil: to be made anew
	revision uint64
	seq      uint64
	time     time.Duration
	passed   time.Time     // by the wall clock, when time passed last
	last     *sim.Snapshot // nil: none was made yet
	moved    bool          // something came since then
}

// clear shows nothing more of the world that was: the worker has another now, or none.
func (r *replica) clear() {
	r.world, r.things, r.model, r.moved = &scene.WorldSpec{}, nil, nil, true
}

// load makes the replica that of a world. Errors are those of the library, and leave an empty world.
func (r *replica) load(ctx context.Context, from scene.Resource) error {
	r.clear()
	world, err := scene.WorldContext(ctx, r.library, from)
	if err != nil {
		return err
	}
	r.world, r.things, r.moved, r.model, r.models = world, nil, true, nil, map[string]*scene.ModelSpec{}
	for i := range world.Models {
		p := &world.Models[i]
		t := newThing(p.Name, p.Model)
		t.static, t.pose = p.Static || p.Model.Static || welded(p.Model), p.Pose.Upright()
		r.things = append(r.things, t)
	}
	r.sort()
	return nil
}

// welded reports whether all links of a model are fixed to the world: workers count it as static.
func welded(m *scene.ModelSpec) bool {
	fixed, n := map[int]bool{scene.World: true}, 0
	for before := -1; before != n; {
		before = n
		for i := range m.Joints {
			j := &m.Joints[i]
			if j.Kind == scene.Fixed && fixed[j.Parent] != fixed[j.Child] {
				fixed[j.Parent], fixed[j.Child] = true, true
				n++
			}
		}
	}
	return n == len(m.Links)
}

func newThing(name string, spec *scene.ModelSpec) *thing {
	t := &thing{name: name, spec: spec, pose: r3.IdentityPose(), joints: make([]float64, len(spec.Joints))}
	for j := range spec.Joints {
		t.joints[j] = spec.Joints[j].Initial
	}
	return t
}

func (r *replica) sort() {
	slices.SortStableFunc(r.things, func(a, b *thing) int { return strings.Compare(a.name, b.name) })
}

func (r *replica) find(name string) *thing {
	i, ok := slices.BinarySearchFunc(r.things, name,
		func(t *thing, name string) int { return strings.Compare(t.name, name) })
	if !ok {
		return nil
	}
	return r.things[i]
}

// objects takes over where things are, and which there are. Descriptions of new ones are read; one that
// cannot be read is told by the error, and the others are taken.
func (r *replica) objects(ctx context.Context, m *l2msgs.Object3DArray) (wrong error) {
	if r.world == nil {
		return nil
	}
	told := make(map[string]bool, len(m.Objects))
	for i := range m.Objects {
		o := &m.Objects[i]
		told[o.Name] = true
		t := r.find(o.Name)
		if o.Data != "" && (t == nil || t.text != o.Data) {
			spec, err := r.describe(ctx, o.Data)
			wrong = cmp.Or(wrong, err)
			t = r.add(t, o, spec)
		}
		if t == nil {
			continue
		}
		if t.gone {
			t.gone, r.model = false, nil
		}
		if pose := geometry.PoseOf(o.Pose); pose.IsFinite() {
			t.listed, t.pose = true, pose.Upright()
		}
	}
	r.leave(told)
	r.moved = true
	return wrong
}

// add takes in an entity that was spawned, in place of one of that name; nil for a description that is none.
func (r *replica) add(before *thing, o *l2msgs.Object3D, spec *scene.ModelSpec) *thing {
	if spec == nil || before == nil && len(r.things) >= mostEntities {
		return before
	}
	t := newThing(o.Name, spec)
	t.text, t.static = o.Data, spec.Static
	r.model = nil
	if before != nil {
		*before = *t
		return before
	}
	r.things = append(r.things, t)
	r.sort()
	return t
}

// leave has those go that are not told of. Those of the world's text may come again: a message may be older
// than the world.
func (r *replica) leave(told map[string]bool) {
	for _, t := range r.things {
		if !told[t.name] && (t.listed || !t.static) && !t.gone {
			t.gone, r.model = true, nil
		}
	}
	r.things = slices.DeleteFunc(r.things, func(t *thing) bool { return t.gone && t.text != "" })
}

// describe reads a model's text once. Nil without an error: it was not readable before.
func (r *replica) describe(ctx context.Context, text string) (*scene.ModelSpec, error) {
	spec, known := r.models[text]
	if known || len(r.models) >= mostModels {
		return spec, nil
	}
	spec, err := scene.ModelContext(ctx, r.library, scene.Resource{Document: text})
	r.models[text] = spec
	return spec, err
}

// joints takes over positions. Names are those of joints, or entity/joint where several entities have joints.
func (r *replica) joints(m *sensormsgs.JointState) {
	r.moved = true
	for i, name := range m.Name {
		if i >= len(m.Position) || !(m.Position[i] > -1e9 && m.Position[i] < 1e9) {
			continue
		}
		if at := strings.LastIndexByte(name, '/'); at > 0 {
			if t := r.find(name[:at]); t != nil && !t.gone && t.set(name[at+1:], m.Position[i]) {
				continue
			}
		}
		for _, t := range r.things {
			if !t.gone && t.set(name, m.Position[i]) {
				break
			}
		}
	}
}

// set moves a joint; false: there is none of that name.
func (t *thing) set(joint string, q float64) bool {
	for j := range t.spec.Joints {
		if t.spec.Joints[j].Name == joint {
			t.joints[j] = q
			return true
		}
	}
	return false
}

// restsAfter is the wall time without a change of the clock after which a simulation counts as paused.
const restsAfter = 500 * time.Millisecond

// tell takes over the simulated time.
func (r *replica) tell(at time.Duration, now time.Time) {
	if at != r.time {
		r.time, r.passed = at, now
	}
}

// snapshot shows the replica now; nil: there is no world yet. While nothing comes it is the last one.
func (r *replica) snapshot(now time.Time) *sim.Snapshot {
	if r.world == nil {
		return nil
	}
	state := sim.Playing
	if now.Sub(r.passed) > restsAfter {
		state = sim.Paused
	}
	if s := r.last; s != nil && s.State == state && s.Time == r.time && !r.moved {
		return s
	}
	r.last, r.moved = r.draw(state), false
	return r.last
}

// draw makes a snapshot.
func (r *replica) draw(state sim.State) *sim.Snapshot {
	if r.model == nil {
		r.revision++
		r.model = r.describeAll()
	}
	r.seq++
	s := &sim.Snapshot{Seq: r.seq, Time: r.time, State: state, Model: r.model,
		Entities: make([]sim.EntityState, 0, len(r.things))}
	var links []r3.Pose
	for _, t := range r.things {
		if t.gone {
			continue
		}
		links = t.spec.LinkPoses(func(j int) float64 { return t.joints[j] }, links[:0])
		for _, p := range links {
			s.Links = append(s.Links, sim.LinkState{Pose: t.pose.Mul(p)})
		}
		s.Entities = append(s.Entities, sim.EntityState{Pose: t.pose.Mul(t.spec.Frame.Upright())})
	}
	return s
}

// describeAll is the constant part of snapshots.
func (r *replica) describeAll() *sim.Model {
	w := r.world
	m := &sim.Model{Revision: r.revision, World: sim.WorldInfo{Name: w.Name, Description: w.Description,
		Tags: w.Tags}, Gravity: w.Gravity, NamedPoses: w.NamedPoses, Notes: w.Notes, Lights: w.Lights,
		Ambience: w.Ambience, Earth: w.Earth, Site: w.Site, File: w.File}
	link, joint := 0, 0
	for i, t := range r.things {
		if t.gone {
			continue
		}
		m.Entities = append(m.Entities, sim.EntityModel{Name: t.name, ID: uint64(i + 1), Namespace: t.name,
			Spec: t.spec, Info: t.spec.Info, Static: t.static, FirstLink: link, FirstJoint: joint})
		link, joint = link+len(t.spec.Links), joint+len(t.spec.Joints)
	}
	return m
}
