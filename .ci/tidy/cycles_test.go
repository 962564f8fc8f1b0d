package tidy

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// dynamicsFolder holds the step of a world, stepFile its tables of stages.
const (
	dynamicsFolder = "sim/dynamics"
	stepFile       = "step.go"
)

// The files of a step are layers: a file calls what lies below it. A cycle of calls between files makes all
// of them one file to a reader. Two stages of a step that share one cannot be read or changed one without the
// other.
func TestFilesOfAStepCallDownwardOnly(t *testing.T) {
	g := loadCalls(t, dynamicsFolder)
	stages := g.stages(stepFile)
	if len(stages) < 20 {
		t.Fatalf("%d stages in the tables of %s/%s: the reading of the tables is broken", len(stages),
			dynamicsFolder, stepFile)
	}
	for name, files := range stages {
		if len(files) == 0 {
			t.Errorf("stage %q calls no file but %s: what it does belongs to the file of its subject",
				name, stepFile)
		}
	}
	for _, cycle := range g.cycles() {
		t.Errorf("%s: %s\nA caller stands above what it calls: let the function of the stage in %s call "+
			"both, or move the function to the file of its subject.", dynamicsFolder,
			g.describe(cycle, stages), stepFile)
	}
}

// A stage says what it works on: its function in step.go hands parts of the world on. The drivers of tables
// and tasks alone hand on the world itself.
func TestStagesTakeTheirPartsOfTheWorld(t *testing.T) {
	g := loadCalls(t, dynamicsFolder)
	drivers := []string{stepFile, "stage.go", "workers.go"}
	checked := 0
	for _, fn := range g.reachable(stepFile) {
		file := g.fileOf(fn.Pos())
		if slices.Contains(drivers, file) {
			continue
		}
		checked++
		sig := fn.Signature()
		for i := range sig.Params().Len() {
			if isWorld(sig.Params().At(i).Type()) {
				t.Errorf("%s/%s: %s takes the world: say which of its parts it works on", dynamicsFolder,
					file,
					fn.Name())
			}
		}
		if r := sig.Recv(); r != nil && isWorld(r.Type()) {
			t.Errorf("%s/%s: %s is a method of the world: it belongs to the part that it works on",
				dynamicsFolder, file, fn.Name())
		}
	}
	if checked < 200 {
		t.Errorf("%d functions found that stages use: the search is broken", checked)
	}
}

func isWorld(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := p.Elem().(*types.Named)
	return ok && n.Obj().Name() == "World"
}

