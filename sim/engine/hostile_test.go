package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// brick is a box of a size and mass, with the inertia of a cube.
func brick(size r3.Vec, mass float64) *scene.ModelSpec {
	m := scenetest.Solid("brick", mass, scene.Geom{Name: "skin", Kind: scene.Box, Size: size})
	i := mass * (size.X*size.X + size.Y*size.Y) / 12
	m.Links[0].Inertial.Inertia = r3.Diag(r3.V(i, i, i))
	return m
}

// bricks are n of them, each a model of its own, on a ground.
func bricks(n int, make func(i int) (*scene.ModelSpec, r3.Vec)) *scene.WorldSpec {
	w := &scene.WorldSpec{Name: "hostile", Gravity: r3.V(0, 0, -9.81),
		Models: []scene.Placed{{Name: "ground", Model: scenetest.Ground(), Pose: r3.IdentityPose()}}}
	for i := range n {
		m, pos := make(i)
		w.Models = append(w.Models, scene.Placed{Name: fmt.Sprintf("b%d", i), Model: m,
			Pose: r3.Pose{Pos: pos, Rot: r3.FromRPY(0.1, 0.2, 0.3)}, Deletable: true})
	}
	return w
}

// alike are bricks of one model.
func alike(n int, m *scene.ModelSpec, at func(i int) r3.Vec) *scene.WorldSpec {
	return bricks(n, func(i int) (*scene.ModelSpec, r3.Vec) { return m, at(i) })
}

// row stands them beside each other.
func row(gap, z float64) func(int) r3.Vec {
	return func(i int) r3.Vec { return r3.V(float64(i)*gap, 0, z) }
}

// links is a world with a chain of n links, or a ring; every other link weighs ratio kg.
func links(n int, kind scene.JointKind, ring bool, ratio float64) *scene.WorldSpec {
	return alike(1, scenetest.Chain(n, kind, ring, ratio), row(0, 0))
}

// gearLoop is three wheels of which each turns the next, by ratios that contradict each other.
func gearLoop() *scene.WorldSpec {
	m := &scene.ModelSpec{Name: "gears", Frame: r3.IdentityPose()}
	for i := range 4 {
		m.Links = append(m.Links, scene.Link{Name: fmt.Sprint("g", i), Pose: at(float64(i), 0, 2),
			Inertial: scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}})
	}
	for i := range 3 {
		m.Joints = append(m.Joints, scene.Joint{Name: fmt.Sprint("h", i), Kind: scene.Continuous, Parent: 3,
			Child: i, Pose: r3.IdentityPose(), Axis: r3.V(0, 0, 1),
			Mimic: scene.Mimic{Set: true, Joint: (i + 1) % 3, Multiplier: []float64{2, 3, 1e9}[i]}})
	}
	return alike(1, m, row(0, 0))
}

// stiff is a joint with a spring, damping and friction beyond all bounds.
func stiff() *scene.WorldSpec {
	m := &scene.ModelSpec{Name: "spring", Frame: r3.IdentityPose()}
	for i := range 2 {
		m.Links = append(m.Links, scene.Link{Name: fmt.Sprint("s", i), Pose: at(0, 0, 3+float64(i)),
			Inertial: scene.Inertial{Mass: 1, Pose: r3.IdentityPose(), Inertia: r3.Diag(r3.V(1, 1, 1))}})
	}
	m.Joints = []scene.Joint{{Name: "j", Kind: scene.Revolute, Parent: 0, Child: 1, Pose: r3.IdentityPose(),
		Axis:      r3.V(1, 0, 0),
		Stiffness: 1e15, Damping: 1e12, Friction: 1e12, Limit: scene.Limit{Effort: 1e300}}}
	return alike(1, m, row(0, 0))
}

// hostile is a world, how many steps of it are done, and the error of loading it.
type hostile struct {
	world *scene.WorldSpec
	steps uint64
	want  error
}

