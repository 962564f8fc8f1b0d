package webots

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"runtime/debug"
	"time"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/webots/wire"
)

const externController = scene.ExternController

// lookPeriod is the wall time after which it is seen that a robot came or is gone, at most.
const lookPeriod = 200 * time.Millisecond

// idleTime is the time without a request after which a controller that came by TCP loses its robot. It may be
// gone, or hold a robot that others want.
const idleTime = 10 * time.Minute

// session is a controller with its robot.
type session struct {
	server *Server
	conn   net.Conn
	local  bool // it came by a local socket, not by TCP
	robot  *robot
	member *sim.LockstepMember
	// of the world after the first step, where it has waited for that longer; 0: as before
	patience time.Duration
	looks    *sim.Subscription
	log      *slog.Logger
	answer   wire.Answer
	bytes    []byte
}

var (
	errQuit  = errors.New("the robot is gone") // ends a session
	errFault = errors.New("the session broke")
	errIdle  = errors.New("no request over TCP")
)

// serve answers a controller until it leaves, or its robot or the simulator is gone.
func (s *Server) serve(ctx context.Context, conn net.Conn, entity string, local *mappedImages) {
	snapshot := s.c.Backend.Snapshot()
	log := s.c.Log.With("robot", entity)
	index, ok := snapshot.Find(entity)
	if !ok {
		return
	}
	e := &snapshot.Model.Entities[index]
	n := &session{server: s, conn: conn, local: local != nil, log: log}
	n.robot = newRobot(s, e, local, log)
	n.looks = s.c.Backend.Subscribe(sim.Latest(lookPeriod))
	defer n.looks.Close()
	defer n.robot.keyboard.close()
	n.looks.WantSamples(n.robot.wanted(e.ID))
	patience := s.c.Patience
	if e.Spec.Robot.Asynchronous {
		patience = 0
	}
	log.Info("webots: a controller is connected")
	if n.member = s.started.claim(e.ID); n.member == nil {
		n.member = s.lockstep().Join("controller of "+entity, patience)
	} else {
		n.patience = patience
	}
	defer n.member.Leave()
	defer s.air.remove(n.robot)
	s.air.add(n.robot)
	ctx, stop := context.WithCancel(sim.WithSender(ctx, "webots "+entity))
	defer stop()
	defer context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) })()
	switch err := n.runSafely(ctx); {
	case errors.Is(err, errQuit), ctx.Err() != nil, errors.Is(err, sim.ErrClosed):
		n.quit()
		log.Info("webots: a controller was sent away")
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		log.Info("webots: a controller has left")
	default:
		log.Warn("webots: a controller was cut off", "error", err)
	}
}

// runSafely makes an error of a panic: a controller ends no more than its own session.
func (n *session) runSafely(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errFault, p, debug.Stack())
		}
	}()
	return n.run(ctx)
}

// lockstep is that of the backend. One that has none is not kept from running ahead.
func (s *Server) lockstep() *sim.Lockstep {
	if l := s.c.Backend.Capabilities().Lockstep; l != nil {
		return l
	}
	return sim.NewLockstep(func() {})
}

// request is a request of a controller, or the reason for which nothing more comes.
type request struct {
	wire.Request
	err error
}

// run answers requests, one after the other. A controller that sends more than one at once waits for us.
func (n *session) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	requests := make(chan request)
	idle := time.NewTimer(idleTime)
	defer idle.Stop()
	if n.local {
		idle.Stop() // it is a user of this machine
	}
	n.server.conns.Go(func() { n.read(ctx, requests) })
	defer func() { // the reader ends with the connection
		_ = n.conn.SetReadDeadline(time.Now())
	}()
	for first := true; ; {
		var r request
		select {
		case r = <-requests:
		case s, open := <-n.looks.C():
			if !open || !n.robot.find(s) {
				return errQuit
			}
			continue
		case <-idle.C:
			return fmt.Errorf("%w for %v", errIdle, idleTime)
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.err != nil {
			return r.err
		}
		if err := n.do(ctx, &r.Request, first, requests); err != nil {
			return err
		}
		first = false
		if !n.local {
			idle.Reset(idleTime)
		}
	}
}

// read hands on requests until the connection ends.
func (n *session) read(ctx context.Context, to chan<- request) {
	var memory [2][]byte // one is read into while the other is worked on
	for i := 0; ; i = 1 - i {
		var r request
		if memory[i], r.err = wire.ReadRequest(n.conn, memory[i]); r.err == nil {
			r.Request, r.err = wire.ParseRequest(memory[i])
		}
		select {
		case to <- r:
		case <-ctx.Done():
			return
		}
		if r.err != nil {
			return
		}
	}
}

// do carries out a request and answers it.
func (n *session) do(ctx context.Context, r *wire.Request, first bool, requests <-chan request) error {
	snapshot := n.server.c.Backend.Snapshot()
	if !n.robot.find(snapshot) {
		return errQuit
	}
	n.answer.Reset()
	if first {
		n.robot.configure(&n.answer, snapshot)
	}
	if err := n.robot.take(ctx, r, &n.answer); err != nil {
		return err
	}
	if first || r.Duration == 0 {
		return n.send()
	}
	snapshot, err := n.step(ctx, r.Duration, requests)
	if err != nil {
		return err
	}
	if !n.robot.find(snapshot) {
		return errQuit
	}
	n.robot.tell(&n.answer, snapshot)
	return n.send()
}

// step lets the world do the steps that a controller asks for, and waits for them.
func (n *session) step(ctx context.Context, ms uint32, requests <-chan request) (*sim.Snapshot, error) {
	size := float64(max(n.robot.snapshot.StepSize, time.Microsecond)) / float64(time.Millisecond)
	if n.patience > 0 {
		n.member.SetPatience(n.patience)
		n.patience = 0
	}
	n.member.Allow(uint64(max(1, math.Round(float64(ms)/size))))
	for {
		select {
		case s := <-n.member.Rest():
			return s.Snapshot, nil
		case r := <-requests:
			if r.err != nil {
				return nil, r.err
			}
			return nil, fmt.Errorf("%w: a request before the step before it was answered", wire.ErrMalformed)
		case s, open := <-n.looks.C():
			if !open || !n.robot.find(s) {
				return nil, errQuit
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// send sends the answer.
func (n *session) send() error {
	if err := n.answer.Err(); err != nil {
		return err
	}
	if n.local {
		n.bytes = n.answer.AppendLocal(n.bytes[:0])
	} else {
		n.bytes = n.answer.AppendTCP(n.bytes[:0])
	}
	_ = n.conn.SetWriteDeadline(time.Now().Add(writeTime))
	_, err := n.conn.Write(n.bytes)
	return err
}

// quit tells a controller to end.
func (n *session) quit() {
	n.answer.Reset()
	n.answer.To(0, wire.RobotQuit)
	_ = n.send() // it may be gone
}
