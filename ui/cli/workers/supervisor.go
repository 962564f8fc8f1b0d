package workers

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Supervisor keeps a process running for each simulation.
type Supervisor struct {
	Program string   // simdeck
	More    []string // arguments of all workers
	Env     []string
	Output  io.Writer // of all workers
	Log     *slog.Logger
	// Least and Longest bound the pause before a worker that ended is started again. It doubles with each end
	// that comes sooner than Steady after the start.
	Least, Longest, Steady time.Duration
	// Grace is the time that a worker has to end by itself, before it is killed.
	Grace time.Duration
	Dir   string // in which workers run; empty: in that of this process
}

// errQuit is a worker that ended well: somebody asked it to.
var errQuit = errors.New("it has quit")

// Run keeps the workers running until ctx ends or all of them have quit, and ends them.
func (s *Supervisor) Run(ctx context.Context, all []Simulation) {
	s.Output = &shared{to: s.Output}
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { s.keep(ctx, &all[i]) })
	}
	group.Wait()
}

// Follow keeps the workers running that the newest list asks for, of most at most, until ctx ends. A
// simulation that is asked for no more, or with another object, ends. See roster.
func (s *Supervisor) Follow(ctx context.Context, lists <-chan []Simulation, most int) {
	s.Output = &shared{to: s.Output}
	var group sync.WaitGroup
	defer group.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	type kept struct {
		stop context.CancelFunc
		done chan struct{}
	}
	running, roster := map[string]*kept{}, newRoster(most)
	var list []Simulation
	later := time.NewTimer(0)
	defer later.Stop()
	for told := (changes{}); ; {
		select {
		case <-ctx.Done():
			return
		case list = <-lists:
		case <-later.C:
		}
		c := roster.update(list, time.Now())
		if (c.full > 0 || c.more > 0) && (c.full != told.full || c.more != told.more) {
			s.Log.Warn("more simulations are asked for than run here", "asked", len(list), "limit", most, "of one publisher",
				roster.share())
		}
		told = c
		if later.Stop(); c.wait > 0 {
			later.Reset(c.wait)
		}
		for i := range c.stop {
			k := running[key(&c.stop[i])]
			k.stop()
			<-k.done // its namespace is free
			delete(running, key(&c.stop[i]))
		}
		for _, one := range c.start {
			keeping, stop := context.WithCancel(ctx)
			k := &kept{stop, make(chan struct{})}
			running[key(&one)] = k
			group.Go(func() {
				defer close(k.done)
				s.keep(keeping, &one)
			})
		}
	}
}

// keep starts the worker of a simulation again whenever it fails.
func (s *Supervisor) keep(ctx context.Context, one *Simulation) {
	// Where the kernel ends a worker with its parent, that is the thread which started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	log := s.Log.With("ns", one.Namespace)
	for pause := s.Least; ; {
		begun := time.Now()
		err := s.once(ctx, one, log)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errQuit):
			log.Info("worker has quit")
			return
		case time.Since(begun) >= s.Steady:
			pause = s.Least
		}
		log.Warn("worker ended; it is started again", "why", err, "in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, s.Longest)
	}
}

// once runs a worker to its end.
func (s *Supervisor) once(ctx context.Context, one *Simulation, log *slog.Logger) error {
	cmd := exec.CommandContext(ctx, s.Program, one.Args(s.More)...)
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.Dir = s.Env, s.Output, s.Output, s.Dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = s.Grace
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	log.Info("worker started", "pid", cmd.Process.Pid, "object", one.Object)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return errQuit
}

// shared is an output of several workers.
type shared struct {
	lock sync.Mutex
	to   io.Writer
}

// Write writes what one of them has said.
func (s *shared) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.to.Write(p)
}
