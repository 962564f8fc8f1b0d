// Package tidy checks the structure of the whole project: arrows and cycles, goroutines, sockets and files,
// comments of exported names, and the files, tests and targets that the guides name.
package tidy

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented is the least part of exported names that have a comment, in percent.
const documented = 95

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// source is a Go file of this module.
type source struct {
	name      string // slash-separated, from the module's root
	pkg       string // its folder
	text      []byte
	file      *ast.File
	set       *token.FileSet
	test      bool
	generated bool
}

func (s source) line(p token.Pos) int { return s.set.Position(p).Line }

// repository calls f with every file that is part of the project.
func repository(t *testing.T, f func(name string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == ".git" || strings.HasPrefix(d.Name(), "__") ||
			name == "dist" || d.Name() == ".pytest_cache") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || name == "simdeck" {
			return err
		}
		f(filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	repository(t, func(name string) {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			return
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{
			name: name, pkg: path.Dir(name), text: text, file: file, set: set,
			test: strings.HasSuffix(name, "_test.go"), generated: ast.IsGenerated(file),
		})
	})
	if len(all) < 10 {
		t.Fatalf("found %d Go files: the walk is broken", len(all))
	}
	return all
}

func TestTheTopLevelIsAsDrawn(t *testing.T) {
	want := strings.Fields("main.go ui sim ros webots autopilot worlds deploy docs keymap.yaml go.mod go.sum Makefile README.md LICENSE ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md")
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		// output of make build and make release
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "_test.go") || name == "simdeck" ||
			name == "dist" {
			continue
		}
		if i := slices.Index(want, name); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else {
			t.Errorf("%s: nothing else stands at the top: a reader sees the whole design there; put it where it belongs",
				name)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing at the top: %v", want)
	}
	if _, err := os.Stat(".ci/run"); err != nil {
		t.Error(err)
	}
}

func TestEveryPackageSaysOnceWhatItIsFor(t *testing.T) {
	comments := map[string][]string{} // package → files with a package comment
	code := map[string]bool{}         // has files that are no tests
	for _, s := range sources(t) {
		code[s.pkg] = code[s.pkg] || !s.test
		if comments[s.pkg] == nil {
			comments[s.pkg] = []string{}
		}
		if s.file.Doc != nil && strings.TrimSpace(s.file.Doc.Text()) != "" {
			comments[s.pkg] = append(comments[s.pkg], s.name)
		}
	}
	for pkg, files := range comments {
		switch {
		case len(files) == 0:
			t.Errorf("package %s has no package comment: say what it is for and how it fits", pkg)
		case len(files) > 1:
			t.Errorf("package %s has %d package comments, in %v: godoc would join them", pkg, len(files),
				files)
		case code[pkg] && strings.HasSuffix(files[0], "_test.go"):
			t.Errorf("package %s has its comment in %s, where godoc does not look", pkg, files[0])
		}
	}
}

func TestWhatIsExportedIsDocumented(t *testing.T) {
	total, missing := 0, []string{}
	for _, s := range sources(t) {
		if s.test || s.generated || s.file.Name.Name == "main" {
			continue
		}
		for _, d := range s.file.Decls {
			for name, documented := range exported(d) {
				total++
				if !documented {
					missing = append(missing, s.name+" "+name)
				}
			}
		}
	}
	if total == 0 || len(missing)*100 > total*(100-documented) {
		slices.Sort(missing)
		t.Errorf("%d of %d exported names have no comment, at most %d %%: what it is, units, frames, errors, where it comes from:\n%s",
			len(missing), total, 100-documented, strings.Join(missing, "\n"))
	}
}

// exported lists the names that a declaration exports, and whether each has a
// comment: its own, or that of its group.
func exported(d ast.Decl) map[string]bool {
	names := map[string]bool{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			names[d.Name.Name] = d.Doc != nil
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					names[spec.Name.Name] = d.Doc != nil || spec.Doc != nil || spec.Comment != nil
				}
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					if n.IsExported() {
						names[n.Name] = d.Doc != nil || spec.Doc != nil || spec.Comment != nil
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	e := f.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	empty := regexp.MustCompile(`^(utils?|commons?|helpers?|managers?|impls?|types?|misc|shared|base)$`)
	lower := regexp.MustCompile(`^[a-z0-9_]+\.go$`)
	for _, s := range sources(t) {
		base := strings.TrimSuffix(strings.TrimSuffix(path.Base(s.name), ".go"), "_test")
		if empty.MatchString(base) || empty.MatchString(path.Base(s.pkg)) ||
			empty.MatchString(s.file.Name.Name) {
			t.Errorf("%s: such a name says nothing and gathers everything: name the noun", s.name)
		}
		if !lower.MatchString(path.Base(s.name)) {
			t.Errorf("%s: file names are lower case, or they clash on some file systems", s.name)
		}
	}
}

func TestNothingIsLeftForLater(t *testing.T) {
	marks := regexp.MustCompile(`\b(FIX` + `ME|TO` + `DO|XX` + `X|HA` + `CK)\b|no` +
		`lint|pytest\.(skip|xfail)|mark\.(skip|xfail)|importor` + `skip`)
	text := regexp.MustCompile(`(\.(go|py|sh|yaml|md|mod|in|txt|sdf|mk)|Makefile|\.ci/[a-z]+)$`)
	repository(t, func(name string) {
		if !text.MatchString(name) || strings.Contains(name, "testdata/") {
			return
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(content, []byte("\n")) {
			if m := marks.Find(line); m != nil {
				t.Errorf("%s:%d: %s: do it now, or file an issue", name, n+1, m)
			}
		}
	})
}

// TestTestsAreSkippedOnlyByShort: with a reason. Data of the corpus may be absent too, unless
// SIMDECK_CORPUS_REQUIRED is set.
func TestTestsAreSkippedOnlyByShort(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		inspectFunctions(s, func(f *ast.FuncDecl) {
			excused := map[ast.Node]bool{} // skips by -short
			ast.Inspect(f, func(n ast.Node) bool {
				if i, ok := n.(*ast.IfStmt); ok && mentions(i.Cond, "Short") {
					for _, stmt := range i.Body.List {
						if e, ok := stmt.(*ast.ExprStmt); ok {
							excused[e.X] = true
						}
					}
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || !regexp.MustCompile(`^Skip(Now|f)?$`).MatchString(selector(call)) {
					return true
				}
				found++
				text := s.text[s.set.Position(f.Pos()).Offset:s.set.Position(f.End()).Offset]
				if excused[call] && len(call.Args) > 0 || bytes.Contains(text, []byte("SIMDECK_CORPUS_REQUIRED")) {
					return true
				}
				t.Errorf("%s:%d: a test is skipped by -short, with a reason, or without the corpus where "+
					"SIMDECK_CORPUS_REQUIRED is not set; not otherwise", s.name, s.line(call.Pos()))
				return true
			})
		})
	}
	if found < 50 {
		t.Errorf("found %d skips: the search is broken", found)
	}
}

// mentions reports that an expression calls a function of a name.
func mentions(e ast.Expr, name string) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		is = is || ok && selector(call) == name
		return true
	})
	return is
}

