package zenoh

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"simdeck/ros/zenoh/wire"
)

// Dialer makes a connection to an endpoint: "tcp/localhost:7447". transport.TCP satisfies it.
type Dialer interface {
	Dial(ctx context.Context, endpoint string) (io.ReadWriteCloser, error)
}

// Config says to whom a session connects. Dialer and Endpoints are required.
type Config struct {
	Dialer    Dialer
	Endpoints []string     // of routers, the first that answers is taken
	Log       *slog.Logger // nil: nobody
}

// Session is the loop around a Core. All methods are safe for concurrent use.
type Session struct {
	cfg  Config
	id   wire.ID
	wake chan struct{} // there is something to send

	mu   sync.Mutex
	core *Core
}

// Pauses between attempts to connect.
const (
	firstPause = 250 * time.Millisecond
	maxPause   = 4 * time.Second
	// goodbyeMayTake is the time that is left for what still waits when a session ends.
	goodbyeMayTake = 300 * time.Millisecond
)

// NewSession makes a session under a random id; it is not on the network before Run. The handler is called
// with the session locked: it must not call Do.
func NewSession(c Config, h Handler) *Session {
	var random [20]byte
	rand.Read(random[:]) // it never fails
	id := wire.ID(random[:16])
	id[15] |= 0x10 // so that all of its digits are written
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Session{cfg: c, id: id, wake: make(chan struct{}, 1),
		core: NewCore(id, binary.LittleEndian.Uint32(random[16:])>>4, h)}
}

// ID names the session.
func (s *Session) ID() wire.ID { return s.id }

// Do calls f with the core, under the lock of the session, and has what it queues sent.
func (s *Session) Do(f func(c *Core)) {
	s.mu.Lock()
	f(s.core)
	s.mu.Unlock()
	s.poke()
}

func (s *Session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run keeps the session with a router until ctx ends. When a link breaks it makes a new one.
func (s *Session) Run(ctx context.Context) error {
	pause, told := firstPause, false
	for ctx.Err() == nil {
		link, endpoint, err := s.dial(ctx)
		if err == nil {
			began := time.Now()
			if err = s.serve(ctx, link); time.Since(began) > Lease {
				pause, told = firstPause, false
			}
			err = fmt.Errorf("%s: %w", endpoint, err)
		}
		if ctx.Err() != nil {
			return nil
		}
		if !told {
			told = true
			s.cfg.Log.Warn("no session with a Zenoh router, trying again: start one with "+
				"'ros2 run rmw_zenoh_cpp rmw_zenohd', or name another in ZENOH_CONFIG_OVERRIDE", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
	}
	return nil
}

// dial connects to the first endpoint that answers.
func (s *Session) dial(ctx context.Context) (link io.ReadWriteCloser, endpoint string, err error) {
	for _, endpoint = range s.cfg.Endpoints {
		attempt, stop := context.WithTimeout(ctx, handshakeMayTake)
		link, err = s.cfg.Dialer.Dial(attempt, endpoint)
		stop()
		if err == nil {
			return link, endpoint, nil
		}
	}
	return nil, endpoint, err
}

// serve speaks with a router until the link is of no use, or ctx ends and the router is told.
func (s *Session) serve(ctx context.Context, link io.ReadWriteCloser) error {
	s.Do(func(c *Core) { c.Connected(time.Now()) })
	ended := make(chan error, 2)
	closed := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { ended <- s.read(link) })
	running.Go(func() { ended <- s.write(link, closed) })
	err := s.tick(ctx, ended)
	if ctx.Err() != nil {
		s.Do((*Core).Leave)
		s.drain()
	}
	close(closed)
	link.Close()
	running.Wait()
	s.Do((*Core).Lost)
	return err
}

// tick does what is due until the link ends.
func (s *Session) tick(ctx context.Context, ended <-chan error) error {
	for {
		var next time.Time
		var err error
		s.Do(func(c *Core) { next, err = c.Tick(time.Now()) })
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-time.After(max(time.Until(next), time.Millisecond)):
		}
	}
}

// drain gives the writer a moment to send what waits.
func (s *Session) drain() {
	for end := time.Now().Add(goodbyeMayTake); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		done := s.core.out.empty()
		s.mu.Unlock()
		if done {
			return
		}
	}
}

// read takes batches.
func (s *Session) read(link io.Reader) error {
	var header [wire.BatchHeader]byte
	buffer := make([]byte, wire.MaxBatch)
	for {
		if _, err := io.ReadFull(link, header[:]); err != nil {
			return err
		}
		batch := buffer[:wire.BatchSize(header)]
		if _, err := io.ReadFull(link, batch); err != nil {
			return err
		}
		var err error
		s.Do(func(c *Core) { err = c.Receive(batch, time.Now()) })
		if err != nil {
			return err
		}
	}
}

// write sends batches.
func (s *Session) write(link io.Writer, closed <-chan struct{}) error {
	var batch []byte
	for {
		s.mu.Lock()
		batch = append(batch[:0], s.core.Next(time.Now())...)
		s.mu.Unlock()
		if len(batch) > 0 {
			if _, err := link.Write(batch); err != nil {
				return err
			}
			continue
		}
		select {
		case <-s.wake:
		case <-closed:
			return nil
		}
	}
}
