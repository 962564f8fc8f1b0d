// Package webots lets controllers that are written against Webots' controller library drive robots here. They
// connect by TCP or by a local socket, as to Webots, and are told of devices as a world's file has them.
//
// A controller is a client like others: its requests become commands of package sim, and answers come from
// snapshots. The world waits for its next step (sim.Lockstep) for a bounded time on the wall clock.
//
// A controller's session is in session.go, the scene tree that supervisors see in nodes.go and fields.go. With
// --run-controllers, started.go chooses the robots whose controllers are started, program.go and runtime_ini.go
// find the program, and process.go runs it.
package webots

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"simdeck/sim"
	"simdeck/ui/admission"
	"simdeck/webots/wire"
)

const (
	// DefaultPort is Webots' own.
	DefaultPort = 1234
	// DefaultPatience is the time for which the world waits for a controller's next step.
	DefaultPatience = time.Second
	// DefaultRelease is R2025a, as libraries since then speak.
	DefaultRelease = protoFields

	nameFirst   = 20231 // R2023b: robots' names are encoded, and begin their configuration
	protoFields = 20250 // R2025a: a field may be one of a PROTO

	maxControllers = 64
	maxGreetings   = 64                     // controllers that have not said yet what they want
	greetingTime   = 2 * time.Second        // within which a controller says what it wants
	greetingPause  = 100 * time.Millisecond // after which a greeting is taken to be whole
	writeTime      = 10 * time.Second       // within which a controller takes an answer
)

// ErrRobot is wrapped when a controller asks for a robot that it cannot have.
var ErrRobot = errors.New("no robot for a controller")

// Config of a Server.
type Config struct {
	// TCP address to listen on; a port alone is for this machine only
	Address string
	// Listen opens the address: net.Listen, or pipes in tests
	Listen func(network, address string) (net.Listener, error)
	// for local sockets, as LocalFolder gives them; empty: there are none
	TempFolder, User string
	Backend          sim.Backend   // with the robots that are controlled
	Robot            string        // the only robot that controllers may take; empty: any
	Patience         time.Duration // 0: DefaultPatience
	Release          int           // of the controllers' library; 0: DefaultRelease
	Programs         Programs      // that are started for robots
	Log              *slog.Logger  // nil: nobody
}

// Server lets controllers in.
type Server struct {
	c       Config
	nodes   wire.Nodes
	listens net.Listener
	local   *localSockets // nil: none
	started *started      // nil: none
	air     air

	mu      sync.Mutex
	taken   map[string]bool // robots that have a controller, by entity
	refused rate
	greet   *admission.Crowd // controllers that have not said yet what they want
	conns   sync.WaitGroup
}

// Open binds the address and lets nobody in before Run.
func Open(c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Patience, c.Release = cmp.Or(c.Patience, DefaultPatience), cmp.Or(c.Release, DefaultRelease)
	address, err := addressOf(c.Address)
	if err != nil {
		return nil, err
	}
	s := &Server{c: c, nodes: wire.NodesOf(c.Release), taken: map[string]bool{},
		greet: admission.NewCrowd(admission.Limits{Start: maxGreetings / 4, Rate: 30, Full: maxGreetings,
			MaxPenalty: -1}, rand.Uint64())}
	if s.listens, err = c.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("controllers of Webots cannot be listened for on %s: %w (--webots-controllers)",
			address, err)
	}
	if c.TempFolder != "" {
		s.local = newLocalSockets(&s.c, s.Addr().Port)
	}
	s.started = newStarted(c.Programs, c.User, surroundings{s.lockstep(), &s.conns, s.isTaken, c.Log, nil})
	c.Log.Info("webots: controllers may connect", "url", "tcp://"+s.Addr().String())
	return s, nil
}

// Addr is the address for controllers.
func (s *Server) Addr() *net.TCPAddr { return s.listens.Addr().(*net.TCPAddr) }

// addressOf makes an address to listen on of what a user gives: a port alone is for this machine only.
func addressOf(given string) (string, error) {
	host, port, err := net.SplitHostPort(given)
	if err != nil {
		host, port = "", given
	}
	if _, bad := strconv.ParseUint(port, 10, 16); bad != nil || strings.HasPrefix(port, "+") {
		return "", fmt.Errorf("webots-controllers %q: want a port, or an address and a port like 0.0.0.0:%d",
			given, DefaultPort)
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port), nil
}

// Run lets controllers in until ctx ends, and returns when all have been sent away.
func (s *Server) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer s.conns.Wait()
	defer stop()
	context.AfterFunc(ctx, func() { _ = s.listens.Close() })
	if s.local != nil || s.started != nil {
		s.conns.Go(func() { s.follow(ctx) })
	}
	for {
		conn, err := s.listens.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil { // too many files are open, or the peer is gone already
			s.c.Log.Warn("webots: a controller could not connect", "error", err)
			time.Sleep(greetingPause)
			continue
		}
		from := admission.AddressOf(conn.RemoteAddr().String())
		place := &admission.Connection{From: admission.SourceOf(from), Drop: func() { _ = conn.Close() }}
		if err := s.greet.Arrive(place, time.Now()); err != nil {
			_ = conn.Close()
			s.refuse(conn.RemoteAddr().String(), err)
			continue
		}
		s.conns.Go(func() { s.admit(ctx, conn, place) })
	}
}

