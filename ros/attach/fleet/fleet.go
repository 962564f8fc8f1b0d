// Package fleet keeps a table of every simulator on the graph: what it does, where it is, and since when
// nothing was heard of it. One that has gone stays in the table as lost, and is the same row again when it is
// back.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"simdeck/ros/attach"
	"simdeck/ros/node"
	"simdeck/sim"
)

// Fleet watches every simulator on a graph. Its methods are safe for concurrent use.
type Fleet struct {
	graph *attach.Graph
	now   func() time.Time

	mu    sync.Mutex
	ships []*ship
	made  int
}

var _ sim.Fleet = (*Fleet)(nil)

// New makes a fleet of a graph; it starts nothing.
func New(g *attach.Graph) *Fleet { return &Fleet{graph: g, now: time.Now} }

// censusPeriod is the interval of looks at the graph, without news.
const censusPeriod = time.Second

// Run watches until ctx ends.
func (f *Fleet) Run(ctx context.Context) error {
	watch := f.graph.Node().Watch()
	defer watch.Close()
	tick := time.NewTicker(censusPeriod)
	defer tick.Stop()
	var looks sync.WaitGroup
	defer looks.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	for {
		for _, s := range f.census() {
			ctx, stop := context.WithCancel(ctx)
			f.mu.Lock()
			s.stop = stop
			remote := s.remote
			f.mu.Unlock()
			looks.Go(func() { f.follow(ctx, s, remote) })
		}
		select {
		case <-ctx.Done():
			return nil
		case <-watch.C():
		case <-tick.C:
		}
	}
}

// there is a simulator as a look at the graph finds it.
type there struct {
	participant string
	sim         attach.Simulator
	host        node.RemoteHost
}

// look lists who is there. One participant's servers are one simulator for each prefix, so that those that
// share a name are not mixed.
func (f *Fleet) look() (all []there) {
	n := f.graph.Node()
	hosts := n.Hosts()
	of := map[string][]node.RemoteServer{}
	for _, s := range n.Servers() {
		p := s.ID.Participant()
		of[p] = append(of[p], s)
	}
	for p, servers := range of {
		for _, s := range attach.Simulators(servers) {
			if _, ok := s.Serves("GetSimulationState"); ok {
				all = append(all, there{p, s, hosts[p]})
			}
		}
	}
	slices.SortFunc(all, func(a, b there) int {
		return cmp.Or(cmp.Compare(a.sim.Title(), b.sim.Title()), cmp.Compare(a.participant, b.participant),
			cmp.Compare(a.sim.Prefix, b.sim.Prefix))
	})
	return all
}

// census brings the table in line with who is there, and gives those that came.
func (f *Fleet) census() (came []*ship) {
	present := f.look()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.ships {
		if s.remote != nil && !slices.ContainsFunc(present, s.is) {
			s.lose()
		}
	}
	for _, t := range present {
		i := slices.IndexFunc(f.ships, func(s *ship) bool { return s.is(t) })
		if i < 0 { // a lost one that has begun anew on the same machine
			i = slices.IndexFunc(f.ships, func(s *ship) bool {
				return s.remote == nil && s.prefix == t.sim.Prefix && s.host.Address == t.host.Address
			})
		}
		if i < 0 {
			f.made++
			f.ships = append(f.ships, &ship{key: strconv.Itoa(f.made)})
			i = len(f.ships) - 1
		}
		s := f.ships[i]
		s.participant, s.prefix, s.host = t.participant, t.sim.Prefix, t.host
		if t.sim.Node != "" || s.title == "" { // a leaving simulator takes back its name before its services
			s.title = t.sim.Title()
		}
		if s.sim = t.sim; s.remote == nil {
			s.remote = f.graph.Attach(t.sim, attach.Options{Answer: silentAfter})
			s.begin(f.now())
			came = append(came, s)
		}
	}
	return came
}

// Members is the table, by name, then host.
func (f *Fleet) Members() []sim.Member {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rows []sim.Member
	for _, s := range f.ships {
		rows = append(rows, s.member())
	}
	slices.SortStableFunc(rows, func(a,
		b sim.Member) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Host, b.Host))
	})
	return rows
}

// Simulator is the simulator of a row, to attach to; false when it is lost.
func (f *Fleet) Simulator(key string) (attach.Simulator, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.ships {
		if s.key == key && s.remote != nil {
			return s.sim, true
		}
	}
	return attach.Simulator{}, false
}

// Forget takes a row out of the table whose simulator is lost.
func (f *Fleet) Forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ships = slices.DeleteFunc(f.ships, func(s *ship) bool { return s.key == id && s.remote == nil })
}

// Do sends a command to several at once, and says of which of them it was refused, and why. Being already in
// the state that is asked for is as good as getting there.
func (f *Fleet) Do(ctx context.Context, ids []string, c sim.Command) error {
	f.mu.Lock()
	var to []*ship
	var remotes []*attach.Remote
	for _, s := range f.ships {
		if slices.Contains(ids, s.key) {
			to, remotes = append(to, s), append(remotes, s.remote)
		}
	}
	f.mu.Unlock()
	errs := make([]error, len(to))
	var all sync.WaitGroup
	for i, r := range remotes {
		if r == nil {
			errs[i] = fmt.Errorf("%s: %w", to[i].title, attach.ErrGone)
			continue
		}
		all.Go(func() {
			if _, err := r.Do(ctx, c); err != nil && !errors.Is(err, sim.ErrAlreadyInState) {
				errs[i] = fmt.Errorf("%s: %w", r.Title(), err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
