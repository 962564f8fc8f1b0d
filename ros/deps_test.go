package ros_test

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/archtest"
)

var graphArrows = []archtest.Arrow{
	{`^simdeck/ros`, `^simdeck/(ui|worlds)(/|$)|^simdeck$`, ``,
		"the graph serves any backend, with or without a console, and ships no world"},
	{`^simdeck/ros`, `^simdeck/sim/(model|dynamics|control|sensing|scenetest)(/|$)`, ``,
		"the graph speaks the engine's vocabulary; compiled models and the dynamics are behind it"},
	{`^simdeck/ros(/([^r].*|r[^o].*|ro[^s].*|ros[^t].*))?$`, `^simdeck/sim/engine$`, ``,
		"the graph serves any sim.Backend: an engine in this process is one of them"},
	{`^simdeck/ros(/([^r].*|r[^o].*|ro[^s].*|ros[^t].*))?$`, `^simdeck/ros/netsim$`, ``,
		"the virtual network is for tests"},
	{`^simdeck/ros`, `^simdeck/ros/rostest$`, ``, "what tests of ROS stand on is not shipped"},
	{`^simdeck/ros(/[^t].*|/t[^r].*)?$`, `^(net|net/http|net/rpc|syscall|golang\.org/x/(net|sys)/.*)$`, ``,
		"only ros/transport opens sockets: everything above runs on a virtual network in tests"},
	{`^simdeck/ros/(cdr|rosidl|rtps|zenoh|msgs)`, `^simdeck/sim`, ``, "the wire knows nothing of simulation"},
	{`^simdeck/ros/(cdr|rosidl)$`, `^simdeck/`, ``, "encodings depend on nothing"},
	{`^simdeck/ros/msgs(/([^g]|g[^e]|ge[^n]).*)?$`, `^simdeck/`, `^simdeck/ros/(cdr|msgs(/.*)?)$`,
		"messages are data and their encoding"},
	{`^simdeck/ros/msgs/gen$`, `^simdeck/`, `^simdeck/ros/rosidl$`,
		"the generator reads definitions and writes text"},
	{`^simdeck/ros/rtps/wire$`, `^simdeck/`, `^simdeck/ros/cdr$`, "a wire element knows no protocol state"},
	{`^simdeck/ros/zenoh/wire$`, `^simdeck/`, ``, "a message of Zenoh knows no session"},
	{`^simdeck/ros/zenoh$`, `^simdeck/`, `^simdeck/ros/zenoh/wire$`,
		"a session of Zenoh knows no ROS: nodes stand on it"},
	{`^simdeck/ros/zenoh/rmw$`, `^simdeck/`, `^simdeck/ros/(node|rtps|rtps/wire|zenoh|zenoh/wire)$`,
		"a middleware serves nodes in the words of package rtps, and opens no socket"},
	{`^simdeck/ros(/([^r].*|r[^o].*|ro[^s].*|ros[^t].*))?$`, `^simdeck/ros/zenoh/zenohsim$`, ``,
		"the router in memory is for tests"},
	{`^simdeck/ros/rtps/instance$`, `^simdeck/`, `^simdeck/ros/rtps/wire$`,
		"instances know no protocol: they are told what came and when"},
	{`^simdeck/ros/rtps$`, `^simdeck/`, `^simdeck/ros/(cdr|rtps/wire|rtps/instance)$`,
		"the protocol knows no ROS: a node stands on it, not in it"},
	{`^simdeck/ros/(transport|netsim)$`, `^simdeck/`, `^simdeck/ros/rtps(/wire)?$`,
		"a network carries packets, it does not read them"},
	{`^simdeck/ros/node$`, `^simdeck/`, `^simdeck/ros/(cdr|rosidl|rtps|rtps/wire|msgs(/.*)?)$`,
		"a node serves any types to anyone: handlers and simulators are above it"},
	{`^simdeck/ros/serve/`, `^simdeck/ros(/(rtps.*|transport|netsim))?$`, ``,
		"a handler sees a node, never the protocol below"},
	{`^simdeck/ros/serve$`, `^simdeck/`, `^simdeck/sim$`,
		"the loop of all servers takes snapshots, and knows nothing of what they publish"},
	{`^simdeck/ros/geometry$`, `^simdeck/`, `^simdeck/(ros/msgs/geometrymsgs|sim/r3)$`,
		"values and messages are two ways to write the same"},
	{`^simdeck/ros/attach$`, `^simdeck/`,
		`^simdeck/(ros/(node|rtps|transport|rosidl|geometry|msgs(/.*)?)|sim(/(r3|scene))?)$`,
		"a client of simulators opens a network, stands on a node and speaks sim's vocabulary; it knows no server of them"},
	{`^simdeck/ros/attach/mirror$`, `^simdeck/`,
		`^simdeck/(ros/(attach|node|geometry|msgs(/.*)?)|sim(/(r3|scene))?)$`,
		"a mirror shows what a client of simulators tells, in sim's vocabulary; it knows no console"},
	{`^simdeck/ros/attach/fleet$`, `^simdeck/`,
		`^simdeck/(ros/(attach|attach/mirror|node|msgs(/.*)?)|sim(/scene)?)$`,
		"a fleet is what several clients of simulators tell, and a closer look at one of them; it knows no console"},
	{`^simdeck/ros/attach/workers$`, `^simdeck/`,
		`^simdeck/(ros/(node|geometry|msgs(/.*)?)|sim(/(r3|scene))?)$`,
		"who shows workers knows the profile that they keep to, and no server of them"},
	{`^simdeck/ros/mcap$`, `^simdeck/`, ``, "a file format knows neither ROS nor simulation"},
	{`^simdeck/ros/bag$`, `^simdeck/`, `^simdeck/ros/(mcap|node|rtps|msgs/.*)$`,
		"a recorder takes messages as they are serialised, of any node: it knows no simulator"},
	{`^simdeck/ros/doctor$`, `^simdeck/`, `^simdeck/ros/(attach|node|rtps|rtps/wire|transport)$`,
		"who looks at a network needs no simulator"},
	{`^simdeck/ros/conform$`, `^simdeck/`, `^simdeck/(ros/(attach|node|serve/simif|msgs(/.*)?)|sim(/r3)?)$`,
		"the suite sees a simulator from outside; of the server it takes only the table of decisions"},
}

