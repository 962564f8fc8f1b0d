package docs

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
)

// bound is a sentence of a page with figures of the code: each %s stands for the value of a constant of the
// package. A unit after the constant's name scales it: MiB, KiB, Ki, s, Hz (of a period).
type bound struct {
	page, text, pkg string
	constants       []string
}

// bounds are the figures of the pages that are constants of the code.
var bounds = []bound{
	{"ros.md", "| participants | %s, half of them", "ros/rtps", []string{"defaultParticipants"}},
	{"ros.md", "| new participants of one socket | %s at once, %s per second |", "ros/rtps",
		[]string{"newcomerBurst", "newcomerRate"}},
	{"ros.md", "| readers and writers of a participant | %s in all, %s on one topic |", "ros/rtps",
		[]string{"defaultEndpoints", "maxMatches"}},
	{"ros.md", "| what all say of their readers and writers | %s MiB,", "ros/rtps",
		[]string{"defaultDiscovery MiB"}},
	{"ros.md", "| addresses of a participant's readers | %s beside its own |", "ros/rtps",
		[]string{"maxDestinations"}},
	{"ros.md", "as much as was sent for the first time, and %s MiB at once and %s MiB/s; all participants %s MiB and %s MiB/s |",
		"ros/rtps", []string{"repeatBurst MiB", "repeatRate MiB", "repeatBurstAll MiB", "repeatRateAll MiB"}},
	{"ros.md", "the depth of the topic; all volatile topics %s MiB |", "ros/rtps",
		[]string{"defaultUnacknowledged MiB"}},
	{"ros.md", "| samples that arrive in part | %s MiB, one participant half; %s Ki fragments each;", "ros/rtps",
		[]string{"defaultReassembly MiB", "maxFragments Ki"}},
	{"ros.md", "| ACKNACK, HEARTBEAT, GAP of a participant | %s at once, %s per second |", "ros/rtps",
		[]string{"controlBurst", "controlRate"}},
	{"ros.md", "from an unknown participant) | %s at once, %s per second |", "ros/rtps",
		[]string{"uselessBurst", "uselessRate"}},
	{"ros.md", "have not answered | %s KiB at once, %s KiB/s; all together %s KiB and %s KiB/s |", "ros/rtps",
		[]string{"amplificationBurst KiB", "amplificationRate KiB", "amplificationBurstAll KiB",
			"amplificationRateAll KiB"}},

	{"worlds.md", "%s MiB of text, %s elements, %s of them inside each other", "sim/asset/xmltree",
		[]string{"defaultBytes MiB", "defaultElements", "defaultDepth"}},
	{"worlds.md", "%s includes, %s links, and %s links, joints, frames", "sim/format/source",
		[]string{"maxIncludes", "MaxLinks", "MaxParts"}},
	{"worlds.md", "a joint's limit, effort or speed beyond %s is none", "sim/format/sdf",
		[]string{"unlimited exponent"}},
	{"worlds.md", "One beyond ±%s is taken as that", "sim/format/source", []string{"MostNumber exponent"}},
	{"worlds.md", "Nothing stands more than %s km from its model", "sim/format/source",
		[]string{"MostDistance km"}},
	{"reference/limits.md", "| a lidar | %s rays |", "sim/sensor", []string{"MaxRays"}},
	{"reference/limits.md", "of %s lamps at most)", "sim/render", []string{"mostShadows word"}},
	{"reference/limits.md", "are looked for every %s s there", "ros/transport", []string{"lookPeriod s"}},
	{"reference/limits.md", "%s bodies are borne so; where more bear what is %s times as heavy", "sim/dynamics",
		[]string{"maxLoadedBodies word", "clusterMassRatio word"}},
	{"reference/limits.md", "| bodies beyond %s m, %s m/s or %s rad/s,", "sim/dynamics",
		[]string{"MaxExtent power", "MaxSpeed power", "MaxSpin power"}},
	{"reference/sensors.md", "at most %s rays.", "sim/format/gazebo", []string{"maxRays"}},
	{"troubleshooting.md", "A ring of more than %s joints, and more than %s joints that hang together", "sim/model",
		[]string{"costlyLoop", "costlyJoints"}},

	{"ssh.md", "; %s s of it for the key exchange |", "ui/sshd", []string{"keyExchangeWithin s"}},
	{"ssh.md", "From %s s on the address is refused", "ui/sshd", []string{"minPenalty s"}},
	{"ssh.md", "When %s addresses of a network are refused", "ui/sshd", []string{"badSources"}},
	{"ssh.md", "is bounded: %s addresses and %s networks of IPv4, the same of IPv6, and %s addresses of operators",
		"ui/sshd", []string{"maxSources", "maxBlocks", "maxTrusted"}},

	{"reference/ros-interfaces.md", "| burst | reliable | volatile | %s |", "ros/serve/robot", []string{"queue"}},
	{"reference/ros-interfaces.md", "| large | reliable | volatile | %s seconds of messages: %s to %s, at most %s MiB |",
		"ros/serve/robot", []string{"largeSeconds word", "largeLeast", "largeMost", "largeMemory MiB"}},
	{"reference/ros-interfaces.md", "| burst | at least %s Hz; with an ego vehicle each step |", "ros/serve/robot",
		[]string{"clockPeriod Hz"}},
	{"reference/ros-interfaces.md", "| default | %s Hz, and within %s s of a change |", "ros",
		[]string{"diagnosticPeriod Hz", "diagnosticLook s"}},
	{"reference/ros-interfaces.md", "`sensor_msgs/JointState` | burst | %s Hz |", "ros/serve/robot",
		[]string{"jointPeriod Hz"}},
	{"reference/ros-interfaces.md", "`sensor_msgs/MultiDOFJointState` | burst | %s Hz |", "ros/serve/robot",
		[]string{"jointPeriod Hz"}},
	{"reference/ros-interfaces.md", "| `ground_truth` | `nav_msgs/Odometry` | burst | %s Hz |", "ros/serve/robot",
		[]string{"jointPeriod Hz"}},
	{"reference/ros-interfaces.md", "| burst | the drive's, else %s Hz |", "sim/vehicle",
		[]string{"DefaultOdomRate"}},
	{"reference/ros-interfaces.md", "`gs_sim_msgs/SimulationStatus` | default | %s Hz of the wall clock |",
		"ros/serve/vehicle", []string{"statusPeriod Hz"}},
	{"reference/ros-interfaces.md", "with the world's text unchanged; latched | every %s s, and when it changes |",
		"ros/serve/worker", []string{"announceEvery s"}},
	{"reference/ros-interfaces.md", "where several have joints) | %s Hz |", "ros/serve/worker",
		[]string{"jointPeriod Hz"}},
	{"reference/ros-interfaces.md", "the pose of everything that can move | %s Hz while something moves, else %s Hz |",
		"ros/serve/worker", []string{"objectPeriod Hz", "restPeriod Hz"}},
	{"viewers.md", "beyond %s frames its queue is emptied", "ui/viewers", []string{"queued"}},
	{"viewers.md", "One that reads nothing for %s s is disconnected", "ui/viewers", []string{"stallsAfter s"}},
	{"viewers.md", "| viewers, connections, worlds at once | %s, %s, %s |", "ui/viewers",
		[]string{"mostViewers", "mostConnections", "mostWorlds"}},
	{"viewers.md", "4 kB each, %s in a minute", "ui/viewers", []string{"talkative"}},
	{"reference/ros-interfaces.md", "`model_states` and `link_states` at %s Hz", "ros/serve/gazebo",
		[]string{"statePeriod Hz"}},
}

