package tidy

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Budgets of cohesion. Generated files have none; tests have only that of complexity.
const (
	typeMethods  = 60 // of one type, in all files
	structFields = 25
	boolParams   = 2   // of one function: three and more are a mode
	packageFiles = 40  // without tests
	lineColumns  = 110 // with tabs of four; a line that holds a long string may be longer
	longString   = 20  // characters of a literal that is not cut
	complexity   = 25  // McCabe, "A Complexity Measure", 1976: decisions of a function, and one
)

var update = flag.Bool("update", false, "writes the ledger anew with what is there, where that is less")

// ledgerFile lists what is over a budget still: "budget what count". An entry can only shrink, and goes when
// the budget is met.
const ledgerFile = ".ci/tidy/testdata/over.txt"

func TestNothingOutgrowsItsBudget(t *testing.T) {
	over := map[string]int{}
	measure := func(budget string, limit int, what string, n int) {
		if n > limit {
			over[budget+" "+what] = n
		}
	}
	for what, n := range methodsByType(t) {
		measure("methods", typeMethods, what, n)
	}
	files := map[string]int{}
	for _, s := range sources(t) {
		if s.generated || strings.HasPrefix(s.pkg, "ros/msgs/") {
			continue
		}
		if !s.test {
			files[s.pkg]++
			ast.Inspect(s.file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					if st, ok := spec.Type.(*ast.StructType); ok {
						measure("fields", structFields, s.pkg+"."+spec.Name.Name, fields(st))
					}
				}
				return true
			})
		}
		inspectFunctions(s, func(f *ast.FuncDecl) {
			what := s.pkg + "." + functionName(f)
			measure("complexity", complexity, what, decisions(f)+1)
			if !s.test {
				measure("bools", boolParams, what, bools(f))
			}
		})
	}
	for pkg, n := range files {
		measure("files", packageFiles, pkg, n)
	}
	listed := ledger(t)
	for what, n := range over {
		switch was, ok := listed[what]; {
		case !ok:
			t.Errorf("%s: %d is over its budget: make it a mode, a type or a package of its own", what, n)
		case n > was:
			t.Errorf("%s: it was %d and is %d: the ledger only shrinks", what, was, n)
		case n < was && !*update:
			t.Errorf("%s: it was %d and is %d: write that down (go test ./.ci/tidy -run Budget -update)",
				what, was, n)
		}
	}
	for what := range listed {
		if over[what] == 0 && !*update {
			t.Errorf("%s meets its budget, or is gone: take it off the ledger (go test ./.ci/tidy -run Budget -update)",
				what)
		}
	}
	if *update && !t.Failed() {
		writeLedger(t, over)
	}
}

// A reader has 110 columns. Indented text of a comment is a picture of its own, and the text of a raw string
// of several lines stands as it is.
func TestLinesFitTheScreen(t *testing.T) {
	for _, s := range sources(t) {
		if s.generated || strings.HasPrefix(s.pkg, "ros/msgs/") {
			continue
		}
		free := map[int]bool{} // lines of long strings
		ast.Inspect(s.file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > longString {
				for line := s.line(lit.Pos()); line <= s.line(lit.End()); line++ {
					free[line] = true
				}
			}
			return true
		})
		for i, line := range strings.Split(string(s.text), "\n") {
			width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if width > lineColumns && !free[i+1] && !strings.Contains(line, "//go:") &&
				!strings.Contains(line, "://") && !strings.HasPrefix(line, "//\t") {
				t.Errorf("%s:%d: %d columns, at most %d", s.name, i+1, width, lineColumns)
			}
		}
	}
}

// methodsByType counts the methods of each type, by "package.Type".
func methodsByType(t *testing.T) map[string]int {
	n := map[string]int{}
	for _, s := range sources(t) {
		if s.test || s.generated {
			continue
		}
		inspectFunctions(s, func(f *ast.FuncDecl) {
			if f.Recv != nil {
				n[s.pkg+"."+receiver(f)]++
			}
		})
	}
	if len(n) < 100 {
		t.Fatalf("found methods of %d types: the walk is broken", len(n))
	}
	return n
}

// fields counts the fields of a struct; an embedded one is one.
func fields(st *ast.StructType) (n int) {
	for _, f := range st.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

// bools counts the parameters of type bool.
func bools(f *ast.FuncDecl) (n int) {
	for _, p := range f.Type.Params.List {
		if id, ok := p.Type.(*ast.Ident); ok && id.Name == "bool" {
			n += max(1, len(p.Names))
		}
	}
	return n
}

// decisions counts what branches in a function, function literals included.
func decisions(f *ast.FuncDecl) (n int) {
	if f.Body == nil {
		return 0
	}
	ast.Inspect(f.Body, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv != nil {
		return receiver(f) + "." + f.Name.Name
	}
	return f.Name.Name
}

// ledger reads what is over a budget still.
func ledger(t *testing.T) map[string]int {
	t.Helper()
	file, err := os.Open(ledgerFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	listed := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var budget, what string
		var n int
		if _, err := fmt.Sscan(lines.Text(), &budget, &what, &n); err != nil {
			t.Fatalf("%s: %q: want budget, what and count: %v", ledgerFile, lines.Text(), err)
		}
		listed[budget+" "+what] = n
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return listed
}

func writeLedger(t *testing.T, over map[string]int) {
	t.Helper()
	var lines []string
	for what, n := range over {
		lines = append(lines, fmt.Sprintf("%s %d\n", what, n))
	}
	slices.Sort(lines)
	if err := os.WriteFile(ledgerFile, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}
