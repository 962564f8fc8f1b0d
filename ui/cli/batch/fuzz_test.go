package batch

import (
	"bytes"
	"io"
	"maps"
	"reflect"
	"slices"
	"testing"

	"simdeck/sim/sweep"
)

// fourRuns is a sweep with results.
func fourRuns(t testing.TB) *sweep.Sweep {
	t.Helper()
	s, err := sweep.Parse("s.yaml",
		[]byte("name: a\nduration: 1s\nreport: crate\nmatrix: {world: [a, b], friction.crate: [0.1, 0.2]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	aRow = `{"sweep":"d","version":"v","values":{"world":"a"},"index":1,"outcome":"passed","reason":"","time":1,"steps":250,"hash":"00ff","state":{"crate":[1,2,3]},"took":0.5}` +
		"\n"
	bRow = `{"sweep":"d","version":"v","values":null,"index":3,"outcome":"crashed","reason":"signal: killed","took":1e300}` +
		"\n"
)

// FuzzJournal reads any file as the journal of a sweep. It is refused, or its rows are those of the sweep's
// runs, are written back unchanged, and make a table and a summary. Logs of pods are taken apart alike.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{"", aRow, aRow + "\n" + bRow, bRow + bRow, aRow[:40],
		"2026 stderr F " + aRow + "panic: no\n", `{"sweep":"d","index":-1}` + "\n",
		`{"sweep":"other","index":0}` + "\n",
		`{"sweep":"d","version":"v","index":0,"state":{"crate":[1e400]}}` + "\n"} {
		f.Add([]byte(text))
	}
	s := fourRuns(f)
	order := &Order{sweep: s}
	f.Fuzz(func(t *testing.T, text []byte) {
		j := journal{rows: map[int]Row{}}
		if err := j.take("journal", text, "d", "v", len(s.Runs)); err == nil {
			var again bytes.Buffer
			back := journal{rows: map[int]Row{}}
			for _, i := range slices.Sorted(maps.Keys(j.rows)) {
				line, err := j.rows[i].line()
				if err != nil || i < 0 || i >= len(s.Runs) {
					t.Fatalf("row %d: %v", i, err)
				}
				again.Write(line)
			}
			if err := back.take("again", again.Bytes(), "d", "v", len(s.Runs)); err != nil ||
				len(back.rows) != len(j.rows) {
				t.Fatalf("%v: %d rows of %d in\n%s", err, len(back.rows), len(j.rows), again.Bytes())
			}
			for i, row := range back.rows {
				if row.Result.Outcome != j.rows[i].Result.Outcome ||
					!reflect.DeepEqual(row.Hash, j.rows[i].Hash) {
					t.Errorf("row %d was %+v and is %+v", i, j.rows[i], row)
				}
			}
		}
		rows := map[int]Row{}
		_ = Collect(rows, order, "d", "log", bytes.NewReader(text))
		for _, all := range []map[int]Row{j.rows, rows} {
			if err := WriteCSV(io.Discard, s, all); err != nil {
				t.Errorf("the table: %v", err)
			}
			if err := WriteSummary(io.Discard, s, all); err != nil {
				t.Errorf("the summary: %v", err)
			}
		}
	})
}

// FuzzWords reads any output as that of the process of a run: it ends with a result or without one.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"",
		`{"at":1.5}` + "\n" + `{"result":{"index":1,"outcome":"passed"}}` + "\n", "panic: x\n\ngoroutine 1\n",
		`{"result":null}` + "\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		told := 0
		c := child{told: func(float64) { told++ }}
		c.listen(bytes.NewReader(text))
		if lines := bytes.Count(text, []byte{'\n'}) + 1; told > lines {
			t.Errorf("%d lines told %d times how far it is", lines, told)
		}
		_ = died(io.EOF, string(text))
	})
}
