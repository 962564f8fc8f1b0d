package sim

import (
	"slices"
	"sync"
	"time"
)

// Lockstep keeps a simulator from running ahead of controllers outside of it, as Webots waits for a
// synchronous controller. Each says how many steps it allows; when they are done the world waits until it
// allows more, or has let its patience pass. A follower says which world it knows, and holds every other: so
// those whom it lets in are there at the first step. Attendants are asked before the first step, and again
// after each command that may have changed what they would allow. No result depends on it. It is safe from
// any goroutine.
type Lockstep struct {
	wake    func()
	mu      sync.Mutex
	members []*LockstepMember // with those that have left since the last Join
}

// Awaited is somebody for whom a world waits before its next step.
type Awaited struct {
	Who   string    // a topic, a controller
	What  string    // that has not come; empty: the next step that a controller asks for
	Since time.Time // of this machine
}

// LockstepHalt begins Snapshot.Halted where a Lockstep has paused the world.
const LockstepHalt = "lockstep: nothing in time from "

// Rest is the world at rest, before a step that a member has not allowed.
type Rest struct {
	Snapshot *Snapshot // with all samples that were due
	// the patience of an attendant is over: the world waits as long once more, and then goes on without it
	Late bool
	turn uint64 // of the attendant
}

// Overdue are those for whom a world has waited in vain.
type Overdue struct {
	Late  []string  // the world goes on without them
	Pause []Awaited // the world is to be paused for them
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
	rest     chan Rest

	// Guarded by the lockstep.
	allowed    uint64
	follows    bool      // it allows all steps of the world that it knows
	onlyAsking bool      // it follows worlds alone whose file asks for topics
	knows      uint64    // that world, as Model.Load counts them
	asked      bool      // it waits for the snapshot after what it allowed
	blocked    time.Time // since when the world waits for it; zero: it does not
	late       bool      // the world goes on without it, until it allows steps again
	left       bool

	attends bool
	pauses  bool      // the world pauses when its patience is over
	told    bool      // it knows that its patience is over
	turn    uint64    // counts the times at which what it allowed was forgotten
	resting Rest      // that it was told of last
	awaited []Awaited // by it
	missed  uint64
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

// FollowAsking is Follow for worlds alone whose file asks for topics.
func (l *Lockstep) FollowAsking(who string, patience time.Duration) *LockstepMember {
	return l.add(&LockstepMember{who: who, patience: patience, follows: true, onlyAsking: true})
}

// Attend lets the world wait for one more, who speaks for others by Await and AllowAfter. Patience is the
// time on the wall clock after which the world pauses. Where it does not, the member gets a Rest that is
// Late, and after as long again the world goes on without it.
func (l *Lockstep) Attend(who string, patience time.Duration, pauses bool) *LockstepMember {
	m := l.add(&LockstepMember{who: who, patience: patience, attends: true, pauses: pauses, asked: true})
	l.wake()
	return m
}

func (l *Lockstep) add(m *LockstepMember) *LockstepMember {
	m.mu, m.wake, m.rest = &l.mu, l.wake, make(chan Rest, 1)
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
	m.allow(steps)
	m.mu.Unlock()
	m.wake()
}

// AllowAfter allows an attendant's steps from a rest on. It does nothing where a command has changed the
// world since: the next Rest shows that.
func (m *LockstepMember) AllowAfter(r Rest, steps uint64) {
	m.mu.Lock()
	if r.turn == m.turn {
		m.allow(steps)
	}
	m.mu.Unlock()
	m.wake()
}

// allow is Allow under the lock.
func (m *LockstepMember) allow(steps uint64) {
	m.allowed, m.asked, m.blocked, m.late, m.told, m.awaited = steps, true, time.Time{}, false, false, nil
}

// Await says for whom an attendant waits at a rest.
func (m *LockstepMember) Await(r Rest, who []Awaited) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.turn == m.turn {
		m.awaited = who
	}
}

// Miss counts what the world went on without.
func (m *LockstepMember) Miss(n uint64) {
	m.mu.Lock()
	m.missed += n
	m.mu.Unlock()
}

// Rest delivers the snapshot after the last of the allowed steps. It is closed when the member has left.
func (m *LockstepMember) Rest() <-chan Rest { return m.rest }

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
func (m *LockstepMember) ready(load uint64, asks bool) bool {
	if m.left || m.patience <= 0 {
		return true
	}
	if m.follows {
		return m.knows == load || m.late || m.onlyAsking && !asks
	}
	return m.allowed > 0 || m.late
}

// Wait is the time for which a world, by its Model.Load, has to wait before its next step; zero: it need not.
// Asks is whether its file asks for topics. Overdue are the members that have just run out of patience.
func (l *Lockstep) Wait(now time.Time, load uint64, asks bool) (wait time.Duration, over Overdue) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		if m.ready(load, asks) {
			continue
		}
		if m.blocked.IsZero() {
			m.blocked = now
		}
		left := m.patience - now.Sub(m.blocked)
		if left <= 0 {
			if !m.expire(now, &over) {
				continue
			}
			left = m.patience
		}
		if wait == 0 || left < wait {
			wait = left
		}
	}
	return wait, over
}

// expire says what happens when the patience with a member is over, and whether the world waits once more.
func (m *LockstepMember) expire(now time.Time, over *Overdue) (again bool) {
	switch {
	case m.pauses:
		over.Pause = append(over.Pause, m.waits()...)
		m.blocked = time.Time{}
		return true
	case m.attends && !m.told:
		m.told, m.blocked = true, now
		m.resting.Late = true
		m.send()
		return true
	}
	m.late, m.blocked = true, time.Time{}
	over.Late = append(over.Late, m.who)
	return false
}

// waits are those for whom the world waits because of a member.
func (m *LockstepMember) waits() []Awaited {
	if len(m.awaited) == 0 {
		return []Awaited{{Who: m.who, Since: m.blocked}}
	}
	all := slices.Clone(m.awaited)
	for i := range all {
		all[i].Since = m.blocked
	}
	return all
}

// send delivers the newest rest.
func (m *LockstepMember) send() {
	select { // an older one that it has not taken is out of date
	case <-m.rest:
	default:
	}
	m.rest <- m.resting
}

// Idle says that no step is due, so that nobody's patience is spent.
func (l *Lockstep) Idle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		m.blocked = time.Time{}
	}
}

// Revoke forgets what attendants have allowed, after a command that may have changed what they wait for.
func (l *Lockstep) Revoke() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		if m.attends {
			m.turn++
			m.allowed, m.asked, m.blocked, m.late, m.told, m.awaited = 0, true, time.Time{}, false, false, nil
		}
	}
}

// Asks reports that an attendant is to be told of the world at rest, by Deliver, before it allows a step.
func (l *Lockstep) Asks() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.members, func(m *LockstepMember) bool { return m.attends && m.rests() })
}

// rests reports that a member is to be told of the world at rest.
func (m *LockstepMember) rests() bool { return m.allowed == 0 && m.asked && !m.left }

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
		if m.rests() {
			m.asked = false
			m.resting = Rest{Snapshot: s, turn: m.turn}
			m.send()
		}
	}
}

// Waiting are those for whom the world has waited since before a time, in the order in which they joined.
// Missed counts the things that it went on without.
func (l *Lockstep) Waiting(before time.Time) (who []Awaited, missed uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members {
		missed += m.missed
		if !m.left && !m.blocked.IsZero() && !m.blocked.After(before) {
			who = append(who, m.waits()...)
		}
	}
	return who, missed
}