// Calls by name, through a method value, a method of an embedded type and a function that is handed on count.
// Those of a test, of another package and of a file to itself do not.
func TestACycleOfCallsIsFound(t *testing.T) {
	g := loadCalls(t, ".ci/tidy/testdata/cycle")
	stages := g.stages("table.go")
	if got := fmt.Sprint(stages); got != "map[first:[bottom.go first.go] second:[second.go]]" {
		t.Errorf("stages are %s", got)
	}
	var got []string
	for _, cycle := range g.cycles() {
		got = append(got, g.describe(cycle, stages))
	}
	slices.Sort(got)
	want := []string{
		`first.go (stage "first") calls second.go (push), second.go (stage "second") calls first.go (pull)`,
		`left.go calls middle.go (turn), middle.go calls right.go (turn), right.go calls left.go (begin)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("found cycles\n%s\nshould be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// callGraph maps the functions of a package's files to the functions of the package that they use.
type callGraph struct {
	set   *token.FileSet
	files map[string]*ast.File
	info  *types.Info
	pkg   *types.Package
	calls map[string]map[string][]string // by file and other file: names of functions, ascending
}

// loadCalls reads the files of a package as they are built here, without tests, and resolves its calls.
func loadCalls(t *testing.T, folder string) *callGraph {
	t.Helper()
	from := newModuleImporter()
	g := &callGraph{set: from.set, files: map[string]*ast.File{}, calls: map[string]map[string][]string{}}
	var files []*ast.File
	files, g.pkg, g.info = from.check(t, folder)
	for _, f := range files {
		g.files[g.fileOf(f.Pos())] = f
	}
	for caller, f := range g.files {
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if fn := g.function(g.info.Uses[id]); fn != nil && g.fileOf(fn.Pos()) != caller {
						g.add(caller, g.fileOf(fn.Pos()), fn.Name())
					}
				}
				return true
			})
		}
	}
	return g
}

func (g *callGraph) fileOf(p token.Pos) string { return filepath.Base(g.set.Position(p).Filename) }

// function is a function or method that the package declares, without its type arguments; nil: none.
func (g *callGraph) function(o types.Object) *types.Func {
	if fn, ok := o.(*types.Func); ok && fn.Origin().Pkg() == g.pkg {
		return fn.Origin()
	}
	return nil
}

func (g *callGraph) add(caller, callee, name string) {
	if g.calls[caller] == nil {
		g.calls[caller] = map[string][]string{}
	}
	names := g.calls[caller][callee]
	if at, found := slices.BinarySearch(names, name); !found {
		g.calls[caller][callee] = slices.Insert(names, at, name)
	}
}

// callees are the files that a file calls, ascending.
func (g *callGraph) callees(file string) []string {
	var out []string
	for callee := range g.calls[file] {
		out = append(out, callee)
	}
	slices.Sort(out)
	return out
}

// cycles is a shortest cycle of each set of files that call each other.
func (g *callGraph) cycles() [][]string {
	var out [][]string
	done := map[string]bool{}
	var files []string
	for file := range g.files {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		if done[file] {
			continue
		}
		var shortest []string
		for _, other := range files {
			if g.path(file, other) == nil || g.path(other, file) == nil {
				continue
			}
			done[other] = true
			if way := g.path(other, other); shortest == nil || len(way) < len(shortest) {
				shortest = way
			}
		}
		if shortest != nil {
			out = append(out, shortest)
		}
	}
	return out
}

// path is a shortest way of at least one call from one file to another, with both; nil: there is none.
func (g *callGraph) path(from, to string) []string {
	before := map[string]string{}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g.callees(queue[0]) {
			if _, seen := before[next]; seen {
				continue
			}
			before[next] = queue[0]
			if next != to {
				queue = append(queue, next)
				continue
			}
			way := []string{to}
			for at := before[to]; ; at = before[at] {
				if way = append(way, at); at == from {
					slices.Reverse(way)
					return way
				}
			}
		}
	}
	return nil
}

// describe names the files of a cycle, their stages, and the calls.
func (g *callGraph) describe(cycle []string, stages map[string][]string) string {
	var out []string
	for i, file := range cycle[:len(cycle)-1] {
		var of []string
		for name, files := range stages {
			if slices.Contains(files, file) {
				of = append(of, fmt.Sprintf("%q", name))
			}
		}
		slices.Sort(of)
		where := file
		if len(of) > 0 {
			where += " (stage " + strings.Join(of, ", ") + ")"
		}
		out = append(out, fmt.Sprintf("%s calls %s (%s)", where, cycle[i+1],
			strings.Join(g.calls[file][cycle[i+1]], ", ")))
	}
	return strings.Join(out, ", ")
}

// stages are the files of each stage in the tables of a file. They hold the functions that the stage's own
// function uses, directly or through others of the table's file.
func (g *callGraph) stages(table string) map[string][]string {
	bodies := map[types.Object]ast.Node{}
	for _, d := range g.files[table].Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			bodies[g.info.Defs[f.Name]] = f
		}
	}
	out := map[string][]string{}
	ast.Inspect(g.files[table], func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			if name, run := stageOf(lit); name != "" {
				out[name] = nil
				g.collect(run, table, bodies, map[types.Object]bool{}, func(file string) {
					if at, found := slices.BinarySearch(out[name], file); !found {
						out[name] = slices.Insert(out[name], at, file)
					}
				})
			}
		}
		return true
	})
	return out
}

// reachable are the functions that the stages in the tables of a file use, directly and through others.
func (g *callGraph) reachable(table string) []*types.Func {
	bodies := map[types.Object]ast.Node{}
	for _, f := range g.files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				bodies[g.info.Defs[f.Name]] = f
			}
		}
	}
	seen := map[*types.Func]bool{}
	var out []*types.Func
	var follow func(n ast.Node)
	follow = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, _ := n.(*ast.Ident)
			if fn := g.function(g.info.Uses[id]); id != nil && fn != nil && !seen[fn] {
				seen[fn], out = true, append(out, fn)
				if bodies[fn] != nil { // assembly has none
					follow(bodies[fn])
				}
			}
			return true
		})
	}
	ast.Inspect(g.files[table], func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			if name, run := stageOf(lit); name != "" {
				follow(run)
			}
		}
		return true
	})
	return out
}

// stageOf is the name and the function of an entry of a table; "": it is none.
func stageOf(lit *ast.CompositeLit) (name string, run ast.Node) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "", nil
		}
		switch key, _ := kv.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "name":
			if s, ok := kv.Value.(*ast.BasicLit); ok {
				name = strings.Trim(s.Value, `"`)
			}
		case key.Name == "run":
			run = kv.Value
		}
	}
	if run == nil {
		return "", nil
	}
	return name, run
}

