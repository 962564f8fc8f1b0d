package docs

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var peerFigures = flag.String("peers", "",
	"with -update: the output of make bench-peers from which the table beside other engines is written")

// peer is an engine: what it is called in the output, in the table, and in the list of versions.
type peer struct{ key, name, version string }

// physicsPeers is the number of engines that simulate physics; the others cast rays.
const physicsPeers = 4

// peerNames are the engines of make bench-peers, in the order of the columns.
var peerNames = []peer{
	{"rapier", "Rapier", "rapier"}, {"bullet", "Bullet", "bullet"}, {"ode", "ODE", "ode"},
	{"mujoco", "MuJoCo", "mujoco"},
	{"embree single", "Embree, single rays", "embree"}, {"embree packets", "Embree, packets", ""},
}

// peerRow is the time of each engine for a scene.
type peerRow struct {
	scene string
	ms    map[string]float64 // per step, or per cast of all rays, by the engine
	ratio map[string]string  // ours over theirs, of the times before they were rounded
}

// peerLine is a line of TestScenesRunAsOnOtherEngines or TestRaysOfTheComparisonHitTheExpectedNumber.
var peerLine = regexp.MustCompile(
	`^([A-Z]\w*(?: [a-z]+)?) +(simdeck|rapier|bullet|ode|mujoco|embree single|embree packets) +([0-9.]+) ms +(?:×([0-9.]+))?`)

// peersOf reads the output of make bench-peers: the machine, and the scenes in their order.
func peersOf(text string) (run facts, all []*peerRow) {
	run = facts{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		run.note(line)
		m := peerLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		i := slices.IndexFunc(all, func(r *peerRow) bool { return r.scene == m[1] })
		if i < 0 {
			i = len(all)
			all = append(all, &peerRow{m[1], map[string]float64{}, map[string]string{}})
		}
		if ms, err := strconv.ParseFloat(m[3], 64); err == nil {
			all[i].ms[m[2]], all[i].ratio[m[2]] = ms, m[4]
		}
	}
	return run, all
}

// peersTable is the table of a run: ms of each engine, and ours over theirs.
func peersTable(run facts, all []*peerRow) string {
	var b strings.Builder
	var versions []string
	for _, p := range peerNames {
		if p.version != "" && run[p.version] != "" {
			versions = append(versions, strings.Split(p.name, ",")[0]+" "+run[p.version])
		}
	}
	fmt.Fprintf(&b, "%s Engines: %s. Time in ms per step, or per cast of all rays; in brackets ours over theirs.\n\n",
		run.machine(), strings.Join(versions, ", "))
	rays := func(r *peerRow) bool { return r.ms["embree single"] > 0 || r.ms["embree packets"] > 0 }
	peersRows(&b, peerNames[:physicsPeers], slices.DeleteFunc(slices.Clone(all), rays))
	b.WriteString("\n")
	peersRows(&b, peerNames[physicsPeers:], slices.DeleteFunc(slices.Clone(all),
		func(r *peerRow) bool { return !rays(r) }))
	return b.String()
}

