package viewers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"simdeck/sim"
	"simdeck/ui/admission"
)

// ErrAddress is wrapped by errors about an address to listen on.
var ErrAddress = errors.New("address of viewers")

// hostName is the form of names that are taken, which are no patterns.
var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$`)

// DefaultPort is the port on which the command viewers listens.
const DefaultPort = "23280"

// Bounds of the server.
const (
	mostViewers     = 64
	mostConnections = 256
	mostWorlds      = 64
	sendBuffer      = 64 << 10 // bytes that the system keeps for a viewer, so that it does not see old motion
	fileMayTake     = time.Minute
)

// Config of a Server.
type Config struct {
	// "23280" is 127.0.0.1:23280, "0.0.0.0:23280" is for everybody
	Address string
	Names   []string     // of this host in addresses that browsers use, besides localhost and IP addresses
	Log     *slog.Logger // nil: nobody
	// Listen opens the address: net.Listen, or pipes in tests
	Listen func(network, address string) (net.Listener, error)
}

// Server shows worlds to browsers.
type Server struct {
	c       Config
	listens net.Listener
	http    http.Server

	mu      sync.Mutex
	worlds  []*World // by id
	last    uint32   // id
	viewers map[*viewer]bool
	closed  bool

	crowd *admission.Crowd // of browsers
}

// Open binds the address and serves nobody before Run. Errors about the address wrap ErrAddress.
func Open(c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	address, err := addressOf(c.Address)
	if err != nil {
		return nil, err
	}
	for _, n := range c.Names {
		if !hostName.MatchString(n) {
			return nil, fmt.Errorf("%w: name %q: want letters, digits, dots and hyphens", ErrAddress, n)
		}
	}
	s := &Server{c: c, viewers: map[*viewer]bool{}, crowd: admission.NewCrowd(admission.Fair(mostViewers), 1)}
	if s.listens, err = c.Listen("tcp", address); err != nil {
		return nil, fmt.Errorf("viewers: cannot listen on %s: %w", address, err)
	}
	s.http = http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute,
		WriteTimeout:   fileMayTake,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if tcp, ok := c.(interface{ SetWriteBuffer(int) error }); ok {
				tcp.SetWriteBuffer(sendBuffer)
			}
			return ctx
		}}
	return s, nil
}

// addressOf makes an address to listen on of what a user gives: a port alone is for this machine only.
func addressOf(given string) (string, error) {
	host, port, err := net.SplitHostPort(given)
	if err != nil {
		host, port = "127.0.0.1", given
	}
	if n, bad := strconv.ParseUint(port, 10, 16); bad != nil || strings.HasPrefix(port, "+") || n > 65535 ||
		host == "" {
		return "", fmt.Errorf("%w %q: want a port, or an address and a port like 0.0.0.0:%s", ErrAddress,
			given, DefaultPort)
	}
	return net.JoinHostPort(host, port), nil
}

// Addr is the address on which it listens.
func (s *Server) Addr() string { return s.listens.Addr().String() }

// Viewers is the number of browsers that are connected.
func (s *Server) Viewers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.viewers)
}

// Run serves until ctx ends; all viewers are disconnected then.
func (s *Server) Run(ctx context.Context) error {
	s.c.Log.Info("viewers: open the page in a browser", "address", "http://"+s.Addr())
	stop := context.AfterFunc(ctx, func() {
		s.http.Close()
		s.disconnect()
	})
	defer stop()
	err := s.http.Serve(admission.Listen(s.listens, mostConnections))
	s.disconnect()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("viewers: %w", err)
}

// disconnect ends all connections, which http.Server no longer knows.
func (s *Server) disconnect() {
	s.mu.Lock()
	s.closed = true
	all := s.viewers
	s.viewers = map[*viewer]bool{}
	s.mu.Unlock()
	for v := range all {
		v.conn.CloseNow()
	}
}

// ErrFull is returned for a world too many.
var ErrFull = fmt.Errorf("viewers see %d worlds at once at most", mostWorlds)

// Begin adds a world, which viewers see from its first snapshot on, until End.
func (s *Server) Begin(name string) (*World, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.worlds) >= mostWorlds {
		return nil, ErrFull
	}
	s.last++
	w := newWorld(s.last, name, s.c.Log)
	s.worlds = append(s.worlds, w)
	s.announce()
	return w, nil
}

// End takes a world away; viewers hear that it is gone.
func (s *Server) End(w *World) {
	s.mu.Lock()
	s.worlds = slices.DeleteFunc(s.worlds, func(o *World) bool { return o == w })
	for v := range s.viewers {
		v.forget(w.id)
	}
	s.announce()
	s.mu.Unlock()
	w.mu.Lock()
	clear(w.viewers)
	w.mu.Unlock()
}

// announce tells all viewers which worlds there are. The lock is held.
func (s *Server) announce() {
	list := s.list()
	for v := range s.viewers {
		v.tell(list)
	}
}

// list is the message with the worlds that there are. The lock is held.
func (s *Server) list() []byte {
	m := message{Type: "worlds"}
	for _, w := range s.worlds {
		m.Worlds = append(m.Worlds, worldName{w.id, w.name})
	}
	text, _ := json.Marshal(m) // strings and numbers alone
	return text
}

// Follow shows a backend's world until it or ctx ends.
func (s *Server) Follow(ctx context.Context, name string, b sim.Backend) error {
	w, err := s.Begin(name)
	if err != nil {
		return err
	}
	defer s.End(w)
	snapshots := b.Subscribe(sim.Latest(period))
	defer snapshots.Close()
	snapshots.WantSensors(false)
	idle := time.NewTicker(scenePause) // while no snapshots come
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case snapshot, more := <-snapshots.C():
			if !more {
				return nil
			}
			w.Show(snapshot, time.Now())
		case now := <-idle.C:
			w.Show(b.Snapshot(), now)
		}
	}
}

// errDisplaced is the reason to end a connection for one of an address that has fewer.
var errDisplaced = errors.New("too many viewers of this address; another one came")

// accept serves a viewer until it leaves.
func (s *Server) accept(rw http.ResponseWriter, r *http.Request) {
	ctx, leave := context.WithCancelCause(context.Background())
	defer leave(nil)
	place := &admission.Connection{From: admission.SourceOf(admission.AddressOf(r.RemoteAddr)),
		Drop: func() { leave(errDisplaced) }}
	if s.crowd.Arrive(place, time.Now()) != nil {
		http.Error(rw, fmt.Sprintf("%d viewers are connected, no more can be", mostViewers),
			http.StatusServiceUnavailable)
		return
	}
	defer s.crowd.Leave(place)
	conn, err := websocket.Accept(rw, r, &websocket.AcceptOptions{OriginPatterns: s.origins()})
	if err != nil {
		s.c.Log.Warn("viewer refused", "from", r.RemoteAddr, "error", err)
		return
	}
	v := newViewer(conn)
	if !s.enter(v) {
		conn.CloseNow()
		return
	}
	s.c.Log.Info("viewer connected", "from", r.RemoteAddr)
	written := make(chan struct{})
	go func() {
		leave(v.write(ctx))
		close(written)
	}()
	err = v.read(ctx, func(ids []uint32) { s.watch(v, ids) })
	leave(err)
	<-written
	s.crowd.Leave(place)
	s.leave(v)
	if errors.Is(err, errTalk) {
		conn.Close(websocket.StatusPolicyViolation, errTalk.Error())
	}
	conn.CloseNow()
	s.c.Log.Info("viewer disconnected", "from", r.RemoteAddr, "reason", context.Cause(ctx))
}

// enter takes a viewer in; false: the server has ended.
func (s *Server) enter(v *viewer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.viewers[v] = true
	v.tell(s.list())
	return true
}

func (s *Server) leave(v *viewer) {
	s.mu.Lock()
	delete(s.viewers, v)
	worlds := slices.Clone(s.worlds)
	s.mu.Unlock()
	for _, w := range worlds {
		w.watch(v, false)
	}
}

// watch has a viewer see the worlds of some numbers, and no others. Numbers of none are passed over: it may
// have ended.
func (s *Server) watch(v *viewer, ids []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.worlds {
		on := slices.Contains(ids, w.id)
		w.watch(v, on)
		if !on {
			v.forget(w.id)
		}
	}
}
