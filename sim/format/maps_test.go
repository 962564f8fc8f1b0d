package format_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// mapFolder is a map of three by two cells of half a metre, two of them walls, its sidecar, and a world that
// includes it.
func mapFolder(pose string) fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"room/plan.yaml":           file("image: plan.pgm\nresolution: 0.5\norigin: [1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"),
		"room/plan.pgm":            file("P2\n3 2\n255\n0 205 255\n254 0 254\n"),
		"room/plan.simulationinfo": file(`{"description": "A small room", "tags": ["map", "small"]}`),
		"room/world.sdf": file(`<sdf version="1.11"><world name="room"><include><uri>plan.yaml</uri><name>walls</name>` +
			pose +
			`</include></world></sdf>`),
	}
}

func TestAWorldIncludesTheWallsOfAMap(t *testing.T) {
	for pose, want := range map[string]r3.Vec{"": r3.V(1, 2, 0),
		"<pose>10 20 0 0 0 0</pose>": r3.V(11, 22, 0)} {
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "r", FS: mapFolder(pose)}}})
		w, err := lib.World(scene.Resource{URI: "room"})
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Models) != 1 || len(w.Notes) != 0 {
			t.Fatalf("%d models, notes %v", len(w.Models), w.Notes)
		}
		m := w.Models[0]
		if m.Name != "walls" || !m.Static || m.Pose.Pos != want || len(m.Model.Links[0].Collisions) != 2 {
			t.Errorf("%q: %s static %v at %v with %d walls, want 2 at %v", pose, m.Name, m.Static, m.Pose.Pos,
				len(m.Model.Links[0].Collisions), want)
		}
	}
}

func TestAMapThatCannotBeReadIsLeftOutWithItsReason(t *testing.T) {
	files := mapFolder("")
	delete(files, "room/plan.pgm")
	w, err := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "r",
		FS: files}}}).World(scene.Resource{URI: "room"})
	if err != nil || len(w.Models) != 0 || len(w.Notes) != 1 ||
		!strings.Contains(w.Notes[0].Text, "plan.pgm") {
		t.Errorf("%v, %+v", err, w)
	}
}

func TestTheSidecarOfAMapDescribesItsWorld(t *testing.T) {
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "r", FS: mapFolder("")}}})
	w, err := lib.World(scene.Resource{URI: "room/plan.yaml"})
	if err != nil || w.Description != "A small room" || !slices.Equal(w.Tags, []string{"map", "small"}) {
		t.Errorf("%v: %q %v", err, w.Description, w.Tags)
	}
}
