package sshd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// login is a connection that has logged in, with what its key lets it do now.
type login struct {
	name, key string
	conn      ssh.Conn
	addr      string

	mu       sync.Mutex
	as       role
	sessions map[*context.CancelCauseFunc]struct{} // the ends of consoles and of what asks for them
	ended    error                                 // why no more are opened; nil: they are
	// consecutive lookups that did not find the key
	missing int
}

func newLogin(c *ssh.ServerConn) *login {
	e := c.Permissions.Extensions
	return &login{name: e[nameOf], key: e[keyOf], as: role(e[roleOf]), conn: c, addr: c.RemoteAddr().String(),
		sessions: map[*context.CancelCauseFunc]struct{}{}}
}

// role is its owner's role now.
func (l *login) role() role {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.as
}

// looks says whether its owner may change nothing now.
func (l *login) looks() bool { return l.role() != operator }

// add counts a session, whose context dismiss ends; false when none is opened any more.
func (l *login) add(dismiss *context.CancelCauseFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended != nil {
		return false
	}
	l.sessions[dismiss] = struct{}{}
	return true
}

// remove counts a session less. The connection of a login that has ended closes with its last.
func (l *login) remove(dismiss *context.CancelCauseFunc) {
	l.mu.Lock()
	delete(l.sessions, dismiss)
	last := l.ended != nil && len(l.sessions) == 0
	l.mu.Unlock()
	if last {
		l.conn.Close()
	}
}

// hangUpAfter is the time in which consoles of an ended login restore their terminals: an unresponsive client
// delays nothing longer.
const hangUpAfter = 2500 * time.Millisecond

// end ends its sessions, each with this reason, and then its connection.
func (l *login) end(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended != nil {
		return
	}
	l.ended = why
	for dismiss := range l.sessions {
		(*dismiss)(why)
	}
	wait := hangUpAfter
	if len(l.sessions) == 0 {
		wait = 0
	}
	time.AfterFunc(wait, func() { l.conn.Close() })
}

// missingAfter is the number of looks at the file without a key until its sessions end: the file may be half
// written.
const missingAfter = 2

// follow takes what the file of keys says now. It says what has changed; empty: nothing.
func (l *login) follow(g guest, known bool) (change string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !known:
		if l.missing++; l.missing == missingAfter {
			return "key removed: its sessions end"
		}
		return ""
	case g.role != l.as:
		l.as = g.role
		change = "role changed"
	}
	l.missing = 0
	return change
}

// Why somebody is not let in, or sent away.
var (
	errFull      = errors.New("the maximum number of consoles is open")
	errManyIn    = errors.New("the maximum number of connections is open")
	errRemoved   = errors.New("your key was removed from the file of keys")
	errDisplaced = errors.New("an operator logged in, and the maximum number of consoles is open")
)

// logins are the connections that have logged in, and their consoles.
type logins struct {
	most int // consoles at once

	mu       sync.Mutex
	all      map[*login]bool
	consoles []*connection // in the order in which they were opened
}

// connectionsPerConsole is the number of connections that may be open per allowed console: half of them
// viewers'.
const connectionsPerConsole = 4

// enter counts a connection, if it may be.
func (g *logins) enter(l *login) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	most, viewers := g.most*connectionsPerConsole, 0
	for other := range g.all {
		if other.looks() {
			viewers++
		}
	}
	if len(g.all) >= most || l.looks() && viewers >= most/2 {
		return false
	}
	g.all[l] = true
	return true
}

func (g *logins) leave(l *login) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.all, l)
}

// open counts a console; false when there are as many as may be. Then an
// operator's takes the place of the viewer's that was opened last.
func (g *logins) open(v *connection) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.consoles) >= g.most {
		i := len(g.consoles) - 1
		for ; i >= 0 && !g.consoles[i].login.looks(); i-- {
		}
		if i < 0 || v.login.looks() {
			return false
		}
		g.consoles[i].dismiss(errDisplaced)
		g.consoles = slices.Delete(g.consoles, i, i+1)
	}
	v.name = g.nameFor(v)
	g.consoles = append(g.consoles, v)
	return true
}

// nameFor tells consoles apart whose keys have the same comment, by numbers from 2. The lock is held.
func (g *logins) nameFor(v *connection) string {
	name := v.login.name
	for n := 2; slices.ContainsFunc(g.consoles, func(o *connection) bool { return o.name == name }); n++ {
		name = fmt.Sprintf("%s#%d", v.login.name, n)
	}
	return name
}

// shut counts a console less.
func (g *logins) shut(v *connection) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.consoles, v); i >= 0 {
		g.consoles = slices.Delete(g.consoles, i, i+1)
	}
}

// viewersFrames bounds the frames per second of all viewers' consoles together: drawing must leave the
// processors to the engine.
const viewersFrames = 120

// period is the least interval between the frames of a console.
func (g *logins) period(l *login) time.Duration {
	if !l.looks() {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return time.Duration(len(g.consoles)) * time.Second / viewersFrames
}

// beside is the sorted list of users whose consoles are open, without one of them; nil: all.
func (g *logins) beside(me *connection) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []string
	for _, v := range g.consoles {
		if v == me {
			continue
		}
		name := v.name
		if as := v.login.role(); as != operator {
			name += " (" + string(as) + ")"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// each calls f with every login, so that f may ask them.
func (g *logins) each(f func(*login)) {
	g.mu.Lock()
	all := make([]*login, 0, len(g.all))
	for l := range g.all {
		all = append(all, l)
	}
	g.mu.Unlock()
	for _, l := range all {
		f(l)
	}
}

// Inside is the number of open consoles.
func (s *Server) Inside() int { return len(s.logins.beside(nil)) }

// watch follows the file of keys until ctx ends: who is taken out is sent away, and roles change at once.
// While the file cannot be read, or others could change it, sessions stay as they are. An attacker who can
// break the file must not be able to end the operators' sessions; nobody gains by it, as no new login
// succeeds.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			s.logins.each(func(l *login) { l.end(errEnded) })
			return
		case <-tick.C:
		}
		s.listener.log.flush(time.Now(), false)
		if guests, err := s.keys.read(); err == nil {
			s.logins.each(func(l *login) { s.follow(l, guests) })
		}
	}
}

// follow has a login follow the file of keys.
func (s *Server) follow(l *login, guests map[string]guest) {
	g, known := guests[l.key]
	if change := l.follow(g, known); change != "" {
		s.c.Log.Warn("SSH: "+change, "who", l.name, "role", l.role(), "from", l.addr)
	}
	if !known {
		l.mu.Lock()
		gone := l.missing >= missingAfter
		l.mu.Unlock()
		if gone {
			l.end(errRemoved)
		}
	}
}