// collect finds the files of the functions that a node uses, following those of the table's own file.
func (g *callGraph) collect(n ast.Node, table string, bodies map[types.Object]ast.Node,
	seen map[types.Object]bool, found func(file string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		fn := g.function(g.info.Uses[id])
		if fn == nil || seen[fn] {
			return true
		}
		seen[fn] = true
		if file := g.fileOf(fn.Pos()); file != table {
			found(file)
		} else if bodies[fn] != nil {
			g.collect(bodies[fn], table, bodies, seen, found)
		}
		return true
	})
}

// moduleImporter reads packages of this module from their sources, and others from what the compiler left.
type moduleImporter struct {
	set   *token.FileSet
	other types.Importer
	known map[string]*types.Package
}

func newModuleImporter() *moduleImporter {
	set := token.NewFileSet()
	return &moduleImporter{set: set, other: importer.ForCompiler(set, "gc", openExports),
		known: map[string]*types.Package{}}
}

// exports are the files that the compiler left, by package of others that this module needs. Its own need not
// be compiled.
var exports = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-e", "-f", `{{join .Imports "\n"}}`, "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list ./...: %w", err)
	}
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, name := range slices.Compact(slices.Sorted(strings.FieldsSeq(string(out)))) {
		if !strings.HasPrefix(name, "simdeck/") && name != "C" {
			args = append(args, name)
		}
	}
	if out, err = exec.Command("go", args...).Output(); err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, nil
})

func openExports(name string) (io.ReadCloser, error) {
	files, err := exports()
	if err != nil {
		return nil, err
	}
	if files[name] == "" {
		return nil, fmt.Errorf("go list names no export data of %s", name)
	}
	return os.Open(files[name])
}

// Import implements types.Importer.
func (m *moduleImporter) Import(name string) (*types.Package, error) {
	folder, own := strings.CutPrefix(name, "simdeck/")
	if name == "simdeck" {
		folder, own = ".", true
	}
	if !own {
		return m.other.Import(name)
	}
	if p := m.known[name]; p != nil {
		return p, nil
	}
	files, err := m.parse(folder)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: m, IgnoreFuncBodies: true}
	p, err := conf.Check(name, m.set, files, nil)
	m.known[name] = p
	return p, err
}

// check resolves all names and types of a folder's files, those in functions too.
func (m *moduleImporter) check(t *testing.T, folder string) ([]*ast.File, *types.Package, *types.Info) {
	t.Helper()
	files, err := m.parse(folder)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}}
	conf := types.Config{Importer: m, FakeImportC: true}
	pkg, err := conf.Check("simdeck/"+folder, m.set, files, info)
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	return files, pkg, info
}

// parse reads the files of a folder that are built here, without tests.
func (m *moduleImporter) parse(folder string) ([]*ast.File, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		built, err := build.Default.MatchFile(folder, e.Name())
		if err != nil {
			return nil, err
		}
		if path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") || !built {
			continue
		}
		f, err := parser.ParseFile(m.set, path.Join(folder, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
