package conform

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a report with one of each.
func sample() *Report {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := func(id, section string, s Status, detail string) Result {
		return Result{Check: Check{ID: id, Section: section, Says: "what " + id + " says"}, Status: s,
			Detail: detail, Took: 1500 * time.Microsecond}
	}
	differs := one("step.zero", "Stepping", Differs, "0 steps: OPERATION_FAILED (4), want OK (1)")
	differs.Check.Question = "steps = 0"
	return &Report{Simulator: "/gz_server", Lines: []string{"1.x"}, Custom: `{"x":1}`, Began: at,
		Left: []string{"entity \"a\" is gone"}, Results: []Result{
			one("step.single", "Stepping", Passed, ""), differs,
			one("reset.time", "Reset", Failed, "time is 3s, want 0; it says \"<no> & no\""),
			one("step.playing", "Stepping", Skipped, "step_simulation is not served"),
		}}
}

func TestAReportIsWrittenForPeopleScriptsAndCI(t *testing.T) {
	var all bytes.Buffer
	r := sample()
	for _, write := range []func() error{
		func() error { return r.WriteTable(&all) }, func() error { return r.WriteJSON(&all) },
		func() error { return r.WriteJUnit(&all) }, func() error { return WriteDecisions(&all) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		all.WriteString("----\n")
	}
	if *update {
		if err := os.WriteFile("testdata/report.txt", all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/report.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := all.String(); got != string(want) {
		t.Errorf("the reports are\n%s\nwant what is in testdata/report.txt (-update rewrites it)", got)
	}
}

func TestReportsCanBeRead(t *testing.T) {
	var asJSON, asXML bytes.Buffer
	r := sample()
	if err := errors.Join(r.WriteJSON(&asJSON), r.WriteJUnit(&asXML)); err != nil {
		t.Fatal(err)
	}
	var object struct {
		Failed int
		Checks []struct{ ID, Status, Detail string }
	}
	if err := json.Unmarshal(asJSON.Bytes(), &object); err != nil || object.Failed != 1 ||
		len(object.Checks) != 4 || object.Checks[2].Status != "failed" {
		t.Errorf("read from JSON: %+v, %v", object, err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(asXML.Bytes(), &suites); err != nil || suites.Tests != 4 ||
		suites.Failures != 1 || suites.Skipped != 1 ||
		len(suites.Suites) != 2 || suites.Suites[1].Cases[0].Failure.Message != r.Results[2].Detail {
		t.Errorf("read from JUnit: %+v, %v", suites, err)
	}
	if err := r.Err(); !errors.Is(err, ErrFailed) ||
		err.Error() != "/gz_server does not conform: 1 of 3 checks failed" {
		t.Errorf("the error is %v", err)
	}
	if r.Results = r.Results[:2]; r.Err() != nil ||
		!strings.Contains(r.summary(), "1 differ where the standard is silent") {
		t.Errorf("what differs is an error: %v; %s", r.Err(), r.summary())
	}
}
