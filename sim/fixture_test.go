package sim

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// shelf is a scene.Library of Go literals.
type shelf struct {
	models map[string]*scene.ModelSpec
	worlds map[string]*scene.WorldSpec
	gate   func() // called while a world is read
}

func (s *shelf) Model(r Resource) (*scene.ModelSpec, error) {
	if r.URI == "panic" {
		panic("index out of range")
	}
	if m := s.models[r.URI]; m != nil {
		return m, nil
	}
	if r.Document != "" {
		return nil, fmt.Errorf("%w: text:1:1: %q", scene.ErrParse, r.Document)
	}
	return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
}

func (s *shelf) World(r Resource) (*scene.WorldSpec, error) {
	if s.gate != nil {
		s.gate()
	}
	if w := s.worlds[r.URI]; w != nil {
		return w, nil
	}
	return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
}

func (s *shelf) Spawnables([]string) ([]scene.Spawnable, []string) {
	return []scene.Spawnable{{URI: "ball", Name: "ball"}, {URI: "rover", Name: "rover"}}, []string{"attic: locked"}
}

func (s *shelf) Worlds([]string) ([]scene.WorldInfo, []string) {
	return []scene.WorldInfo{{Name: "yard", URI: "yard"}}, nil
}

func (s *shelf) Formats() []string { return []string{"literal"} }

func at(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// solid is a model of one link with one shape.
func solid(name string, mass float64, g scene.Geom) *scene.ModelSpec {
	g.Surface.Default = true
	l := scene.Link{Name: "body", Pose: r3.IdentityPose(), Collisions: []scene.Geom{g}}
	l.Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1).Scale(mass))}
	return &scene.ModelSpec{Name: name, Frame: r3.IdentityPose(), Links: []scene.Link{l}}
}

func ballModel() *scene.ModelSpec {
	return solid("ball", 1, scene.Geom{Name: "skin", Kind: scene.Sphere, Radius: 0.5})
}

func boxModel(size float64) *scene.ModelSpec {
	return solid("box", 1, scene.Geom{Name: "skin", Kind: scene.Box, Size: r3.V(size, size, size)})
}

func groundModel() *scene.ModelSpec {
	m := solid("ground", 0, scene.Geom{Name: "plane", Kind: scene.Plane, Normal: r3.V(0, 0, 1)})
	m.Static = true
	return m
}

func wallModel() *scene.ModelSpec {
	m := solid("wall", 0, scene.Geom{Name: "bricks", Kind: scene.Box, Size: r3.V(0.2, 4, 1)})
	m.Static = true
	return m
}

