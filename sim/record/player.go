package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// Played is the progress of a replay.
type Played struct {
	Steps    uint64 // done and found the same
	Before   uint64 // done that were before the recording began, and not compared
	Skipped  uint64 // done that were before Player.From, and not compared
	Leapt    uint64 // of those before From that were not done at all: a state was taken up behind them
	Commands uint64
	Refused  uint64        // of those recorded, which were not done again
	Time     time.Duration // simulated, at the end
	Cut      bool          // the recording ends within a line
	Faults   []PlayedFault // the first mostPlayedFaults; those of steps before From too
	Faulty   int           // steps with one
}

// libraries are the library of the user, and that of clients; nil: as the user's.
type libraries struct{ own, clients scene.Library }

// PlayedFault is a step in which the motion of something left the finite numbers, as it did when it was
// recorded.
type PlayedFault struct {
	Step uint64        // since the engine started
	Time time.Duration // simulated
	Text string
}

const mostPlayedFaults = 8

// Player does a recording again.
type Player struct {
	World *engine.World
	// From and Until are the simulated times between which it compares. Before From it only replays, from the
	// last recorded state on, and at Until it ends. Zero: from the beginning, and to the end.
	From, Until time.Duration
	// UntilLine is the line of the recording behind which it ends as well, or in which, if that is one of steps: at
	// UntilStep, counted since the engine started. 0: none.
	UntilLine int
	UntilStep uint64

	// Clients is the library as those had it who sent commands; nil: as the world of the beginning is read.
	Clients scene.Library

	// Open gives the libraries, as above, of a world file that was opened later; nil: those of the beginning.
	Open func(world string) (own, clients scene.Library, err error)

	// Progress is told the simulated time that the replay has reached; nil: nobody.
	Progress func(at time.Duration)

	before func() error // is called before each step, and ends the replay by an error; nil: nothing is
	start  *seekPoint   // to go on from; nil: as From says

	libraries, first libraries // of the world that stands, and of the first one
	from             *Reader
	did              Played
	reached          bool // From was reached: a reset that sets the time back does not take that away
}

// NewPlayer makes the world that a recording begins with.
func NewPlayer(from *Reader, lib scene.Library) (*Player, error) {
	w, err := engine.NewWorld(from.Header.Options())
	if err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	return &Player{World: w, first: libraries{own: lib}, from: from}, nil
}

// looks reports whether the present step or command is compared.
func (p *Player) looks() bool {
	p.reached = p.reached || p.World.Time() >= p.From
	return p.reached
}

// over reports whether Until or UntilLine is reached.
func (p *Player) over() bool {
	return p.Until > 0 && p.looks() && p.World.Time() >= p.Until ||
		p.UntilLine > 0 && p.from.Line() >= p.UntilLine && p.World.Total() >= p.UntilStep
}

// Run replays to the end or Until, or up to the first command or step that comes out differently: that is an
// ErrDiverged. An ErrFormat says which line cannot be read.
func (p *Player) Run(ctx context.Context) (Played, error) {
	p.first.clients = p.Clients
	p.libraries = p.first
	if err := p.leap(ctx); err != nil {
		return p.did, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return p.did, err
		}
		e, err := p.from.Next()
		if errors.Is(err, io.EOF) {
			p.did.Cut = p.from.Cut
			return p.did, nil
		}
		if err == nil {
			err = p.play(ctx, &e)
		}
		p.did.Time = p.World.Time()
		if p.Progress != nil {
			p.Progress(p.did.Time)
		}
		if err != nil || p.over() {
			return p.did, err
		}
	}
}

func (p *Player) play(ctx context.Context, e *Entry) error {
	if e.Blind && e.At > p.from.Header.Since {
		return fmt.Errorf("%w: line %d has no hash, and the recording began before it", ErrFormat,
			p.from.Line())
	}
	if err := p.catchUp(ctx, min(e.At, p.from.Header.Since)); err != nil {
		return err
	}
	if e.At != p.World.Total() {
		return fmt.Errorf("%w: line %d is of step %d, and the steps before it end at %d", ErrFormat,
			p.from.Line(), e.At, p.World.Total())
	}
	what := "a step that failed"
	switch {
	case e.Halted:
		err := p.World.Step()
		if err == nil {
			return p.diverged("a step failed then, and does not now")
		}
		p.fault("the world was paused: " + err.Error())
	case e.State != nil:
		what = "the steps so far, as they were kept"
	case e.Name == "":
		return p.steps(ctx, e.Hashes)
	case e.Command == nil:
		what = e.Name + ", refused,"
		p.did.Refused++
	default:
		what = sim.Describe(e.Command)
		if err := p.command(ctx, e); err != nil {
			return err
		}
	}
	if h := p.World.Hash(); h != e.Hash && !e.Blind && p.looks() {
		return p.diverged("after %s by %s the world is %016x, and was %016x then%s", what, e.Sender, h,
			e.Hash, p.cause(e.Command))
	}
	return nil
}