func TestNoToolLeavesItsLitter(t *testing.T) {
	litter := regexp.MustCompile(`(?i)(\.(log|log\.txt|orig|rej|swp|bak|tmp|prof|test|out|pyc)|_log\.txt|~|/core(\.\d+)?|\.ds_store|thumbs\.db)$`)
	kept := regexp.MustCompile(`^(dist|sim/testdata/bench)/|/testdata/`)
	repository(t, func(name string) {
		if litter.MatchString(name) && !kept.MatchString(name) && !strings.Contains(name, "__pycache__/") {
			t.Errorf("%s: a tool left this: delete it, and let .gitignore or the tool's options keep it away",
				name)
		}
	})
}

func TestNothingRunsBeforeMain(t *testing.T) {
	for _, s := range sources(t) {
		inspectFunctions(s, func(f *ast.FuncDecl) {
			if f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s:%d: what runs at import cannot be chosen, ordered or tested: make it a call",
					s.name, s.line(f.Pos()))
			}
		})
	}
}

func TestGoroutinesStartOnlyWhereTheArchitectureSays(t *testing.T) {
	architecture, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(architecture, []byte("<!-- goroutines:begin -->"))
	list, _, ok := bytes.Cut(rest, []byte("<!-- goroutines:end -->"))
	if !ok {
		t.Fatal("ARCHITECTURE.md has no list between <!-- goroutines:begin --> and <!-- goroutines:end -->")
	}
	named := map[string]bool{} // file → a goroutine starts there
	for _, m := range regexp.MustCompile("(?m)^- `([^`]+)`").FindAllSubmatch(list, -1) {
		if _, twice := named[string(m[1])]; twice {
			t.Errorf("ARCHITECTURE.md lists %s twice among the files that start goroutines", m[1])
		}
		named[string(m[1])] = false
	}
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.pkg, "ui/uitest") || s.pkg == "ros/rostest" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if !startsGoroutine(n) {
				return true
			}
			if _, ok := named[s.name]; !ok {
				t.Errorf("%s:%d: a goroutine starts here, but the list in ARCHITECTURE.md does not name it: who owns it, and what ends it?",
					s.name, s.line(n.Pos()))
			}
			named[s.name] = true
			return true
		})
	}
	for name, starts := range named {
		if !starts {
			t.Errorf("ARCHITECTURE.md says that goroutines start in %s: none does", name)
		}
	}
}

// startsGoroutine says whether a node is a go statement, or the call of a
// method Go, as sync.WaitGroup and errgroup.Group have.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		return selector(n) == "Go"
	}
	return false
}

func TestTheArchitectureNamesFilesThatExist(t *testing.T) {
	architecture, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`((?:ui|sim|ros|webots|autopilot|worlds)/[a-z0-9_/]*\\.go)`").FindAllSubmatch(architecture,
		-1) {
		if _, err := os.Stat(string(m[1])); err != nil {
			t.Errorf("ARCHITECTURE.md is stale: %v", err)
		}
	}
}

func TestSocketsAreOpenedInSixPlaces(t *testing.T) {
	door := regexp.MustCompile(`^(Dial|Listen|ListenPacket|ListenUDP|ListenMulticastUDP|DialUDP|DialTimeout|FilePacketConn|Socket)$`)
	doors := []string{"ros/transport", "ui/sshd", "ui/metrics", "ui/viewers", "webots", "autopilot"}
	for _, s := range sources(t) {
		if s.test || slices.Contains(doors, s.pkg) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && door.MatchString(selector(call)) && importsNet(s.file) {
				t.Errorf("%s:%d: %s: only ros/transport, ui/sshd, ui/metrics, ui/viewers, webots and autopilot open sockets, so that everything else is tested without a network",
					s.name, s.line(call.Pos()), selector(call))
			}
			return true
		})
	}
}

func inspectFunctions(s source, f func(*ast.FuncDecl)) {
	for _, d := range s.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			f(fn)
		}
	}
}

// selector is the last name of what is called: Listen of net.Listen(…).
func selector(call *ast.CallExpr) string {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

func importsNet(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
		return regexp.MustCompile(`^"(net|syscall|golang\.org/x/(net|sys)/.*)"$`).MatchString(i.Path.Value)
	})
}
