package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/ui/metrics"
)

// bridgeMayTake is the longest wait for the bridge where the first step is to be recorded.
const bridgeMayTake = 10 * time.Second

// Running is an engine with what runs beside it.
type Running struct {
	Engine *engine.Engine
	Bridge func(context.Context) error // to ROS; nil: none
	// is closed when the bridge publishes what the engine does; nil: nobody waits for that
	Ready <-chan struct{}
	// lets controllers in; nil: there are none
	Controllers func(context.Context) error
	Metrics     *metrics.Server // tells those who ask how the engine does; nil: nobody
	Recorder    *Recorder
	// of what goes over the network; closed when the bridge has left; nil: nothing is traced
	Trace    io.WriteCloser
	Duration time.Duration // simulated, then quit; 0: for ever
	Progress Progress      // of pictures
	Waiting  Waiting       // for whom the end of Duration is waited for
	Log      *slog.Logger
}

// Run runs engine and bridge behind front. It ends when front returns, ctx ends, the duration is over, or a
// client asks for QUITTING. Callers are answered, the graph is left and recordings are written before it
// returns.
func (s *Running) Run(ctx context.Context, front func(context.Context) error) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	ended, recorded := make(chan error, 2), make(chan error, 1)
	measured := make(chan struct{})
	progress, told := context.WithCancel(context.WithoutCancel(ctx))
	defer told()
	go func() { s.Metrics.Run(progress); close(measured) }()
	controlled := make(chan error, 1)
	go func() { controlled <- s.runControllers(background) }()
	go trimMemory(progress, s.Engine)
	writing, written := context.WithCancel(context.WithoutCancel(ctx))
	defer written()
	go func() { recorded <- s.Recorder.Run(writing) }()
	go func() { err := s.runBridge(background); ended <- err }()
	s.awaitBridge()
	go func() { err := s.Engine.Run(background); leave(); ended <- err }()
	awaited := make(chan error, 1)
	if s.Duration > 0 {
		go func() { awaited <- Await(ctx, s.Engine, s.Duration, s.Waiting); leave() }()
	} else {
		awaited <- nil
	}
	err := front(ctx)
	quitting, cancel := context.WithTimeout(sim.WithSender(background, "simdeck"), 5*time.Second)
	defer cancel()
	if _, quit := s.Engine.Do(quitting, sim.SetState{State: sim.Quitting}); quit != nil &&
		!errors.Is(quit, sim.ErrClosed) && !errors.Is(quit, sim.ErrAlreadyInState) {
		s.Log.Warn("the engine did not quit in time", "error", quit)
		stop()
	}
	for range cap(ended) {
		err = errors.Join(err, <-ended)
	}
	err = errors.Join(err, <-awaited)
	stop()
	err = errors.Join(err, <-controlled)
	told()
	<-measured
	written()
	err = errors.Join(err, <-recorded)
	if s.Trace != nil {
		err = errors.Join(err, s.Trace.Close())
	}
	if errors.Is(err, sim.ErrFault) {
		err = fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// awaitBridge waits until the first step will be published; not for ever, as a network may not let the bridge
// in.
func (s *Running) awaitBridge() {
	if s.Ready == nil {
		return
	}
	select {
	case <-s.Ready:
	case <-time.After(bridgeMayTake):
		s.Log.Warn("ROS 2 starts slowly: the first messages will not be recorded")
	}
}

// Control lets one more kind of controllers in, with those that are.
func (s *Running) Control(run func(context.Context) error) {
	if before := s.Controllers; before != nil {
		run = Both(before, run)
	}
	s.Controllers = run
}

// runControllers lets controllers in, if there are any.
func (s *Running) runControllers(ctx context.Context) error {
	if s.Controllers == nil {
		return nil
	}
	return s.Controllers(ctx)
}

// runBridge runs the bridge, if there is one. A bridge that breaks leaves the
// simulation running; its Status says so.
func (s *Running) runBridge(ctx context.Context) error {
	if s.Bridge == nil {
		return nil
	}
	if err := s.Bridge(ctx); err != nil {
		s.Log.Error("ROS 2 is down", "error", err)
	}
	return nil
}

// Both runs two bridges, or networks, until both have ended; an error of one ends the other.
func Both(a, b func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, leave := context.WithCancel(ctx)
		defer leave()
		ended := make(chan error, 2)
		for _, run := range []func(context.Context) error{a, b} {
			go func() { ended <- run(ctx) }()
		}
		first := <-ended
		if first != nil {
			leave()
		}
		return errors.Join(first, <-ended)
	}
}
