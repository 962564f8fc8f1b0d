// Package sshd is the console for operators elsewhere: an SSH server inside simdeck that opens the console,
// and nothing but the console, on a backend. Public keys decide who may enter, and who may only look; there
// are no passwords, no commands, no files and no forwarding.
//
// listener.go is a connection until it has logged in; admission.go and penalty.go decide which may try.
// keys.go and modes.go hold the keys, and login.go the logged-in users. session.go is one operator's console,
// and terminal.go their terminal. viewer.go is the read-only backend of viewers, and logbook.go the log.
//
// It stands on golang.org/x/crypto/ssh: the layer above it in common use keeps
// state that its goroutines share without a lock.
package sshd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui"

	"simdeck/ui/admission"
)

// Config of a Server.
type Config struct {
	// of every operator, with their Backend; its fields for the terminal and the operator are set here
	Console  ui.Config
	Address  string           // to listen on, ":23234"
	HostKey  string           // file; it is made when there is none
	Keys     string           // file with the public keys that may enter, see keys.go
	Sessions int              // consoles at once, at most; 0: 32
	Idle     time.Duration    // without a key pressed, after which a console is closed; 0: never
	Limits   admission.Limits // of connections that have not logged in
	LaxModes bool             // files of keys are taken whoever else may change them
	Version  string
	Log      *slog.Logger // nil: nobody

	poll time.Duration                          // between looks at the file of keys; 0: pollPeriod
	home string                                 // see fileRule
	run  func(context.Context, ui.Config) error // shows a console; nil: ui.Run
}

// Server lets operators in.
type Server struct {
	c        Config
	ssh      *ssh.ServerConfig
	keys     *keyFile
	listener listener
	logins   logins
	poll     time.Duration // between looks at the file of keys
	run      func(context.Context, ui.Config) error
	listens  net.Listener
}

// pollPeriod is the interval of looks at the file of keys: owners of removed keys are disconnected within
// two.
const pollPeriod = 2 * time.Second

// New reads the keys, makes the host's if there is none, and binds the address;
// it lets nobody in until Run. Errors say which file or address cannot be used,
// and why.
func New(c Config) (*Server, error) {
	c.Sessions = cmp.Or(c.Sessions, 32)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Limits.Full == 0 {
		c.Limits = admission.DefaultLimits
	}
	if c.run == nil {
		c.run = ui.Run
	}
	if err := c.Limits.Check(); err != nil {
		return nil, err
	}
	s := &Server{c: c, keys: newKeyFile(c), poll: cmp.Or(c.poll, pollPeriod), run: c.run,
		listener: listener{admission: admission.New(c.Limits, rand.Uint64()),
			log: newLogbook(c.Log, time.Now())},
		logins: logins{most: c.Sessions, all: map[*login]bool{}}}
	if guests, err := s.keys.read(); err != nil {
		return nil, err
	} else if len(guests) == 0 {
		return nil, fmt.Errorf("SSH keys %s: %w", c.Keys, errNoKeys)
	}
	host, err := hostKey(c)
	if err != nil {
		return nil, err
	}
	s.ssh = &ssh.ServerConfig{ServerVersion: "SSH-2.0-simdeck_" + versionWord(c.Version)}
	s.ssh.AddHostKey(host)
	if s.listens, err = net.Listen("tcp", c.Address); err != nil {
		return nil, fmt.Errorf("SSH cannot listen on %s: %w (--listen)", c.Address, err)
	}
	c.Log.Info("SSH: listening", "address", s.Addr(), "keys", c.Keys, "host key",
		ssh.FingerprintSHA256(host.PublicKey()))
	return s, nil
}

// Addr is the address on which it listens.
func (s *Server) Addr() string { return s.listens.Addr().String() }

// versionWord is a version as the identification string of RFC 4253, 4.2, takes
// it.
func versionWord(v string) string {
	word := []byte(cmp.Or(v, "dev"))
	for i, b := range word {
		if b <= ' ' || b > '~' || b == '-' {
			word[i] = '_'
		}
	}
	return string(word)
}

// Run lets operators in until ctx ends. Then consoles close, their terminals as
// they were, and it returns.
func (s *Server) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { s.listens.Close() })
	defer stop()
	s.listener.open.Go(func() { s.watch(ctx) })
	for {
		conn, err := s.listens.Accept()
		switch {
		case ctx.Err() != nil:
			s.listener.open.Wait()
			s.listener.log.flush(time.Now(), true)
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("SSH: %w", err)
		case err != nil: // out of descriptors, most likely: others may leave
			s.listener.log.note(time.Now(), slog.LevelWarn, acceptFailed, admission.Source{}, linesPerKind,
				"error",
				err)
			pause(ctx, 100*time.Millisecond)
		default:
			s.welcome(ctx, conn)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
