package format

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

const (
	cubeSDF  = `<sdf version="1.9"><model name="cube"><link name="l"><inertial><mass>1</mass></inertial></link></model></sdf>`
	meshURDF = `<robot name="r"><link name="l"><visual><geometry><mesh filename="package://bot/meshes/m.obj"/></geometry></visual></link></robot>`
	triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
)

func disk() fstest.MapFS {
	return fstest.MapFS{
		"models/cube/model.config": text(`<model><name>Cube</name><sdf version="1.5">old.sdf</sdf><sdf version="1.10">new.sdf</sdf><sdf version="1.9">mid.sdf</sdf><description> a
			cube </description></model>`),
		"models/cube/old.sdf":            text("<sdf/>"),
		"models/cube/mid.sdf":            text("<sdf/>"),
		"models/cube/new.sdf":            text(cubeSDF),
		"models/cube/new.simulationinfo": text(`{"description":"sidecar","category":"dynamic_object","tags":["a","b"],"bounds":{"sphere":{"centre":[0,0,1],"radius":2}}}`),
		"bot/urdf/bot.urdf":              text(meshURDF),
		"bot/meshes/m.obj":               text(triangle),
		"bot/package.xml":                text("<package/>"),
		"worlds/flat.sdf":                text(`<sdf version="1.9"><world name="flat"><include><uri>model://ground_plane</uri></include><include><uri>https://fuel.gazebosim.org/1.0/Some/models/Cube/2</uri></include></world></sdf>`),
		"broken.urdf":                    text("<robot name='r'>\n<link"),
		"arena.wbt":                      text("#VRML_SIM R2023b utf8"),
		"arm.xml":                        text("<mujoco/>"),
		".hidden/x.urdf":                 text(meshURDF),
	}
}

func library(fsys fs.FS) *Library {
	return NewLibrary(Config{Roots: []asset.Root{{Name: asset.Cache, FS: fsys}}})
}

func TestErrorsSayWhyAndWrapTheSentinels(t *testing.T) {
	lib := library(disk())
	for _, c := range []struct {
		resource scene.Resource
		is       error
		says     string
	}{
		{scene.Resource{}, scene.ErrNoResource, "neither an address nor a document"},
		{scene.Resource{URI: "model://ghost"}, scene.ErrNotFound, "ghost"},
		{scene.Resource{URI: "https://example.invalid/x.urdf"}, scene.ErrNotFound, "no local copy"},
		{scene.Resource{URI: "file:///etc/passwd"}, scene.ErrNotFound, "outside"},
		{scene.Resource{URI: "broken.urdf"}, scene.ErrParse,
			"@cache@/broken.urdf:2:1: <link> is never closed"},
		{scene.Resource{URI: "arena.wbt"}, scene.ErrParse, "@cache@/arena.wbt:1:1: the file holds no PROTO"},
		{scene.Resource{URI: "arm.xml"}, scene.ErrParse, "neither a <body> nor a <geom>"},
		{scene.Resource{URI: "worlds/flat.sdf"}, scene.ErrParse, "a model is needed"},
		{scene.Resource{URI: "worlds"}, scene.ErrNotFound, "no model.sdf"},
		{scene.Resource{Document: "<robot>"}, scene.ErrParse, "document:1:8"},
		{scene.Resource{Document: "hello"}, scene.ErrParse, "document:1:1"},
		{scene.Resource{Document: "#VRML_SIM"}, scene.ErrParse, "document:1:1: the file holds no PROTO"},
	} {
		_, err := lib.Model(c.resource)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %v saying %q", c.resource, err, c.is, c.says)
		}
	}
}

func TestAModelIsFoundUnderEveryAddress(t *testing.T) {
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "ws", FS: disk(), Base: "/home/u/ws"}}})
	for _, uri := range []string{"model://cube", "cube", "models/cube", "models/cube/new.sdf",
		"/home/u/ws/models/cube", "file:///home/u/ws/models/cube/new.sdf",
		"spawnable://ws/models/cube.spawnable"} {
		m, err := lib.Model(scene.Resource{URI: uri})
		if err != nil || m.Name != "cube" || m.Source != uri || m.Info.Description != "sidecar" {
			t.Errorf("%s: %+v, %v", uri, m, err)
		}
	}
}

