package attach

import (
	"errors"
	"strings"
	"testing"
	"time"

	"simdeck/ros"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
)

// gazebo serves a few services as Gazebo does: privately, in the 1.x line.
func gazebo(t *testing.T) func(*node.Node) {
	return func(n *node.Node) {
		serve(t, n, "~/get_simulator_features", simif1.GetSimulatorFeaturesService(),
			func(*simif1.GetSimulatorFeaturesRequest) *simif1.GetSimulatorFeaturesResponse {
				return &simif1.GetSimulatorFeaturesResponse{}
			})
		serve(t, n, "~/spawn_entity", simif1.SpawnEntityService(),
			func(q *simif1.SpawnEntityRequest) *simif1.SpawnEntityResponse {
				return &simif1.SpawnEntityResponse{Result: simif1.Result{Result: 1},
					EntityName: q.Name + " of " + q.URI}
			})
	}
}

func TestASimulatorIsFoundByTypeUnderAnyPrefix(t *testing.T) {
	inTheField(t, func(f *field) {
		f.other("gz_server", "", gazebo(t))
		s := f.find(Want{})
		if s.Node != "/gz_server" || s.Prefix != "/gz_server" {
			t.Errorf("found is %q under %q", s.Node, s.Prefix)
		}
		v, ok := s.Serves("SpawnEntity")
		if !ok || v.Name != "/gz_server/spawn_entity" || v.Line != Line1 ||
			v.Hash != (*simif1.SpawnEntityRequest)(nil).TypeHash() {
			t.Errorf("its service is %+v", v)
		}
		if v, _ := s.Serves("GetSimulatorFeatures"); v.Line != LineAny {
			t.Errorf("a service that is the same in every line is of line %v", v.Line)
		}
	})
}

func TestWhoIsMeantIsFoundAtOnceAndTheOnlyOneSoonAfter(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		began := time.Now()
		f.find(Want{Node: "simdeck"})
		named := time.Since(began)
		f.find(Want{})
		if alone := time.Since(began); named > 300*time.Millisecond || alone > 600*time.Millisecond {
			t.Errorf("the one that is named is found after %v, the only one after %v", named, alone)
		}
		s := f.find(Want{Kind: "LoadWorld"})
		if len(s.Services) != len(services()) || s.Steps == nil || s.Steps.Name != "/simulate_steps" {
			t.Errorf("of its services %d of %d are seen, of its action %+v", len(s.Services), len(services()),
				s.Steps)
		}
	})
}

func TestOfSeveralOneMustBeNamed(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("one", ros.Config{Node: "left"})
		f.simdeck("two", ros.Config{Node: "right"})
		f.other("gz_server", "", gazebo(t))
		_, err := f.g.Find(f.soon(), Want{})
		if !errors.Is(err, ErrSeveral) ||
			!strings.Contains(err.Error(), "/gz_server (on 10.0.0.4), /left (on 10.0.0.2, world yard, paused), "+
				"/right (on 10.0.0.3, world yard, paused); --node says which") {
			t.Errorf("without a name: %v", err)
		}
		for name, want := range map[string]string{"left": "/left", "/right": "/right",
			"gz_server": "/gz_server"} {
			if s := f.find(Want{Node: name}); s.Node != want {
				t.Errorf("%s is %s", name, s.Node)
			}
		}
		if s := f.find(Want{Node: "/right"}); len(s.Services) != len(services()) {
			t.Errorf("of two under one prefix, one has %d services", len(s.Services))
		}
		_, err = f.g.Find(f.soon(), Want{Node: "gz_server", Kind: "LoadWorld"})
		if !errors.Is(err, ErrNotServed) ||
			!strings.Contains(err.Error(),
				"load_world: not served by /gz_server; it has get_simulator_features, spawn_entity") {
			t.Errorf("a service that it does not serve: %v", err)
		}
		_, err = f.g.Find(f.soon(), Want{Node: "/middle"})
		if !errors.Is(err, ErrNoSimulator) ||
			!strings.Contains(err.Error(),
				`"/middle" on domain 0, looked for 5s: there is /gz_server, /left, /right`) {
			t.Errorf("a name that nobody has: %v", err)
		}
		if s := f.find(Want{Kind: "UnloadWorld", Node: "left"}); s.Node != "/left" {
			t.Errorf("left is %s", s.Node)
		}
	})
}

