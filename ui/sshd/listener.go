package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui/admission"
)

const (
	keyExchangeWithin = 10 * time.Second // from connecting; the login then has the rest of Limits.Grace
	// bytes: what the kernel holds of frames that are old when they arrive
	sendBuffer = 16 << 10
	tooMany    = "simdeck: too many connections; try again later\r\n"
)

// listener is the way in: connections that have not logged in.
type listener struct {
	mu        sync.Mutex
	admission *admission.Admission
	log       *logbook
	open      sync.WaitGroup // connections, whether they have logged in or not
}

// arrive lets a connection try to log in, or says why not.
func (d *listener) arrive(h *admission.Connection, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dropped, err := d.admission.Arrive(h, now)
	if dropped != nil {
		dropped.Drop()
	}
	return err
}

// end takes how a login ended.
func (d *listener) end(h *admission.Connection, how admission.Outcome, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.admission.End(h, how, now)
}

// welcome serves a connection in goroutines of its own.
func (s *Server) welcome(ctx context.Context, conn net.Conn) {
	now := time.Now()
	var dropped atomic.Bool
	h := &admission.Connection{From: admission.SourceOf(addressOf(conn)),
		Drop: func() { dropped.Store(true); conn.Close() }}
	if err := s.listener.arrive(h, now); err != nil {
		s.listener.log.note(now, slog.LevelWarn, connectionRefused, h.From, linesPerKind, "from",
			conn.RemoteAddr(), "reason", err)
		// RFC 4253, 4.2: lines may come before the version. It fits into what the kernel holds
		_, _ = io.WriteString(conn, tooMany)
		conn.Close()
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // the kernel may have its own ideas
	}
	s.listener.open.Go(func() { s.serve(ctx, conn, h, &dropped) })
}

// addressOf is the address at the other end; zero where there is none.
func addressOf(conn net.Conn) netip.Addr {
	at, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	return at.Addr()
}

// serve is a connection from its first byte to its last.
func (s *Server) serve(ctx context.Context, conn net.Conn, h *admission.Connection, dropped *atomic.Bool) {
	defer conn.Close()
	began := time.Now()
	var late, refused atomic.Bool
	timer := time.AfterFunc(min(keyExchangeWithin, s.c.Limits.Grace),
		func() { late.Store(true); conn.Close() })
	// until the login: a console then ends as it should
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	config := *s.ssh
	config.PreAuthConnCallback = func(ssh.ServerPreAuthConn) {
		timer.Reset(s.c.Limits.Grace - time.Since(began))
	}
	config.PublicKeyCallback = func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		p, why := s.admit(key)
		// of the keys that a client tries one after another, the first is told of
		if why != nil && !errors.Is(why, errKeys) && !refused.Swap(true) || errors.Is(why, errKeys) {
			why = &ssh.BannerError{Err: why, Message: "simdeck: " + why.Error() + "\n"}
		}
		return p, why
	}
	c, channels, requests, err := ssh.NewServerConn(conn, &config)
	timer.Stop()
	stop()
	if err != nil {
		how := admission.Empty
		switch {
		case dropped.Load():
			err = admission.ErrDropped
		case late.Load():
			how, err = admission.TooLate, errLate
		case refused.Load():
			how = admission.WrongKey
		case ctx.Err() != nil:
			how = admission.Fault
		}
		s.listener.end(h, how, time.Now())
		s.listener.log.note(time.Now(), slog.LevelInfo, loginRefused, h.From, linesPerKind, "from",
			conn.RemoteAddr(), "reason", said(err.Error()))
		return
	}
	l := newLogin(c)
	how := admission.ViewerIn
	if l.role() == operator {
		how = admission.OperatorIn
	}
	s.listener.end(h, how, time.Now())
	go ssh.DiscardRequests(requests) // forwarding among them: each is refused
	s.entertain(ctx, l, channels, h.From)
}

// Extensions of a connection's permissions.
const (
	nameOf = "simdeck-name"
	roleOf = "simdeck-role"
	keyOf  = "simdeck-key" // marshalled
)

// Why a login fails.
var (
	errLate = errors.New("login timed out")
	errKeys = errors.New("the file of keys cannot be read; see simdeck's log")
	errKey  = errors.New("is not in the file of keys; ask the operator of simdeck to add it")
)

// admit says whether the owner of a key may enter, and as whom. Its result holds once the client has proved
// possession of that key.
func (s *Server) admit(key ssh.PublicKey) (*ssh.Permissions, error) {
	g, ok, err := s.keys.find(key)
	switch {
	case err != nil:
		return nil, errKeys
	case !ok:
		return nil, fmt.Errorf("the key %s %w", ssh.FingerprintSHA256(key), errKey)
	}
	return &ssh.Permissions{Extensions: map[string]string{nameOf: g.name, roleOf: string(g.role),
		keyOf: string(key.Marshal())}}, nil
}