// roverModel has two wheels on continuous joints, a caster behind that slides, a mast
// on a fixed joint and a lidar on it. Its base_footprint weighs nothing.
func roverModel() *scene.ModelSpec {
	wheel := func(name string, y float64) scene.Link {
		return scene.Link{Name: name, Pose: at(0, y, 0.1),
			Inertial:   scene.Inertial{Mass: 0.5, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(0.002, 0.003, 0.002))},
			Collisions: []scene.Geom{{Name: "tyre", Kind: scene.Cylinder, Radius: 0.1, Length: 0.04, Pose: r3.PoseRPY(0, 0, 0, math.Pi/2, 0, 0), Surface: scene.Surface{Default: true}}}}
	}
	spin := func(name string, child int) scene.Joint {
		return scene.Joint{Name: name, Kind: scene.Continuous, Parent: 1, Child: child, Pose: r3.IdentityPose(), Axis: r3.V(0, 1, 0)}
	}
	return &scene.ModelSpec{
		Name: "rover", Format: "literal", Frame: r3.IdentityPose(), Canonical: 0,
		Links: []scene.Link{
			{Name: "base_footprint", Pose: r3.IdentityPose(), Inertial: scene.Inertial{Pose: r3.IdentityPose()}},
			{Name: "base_link", Pose: at(0, 0, 0.1),
				Inertial: scene.Inertial{Mass: 5, Pose: at(-0.03, 0, 0), Inertia: r3.Diag(r3.V(0.05, 0.08, 0.1))},
				Collisions: []scene.Geom{
					{Name: "hull", Kind: scene.Box, Size: r3.V(0.4, 0.3, 0.1), Pose: at(0, 0, 0.05), Surface: scene.Surface{Default: true}},
					{Name: "caster", Kind: scene.Sphere, Radius: 0.05, Pose: at(-0.15, 0, -0.05)},
				}},
			wheel("left_wheel", 0.2), wheel("right_wheel", -0.2),
			{Name: "mast", Pose: at(0, 0, 0.3), Inertial: scene.Inertial{Mass: 0.2, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1e-4, 1e-4, 1e-4))},
				Sensors: []scene.Sensor{{Name: "eye", Kind: scene.Lidar, Pose: r3.IdentityPose(), Rate: 5,
					Lidar: scene.LidarSpec{Columns: 91, Rows: 1, MinAngle: -math.Pi / 4, MaxAngle: math.Pi / 4, MinRange: 0.12, MaxRange: 10, NoiseStd: 0.01}}}},
		},
		Joints: []scene.Joint{
			{Name: "foot", Kind: scene.Fixed, Parent: 0, Child: 1, Pose: r3.IdentityPose()},
			spin("left", 2), spin("right", 3),
			{Name: "pole", Kind: scene.Fixed, Parent: 1, Child: 4, Pose: r3.IdentityPose()},
		},
		Frames: []scene.Frame{{Name: "tip", Link: 4, Pose: at(0, 0, 0.2)}, {Name: "nose", Link: -1, Pose: at(0.3, 0, 0)}},
		Drives: []scene.Drive{{Kind: scene.Differential, Left: []int{1}, Right: []int{2}, Separation: 0.4, Radius: 0.1, OdomRate: 20, MaxLinearAccel: 2, MaxAngularAccel: 4}},
		Info:   scene.Info{Category: scene.Robot, Description: "a rover", Tags: []string{"mobile", "small"}},
	}
}

// armModel is fixed to the world and has a shoulder, which begins turned, and
// a slider that follows it.
func armModel() *scene.ModelSpec {
	link := func(name string, x float64) scene.Link {
		return scene.Link{Name: name, Pose: at(x, 0, 1), Inertial: scene.Inertial{Mass: 1, Pose: at(0.25, 0, 0), Inertia: r3.Diag(r3.V(0.01, 0.02, 0.02))}}
	}
	return &scene.ModelSpec{
		Name: "arm", Frame: at(0, 0, 1), Links: []scene.Link{link("base", 0), link("upper", 0.5), link("finger", 1)},
		Joints: []scene.Joint{
			{Name: "bolt", Kind: scene.Fixed, Parent: scene.World, Child: 0, Pose: r3.IdentityPose()},
			{Name: "shoulder", Kind: scene.Revolute, Parent: 0, Child: 1, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1), Initial: math.Pi / 2,
				Limit: scene.Limit{Set: true, Lower: -3, Upper: 3, Effort: 100, Velocity: 5}},
			{Name: "slide", Kind: scene.Prismatic, Parent: 1, Child: 2, Pose: r3.IdentityPose(), Axis: r3.V(1, 0, 0),
				Limit: scene.Limit{Set: true, Lower: 0, Upper: 1}, Mimic: scene.Mimic{Set: true, Joint: 1, Multiplier: 0.1}},
		},
	}
}

// yardWorld has a ground, a wall, a crate that may be deleted, a robot and two
// named poses.
func yardWorld() *scene.WorldSpec {
	return &scene.WorldSpec{
		Name: "yard", Gravity: r3.V(0, 0, -9.81), StepSize: 0.004, RealTime: 1,
		Models: []scene.Placed{
			{Name: "ground", Model: groundModel(), Pose: r3.IdentityPose()},
			{Name: "wall", Model: wallModel(), Pose: at(3, 0, 0.5)},
			{Name: "crate", Model: boxModel(0.5), Pose: at(0, 2, 0.25), Deletable: true},
			{Name: "rover", Model: roverModel(), Pose: at(0, 0, 0)},
		},
		NamedPoses: []scene.NamedPose{
			{Name: "dock", Pose: r3.PoseRPY(1, -1, 0, 0, 0, math.Pi/2), Tags: []string{"start", "indoor"}},
			{Name: "gate", Pose: at(-4, 0, 0), Tags: []string{"indoor"}, Bounds: scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{{}, r3.V(1, 0, 0)}}},
		},
	}
}

