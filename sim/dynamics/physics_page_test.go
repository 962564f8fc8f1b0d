package dynamics

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageOfPhysics is the manual page, and where its sources stand.
const pageOfPhysics = "../../docs/physics.md"

// tableRows returns the cells of a page's tables by the first cell, without backquotes.
func tableRows(page string) map[string][]string {
	rows := map[string][]string{}
	for _, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		rows[cells[0]] = cells
	}
	return rows
}

// constants returns the constants of all packages below a folder with their values as written, both package
// constants and literals in functions. Enumerations are left out.
func constants(t *testing.T, folder string) map[string]string {
	t.Helper()
	found, set := map[string]string{}, token.NewFileSet()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") || strings.Contains(path, "peers/") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, path, src, 0)
		if err != nil {
			return err
		}
		declared := map[ast.Node]bool{}
		for _, d := range file.Decls {
			declared[d] = true
		}
		ast.Inspect(file, func(n ast.Node) bool {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST ||
				strings.Contains(string(src[set.Position(d.Pos()).Offset:set.Position(d.End()).Offset]),
					"iota") {
				return true
			}
			for _, s := range d.Specs {
				v := s.(*ast.ValueSpec)
				for i, name := range v.Names {
					// a constant of another package, by the same name
					if from, ok := v.Values[i].(*ast.SelectorExpr); ok && from.Sel.Name == name.Name {
						continue
					}
					if _, literal := v.Values[i].(*ast.BasicLit); declared[d] || literal {
						at := set.Position(v.Values[i].Pos()).Offset
						found[name.Name] = string(src[at:set.Position(v.Values[i].End()).Offset])
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// flagsOfStages are constants of this package that are sets of conditions, and no figures.
var flagsOfStages = map[string]bool{"substepStart": true, "ofOneSubstep": true}

// TestThePageOfPhysicsIsComplete: docs/physics.md lists every stage and every constant as in the source, and
// no constant, test or file that does not exist.
func TestThePageOfPhysicsIsComplete(t *testing.T) {
	text, err := os.ReadFile(pageOfPhysics)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	rows := tableRows(page)
	orDash := func(c conditions) string {
		if c == 0 {
			return "–"
		}
		return c.String()
	}
	last := 0
	for _, st := range append(append([]stage{}, stepStages...), substepStages...) {
		r := rows[st.name]
		if len(r) < 5 || r[1] != orDash(st.needs) || r[2] != orDash(st.breaks) || r[3] != orDash(st.leaves) ||
			r[4] == "" {
			t.Errorf("%s has no row\n| %s | %s | %s | %s | why |", pageOfPhysics, st.name, orDash(st.needs),
				orDash(st.breaks), orDash(st.leaves))
		}
		at := strings.Index(page, "| "+st.name+" |")
		if at < last {
			t.Errorf("%s: stage %q is out of order", pageOfPhysics, st.name)
		}
		last = at
	}
	known := constants(t, ".")
	maps.Copy(known, constants(t, "../transmission"))
	if len(known) < 120 {
		t.Errorf("%d constants found: the search is broken", len(known))
	}
	for name, value := range known {
		if r := rows[name]; !flagsOfStages[name] &&
			(len(r) < 5 || r[1] != value || r[2] == "" || r[3] == "") {
			t.Errorf("%s has no row | `%s` | `%s` | unit | meaning and origin | test |", pageOfPhysics, name,
				value)
		}
	}
	_, list, _ := strings.Cut(page, "\n## Constants\n")
	list, _, _ = strings.Cut(list, "\n## ")
	for name := range tableRows(list) {
		if _, is := known[name]; !is && name != "constant" && !strings.HasPrefix(name, "---") {
			t.Errorf("%s has a row of %s, which is no constant", pageOfPhysics, name)
		}
	}
	namesOfPageExist(t, page)
}

// namesOfPageExist looks for the tests and the files that a page names.
func namesOfPageExist(t *testing.T, page string) {
	t.Helper()
	tests, files := map[string]bool{}, map[string]bool{}
	for _, folder := range []string{".", "..", "../engine", "../transmission"} {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && folder == ".." && path != ".." {
				return fs.SkipDir
			}
			files[filepath.Base(path)] = true
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(string(src),
				-1) {
				tests[m[1]] = true
			}
			return err
		})
	}
	for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(page, -1) {
		if !tests[m[1]] {
			t.Errorf("%s names %s, which does not exist", pageOfPhysics, m[1])
		}
	}
	for _, m := range regexp.MustCompile("`([a-z0-9_]+\\.(go|s))`").FindAllStringSubmatch(page, -1) {
		if !files[m[1]] {
			t.Errorf("%s names %s, which does not exist", pageOfPhysics, m[1])
		}
	}
}
