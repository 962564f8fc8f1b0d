package docs

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var figures = flag.String("figures", "",
	"with -update: the output of go test -bench from which the table of figures is written")

// figuresPage is the page with the table of benchmarks.
const figuresPage = "reference/performance.md"

// measured is a benchmark with the figures of its runs.
type measured struct {
	pkg, name     string
	ns            []float64
	bytes, allocs string
}

// benchmark is a line of go test -bench -benchmem.
var benchmark = regexp.MustCompile(
	`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op(?:.*?\s([0-9.]+) B/op\s+([0-9]+) allocs/op)?`)

// facts are the circumstances of a run of measurements, from lines "key: value": see .ci/machine.
type facts map[string]string

// untold stands for a fact that the run did not tell.
const untold = "not recorded"

// of is a fact.
func (f facts) of(key string) string { return cmp.Or(f[key], untold) }

// machine says when and where the figures were measured.
func (f facts) machine() string {
	return fmt.Sprintf("Machine: %s/%s, %s; cores: %s; load at the start: %s; Go: %s; date: %s.",
		f.of("goos"),
		f.of("goarch"), f.of("cpu"), f.of("cores"), f.of("load"), f.of("go"), f.of("date"))
}

// headed is the begin of a table of figures.
var headed = regexp.MustCompile(`Machine: [a-z]+/[a-z0-9]+, [^;]+; cores: [^;]+; load at the start: [^;]+; ` +
	`Go: [^;]+; date: [^;]+\.`)

// note takes a line "key: value" up, the first of a key.
func (f facts) note(line string) {
	if key, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(key, " ") && f[key] == "" {
		f[key] = strings.TrimSpace(value)
	}
}

// runOf reads the output of go test -bench: the machine and its benchmarks, in their order.
func runOf(t *testing.T, file string) (run facts, all []*measured) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run = facts{}
	pkg := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "pkg: "); ok {
			pkg = strings.TrimPrefix(name, "simdeck/")
		}
		run.note(lines.Text())
		m := benchmark.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		i := slices.IndexFunc(all, func(b *measured) bool { return b.pkg == pkg && b.name == m[1] })
		if i < 0 {
			i = len(all)
			all = append(all, &measured{pkg: pkg, name: m[1]})
		}
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		all[i].ns, all[i].bytes, all[i].allocs = append(all[i].ns, ns), m[3], m[4]
	}
	return run, all
}

// duration is a time of some nanoseconds, to three digits.
func duration(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size {
			return strconv.FormatFloat(ns/u.size, 'g', 3, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(ns, 'g', 3, 64) + " ns"
}

// tableOf is the table of a run: the median of each benchmark.
func tableOf(run facts, all []*measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Median of %d runs each.\n\n", run.machine(), len(all[0].ns))
	b.WriteString("| package | benchmark | time | allocated | allocations |\n| --- | --- | --- | --- | --- |\n")
	for _, m := range all {
		slices.Sort(m.ns)
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s B | %s |\n", m.pkg, m.name, duration(m.ns[len(m.ns)/2]),
			m.bytes, m.allocs)
	}
	return b.String()
}

// TestFiguresAreOfBenchmarksThatThereAre writes the table of a run with -update -figures FILE, as make bench
// does. Without, it looks for every benchmark of the table in the sources, and for the machine.
func TestFiguresAreOfBenchmarksThatThereAre(t *testing.T) {
	if *update && *figures != "" {
		run, all := runOf(t, *figures)
		if len(all) == 0 {
			t.Fatalf("%s holds no benchmark", *figures)
		}
		generated(t, figuresPage, "bench", tableOf(run, all))
	}
	text, err := os.ReadFile(figuresPage)
	if err != nil {
		t.Fatal(err)
	}
	part := string(marked("bench").Find(text))
	if !regexp.MustCompile(headed.String() + ` Median of \d+ runs each`).MatchString(part) {
		t.Error("the table of benchmarks does not say when and where it was measured")
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`/]+)[^`]*` \\| [0-9.e+]+ (ns|µs|ms|s) \\|").
		FindAllStringSubmatch(part, -1)
	if len(rows) < 20 {
		t.Errorf("%d benchmarks in the table", len(rows))
	}
	known := map[string]map[string]bool{}
	for _, m := range rows {
		if known[m[1]] == nil {
			known[m[1]] = benchmarksIn(t, filepath.Join("..", m[1]))
		}
		if !known[m[1]][m[2]] {
			t.Errorf("%s has no Benchmark%s any more: make bench writes the table", m[1], m[2])
		}
	}
}

// benchmarksIn are those of a package.
func benchmarksIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	files, err := fs.Glob(os.DirFS(dir), "*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func Benchmark(\w+)\(`).FindAllSubmatch(text, -1) {
			all[string(m[1])] = true
		}
	}
	return all
}
