package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// notes are the words of CHANGELOG.md about this version, and how to have it. A version that has a tag of its
// own must have a section; what lies between tags is told by the section Unreleased.
func (e *edition) notes() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(e.Source, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	changes, ok := section(string(text), e.Version)
	if !ok {
		if e.Tagged {
			return nil, fmt.Errorf("CHANGELOG.md has no section %q: move what is unreleased there", "## "+e.Version)
		}
		if changes, ok = section(string(text), "Unreleased"); !ok {
			return nil, fmt.Errorf("CHANGELOG.md has neither a section %q nor one %q", "## "+e.Version,
				"## Unreleased")
		}
	}
	have, err := e.expand("notes.md")
	if err != nil {
		return nil, err
	}
	return append([]byte("# simdeck "+e.Version+"\n\n"+changes+"\n"), have...), nil
}

// section is the text below a version's heading (Keep a Changelog: "## 1.2.3 - date", brackets or not), up to
// the next one.
func section(changelog, version string) (string, bool) {
	heading := regexp.MustCompile(`(?m)^## \[?` + regexp.QuoteMeta(version) +
		`\]?( .*)?$`).FindStringIndex(changelog)
	if heading == nil {
		return "", false
	}
	body := changelog[heading[1]:]
	if next := regexp.MustCompile(`(?m)^## `).FindStringIndex(body); next != nil {
		body = body[:next[0]]
	}
	return strings.TrimSpace(body) + "\n", true
}