func TestTheGraphImportsOnlyWhatTheHouseAllows(t *testing.T) {
	archtest.Check(t, "simdeck/ros", graphArrows)
}

func TestNoTestOfTheProtocolOpensASocket(t *testing.T) {
	archtest.EachPackage(t, "simdeck/ros", func(p *build.Package) {
		if !regexp.MustCompile(`^simdeck/ros/(cdr|rosidl|rtps|zenoh|node|serve|attach|conform|netsim)`).
			MatchString(p.ImportPath) {
			return
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if imp == "net" || imp == "simdeck/ros/transport" {
				t.Errorf("a test of %s imports %s: protocol tests run on ros/netsim, where loss and time are chosen",
					p.ImportPath, imp)
			}
		}
	})
}

// Fuzzers of the engine's readers and of the key bindings are among them: who reads what others have written
// is fuzzed.
func TestEveryFuzzerHasACorpus(t *testing.T) {
	fuzzer := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	found := 0
	err := filepath.WalkDir("..", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, f := range fuzzer.FindAllSubmatch(text, -1) {
			found++
			corpus := filepath.Join(filepath.Dir(name), "testdata", "fuzz", string(f[1]))
			if files, err := os.ReadDir(corpus); err != nil || len(files) == 0 {
				t.Errorf("%s: %s has no corpus in %s: run it, and commit some of what go test keeps in its cache, or what it found",
					name, f[1], corpus)
			}
		}
		return nil
	})
	if err != nil || found < 15 {
		t.Errorf("%d fuzzers: %v", found, err)
	}
}

func TestTheProtocolDoesNotLookAtTheClock(t *testing.T) {
	clock := regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTicker|NewTimer)\b`)
	files, err := filepath.Glob("rtps/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of ros/rtps found (%v): the glob is broken", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || path.Base(name) == "participant.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := clock.FindIndex(text); at != nil {
			t.Errorf("%s:%d: the protocol is given the time: a virtual network decides it in tests; only participant.go has a clock",
				name, 1+strings.Count(string(text[:at[0]]), "\n"))
		}
	}
}
