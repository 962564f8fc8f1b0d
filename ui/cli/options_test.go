package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

func TestWhatIsAskedIsSaidInTheEnginesWords(t *testing.T) {
	for o, want := range map[*Options]sim.State{{}: sim.Playing, {Paused: true}: sim.Paused,
		{Stopped: true}: sim.Stopped} {
		if o.Start() != want {
			t.Errorf("%+v starts %v, want %v", o, o.Start(), want)
		}
	}
	for asked, want := range map[float64]float64{-1: 0, 0: engine.AsFastAsPossible, 2.5: 2.5} {
		if got := (Options{RealTime: asked}).Pace(); got != want {
			t.Errorf("a factor of %g is %g for the engine, want %g", asked, got, want)
		}
	}
}

func TestEveryFolderIsSearchedOnceTheAskedOnesFirst(t *testing.T) {
	t.Setenv("GZ_SIM_RESOURCE_PATH", "/a:/b::/b")
	t.Setenv("GAZEBO_MODEL_PATH", "")
	t.Setenv("AMENT_PREFIX_PATH", "/c")
	t.Setenv("ROS_PACKAGE_PATH", "/b/../d")
	asked, inherited := Options{Path: []string{"/b", "/b/."}}.SearchPaths()
	if !slices.Equal(asked, []string{"/b"}) || !slices.Equal(inherited, []string{"/a", "/c", "/d"}) {
		t.Errorf("asked %q, inherited %q", asked, inherited)
	}
}

func TestAnAskedFolderThatIsNotThereIsAnErrorAnInheritedOneIsNot(t *testing.T) {
	for _, name := range []string{"GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH"} {
		t.Setenv(name, "")
	}
	there, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	t.Setenv("GZ_SIM_RESOURCE_PATH", gone)
	folders, world, err := Options{World: "bench", Path: []string{there}}.SearchFolders()
	if err != nil || world != "bench" || len(folders) != 1 || folders[0].Dir != there {
		t.Errorf("folders %v of world %q: %v", folders, world, err)
	}
	if _, _, err := (Options{World: "bench", Path: []string{gone}}).SearchFolders(); !errors.Is(err,
		fs.ErrNotExist) || !strings.Contains(err.Error(), gone) {
		t.Errorf("an asked folder that is not there: %v", err)
	}
}

// TestControllersAreThoseOfTheProjectOfTheNamedWorld: nothing else that a world may be has any.
func TestControllersAreThoseOfTheProjectOfTheNamedWorld(t *testing.T) {
	base := layout(t, "arm/worlds/arm.wbt", "arm/worlds/arm.sdf", "arm/arm.wbt", "other/worlds/x/arm.wbt")
	for world, want := range map[string]string{"arm/worlds/arm.wbt": "arm", "arm/worlds/../worlds/arm.wbt": "arm",
		"arm/worlds/arm.sdf": "", "arm/arm.wbt": "", "other/worlds/x/arm.wbt": "", "bench": ""} {
		named := world
		if strings.Contains(world, "/") {
			named = base + "/" + world
		}
		l := run(t, []string{"run", named, "--run-controllers", "--webots-robot-name", "arm"}, nil)
		if want != "" {
			want = filepath.Join(base, want)
		}
		w := l.options.Webots
		if l.err != nil || w == nil || w.Project != want || !w.Run || w.Address != "0" || w.Robot != "arm" {
			t.Fatalf("%s: %v, %+v", world, l.err, w)
		}
		err := l.options.CheckWebots()
		if want == "" && errors.Is(err, ErrUsage) && strings.Contains(err.Error(), "PROJECT/worlds/NAME.wbt") {
			continue
		}
		if want == "" || err != nil {
			t.Errorf("%s: %v", world, err)
		}
	}
	l := run(t, []string{"run", base + "/arm/worlds/arm.wbt", "--run-controllers", "--webots-controllers",
		"1234"}, nil)
	if w := l.options.Webots; l.err != nil || w.Address != "1234" || w.Project == "" {
		t.Errorf("%v, %+v", l.err, w)
	}
	if l = run(t, []string{"run", "--webots-patience", "2s"}, nil); !errors.Is(l.err, ErrUsage) {
		t.Errorf("a patience without controllers: %v", l.err)
	}
	others := Options{World: "bench", Serving: Serving{Webots: &Webots{Address: "1234"}}}
	if err := others.CheckWebots(); err != nil {
		t.Errorf("controllers that nobody starts need no project: %v", err)
	}
}

