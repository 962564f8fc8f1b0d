package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/record"
	"simdeck/ui/cli/store"
)

// commandLog is the file of commands and hashes in the folder of a recording.
const commandLog = "commands.simlog"

// Recorder makes recordings of an engine, one at a time: the one of the options, and those that operators
// begin and end.
type Recorder struct {
	Engine *engine.Engine // to be set before Start and Stop
	Log    *slog.Logger   // is told when a recording breaks; nil: nobody

	disk    Disk
	options Options
	version string
	topics  OpenTopics // nil: topics are not recorded
	begun   chan *recording
	turn    chan struct{} // has room for who begins or ends one

	mu  sync.Mutex
	now *recording // nil: none is made
}

// recording is a folder that is being recorded into.
type recording struct {
	*record.Writer
	folder  string
	began   time.Time
	in      RecordingFolder // closed with file
	file    *durable
	topics  TopicRecording  // nil: none
	topical context.Context // ended by leave: topics go on until then
	leave   context.CancelFunc
	done    chan struct{} // closed when all is written
	err     error         // of writing; to be read then
	told    bool          // somebody was told of err
}

// TopicRecording records topics beside the commands.
type TopicRecording interface {
	// Run writes until ctx ends, and then the rest; a recording that breaks ends at once.
	Run(ctx context.Context) error
	Err() error   // why it broke
	Size() int64  // bytes written
	Lost() uint64 // messages that were not recorded
}

// NewRecorder begins the recording that the options ask for, if they do. A folder that holds a recording
// already is left alone, with an error.
func NewRecorder(disk Disk, o Options, version string) (*Recorder, error) {
	r := &Recorder{disk: disk, options: o, version: version, begun: make(chan *recording, 1),
		turn: make(chan struct{}, 1)}
	if o.Recording.Dir == "" {
		return r, nil
	}
	rec, err := r.open(o.Recording.Dir)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s holds a recording already; name another folder", ErrUsage,
			o.Recording.Dir)
	}
	if err != nil {
		return nil, err
	}
	r.now = rec
	r.begun <- rec
	return r, nil
}

// OpenTopics begins to record topics in an opened folder.
type OpenTopics func(folder string, in RecordingFolder, scope sim.RecordingScope) (TopicRecording, error)

// With has the topics recorded too, those of the options from now on, and those of an operator's scope of
// every recording that begins.
func (r *Recorder) With(topics OpenTopics) (err error) {
	if r.topics = topics; r.now != nil && r.options.RecordsTopics() {
		scope := sim.RecordingScope{Kind: sim.RecordTopics, Topics: r.options.Recording.Topics}
		if r.now.topics, err = topics(r.now.folder, r.now.in, scope); err != nil {
			err = errors.Join(store.Explain(err), r.discard(r.now))
		}
	}
	return err
}

// discard takes away a recording that could not begin; of the folder what else is in it stays.
func (r *Recorder) discard(rec *recording) error {
	err := errors.Join(rec.in.Remove(commandLog), rec.file.Close())
	_ = r.disk.Remove(rec.folder) // one that holds something is left
	return err
}

// First is the recording that an engine begins with; nil when the options ask for none.
func (r *Recorder) First() sim.Recorder {
	if r.now == nil {
		return nil
	}
	return r.now.Writer
}

// open makes the file of a recording.
func (r *Recorder) open(folder string) (*recording, error) {
	on, err := r.disk.Open(folder)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", store.Explain(err))
	}
	opened, err := on.OpenFile(commandLog, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", errors.Join(store.Explain(err), on.Close()))
	}
	file := newDurable(opened, on)
	o := r.options
	path, _ := o.SearchPaths()
	world := o.World
	if abs, err := filepath.Abs(world); err == nil {
		if _, err := os.Stat(abs); err == nil {
			world = abs
		}
	}
	w := record.NewWriter(file, record.Header{
		Version: r.version, World: world, Path: path, Vehicle: o.Vehicle, Seed: o.Seed, StepSize: o.Step,
		RealTime: o.Pace(), Rewind: o.View.Rewind, OnFault: o.OnFault.String(), Limits: &o.Limits,
		Started: time.Now().UTC().Format(time.RFC3339),
	})
	rec := &recording{Writer: w, folder: folder, began: time.Now(), in: on, file: file,
		done: make(chan struct{})}
	rec.topical, rec.leave = context.WithCancel(context.Background())
	return rec, nil
}

// fresh makes the file of a recording that nobody has named: after the world and the time.
func (r *Recorder) fresh() (*recording, error) {
	if r.options.Recording.Later == "" {
		return nil, fmt.Errorf("%w: recordings cannot be started here", sim.ErrUnsupported)
	}
	at := filepath.Join(r.options.Recording.Later, stamped(r.Engine.Snapshot().Model.World.Name))
	for n := 1; ; n++ {
		folder := at
		if n > 1 {
			folder = fmt.Sprintf("%s-%d", at, n)
		}
		if rec, err := r.open(folder); n == 100 || !errors.Is(err, os.ErrExist) {
			return rec, err
		}
	}
}

// Topics are the patterns of the options, and why recordings hold no topics.
func (r *Recorder) Topics() (patterns []string, reason string) {
	if r.topics == nil {
		return nil, "this simulator records no topics"
	}
	if r.options.RecordsTopics() {
		patterns = r.options.Recording.Topics
	}
	return patterns, ""
}

