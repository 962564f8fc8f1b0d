// Package archtest holds packages to the arrows of ARCHITECTURE.md: which of them may import which. Tests of
// sim, ros and ui use it, each with a table of its own; nothing that is shipped does.
package archtest

import (
	"go/build"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

// Arrow is from, to, except and why: packages that match from must not import what matches to, except what
// matches except. These three are regular expressions over import paths; an empty except excepts nothing. Why
// is for the message.
type Arrow [4]string

func (a Arrow) forbids(from, to string) bool {
	match := func(pattern, s string) bool { return regexp.MustCompile(pattern).MatchString(s) }
	return match(a[0], from) && match(a[1], to) && (a[2] == "" || !match(a[2], to))
}

// Check fails the test for each import against an arrow, of all packages under the test's folder, whose
// import path is root. Imports of test files are not checked.
func Check(t *testing.T, root string, arrows []Arrow) {
	t.Helper()
	seen := 0
	EachPackage(t, root, func(p *build.Package) {
		seen++
		for _, imp := range p.Imports {
			for _, a := range arrows {
				if a.forbids(p.ImportPath, imp) {
					t.Errorf("%s: %s must not import %s: %s", p.ImportPos[imp][0], p.ImportPath, imp, a[3])
				}
			}
		}
	})
	if seen < 2 {
		t.Errorf("found %d packages under %s: the walk is broken", seen, root)
	}
}

// EachPackage calls f with every package under the test's folder, whose import path is root.
func EachPackage(t *testing.T, root string, f func(*build.Package)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() == "testdata" {
			return err
		}
		p, err := build.Default.ImportDir(name, 0)
		if _, empty := err.(*build.NoGoError); empty {
			return nil
		}
		p.ImportPath = path.Join(root, filepath.ToSlash(name))
		f(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
