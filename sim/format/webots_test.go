package format

import (
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/scene"
)

func yard() fstest.MapFS {
	return fstest.MapFS{
		"projects/yard/worlds/yard.wbt":    text("#VRML_SIM R2023b utf8\nEXTERNPROTO \"webots://projects/bots/Bot.proto\"\nWorldInfo { title \"The yard\" info \"a place\" }\nFloor { }\nBot { name \"b\" }"),
		"projects/bots/Bot.proto":          text("#VRML_SIM R2023b utf8\nPROTO Bot [ field SFString name \"bot\" ] { Robot { name IS name boundingObject Box { size 1 1 1 } physics Physics { } children [ Shape { geometry Mesh { url \"m.obj\" } } ] } }"),
		"projects/bots/Bot.simulationinfo": text(`{"description":"a bot","tags":["t"]}`),
		"projects/other/message.proto":     text("syntax = \"proto3\";\nmessage A { string b = 1; }"),
		"projects/bots/Old.proto":          text("PROTO Old [ ] { Solid { } }"),
		"projects/bots/Paint.proto":        text("#VRML_SIM R2023b utf8\nPROTO Paint [ ] { PBRAppearance { } }"),
		"projects/bots/m.obj":              text(triangle),
	}
}

func TestWebotsWorldsAndRobotsAreListed(t *testing.T) {
	lib := library(yard())
	worlds, complaints := lib.Worlds(nil)
	if len(worlds) != 1 || worlds[0].Name != "The yard" || worlds[0].Description != "a place" ||
		len(complaints) != 0 {
		t.Fatalf("%+v %v", worlds, complaints)
	}
	spawnables, _ := lib.Spawnables(nil)
	if len(spawnables) != 2 || spawnables[1].Name != "Old" || spawnables[0].Name != "Bot" ||
		spawnables[0].Info.Category != scene.Robot || spawnables[0].Info.Description != "a bot" {
		t.Fatalf("%+v: an appearance cannot stand by itself", spawnables)
	}
}

func TestWebotsWorldsAndRobotsLoadByTheirAddresses(t *testing.T) {
	lib := library(yard())
	worlds, _ := lib.Worlds(nil)
	spawnables, _ := lib.Spawnables(nil)
	w, err := lib.World(scene.Resource{URI: worlds[0].URI})
	if err != nil || len(w.Models) != 2 || w.Models[1].Name != "b" ||
		len(w.Models[1].Model.Links[0].Visuals) != 1 {
		t.Fatalf("%+v %v", w, err)
	}
	m, err := lib.Model(scene.Resource{URI: spawnables[0].URI})
	if err != nil || m.Name != "Bot" || m.Info.Description != "a bot" || m.Info.Category != scene.Robot {
		t.Fatalf("%+v %v", m, err)
	}
	if again, _ := lib.Model(scene.Resource{URI: spawnables[0].URI}); again != m {
		t.Error("a model that nothing has changed is kept")
	}
	if w, err = lib.World(scene.Resource{URI: spawnables[0].URI}); err != nil || len(w.Models) != 2 ||
		w.Models[0].Name != "ground_plane" {
		t.Errorf("a PROTO opened as a world stands on a ground plane: %+v %v", w, err)
	}
	if w, err = lib.World(scene.Resource{Document: "#VRML_SIM R2023b utf8\nSolid { }"}); err != nil ||
		len(w.Models) != 1 {
		t.Errorf("a world as text: %+v %v", w, err)
	}
	if _, err = lib.World(scene.Resource{URI: "webots://projects/yard/worlds/yard.wbt"}); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"webots://../../etc/passwd", "webots:///etc/passwd"} {
		if _, err = lib.World(scene.Resource{URI: address}); err == nil ||
			!strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
