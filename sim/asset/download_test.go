package asset

import (
	"errors"
	"testing"
	"testing/fstest"
)

func TestAddressesOfNetworksAreAnsweredFromCopies(t *testing.T) {
	copies := fstest.MapFS{}
	for _, name := range []string{"example.org/a/b.png", "secret",
		webotsServer + "/R2023b/projects/x/protos/X.proto", webotsServer + "/R2025a/projects/x/protos/X.proto",
		webotsServer + "/R2025a/projects/x/protos/t.jpg"} {
		copies[name] = &fstest.MapFile{}
	}
	own := fstest.MapFS{"w.wbt": &fstest.MapFile{}, "projects/own.proto": &fstest.MapFile{}}
	s := NewSpace(Root{Name: "own", FS: own},
		Root{Name: "assets", FS: copies, Unlisted: true, Downloads: true})
	world := Ref{Root: 0, Path: "w.wbt"}
	const x = "/projects/x/protos/X.proto"
	for uri, want := range map[string]string{
		"https://example.org/a/b.png":             "example.org/a/b.png",
		"HTTP://example.org/a/b.png?raw=1":        "example.org/a/b.png",
		"webots:/" + x:                            webotsServer + "/R2025a" + x,
		"https://" + webotsServer + "/R2023b" + x: webotsServer + "/R2023b" + x,
		"webots://projects/own.proto":             "projects/own.proto",
	} {
		if r, err := s.Resolve(uri, world); err != nil || r.Path != want {
			t.Errorf("%s: %v %v", uri, r, err)
		}
	}
	for uri, want := range map[string]error{
		"https://example.org/a/c.png":        ErrNetwork,
		"https://example.org/../secret":      ErrNetwork,
		"https://../secret":                  ErrNetwork,
		"https:///secret":                    ErrNetwork,
		"webots://projects/x/../../secret":   ErrNotFound,
		"webots://../../../secret":           ErrNotFound,
		"webots://projects/nothing":          ErrNotFound,
		"example.org/a/b.png":                ErrNotFound,
		"spawnable://assets/example.org/a/b": ErrNotFound,
	} {
		r, err := s.Resolve(uri, world)
		if err == nil || !errors.Is(err, want) && !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v %v", uri, r, err)
		}
	}
	near := Ref{Root: 1, Path: webotsServer + "/R2025a/projects/x/protos/X.proto"}
	if r, err := s.Resolve("t.jpg", near); err != nil || r.Root != 1 {
		t.Errorf("beside a copy: %v %v", r, err)
	}
	if r, err := s.For(Clients).Resolve("https://example.org/a/b.png", world); err != nil {
		t.Errorf("a client: %v %v", r, err)
	}
}
