// Package sshd is the console for operators elsewhere: an SSH server inside
// simdeck that opens the console, and nothing but the console, on a deck. Who may
// enter, and who may only look, is decided by public keys; there are no
// passwords, no commands, no files and no forwarding.
//
// door.go lets connections in, keys.go says who may enter, session.go is one
// operator's console, terminal.go their terminal at the other end of the line.
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
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/ui"
)

// Config of a Server.
type Config struct {
	Console  ui.Config     // of every operator; its Deck is theirs. What hangs on the terminal and the operator is set here
	Address  string        // to listen on, ":23234"
	HostKey  string        // file; it is made when there is none
	Keys     string        // file with the public keys that may enter, see keys.go
	Sessions int           // consoles at once, at most; 0: 32
	Idle     time.Duration // without a key pressed, after which a console is closed; 0: never
	Version  string
	Log      *slog.Logger // nil: nobody
}

// Server lets operators in.
type Server struct {
	c       Config
	ssh     *ssh.ServerConfig
	keys    *keyFile
	door    door
	listens net.Listener
}

// New reads the keys, makes the host's if there is none, and binds the address;
// it lets nobody in until Run. Errors say which file or address cannot be used,
// and why.
func New(c Config) (*Server, error) {
	c.Sessions = cmp.Or(c.Sessions, 32)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{c: c, keys: &keyFile{name: c.Keys, log: c.Log}, door: newDoor(c.Sessions)}
	if _, err := s.keys.read(); err != nil {
		return nil, err
	}
	host, err := hostKey(c.HostKey)
	if err != nil {
		return nil, err
	}
	s.ssh = &ssh.ServerConfig{ServerVersion: "SSH-2.0-simdeck_" + versionWord(c.Version)}
	s.ssh.AddHostKey(host)
	if s.listens, err = net.Listen("tcp", c.Address); err != nil {
		return nil, fmt.Errorf("SSH cannot listen on %s: %w (--listen)", c.Address, err)
	}
	c.Log.Info("SSH: operators may enter", "address", s.Addr(), "keys", c.Keys, "host key", ssh.FingerprintSHA256(host.PublicKey()))
	return s, nil
}

// Addr is where it listens.
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
	for {
		conn, err := s.listens.Accept()
		switch {
		case ctx.Err() != nil:
			s.door.leave()
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("SSH: %w", err)
		case err != nil: // out of descriptors, most likely: others may leave
			s.c.Log.Warn("SSH: nobody can enter now", "error", err)
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
