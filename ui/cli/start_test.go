package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim"
)

func TestWhatIsAskedIsSaidInTheEnginesWords(t *testing.T) {
	for o, want := range map[*Options]sim.State{{}: sim.Playing, {Paused: true}: sim.Paused, {Stopped: true}: sim.Stopped} {
		if o.Start() != want {
			t.Errorf("%+v starts %v, want %v", o, o.Start(), want)
		}
	}
	for asked, want := range map[float64]float64{-1: 0, 0: sim.AsFastAsPossible, 2.5: 2.5} {
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
	folders, world, err := Options{World: "bench", Path: []string{there}}.Folders()
	if err != nil || world != "bench" || len(folders) != 1 || folders[0].Dir != there {
		t.Errorf("folders %v of world %q: %v", folders, world, err)
	}
	if _, _, err := (Options{World: "bench", Path: []string{gone}}).Folders(); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), gone) {
		t.Errorf("an asked folder that is not there: %v", err)
	}
}

func TestANamespaceMayHoldTheNameOfTheHost(t *testing.T) {
	for host, want := range map[string]string{"lab": "/x/lab", "simdeck-worker-7d9f-x2.local": "/x/simdeck_worker_7d9f_x2_local", "10.1.2.3": "/x/h10_1_2_3", "": "/x/host"} {
		if got := onHost("/x/@host", func() (string, error) { return host, nil }); got != want {
			t.Errorf("on %s it is %s, want %s", host, got, want)
		}
	}
	if got := onHost("/x", func() (string, error) { return "lab", nil }); got != "/x" {
		t.Errorf("a namespace without it is %s", got)
	}
}
