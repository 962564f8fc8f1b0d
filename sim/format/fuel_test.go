package format

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// fuelModel is a model as those of Fuel servers are: its mesh is named by the name it had before it was put
// there.
func fuelModel(name, mesh string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><sdf version="1.6"><model name="%s"><static>1</static><link name="body">
<collision name="c"><geometry><box><size>1 0.4 2</size></box></geometry></collision>
<visual name="v"><geometry><mesh><uri>%s</uri></mesh></geometry></visual></link></model></sdf>`, name, mesh)
}

const triangleSTL = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid t\n"

// depot is a world as Nav2's and TurtleBot's are: of models of two names of one server.
const depot = `<?xml version="1.0"?><sdf version="1.8"><world name="depot">
<include><uri>https://fuel.ignitionrobotics.org/1.0/OpenRobotics/models/Ground Plane</uri></include>
<include><uri>https://fuel.ignitionrobotics.org/1.0/MovAi/models/shelf_big</uri><name>shelf_big_0</name><pose>1 2 0 0 0 0</pose></include>
<include><uri>https://fuel.ignitionrobotics.org/1.0/MovAi/models/shelf_big</uri><name>shelf_big_1</name><pose>1 4 0 0 0 0</pose></include>
<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/2</uri><pose relative_to="shelf_big_0">3 0 0 0 0 0</pose></include>
<include><uri>https://fuel.gazebosim.org/1.0/zoo/models/Hall</uri></include>
</world></sdf>`

func depotFiles() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(host, model, version string, contents map[string]string) {
		for name, data := range contents {
			files[host+"/"+model+"/"+version+"/"+name] = text(data)
		}
	}
	config := `<?xml version="1.0"?><model><name>x</name><sdf version="1.6">model.sdf</sdf></model>`
	put("fuel.gazebosim.org", "movai/models/shelf_big", "1", map[string]string{"model.config": config,
		"model.sdf": fuelModel("shelf_big", "model://shelf_big/meshes/t.stl"), "meshes/t.stl": triangleSTL})
	put("fuel.ignitionrobotics.org", "openrobotics/models/jersey barrier", "2", map[string]string{
		"model.sdf":    fuelModel("jersey_barrier", "model://jersey_barrier/meshes/t.stl"),
		"meshes/t.stl": triangleSTL})
	put("fuel.gazebosim.org", "zoo/models/hall", "3", map[string]string{"model.sdf": `<sdf version="1.8"><model name="hall"><static>1</static>
<include><uri>https://fuel.gazebosim.org/1.0/zoo/models/Door/tip</uri><name>front</name></include></model></sdf>`})
	put("fuel.gazebosim.org", "zoo/models/door", "12", map[string]string{"model.sdf": fuelModel("door",
		"https://fuel.gazebosim.org/1.0/zoo/models/Door/tip/files/meshes/t.stl"), "meshes/t.stl": triangleSTL})
	put("fuel.gazebosim.org", "zoo/models/door", "9", map[string]string{"model.sdf": "worse"})
	return files
}

func depotLibrary(copies fstest.MapFS) *Library {
	return NewLibrary(Config{Roots: []asset.Root{
		{Name: "path1", Base: "/w", FS: fstest.MapFS{"depot.sdf": text(depot)}},
		{Name: "path2", Base: "/home/u/.gz/fuel", FS: copies, Unlisted: true, Downloads: true}}})
}

func TestAWorldWhoseModelsLieInTheFuelCacheLoadsWhole(t *testing.T) {
	lib := depotLibrary(depotFiles())
	for who, lib := range map[string]*Library{"user": lib, "client": lib.ForClients()} {
		w, err := lib.World(scene.Resource{URI: "/w/depot.sdf"})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range w.Notes {
			if !strings.Contains(n.Text, "Ground Plane: there is no local copy; the built-in model") {
				t.Errorf("%s: %v", who, n)
			}
		}
		names := []string{}
		for _, m := range w.Models {
			names = append(names, m.Name)
			for _, l := range m.Model.Links {
				for i := range l.Visuals {
					if l.Visuals[i].Kind == scene.MeshGeom && l.Visuals[i].Mesh == nil {
						t.Errorf("%s: %s has no mesh", who, m.Name)
					}
				}
			}
		}
		if want := []string{"ground_plane", "shelf_big_0", "shelf_big_1", "jersey_barrier",
			"hall"}; !slices.Equal(names, want) {
			t.Errorf("%s: models %v, want %v", who, names, want)
		}
	}
	wanted, err := lib.Wants(context.Background(), scene.Resource{URI: "/w/depot.sdf"})
	if want := []string{"https://fuel.gazebosim.org/1.0/OpenRobotics/models/Ground%20Plane/tip/Ground%20Plane.zip"}; err != nil ||
		!slices.Equal(spelled(wanted), want) {
		t.Errorf("it wants %q, %v; want %q", wanted, err, want)
	}
}

