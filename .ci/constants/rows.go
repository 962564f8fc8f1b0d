package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// constant is a row of the page, where the source declares it, and what the tests said.
type constant struct {
	name, value, meaning, test string
	excuse                     bool   // the row says why it is not varied
	file                       string // of the declaration
	nameAt, from, to           int    // bytes of the name and the value in the file
	local                      bool   // declared in a function
	folder                     string // of the test
	variable                   string // type of the variable that can stand for it; empty: none can
	folded                     []foldedUse
	doubled, halved            outcome
	noticedBy                  []string // tests
}

// timeOnly marks, in the meaning of a constant, one that no result depends on.
var timeOnly = regexp.MustCompile(`shows in no result|not varied:`)

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
		all = append(all, constant{name: m[1], value: m[2], meaning: m[3], test: m[4],
			excuse: timeOnly.MatchString(m[3])})
	}
	if len(all) < 100 {
		return nil, fmt.Errorf("%s: %d rows of constants found; there are more than 100", page, len(all))
	}
	err = walk(func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/peers/") {
			return err
		}
		return locate(filepath.ToSlash(path), all)
	})
	for i := range all {
		if err == nil && all[i].file == "" {
			err = fmt.Errorf("%s: %s = %s is declared nowhere below %s and %s", page, all[i].name, all[i].value,
				root, transmissions)
		}
	}
	return all, err
}

// walk visits all files of the packages whose constants the page lists.
func walk(visit fs.WalkDirFunc) error {
	if err := filepath.WalkDir(root, visit); err != nil {
		return err
	}
	return filepath.WalkDir(transmissions, visit)
}

// locate notes the constants that a file declares, in functions too. Of rows of one name and value the first
// is that of the package visited first.
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
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		for _, s := range d.Specs {
			v := s.(*ast.ValueSpec)
			for i := range v.Values {
				from, to := offset(v.Values[i].Pos()), offset(v.Values[i].End())
				at := slices.IndexFunc(all, func(c constant) bool {
					return c.file == "" && c.name == v.Names[i].Name && c.value == string(source[from:to])
				})
				if at >= 0 {
					c := &all[at]
					c.file, c.nameAt, c.from, c.to = path, offset(v.Names[i].Pos()), from, to
					c.local = !slices.Contains(file.Decls, ast.Decl(d))
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
