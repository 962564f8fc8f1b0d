package tidy

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// retired are words that once named things here alone, and the terms of the field in their place. No
// identifier, file, comment or page says them again. Words that mean something else too are not listed.
var retired = map[string]string{
	"berth":      "id layout",
	"chronicle":  "command history",
	"crew":       "workers",
	"drowsy":     "has a sleeping side",
	"easel":      "renderer",
	"furnish":    "set up",
	"gleam":      "lamp term",
	"graft":      "attach",
	"grove":      "BVH of a scene",
	"gyre":       "gyroscopic correction",
	"haste":      "rate limit",
	"helm":       "car state",
	"hindsight":  "oldest checkpoint",
	"hush":       "disable rows",
	"kick":       "velocity change or impulse",
	"knock":      "pending",
	"knot":       "direct island",
	"laden":      "loaded by",
	"limb":       "articulation",
	"lively":     "awake",
	"loosen":     "reset",
	"lump":       "merged links",
	"memento":    "checkpoint",
	"moor":       "place",
	"muster":     "sync",
	"outbox":     "send queue",
	"planshare":  "mass transfer",
	"quarantine": "anti-amplification limit",
	"quiz":       "challenge",
	"smudge":     "splat",
	"sprout":     "add a link",
	"stir":       "invalidate",
	"straighten": "project positions",
	"thrift":     "energy clamp, memory trim",
	"twirl":      "spin",
	"unsee":      "release a view",
	"whirl":      "sub-cycle",
	"wring":      "apply an angular impulse",
}

// retiredNames are whole names, or their beginnings.
var retiredNames = map[string]string{
	"KeepApart": "DisableCollision", "Doubts": "Lint", "runningGear": "wheelbase", "rimEdge": "horizon edge",
	"meshGears": "coupling", "gearMass": "coupling row", "besideList": "adjacency",
	"freeRow":   "joint friction",
	"stillHeld": "manifold cache", "BeWorker": "Config.Worker",
	"cutMeshes": "decompose",
}

// otherLimbs speak of those of a person.
var otherLimbs = []string{"sim/format/sdf/actor.go", "docs/reference/formats.md"}

var (
	wordOfName  = regexp.MustCompile(`[A-Z]?[a-z]+`)
	nameRetired = regexp.MustCompile(`\b(` + strings.Join(slices.Sorted(maps.Keys(retiredNames)), "|") + `)`)
)

// retiredIn finds a retired word of a text, in any case and form of the plural; "": none.
func retiredIn(text string) string {
	for _, word := range wordOfName.FindAllString(text, -1) {
		word = strings.ToLower(word)
		if retired[word] == "" {
			word = strings.TrimSuffix(word, "s")
		}
		if retired[word] != "" {
			return word
		}
	}
	return nameRetired.FindString(text)
}

func TestRetiredNamesDoNotComeBack(t *testing.T) {
	seen := 0
	check := func(where, text string) {
		seen++
		word := retiredIn(text)
		if word == "" || word == "limb" && slices.ContainsFunc(otherLimbs, func(f string) bool {
			return strings.HasPrefix(where, f)
		}) {
			return
		}
		t.Errorf("%s: says %q; the field says %s", where, word, retired[word]+retiredNames[word])
	}
	for _, s := range sources(t) {
		if s.generated || strings.HasPrefix(s.pkg, "ros/msgs/") || s.name == ".ci/tidy/retired_test.go" {
			continue
		}
		check(s.name, s.name)
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				check(fmt.Sprintf("%s:%d", s.name, s.line(id.Pos())), id.Name)
			}
			return true
		})
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				check(fmt.Sprintf("%s:%d", s.name, s.line(c.Pos())), c.Text)
			}
		}
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			check(fmt.Sprintf("%s:%d", page, i+1), line)
		}
	}
	if seen < 100_000 {
		t.Errorf("read only %d names, comments and lines", seen)
	}
}

// pages are the texts beside the code but the changelog, which says how things were called.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Makefile"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "ros/interop/*", "deploy/*", ".ci/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				all = append(all, name)
			}
		}
	}
	return all
}

func TestRetiredNamesAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"findKnots":         "knot",
		"A limb has links.": "limb",
		"limbs_test.go":     "limb",
		"w.KeepApart(a, b)": "KeepApart",
		"whirling":          "",
		"unknotted":         "",
		"LimbMass":          "limb",
		"the crew's":        "crew",
		"climb":             "",
	} {
		if got := retiredIn(text); got != want {
			t.Errorf("%q: found %q, should be %q", text, got, want)
		}
	}
}
