package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestTheReadmeOfArchivesStandsAlone: who unpacked one has neither the source nor its pages.
func TestTheReadmeOfArchivesStandsAlone(t *testing.T) {
	e := &edition{Source: "../..", Version: "1.2.3", Origin: origin{Pages: "https://simdeck.example/here"}}
	all, err := e.texts()
	if err != nil {
		t.Fatal(err)
	}
	readme := ""
	for _, f := range all {
		if f.name == "README.md" {
			readme = string(f.data)
		}
	}
	if !strings.HasPrefix(readme, "# simdeck 1.2.3\n") || !strings.Contains(readme, "https://simdeck.example/here") {
		t.Errorf("the README tells neither version nor place:\n%s", readme)
	}
	if m := regexp.MustCompile(`\]\(|src=|\bmake\b`).FindString(readme); m != "" {
		t.Errorf("the README has %q: it leads to files that are not in the archive", m)
	}
	commands := regexp.MustCompile(`(?m)^simdeck ([a-z]+)`).FindAllStringSubmatch(readme, -1)
	for _, m := range commands {
		c, _, err := e.commands().Find([]string{m[1]})
		if m[1] != "help" && (err != nil || c.Name() != m[1]) {
			t.Errorf("the README names the command %s: %v", m[1], err)
		}
	}
	if len(commands) < 4 {
		t.Errorf("%d commands in the README", len(commands))
	}
}
