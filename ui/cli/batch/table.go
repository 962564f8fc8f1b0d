package batch

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"simdeck/sim/sweep"
	"simdeck/ui/escape"
)

// Bounds of the summary of a sweep: values of a key with a line each, and runs that did not pass.
const mostValues, mostRuns = 24, 20

// WriteCSV writes rows in the order of the runs. It holds nothing that differs when the same sweep is done
// again.
func WriteCSV(out io.Writer, s *sweep.Sweep, rows map[int]Row) error {
	head := append([]string{"index"}, s.Keys...)
	head = append(head, "outcome", "reason", "time", "steps", "hash")
	for _, name := range s.Report {
		for _, column := range sweep.StateColumns() {
			head = append(head, name+"."+column)
		}
	}
	w := csv.NewWriter(out)
	err := w.Write(head)
	for i := range s.Runs {
		row, ok := rows[i]
		if !ok || err != nil {
			continue
		}
		line := []string{strconv.Itoa(i)}
		for _, key := range s.Keys {
			line = append(line, s.Runs[i].Value(key))
		}
		line = append(line, string(row.Outcome), row.Reason, strconv.FormatFloat(row.Time, 'g', -1, 64),
			strconv.FormatUint(row.Steps, 10), row.Hash)
		for _, name := range s.Report {
			for k := range sweep.StateColumns() {
				line = append(line, stateOf(row, name, k))
			}
		}
		err = w.Write(line)
	}
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}

func stateOf(row Row, name string, k int) string {
	if state := row.State[name]; k < len(state) {
		return strconv.FormatFloat(state[k], 'g', -1, 64)
	}
	return ""
}

// tally counts what became of runs.
type tally struct {
	runs, passed int
	others       map[sweep.Outcome]int
}

func (t *tally) add(o sweep.Outcome) {
	if t.runs++; o == sweep.Passed {
		t.passed++
		return
	}
	if t.others == nil {
		t.others = map[sweep.Outcome]int{}
	}
	t.others[o]++
}

// String is like "198 of 200 passed, 1 failed, 1 crashed".
func (t *tally) String() string {
	s := fmt.Sprintf("%d of %d passed", t.passed, t.runs)
	for _, o := range []sweep.Outcome{sweep.Failed, sweep.Invalid, sweep.Fault, sweep.Crashed, sweep.Late} {
		if n := t.others[o]; n > 0 {
			s += fmt.Sprintf(", %d %s", n, o)
		}
	}
	return s
}

// WriteSummary writes for people how many runs passed, by every value that differs, and which did not and
// why.
func WriteSummary(out io.Writer, s *sweep.Sweep, rows map[int]Row) error {
	var all tally
	for i := range s.Runs {
		if row, ok := rows[i]; ok {
			all.add(row.Outcome)
		}
	}
	w := tabwriter.NewWriter(out, 0, 1, 2, ' ', 0)
	for _, key := range s.Differs {
		byValue(w, s, rows, key)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	missed := 0
	for i := range s.Runs {
		row, ok := rows[i]
		if !ok || row.Outcome == sweep.Passed {
			continue
		}
		if missed++; missed <= mostRuns {
			escape.Fprintln(out, Line(s, &s.Runs[i], row))
		}
	}
	if missed > mostRuns {
		escape.Fprintf(out, "… and %d more that did not pass\n", missed-mostRuns)
	}
	line := all.String()
	if n := len(s.Runs) - all.runs; n > 0 {
		line += fmt.Sprintf("; %d not done", n)
	}
	_, err := escape.Fprintln(out, line)
	return err
}

// byValue writes how many runs passed by each value of a key.
func byValue(w io.Writer, s *sweep.Sweep, rows map[int]Row, key string) {
	var values []string
	count := map[string]*tally{}
	for i := range s.Runs {
		v := s.Runs[i].Value(key)
		if count[v] == nil {
			count[v] = &tally{}
			values = append(values, v)
		}
		if row, ok := rows[i]; ok {
			count[v].add(row.Outcome)
		}
	}
	for _, v := range values[:min(len(values), mostValues)] {
		name := v
		if v == "" {
			name = "(none)"
		}
		escape.Fprintf(w, "%s\t%s\t%s\n", key, name, count[v])
	}
	if len(values) > mostValues {
		escape.Fprintf(w, "%s\t… and %d more values\t\n", key, len(values)-mostValues)
	}
}

// Line is the outcome of a run in a line, after the values in which the runs differ.
func Line(s *sweep.Sweep, r *sweep.Run, row Row) string {
	words := []string{fmt.Sprintf("run %d", r.Index)}
	for _, key := range s.Differs {
		if v := r.Value(key); v != "" {
			words = append(words, key+"="+v)
		}
	}
	line := strings.Join(words, " ") + ": " + string(row.Outcome)
	if row.Reason != "" {
		line += ": " + strings.ReplaceAll(row.Reason, "\n", "; ")
	}
	return line
}

// AllPassed reports that every run was done and passed.
func AllPassed(s *sweep.Sweep, rows map[int]Row) bool {
	for i := range s.Runs {
		if rows[i].Outcome != sweep.Passed {
			return false
		}
	}
	return true
}