// admit lets a controller in that came by TCP.
func (s *Server) admit(ctx context.Context, conn net.Conn, place *admission.Connection) {
	defer conn.Close()
	encoded, err := readGreeting(conn)
	s.greet.Leave(place)
	if err != nil {
		s.refuse(conn.RemoteAddr().String(), err)
		return
	}
	entity, answer, err := s.choose(encoded)
	_ = conn.SetDeadline(time.Now().Add(writeTime))
	if _, failed := conn.Write([]byte(answer)); err == nil {
		err = failed
		defer s.release(entity)
	}
	if err != nil {
		s.refuse(conn.RemoteAddr().String(), err)
		return
	}
	_ = conn.SetDeadline(time.Time{})
	s.serve(ctx, conn, entity, nil)
}

// refuse logs a controller that was not let in, ten of them in a second.
func (s *Server) refuse(from string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused.pass(refusalRate) {
		s.c.Log.Warn("webots: a controller was refused", "from", from, "error", err)
	}
}

// readGreeting reads until a greeting is whole: it has no end, but what follows waits for our answer.
func readGreeting(conn net.Conn) (encoded string, err error) {
	var all []byte
	part := make([]byte, wire.MaxGreeting+1)
	last := time.Now().Add(greetingTime)
	_ = conn.SetReadDeadline(last)
	for {
		n, err := conn.Read(part)
		all = append(all, part[:n]...)
		if len(all) > wire.MaxGreeting {
			return "", fmt.Errorf("%w: a greeting of more than %d bytes", wire.ErrMalformed, wire.MaxGreeting)
		}
		if err != nil {
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && len(all) > 0 {
				return wire.ParseGreeting(all)
			}
			return "", err
		}
		if pause := time.Now().Add(greetingPause); pause.Before(last) {
			_ = conn.SetReadDeadline(pause)
		}
	}
}

// choose finds the robot that a controller names and takes it; the answer is for the controller.
func (s *Server) choose(encoded string) (entity, answer string, err error) {
	snapshot := s.c.Backend.Snapshot()
	if snapshot.State == sim.NoWorld || snapshot.State == sim.LoadingWorld {
		return "", wire.Processing, fmt.Errorf("%w: the state is %s", sim.ErrNoWorld, snapshot.State)
	}
	var found, waiting []string
	for _, r := range s.robots(snapshot) {
		waiting = append(waiting, r.name)
		if encoded == "" && r.waits() || encoded != "" && r.isCalled(encoded) {
			found = append(found, r.entity)
		}
	}
	if len(found) != 1 {
		return "", wire.Failed, fmt.Errorf("%w: it asks for %q, which %d of the robots are: %q", ErrRobot, encoded,
			len(found), waiting)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[found[0]] {
		return "", wire.Forbidden, fmt.Errorf("%w: %s has a controller already", ErrRobot, found[0])
	}
	if len(s.taken) >= maxControllers {
		return "", wire.Forbidden, fmt.Errorf("%w: %d controllers are connected, which is the most", ErrRobot,
			len(s.taken))
	}
	s.taken[found[0]] = true
	return found[0], wire.Connected, nil
}

// isTaken reports that a robot has a controller.
func (s *Server) isTaken(entity string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken[entity]
}

func (s *Server) release(entity string) {
	s.mu.Lock()
	delete(s.taken, entity)
	s.mu.Unlock()
}

// candidate is a robot that a controller may take.
type candidate struct {
	name, entity string
	id           uint64 // of the entity
	controller   string // as the file names it
}

// waits reports that the robot waits for a controller outside.
func (c candidate) waits() bool { return c.controller == externController }

// names reports that the file names a controller of its project.
func (c candidate) names() bool {
	switch c.controller {
	case "", externController, "<generic>", "<none>", "void":
		return false
	}
	return true
}

// isCalled reports that a name in a greeting is the robot's: plain, encoded, or encoded again by a library
// that was given it encoded.
func (c candidate) isCalled(name string) bool {
	encoded := wire.EncodeName(c.name)
	return name == c.name || name == encoded || name == wire.EncodeName(encoded)
}

// robots lists the candidates of a snapshot.
func (s *Server) robots(snapshot *sim.Snapshot) (out []candidate) {
	for i := range snapshot.Model.Entities {
		e := &snapshot.Model.Entities[i]
		if e.Spec == nil || e.Spec.Robot == nil ||
			s.c.Robot != "" && s.c.Robot != e.Name && s.c.Robot != e.Spec.Robot.Name {
			continue
		}
		out = append(out, candidate{e.Spec.Robot.Name, e.Name, e.ID, e.Spec.Controller})
	}
	return out
}