// hostileWorlds are worlds of extreme masses, sizes, numbers, chains, rings and gears.
func hostileWorlds() map[string]hostile {
	unit := r3.V(1, 1, 1)
	heavy := alike(20, brick(unit, 1), row(1.5, 2))
	heavy.Gravity = r3.V(0, 0, -1e12)
	bent := brick(unit, 1)
	bent.Links[0].Inertial.Inertia = r3.Mat{XX: 1e-12, YY: 1e6, ZZ: -1, XY: 5, YX: 5}
	return map[string]hostile{
		"many": {alike(2000, brick(unit, 1), func(i int) r3.Vec {
			return r3.V(float64(i%20)*1.1, float64(i/20%25)*1.1, 1+float64(i/500)*1.2)
		}), 5, nil},
		"no mass":   {alike(20, brick(unit, 0), row(1.5, 2)), 50, nil},
		"tiny mass": {alike(20, brick(unit, 1e-30), row(1.5, 2)), 50, nil},
		"mass ratio": {bricks(10, func(i int) (*scene.ModelSpec, r3.Vec) {
			return brick(unit, math.Pow(1e9, float64(i%2))), r3.V(0, 0, 0.6+float64(i)*1.02)
		}), 700, nil},
		"tiny size": {alike(100, brick(r3.V(1e-6, 1e-6, 1e-6), 1e-15),
			func(i int) r3.Vec {
				return r3.V(float64(i%10)*1.5e-6, float64(i/10)*1.5e-6,
					3e-6+float64(i)*1e-6)
			}), 50, nil},
		"huge size":  {alike(50, brick(r3.V(1e6, 1e6, 1e6), 1e18), row(1.5e6, 3e6)), 0, sim.ErrInvalidPose},
		"large size": {alike(50, brick(r3.V(1e4, 1e4, 1e4), 1e12), row(1.5e4, 1e4)), 50, nil},
		"too far away": {alike(50, brick(unit, 1),
			func(i int) r3.Vec { return r3.V(1e8+float64(i)*1.5, 1e8, 2) }), 0, sim.ErrInvalidPose},
		"far away": {alike(50, brick(unit, 1),
			func(i int) r3.Vec { return r3.V(9e5+float64(i)*1.5, 9e5, 2) }), 50, nil},
		"one place":        {alike(300, brick(unit, 1), row(0, 1)), 0, sim.ErrLimit},
		"nearly one place": {alike(60, brick(unit, 1), row(0, 1)), 20, nil},
		"gravity":          {heavy, 0, sim.ErrParse},
		"needles":          {alike(30, brick(r3.V(1e3, 1e-5, 1e-5), 1e6), row(0.01, 2)), 50, nil},
		"chain":            {links(1000, scene.Revolute, false, 1), 10, nil},
		"chain of balls":   {links(1000, scene.Ball, false, 1), 10, nil},
		"slides":           {links(300, scene.Prismatic, false, 1), 30, nil},
		"uneven chain":     {links(100, scene.Revolute, false, 1e8), 20, nil},
		"ring":             {links(100, scene.Revolute, true, 1), 3, nil},
		"long ring":        {links(101, scene.Revolute, true, 1), 0, sim.ErrLimit},
		"gears":            {gearLoop(), 200, nil},
		"stiff spring":     {stiff(), 200, nil},
		"bent inertia":     {alike(1, bent, row(0, 2)), 200, nil},
	}
}