func newShelf() *shelf {
	ghost := ballModel()
	ghost.Links[0].Collisions[0] = scene.Geom{Name: "skin", Kind: scene.MeshGeom}
	ghost.Notes = scene.Notes{{Kind: scene.Missing, File: "ghost.sdf", Line: 7, Column: 3, Text: "meshes/ghost.dae"}}
	bare := ballModel()
	bare.Notes = ghost.Notes
	void := &scene.WorldSpec{Name: "void"}
	torn := yardWorld()
	torn.Models = append(torn.Models, scene.Placed{Name: "rover", Model: ballModel(), Pose: r3.IdentityPose()})
	twice := &scene.WorldSpec{Name: "twice", NamedPoses: []scene.NamedPose{{Name: "a", Pose: r3.IdentityPose()}, {Name: "a", Pose: r3.IdentityPose()}}}
	odd := &scene.WorldSpec{Name: "odd", Notes: scene.Notes{{Kind: scene.Unsupported, File: "odd.sdf", Line: 2, Column: 5, Text: "<wind>"}}}
	holey := &scene.WorldSpec{Name: "holey", Models: []scene.Placed{{Name: "ghost", Model: ghost, Pose: r3.IdentityPose()}}}
	hill := &scene.WorldSpec{Name: "hill", Gravity: r3.V(0, 0, -9.81), StepSize: 0.004, Models: []scene.Placed{
		{Name: "slope", Model: slopeModel(), Pose: r3.IdentityPose()}, {Name: "rover", Model: roverModel(), Pose: at(0, 0, 0.05)}}}
	return &shelf{
		models: map[string]*scene.ModelSpec{"ball": ballModel(), "box": boxModel(0.5), "rover": roverModel(), "arm": armModel(), "wall": wallModel(), "ghost": ghost, "bare": bare},
		worlds: map[string]*scene.WorldSpec{"yard": yardWorld(), "void": void, "torn": torn, "twice": twice, "odd": odd, "holey": holey, "hill": hill},
	}
}

// yard is a world with the yard loaded, in a state.
func yard(t testing.TB, state State) *World {
	t.Helper()
	w, err := NewWorld(Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, w, LoadWorld{Resource: Resource{URI: "yard"}})
	if state != Stopped {
		apply(t, w, SetState{state})
	}
	return w
}

// apply carries out a command that must not be refused.
func apply(t testing.TB, w *World, c Command) Reply {
	t.Helper()
	r, err := try(w, c)
	if err != nil {
		t.Fatalf("%s: %v", Describe(c), err)
	}
	return r
}

func try(w *World, c Command) (Reply, error) {
	r, err := w.Apply(c, Load(newShelf(), c))
	if _, steps := c.(StepWorld); !steps || err != nil || r != nil {
		return r, err
	}
	for w.Stepping() {
		if err := w.Step(); err != nil {
			return nil, err
		}
	}
	return w.Outcome()
}

// steps runs a playing world, and looks after every step whether it is sound.
func steps(t testing.TB, w *World, n int) {
	t.Helper()
	for range n {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		if err := w.Validate(); err != nil {
			t.Fatalf("after step %d: %v", w.Total(), err)
		}
	}
}

// where is the ground truth of an entity.
func where(t testing.TB, s *Snapshot, name string) EntityState {
	t.Helper()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("no entity %q", name)
	}
	return s.Entities[i]
}

// running is an engine whose loop runs until the test ends.
func running(t testing.TB, c Config) *Engine {
	t.Helper()
	if c.Library == nil {
		c.Library = newShelf()
	}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		loop.Wait()
	})
	return e
}

// do is Deck.Do of a command that must not be refused.
func do(t testing.TB, d Backend, c Command) Reply {
	t.Helper()
	r, err := d.Do(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", Describe(c), err)
	}
	return r
}

// logger is a Recorder of commands.
type logger func(LogEntry)

func (logger) Begin(RecordPosition, []LogEntry, uint64) {}
func (l logger) Command(e LogEntry)                     { l(e) }
func (logger) Step(uint64, uint64)                      {}
func (logger) State(uint64, time.Duration, Restore)     {}
func (logger) End()                                     {}
