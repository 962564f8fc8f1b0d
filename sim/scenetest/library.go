// Package scenetest has models, worlds and a library of Go literals for the tests of the engine's packages.
// It imports descriptions only, so that every package above scene can test with the same robot.
package scenetest

import (
	"fmt"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Library is a scene.Library that answers from memory.
type Library struct {
	ModelSpecs map[string]*scene.ModelSpec // by URI
	WorldSpecs map[string]*scene.WorldSpec // by URI
	Gate       func()                      // called while a world is read
}

// NewLibrary makes a library of the models of this package, and of worlds with one fault each. "torn" and
// "twice" have a name twice, "odd" has an unsupported element, "holey" lacks a mesh.
func NewLibrary() *Library {
	ghost := Ball()
	ghost.Links[0].Collisions[0] = scene.Geom{Name: "skin", Kind: scene.MeshGeom}
	ghost.Notes = scene.Notes{{Kind: scene.Missing, File: "ghost.sdf", Line: 7, Column: 3,
		Text: "meshes/ghost.dae"}}
	bare := Ball()
	bare.Notes = ghost.Notes
	void := &scene.WorldSpec{Name: "void"}
	torn := Yard()
	torn.Models = append(torn.Models, scene.Placed{Name: "rover", Model: Ball(), Pose: r3.IdentityPose()})
	twice := &scene.WorldSpec{Name: "twice",
		NamedPoses: []scene.NamedPose{{Name: "a", Pose: r3.IdentityPose()},
			{Name: "a", Pose: r3.IdentityPose()}}}
	odd := &scene.WorldSpec{Name: "odd",
		Notes: scene.Notes{{Kind: scene.Unsupported, File: "odd.sdf", Line: 2, Column: 5, Text: "<wind>"}}}
	holey := &scene.WorldSpec{Name: "holey",
		Models: []scene.Placed{{Name: "ghost", Model: ghost, Pose: r3.IdentityPose()}}}
	hill := &scene.WorldSpec{Name: "hill", Gravity: r3.V(0, 0, -9.81), StepSize: 0.004,
		Models: []scene.Placed{
			{Name: "slope", Model: Slope(), Pose: r3.IdentityPose()},
			{Name: "rover", Model: Rover(), Pose: At(0, 0, 0.05)}}}
	return &Library{
		ModelSpecs: map[string]*scene.ModelSpec{"ball": Ball(), "box": Box(0.5), "rover": Rover(),
			"arm": Arm(), "wall": Wall(), "ghost": ghost, "bare": bare},
		WorldSpecs: map[string]*scene.WorldSpec{"yard": Yard(), "void": void, "torn": torn, "twice": twice,
			"odd": odd, "holey": holey, "hill": hill},
	}
}

// Model answers a model; the URI "panic" panics as a faulty reader does.
func (s *Library) Model(r scene.Resource) (*scene.ModelSpec, error) {
	if r.URI == "panic" {
		panic("index out of range")
	}
	if m := s.ModelSpecs[r.URI]; m != nil {
		return m, nil
	}
	if r.Document != "" {
		return nil, fmt.Errorf("%w: text:1:1: %q", scene.ErrParse, r.Document)
	}
	return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
}

// World calls Gate and answers a world.
func (s *Library) World(r scene.Resource) (*scene.WorldSpec, error) {
	if s.Gate != nil {
		s.Gate()
	}
	if w := s.WorldSpecs[r.URI]; w != nil {
		return w, nil
	}
	return nil, fmt.Errorf("%w: %s", scene.ErrNotFound, r.URI)
}

// Spawnables lists two models, and a folder that cannot be read.
func (s *Library) Spawnables([]string) ([]scene.Spawnable, []string) {
	return []scene.Spawnable{{URI: "ball", Name: "ball"}, {URI: "rover", Name: "rover"}},
		[]string{"attic: locked"}
}

// Worlds lists the yard.
func (s *Library) Worlds([]string) ([]scene.WorldInfo, []string) {
	return []scene.WorldInfo{{Name: "yard", URI: "yard"}}, nil
}

// Formats names one format that no reader has.
func (s *Library) Formats() []string { return []string{"literal"} }
