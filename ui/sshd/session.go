package sshd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/escape"
)

// perConnection is how many sessions one connection may have at a time.
const perConnection = 4

// hangUpAfter is how long a connection may stay when the server ends: a client that neither reads nor closes keeps nobody.
const hangUpAfter = 2500 * time.Millisecond

// Why a console closes.
var (
	errIdle    = errors.New("no key was pressed for too long")
	errStalled = errors.New("nothing was read for too long")
	errEnded   = errors.New("the simulator has ended")
)

// entertain gives each session of a connection its console.
func (s *Server) entertain(ctx context.Context, conn *ssh.ServerConn, channels <-chan ssh.NewChannel) {
	name, as := conn.Permissions.Extensions[nameOf], role(conn.Permissions.Extensions[roleOf])
	log := s.c.Log.With("who", name, "role", as, "from", conn.RemoteAddr().String())
	came := time.Now()
	log.Info("SSH: somebody entered")
	ended, served := context.WithCancel(context.WithoutCancel(ctx))
	defer served()
	stop := context.AfterFunc(ctx, func() {
		pause(ended, hangUpAfter)
		conn.Close()
	})
	defer stop()
	var open sync.WaitGroup
	here := make(chan struct{}, perConnection)
	for offered := range channels {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.Prohibited, "simdeck forwards nothing")
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
		v := &visit{server: s, conn: conn, name: name, role: as, channel: channel, sizes: make(chan ui.Size, 1)}
		open.Go(func() {
			defer func() { <-here }()
			v.attend(ctx, requests)
		})
	}
	open.Wait()
	log.Info("SSH: somebody left", "after", time.Since(came).Round(time.Second))
}

// visit is one session: what was asked for before the console opens, and the
// console.
type visit struct {
	server  *Server
	conn    *ssh.ServerConn
	name    string
	role    role
	channel ssh.Channel

	term    string // of the pty; "" when none was asked for
	environ []string
	sizes   chan ui.Size // the newest
}

// attend answers the requests of a session until the client or the console closes
// it.
func (v *visit) attend(ctx context.Context, requests <-chan *ssh.Request) {
	ctx, leave := context.WithCancel(ctx)
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
			leave()
		}
		if r.WantReply {
			_ = r.Reply(ok, nil)
		}
		if begins { // once the client has its answer: a session that ends at once would end before it
			console.Go(func() { v.open(ctx, r.Type == "shell") })
		}
	}
	leave()
	console.Wait()
}

// open shows the console, or says why not, and ends the session.
func (v *visit) open(ctx context.Context, shell bool) {
	defer v.channel.Close()
	switch {
	case !shell:
		v.say(1, "simdeck opens its console here and runs no commands")
	case v.term == "":
		v.say(1, "the console wants a terminal: ssh -t")
	case !v.server.door.open(v):
		v.say(1, fmt.Sprintf("%v (%d)", errFull, v.server.c.Sessions))
	default:
		defer v.server.door.shut(v)
		err := v.show(ctx)
		if err != nil {
			v.say(1, err.Error())
			return
		}
		v.say(0, "")
	}
}

// say ends the session with a sentence and an exit code.
func (v *visit) say(code uint32, text string) {
	if text != "" {
		_, _ = escape.Fprintf(v.channel.Stderr(), "simdeck: %s\r\n", text) // the client may be gone
	}
	_, _ = v.channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{code})) // the client may be gone
}

// show runs the console until the operator leaves, or is sent away.
func (v *visit) show(ctx context.Context) error {
	ctx, dismiss := context.WithCancelCause(ctx)
	defer dismiss(nil)
	t := newTerminal(v.channel, v.server.c.Idle, dismiss, func() { v.conn.Close() })
	defer t.close()
	c := v.server.c.Console
	c.Input, c.Output, c.Environ = t, t, append([]string{"TERM=" + v.term, "SSH_TTY=simdeck"}, v.environ...)
	c.Sizes, c.Paced, c.User, c.Here = v.sizes, t.read, "ssh "+v.name, v.server.door.here
	if v.role != operator || c.ReadOnly {
		c.ReadOnly, c.Deck = true, looking{c.Deck}
		if c.Recorder != nil {
			c.Recorder = seeing{c.Recorder}
		}
		c.Desk = nil
	}
	err := ui.Run(ctx, c)
	switch why := context.Cause(ctx); {
	case err != nil:
		v.server.c.Log.Error("SSH: a console broke", "who", v.name, "error", err)
		return err
	case errors.Is(why, errIdle), errors.Is(why, errStalled):
		return why
	case ctx.Err() != nil || c.Deck.Snapshot().State == sim.Quitting:
		return errEnded
	}
	return nil
}

// looking is a deck for those who may change nothing, whatever their console
// lets them try.
type looking struct{ sim.Deck }

// Do refuses all but questions.
func (d looking) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	if sim.OnlyAsks(c) {
		return d.Deck.Do(ctx, c)
	}
	return nil, errViewer
}

// seeing is a recorder that only shows what it does.
type seeing struct{ ui.Recorder }

// Start refuses.
func (seeing) Start(context.Context) (string, error) { return "", errViewer }

// Stop refuses.
func (seeing) Stop(context.Context) (string, error) { return "", errViewer }

var errViewer = fmt.Errorf("%w: viewers change nothing", sim.ErrUnsupported)