// TestFiguresInThePagesAreTheConstantsOfTheCode: whoever changes a bound or a rate finds where it is told.
func TestFiguresInThePagesAreTheConstantsOfTheCode(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	packages := map[string]*types.Scope{}
	pages := map[string]string{}
	for _, b := range bounds {
		if packages[b.pkg] == nil {
			packages[b.pkg] = constantsOf(t, b.pkg)
		}
		if pages[b.page] == "" {
			text, err := os.ReadFile(b.page)
			if err != nil {
				t.Fatal(err)
			}
			pages[b.page] = strings.Join(strings.Fields(string(text)), " ")
		}
		var values []any
		for _, name := range b.constants {
			name, unit, _ := strings.Cut(name, " ")
			c, ok := packages[b.pkg].Lookup(name).(*types.Const)
			if !ok || c.Val().Kind() == constant.Unknown {
				t.Fatalf("%s has no constant %s, of which docs/%s tells", b.pkg, name, b.page)
			}
			values = append(values, figure(t, c.Val(), unit))
		}
		if want := fmt.Sprintf(b.text, values...); !strings.Contains(pages[b.page], want) {
			t.Errorf("docs/%s does not say %q: %v of %s has that value", b.page, want, b.constants, b.pkg)
		}
	}
	for _, line := range section(t, "ros.md", "Limits on other participants") {
		said := slices.ContainsFunc(bounds, func(b bound) bool {
			words := strings.ReplaceAll(regexp.QuoteMeta(b.text), "%s", `[0-9,.]+`)
			return b.page == "ros.md" && regexp.MustCompile(words).MatchString(line)
		})
		if regexp.MustCompile(`[0-9]`).MatchString(strings.Split(line, "|")[2]) && !said {
			t.Errorf("docs/ros.md: no constant of the code holds the row %q", line)
		}
	}
}