func TestTwoOfOneNameAreNotTakenForOne(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("one", ros.Config{Node: "simdeck"})
		f.simdeck("two", ros.Config{Node: "simdeck"})
		_, err := f.g.Find(f.soon(), Want{Node: "simdeck"})
		if err == nil { // the second had not shown yet
			time.Sleep(time.Second)
			_, err = f.g.Find(f.soon(), Want{Node: "simdeck"})
		}
		if !errors.Is(err, ErrSeveral) || !strings.Contains(err.Error(), "names of their own") {
			t.Errorf("two simdecks: %v", err)
		}
	})
}

func TestNoSimulatorIsSaidWithWhatWasSeen(t *testing.T) {
	inTheField(t, func(f *field) {
		_, err := f.g.Find(f.soon(), Want{})
		if !errors.Is(err, ErrNoSimulator) ||
			!strings.Contains(err.Error(),
				"on domain 0, looked for 5s: no other participants; is it running") {
			t.Errorf("on an empty network: %v", err)
		}
		f.other("old", "/lab", func(n *node.Node) {
			serve(t, n, "/spawn_entity", stdsrvs.EmptyService(),
				func(*stdsrvs.EmptyRequest) *stdsrvs.EmptyResponse { return &stdsrvs.EmptyResponse{} })
		})
		_, err = f.g.Find(f.soon(), Want{})
		if !errors.Is(err, ErrNoSimulator) ||
			!strings.Contains(err.Error(),
				"one other is there, with /lab/old; /spawn_entity is a std_srvs/srv/Empty, which is not of simulation_interfaces") {
			t.Errorf("with a node that is no simulator: %v", err)
		}
	})
}

