package asset

import (
	"errors"
	"testing"
	"testing/fstest"
)

// fuelSpace has a search folder, both caches of Gazebo, simdeck's downloads and a mirror, in this order.
func fuelSpace() *Space {
	files := func(names ...string) fstest.MapFS {
		all := fstest.MapFS{}
		for _, n := range names {
			all[n] = file(n)
		}
		return all
	}
	const gz, ign = "fuel.gazebosim.org/", "fuel.ignitionrobotics.org/"
	return NewSpace(
		Root{Name: "ws", Base: "/ws", FS: files("w.sdf", "models/own/model.sdf",
			gz+"lab/models/patched/1/model.sdf")},
		Root{Name: "gz", Base: "/home/u/.gz/fuel", Unlisted: true, Downloads: true, FS: files(
			gz+"openrobotics/models/jersey barrier/2/model.sdf",
			gz+"openrobotics/models/jersey barrier/9/model.sdf",
			gz+"openrobotics/models/jersey barrier/10/model.sdf",
			gz+"openrobotics/models/jersey barrier/10/meshes/barrier.dae",
			gz+"lab/models/patched/7/model.sdf",
			gz+"zoo/models/chair/1/model.sdf", gz+"zoo/models/chair/1/meshes/seat.dae",
			gz+"zoo/models/renamed on upload/3/model.sdf", gz+"zoo/models/renamed on upload/3/meshes/old.dae",
			gz+"openrobotics/models/chair/2/model.sdf")},
		Root{Name: "ign", Base: "/home/u/.ignition/fuel", Unlisted: true, Downloads: true, FS: files(
			ign+"movai/models/shelf/1/model.sdf", ign+"movai/models/shelf/1/meshes/shelf.obj",
			ign+"chapulina/worlds/shapes/1/shapes.sdf")},
		Root{Name: "assets", Base: "/home/u/.cache/simdeck/assets", Unlisted: true, Downloads: true,
			FS: files("example.org/a/b.stl", gz+"openrobotics/models/jersey barrier/11/model.sdf")},
		Root{Name: "mirror", Base: "/mnt/mirror", Unlisted: true, Downloads: true, FS: files(
			gz+"OpenRobotics/models/Euro pallet/model.sdf", gz+"lab/models/untagged/tip/model.sdf",
			"raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/X.proto")})
}