// ready waits until the next step is due.
func (p *Player) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil || p.before == nil {
		return err
	}
	return p.before()
}

// catchUp does steps of which no hashes are known.
func (p *Player) catchUp(ctx context.Context, to uint64) error {
	for p.World.Total() < to {
		if err := p.ready(ctx); err != nil {
			return err
		}
		before := p.World.Total()
		if err := p.World.Step(); p.World.Total() == before {
			return p.diverged("the world is %s and does not step, and did before the recording began: %v",
				p.World.State(), err)
		}
		p.look()
		p.did.Before++
	}
	return nil
}

func (p *Player) command(ctx context.Context, e *Entry) error {
	p.did.Commands++
	read := func() engine.Loaded { return p.read(ctx, e.Command, e.Sender) }
	if e.Refused != "" { // whether it could be read now is another question
		read = func() engine.Loaded { return engine.Unreadable(e.Refused) }
	}
	_, err := p.World.Apply(e.Command, read())
	switch {
	case err != nil && e.Refused == "":
		return p.diverged("%s by %s is refused, and was not then: %v", sim.Describe(e.Command), e.Sender, err)
	case err == nil && e.Refused != "":
		return p.diverged("%s by %s goes well, and did not then: %s", sim.Describe(e.Command), e.Sender,
			e.Refused)
	}
	return nil
}

// read reads what a command needs, as its sender could.
func (p *Player) read(ctx context.Context, c sim.Command, sender string) engine.Loaded {
	switch load := c.(type) {
	case sim.LoadWorld:
		if p.open(load.Resource) {
			return engine.LoadContext(ctx, p.libraries.own, c)
		}
	case sim.Restore:
		if !p.open(load.World.Resource) {
			p.libraries = p.first
		}
	}
	if sender == sim.Starter || p.libraries.clients == nil {
		return engine.LoadContext(ctx, p.libraries.own, c)
	}
	return engine.LoadFor(ctx, p.libraries.own, p.libraries.clients, c)
}

// open takes the libraries of a world that is a file; false: it is none that Open knows. The command that
// loads it was not refused, so that its sender could read it.
func (p *Player) open(world scene.Resource) bool {
	if p.Open == nil || !path.IsAbs(filepath.ToSlash(world.URI)) {
		return false
	}
	own, clients, err := p.Open(world.URI)
	if err != nil {
		return false
	}
	p.libraries = libraries{own, clients}
	return true
}

// cause names the possible cause by which a world or model differs from the recorded one.
func (p *Player) cause(c sim.Command) string {
	switch c.(type) {
	case sim.LoadWorld, sim.Restore, sim.Spawn, sim.SpawnBatch:
		return fmt.Sprintf(": its files have changed, or simdeck has since %s", p.from.Header.Version)
	}
	return ""
}

func (p *Player) steps(ctx context.Context, hashes []uint32) error {
	for _, want := range hashes {
		if err := p.ready(ctx); err != nil || p.over() {
			return err
		}
		before := p.World.Total()
		err := p.World.Step()
		if p.World.Total() == before {
			return p.diverged("the world is %s and does not step, and did then: %v", p.World.State(), err)
		}
		p.look()
		if !p.looks() {
			p.did.Skipped++
			continue
		}
		if h := uint32(p.World.Hash()); h != want {
			return p.diverged("the world is …%08x, and was …%08x then", h, want)
		}
		p.did.Steps++
	}
	return nil
}

func (p *Player) diverged(format string, args ...any) error {
	return fmt.Errorf("%w at step %d, %v, line %d: %s", ErrDiverged, p.World.Total(), p.World.Time(),
		p.from.Line(), fmt.Sprintf(format, args...))
}

// look notes what the last step contained.
func (p *Player) look() {
	if p.World.NewFaults() == 0 {
		return
	}
	text := "an entity was contained"
	s := p.World.Snapshot()
	for i := range s.Entities {
		if f := s.Entities[i].Fault; f != nil && f.Step == s.Step {
			text = fmt.Sprintf("%s was contained: %v", s.Model.Entities[i].Name, f)
			break
		}
	}
	p.fault(text)
}

func (p *Player) fault(text string) {
	if p.did.Faulty++; len(p.did.Faults) < mostPlayedFaults {
		p.did.Faults = append(p.did.Faults, PlayedFault{p.World.Total(), p.World.Time(), text})
	}
}
