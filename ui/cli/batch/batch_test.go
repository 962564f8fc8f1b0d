package batch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
	"simdeck/sim/sweep"
)

// Roles of this binary in a child process, and the file into which the processes of runs write their run.
const asChild, asSweep, begunIn = "SIMDECK_TEST_CHILD", "SIMDECK_TEST_SWEEP", "SIMDECK_TEST_BEGUN"

// crates is a crate on a ramp, as in sim/sweep.
const crates = `<sdf version="1.9"><world name="slope">
  <model name="ramp"><static>true</static><pose>0 0 0 0 0.3 0</pose>
    <link name="l"><collision name="c"><geometry><box><size>40 10 0.2</size></box></geometry></collision></link></model>
  <model name="crate"><pose>0 0 0.37 0 0.3 0</pose>
    <link name="l"><inertial><mass>2</mass></inertial><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
</world></sdf>`

func TestMain(m *testing.M) {
	var err error
	switch {
	case os.Getenv(asChild) != "":
		err = RunChild(context.Background(), misfortunes, os.Stdin, os.Stdout)
	case os.Getenv(asSweep) != "":
		var o *Order
		if o, err = Read(os.Getenv(asSweep)); err == nil {
			_, err = testBatch(o, filepath.Join(filepath.Dir(o.File), "killed"), 2,
				io.Discard).Run(context.Background())
		}
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// misfortunes is a library of the slope, in which the names of worlds say what happens to who reads them.
func misfortunes(world string) (scene.Library, scene.Resource, error) {
	if name := os.Getenv(begunIn); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, scene.Resource{}, err
		}
		fmt.Fprintln(f, world)
		f.Close()
	}
	if world == "panics" { // outside of any recover
		panic("index out of range [3]")
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here",
		FS: fstest.MapFS{"slope.sdf": {Data: []byte(crates)}}}}})
	return unlucky{lib}, scene.Resource{URI: world}, nil
}

type unlucky struct{ scene.Library }

func (u unlucky) World(r scene.Resource) (*scene.WorldSpec, error) {
	switch r.URI {
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "leaves":
		os.Exit(7)
	case "hangs":
		time.Sleep(time.Hour)
	}
	if strings.HasPrefix(r.URI, "slope") {
		r.URI = "slope.sdf"
	}
	return u.Library.World(r)
}

func testBatch(o *Order, dir string, workers int, out io.Writer) *Batch {
	return &Batch{Order: o, Dir: dir, Version: "test", Workers: workers,
		Said: &Bar{Sweep: o.Sweep(), Out: out}, Command: func() *exec.Cmd {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), asChild+"=1", asSweep+"=", "GOMAXPROCS=1")
			return c
		}}
}

// order is a sweep of a text in a folder of its own.
func order(t *testing.T, text string) *Order {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestARunThatBreaksEndsNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	o := order(t, "duration: 100ms\ntimeout: 2s\nmatrix: {world: [panics, slope.sdf, killed, leaves, hangs, slope2.sdf, nowhere.sdf]}\n")
	var said bytes.Buffer
	rows, err := testBatch(o, filepath.Join(t.TempDir(), "out"), 2, &said).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		outcome sweep.Outcome
		reason  string
	}{
		{sweep.Crashed, "panic: index out of range [3]"}, {sweep.Passed, ""},
		{sweep.Crashed, "signal: killed, by a user or for lack of memory"},
		{sweep.Crashed, "exit status 7"}, {sweep.Late, "killed after 2s"}, {sweep.Passed, ""},
		{sweep.Invalid, "nowhere.sdf"},
	} {
		if row := rows[i]; row.Outcome != want.outcome || !strings.Contains(row.Reason, want.reason) ||
			row.Index != i {
			t.Errorf("run %d: %+v, want %+v", i, row, want)
		}
	}
	for _, line := range []string{"7 runs\n", "run 0 world=panics: crashed: exit status 2: panic: index",
		"7 of 7 done, 0 running, 5 not passed\n"} {
		if !strings.Contains(said.String(), line) {
			t.Errorf("%q is not said in\n%s", line, said.String())
		}
	}
	var table bytes.Buffer
	if err := WriteSummary(&table, o.Sweep(), rows); err != nil ||
		!strings.HasSuffix(table.String(), "2 of 7 passed, 1 invalid, 3 crashed, 1 timeout\n") {
		t.Errorf("%v\n%s", err, table.String())
	}
	b := testBatch(o, filepath.Join(t.TempDir(), "again"), 2, io.Discard)
	if again, err := b.Run(t.Context()); err != nil || again[1].Hash == "" || again[1].Hash != rows[1].Hash ||
		rows[1].Hash != rows[5].Hash {
		t.Errorf("done again: %+v, %v; before %+v", again[1], err, rows[1])
	}
}

