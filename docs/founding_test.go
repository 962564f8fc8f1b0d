package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// heldBy matches a test in the last column of a row: its name, and the file that has it.
var heldBy = regexp.MustCompile("^\\[`((?:Test|test_)\\w+)`\\]\\((\\.\\./[\\w./]+_test\\.go|\\.\\./[\\w./]+/test_\\w+\\.py)\\)$")

// TestEveryRowOfTheFoundingDocumentsIsHeldByATestOrOpen finds each test of docs/seeds.md in its file.
func TestEveryRowOfTheFoundingDocumentsIsHeldByATestOrOpen(t *testing.T) {
	page, err := os.ReadFile("seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| section |") ||
			strings.HasPrefix(line, "| --- |") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 {
			t.Errorf("seeds.md:%d: %d cells; want section, says, simdeck and held by", i+1, len(cells))
			continue
		}
		if cells[3] == "open" {
			continue
		}
		for _, test := range strings.Split(cells[3], ", ") {
			m := heldBy.FindStringSubmatch(test)
			if m == nil {
				t.Errorf("seeds.md:%d: %q is no link to a test", i+1, test)
				continue
			}
			source, err := os.ReadFile(filepath.FromSlash(m[2]))
			begin := "\nfunc " + m[1] + "(t *testing.T)"
			if strings.HasSuffix(m[2], ".py") {
				begin = "\ndef " + m[1] + "("
			}
			if err != nil || !strings.Contains(string(source), begin) {
				t.Errorf("seeds.md:%d: %s has no %s (%v)", i+1, m[2], m[1], err)
			}
		}
	}
	if rows == 0 {
		t.Error("seeds.md has no rows: the search is broken")
	}
}