func TestServersAreGroupedIntoSimulators(t *testing.T) {
	server := func(name, kind, node string) node.RemoteServer {
		return remoteServer(name, "simulation_interfaces/srv/"+kind, node)
	}
	for _, c := range []struct {
		name    string
		servers []node.RemoteServer
		want    string
	}{
		{"nothing", nil, ""},
		{"others' services", []node.RemoteServer{remoteServer("/x", "std_srvs/srv/Empty", "/n"),
			server("/y", "NoSuchService", "/n"),
			remoteServer("/z", "simulation_interfaces/action/StepSimulation", "/n")}, ""},
		{"several nodes of one", []node.RemoteServer{server("/sim/spawn_entity", "SpawnEntity",
			"/sim/spawner"),
			server("/sim/get_simulator_features", "GetSimulatorFeatures", "/sim/core")},
			"/sim/core at /sim: 2"},
		{"several under one prefix", []node.RemoteServer{server("/spawn_entity", "SpawnEntity", "/a"),
			server("/spawn_entity", "SpawnEntity", "/b"),
			server("/load_world", "LoadWorld", "/b")}, "/a at /: 1; /b at /: 2"},
		{"of one name", []node.RemoteServer{server("/spawn_entity", "SpawnEntity", "/a"),
			server("/spawn_entity", "SpawnEntity", "/a")}, "/a at /: 1; /a at /: 1"},
		{"that do not say who they are", []node.RemoteServer{server("/p/spawn_entity", "SpawnEntity", "")},
			"/p at /p: 1"},
		{"under several prefixes", []node.RemoteServer{server("/b/spawn_entity", "SpawnEntity", "/n"),
			server("/a/spawn_entity", "SpawnEntity", "/n")},
			"/n at /a: 1; /n at /b: 1"},
	} {
		var got []string
		for _, s := range Simulators(c.servers) {
			got = append(got, s.Title()+" at "+s.Prefix+": "+string(rune('0'+len(s.Services))))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

func remoteServer(name, kind, of string) node.RemoteServer {
	return node.RemoteServer{Name: name, Type: kind, Node: of}
}

func TestANameMeansASimulatorHoweverItIsWritten(t *testing.T) {
	s := Simulator{Node: "/lab/gz_server", Prefix: "/lab/sim"}
	for name, want := range map[string]bool{"/lab/gz_server": true, "lab/gz_server": true, "gz_server": true,
		"/lab/sim": true, "sim": true,
		"/gz_server": false, "server": false, "": false, "/": false, "lab": false} {
		if s.Called(name) != want {
			t.Errorf("%q means it: %v", name, !want)
		}
	}
	if root := (Simulator{Node: "/simdeck", Prefix: "/"}); !root.Called("/") || !root.Called("simdeck") ||
		root.Called("sim") {
		t.Error("a simulator at the root is called by its node or /")
	}
}

func TestTheHashTellsTheLine(t *testing.T) {
	two, one := (*simif2.SpawnEntityRequest)(nil), (*simif1.SpawnEntityRequest)(nil)
	for _, c := range []struct {
		kind, request, response string
		want                    Line
	}{
		{"SpawnEntity", two.TypeHash(), (*simif2.SpawnEntityResponse)(nil).TypeHash(), Line2},
		{"SpawnEntity", one.TypeHash(), (*simif1.SpawnEntityResponse)(nil).TypeHash(), Line1},
		{"SpawnEntity", one.TypeHash(), "", Line1},
		{"SpawnEntity", "", "", Line1},
		{"SpawnEntity", "RIHS01_00", "", LineUnknown},
		{"DeleteEntity", "", "", LineAny},
		{"GetSpawnables", (*simif2.GetSpawnablesRequest)(nil).TypeHash(),
			(*simif2.GetSpawnablesResponse)(nil).TypeHash(), Line2},
		{"GetSpawnables", (*simif2.GetSpawnablesRequest)(nil).TypeHash(),
			(*simif1.GetSpawnablesResponse)(nil).TypeHash(), Line1},
	} {
		row, _ := serviceOf(c.kind)
		v := served(node.RemoteServer{RequestHash: c.request, ResponseHash: c.response}, row)
		if v.Line != c.want || (v.dialect == nil) != (c.want == LineUnknown) {
			t.Errorf("%s with %q and %q is of line %v, want %v", c.kind, c.request, c.response, v.Line,
				c.want)
		}
	}
	two2, one1 := simif2.SpawnEntityService().Hash, simif1.SpawnEntityService().Hash
	for _, c := range []struct {
		services []string // as wholes
		want     Line
	}{{[]string{one1, two2}, Line2}, {[]string{one1}, Line1}, {[]string{"TypeHashNotSupported"}, LineUnknown}} {
		row, _ := serviceOf("SpawnEntity")
		v := served(node.RemoteServer{Services: c.services}, row)
		if v.Line != c.want || v.Hash != c.services[0] {
			t.Errorf("services %q are of line %v, want %v", c.services, v.Line, c.want)
		}
	}
	for _, l := range []Line{Line1, Line2, LineDraft} {
		if got, err := ParseLine(l.String()); err != nil || got != l {
			t.Errorf("%v is read as %v", l, got)
		}
	}
	if _, err := ParseLine("any"); !errors.Is(err, ErrLine) {
		t.Error("any is no line to ask for")
	}
}

func TestOneThatIsSlowToShowIsWaitedFor(t *testing.T) {
	at := time.Now()
	one, two := Simulator{Node: "/one"}, Simulator{Node: "/two"}
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	for _, c := range []struct {
		name    string
		all     []Simulator
		foreign bool
		now     time.Time
		wait    time.Duration
		err     error
	}{
		{"nobody yet", nil, true, ms(0), time.Hour, nil},
		{"the first", []Simulator{one}, true, ms(50), strangersMay, nil},
		{"all have said who they are", []Simulator{one}, false, ms(60), 40 * time.Millisecond, nil},
		{"and another comes", []Simulator{one}, true, ms(70), strangersMay - 20*time.Millisecond, nil},
		{"which is a simulator", []Simulator{one, two}, false, ms(400), 0, ErrSeveral},
	} {
		s := search{began: at}
		if c.now.After(ms(50)) {
			s.first = ms(50)
		}
		found, wait, err := s.look(c.all, c.foreign, c.now)
		if wait != c.wait || !errors.Is(err, c.err) || c.err == nil && err != nil || found.Node != "" {
			t.Errorf("%s: %+v after %v, %v; want %v, %v", c.name, found, wait, err, c.wait, c.err)
		}
	}
}

func TestWhatIsNotServedIsSaidWhenTheSimulatorIsQuietHoweverBusyOthersAre(t *testing.T) {
	at := time.Now()
	s := search{want: Want{Kind: "LoadWorld"}, began: at}
	one := Simulator{Node: "/one", Services: []Served{{Kind: "SpawnEntity"}}}
	two := Simulator{Node: "/one", Services: []Served{{Kind: "SpawnEntity"}, {Kind: "DeleteEntity"}}}
	for i, c := range []struct {
		sim  Simulator
		at   time.Duration
		wait time.Duration
	}{{one, 0, quiet}, {one, 400 * time.Millisecond, 100 * time.Millisecond},
		{two, 450 * time.Millisecond, quiet}, {two, 949 * time.Millisecond, time.Millisecond}} {
		if _, wait, err := s.look([]Simulator{c.sim}, true, at.Add(c.at)); wait != c.wait || err != nil {
			t.Errorf("look %d: wait %v, %v; want %v", i, wait, err, c.wait)
		}
	}
	if _, _, err := s.look([]Simulator{two}, true, at.Add(950*time.Millisecond)); !errors.Is(err,
		ErrNotServed) {
		t.Errorf("at last: %v", err)
	}
}