// TestEveryFormatThatIsToldSpawns holds spawn_formats of GetSimulatorFeatures to the readers, both ways.
func TestEveryFormatThatIsToldSpawns(t *testing.T) {
	files := fstest.MapFS{"proto/Post.proto": text("#VRML_SIM R2023b utf8\nPROTO Post [ ] { Solid { } }"),
		"compiled/crate.spawnable": text("ObjS\x00\x01")}
	for _, name := range []string{"robot.urdf", "robot.urdf.xacro", "crate.prefab", "map.yaml", "world.xml",
		"mesh.obj", "mesh.stl", "mesh.dae"} {
		data, err := os.ReadFile(filepath.Join("../engine/testdata/anyworld", name))
		if err != nil {
			t.Fatal(err)
		}
		files["any/"+name] = &fstest.MapFile{Data: data}
	}
	plan := mapPlan()
	files["any/map.yaml"], files["any/plan.pgm"] = text(plan[0]), text(plan[1])
	files["any/cube.sdf"], files["compiled/crate.prefab"] = text(cubeSDF), files["any/crate.prefab"]
	lib := library(files)
	of := map[string]string{"sdf": "any/cube.sdf", "urdf": "any/robot.urdf", "xacro": "any/robot.urdf.xacro",
		"mjcf": "any/world.xml", "proto": "proto/Post.proto", "prefab": "any/crate.prefab",
		"spawnable": "compiled/crate.spawnable", "map": "any/map.yaml"}
	told := lib.Formats()
	for _, format := range told {
		if m, err := lib.Model(scene.Resource{URI: of[format]}); err != nil || len(m.Links) == 0 {
			t.Errorf("%q is told as a format, and %q does not spawn: %v", format, of[format], err)
		}
		delete(of, format)
	}
	if len(of) > 0 {
		t.Errorf("%v spawn, and are not told: %q", of, told)
	}
}

// mapPlan is an occupancy map with a wall: its YAML and its picture, plan.pgm.
func mapPlan() [2]string {
	return [2]string{"image: plan.pgm\nresolution: 0.5\norigin: [1, 2, 0]\nnegate: 0\n" +
		"occupied_thresh: 0.65\nfree_thresh: 0.196\n", "P2\n3 2\n255\n0 205 255\n254 0 254\n"}
}

func TestWhatO3DECompilesIsReadFromWhatItWasMadeOf(t *testing.T) {
	l := library(fstest.MapFS{"a/crate.spawnable": text("ObjS\x00\x01"),
		"a/crate.urdf":     text(`<robot name="crate"><link name="l"/></robot>`),
		"b/lost.spawnable": text("ObjS\x00")})
	if m, err := l.Model(scene.Resource{URI: "a/crate.spawnable"}); err != nil || m.Name != "crate" {
		t.Errorf("%v: %+v", err, m)
	}
	if _, err := l.Model(scene.Resource{URI: "b/lost.spawnable"}); !errors.Is(err,
		scene.ErrUnsupportedFormat) || !strings.Contains(err.Error(), "no .prefab that it was made of") {
		t.Error(err)
	}
}

func TestSpawnablesAreListedWithTheirSidecarsAndSpawn(t *testing.T) {
	lib := library(disk())
	list, complaints := lib.Spawnables(nil)
	if len(complaints) > 0 || len(list) != 2 {
		t.Fatalf("%+v, %v", list, complaints)
	}
	bot, cube := list[0], list[1]
	if bot.URI != "spawnable://@cache@/bot/urdf/bot.spawnable" || bot.Info.Category != scene.Robot ||
		bot.Name != "bot" {
		t.Errorf("bot is %+v", bot)
	}
	if cube.URI != "spawnable://@cache@/models/cube.spawnable" || cube.Info.Category != scene.DynamicObject ||
		len(cube.Info.Tags) != 2 ||
		cube.Info.Bounds.Kind != scene.SphereBounds || cube.Info.Bounds.Points[1].X != 2 ||
		cube.Name != "cube" {
		t.Errorf("cube is %+v", cube)
	}
	for _, s := range list {
		if m, err := lib.Model(scene.Resource{URI: s.URI}); err != nil || len(m.Notes) > 0 {
			t.Errorf("%s: %v, notes %v", s.URI, err, m.Notes)
		}
	}
}

