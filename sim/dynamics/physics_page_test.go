package dynamics

import (
	"io/fs"
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

// TestThePageOfPhysicsListsTheStages: docs/physics.md lists every stage as in the source, and names no test
// or file that does not exist.
func TestThePageOfPhysicsListsTheStages(t *testing.T) {
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
