package autopilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"simdeck/sim"
)

// lookPeriod is the wall time after which it is seen that a vehicle came or is gone, at most.
const lookPeriod = 100 * time.Millisecond

// link is the way to an autopilot.
type link interface {
	address() net.Addr
	// exchange tells the autopilot how its vehicle moves, if that is new, and waits for its answer. False:
	// none has come by then.
	exchange(m *motion, isNew bool, until time.Time) (outputs, bool, error)
	close()
}

// outputs are the wishes of an autopilot.
type outputs struct {
	pulses []float64   // µs, of ArduPilot and Betaflight; nil: there are controls
	levels [16]float64 // -1 to 1, of PX4
	none   bool        // it has not asked for anything yet
	armed  bool
	period time.Duration // simulated, until it wants to be told of the vehicle again
}

// session is a vehicle with its autopilot.
type session struct {
	backend sim.Backend
	// for which the world waits for each answer after the first; below 0: it does not
	patience time.Duration
	vehicle  vehicle
	link     link
	log      *slog.Logger
	looks    *sim.Subscription
	member   *sim.LockstepMember // nil: the world does not wait
	rest     sim.Rest            // the newest
	fresh    bool                // nothing was allowed after it yet
	heard    bool                // the autopilot has answered
	told     bool                // the fault of the vehicle
}

// run flies the vehicle whenever it is in the world, until ctx ends.
func (n *session) run(ctx context.Context) {
	ctx = sim.WithSender(ctx, n.who())
	n.looks = n.backend.Subscribe(sim.Latest(lookPeriod))
	defer n.looks.Close()
	defer n.leave()
	n.looks.WantSamples(n.vehicle.wants)
	for ctx.Err() == nil {
		found, err := n.vehicle.take(n.backend.Snapshot())
		if err != nil && !n.told {
			n.told = true
			n.log.Error("it cannot be flown by an autopilot", "error", err)
		} else if err == nil && found {
			n.told = false
			if err := n.flySafely(ctx); errors.Is(err, sim.ErrClosed) {
				return
			} else if err != nil && !errors.Is(err, errGone) && ctx.Err() == nil {
				n.log.Error("its autopilot cannot be heard any more", "error", err)
				return // nobody flies it: the world does not wait
			}
			continue
		}
		n.leave()
		select {
		case _, open := <-n.looks.C():
			if !open {
				return
			}
		case <-ctx.Done():
		}
	}
}

// who is the vehicle's autopilot, as logs and events name it.
func (n *session) who() string { return n.vehicle.Protocol + " of " + n.vehicle.Entity }

// flySafely makes an error of a panic: an autopilot ends no more than its own session.
func (n *session) flySafely(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the session broke: %v\n%s", p, debug.Stack())
		}
	}()
	return n.fly(ctx)
}

// join has the world wait for the autopilot, where it is to, and pause when that does not answer.
func (n *session) join() {
	l := n.backend.Capabilities().Lockstep
	if l != nil && n.patience > 0 && n.member == nil {
		n.member = l.Attend(n.who(), max(n.patience, firstPatience), true)
		n.fresh, n.heard = false, false
	}
}

// setPatience has the world wait as long for each answer after the first.
func (n *session) setPatience() {
	if n.member != nil {
		n.member.SetPatience(n.patience)
	}
}

// leave ends that.
func (n *session) leave() {
	if n.member != nil {
		n.member.Leave()
	}
	n.member = nil
}

// fly exchanges motions for outputs until the vehicle is gone. The world waits on, as it may be there again.
func (n *session) fly(ctx context.Context) error {
	if n.join(); n.member != nil && !n.fresh {
		if err := n.awaitRest(ctx); err != nil {
			return err
		}
	}
	if n.member != nil {
		if found, err := n.vehicle.take(n.rest.Snapshot); err != nil || !found {
			n.fresh = false
			return errors.Join(err, errGone)
		}
	}
	for {
		out, err := n.await(ctx)
		if err != nil {
			return err
		}
		if err := n.command(ctx, &out); err != nil {
			return err
		}
		if err := n.step(ctx, out.period); err != nil {
			return err
		}
	}
}

// await tells the autopilot how the vehicle moves and waits for its answer, for the time of its patience.
func (n *session) await(ctx context.Context) (outputs, error) {
	m := n.vehicle.motion(n.member == nil)
	for isNew := true; ; isNew = false {
		out, ok, err := n.link.exchange(&m, isNew, time.Now().Add(lookPeriod))
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			return out, err
		case ok:
			if !n.heard && !out.none {
				n.heard = true
				n.setPatience()
			}
			return out, nil
		}
		if !n.vehicle.isIn(n.backend.Snapshot()) {
			return out, errGone
		}
	}
}

// command asks the joints of the vehicle for what the autopilot wants. The world refuses what it cannot do.
func (n *session) command(ctx context.Context, out *outputs) error {
	c, changed := n.vehicle.command(out)
	if !changed {
		return nil
	}
	_, err := n.backend.Do(ctx, c)
	switch {
	case err == nil || ctx.Err() != nil || errors.Is(err, sim.ErrClosed):
		return err
	case errors.Is(err, sim.ErrNotFound):
		return errGone
	}
	n.vehicle.refused++
	if n.vehicle.refused == 1 {
		n.log.Warn("what its autopilot asks for is refused", "error", err)
	}
	return nil
}

// step lets the world do the steps of a period, and looks at the vehicle after them. A command that others
// send between has the world ask once more.
func (n *session) step(ctx context.Context, period time.Duration) error {
	if n.member == nil {
		return n.follow(ctx)
	}
	size := max(n.vehicle.snapshot.StepSize, time.Microsecond)
	for at := n.vehicle.snapshot.Time; ; {
		n.fresh = false
		n.member.AllowAfter(n.rest, uint64(max(1, (period+size/2)/size)))
		if err := n.awaitRest(ctx); err != nil {
			return err
		}
		if now := n.rest.Snapshot; now.Time != at || !n.vehicle.isIn(now) {
			return n.look(now)
		}
	}
}

// awaitRest waits until the world rests before a step that was not allowed.
func (n *session) awaitRest(ctx context.Context) error {
	for {
		select {
		case r, open := <-n.member.Rest():
			if !open {
				return errGone
			}
			n.rest, n.fresh = r, true
			return nil
		case _, open := <-n.looks.C():
			if !open {
				return sim.ErrClosed
			}
			if _, there := n.backend.Snapshot().Find(n.vehicle.Entity); !there {
				return errGone
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow looks at the vehicle as the newest snapshot shows it, where the world does not wait.
func (n *session) follow(ctx context.Context) error {
	for {
		if s := n.backend.Snapshot(); s.Time != n.vehicle.snapshot.Time || !n.vehicle.isIn(s) {
			return n.look(s)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// look takes the vehicle from a snapshot.
func (n *session) look(s *sim.Snapshot) error {
	if !n.vehicle.isIn(s) {
		return errGone
	}
	n.vehicle.snapshot = s
	return nil
}