func TestWhatIsMissingIsOneNoteForAModelAndABoxInItsPlace(t *testing.T) {
	files := depotFiles()
	for name := range files {
		if strings.Contains(name, "shelf_big") || strings.Contains(name, "/door/") {
			delete(files, name)
		}
	}
	lib := depotLibrary(files)
	w, err := lib.World(scene.Resource{URI: "/w/depot.sdf"})
	if err != nil {
		t.Fatal(err)
	}
	missing := []string{}
	for _, n := range w.Notes {
		if n.Kind == scene.Missing {
			missing = append(missing, n.String())
		}
	}
	want := []string{
		`/w/depot.sdf:3:1: missing: model "shelf_big", include https://fuel.ignitionrobotics.org/1.0/MovAi/models/shelf_big: no local copy of a network's file; ` +
			"`simdeck fetch /w/depot.sdf` brings one; a box of 0.9 × 0.4 × 2 m stands in (2 times)",
		`/home/u/.gz/fuel/fuel.gazebosim.org/zoo/models/hall/3/model.sdf:2:1: missing: model "Door", include https://fuel.gazebosim.org/1.0/zoo/models/Door/tip: no local copy of a network's file; ` +
			"`simdeck fetch /w/depot.sdf` brings one; left out"}
	if strings.Join(missing, "\n") != strings.Join(want, "\n") {
		t.Errorf("notes:\n%s\nwant:\n%s", strings.Join(missing, "\n"), strings.Join(want, "\n"))
	}
	at := map[string]scene.Placed{}
	for _, m := range w.Models {
		at[m.Name] = m
	}
	box := at["shelf_big_1"]
	if box.Model == nil || !box.Static || box.Pose.Pos.Y != 4 ||
		!slices.Contains(box.Model.Info.Tags, scene.StandInTag) || len(box.Model.Links[0].Collisions) != 1 ||
		len(box.Model.Links[0].Visuals) != 1 {
		t.Errorf("the box is %+v", box)
	}
	if p := at["jersey_barrier"].Pose.Pos; p.X != 4 || p.Y != 2 {
		t.Errorf("the barrier stands at %v, want it 3 m from the box", p)
	}
}

func TestAStandInIsOfTheSizeThatIsKnown(t *testing.T) {
	world := `<sdf version="1.9"><world name="w">
<include><uri>model://foldable_chairs</uri></include>
<include><uri>model://foldable_chairs</uri></include>
<include><uri>model://gadget</uri><name>g</name><simdeck:bounds><pose>0 0 1 0 0 0</pose><box><size>2 4 6</size></box></simdeck:bounds>
 <plugin name="p" filename="libgazebo_ros_diff_drive.so"><left_joint>l</left_joint></plugin></include>
<model name="foldable_chairs"><static>1</static><link name="l"/></model>
<joint name="j" type="fixed"><parent>g::link</parent><child>foldable_chairs::l</child></joint>
<include><uri>model://away</uri><static>false</static></include>
</world></sdf>`
	w, err := NewLibrary(Config{}).World(scene.Resource{Document: world})
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]string{}
	for _, m := range w.Models {
		sizes[m.Name] = fmt.Sprint(m.Static, len(m.Model.Drives))
		for _, l := range m.Model.Links {
			for _, g := range l.Collisions {
				sizes[m.Name] += fmt.Sprint(g.Size, g.Pose.Pos)
			}
		}
	}
	want := map[string]string{"foldable_chairs": "true 0", "foldable_chairs_1": "true 0{0.5 0.5 0.9} {0 0 0.45}",
		"foldable_chairs_2": "true 0{0.5 0.5 0.9} {0 0 0.45}", "g": "true 0{2 4 6} {0 0 1}", "away": "true 0"}
	if fmt.Sprint(sizes) != fmt.Sprint(want) {
		t.Errorf("models %v\nwant   %v\n%v", sizes, want, w.Notes)
	}
}

