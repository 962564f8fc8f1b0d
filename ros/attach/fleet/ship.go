package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
)

// Periods and timeouts.
const (
	lookPeriod  = time.Second
	rareLooks   = 4               // looks from one at the world and the entities to the next
	silentAfter = 3 * time.Second // an answer that takes longer is none
)

// ship is a simulator that is watched, or was.
type ship struct {
	key         string
	participant string
	prefix      string
	title       string
	host        node.RemoteHost
	sim         attach.Simulator
	remote      *attach.Remote // nil: lost
	stop        context.CancelFunc

	seen     time.Time // it answered last, or showed
	known    bool
	state    sim.State
	world    string
	entities int
	first    string // an entity whose state tells the time
	pace     pace
	fault    string
}

// is reports whether a simulator that is there is this one.
func (s *ship) is(t there) bool { return s.participant == t.participant && s.prefix == t.sim.Prefix }

func (s *ship) begin(now time.Time) {
	s.fault, s.pace = "", pace{}
	s.seen = now
}

func (s *ship) lose() {
	if s.stop != nil {
		s.stop()
	}
	_ = s.remote.Close() // its simulator has gone
	s.remote, s.fault, s.pace = nil, "connection lost", pace{}
}

// member is its row in the table.
func (s *ship) member() sim.Member {
	m := sim.Member{ID: s.key, Name: s.title, Host: cmp.Or(s.host.Name, s.host.Address), World: s.world,
		State: sim.Unknown, Entities: -1, Factor: s.pace.factor(),
		Time: s.pace.to.sim, Timed: s.pace.n > 0, Seen: s.seen, Lost: s.remote == nil, Fault: s.fault}
	if s.known {
		m.State, m.Entities = s.state, s.entities
	}
	return m
}

// follow looks at a simulator until it is lost or ctx ends.
func (f *Fleet) follow(ctx context.Context, s *ship, r *attach.Remote) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		g := glimpse{first: f.firstOf(s)}
		err := g.take(ctx, r, n%rareLooks == 0)
		if ctx.Err() != nil {
			return
		}
		f.tell(s, r, &g, err)
		timer.Reset(lookPeriod)
	}
}

func (f *Fleet) firstOf(s *ship) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.first
}

// tell keeps what was seen, unless the simulator was lost meanwhile.
func (f *Fleet) tell(s *ship, r *attach.Remote, g *glimpse, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.remote != r {
		return
	}
	now := f.now()
	switch {
	case err == nil:
		s.fault = ""
	case errors.Is(err, attach.ErrSilent) || errors.Is(err, context.DeadlineExceeded):
		s.fault = fmt.Sprintf("no reply for %v", now.Sub(s.seen).Round(time.Second))
		s.pace = pace{}
		return
	default:
		s.fault = err.Error()
	}
	s.seen, s.known, s.state = now, true, g.state
	if g.whole {
		s.world, s.entities = g.world, g.entities
	}
	if s.first = g.first; g.timed {
		s.pace.add(g.at, now)
	}
}

// glimpse is the result of a look at a simulator.
type glimpse struct {
	state    sim.State
	whole    bool // world and entities were looked at
	world    string
	entities int
	first    string // an entity
	timed    bool
	at       time.Duration // simulated
}

// take looks. Services that a simulator lacks are left out.
func (g *glimpse) take(ctx context.Context, r *attach.Remote, whole bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, silentAfter, context.DeadlineExceeded)
	defer cancel()
	var err error
	if g.state, err = r.State(ctx); err != nil {
		return err
	}
	if whole {
		r.Simulator() // its services show one after the other
		if err := g.takeWhole(ctx, r); err != nil {
			return err
		}
	}
	if g.first == "" || !r.Serves("GetEntityState") {
		return nil
	}
	s, err := attach.Ask(ctx, r, simif2.GetEntityStateService(),
		&simif2.GetEntityStateRequest{Entity: g.first})
	if err != nil {
		return err
	}
	if s.Result.Result != simif2.ResultOK {
		g.first = "" // it was taken away: another one next time
		return nil
	}
	g.timed, g.at = true, node.SimDuration(s.State.Header.Stamp)
	return nil
}

func (g *glimpse) takeWhole(ctx context.Context, r *attach.Remote) error {
	if r.Serves("GetCurrentWorld") {
		w, err := r.World(ctx)
		if err != nil && !errors.Is(err, sim.ErrNoWorld) {
			return err
		}
		g.world = w.Name
	}
	g.entities = -1
	if r.Serves("GetEntities") {
		s, err := attach.Ask(ctx, r, simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{})
		if err != nil {
			return err
		}
		if g.entities = len(s.Entities); g.entities > 0 {
			g.first = s.Entities[0]
		}
	}
	g.whole = true
	return nil
}

// pace measures the real-time factor.
type pace struct {
	from, to moment
	n        int
}

type moment struct {
	sim  time.Duration
	wall time.Time
}

// paceOver is the least wall time over which a pace is measured.
const paceOver = 3 * time.Second

func (p *pace) add(at time.Duration, now time.Time) {
	m := moment{at, now}
	if p.n == 0 || at < p.to.sim {
		*p = pace{from: m} // it was reset
	} else if p.to.wall.Sub(p.from.wall) >= paceOver {
		p.from = p.to
	}
	p.to = m
	p.n++
}

// factor is less than 0 as long as it cannot be told.
func (p *pace) factor() float64 {
	d := p.to.wall.Sub(p.from.wall)
	if p.n < 2 || d <= 0 {
		return -1
	}
	return float64(p.to.sim-p.from.sim) / float64(d)
}
