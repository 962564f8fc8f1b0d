package sim

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// framesModel is links each of which is the frame of hulls_test.go in two sizes, one of them twice.
func framesModel(links int) *scene.ModelSpec {
	m := frameModel(0)
	frame := m.Links[0].Collisions[0]
	for i := range links {
		l := m.Links[0]
		l.Name = fmt.Sprintf("l%d", i)
		l.Collisions = nil
		for _, size := range []float64{1, 2 + float64(i), 1} {
			g := frame
			g.Scale = r3.V(size, size, size)
			l.Collisions = append(l.Collisions, g)
		}
		if i > 0 {
			m.Links = append(m.Links, l)
			m.Joints = append(m.Joints, scene.Joint{Name: l.Name, Kind: scene.Continuous, Parent: i - 1, Child: i, Axis: r3.V(0, 0, 1), Pose: r3.IdentityPose()})
		} else {
			m.Links[0] = l
		}
	}
	return m
}

func TestMeshesAreCutIntoTheSameHullsOnAnyNumberOfProcessors(t *testing.T) {
	var first *compiledModel
	for _, n := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(n)
		p, err := compileModel(framesModel(6), false)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.bodies) != 6 || len(p.bodies[5].geoms) != 12 {
			t.Fatalf("%d bodies, want 6 of 12 hulls", len(p.bodies))
		}
		if first == nil {
			first = p
		}
		for i := range p.bodies {
			if !reflect.DeepEqual(p.bodies[i].geoms, first.bodies[i].geoms) {
				t.Errorf("on %d processors body %d has other hulls than on one", n, i)
			}
		}
	}
}

func TestEachMeshIsCutOnceAndWhoeverWaitsIsTold(t *testing.T) {
	var told []Decomposition
	r := &reader{onProgress: func(c Decomposition) { told = append(told, c) }} // one call at a time: the race detector would say
	spec := framesModel(6)
	spec.Links[0].Collisions[0].Mesh.URI = "package://robot/meshes/frame.stl"
	models := r.compiled(t.Context(), modelKey{spec, false}, modelKey{spec, false}, modelKey{spec, true})
	for i, m := range models {
		if m.err != nil || m.model == nil {
			t.Fatalf("model %d: %v", i, m.err)
		}
	}
	if models[0].model != models[1].model {
		t.Error("the same model is compiled twice")
	}
	const sizes = 7 // 1 and 2 to 7; the model that stands still needs none
	if len(told) != sizes+1 || told[sizes] != (Decomposition{}) {
		t.Fatalf("told %v, want %d meshes and the end", told, sizes)
	}
	for i, c := range told[:sizes] {
		if c.Of != sizes || c.Done > i || c.Mesh != "frame.stl" {
			t.Errorf("told %d: %+v", i, c)
		}
	}
}

// brokenSolids panics as a reader with a fault would.
type brokenSolids struct{}

func (brokenSolids) Surface(r3.Vec) (*shape.Mesh, error)            { panic("no surface") }
func (brokenSolids) Hulls(r3.Vec, shape.Cut) ([]*shape.Hull, error) { panic("no hulls") }

func TestAMeshThatBreaksIsAnErrorOfLoadingAndNoCrash(t *testing.T) {
	library := newShelf()
	spec := framesModel(4)
	spec.Links[3].Collisions[1].Mesh = &scene.Mesh{Solids: brokenSolids{}}
	library.worlds["broken"] = &scene.WorldSpec{Name: "broken", Models: []scene.Placed{{Name: "m", Model: spec, Pose: r3.IdentityPose()}}}
	l := Load(library, LoadWorld{Resource: Resource{URI: "broken"}})
	if l.err == nil {
		t.Error("it loads")
	}
}

func TestAnEngineShowsWhatLoadingWaitsFor(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	e.decomposing(Decomposition{Done: 3, Of: 9, Mesh: "hip.stl"})
	e.shownAt = e.shownAt.Add(-idlePeriod)
	e.iterate(e.shownAt.Add(2 * idlePeriod))
	if got := e.feed.Latest().Decomposition; got != (Decomposition{3, 9, "hip.stl"}) {
		t.Errorf("the snapshot says %v", got)
	}
	e.decomposing(Decomposition{})
	e.iterate(e.shownAt.Add(2 * idlePeriod))
	if got := e.feed.Latest().Decomposition; got != (Decomposition{}) {
		t.Errorf("at the end the snapshot says %v", got)
	}
}
