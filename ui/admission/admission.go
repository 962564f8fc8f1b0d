// Package admission decides which of many connections may stay, so that a stranger's flood displaces itself.
// Package sshd asks it for those that log in. Listeners for controllers, viewers and figures ask it for all.
package admission

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"
)

// Limits of what connections may cost that have not logged in. The zero value
// stands for DefaultLimits.
type Limits struct {
	// Start, Rate and Full are MaxStartups of OpenSSH. From Start unauthenticated connections on, each
	// further one has one of them dropped with a probability that rises from Rate percent to 100 at Full.
	Start, Rate, Full int
	Grace             time.Duration // from connecting to the end of the login
	// for which a source is refused after failed logins; negative: no penalties
	MaxPenalty time.Duration
	Exempt     []netip.Prefix // connections from here are never refused for penalties
	// of the connections of a source the newest is dropped, which may be the new one, and not any
	Stay bool
}

// DefaultLimits are those of a server that is told none.
var DefaultLimits = Limits{Start: 20, Rate: 30, Full: 100, Grace: 30 * time.Second,
	MaxPenalty: 10 * time.Minute}

// ErrLimits is the error of limits that no server can keep.
var ErrLimits = errors.New("limits of connections that have not logged in")

// Check says what is wrong with limits.
func (l Limits) Check() error {
	switch {
	case l.Start < 1 || l.Full < l.Start || l.Full > 10_000:
		return fmt.Errorf("%w: from %d to %d: want 1 or more, at most 10000, the first not above the second",
			ErrLimits, l.Start, l.Full)
	case l.Rate < 0 || l.Rate > 100:
		return fmt.Errorf("%w: %d %% dropped: want 0 to 100", ErrLimits, l.Rate)
	case l.Grace < time.Second || l.Grace > time.Hour:
		return fmt.Errorf("%w: %v for the login: want 1s to 1h", ErrLimits, l.Grace)
	case l.MaxPenalty > 24*time.Hour:
		return fmt.Errorf("%w: %v of penalty: want at most 24h", ErrLimits, l.MaxPenalty)
	}
	return nil
}

// Why a connection is not let in.
var (
	ErrPenalty = errors.New("too many failed logins from this address")
	ErrDropped = errors.New("too many unauthenticated connections")
)

// Admission decides which connections may try to log in: a state machine
// without clock, socket or goroutine.
//
// Two rules bound what strangers cost. Sources whose logins fail are refused for a while (penalties). Some of
// many unauthenticated connections are dropped at random (random early drop), from the source that has the
// most of them (longest queue drop). A flood thereby displaces itself and not an operator's one connection.
type Admission struct {
	limits    Limits
	random    *rand.Rand
	pending   []*Connection // oldest first, at most limits.Full
	penalties penalties
}

// Connection is a connection without a login, or another one that may be closed in favor of a newcomer.
type Connection struct {
	From Source
	Drop func() // closes it; nil in tests
}

// New is an admission without connections. Equal seeds decide equally.
func New(l Limits, seed uint64) *Admission {
	return &Admission{limits: l, random: rand.New(rand.NewPCG(seed, seed)),
		penalties: newPenalties(l.MaxPenalty)}
}

// Arrive decides on a connection. It may be dropped at once, or another one in
// its place, which then must be closed.
func (a *Admission) Arrive(h *Connection, now time.Time) (dropped *Connection, err error) {
	if until, refused := a.penalties.refuse(h.From, now); refused && !a.exempt(h.From) {
		return nil, fmt.Errorf("%w; refused for another %v", ErrPenalty, until.Sub(now).Round(time.Second))
	}
	crowded := a.random.Float64() < a.dropRate(len(a.pending))
	a.pending = append(a.pending, h)
	if !crowded {
		return nil, nil
	}
	victim := a.victim(now)
	a.Leave(victim)
	if victim == h {
		a.penalties.charge(h.From, Empty, now)
		return nil, ErrDropped
	}
	return victim, nil
}

// dropRate is the probability that one of n pending connections and a new one is dropped.
func (a *Admission) dropRate(n int) float64 {
	l := a.limits
	switch {
	case n >= l.Full:
		return 1
	case n < l.Start:
		return 0
	}
	return (float64(l.Rate) + float64(100-l.Rate)*float64(n-l.Start)/float64(l.Full-l.Start)) / 100
}

// spared is the number of pending connections of a source that are free after a recent login from there.
const spared = 4

// victim is a pending connection of the source that has the most of them; among
// those, of the block that has; among those, any.
func (a *Admission) victim(now time.Time) *Connection {
	perSource, perBlock := map[netip.Prefix]int{}, map[netip.Prefix]int{}
	for _, h := range a.pending {
		perSource[h.From.prefix]++
		perBlock[h.From.block]++
	}
	for p := range perSource {
		if a.penalties.trusts(p, now) {
			perSource[p] -= spared
		}
	}
	weight := func(h *Connection) [2]int { return [2]int{perSource[h.From.prefix], perBlock[h.From.block]} }
	var most []*Connection
	for _, h := range a.pending {
		if len(most) > 0 {
			w, m := weight(h), weight(most[0])
			if order := slices.Compare(w[:], m[:]); order < 0 {
				continue
			} else if order > 0 {
				most = most[:0]
			}
		}
		most = append(most, h)
	}
	if a.limits.Stay {
		return most[len(most)-1]
	}
	return most[a.random.IntN(len(most))]
}

// End takes how a connection's login ended.
func (a *Admission) End(h *Connection, how Outcome, now time.Time) {
	a.Leave(h)
	if how == OperatorIn {
		a.penalties.noteOperator(h.From, now)
		return
	}
	a.penalties.charge(h.From, how, now)
}

// Pending is the number of connections that have arrived and not left.
func (a *Admission) Pending() int { return len(a.pending) }

// Leave forgets a connection that has ended, or is one no longer.
func (a *Admission) Leave(h *Connection) {
	if i := slices.Index(a.pending, h); i >= 0 {
		a.pending = slices.Delete(a.pending, i, i+1)
	}
}

func (a *Admission) exempt(s Source) bool {
	return slices.ContainsFunc(a.limits.Exempt, func(p netip.Prefix) bool { return p.Overlaps(s.prefix) })
}
