package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
)

// tape is a recording of topics that notes what becomes of it.
type tape struct {
	mu     sync.Mutex
	folder string
	ended  bool
	err    error
}

func (t *tape) Run(ctx context.Context) error {
	<-ctx.Done()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	return t.err
}

func (t *tape) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *tape) Size() int64 { return 1000 }

func (t *tape) Lost() uint64 { return 3 }

func (t *tape) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// all is the scope of a recording of all topics.
var all = sim.RecordingScope{Kind: sim.RecordSensors}

// withTopics is a recorder of an engine that runs until stop, and its tapes.
func withTopics(t *testing.T, o Options, fail error) (r *Recorder, tapes *[]*tape, stop func() error) {
	t.Helper()
	r, err := NewRecorder(disk{}, o, "8.8")
	if err != nil {
		t.Fatal(err)
	}
	r.Engine, err = engine.New(engine.Config{Library: library{}, World: sim.Resource{URI: "world://empty"},
		Start: sim.Playing, RealTime: -1,
		Recorder: r.First()})
	if err != nil {
		t.Fatal(err)
	}
	tapes = new([]*tape)
	err = r.With(func(folder string, _ RecordingFolder, _ sim.RecordingScope) (TopicRecording, error) {
		k := &tape{folder: folder}
		*tapes = append(*tapes, k)
		return k, fail
	})
	if err != nil && !errors.Is(err, fail) {
		t.Fatal(err)
	}
	engine, halt := context.WithCancel(context.Background())
	ctx, end := context.WithCancel(context.Background())
	ran, wrote := make(chan error, 1), make(chan error, 1)
	go func() { ran <- r.Engine.Run(engine) }()
	go func() { wrote <- r.Run(ctx) }()
	return r, tapes, func() error {
		halt()
		err := <-ran
		if len(*tapes) > 0 && r.current() != nil && (*tapes)[len(*tapes)-1].over() {
			t.Error("the topics ended with the engine: what is published then is missing")
		}
		end()
		return errors.Join(err, <-wrote)
	}
}

func TestTopicsAreRecordedBesideTheCommandsUntilTheBridgeHasEnded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	r, tapes, stop := withTopics(t, Options{World: "world://empty", Recording: Recording{Dir: dir}, RealTime: -1}, nil)
	if len(*tapes) != 1 || (*tapes)[0].folder != dir {
		t.Fatalf("%+v", *tapes)
	}
	if now := r.State(); now.Folder != dir || now.Bytes < 1000 || now.Fault != "" || now.Began.IsZero() {
		t.Errorf("%+v", now)
	}
	full := errors.New("no space left on device")
	(*tapes)[0].mu.Lock()
	(*tapes)[0].err = full
	(*tapes)[0].mu.Unlock()
	if fault := r.State().Fault; fault != full.Error() {
		t.Errorf("the fault is %q", fault)
	}
	if err := stop(); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if !(*tapes)[0].over() {
		t.Error("the topics go on")
	}
}

func TestARecordingThatIsRefusedTakesNoTopicsFromTheOneThatIsMade(t *testing.T) {
	r, tapes, stop := withTopics(t, Options{World: "world://empty", Recording: Recording{Later: t.TempDir()}, RealTime: -1},
		nil)
	for n := range 3 {
		folder, err := r.Start(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Start(t.Context(), all); !errors.Is(err, sim.ErrIncorrectState) {
			t.Errorf("two at once: %v", err)
		}
		k := (*tapes)[n]
		if len(*tapes) != n+1 || k.folder != folder || k.over() {
			t.Fatalf("%+v", *tapes)
		}
		if _, err := r.Stop(t.Context()); err != nil || !k.over() {
			t.Errorf("it has ended, and the topics %v: %v", k.over(), err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestTopicsThatCannotBeRecordedLeaveNothing(t *testing.T) {
	dir, full := t.TempDir(), errors.New("no space left on device")
	r, _, stop := withTopics(t, Options{World: "world://empty", Recording: Recording{Later: dir}, RealTime: -1}, full)
	if _, err := r.Start(t.Context(), all); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if err := r.Engine.Record(t.Context(), nil, ""); !errors.Is(err, sim.ErrIncorrectState) {
		t.Errorf("the engine is recorded all the same: %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestRecordTakesAFolderAndTopics(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	for _, c := range []struct {
		words string
		want  Topics
		code  int
		out   string
	}{
		{"record monday", Topics{Dir: "monday", Want: []string{}}, 0, "monday: 7 messages of 2 topics\n"},
		{"record monday /tf !*image* --wall-time --domain 7",
			Topics{Dir: "monday", Want: []string{"/tf", "!*image*"}, Wall: true}, 0, "monday: 7"},
		{"record lossy", Topics{Dir: "lossy", Want: []string{}}, 0, "; 3 were lost"},
		{"record monday --duration 20ms", Topics{Dir: "monday", Want: []string{}}, 0, "monday: 7"},
		{"record", Topics{}, 2, ""},
		{"record monday --duration -1s", Topics{}, 2, ""},
	} {
		var got Topics
		var out strings.Builder
		p := Program{Version: "test", Keymap: []byte("{}"),
			Record: func(ctx context.Context, o Options, k Topics) (Recorded, error) {
				got = k
				if slices.Contains(strings.Fields(c.words), "--duration") {
					<-ctx.Done()
				}
				r := Recorded{Messages: 7, Topics: 2}
				if k.Dir == "lossy" {
					r.Lost = 3
				}
				return r, nil
			}}
		keys, err := os.ReadFile("../../keymap.yaml")
		if err != nil {
			t.Fatal(err)
		}
		p.Keymap = keys
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		err = Execute(ctx, p, strings.Fields(c.words), &out, &out)
		stop()
		if ExitCode(err) != c.code || !reflect.DeepEqual(got, c.want) || c.code == 0 &&
			!strings.Contains(out.String(), c.out) {
			t.Errorf("%s: %+v, %q, %v", c.words, got, out.String(), err)
		}
	}
}

func TestWhatIsRecordedOfOurOwnTopicsIsASetting(t *testing.T) {
	l := run(t, []string{"run", "--record", "x", "--record-topics", "/tf,!*image*"}, nil)
	if l.err != nil || !slices.Equal(l.options.Recording.Topics, []string{"/tf", "!*image*"}) ||
		!l.options.RecordsTopics() {
		t.Errorf("%+v, %v", l.options.Recording.Topics, l.err)
	}
	if l := run(t, []string{"run"}, nil, "SIMDECK_RECORD_TOPICS=none"); l.options.RecordsTopics() {
		t.Errorf("none records %q", l.options.Recording.Topics)
	}
}

func TestWhoWaitsForASlowDiskWaitsNoLongerThanAsked(t *testing.T) {
	r, _, stop := withTopics(t, Options{World: "world://empty", Recording: Recording{Later: t.TempDir()}, RealTime: -1}, nil)
	r.turn <- struct{}{} // another operator's recording begins, and its disk is slow
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err1 := r.Start(ctx, all)
	_, err2 := r.Stop(ctx)
	for _, err := range []error{err1, err2} {
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "disk too slow") {
			t.Errorf("%v", err)
		}
	}
	r.give()
	if err := stop(); err != nil {
		t.Error(err)
	}
}