// layout makes empty files and gives the folder that they are in.
func layout(t *testing.T, files ...string) string {
	base := t.TempDir()
	for _, f := range files {
		f = filepath.Join(base, f)
		if err := errors.Join(os.MkdirAll(filepath.Dir(f), 0o700), os.WriteFile(f, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

func TestClientsHaveTheWorldsOwnFolderAndWhatIsLaidOutAboutIt(t *testing.T) {
	for _, name := range []string{"GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH",
		"GZ_SIM_RESOURCE_PATH"} {
		t.Setenv(name, "")
	}
	base := layout(t, "lab/worlds/x.sdf", "lab/notes", "pkg/package.xml", "pkg/stuff/r.urdf", "me/x.sdf",
		"me/secret", "me/town/world.yaml", "me/urdf/r.urdf")
	t.Setenv("HOME", filepath.Join(base, "me"))
	for world, want := range map[string][]SearchFolder{
		"lab/worlds/x.sdf": {{Dir: "lab"}},
		"pkg/stuff/r.urdf": {{Dir: "pkg"}},
		"me/x.sdf":         {{Dir: "", For: TheUser}, {Dir: "me", For: Clients}},
		"me/town":          {{Dir: "me", For: TheUser}, {Dir: "me/town", For: Clients}},
		"me/urdf/r.urdf":   {{Dir: "me", For: TheUser}, {Dir: "me/urdf", For: Clients}},
	} {
		got, _, err := Options{World: filepath.Join(base, world)}.SearchFolders()
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %+v, %v", world, got, err)
			continue
		}
		for i := range want {
			if got[i].Dir != filepath.Join(base, want[i].Dir) || got[i].For != want[i].For ||
				got[i].Unlisted {
				t.Errorf("%s: folder %d is %+v, want %+v", world, i, got[i], want[i])
			}
		}
	}
	got, _, err := Options{World: "bench", SpawnFrom: scene.ReachAnywhere}.SearchFolders()
	if err != nil || len(got) != 1 || got[0].Dir != "/" || !got[0].Unlisted {
		t.Errorf("anywhere: %+v, %v", got, err)
	}
}

func TestWhatClientsMayHaveReadIsAskedForAndSaidByDoctor(t *testing.T) {
	listed := map[string]string{"simdeck.yaml": "spawn-from: listed\n"}
	for _, c := range []struct {
		files   map[string]string
		environ string
		args    []string
		want    scene.Reach
		says    string
	}{
		{nil, "", nil, scene.ReachSearch,
			"ok    spawn from       search: clients may name any model or world below the search path"},
		{listed, "", nil, scene.ReachListed,
			"ok    spawn from       listed: clients may name what get_spawnables"},
		{listed, "SIMDECK_SPAWN_FROM=search", nil, scene.ReachSearch, "search: clients"},
		{listed, "SIMDECK_SPAWN_FROM=search", []string{"--spawn-from", "anywhere"}, scene.ReachAnywhere,
			"every node in this domain can load any model on this machine"},
	} {
		if l := run(t, append([]string{"doctor"}, c.args...), c.files, c.environ); l.err != nil ||
			!strings.Contains(l.out, c.says) {
			t.Errorf("%+v: %v, %s", c, l.err, l.out)
		}
		if l := run(t, append([]string{"run"}, c.args...), c.files, c.environ); l.err != nil ||
			l.options.SpawnFrom != c.want {
			t.Errorf("%+v: %v, %v", c, l.err, l.options.SpawnFrom)
		}
	}
	if l := run(t, []string{"run", "--spawn-from", "home"}, nil); ExitCode(l.err) != 2 ||
		!strings.Contains(l.err.Error(), "want search, listed, anywhere") {
		t.Errorf("a word that is none: %v", l.err)
	}
}

func TestDeprecatedServicesAreThoseOfASimulatorThatHasSome(t *testing.T) {
	for _, of := range []string{"", "gazebo", "o3de"} {
		if l := run(t, []string{"run", "--legacy", of}, nil); l.err != nil || l.options.ROS.Legacy != of {
			t.Errorf("--legacy %q: %v, %q", of, l.err, l.options.ROS.Legacy)
		}
	}
	if l := run(t, []string{"run", "--legacy", "isaac"}, nil); ExitCode(l.err) != 2 ||
		!strings.Contains(l.err.Error(), "legacy isaac from flag --legacy: want gazebo or o3de") {
		t.Errorf("a simulator that has none: %v", l.err)
	}
}

func TestANamespaceMayHoldTheNameOfTheHost(t *testing.T) {
	for host, want := range map[string]string{"lab": "/x/lab",
		"simdeck-worker-7d9f-x2.local": "/x/simdeck_worker_7d9f_x2_local", "10.1.2.3": "/x/h10_1_2_3",
		"": "/x/host"} {
		if got := onHost("/x/@host", func() (string, error) { return host, nil }); got != want {
			t.Errorf("on %s it is %s, want %s", host, got, want)
		}
	}
	if got := onHost("/x", func() (string, error) { return "lab", nil }); got != "/x" {
		t.Errorf("a namespace without it is %s", got)
	}
}
