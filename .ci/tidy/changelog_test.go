package tidy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kinds are the headings of changes in the order of Keep a Changelog.
var kinds = []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}

// TestTheChangelogHasTheFormOfKeepAChangelog: the section Unreleased, then versions with dates, the newest
// first. Each has the six kinds of changes alone, in their order, and lists below them.
func TestTheChangelogHasTheFormOfKeepAChangelog(t *testing.T) {
	begun, kind := false, -1
	var version []int
	var date time.Time
	dated := regexp.MustCompile(`^## (\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)$`)
	for i, line := range strings.Split(read(t, "CHANGELOG.md"), "\n") {
		wrong := func(why string) { t.Errorf("CHANGELOG.md:%d: %q: %s", i+1, line, why) }
		m := dated.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "# ") && line != "# Changelog":
			wrong("want # Changelog")
		case line == "## Unreleased" && !begun:
			begun, kind = true, -1
		case m != nil && begun:
			this := []int{number(m[1]), number(m[2]), number(m[3])}
			on, err := time.Parse(time.DateOnly, m[4])
			if err != nil || version != nil && (on.After(date) || slices.Compare(this, version) >= 0) {
				wrong("want a date, and older versions below newer ones")
			}
			version, date, kind = this, on, -1
		case strings.HasPrefix(line, "## "):
			wrong("want ## Unreleased first, then ## 1.2.3 - 2006-01-02")
		case strings.HasPrefix(line, "### "):
			at := slices.Index(kinds, strings.TrimPrefix(line, "### "))
			if at <= kind {
				wrong("want " + strings.Join(kinds, ", ") + ", each once and in this order")
			}
			kind = max(kind, at)
		case kind >= 0 && line != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "  "):
			wrong("want a list of changes")
		}
	}
	if version == nil {
		t.Error("CHANGELOG.md has no version with a date")
	}
}

// number is a number of digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // the pattern has no others
	return n
}
