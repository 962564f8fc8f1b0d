package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/node"
)

// Why there is no simulator to call.
var (
	ErrNoSimulator = errors.New("no simulator")
	ErrSeveral     = errors.New("several simulators")
	ErrNotServed   = errors.New("not served")
)

// Times to wait for a second simulator after the first one, when none is named. Peers answer a newcomer at
// once, so that all of them show within about the first one's time, which is long on a busy machine. Some
// then need much longer until their services are known.
const (
	settleAtLeast = 20 * time.Millisecond
	settleAtMost  = time.Second // when all have said who they are
	// when some have not, or not yet what their nodes have; those that are no ROS nodes never do
	strangersMay = time.Second
)

// quiet is the time without news of a simulator after which services that it lacks are reported missing.
const quiet = 500 * time.Millisecond

// Want says which simulator is looked for.
type Want struct {
	Node   string        // see Simulator.Called; "": the only one
	Kind   string        // of a service that it must serve; "": any
	Within time.Duration // how long; 0: 5 s
}

// showsWithin is the default of Want.Within.
const showsWithin = 5 * time.Second

// Find waits until the simulator that is wanted shows on the graph. Errors wrap ErrNoSimulator when it does
// not, with the simulators that were found. They wrap ErrSeveral when the choice is ambiguous, and
// ErrNotServed when the chosen one lacks a required service.
func (g *Graph) Find(ctx context.Context, w Want) (Simulator, error) {
	within := cmp.Or(w.Within, showsWithin)
	ctx, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("looked for %v", within))
	defer cancel()
	watch := g.node.Watch()
	defer watch.Close()
	s := search{want: w, began: time.Now()}
	for {
		found, wait, err := s.look(Simulators(g.node.Servers()), !g.node.Complete(), time.Now())
		if errors.Is(err, ErrSeveral) {
			return found, g.several(ctx, s.fit)
		}
		if err != nil || wait == 0 {
			return found, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-watch.C():
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return Simulator{}, g.nothing(ctx, w)
		}
		timer.Stop()
	}
}

// search is the state of Find between two looks.
type search struct {
	want  Want
	began time.Time
	first time.Time   // when a simulator was first seen; zero: not yet
	known int         // services of those that are meant
	news  time.Time   // when there were last more or fewer
	fit   []Simulator // with ErrSeveral
}

// look decides: a simulator, an error, or how long to wait for news. foreign
// says that there are participants of which not all is known.
func (s *search) look(all []Simulator, foreign bool, now time.Time) (Simulator, time.Duration, error) {
	var meant, fit []Simulator
	for _, sim := range all {
		if s.want.Node != "" && !sim.Called(s.want.Node) {
			continue
		}
		meant = append(meant, sim)
		if _, ok := sim.Serves(s.want.Kind); ok || s.want.Kind == "" {
			fit = append(fit, sim)
		}
	}
	known := 0
	for _, sim := range meant {
		known += len(sim.Services)
	}
	if known != s.known {
		s.known, s.news = known, now
	}
	switch {
	case len(meant) == 0:
		return Simulator{}, time.Hour, nil
	case len(fit) == 0:
		if left := quiet - now.Sub(s.news); left > 0 {
			return Simulator{}, left, nil
		}
		return Simulator{}, 0, notServed(meant[0], s.want.Kind)
	case len(fit) == 1 && s.want.Node != "":
		return fit[0], 0, nil
	}
	if s.first.IsZero() {
		s.first = now
	}
	settle := min(max(s.first.Sub(s.began), settleAtLeast), settleAtMost)
	if foreign {
		settle = strangersMay
	}
	if left := settle - now.Sub(s.first); left > 0 {
		return Simulator{}, left, nil
	}
	if len(fit) > 1 {
		s.fit = fit
		return Simulator{}, 0, ErrSeveral
	}
	return fit[0], 0, nil
}

// describeWithin bounds the calls that describe simulators.
const describeWithin = time.Second

