package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrFailed is wrapped by the error about checks that failed.
var ErrFailed = errors.New("does not conform")

// Report is the result of a run.
type Report struct {
	Simulator string
	Lines     []string // of simulation_interfaces that it announces
	Custom    string   // its own description
	Began     time.Time
	Results   []Result
	Left      []string // changes that could not be undone
}

// Count is the number of checks with an outcome.
func (r *Report) Count(s Status) (n int) {
	for _, one := range r.Results {
		if one.Status == s {
			n++
		}
	}
	return n
}

// Err is nil unless a check failed.
func (r *Report) Err() error {
	if n := r.Count(Failed); n > 0 {
		return fmt.Errorf("%s %w: %d of %d checks failed", r.Simulator, ErrFailed, n,
			len(r.Results)-r.Count(Skipped))
	}
	return nil
}

// summary is the counts in a line.
func (r *Report) summary() string {
	return fmt.Sprintf("%s: %d passed, %d failed, %d differ where the standard is silent, %d skipped",
		r.Simulator, r.Count(Passed), r.Count(Failed), r.Count(Differs), r.Count(Skipped))
}

// table writes results for people as they come.
type table struct {
	w       io.Writer
	section string
}

// row writes a result, under the heading of its section.
func (t *table) row(r Result) error {
	var b strings.Builder
	if r.Check.Section != t.section {
		t.section = r.Check.Section
		b.WriteString(t.section + "\n")
	}
	fmt.Fprintf(&b, "  %-7s  %-21s  %s\n", r.Status, r.Check.ID, r.Check.Says)
	if r.Detail != "" {
		fmt.Fprintf(&b, "  %-7s  %-21s  → %s\n", "", "", inLine(r.Detail))
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// end writes what came of all.
func (t *table) end(r *Report) error {
	var b strings.Builder
	for _, l := range r.Left {
		b.WriteString("not put back: " + inLine(l) + "\n")
	}
	b.WriteString("\n" + inLine(r.summary()) + "\n")
	_, err := io.WriteString(t.w, b.String())
	return err
}

// inLine keeps what a simulator said to its line. The caller escapes the other control characters of a
// terminal.
func inLine(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }

// WriteTable writes the report for people.
func (r *Report) WriteTable(w io.Writer) error {
	t := table{w: w}
	for _, one := range r.Results {
		if err := t.row(one); err != nil {
			return err
		}
	}
	return t.end(r)
}

// WriteJSON writes the report as an object.
func (r *Report) WriteJSON(w io.Writer) error {
	type check struct {
		ID       string  `json:"id"`
		Section  string  `json:"section"`
		Says     string  `json:"says"`
		Question string  `json:"question,omitempty"` // of the decision that it tests
		Status   string  `json:"status"`
		Detail   string  `json:"detail,omitempty"`
		Seconds  float64 `json:"seconds"`
	}
	all := struct {
		Simulator string    `json:"simulator"`
		Lines     []string  `json:"lines"`
		Custom    string    `json:"custom_info,omitempty"`
		Began     time.Time `json:"began"`
		Passed    int       `json:"passed"`
		Failed    int       `json:"failed"`
		Differs   int       `json:"differs"`
		Skipped   int       `json:"skipped"`
		Checks    []check   `json:"checks"`
		Left      []string  `json:"not_put_back,omitempty"`
	}{r.Simulator, r.Lines, r.Custom, r.Began.UTC(), r.Count(Passed), r.Count(Failed), r.Count(Differs),
		r.Count(Skipped), []check{}, r.Left}
	for _, one := range r.Results {
		all.Checks = append(all.Checks,
			check{one.Check.ID, one.Check.Section, one.Check.Says, one.Check.Question, one.Status.String(),
				one.Detail, one.Took.Seconds()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
