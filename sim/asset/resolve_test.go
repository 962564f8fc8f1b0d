package asset

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

func link(target string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
}

func testSpace() *Space {
	return NewSpace(
		Root{Name: Cache, FS: fstest.MapFS{
			"models/rover/model.sdf": file("rover"),
			"bench/world.sdf":        file("bench"),
			"top.stl":                file("top"),
		}},
		Root{Name: "ws", Base: "/home/u/ws", FS: fstest.MapFS{
			"src/bot/urdf/bot.urdf":     file("bot"),
			"src/bot/meshes/a b.stl":    file("mesh"),
			"src/bot/meshes/in.stl":     link("a b.stl"),
			"src/bot/meshes/out.stl":    link("../../../../secret"),
			"src/bot/meshes/etc":        link("/etc"),
			"src/bot/meshes/other.stl":  link("/opt/models/crate/c.stl"),
			"src/bot/meshes/round.stl":  link("round.stl"),
			"models/rover/model.sdf":    file("second rover"),
			"share/arm/meshes/arm.dae":  file("arm"),
			"src/bot/meshes/..data.stl": file("odd"),
		}},
		Root{Name: "crates", Base: "/opt/models", FS: fstest.MapFS{"crate/c.stl": file("c")}},
	)
}

var addresses = []struct {
	uri  string
	want string // content; empty: err
	err  error
}{
	{"model://rover/model.sdf", "second rover", nil},
	{"package://bot/meshes/a b.stl", "mesh", nil},
	{"package://bot/meshes/a%20b.stl", "mesh", nil},
	{"package://arm/meshes/arm.dae", "arm", nil},
	{"model://models/crate/c.stl", "c", nil},
	{"../meshes/a b.stl", "mesh", nil},
	{`..\meshes\a b.stl`, "mesh", nil},
	{"file:///home/u/ws/src/bot/urdf/bot.urdf", "bot", nil},
	{"file:///home/u/ws/src/bot/meshes/a%20b.stl", "mesh", nil},
	{"/home/u/ws/src/bot/urdf/bot.urdf", "bot", nil},
	{"file://top.stl", "top", nil},
	{"file:///opt/ros/humble/share/arm/meshes/arm.dae", "arm", nil},
	{"file:///home/other/ws/install/bot/share/bot/meshes/a%20b.stl", "mesh", nil},
	{"file:///share/share/share/arm/meshes/arm.dae", "arm", nil},
	{"file:///opt/ros/share/arm/../../../../secret", "", ErrOutside},
	{"file:///opt/ros/share/nobody/meshes/arm.dae", "", ErrOutside},
	{"file:///opt/ros/share/arm", "", ErrOutside},
	{"spawnable://@cache@/models/rover/model.spawnable", "rover", nil},
	{"world://@cache@/bench/world", "bench", nil},
	{"../meshes/in.stl", "mesh", nil},
	{"../meshes/other.stl", "c", nil},
	{"../meshes/..data.stl", "odd", nil},
	{"../meshes/out.stl", "", ErrOutside},
	{"../meshes/etc/passwd", "", ErrOutside},
	{"../meshes/round.stl", "", ErrNotFound},
	{"package://bot/../../../../etc/passwd", "", ErrOutside},
	{"package://../../../../etc/passwd", "", ErrOutside},
	{"package://bot/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "", ErrOutside},
	{"package://bot//etc/passwd", "", ErrOutside},
	{"../../../../../etc/passwd", "", ErrOutside},
	{`..\..\..\..\..\windows\win.ini`, "", ErrOutside},
	{"file:///etc/passwd", "", ErrOutside},
	{"file:///home/u/ws/../../../etc/passwd", "", ErrOutside},
	{"file:///home/u/wsx/a", "", ErrOutside},
	{"/etc/passwd", "", ErrOutside},
	{"C:/x.stl", "", ErrOutside},
	{"spawnable://@cache@/../x", "", ErrOutside},
	{"spawnable://nowhere/x", "", ErrNotFound},
	{"//evil.example/share/x.stl", "", ErrNetwork},
	{`\\evil.example\share\x.stl`, "", ErrNetwork},
	{"https://example.invalid/x.stl", "", ErrNetwork},
	{"HTTP://127.0.0.1:1/model", "", ErrNetwork},
	{"gopher://x/y", "", ErrScheme},
	{"package://", "", ErrNotFound},
	{"package://nothing/x.stl", "", ErrNotFound},
	{"", "", ErrNotFound},
	{"mesh\x01.stl", "", ErrNotFound},
	{"package://" + strings.Repeat("a/", 20000), "", ErrNotFound},
}

func TestAddressesAreFoundInsideTheRootsAndNowhereElse(t *testing.T) {
	s := testSpace()
	from := Ref{1, "src/bot/urdf/bot.urdf"}
	for _, c := range addresses {
		r, err := s.Resolve(c.uri, from)
		if c.err != nil {
			if !errors.Is(err, c.err) {
				t.Errorf("%.60q: %v, want %v", c.uri, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.uri, err)
			continue
		}
		if data, err := s.ReadFile(r, 100); err != nil || string(data) != c.want {
			t.Errorf("%q reads %q, %v; want %q", c.uri, data, err, c.want)
		}
	}
}

func TestWhatIsNotFoundSaysWhatWouldBeRight(t *testing.T) {
	s := testSpace()
	for uri, want := range map[string]string{
		"package://nothing/x.stl":   `there is no package "nothing"`,
		"model://nothing/model.sdf": `there is no model "nothing"`,
		"package://bot/nothing.stl": "has no nothing.stl",
		"../../../../etc/passwd":    "it means /home/u/etc/passwd: add a folder above it to the search path",
	} {
		if _, err := s.Resolve(uri, Ref{1, "src/bot/urdf/bot.urdf"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", uri, err, want)
		}
	}
}

func TestAWorldFromDiskGetsItsOwnModelsBeforeTheEmbeddedOnes(t *testing.T) {
	s := testSpace()
	for from, want := range map[Ref]string{{}: "rover", {2, "crate/c.stl"}: "second rover"} {
		r, err := s.Resolve("model://rover/model.sdf", from)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := s.ReadFile(r, 100); err != nil || string(data) != want {
			t.Errorf("asked from %+v: %q, %v; want %q", from, data, err, want)
		}
	}
}

func TestAFileAboveTheLimitOrAFolderIsNotRead(t *testing.T) {
	s := testSpace()
	if _, err := s.ReadFile(Ref{0, "top.stl"}, 2); !errors.Is(err, ErrTooLarge) {
		t.Errorf("3 bytes with a limit of 2: %v", err)
	}
	if _, err := s.ReadFile(Ref{0, "models"}, 2); !errors.Is(err, ErrNotAFile) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := s.ReadFile(Ref{0, "../x"}, 2); !errors.Is(err, ErrOutside) {
		t.Errorf("a path with ..: %v", err)
	}
}

func FuzzResolve(f *testing.F) {
	for _, c := range addresses {
		f.Add(c.uri)
	}
	s := testSpace()
	f.Fuzz(func(t *testing.T, uri string) {
		r, err := s.Resolve(uri, Ref{1, "src/bot/urdf/bot.urdf"})
		if err == nil && !fs.ValidPath(r.name()) {
			t.Fatalf("%q leads to %q", uri, r.Path)
		}
	})
}