func TestSourcesAreFoldersInsideTheRootsAndOpenNone(t *testing.T) {
	lamps := fstest.MapFS{"deep/lamp.sdf": text(strings.ReplaceAll(cubeSDF, "cube", "lamp")),
		".hid/a.sdf": text(cubeSDF)}
	extra := fstest.MapFS{"b.sdf": text(cubeSDF), "home/me/c.sdf": text(cubeSDF)}
	everywhere := asset.Root{Name: "@anywhere@", FS: extra, Base: "/", Unlisted: true}
	roots := []asset.Root{{Name: "path1", FS: lamps, Base: "/lamps"}}
	lib := NewLibrary(Config{Roots: roots}).ForClients()
	list, complaints := lib.Spawnables([]string{"/lamps/deep", "/lamps/.hid", "/", "file:///home", "/nowhere",
		"https://example.invalid/models", "/lamps/deep/lamp.sdf"})
	if len(list) != 2 || list[0].URI != "file:///lamps/.hid/a.sdf" ||
		list[1].URI != "file:///lamps/deep/lamp.sdf" {
		t.Errorf("list %+v", list)
	}
	if len(complaints) != 5 || !strings.Contains(complaints[0], `"/"`) ||
		!strings.Contains(complaints[0], "--spawn-from anywhere") ||
		!strings.Contains(complaints[3], "no local copy") || !strings.Contains(complaints[4], "no folder") {
		t.Errorf("complaints %q", complaints)
	}
	for _, uri := range []string{"file:///b.sdf", "/b.sdf", "/home/me/c.sdf"} {
		if _, err := lib.Model(scene.Resource{URI: uri}); !errors.Is(err, scene.ErrNotFound) ||
			!errors.Is(err, asset.ErrOutside) || !strings.Contains(err.Error(), "--spawn-from") {
			t.Errorf("%s: %v, want that it is outside, and the flag", uri, err)
		}
	}
	if _, err := lib.Model(scene.Resource{URI: list[1].URI}); err != nil {
		t.Errorf("what was listed does not spawn: %v", err)
	}
	open := NewLibrary(Config{Roots: append(roots, everywhere), Reach: scene.ReachAnywhere}).ForClients()
	if list, complaints = open.Spawnables(nil); len(list) != 1 || len(complaints) > 0 {
		t.Errorf("without a source %+v, %q", list, complaints)
	}
	list, complaints = open.Spawnables([]string{"/home"})
	if len(list) != 2 || list[0].URI != "file:///home/me/c.sdf" || len(complaints) > 0 {
		t.Errorf("with a source %+v, %q", list, complaints)
	}
	for _, uri := range []string{"file:///b.sdf", "/home/me/c.sdf", "/lamps/deep/lamp.sdf"} {
		if _, err := open.Model(scene.Resource{URI: uri}); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, complaints = lib.Spawnables(make([]string, 10_000)); len(complaints) != 1+maxSources {
		t.Errorf("%d complaints of 10000 sources", len(complaints))
	}
}

func TestOnlyWhatIsListedIsReadWhenThatIsAsked(t *testing.T) {
	files := disk()
	files["deep/.hid/a.sdf"], files["two/model.sdf"], files["two/other.sdf"] = text(cubeSDF), text(cubeSDF),
		text(cubeSDF)
	files["r.urdf.xacro"] = text(`<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="a" default="b"/><link name="$(arg a)"/></robot>`)
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: asset.Cache, FS: files}},
		Reach: scene.ReachListed}).ForClients()
	spawnables, _ := lib.Spawnables(nil)
	worlds, _ := lib.Worlds(nil)
	if len(spawnables) < 4 || len(worlds) == 0 {
		t.Fatalf("listed are %d and %d", len(spawnables), len(worlds))
	}
	for _, s := range spawnables {
		if _, err := lib.Model(scene.Resource{URI: s.URI}); err != nil {
			t.Errorf("%s is listed: %v", s.URI, err)
		}
	}
	for _, w := range worlds {
		if _, err := lib.World(scene.Resource{URI: w.URI}); err != nil {
			t.Errorf("%s is listed: %v", w.URI, err)
		}
	}
	for _, uri := range []string{"deep/.hid/a.sdf", "two/other.sdf", "r.urdf.xacro?a=c",
		"spawnable://@builtin@/builtin/sun/model.sdf"} {
		if _, err := lib.Model(scene.Resource{URI: uri}); !errors.Is(err, scene.ErrNotFound) ||
			!strings.Contains(err.Error(), "get_spawnables") {
			t.Errorf("%s is not listed: %v", uri, err)
		}
	}
	if _, err := lib.Model(scene.Resource{Document: cubeSDF}); err == nil ||
		!strings.Contains(err.Error(), "--spawn-from listed") {
		t.Errorf("a text: %v", err)
	}
}

