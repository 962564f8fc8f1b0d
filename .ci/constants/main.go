// Command constants varies the tuning constants of the dynamics, one after the other, and reports which of
// them no test notices. For each row of the tables of docs/physics.md it runs the test that the row names,
// with twice and with half the value. An overlay of the compiler has the value: no file is changed.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	page = "docs/physics.md"
	root = "sim/dynamics"
	// testTime bounds a test with a varied constant: some variations make loops endless.
	testTime = 5 * time.Minute
)

// constant is a row of the page, and where the source declares it.
type constant struct {
	name, value, meaning, test string
	file                       string
	from, to                   int // bytes of the value in the file
}

// timeOnly marks, in the meaning of a constant, one that no result depends on.
var timeOnly = regexp.MustCompile(`shows in no result|not varied:`)

func main() {
	only := flag.String("only", "", "constants to vary, as a regular expression; empty: all")
	run := flag.String("run", "", "tests to run in place of those that the page names, as a regular expression")
	folder := flag.String("package", "", "package of -run; empty: that of the test named in the row")
	both := flag.Bool("both", false, "halve constants too of which doubling is noticed")
	flag.Parse()
	if err := check(*only, *run, *folder, *both); err != nil {
		fmt.Fprintln(os.Stderr, "constants:", err)
		os.Exit(1)
	}
}

// check varies the constants and fails when a test notices none of the variations of one.
func check(only, run, folder string, both bool) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	all, err := constants()
	if err != nil {
		return err
	}
	tests, err := testFolders()
	if err != nil {
		return err
	}
	unnoticed := 0
	for i := range all {
		c := &all[i]
		if !wanted.MatchString(c.name) {
			continue
		}
		if timeOnly.MatchString(c.meaning) && run == "" {
			fmt.Printf("%-26s not varied: %s\n", c.name, c.meaning)
			continue
		}
		pattern, in := "^"+c.test+"$", tests[c.test]
		if run != "" {
			pattern, in = run, cmp.Or(folder, in)
		}
		if in == "" {
			return fmt.Errorf("%s: row of %s: no package below sim has the test %q", page, c.name, c.test)
		}
		doubled, halved := c.vary("*", in, pattern), "not run"
		if doubled != "noticed" || both {
			halved = c.vary("/", in, pattern)
		}
		fmt.Printf("%-26s ×2 %-14s ×½ %-14s %s\n", c.name, doubled, halved, pattern)
		if halved != "noticed" && doubled != "noticed" {
			unnoticed++
		}
	}
	if unnoticed > 0 {
		return fmt.Errorf("%d constants that their tests do not notice; at least one of ×½ and ×2 must fail", unnoticed)
	}
	return nil
}

// vary runs tests with a constant halved or doubled, and says whether they notice.
func (c *constant) vary(operator, folder, pattern string) string {
	source, err := os.ReadFile(c.file)
	if err != nil {
		return err.Error()
	}
	dir, err := os.MkdirTemp("", "constants")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	varied := filepath.Join(dir, "varied.go")
	text := fmt.Sprintf("%s(%s) %s 2%s", source[:c.from], c.value, operator, source[c.to:])
	absolute, _ := filepath.Abs(c.file)
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{absolute: varied}})
	list := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(varied, []byte(text), 0o600),
		os.WriteFile(list, overlay, 0o600)); err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), testTime+time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1",
		"-timeout", testTime.String(), "-failfast", "-overlay", list, "-run", pattern,
		"./"+folder).CombinedOutput()
	switch {
	case strings.Contains(string(out), "[build failed]"), strings.Contains(string(out), "[setup failed]"):
		return "does not build"
	case strings.Contains(string(out), "no tests to run"):
		return "no such test"
	case err == nil:
		return "passes"
	}
	return "noticed"
}

// row is a row of a table of constants: name, value, unit, meaning, test.
var row = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `([^`]+)` \\| [^|]* \\| ([^|]*) \\| `(Test\\w+)` \\|$")

// constants are the rows of the page that are figures of their own, and not other constants by another name.
func constants() ([]constant, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	var all []constant
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		all = append(all, constant{name: m[1], value: m[2], meaning: m[3], test: m[4]})
	}
	if len(all) < 100 {
		return nil, fmt.Errorf("%s: %d rows of constants found; there are more than 100", page, len(all))
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/peers/") {
			return err
		}
		return locate(path, all)
	})
	for i := range all {
		if err == nil && all[i].file == "" {
			err = fmt.Errorf("%s: %s = %s is declared nowhere below %s", page, all[i].name, all[i].value, root)
		}
	}
	return all, err
}

// locate notes the constants that a file declares, in functions too.
func locate(path string, all []constant) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		for _, s := range d.Specs {
			v := s.(*ast.ValueSpec)
			for i := range v.Values {
				from, to := set.Position(v.Values[i].Pos()).Offset, set.Position(v.Values[i].End()).Offset
				at := slices.IndexFunc(all, func(c constant) bool {
					return c.name == v.Names[i].Name && c.value == string(source[from:to])
				})
				if at >= 0 {
					all[at].file, all[at].from, all[at].to = path, from, to
				}
			}
		}
		return true
	})
	return nil
}

// testFolders says in which folder each test stands.
func testFolders() (map[string]string, error) {
	folders, declaration := map[string]string{}, regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("sim", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range declaration.FindAllSubmatch(source, -1) {
			if old, both := folders[string(m[1])]; !both || strings.HasPrefix(filepath.ToSlash(path), root) ||
				!strings.HasPrefix(old, root) {
				folders[string(m[1])] = filepath.ToSlash(filepath.Dir(path))
			}
		}
		return err
	})
	return folders, err
}