// TestNoHostileWorldTakesTheSimulatorFromItsUsers loads, steps, plays, spawns, deletes, stops and quits in
// each: every command is answered, and a distant ball stays.
func TestNoHostileWorldTakesTheSimulatorFromItsUsers(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	for name, c := range hostileWorlds() {
		t.Run(name, func(t *testing.T) {
			lib := scenetest.NewLibrary()
			lib.WorldSpecs["hostile"] = c.world
			e, err := New(Config{Library: lib, World: sim.Resource{URI: "yard"}, Start: sim.Paused,
				RealTime: AsFastAsPossible, Limits: sim.DefaultLimits()})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- e.Run(ctx) }()
			do := func(c sim.Command) {
				t.Helper()
				if _, err := e.Do(ctx, c); err != nil {
					t.Errorf("%s: %v", sim.Describe(c), err)
				}
			}
			if _, err := e.Do(ctx, sim.LoadWorld{Resource: sim.Resource{URI: "hostile"},
				IgnoreMissingAssets: true}); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Fatalf("loading: %v, want %v", err, c.want)
			}
			if c.want == nil {
				do(sim.SetState{State: sim.Paused})
			}
			ball := r3.V(-100, -100, 0.5)
			do(sim.Spawn{Name: "ball", Resource: sim.Resource{URI: "ball"},
				Pose: sim.FramedPose{Pose: r3.Pose{Pos: ball, Rot: r3.Identity()}}})
			do(sim.StepWorld{N: max(1, c.steps)})
			do(sim.SetState{State: sim.Playing})
			do(sim.Spawn{Name: "late", Resource: sim.Resource{URI: "box"},
				Pose: sim.FramedPose{Pose: at(-105, -100, 0.3)}})
			do(sim.Delete{Names: []string{"late"}})
			s := e.Snapshot()
			if i, ok := s.Find("ball"); !ok || s.Entities[i].Fault != nil ||
				s.Entities[i].Pose.Pos.Dist(ball) > 0.01 {
				t.Errorf("the ball beside it: %v", s.Entities)
			}
			for i := range s.Entities {
				if p := &s.Entities[i]; !p.Pose.IsFinite() || !p.Twist.IsFinite() {
					t.Errorf("%s is at %v with %v", s.Model.Entities[i].Name, p.Pose, p.Twist)
				}
			}
			do(sim.SetState{State: sim.Stopped})
			do(sim.SetState{State: sim.Quitting})
			if err := <-ended; err != nil {
				t.Errorf("the engine ended with %v", err)
			}
		})
	}
}

func TestLimitsRefuseWithTheNumberAndTheLimit(t *testing.T) {
	w, err := NewWorld(Options{Limits: sim.Limits{Entities: 6, Links: 4, Overlaps: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := try(w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}}); !errors.Is(err, sim.ErrLimit) ||
		!strings.Contains(err.Error(), `links of model "rover": 5; at most 4`) {
		t.Errorf("a world with a model too large: %v", err)
	}
	if w, err = NewWorld(Options{Limits: sim.Limits{Entities: 6, Joints: 4, Overlaps: 2}}); err != nil {
		t.Fatal(err)
	}
	apply(t, w, sim.LoadWorld{Resource: sim.Resource{URI: "yard"}})
	refused := func(words string, c sim.Command) {
		t.Helper()
		before := w.Hash()
		if _, err := try(w, c); !errors.Is(err, sim.ErrLimit) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", sim.Describe(c), err, words)
		}
		if w.Hash() != before {
			t.Errorf("%s was refused and changed the world", sim.Describe(c))
		}
	}
	spawn := func(name, model string, x float64) sim.Spawn {
		return sim.Spawn{Name: name, Resource: sim.Resource{URI: model},
			Pose: sim.FramedPose{Pose: at(x, -5, 1)}}
	}
	apply(t, w, spawn("a", "ball", 0))
	apply(t, w, spawn("b", "ball", 0.01))
	refused("entities: 7; at most 6", spawn("c", "ball", 3))
	crowd := at(0.005, -5, 1)
	refused("bodies in one place, at 0.005 -5 1: 3; at most 2", sim.SetEntityState{Name: "crate",
		Pose: &crowd})
	same := w.entities.list[0].linkPose(w.physics, 0)
	apply(t, w, sim.SetEntityState{Name: "a", Pose: &same})
	apply(t, w, sim.Reset{})
}
