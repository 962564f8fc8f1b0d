// Package metrics serves Prometheus the figures of an engine, and supervisors its health: /metrics, /healthz
// and /readyz on an address of its own. It looks at snapshots and counters and never waits for the engine;
// where nobody asks for it there is nothing of it.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	process "github.com/VictoriaMetrics/metrics"

	"simdeck/sim"
	"simdeck/ui/admission"
)

// stuckAfter is the longest round of the loop that does not count as stuck.
const stuckAfter = 10 * time.Second

// mostAsking bounds the readers that are answered at a time: each costs a look at Go's runtime.
const mostAsking = 4

// mostConnections bounds the connections that are open.
const mostConnections = 64

// Config of a Server.
type Config struct {
	// "9100" is 127.0.0.1:9100, "0.0.0.0:9100" is for everybody; empty: nobody is told
	Address string
	Engine  Engine                      // that is looked at
	Graph   func() (t Traffic, on bool) // between us and other nodes; nil: there are none
	Version string
	Log     *slog.Logger // nil: nobody
}

// Engine is the part of engine.Engine that metrics read.
type Engine interface {
	Snapshot() *sim.Snapshot
	Monitor() *sim.LoopMonitor
}

// Traffic counts what goes between simdeck and other nodes, as ros/node has it.
type Traffic struct {
	Peers                          int
	Publishers, Subscriptions      int
	MatchedReaders, MatchedWriters int
	Misfits                        uint64
	Lost                           uint64
	PacketsIn, BytesIn             uint64
	PacketsOut, BytesOut           uint64
	Faults                         uint64
	Refused                        uint64
}

// Watch is the monitor that an engine needs where an address is given; nil without one.
func Watch(address string) *sim.LoopMonitor {
	if address == "" {
		return nil
	}
	return sim.NewLoopMonitor(time.Now())
}

// Server answers those who ask. A nil one is not asked.
type Server struct {
	c        Config
	listens  net.Listener
	http     http.Server
	sessions atomic.Pointer[func() int]
	asking   atomic.Int32 // readers that are being answered
}

// Open binds the address and answers nobody before Run. It gives nil where there is none.
func Open(c Config) (*Server, error) {
	if c.Address == "" {
		return nil, nil
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	address, err := addressOf(c.Address)
	if err != nil {
		return nil, err
	}
	s := newServer(c)
	if s.listens, err = net.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("metrics cannot listen on %s: %w (--metrics)", address, err)
	}
	c.Log.Info("metrics: Prometheus may ask", "address", s.Addr())
	return s, nil
}

// newServer answers by its handler, and has no address yet.
func newServer(c Config) *Server {
	s := &Server{c: c}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", s.answerFigures)
	mux.HandleFunc("GET /healthz",
		func(w http.ResponseWriter, _ *http.Request) { answer(w, s.sick(time.Now())) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter,
		_ *http.Request) {
		answer(w, s.unready(time.Now()))
	})
	s.http = http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
		ErrorLog:       slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug)}
	return s
}

// addressOf makes an address to listen on of what a user gives: a port alone is for this machine only.
func addressOf(given string) (string, error) {
	host, port, err := net.SplitHostPort(given)
	if err != nil {
		host, port = "", given
	}
	if n, bad := strconv.ParseUint(port, 10, 16); bad != nil || strings.HasPrefix(port, "+") || n > 65535 {
		return "", fmt.Errorf("metrics %q: want a port, or an address and a port like 0.0.0.0:9100", given)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// Addr is the address on which it listens.
func (s *Server) Addr() string { return s.listens.Addr().String() }

// CountSessions has the consoles counted that operators have open.
func (s *Server) CountSessions(open func() int) {
	if s != nil {
		s.sessions.Store(&open)
	}
}

// Run answers until ctx ends. That it breaks is told in the log and ends nothing else.
func (s *Server) Run(ctx context.Context) {
	if s == nil {
		return
	}
	stop := context.AfterFunc(ctx, func() { s.http.Close() })
	defer stop()
	err := s.http.Serve(admission.Listen(s.listens, mostConnections))
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		s.c.Log.Error("metrics are down", "error", err)
	}
}

// sick says why the process should be restarted; empty: it should not.
func (s *Server) sick(now time.Time) string {
	if busy := s.c.Engine.Monitor().BusyTime(now); busy > stuckAfter {
		return fmt.Sprintf("the engine has been at one step for %v", busy.Round(time.Second))
	}
	return ""
}

// unready says why nobody should count on the simulation now; empty: it steps, or rests as it was told.
func (s *Server) unready(now time.Time) string {
	switch state := s.c.Engine.Snapshot().State; state {
	case sim.NoWorld, sim.LoadingWorld, sim.Quitting:
		return "the state is " + state.String()
	}
	return s.sick(now)
}

// answerFigures writes the figures of the simulation, then those of the process and of Go's runtime.
func (s *Server) answerFigures(w http.ResponseWriter, _ *http.Request) {
	if s.asking.Add(1) > mostAsking {
		s.asking.Add(-1)
		http.Error(w, fmt.Sprintf("%d readers are being answered; ask again", mostAsking),
			http.StatusServiceUnavailable)
		return
	}
	defer s.asking.Add(-1)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(s.figures())
	process.WriteProcessMetrics(w)
}

// answer is 200 for nothing to say, else 503.
func answer(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if why != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, why)
		return
	}
	fmt.Fprintln(w, "ok")
}
