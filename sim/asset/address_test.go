package asset

import (
	"errors"
	"strings"
	"testing"
)

var networkAddresses = []struct {
	uri, host, path string
	fuel            *Fuel
}{
	{"https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey Barrier", "fuel.gazebosim.org",
		"1.0/OpenRobotics/models/Jersey Barrier",
		&Fuel{Owner: "OpenRobotics", Kind: "models", Name: "Jersey Barrier"}},
	{"  https://fuel.gazebosim.org/1.0/OpenRobotics/models/Jersey%20Barrier/ ", "fuel.gazebosim.org",
		"1.0/OpenRobotics/models/Jersey Barrier",
		&Fuel{Owner: "OpenRobotics", Kind: "models", Name: "Jersey Barrier"}},
	{"https://fuel.gazebosim.org/1.0/OpenRobotics/models/X3 UAV/4", "fuel.gazebosim.org",
		"1.0/OpenRobotics/models/X3 UAV/4",
		&Fuel{Owner: "OpenRobotics", Kind: "models", Name: "X3 UAV", Version: 4}},
	{"https://fuel.gazebosim.org/1.0/Mingfei/models/actor/tip/files/meshes/walk.dae", "fuel.gazebosim.org",
		"1.0/Mingfei/models/actor/tip/files/meshes/walk.dae",
		&Fuel{Owner: "Mingfei", Kind: "models", Name: "actor", File: "meshes/walk.dae"}},
	{"https://fuel.gazebosim.org/1.0/a/models/b/3/b.zip", "fuel.gazebosim.org", "1.0/a/models/b/3/b.zip",
		&Fuel{Owner: "a", Kind: "models", Name: "b", Version: 3}},
	{"HTTP://Fuel.IgnitionRobotics.org/1.0/MovAi/models/shelf", "fuel.ignitionrobotics.org",
		"1.0/MovAi/models/shelf", &Fuel{Owner: "MovAi", Kind: "models", Name: "shelf"}},
	{"https://api.ignitionfuel.org/1.0/chapulina/worlds/Shapes copy", "api.ignitionfuel.org",
		"1.0/chapulina/worlds/Shapes copy", &Fuel{Owner: "chapulina", Kind: "worlds", Name: "Shapes copy"}},
	{"https://fuel.gazebosim.org/an_org/models/a_model/mesh/mesh.dae", "fuel.gazebosim.org",
		"an_org/models/a_model/mesh/mesh.dae",
		&Fuel{Owner: "an_org", Kind: "models", Name: "a_model", File: "mesh/mesh.dae"}},
	{"https://models.example.com:8443/1.0/lab/models/bench/2", "models.example.com:8443",
		"1.0/lab/models/bench/2", &Fuel{Owner: "lab", Kind: "models", Name: "bench", Version: 2}},
	{"https://example.com/lab/models/bench", "example.com", "lab/models/bench", nil},
	{"https://fuel.gazebosim.org/1.0/models", "fuel.gazebosim.org", "1.0/models", nil},
	{"https://fuel.gazebosim.org/1.0/OpenRobotics/collections/Moon", "fuel.gazebosim.org",
		"1.0/OpenRobotics/collections/Moon", nil},
	{"https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/objects/floors/protos/Floor.proto",
		"raw.githubusercontent.com",
		"cyberbotics/webots/R2023b/projects/objects/floors/protos/Floor.proto", nil},
	{"https://github.com/a/b/blob/main/c.stl?raw=true#top", "github.com", "a/b/blob/main/c.stl", nil},
}

func TestAddressesOfNetworksAreReadByTheirParts(t *testing.T) {
	for _, c := range networkAddresses {
		a, err := ParseAddress(c.uri)
		if err != nil {
			t.Errorf("%s: %v", c.uri, err)
			continue
		}
		want := c.fuel
		if want != nil {
			want.Host = c.host
		}
		if a.Host != c.host || a.Path != c.path || (a.Fuel == nil) != (want == nil) ||
			want != nil && *a.Fuel != *want {
			t.Errorf("%s is %+v of %+v, want %s/%s of %+v", c.uri, a, a.Fuel, c.host, c.path, want)
		}
		again, err := ParseAddress(a.String())
		if err != nil || again.Host != a.Host || again.Path != a.Path || again.Query != a.Query {
			t.Errorf("%s is written as %s, which is read as %+v, %v", c.uri, a, again, err)
		}
	}
	if a, _ := ParseAddress("https://github.com/a/c.stl?raw=true#top"); a.Query != "raw=true" {
		t.Errorf("the query of %+v", a)
	}
}

