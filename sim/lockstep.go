package sim

import (
	"slices"
	"sync"
	"time"
)

// Lockstep keeps a simulator from running ahead of controllers outside of it, as Webots waits for a
// synchronous controller. Each says how many steps it allows; when they are done the world waits until it
// allows more, or has let its patience pass. A follower says which world it knows, and holds every other:
// so those whom it lets in are there at the first step. No result depends on it. It is safe from any
// goroutine.
type Lockstep struct {
	wake    func()
	mu      sync.Mutex
	members []*LockstepMember // with those that have left since the last Join
}

// NewLockstep makes a Lockstep without members. Wake wakes the loop of the simulator, which then looks at it;
// it must not block.
func NewLockstep(wake func()) *Lockstep { return &Lockstep{wake: wake} }

// LockstepMember is one for whom the world waits.
type LockstepMember struct {
	mu       *sync.Mutex // the lockstep's
	wake     func()
	who      string
	patience time.Duration
	rest     chan *Snapshot

	// Guarded by the lockstep.
	allowed uint64
	follows bool      // it allows all steps of the world that it knows
	knows   uint64    // that world, as Model.Load counts them
	asked   bool      // it waits for the snapshot after what it allowed
	blocked time.Time // since when the world waits for it; zero: it does not
	late    bool      // the world goes on without it, until it allows steps again
	left    bool
}

// Join lets the world wait for one more, who begins with no step allowed. Patience is the time on the wall
// clock after which the world goes on without it; not positive: the world never waits for it.
func (l *Lockstep) Join(who string, patience time.Duration) *LockstepMember {
	return l.add(&LockstepMember{who: who, patience: patience})
}

// Follow lets each world wait until the member knows it. Patience is as for Join.
func (l *Lockstep) Follow(who string, patience time.Duration) *LockstepMember {
	return l.add(&LockstepMember{who: who, patience: patience, follows: true})
}

func (l *Lockstep) add(m *LockstepMember) *LockstepMember {
	m.mu, m.wake, m.rest = &l.mu, l.wake, make(chan *Snapshot, 1)
	l.mu.Lock()
	l.members = slices.DeleteFunc(l.members, func(o *LockstepMember) bool { return o.left })
	l.members = append(l.members, m)
	l.mu.Unlock()
	return m
}

// Know says that a follower knows a world, by its Model.Load.
func (m *LockstepMember) Know(load uint64) {
	m.mu.Lock()
	m.knows, m.blocked, m.late = load, time.Time{}, false
	m.mu.Unlock()
	m.wake()
}

// SetPatience changes for how long the world waits from now on.
func (m *LockstepMember) SetPatience(patience time.Duration) {
	m.mu.Lock()
	m.patience, m.blocked = patience, time.Time{}
	m.mu.Unlock()
	m.wake()
}

// Allow allows steps, beyond those that have been done; what was allowed before and is not done is forgotten.
func (m *LockstepMember) Allow(steps uint64) {
	m.mu.Lock()
	m.allowed, m.asked, m.blocked, m.late = steps, true, time.Time{}, false
	m.mu.Unlock()
	m.wake()
}

// Rest delivers the snapshot after the last of the allowed steps. It is closed when the member has left.
func (m *LockstepMember) Rest() <-chan *Snapshot { return m.rest }

// Leave ends the membership. It may be called more than once.
func (m *LockstepMember) Leave() {
	m.mu.Lock()
	if !m.left {
		m.left = true
		close(m.rest)
	}
	m.mu.Unlock()
	m.wake()
}

// ready reports that the world need not wait for a member.
func (m *LockstepMember) ready(load uint64) bool {
	if m.left || m.patience <= 0 {
		return true
	}
	if m.follows {
		return m.knows == load || m.late
	}
	return m.allowed > 0 || m.late
}

// Wait is the time for which a world, by its Model.Load, has to wait before its next step; zero: it need not.
// Late holds the members that have just run out of patience: the world goes on without them.
func (l *Lockstep) Wait(now time.Time, load uint64) (wait time.Duration, late []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		if m.ready(load) {
			continue
		}
		if m.blocked.IsZero() {
			m.blocked = now
		}
		left := m.patience - now.Sub(m.blocked)
		if left <= 0 {
			m.late, m.blocked = true, time.Time{}
			late = append(late, m.who)
			continue
		}
		if wait == 0 || left < wait {
			wait = left
		}
	}
	return wait, late
}

// Idle says that no step is due, so that nobody's patience is spent.
func (l *Lockstep) Idle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		m.blocked = time.Time{}
	}
}

// Advance counts a step, and reports whether it was the last that some member had allowed.
func (l *Lockstep) Advance() (rests bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		if m.allowed > 0 && !m.left {
			m.allowed--
			rests = rests || m.allowed == 0
		}
	}
	return rests
}

// Deliver gives a snapshot to those whose allowed steps are done.
func (l *Lockstep) Deliver(s *Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		if m.allowed > 0 || !m.asked || m.left {
			continue
		}
		m.asked = false
		select { // an older one that it has not taken is out of date
		case <-m.rest:
		default:
		}
		m.rest <- s
	}
}
