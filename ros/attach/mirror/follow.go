package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/attach"
	"simdeck/sim"
)

// Periods and timeouts.
const (
	answerWithin = 3 * time.Second // an answer about what is to be seen; then the simulator is called silent
	factsEvery   = 2 * time.Second // between looks at the world and its places
	stateEvery   = 500 * time.Millisecond
	restsEvery   = 300 * time.Millisecond // between looks at entities while time stands still
)

// Run follows the simulator until ctx ends: looks at it, and when it has gone,
// waits until one of that name is back.
func (m *Mirror) Run(ctx context.Context) {
	defer m.feed.Close()
	for ctx.Err() == nil {
		remote := m.there()
		err := m.follow(ctx, remote)
		if ctx.Err() != nil {
			return
		}
		m.lose(remote, err)
		if !m.await(ctx) {
			return
		}
	}
}

// follow looks at a simulator until it has gone, and says why it is thought so.
func (m *Mirror) follow(ctx context.Context, r *attach.Remote) error {
	end, err := m.hear(r)
	if err != nil {
		return err
	}
	defer end()
	deaf, err := m.hearFrames()
	if err != nil {
		return err
	}
	defer deaf()
	defer r.Close()
	e := newEye(m, r)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.wake:
			e.hurry()
		case <-timer.C:
		}
		began := m.c.Now()
		err := e.look(ctx)
		if gone(err) {
			return err
		}
		m.tell(r, err)
		m.publish(e)
		// Never more than half of the time is spent on asking.
		timer.Reset(max(e.pause(), m.c.Now().Sub(began)))
	}
}

// tell keeps how it stands, and logs a fault that is new.
func (m *Mirror) tell(r *attach.Remote, err error) {
	s := Status{Name: r.Title(), Line: r.Line().String()}
	if err != nil {
		s.Fault = cut(err.Error(), longestFault)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, attach.ErrSilent) {
			s.Fault = fmt.Sprintf("no reply for %v", answerWithin)
		}
		m.note(sim.Error, s.Name, s.Fault)
	} else if last := m.status.Load(); last.Fault != "" {
		m.note(sim.Info, s.Name, "Replies again")
	}
	m.status.Store(&s)
}

// lose says that the connection to the simulator is lost. The last picture stays.
func (m *Mirror) lose(r *attach.Remote, err error) {
	m.meet(nil)
	s := Status{Name: r.Title(), Line: r.Line().String(), Fault: "Connection lost, reconnecting"}
	if !gone(err) {
		s.Fault = cut(err.Error(), longestFault)
	}
	m.note(sim.Error, s.Name, s.Fault)
	m.status.Store(&s)
	last := *m.Snapshot()
	last.Seq++
	last.State, last.Pacing.Measured = unknown, 0
	last.Events = m.log.shared()
	m.feed.Publish(&last, m.c.Now(), true)
}

// await waits until the simulator is back; false when ctx ended.
func (m *Mirror) await(ctx context.Context) bool {
	want := attach.Want{Node: m.Status().Name}
	for ctx.Err() == nil {
		found, err := m.c.Graph.Find(ctx, want)
		if err != nil {
			// none can be told from the others: look again when they have gone
			if errors.Is(err, attach.ErrSeveral) {
				m.pauseFor(ctx, time.Second)
			}
			continue
		}
		r := m.c.Graph.Attach(found, m.c.Options)
		if r.Settle(ctx) != nil {
			return false
		}
		m.meet(r)
		m.note(sim.Info, found.Title(), "Reconnected")
		return true
	}
	return false
}

func (m *Mirror) pauseFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Show is on the network while work looks at a simulator through a mirror.
// Errors are those of attach.Work and of work.
func Show(ctx context.Context, c attach.Config, t attach.Target,
	work func(context.Context, *Mirror) error) error {
	return attach.Work(ctx, c, t, func(ctx context.Context,
		r *attach.Remote) error {
		return Watch(ctx, r, work)
	})
}

// Watch has work look at a simulator through a mirror. Errors are those of work
// and why ctx ended before all of the simulator was known.
func Watch(ctx context.Context, r *attach.Remote, work func(context.Context, *Mirror) error) error {
	if err := r.Settle(ctx); err != nil {
		return err
	}
	m := New(Config{Graph: r.Graph(), Options: r.Options()}, r.Simulator())
	ctx, leave := context.WithCancel(ctx)
	ended := make(chan struct{})
	if !m.node().Go(func(context.Context) { m.Run(ctx); close(ended) }) {
		close(ended)
	}
	err := work(ctx, m)
	leave()
	<-ended
	return err
}
