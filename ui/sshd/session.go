package sshd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/escape"

	"simdeck/ui/admission"
)

// perConnection is the number of sessions that one connection may have at a time.
const perConnection = 4

// Why a console closes.
var (
	errIdle    = errors.New("idle for too long")
	errStalled = errors.New("the terminal did not read for too long")
	errEnded   = errors.New("the simulator has quit")
)

// entertain gives each session of a connection its console.
func (s *Server) entertain(ctx context.Context, l *login, channels <-chan ssh.NewChannel,
	from admission.Source) {
	who := []any{"who", l.name, "role", l.role(), "from", l.addr}
	if !s.logins.enter(l) {
		s.listener.log.note(time.Now(), slog.LevelWarn, connectionRefused, from, linesPerKind,
			append(who, "reason", errManyIn)...)
		return
	}
	defer s.logins.leave(l)
	if ctx.Err() != nil { // nobody else would tell it
		l.end(errEnded)
	}
	came := time.Now()
	s.listener.log.note(came, slog.LevelInfo, sessionOpened, from, loginLines, who...)
	var open sync.WaitGroup
	here := make(chan struct{}, perConnection)
	for offered := range channels {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.Prohibited, "port forwarding is not supported")
			continue
		}
		select {
		case here <- struct{}{}:
		default:
			_ = offered.Reject(ssh.ResourceShortage, "too many sessions on one connection")
			continue
		}
		channel, requests, err := offered.Accept()
		if err != nil {
			<-here
			continue
		}
		v := &connection{server: s, login: l, channel: channel, sizes: make(chan ui.Size, 1)}
		open.Go(func() {
			defer func() { <-here }()
			v.attend(ctx, requests)
		})
	}
	open.Wait()
	s.listener.log.note(time.Now(), slog.LevelInfo, sessionClosed, from, loginLines,
		append(who, "after", time.Since(came).Round(time.Second))...)
}

// connection is one session: what was asked for before the console opens, and the
// console.
type connection struct {
	server  *Server
	login   *login
	name    string // of its user, while its console is open
	channel ssh.Channel
	dismiss context.CancelCauseFunc // ends it, and says why

	term    string // of the pty; "" when none was asked for
	environ []string
	sizes   chan ui.Size // the newest
}

// attend answers the requests of a session until the client or the console closes
// it.
func (v *connection) attend(ctx context.Context, requests <-chan *ssh.Request) {
	ctx, v.dismiss = context.WithCancelCause(ctx)
	defer v.dismiss(nil)
	if !v.login.add(&v.dismiss) {
		v.channel.Close()
	}
	defer v.login.remove(&v.dismiss)
	var console sync.WaitGroup
	opened := false
	for r := range requests {
		ok, begins := false, false
		switch r.Type {
		case "pty-req":
			ok = !opened && v.term == "" && v.pty(r.Payload)
		case "window-change":
			ok = v.resize(r.Payload)
		case "env":
			ok = !opened && v.env(r.Payload)
		case "shell", "exec":
			ok, begins = !opened, !opened
			opened = true
		case "signal":
			v.dismiss(nil)
		}
		if r.WantReply {
			_ = r.Reply(ok, nil)
		}
		if begins { // once the client has its answer: a session that ends at once would end before it
			console.Go(func() { v.open(ctx, r.Type == "shell") })
		}
	}
	v.dismiss(nil)
	console.Wait()
}

// open shows the console, or says why not, and ends the session.
func (v *connection) open(ctx context.Context, shell bool) {
	defer v.channel.Close()
	switch {
	case !shell:
		v.say(1, "remote commands are not supported; log in without a command to open the console")
	case v.term == "":
		v.say(1, "the console needs a terminal: ssh -t")
	case !v.server.logins.open(v):
		v.say(1, fmt.Sprintf("%v (%d)", errFull, v.server.c.Sessions))
	default:
		defer v.server.logins.shut(v)
		err := v.show(ctx)
		if err != nil {
			v.say(1, err.Error())
			return
		}
		v.say(0, "")
	}
}

// say ends the session with a sentence and an exit code.
func (v *connection) say(code uint32, text string) {
	if text != "" {
		_, _ = escape.Fprintf(v.channel.Stderr(), "simdeck: %s\r\n", text) // the client may be gone
	}
	// the client may be gone
	_, _ = v.channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{code}))
}

// show runs the console until the operator leaves, or is sent away.
func (v *connection) show(ctx context.Context) error {
	t := newTerminal(v.channel, v.server.c.Idle, v.dismiss, func() { v.login.conn.Close() })
	defer t.close()
	c := v.server.c.Console
	c.Input, c.Output, c.Environ = t, t, append([]string{"TERM=" + v.term, "SSH_TTY=simdeck"}, v.environ...)
	c.Sizes, c.FlowControl, c.User = v.sizes, t.read, "ssh "+v.name
	c.Capabilities.Viewers = func() []string { return v.server.logins.beside(v) }
	c.Period = func() time.Duration { return v.server.logins.period(v.login) }
	restrict(&c, v.login.looks)
	err := v.server.run(ctx, c)
	switch why := context.Cause(ctx); {
	case err != nil:
		v.server.c.Log.Error("SSH: console crashed", "who", v.login.name, "error", err)
		return err
	case slices.ContainsFunc([]error{errIdle, errStalled, errRemoved, errDisplaced},
		func(e error) bool { return errors.Is(why, e) }):
		return why
	case ctx.Err() != nil || c.Backend.Snapshot().State == sim.Quitting:
		return errEnded
	}
	return nil
}