func TestAnotherVersionOfAFuelModelStandsInWithANote(t *testing.T) {
	lib := depotLibrary(depotFiles())
	w, err := lib.World(scene.Resource{Document: `<sdf version="1.9"><world name="w"><include>
<uri>https://fuel.gazebosim.org/1.0/zoo/models/Door/4</uri></include></world></sdf>`})
	if err != nil || len(w.Models) != 1 || len(w.Models[0].Model.Links) != 1 {
		t.Fatalf("%v, %+v", err, w)
	}
	if got := w.Notes[0].Text; !strings.Contains(got, "this version has no local copy") ||
		!strings.Contains(got, "zoo/models/door/12 stands in") {
		t.Errorf("the note is %q", got)
	}
}

func TestWhatADownloadedFileNamesBesideItIsWanted(t *testing.T) {
	const folder = "raw.githubusercontent.com/a/b/main/"
	lib := NewLibrary(Config{Roots: []asset.Root{
		{Name: "path1", Base: "/c", Unlisted: true, Downloads: true, FS: fstest.MapFS{
			folder + "urdf/r.urdf": text(`<robot name="r"><link name="l"><visual><geometry><mesh filename="../meshes/r.stl"/></geometry></visual>
<collision><geometry><mesh filename="../../../../../etc/x.stl"/></geometry></collision></link></robot>`)}}}})
	wanted, _ := lib.Wants(context.Background(), scene.Resource{URI: "https://" + folder + "urdf/r.urdf"})
	if want := []string{"https://" + folder + "meshes/r.stl"}; !slices.Equal(spelled(wanted), want) {
		t.Errorf("it wants %q, want %q", wanted, want)
	}
}

func TestAWorldOfWebotsWantsItsProtosTexturesAndMeshes(t *testing.T) {
	const server = "raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/"
	world := `#VRML_SIM R2023b utf8
EXTERNPROTO "https://` + server + `things/protos/Thing.proto"
EXTERNPROTO "webots://projects/things/protos/Other.proto"
EXTERNPROTO "https://` + server + `things/protos/Near.proto"
WorldInfo {}
Thing {}
Other {}
Near {}
Solid { children [ Shape { appearance PBRAppearance { baseColorMap ImageTexture { url "https://` + server + `things/x.jpg" } }
 geometry Box {} } Shape { geometry Mesh { url "https://` + server + `things/x.stl" } } ] }
`
	proto := "#VRML_SIM R2023a utf8\n" + `EXTERNPROTO "Part.proto"
EXTERNPROTO "webots://projects/things/protos/Deep.proto"
PROTO Thing [] { Solid { children [ Part {} Deep {} Shape { appearance PBRAppearance {
 baseColorMap ImageTexture { url "textures/t.png" } roughnessMap ImageTexture { url "textures/r.png" } }
 geometry Box {} } Shape { geometry Mesh { url "meshes/t.stl" } } ] } }`
	files := fstest.MapFS{}
	lib := NewLibrary(Config{Roots: []asset.Root{
		{Name: "path1", Base: "/w", FS: fstest.MapFS{"worlds/w.wbt": text(world),
			"protos/Near.proto": text("#VRML_SIM R2023b utf8\nPROTO Near [] { Solid {} }")}},
		{Name: "path2", Base: "/c", FS: files, Unlisted: true, Downloads: true}}})
	wants := func() []string {
		all, err := lib.Wants(t.Context(), scene.Resource{URI: "/w/worlds/w.wbt"})
		if err != nil {
			t.Fatal(err)
		}
		list := spelled(all)
		for i := range list {
			list[i] = strings.TrimPrefix(list[i], "https://"+server)
		}
		slices.Sort(list)
		return list
	}
	if got, want := wants(), []string{"things/protos/Other.proto", "things/protos/Thing.proto", "things/x.jpg",
		"things/x.stl"}; !slices.Equal(got, want) {
		t.Errorf("at first it wants %q\nwant %q", got, want)
	}
	files[server+"things/protos/Thing.proto"] = text(proto)
	if got, want := wants(), []string{"things/protos/Deep.proto", "things/protos/Other.proto", "things/protos/Part.proto",
		"things/protos/meshes/t.stl", "things/protos/textures/t.png", "things/x.jpg", "things/x.stl"}; !slices.Equal(got, want) {
		t.Errorf("with Thing.proto it wants %q\nwant %q", got, want)
	}
	w, err := lib.World(scene.Resource{URI: "/w/worlds/w.wbt"})
	if err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(w.Notes); !strings.Contains(all, "`simdeck fetch /w/worlds/w.wbt` brings one") {
		t.Errorf("the notes do not say what to do: %s", all)
	}
}

// spelled are addresses as they are written.
func spelled(all []asset.Address) (list []string) {
	for _, a := range all {
		list = append(list, a.String())
	}
	return list
}