// twoHundred is a sweep of 200 runs, of which two crash.
const twoHundred = `duration: 400ms
report: crate
matrix:
  world: [slope1, slope2]
  seed: 1..9
  friction.ramp: [0.05, 0.1, 0.2, 0.3, 0.5]
  friction.crate: [0.1, 0.9]
  jitter.crate: [[0.3, 0.3, 0, 0.1]]
  include:
    - {world: panics}
    - {world: killed}
    - {world: slope3, seed: 1}
    - {world: slope3, seed: 2}
    - {world: slope3, seed: 3}
    - {world: slope3, seed: 4}
    - {world: slope3, seed: 5}
    - {world: slope3, seed: 6}
    - {world: slope3, seed: 7}
    - {world: slope3, seed: 8}
    - {world: slope3, seed: 9}
    - {world: slope3, seed: 10}
    - {world: slope3, seed: 11}
    - {world: slope3, seed: 12}
    - {world: slope3, seed: 13}
    - {world: slope3, seed: 14}
    - {world: slope3, seed: 15}
    - {world: slope3, seed: 16}
    - {world: slope3, seed: 17}
    - {world: slope3, seed: 18}
`

func TestTwoHundredRunsAreTheSameOnOneAndTwoWorkersAndAfterKillMinusNine(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	// 9 seeds, 5 frictions, as of a pair the lower counts, and none of those that crashed
	const runs, ends = 200, 46
	o := order(t, twoHundred)
	here := filepath.Dir(o.File)
	if n := len(o.Sweep().Runs); n != runs {
		t.Fatalf("%d runs", n)
	}
	killed := filepath.Join(here, "killed")
	before := killInTheMiddle(t, o, filepath.Join(killed, journalFile), runs*3/10)
	begun := filepath.Join(here, "begun")
	t.Setenv(begunIn, begun)
	rows, err := testBatch(o, killed, 2, io.Discard).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(begunIn, "")
	again, err := os.ReadFile(begun)
	if n := bytes.Count(again, []byte{'\n'}); err != nil || n != runs-before {
		t.Errorf("%d were done before kill -9 and %d after it, want %d in all", before, n, runs)
	}
	if _, err := testBatch(o, filepath.Join(here, "one"), 1, io.Discard).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(filepath.Join(killed, tableFile))
	one, err2 := os.ReadFile(filepath.Join(here, "one", tableFile))
	if err != nil || err2 != nil || !bytes.Equal(one, two) || bytes.Count(one, []byte("\n")) != runs+1 {
		t.Errorf("one worker and two have different results, %v, %v:\n%s\n%s", err, err2, one, two)
	}
	var table bytes.Buffer
	if err := WriteSummary(&table, o.Sweep(), rows); err != nil ||
		!strings.Contains(table.String(), fmt.Sprintf("%d of %d passed, 2 crashed", runs-2, runs)) {
		t.Errorf("%v\n%s", err, table.String())
	}
	hashes := map[string]bool{}
	for _, row := range rows {
		hashes[row.Hash] = true
	}
	if len(hashes) < ends {
		t.Errorf("%d different ends of %d: the runs are not what was asked", len(hashes), runs)
	}
	t.Logf("%d runs before kill -9, %d after it; %d different ends", before, runs-before, len(hashes))
}

// killInTheMiddle runs a sweep in a process, ends that by kill -9, and says how many runs had been done.
func killInTheMiddle(t *testing.T, o *Order, journal string, after int) int {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asSweep+"="+o.File)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for lines := 0; lines < after; {
		data, _ := os.ReadFile(journal) // there is none yet at first
		lines = bytes.Count(data, []byte{'\n'})
		select {
		case err := <-ended:
			t.Fatalf("it ended by itself after %d runs: %v", lines, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	// The remainder of a line after a power loss.
	half := data[:len(data)/after]
	if err := os.WriteFile(journal,
		append(data[:bytes.LastIndexByte(data, '\n')+1:len(data)], half[:len(half)-3]...),
		0o644); err != nil {
		t.Fatal(err)
	}
	return bytes.Count(data, []byte{'\n'})
}

func TestAJournalOfAnotherSweepIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	o := order(t, "world: slope.sdf\nduration: 10ms\n")
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := testBatch(o, dir, 1, io.Discard).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := order(t, "world: slope.sdf\nduration: 20ms\n")
	if _, err := testBatch(other, dir, 1, io.Discard).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "--restart begins anew") {
		t.Errorf("the changed file: %v", err)
	}
	newer := testBatch(o, dir, 1, io.Discard)
	newer.Version = "newer"
	if _, err := newer.Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "was written by simdeck test, and this is newer") {
		t.Errorf("another simdeck: %v", err)
	}
	b := testBatch(other, dir, 1, io.Discard)
	b.Restart = true
	if rows, err := b.Run(t.Context()); err != nil || rows[0].Time != 0.02 {
		t.Errorf("begun anew: %+v, %v", rows, err)
	}
	if err := os.WriteFile(filepath.Join(dir, journalFile), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := testBatch(o, dir, 1, io.Discard).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "results.jsonl:1 is no result") {
		t.Errorf("what is no journal: %v", err)
	}
}