func TestAnArchiveOfAFuelModelIsAskedOfTheServersPresentName(t *testing.T) {
	for uri, want := range map[string]string{
		"https://fuel.ignitionrobotics.org/1.0/MovAi/models/shelf":            "https://fuel.gazebosim.org/1.0/MovAi/models/shelf/tip/shelf.zip",
		"https://api.ignitionfuel.org/1.0/A/models/X3 UAV/4/files/meshes/x.b": "https://fuel.gazebosim.org/1.0/A/models/X3%20UAV/4/X3%20UAV.zip",
		"https://own.example:8443/1.0/lab/worlds/hall":                        "https://own.example:8443/1.0/lab/worlds/hall/tip/hall.zip",
	} {
		a, err := ParseAddress(uri)
		if err != nil || a.Fuel == nil || a.Fuel.Archive().String() != want {
			t.Errorf("%s: %+v %v, want %s", uri, a.Fuel, err, want)
		}
	}
}

func TestAddressesThatNameNoFileOfAHostAreRefused(t *testing.T) {
	for uri, want := range map[string]error{
		"":                                       ErrNotFound,
		"ftp://example.org/a":                    ErrScheme,
		"/etc/passwd":                            ErrScheme,
		"https:///a":                             ErrNotFound,
		"https://example.org":                    ErrNotFound,
		"https://example.org/":                   ErrNotFound,
		"https://user:secret@example.org/a":      ErrNotFound,
		"https://example.org:99999/a":            ErrNotFound,
		"https://example.org:x/a":                ErrNotFound,
		"https://../a":                           ErrNotFound,
		"https://.hidden/a":                      ErrNotFound,
		"https://exa mple.org/a":                 ErrNotFound,
		"https://example.org/a/../../b":          ErrNotFound,
		"https://example.org/a/%2e%2e/b":         ErrNotFound,
		"https://example.org/a%00b":              ErrNotFound,
		`https://example.org/a\..\b`:             ErrNotFound,
		"https://example.org/a//b":               ErrNotFound,
		"https://example.org/C:/b":               ErrNotFound,
		"https://example.org/" + long(300):       ErrNotFound,
		"https://example.org/a\nb":               ErrNotFound,
		"https://" + long(300) + ".org/a":        ErrNotFound,
		"https://example.org/" + long(2*4096):    ErrNotFound,
		"https://fuel.gazebosim.org/1.0/a/../b/": ErrNotFound,
	} {
		if a, err := ParseAddress(uri); !errors.Is(err, want) {
			t.Errorf("%.80q is %+v, %v; want %v", uri, a, err, want)
		}
	}
}

func TestAModelIsCalledAsItsAddressSays(t *testing.T) {
	for uri, want := range map[string]string{
		"https://fuel.gazebosim.org/1.0/OpenRobotics/models/X3%20UAV/4":   "X3 UAV",
		"https://raw.githubusercontent.com/a/b/R1/projects/x/Floor.proto": "Floor",
		"model://turtlebot3_autorace_2020/course":                         "course",
		"model://sun":                  "sun",
		"model://table/model.sdf":      "table",
		"package://arms/urdf/arm.urdf": "arm",
		"box":                          "box",
		"model.sdf":                    "model",
		"https://fuel.gazebosim.org/1.0/a/models/b/tip/files/meshes/shelf.dae": "b",
	} {
		if got := ModelName(uri); got != want {
			t.Errorf("%s is called %q, want %q", uri, got, want)
		}
	}
}

func long(n int) string { return strings.Repeat("a", n) }

func FuzzParseAddress(f *testing.F) {
	for _, c := range networkAddresses {
		f.Add(c.uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		a, err := ParseAddress(uri)
		if err != nil {
			return
		}
		for part := range strings.SplitSeq(a.Host+"/"+a.Path, "/") {
			if !isName(strings.ReplaceAll(part, ":", "")) {
				t.Fatalf("%q has the part %q", uri, part)
			}
		}
		again, err := ParseAddress(a.String())
		if err != nil || again.Host != a.Host || again.Path != a.Path {
			t.Fatalf("%q is %+v, written as %s, and read as %+v, %v", uri, a, a, again, err)
		}
	})
}