// Start begins a recording in a folder of its own, which it names.
func (r *Recorder) Start(ctx context.Context, scope sim.RecordingScope) (folder string, err error) {
	if err := r.take(ctx); err != nil {
		return "", err
	}
	defer r.give()
	rec, err := r.fresh()
	if err != nil {
		return "", err
	}
	if err := r.begin(ctx, rec, scope); err != nil {
		return "", errors.Join(err, r.discard(rec))
	}
	r.set(rec)
	r.begun <- rec
	return rec.folder, nil
}

// begin has the engine recorded, and then the topics: where one is made already, that is refused before its
// topics are taken from it.
func (r *Recorder) begin(ctx context.Context, rec *recording, scope sim.RecordingScope) error {
	if scope.Kind != sim.RecordCommands && r.topics == nil {
		_, reason := r.Topics()
		return fmt.Errorf("%w: topics are %s", sim.ErrUnsupported, reason)
	}
	err := r.Engine.Record(ctx, rec.Writer, rec.folder)
	if err != nil || scope.Kind == sim.RecordCommands {
		return err
	}
	if rec.topics, err = r.topics(rec.folder, rec.in, scope); err != nil {
		return errors.Join(store.Explain(err), r.Engine.Record(ctx, nil, ""))
	}
	r.Engine.LeaveOutLateSamples(true)
	return nil
}

// Stop ends the recording, and returns when all of it is written.
func (r *Recorder) Stop(ctx context.Context) (folder string, err error) {
	if err := r.take(ctx); err != nil {
		return "", err
	}
	defer r.give()
	if err := r.Engine.Record(ctx, nil, ""); err != nil {
		return "", err
	}
	rec := r.current()
	r.set(nil)
	r.Engine.LeaveOutLateSamples(false)
	rec.leave()
	select {
	case <-rec.done:
		rec.told = true
		return rec.folder, rec.err
	case <-ctx.Done():
		return rec.folder, fmt.Errorf("disk too slow: the end of the recording is not written yet: %w",
			ctx.Err())
	}
}

// take waits for the turn of whoever begins or ends a recording.
func (r *Recorder) take(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("disk too slow: another recording is starting or stopping: %w", ctx.Err())
	}
}

func (r *Recorder) give() { <-r.turn }

func (r *Recorder) current() *recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *Recorder) set(rec *recording) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = rec
}

// State is the state of the recording that is made.
func (r *Recorder) State() sim.Recording {
	rec := r.current()
	if rec == nil {
		return sim.Recording{}
	}
	now := sim.Recording{Folder: rec.folder, Bytes: rec.Wrote(), Began: rec.began}
	err := cmp.Or(rec.Err(), rec.file.Err())
	if rec.topics != nil {
		now.Bytes += rec.topics.Size()
		err = cmp.Or(err, rec.topics.Err())
	}
	if err != nil {
		now.Fault = store.Explain(err).Error()
	}
	return now
}

// Run writes until ctx ends, and then the rest. A recording that breaks leaves the simulation running; the
// error is that of those of which no operator was told.
func (r *Recorder) Run(ctx context.Context) error {
	var all []*recording
	for next := true; next; {
		var rec *recording
		select {
		case rec = <-r.begun:
		case <-ctx.Done():
			select {
			case rec = <-r.begun:
			default:
				next = false
			}
		}
		if rec != nil {
			rec.err = r.watch(rec, rec.write(ctx))
			if closing := rec.file.Close(); rec.err == nil { // a file that broke says the same again
				rec.err = store.Explain(closing)
			}
			close(rec.done)
			if rec.err != nil {
				all = append(all, rec)
			}
		}
	}
	r.turn <- struct{}{}
	defer r.give()
	var err error
	for _, rec := range all {
		if !rec.told {
			err = errors.Join(err, rec.err)
		}
	}
	return err
}

// watch says of a recording that broke how far it came, and tells of it once.
func (r *Recorder) watch(rec *recording, err error) error {
	if err == nil {
		return nil
	}
	err = store.Explain(err)
	if r.Engine != nil {
		err = fmt.Errorf("%w; recording stopped at %.1f s", err, r.Engine.Snapshot().Time.Seconds())
	}
	if rec.topics != nil {
		err = fmt.Errorf("%w, %d messages lost", err, rec.topics.Lost())
	}
	if r.Log != nil {
		r.Log.Error("recording stopped, the simulation continues", "folder", rec.folder, "error", err)
	}
	return err
}

// write writes the commands and the topics. The engine's end ends the commands; what is published then still
// belongs to the topics, which go on until ctx ends. Where one of the two breaks the other ends with it.
func (rec *recording) write(ctx context.Context) error {
	if rec.topics == nil {
		return rec.Writer.Run(ctx)
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	both, halt := context.WithCancel(ctx)
	defer halt()
	ended := make(chan error, 1)
	go func() { err := rec.topics.Run(following); rec.Writer.Break(err); halt(); ended <- err }()
	err := rec.Writer.Run(both)
	if err == nil {
		select {
		case <-rec.topical.Done():
		case <-both.Done():
		}
	}
	stop()
	return cmp.Or(<-ended, err)
}