// several is the error about a choice between simulators, with each one's host, world and state.
func (g *Graph) several(ctx context.Context, list []Simulator) error {
	ctx, cancel := context.WithTimeout(ctx, describeWithin)
	defer cancel()
	hosts := g.node.Hosts()
	names, lines := make([]string, len(list)), make([]string, len(list))
	var asking sync.WaitGroup
	for i, s := range list {
		names[i] = s.Title()
		if s.Prefix != "/" && s.Prefix != names[i] {
			names[i] += " (services under " + s.Prefix + ")"
		}
		asking.Go(func() { lines[i] = names[i] + g.describe(ctx, s, hosts) })
	}
	asking.Wait()
	all := strings.Join(lines, ", ")
	slices.Sort(names)
	if len(slices.Compact(names)) < len(list) {
		return fmt.Errorf("%w: %s: some share a name; start them under names of their own (--namespace)",
			ErrSeveral, all)
	}
	return fmt.Errorf("%w: %s; --node says which", ErrSeveral, all)
}

// describe is a simulator's host, world and state in brackets.
func (g *Graph) describe(ctx context.Context, s Simulator, hosts map[string]node.RemoteHost) string {
	var parts []string
	if len(s.Services) > 0 {
		if h := hosts[s.Services[0].id.Participant()]; h != (node.RemoteHost{}) {
			parts = append(parts, "on "+cmp.Or(h.Name, h.Address))
		}
	}
	r := g.Attach(s, Options{})
	defer r.Close()
	if r.Serves("GetCurrentWorld") {
		if w, err := r.World(ctx); err == nil && w.Name != "" {
			parts = append(parts, "world "+w.Name)
		}
	}
	if r.Serves("GetSimulationState") {
		if state, err := r.State(ctx); err == nil {
			parts = append(parts, state.String())
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func notServed(s Simulator, kind string) error {
	var has []string
	for _, v := range s.Services {
		has = append(has, snake(v.Kind))
	}
	return fmt.Errorf("%s: %w by %s; it has %s", snake(kind), ErrNotServed, s.Title(),
		strings.Join(has, ", "))
}

// nothing says what is on the graph when no simulator is.
func (g *Graph) nothing(ctx context.Context, w Want) error {
	whom := fmt.Sprintf("on domain %d", g.domain)
	if w.Node != "" {
		whom = fmt.Sprintf("%q %s", w.Node, whom)
	}
	all := Simulators(g.node.Servers())
	if len(all) > 0 {
		var names []string
		for _, s := range all {
			names = append(names, s.Title())
		}
		return fmt.Errorf("%w %s, %w: there is %s", ErrNoSimulator, whom, context.Cause(ctx),
			strings.Join(names, ", "))
	}
	return fmt.Errorf("%w %s, %w: %s; is it running, in this domain (--domain, ROS_DOMAIN_ID) and within reach (--peers, --interface)?",
		ErrNoSimulator, whom, context.Cause(ctx), g.census())
}

// census describes the other participants, and their services that could be mistaken for a simulator's.
func (g *Graph) census() string {
	seen := g.node.Graph()
	if seen.Participants == 0 {
		return "no other participants"
	}
	others := slices.DeleteFunc(seen.Nodes, func(name string) bool { return name == g.node.FullName() })
	text := fmt.Sprintf("%d others are there", seen.Participants)
	if seen.Participants == 1 {
		text = "one other is there"
	}
	if len(others) > 0 {
		text += ", with " + shorten(others, 6)
	}
	var alike []string
	for _, v := range seen.Services {
		for _, row := range services() {
			if v.Publishers > 0 && strings.HasSuffix(v.Name, "/"+row.name()) {
				alike = append(alike, fmt.Sprintf("%s is a %s", v.Name, strings.Join(v.Types, " and ")))
			}
		}
	}
	if len(alike) > 0 {
		text += "; " + shorten(alike, 3) + ", which is not of simulation_interfaces"
	}
	return text
}

// shorten lists at most n.
func shorten(list []string, n int) string {
	if len(list) > n {
		return strings.Join(list[:n], ", ") + fmt.Sprintf(" and %d more", len(list)-n)
	}
	return strings.Join(list, ", ")
}