var copies = []struct {
	uri, from string // from a root and a path in it; empty: the world
	root      int
	want      string // path below the root; empty: err
	err       error
}{
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/10"},
	{uri: "https://fuel.gazebosim.org/1.0/openrobotics/models/jersey%20barrier/", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/10"},
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/2", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/2"},
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/11", root: 3,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/11"},
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/12", err: ErrNetwork},
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/tip/files/meshes/barrier.dae", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/10/meshes/barrier.dae"},
	{uri: "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier/10/files/meshes/none.dae", err: ErrNetwork},
	{uri: "https://fuel.ignitionrobotics.org/1.0/OpenRobotics/models/Jersey Barrier/9", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/9"},
	{uri: "https://fuel.gazebosim.org/1.0/MovAi/models/shelf", root: 2,
		want: "fuel.ignitionrobotics.org/movai/models/shelf/1"},
	{uri: "https://api.ignitionfuel.org/1.0/MovAi/models/shelf/1", root: 2,
		want: "fuel.ignitionrobotics.org/movai/models/shelf/1"},
	{uri: "https://fuel.gazebosim.org/1.0/chapulina/worlds/Shapes", root: 2,
		want: "fuel.ignitionrobotics.org/chapulina/worlds/shapes/1"},
	{uri: "https://fuel.gazebosim.org/1.0/chapulina/models/Shapes", err: ErrNetwork},
	{uri: "https://fuel.gazebosim.org/1.0/openrobotics/models/Euro pallet", root: 4,
		want: "fuel.gazebosim.org/OpenRobotics/models/Euro pallet"},
	{uri: "https://fuel.gazebosim.org/1.0/lab/models/untagged", root: 4,
		want: "fuel.gazebosim.org/lab/models/untagged/tip"},
	{uri: "https://fuel.gazebosim.org/1.0/lab/models/patched", root: 0,
		want: "fuel.gazebosim.org/lab/models/patched/1"},
	{uri: "https://fuel.gazebosim.org/1.0/lab/models/patched/7", root: 1,
		want: "fuel.gazebosim.org/lab/models/patched/7"},
	{uri: "https://example.org/a/b.stl?raw=1", root: 3, want: "example.org/a/b.stl"},
	{uri: "https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/X.proto", root: 4,
		want: "raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/X.proto"},
	{uri: "webots://projects/x/X.proto", root: 4,
		want: "raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/X.proto"},
	{uri: "model://own", root: 0, want: "models/own"},
	{uri: "model://Jersey Barrier", root: 1, want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/10"},
	{uri: "model://jersey_barrier/meshes/barrier.dae", root: 1,
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/10/meshes/barrier.dae"},
	{uri: "model://chair", root: 1, want: "fuel.gazebosim.org/openrobotics/models/chair/2"},
	{uri: "model://shelf/meshes/shelf.obj", root: 2,
		want: "fuel.ignitionrobotics.org/movai/models/shelf/1/meshes/shelf.obj"},
	{uri: "model://old/meshes/old.dae", err: ErrNotFound},
	{uri: "model://jersey_barrier/../../../../../../../etc/passwd", err: ErrOutside},
	// in a file of a copy
	{uri: "model://jersey_barrier/model.sdf", root: 1,
		from: "fuel.gazebosim.org/openrobotics/models/jersey barrier/9/model.sdf",
		want: "fuel.gazebosim.org/openrobotics/models/jersey barrier/9/model.sdf"},
	{uri: "model://chair", root: 1, from: "fuel.gazebosim.org/zoo/models/renamed on upload/3/model.sdf",
		want: "fuel.gazebosim.org/zoo/models/chair/1"},
	{uri: "model://old/meshes/old.dae", root: 1,
		from: "fuel.gazebosim.org/zoo/models/renamed on upload/3/model.sdf",
		want: "fuel.gazebosim.org/zoo/models/renamed on upload/3/meshes/old.dae"},
	{uri: "model://other", from: "fuel.gazebosim.org/zoo/models/renamed on upload/3/model.sdf", root: 1,
		err: ErrNotFound},
	{uri: "meshes/seat.dae", root: 1, from: "fuel.gazebosim.org/zoo/models/chair/1/model.sdf",
		want: "fuel.gazebosim.org/zoo/models/chair/1/meshes/seat.dae"},
}

func TestAddressesOfFuelAreAnsweredFromTheFirstFolderThatHasACopy(t *testing.T) {
	s := fuelSpace()
	for _, c := range copies {
		from := Ref{Root: c.root, Path: c.from}
		if c.from == "" {
			from = Ref{Root: 0, Path: "w.sdf"}
		}
		r, err := s.Resolve(c.uri, from)
		switch {
		case c.err != nil:
			if !errors.Is(err, c.err) {
				t.Errorf("%s in %s: %v %v, want %v", c.uri, c.from, r, err, c.err)
			}
		case err != nil || r != Ref{Root: c.root, Path: c.want}:
			t.Errorf("%s in %s: %v %v, want %s in root %d", c.uri, c.from, r, err, c.want, c.root)
		}
	}
}

func TestCopiesAreNeitherListedNorSearchedForOtherAddresses(t *testing.T) {
	s := fuelSpace()
	for _, uri := range []string{"fuel.gazebosim.org/zoo/models/chair/1/model.sdf", "package://chair/model.sdf",
		"spawnable://gz/fuel.gazebosim.org/zoo/models/chair/1/model"} {
		if r, err := s.Resolve(uri, Ref{Path: "w.sdf"}); err == nil {
			t.Errorf("%s is %v", uri, r)
		}
	}
}
