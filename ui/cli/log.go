package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
)

// LogFile is the log of the console's process, since the screen is taken:
// $XDG_STATE_HOME/simdeck/simdeck.log. Panics of the runtime go there too. It
// is nowhere when it cannot be written.
func LogFile() (log io.Writer, done func()) {
	folder, err := store.Open((&session{environ: os.Environ()}).stateDir())
	if err != nil {
		return io.Discard, func() {}
	}
	defer folder.Close()
	file, err := store.Empty(folder, "simdeck.log")
	if err != nil {
		return io.Discard, func() {}
	}
	if err := debug.SetCrashOutput(file, debug.CrashOptions{}); err != nil {
		escape.Fprintln(file, err)
	}
	return file, func() { file.Close() }
}

// LogEvents logs what happens on a backend until ctx or the backend ends, and how far loading is.
func LogEvents(ctx context.Context, d sim.Backend, log *slog.Logger) {
	sub := d.Subscribe(sim.Latest(100 * time.Millisecond))
	defer sub.Close()
	sub.WantSensors(false)
	levels := map[sim.Level]slog.Level{sim.Info: slog.LevelInfo, sim.Warn: slog.LevelWarn,
		sim.Error: slog.LevelError}
	loading := lines{say: func(line string) { log.Info(line) }}
	var last uint64
	for {
		select {
		case snap, ok := <-sub.C():
			if !ok {
				return
			}
			loading.at(time.Now(), snap.Loading.String())
			for _, e := range snap.Events {
				if e.Seq > last {
					last = e.Seq
					log.Log(ctx, levels[e.Level], e.Text, "sim", e.Time, "by", e.Who)
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// awaitPeriod is the longest delay of noticing the end of a duration. Time stands still meanwhile, see
// engine.Config.Until.
const awaitPeriod = 5 * time.Millisecond

// Waiting says for whom Await waits.
type Waiting struct {
	Unattended bool // nobody sits at it who would play on after a fault
	Alone      bool // nobody at all can play it
}

// errAlone is a world that waited in vain for a controller in lockstep.
var errAlone = errors.New("a controller has not come")

// Await returns after a simulated duration, or when ctx or the backend ends. Errors: ErrLost where a fault
// has paused the world, errAlone where a controller has not come. ErrUsage: it does not play and nobody can
// start it.
func Await(ctx context.Context, d sim.Backend, duration time.Duration, w Waiting) error {
	sub := d.Subscribe(sim.Latest(awaitPeriod))
	defer sub.Close()
	sub.WantSensors(false)
	for {
		select {
		case snap, ok := <-sub.C():
			switch {
			case !ok || snap.Time >= duration || snap.State == sim.Quitting:
				return nil
			case w.Unattended && strings.HasPrefix(snap.Halted, sim.LockstepHalt):
				return fmt.Errorf("%w: paused at %v of %v: %s", errAlone, snap.Time, duration, snap.Halted)
			case w.Unattended && snap.Halted != "":
				return fmt.Errorf("%w: engine fault at %v of %v: %s", ErrLost, snap.Time, duration,
					snap.Halted)
			case w.Alone && snap.State != sim.Playing:
				return fmt.Errorf("%w: the world is %v at %v, and nothing can play it until %v: load a world that plays, or serve ROS 2",
					ErrUsage, snap.State, snap.Time, duration)
			}
		case <-ctx.Done():
			return nil
		}
	}
}