func TestWorldsAreListedAndStandInsServeOffline(t *testing.T) {
	lib := library(disk())
	list, complaints := lib.Worlds(nil)
	if len(list) != 1 || len(complaints) > 0 || list[0].Name != "flat" ||
		list[0].URI != "world://@cache@/worlds/flat.sdf" {
		t.Fatalf("%+v, %v", list, complaints)
	}
	for _, uri := range []string{list[0].URI, "flat", "worlds/flat.sdf"} {
		w, err := lib.World(scene.Resource{URI: uri})
		if err != nil || len(w.Models) != 2 || w.Models[0].Name != "ground_plane" ||
			w.Models[1].Name != "cube" {
			t.Fatalf("%s: %+v, %v", uri, w, err)
		}
		if len(w.Notes) != 2 || w.Notes[0].Kind != scene.Inferred ||
			!strings.Contains(w.Notes[1].Text, "@cache@/models/cube stands in") {
			t.Errorf("notes %v", w.Notes)
		}
	}
	if _, err := lib.World(scene.Resource{URI: "ghost"}); !errors.Is(err, scene.ErrNotFound) {
		t.Errorf("a world that is not there: %v", err)
	}
}

func TestARobotOpenedAsAWorldStandsOnAGroundPlane(t *testing.T) {
	w, err := library(disk()).World(scene.Resource{URI: "bot/urdf/bot.urdf"})
	if err != nil || len(w.Models) != 2 || !w.Models[0].Static || w.Models[1].Name != "r" ||
		!w.Notes.Has(scene.Inferred) {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestACompiledModelIsKeptUntilSomethingChanges(t *testing.T) {
	files := disk()
	lib := library(files)
	bot := scene.Resource{URI: "bot/urdf/bot.urdf"}
	load := func() *scene.ModelSpec {
		t.Helper()
		m, err := lib.Model(bot)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := load()
	if load() != first {
		t.Error("the same model was compiled twice")
	}
	files["bot/meshes/m.obj"] = &fstest.MapFile{Data: []byte(triangle + "f 3 2 1\n"),
		ModTime: time.Unix(9, 0)}
	second := load()
	if second == first || len(second.Links[0].Visuals[0].Mesh.Triangles) != 2 {
		t.Error("a changed mesh was not read again")
	}
	delete(files, "bot/meshes/m.obj")
	third := load()
	if third == second || len(third.Links[0].Visuals) != 0 || !third.Notes.Has(scene.Missing) {
		t.Errorf("a mesh that went away: %+v", third)
	}
	files["bot/meshes/m.obj"] = text(triangle)
	if fourth := load(); fourth == third || len(fourth.Links[0].Visuals) != 1 {
		t.Error("a mesh that came back was not read")
	}
}

func TestNoLinkLeadsOutOfARealFolder(t *testing.T) {
	base := t.TempDir()
	outside, inside := filepath.Join(base, "secret.obj"), filepath.Join(base, "ws")
	if err := os.MkdirAll(filepath.Join(inside, "bot", "meshes"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{outside: triangle,
		filepath.Join(inside, "bot", "bot.urdf"): meshURDF} {
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(inside, "bot", "meshes", "m.obj")); err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"os.Root": rootFS(t, inside), "os.DirFS": os.DirFS(inside)} {
		lib := NewLibrary(Config{Roots: []asset.Root{{Name: "ws", FS: fsys, Base: inside}}})
		m, err := lib.Model(scene.Resource{URI: "bot/bot.urdf"})
		if err != nil || len(m.Links[0].Visuals) != 0 || !m.Notes.Has(scene.Missing) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func rootFS(t *testing.T, dir string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root.FS()
}

func TestSidecarsAreReadAndTheirMistakesLocated(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"bounds":{"box":{"min":[0,0,0],"max":[1,1,1]}}}`, ""},
		{`{"bounds":{"hull":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},"asset":"m.sdf"}`, ""},
		{"{\n \"tags\": 5}", "2:"},
		{"{\n", "2:1"},
		{`{} x`, "1:"},
		{`{"category":"dragon"}`, `category "dragon"`},
		{`{"asset":"other.sdf"}`, `belongs to "other.sdf"`},
		{`{"bounds":{}}`, "one of box, sphere"},
		{`{"bounds":{"sphere":{"radius":0}}}`, "radius 0"},
		{`{"bounds":{"box":{"min":[0,0,0],"max":[1,1,0]}}}`, "below its max"},
	} {
		info, _, err := parseSidecar([]byte(c.text), "m.sdf")
		if c.want == "" && (err != nil || info.Bounds.Kind == scene.NoBounds) {
			t.Errorf("%s: %+v, %v", c.text, info, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	files := disk()
	files["models/cube/new.simulationinfo"] = text(`{"category":`)
	if m, err := library(files).Model(scene.Resource{URI: "cube"}); err != nil ||
		!m.Notes.Has(scene.Unreadable) {
		t.Errorf("a broken sidecar: %v, notes %v", err, m.Notes)
	}
}

func TestTheCacheForgetsTheOldest(t *testing.T) {
	c := cache[int, int]{limit: 20}
	for i := range 4 {
		c.put(i, i, 5)
		c.put(i, i, 10)
	}
	if _, ok := c.get(1); ok || len(c.values) != 2 || c.weight != 20 {
		t.Errorf("%+v", c)
	}
	if c.put(9, 9, 21); len(c.values) != 0 || c.weight != 0 {
		t.Errorf("one that is too heavy: %+v", c)
	}
	c.put(3, 3, 1)
	if v, ok := c.get(3); !ok || v != 3 {
		t.Error("the newest is gone")
	}
}

func TestALibraryServesManyAtOnce(t *testing.T) {
	lib := library(disk())
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if _, err := lib.Model(scene.Resource{URI: "bot/urdf/bot.urdf"}); err != nil {
					t.Error(err)
				}
				if list, _ := lib.Spawnables(nil); len(list) != 2 {
					t.Errorf("%d spawnables", len(list))
				}
				if _, err := lib.World(scene.Resource{URI: "flat"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func FuzzDocument(f *testing.F) {
	f.Add(cubeSDF)
	f.Add(meshURDF)
	f.Add(`<sdf version="1.9"><world name="w"><include><uri>model://cube</uri></include></world></sdf>`)
	lib := library(disk())
	f.Fuzz(func(t *testing.T, document string) {
		if m, err := lib.Model(scene.Resource{Document: document}); err == nil && len(m.Links) == 0 {
			t.Fatal("a model without links")
		}
		if w, err := lib.World(scene.Resource{Document: document}); err == nil && w == nil {
			t.Fatal("neither a world nor an error")
		}
	})
}