// peersRows writes the scenes of some engines.
func peersRows(b *strings.Builder, peers []peer, all []*peerRow) {
	b.WriteString("| scene | simdeck |")
	for _, p := range peers {
		fmt.Fprintf(b, " %s |", p.name)
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(peers)) + "\n")
	for _, r := range all {
		fmt.Fprintf(b, "| %s | %s |", r.scene, digits(r.ms["simdeck"]))
		for _, p := range peers {
			if ms := r.ms[p.key]; ms > 0 {
				fmt.Fprintf(b, " %s (%s) |", digits(ms), r.ratio[p.key])
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
}

// digits is a number with two significant digits, or three where it begins with 1.
func digits(x float64) string {
	n := 2
	if s := strconv.FormatFloat(x, 'e', 2, 64); s[0] == '1' {
		n = 3
	}
	s := strconv.FormatFloat(x, 'g', n, 64)
	if strings.ContainsRune(s, 'e') {
		s = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return s
}

// modelLine is a line of TestModelsRunAsInMuJoCo.
var modelLine = regexp.MustCompile(`(?m)^model (.+?) +simdeck +([0-9.]+) ms +mujoco +([0-9.]+) ms +×([0-9.]+)$`)

// modelsTable is the table of models that MuJoCo runs too: ms of a simulated second, and ours over theirs.
func modelsTable(run facts, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s MuJoCo %s. Time in ms of a simulated second, of one thread; in brackets ours over theirs.\n\n",
		run.machine(), run["mujoco"])
	b.WriteString("| model | simdeck | MuJoCo |\n| --- | --- | --- |\n")
	for _, m := range modelLine.FindAllStringSubmatch(text, -1) {
		ours, _ := strconv.ParseFloat(m[2], 64)
		theirs, _ := strconv.ParseFloat(m[3], 64)
		fmt.Fprintf(&b, "| %s | %s | %s (%s) |\n", m[1], digits(ours), digits(theirs), m[4])
	}
	return b.String()
}

// TestTheTableOfModelsIsOfThoseThatThereAre, as that of scenes.
func TestTheTableOfModelsBesideOtherEnginesIsOfThoseThatThereAre(t *testing.T) {
	if *update && *peerFigures != "" {
		text, err := os.ReadFile(*peerFigures)
		if err != nil {
			t.Fatal(err)
		}
		run, _ := peersOf(string(text))
		generated(t, figuresPage, "models", modelsTable(run, string(text)))
	}
	page, err := os.ReadFile(figuresPage)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join("..", "sim", "engine", "mujoco_peers_linux_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([\w ×]+) \| ([0-9.]+) \| [0-9.]+ \([0-9.]+\) \|$`).
		FindAllStringSubmatch(string(marked("models").Find(page)), -1)
	if len(rows) == 0 {
		t.Error("no models in the table beside MuJoCo: make bench-peers writes it")
	}
	for _, r := range rows {
		if !strings.Contains(string(source), `name: "`+r[1]+`", `) {
			t.Errorf("there is no model %q any more: make bench-peers writes the table", r[1])
		}
	}
}

// TestTheTableBesideOtherEnginesIsOfScenesThatThereAre writes the table with -update -peers FILE, as
// make bench-peers does. Without, it looks for each scene in the sources, and for the head.
func TestTheTableBesideOtherEnginesIsOfScenesThatThereAre(t *testing.T) {
	if *update && *peerFigures != "" {
		text, err := os.ReadFile(*peerFigures)
		if err != nil {
			t.Fatal(err)
		}
		run, all := peersOf(string(text))
		if len(all) == 0 {
			t.Fatalf("%s holds no scene", *peerFigures)
		}
		generated(t, figuresPage, "peers", peersTable(run, all))
	}
	text, err := os.ReadFile(figuresPage)
	if err != nil {
		t.Fatal(err)
	}
	part := string(marked("peers").Find(text))
	if !regexp.MustCompile(headed.String() + ` Engines: (Rapier|Bullet|ODE|MuJoCo|Embree) [0-9]`).
		MatchString(part) {
		t.Error("the table beside other engines does not say when and where it was measured, and of which versions")
	}
	sources := ""
	for _, file := range []string{"peers_linux_test.go", "peer_rays_linux_test.go"} {
		text, err := os.ReadFile(filepath.Join("..", "sim", "dynamics", file))
		if err != nil {
			t.Fatal(err)
		}
		sources += string(text)
	}
	rows := regexp.MustCompile(`(?m)^\| ([A-Z][\w ]*) \| ([0-9.]+) \|(.*)$`).FindAllStringSubmatch(part, -1)
	if len(rows) < 6 {
		t.Errorf("%d scenes in the table beside other engines", len(rows))
	}
	for _, r := range rows {
		if !strings.Contains(sources, `{"`+r[1]+`", `) {
			t.Errorf("there is no scene %q any more: make bench-peers writes the table", r[1])
		}
		if !strings.Contains(r[3], "(") {
			t.Errorf("scene %q has no other engine beside it", r[1])
		}
	}
}

func TestTheTableBesideOtherEnginesHasTheRatiosOfItsRun(t *testing.T) {
	run, all := peersOf("goos: linux\ngoarch: amd64\ncpu: Some CPU\ncores: 2\ndate: 2026-01-02 03:04 UTC\n" +
		"load: 0.10 0.20 0.30\ngo: go1.26\nrapier: 0.36.1\nembree: 3.13\n=== RUN   TestX\n" +
		"A1k   simdeck      1.500 ms         lowest corner +0.0001 m\n" +
		"A1k   rapier       2.000 ms  ×0.75  lowest corner -0.0100 m\n" +
		"F shapes   simdeck             8.000 ms         59760 hits, mean 4.1 m\n" +
		"F shapes   embree single      10.000 ms  ×0.80  59761 hits, mean 4.1 m\n" +
		"F shapes   embree packets      3.200 ms  ×2.50  59761 hits, mean 4.1 m\n--- PASS: TestX (1.00s)\n")
	want := `Machine: linux/amd64, Some CPU; cores: 2; load at the start: 0.10 0.20 0.30; Go: go1.26; ` +
		`date: 2026-01-02 03:04 UTC. Engines: Rapier 0.36.1, Embree 3.13. ` +
		`Time in ms per step, or per cast of all rays; in brackets ours over theirs.

| scene | simdeck | Rapier | Bullet | ODE | MuJoCo |
| --- | --- | --- | --- | --- | --- |
| A1k | 1.5 | 2 (0.75) | | | |

| scene | simdeck | Embree, single rays | Embree, packets |
| --- | --- | --- | --- |
| F shapes | 8 | 10 (0.80) | 3.2 (2.50) |
`
	if got := peersTable(run, all); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestFactsThatARunDoesNotTellAreNotRecorded(t *testing.T) {
	run := facts{}
	run.note("cpu: Some CPU")
	run.note("cpu: another")
	if got := run.machine(); !headed.MatchString("Machine: linux/amd64"+got[strings.Index(got, ","):]) ||
		!strings.Contains(got, ", Some CPU; cores: not recorded; load at the start: not recorded;") {
		t.Error(got)
	}
}

func TestARunTellsItsMachineAndTheVersionsOfEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	out, err := exec.Command("../.ci/machine").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := facts{}
	for line := range strings.Lines(string(out)) {
		run.note(line)
	}
	if got := run.machine(); !headed.MatchString(got) || strings.Contains(got, untold) {
		t.Errorf(".ci/machine leaves something out: %s", got)
	}
	engines := t.TempDir()
	for _, name := range []string{"rapier", "mujoco"} {
		if err := os.WriteFile(filepath.Join(engines, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	out, err = exec.Command("../sim/dynamics/peers/versions.sh", engines).Output()
	if err != nil || !regexp.MustCompile(`^rapier: \d+\.\d+\.\d+\nmujoco: \d+\.\d+\.\d+\n$`).Match(out) {
		t.Errorf("versions of the two engines that are built: %q, %v", out, err)
	}
}