func TestTwoSweepsDoNotWriteOneJournal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	o := order(t, "world: slope.sdf\nduration: 10ms\n")
	dir := filepath.Join(t.TempDir(), "out")
	j, err := openJournal(dir, "0", "test", 1, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := testBatch(o, dir, 1, io.Discard).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "is being written by another simdeck") {
		t.Errorf("a second sweep in the same folder: %v", err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := testBatch(o, dir, 1, io.Discard).Run(t.Context()); err != nil {
		t.Errorf("when the first has ended: %v", err)
	}
}

func TestASweepThatIsInterruptedKeepsWhatIsDoneAndNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	o := order(t, "duration: 10ms\nmatrix: {world: [slope.sdf, hangs, slope2.sdf]}\n")
	dir := filepath.Join(t.TempDir(), "out")
	ctx, stop := context.WithCancel(t.Context())
	b := testBatch(o, dir, 1, io.Discard)
	b.Said = &stopper{Bar: Bar{Sweep: o.Sweep(), Out: io.Discard}, stop: stop}
	rows, err := b.Run(ctx)
	if err == nil || len(rows) != 1 || rows[0].Outcome != sweep.Passed {
		t.Errorf("%+v, %v", rows, err)
	}
}

// stopper interrupts a sweep when its second run has begun.
type stopper struct {
	Bar
	stop func()
}

func (s *stopper) At(under map[int]float64) {
	if _, ok := under[1]; ok {
		s.stop()
	}
}

func TestRunsThatCrashedAreDoneAgainWhenAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	o := order(t, "duration: 10ms\nmatrix: {world: [slope.sdf, panics]}\n")
	dir := filepath.Join(t.TempDir(), "out")
	begun := filepath.Join(t.TempDir(), "begun")
	t.Setenv(begunIn, begun)
	for i, want := range []int{2, 2, 3} {
		b := testBatch(o, dir, 2, io.Discard)
		b.Retry = i == 2
		if _, err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(begun); err != nil || bytes.Count(data, []byte{'\n'}) != want {
			t.Errorf("round %d: begun are\n%s, want %d runs", i, data, want)
		}
	}
}

func TestTheBarSaysWhatIsLeft(t *testing.T) {
	o := order(t, "duration: 10ms\nmatrix: {world: [a, b, c, d]}\n")
	var out bytes.Buffer
	b := &Bar{Sweep: o.Sweep(), Out: &out, Terminal: true, Width: 60}
	b.Begin(4, 1)
	b.begun, b.drawn = time.Now().Add(-10*time.Second), time.Time{}
	b.At(map[int]float64{1: 0.5, 2: 0.5})
	if !strings.HasPrefix(out.String(),
		"\r[======                  ] 1 of 4 done, 0 running\r[======                  ] 1 of 4 done, 2 running, 20s left") {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	b.drawn = time.Time{}
	b.Done(&o.Sweep().Runs[1], Row{Result: sweep.Result{Outcome: sweep.Failed, Reason: "too late"}})
	b.End()
	if want := "run 1 world=b: failed: too late\n"; !strings.Contains(out.String(), "\r"+want) ||
		!strings.HasSuffix(out.String(), "\r") {
		t.Errorf("%q holds no %q", out.String(), want)
	}
}

func TestWhatIsWrongBesideASweepIsSaidBeforeItBegins(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("play.yaml", "vars: {pause: 1}\nphases: [{name: wait, when: {time: \"${pause}\"}}]\n")
	for text, says := range map[string]string{
		"world: a\nduration: 1s\nscenario: none.yaml\n": "there is no scenario " +
			filepath.Join(dir, "none.yaml"),
		"world: a\nduration: 1s\nscenario: play.yaml\nvar.paus: 2\n": `play.yaml:1:7: there is no variable "paus"; did you mean "pause"?`,
		"world: a.sdf\nduration: 1s\narg.side: left\n":               "arg.side is for a .xacro, and a.sdf is none",
		"world: a.sdf\nduration: 1s\nmatrix: {sed: [1]}\n":           `s.yaml:3:10: "sed" is unknown in a matrix; did you mean "seed"?`,
	} {
		if _, err := Read(write("s.yaml", text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	o, err := Read(write("s.yaml",
		"world: "+strconv.Quote(filepath.Base(write("r.urdf.xacro", "<robot/>")))+
			"\nduration: 1s\narg.b: x y\narg.a: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := o.world(&o.Sweep().Runs[0]); err != nil ||
		name != filepath.Join(dir, "r.urdf.xacro?a=1&b=x+y") {
		t.Errorf("the world is %s, %v", name, err)
	}
}
