package conform

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
)

// Options say what is tested.
type Options struct {
	Gentle bool           // only checks whose effects can be undone
	Quit   bool           // the simulator may be ended
	Only   *regexp.Regexp // of the IDs; nil: all
	Model  string         // URI to spawn in tests; "": a box as text, or the first spawnable
	// Progress is told of each result as it comes; nil: nobody.
	Progress func(Result)
}

// ErrNotReady is wrapped by the error about a simulator that cannot be tested as
// it is.
var ErrNotReady = errors.New("nothing can be tested")

// suite is a run of the checks over one simulator.
type suite struct {
	mu       sync.Mutex // of what answers are judged by: some come while others are asked
	remote   *attach.Remote
	options  Options
	features map[string]bool // advertised, by name
	codes    []uint16        // advertised, as they came
	formats  []string
	model    model
	clock    *clock
	before   found
	names    map[string]map[uint8]string // of result codes, by service
	answers  []string                    // that no service may give
	mute     []string                    // refusals without a reason
	count    int                         // of names given
	gone     bool                        // the simulator
}

// Run tests a simulator. It gives a report unless the simulator cannot be
// talked to at all. When ctx ends it puts back what it changed and gives the
// report so far, with why ctx ended.
func Run(ctx context.Context, r *attach.Remote, o Options) (*Report, error) {
	return run(ctx, r, o, Checks())
}

// run is Run with some checks.
func run(ctx context.Context, r *attach.Remote, o Options, checks []Check) (*Report, error) {
	if err := r.Settle(ctx); err != nil {
		return nil, err
	}
	s := &suite{remote: r, options: o, names: map[string]map[uint8]string{}}
	if err := s.learn(ctx); err != nil {
		return nil, err
	}
	var err error
	if s.clock, err = listen(r.Node()); err != nil {
		return nil, err
	}
	defer s.clock.Close()
	s.before = s.look(ctx)
	if s.before.knows && s.before.state > sim.Paused {
		return nil, fmt.Errorf("%s is in %s: %w: load a world first", r.Title(),
			stateWord(uint8(s.before.state)), ErrNotReady)
	}
	report := &Report{Simulator: r.Title(), Lines: lines(r), Began: time.Now(), Custom: s.before.custom}
	for _, c := range checks {
		if o.Only != nil && !o.Only.MatchString(c.ID) {
			continue
		}
		result := s.check(ctx, c)
		report.Results = append(report.Results, result)
		if o.Progress != nil {
			o.Progress(result)
		}
		if ctx.Err() != nil {
			break
		}
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreMayTake)
	defer cancel()
	report.Left = s.putBack(after)
	return report, context.Cause(ctx)
}

// learn asks what the simulator says that it can.
func (s *suite) learn(ctx context.Context) error {
	s.features = map[string]bool{}
	if _, ok := s.remote.Simulator().Serves("GetSimulatorFeatures"); !ok {
		return nil
	}
	f, err := attach.Ask(ctx, s.remote, simif2.GetSimulatorFeaturesService(),
		&simif2.GetSimulatorFeaturesRequest{})
	if err != nil {
		return err
	}
	s.codes, s.formats = f.Features.Features, f.Features.SpawnFormats
	for _, known := range features() {
		s.features[known.name] = slices.Contains(s.codes, uint16(known.code))
	}
	return nil
}

// check runs one check, and cleans up after it.
func (s *suite) check(ctx context.Context, c Check) Result {
	began := time.Now()
	p := &Probe{ctx: ctx, remote: s.remote, sim: s.remote.Simulator(), suite: s}
	r := Result{Check: c, Status: Skipped}
	switch r.Detail = c.missing(p.sim, s.features); {
	case s.gone:
		r.Detail = "connection to the simulator lost"
		return r
	case r.Detail != "":
		return r
	case s.options.Gentle && c.Costs > Nothing:
		r.Detail = "it takes " + costWord(c.Costs) + ", and what can be put back only was asked for"
		return r
	case c.Costs == Everything && !s.options.Quit:
		r.Detail = "it ends the simulator; --quit asks for that"
		return r
	}
	if c.In == Paused {
		p.pause()
	}
	if !p.over() {
		c.run(p)
	}
	r.Took = time.Since(began)
	r.Status, r.Detail = Passed, ""
	switch {
	case p.skipped != "":
		r.Status, r.Detail = Skipped, p.skipped
	case len(p.faults) > 0:
		r.Status, r.Detail = Failed, strings.Join(p.faults, "; ")
		if c.silent() && !p.broken {
			r.Status = Differs
		}
	}
	if c.Costs == Everything {
		s.gone = true
	}
	if s.gone {
		return r
	}
	s.clean(context.WithoutCancel(ctx), p.made)
	if c.Costs == TheWorld {
		_ = s.loadAgain(ctx) // the next check, or putBack, tells of it
	}
	return r
}

func costWord(c Costs) string {
	return [...]string{"nothing", "the run (time, where entities are)", "the world", "the simulator"}[c]
}

// judge keeps what no answer may be.
func (s *suite) judge(service string, r simif2.Result) {
	known := s.codesOf(service)[r.Result] != ""
	s.mu.Lock()
	defer s.mu.Unlock()
	if !known {
		s.answers = append(s.answers, fmt.Sprintf("%s answers %d", service, r.Result))
	}
	if r.Result != simif2.ResultOK && r.ErrorMessage == "" {
		s.mute = append(s.mute, fmt.Sprintf("%s with %d", service, r.Result))
	}
}

// lost notes that the connection to the simulator is lost: nothing more can be asked.
func (s *suite) lost(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = s.gone || errors.Is(err, attach.ErrGone)
}

// codesOf are the names of the result codes of a service.
func (s *suite) codesOf(service string) map[uint8]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names, ok := s.names[service]
	if !ok {
		names = attach.ResultNames(kindOf(service))
		s.names[service] = names
	}
	return names
}

// lines are the lines that the simulator announces, in words.
func lines(r *attach.Remote) []string {
	var words []string
	for _, l := range r.Simulator().Lines() {
		words = append(words, l.String())
	}
	return words
}

// node is the node that the suite works from.
func (p *Probe) node() *node.Node { return p.remote.Node() }
