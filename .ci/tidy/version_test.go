package tidy

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// released matches headings of CHANGELOG.md, newest first; developed the constant of the next version.
var (
	released  = regexp.MustCompile(`(?m)^## (\d+)\.(\d+)\.(\d+) - `)
	developed = regexp.MustCompile(`(?m)^const development = "(\d+)\.(\d+)\.(\d+)-dev"$`)
)

// versionIn reads the first version that an expression finds in a file.
func versionIn(t *testing.T, file string, version *regexp.Regexp) []int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := version.FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("%s has no version that matches %s", file, version)
	}
	var n []int
	for _, digits := range m[1:] {
		i, err := strconv.Atoi(digits)
		if err != nil {
			t.Fatal(err)
		}
		n = append(n, i)
	}
	return n
}

func TestTheDevelopmentVersionIsAboveTheLastRelease(t *testing.T) {
	last := versionIn(t, "CHANGELOG.md", released)
	for _, file := range []string{"ui/cli/version.go", ".ci/release/edition.go"} {
		if next := versionIn(t, file, developed); slices.Compare(next, last) <= 0 {
			t.Errorf("%s: development version %v-dev, want one above %v of CHANGELOG.md", file, next, last)
		}
	}
	if a, b := versionIn(t, "ui/cli/version.go", developed),
		versionIn(t, ".ci/release/edition.go", developed); !slices.Equal(a, b) {
		t.Errorf("ui/cli says %v, .ci/release says %v: want the same", a, b)
	}
}
