package engine

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/shape"
)

func TestEachMeshIsCutOnceAndWhoeverWaitsIsTold(t *testing.T) {
	var told []sim.Loading
	// one call at a time: the race detector would say
	r := &reader{onProgress: func(c sim.Loading) { told = append(told, c) }}
	spec := scenetest.Frames(6)
	spec.Links[0].Collisions[0].Mesh.URI = "package://robot/meshes/frame.stl"
	models := r.compiled(t.Context(), r.progress(sim.Loading{What: "robot.urdf"}, sim.Loading{}),
		model.Source{Spec: spec, Static: false},
		model.Source{Spec: spec, Static: false}, model.Source{Spec: spec, Static: true})
	for i, m := range models {
		if m.err != nil || m.model == nil {
			t.Fatalf("model %d: %v", i, m.err)
		}
	}
	if models[0].model != models[1].model {
		t.Error("the same model is compiled twice")
	}
	const sizes = 7 // 1 and 2 to 7; the model that stands still needs none
	if len(told) != sizes+1 || told[sizes] != (sim.Loading{}) {
		t.Fatalf("told %v, want %d meshes and the end", told, sizes)
	}
	for i, c := range told[:sizes] {
		if c.Of != sizes || c.Done > i || c.Mesh != "frame.stl" || c.What != "robot.urdf" {
			t.Errorf("told %d: %+v", i, c)
		}
	}
}

// brokenSolids panics as a reader with a fault would.
type brokenSolids struct{}

func (brokenSolids) Surface(r3.Vec) (*shape.Mesh, error) { panic("no surface") }

func (brokenSolids) Hulls(r3.Vec, shape.Cut) ([]*shape.Hull, error) { panic("no hulls") }

func TestAMeshThatBreaksIsAnErrorOfLoadingAndNoCrash(t *testing.T) {
	library := scenetest.NewLibrary()
	spec := scenetest.Frames(4)
	spec.Links[3].Collisions[1].Mesh = &scene.Mesh{Solids: brokenSolids{}}
	library.WorldSpecs["broken"] = &scene.WorldSpec{Name: "broken",
		Models: []scene.Placed{{Name: "m", Model: spec, Pose: r3.IdentityPose()}}}
	l := Load(library, sim.LoadWorld{Resource: sim.Resource{URI: "broken"}})
	if l.err == nil {
		t.Error("it loads")
	}
}

func TestAnEngineShowsWhatLoadingWaitsFor(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	e.showLoading(sim.Loading{Done: 3, Of: 9, Mesh: "hip.stl"})
	e.publication.shownAt = e.publication.shownAt.Add(-idlePeriod)
	e.iterate(e.publication.shownAt.Add(2 * idlePeriod))
	if got := e.feed.Latest().Loading; got != (sim.Loading{Done: 3, Of: 9, Mesh: "hip.stl"}) {
		t.Errorf("the snapshot says %v", got)
	}
	e.showLoading(sim.Loading{})
	e.iterate(e.publication.shownAt.Add(2 * idlePeriod))
	if got := e.feed.Latest().Loading; got != (sim.Loading{}) {
		t.Errorf("at the end the snapshot says %v", got)
	}
}