// TestDefaultsInThePagesAreThoseOfTheProgram holds guides to what the program's own words in the reference
// say.
func TestDefaultsInThePagesAreThoseOfTheProgram(t *testing.T) {
	l := sim.DefaultLimits()
	number := func(n int) string { return figure(t, constant.MakeInt64(int64(n)), "") }
	for _, want := range []struct{ page, text string }{
		{"troubleshooting.md", fmt.Sprintf("| `entities`, `bodies` | %s and %s in a world |", number(l.Entities), number(l.Bodies))},
		{"troubleshooting.md", fmt.Sprintf("| `links`, `joints` | %s each in a model |", number(l.Links))},
		{"troubleshooting.md", fmt.Sprintf("| `loop` | %s joints in a ring |", number(l.Loop))},
		{"troubleshooting.md", fmt.Sprintf("| `overlaps` | %s moving bodies in the same place |", number(l.Overlaps))},
		{"worlds.md", fmt.Sprintf("%s links of a model, %s entities.", number(l.Links), number(l.Entities))},
	} {
		text, err := os.ReadFile(want.page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want.text) {
			t.Errorf("docs/%s does not say %q", want.page, want.text)
		}
	}
	if l.Links != l.Joints {
		t.Errorf("links %d, joints %d: docs/troubleshooting.md has one number for both", l.Links, l.Joints)
	}
	reference, err := os.ReadFile("reference/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, row := range section(t, "ssh.md", "Strangers") {
		m := regexp.MustCompile("`--([a-z-]+) ([0-9:ms]+)`").FindStringSubmatch(row)
		if m == nil {
			continue
		}
		seen++
		held := regexp.MustCompile("(?m)^\\| `" + m[1] + "` .*\\(default \"?" + m[2] + `(0s)?"?\)`)
		if !held.Match(reference) {
			t.Errorf("docs/ssh.md: the default of --%s is not %s: see reference/configuration.md", m[1], m[2])
		}
	}
	if seen < 3 {
		t.Errorf("%d defaults found in docs/ssh.md: the search is broken", seen)
	}
}

// section is the rows of the table below a heading.
func section(t *testing.T, page, heading string) (rows []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, below, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/%s has no heading %q", page, heading)
	}
	below, _, _ = strings.Cut(below, "\n## ")
	for line := range strings.Lines(below) {
		if strings.HasPrefix(line, "| ") && strings.Count(line, "|") > 2 {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	if len(rows) < 5 {
		t.Fatalf("docs/%s: %d rows below %q", page, len(rows), heading)
	}
	return rows
}

// figure is a value as a page writes it.
func figure(t *testing.T, v constant.Value, unit string) string {
	t.Helper()
	f, _ := constant.Float64Val(constant.ToFloat(v))
	switch unit {
	case "":
	case "Ki", "KiB":
		f /= 1 << 10
	case "MiB":
		f /= 1 << 20
	case "s":
		f /= float64(time.Second)
	case "km":
		f /= 1000
	case "Hz":
		f = float64(time.Second) / f
	case "word":
		return map[float64]string{2: "two", 3: "three", 4: "four", 5: "five", 8: "eight", 16: "sixteen"}[f]
	case "power":
		return "10" + string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[int(math.Round(math.Log10(f)))])
	case "exponent":
		return strings.ReplaceAll(strconv.FormatFloat(f, 'e', -1, 64), "e+", "e")
	default:
		t.Fatalf("the unit %q is not one of this test", unit)
	}
	digits := strconv.FormatFloat(f, 'f', -1, 64)
	whole, part, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0 && len(whole) > 3; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if part != "" {
		whole += "." + part
	}
	return whole
}

// standard imports the packages of durations alone: constants need no others.
type standard struct{ types.Importer }

func (s standard) Import(path string) (*types.Package, error) {
	if path == "time" || path == "math" {
		return s.Importer.Import(path)
	}
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// constantsOf is the scope of a package of the module, in which its constants have values.
func constantsOf(t *testing.T, pkg string) *types.Scope {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join("..", pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls { // of functions only the constants at the top are wanted
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
		files[name] = file
	}
	config := types.Config{Importer: standard{importer.ForCompiler(fset, "source", nil)},
		Error: func(error) {}}
	var all []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, files[name])
	}
	p, _ := config.Check(pkg, fset, all, nil) // types of other packages are missing: constants are not
	return p.Scope()
}
