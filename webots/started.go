package webots

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"simdeck/sim"
)

// DefaultStartPatience is the time for which a world waits for the first step of a controller that is started
// for it.
const DefaultStartPatience = 15 * time.Second

// refusalRate is the number of refusals that are logged in a second.
const refusalRate = 10

// Programs are the controllers that are started for robots. The zero value starts none.
type Programs struct {
	// Project is the absolute path of the folder of the user's project. Only robots of files in its folder
	// worlds have a controller started, from its folder controllers. Empty: no robot has.
	Project  string
	Environ  []string      // of this process
	Guard    []string      // GuardCommand; nil: there is no guard
	Open     opener        // of files of the project
	Patience time.Duration // for the first step of each; 0: DefaultStartPatience
}

// started are the controllers that were started, by the robots' entities. A robot that was spawned has none,
// nor has one of a world from elsewhere: a client starts nothing.
type started struct {
	c        Programs
	with     surroundings
	follower *sim.LockstepMember // holds each new world until its controllers are known
	told     rate

	mu  sync.Mutex
	all map[uint64]*process // nil: it has none, and that was said
}

// surroundings are the parts of a server that processes need.
type surroundings struct {
	lockstep *sim.Lockstep
	group    *sync.WaitGroup          // of all goroutines
	isTaken  func(entity string) bool // a robot has a controller
	log      *slog.Logger
	guard    *guard
}

// newStarted starts nothing yet; nil: nothing is ever started.
func newStarted(c Programs, user string, with surroundings) *started {
	if c.Project == "" {
		return nil
	}
	c.Patience = cmp.Or(c.Patience, DefaultStartPatience)
	env := environment(c.Environ).clean()
	if env.value("USER")+env.value("USERNAME") == "" && user != "" {
		// the library would take the same, and complain
		env = env.with("USER", user)
	}
	c.Environ = env
	if len(c.Guard) > 0 {
		with.guard = &guard{command: c.Guard, log: with.log}
	}
	return &started{c: c, with: with, all: map[uint64]*process{},
		follower: with.lockstep.Follow("start of controllers", c.Patience)}
}

// claim hands over the place in the lockstep that is kept for a robot's controller; nil: there is none.
func (st *started) claim(entity uint64) *sim.LockstepMember {
	if p := st.of(entity); p != nil {
		return p.claim()
	}
	return nil
}

// of is the process of a robot; nil: it has none.
func (st *started) of(entity uint64) *process {
	if st == nil {
		return nil
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.all[entity]
}

// leave ends the controllers of robots that are gone, and returns when they have ended.
func (st *started) leave(snapshot *sim.Snapshot) {
	there := map[uint64]bool{}
	for i := range snapshot.Model.Entities {
		there[snapshot.Model.Entities[i].ID] = true
	}
	st.mu.Lock()
	var gone []*process
	for id, p := range st.all {
		if there[id] {
			continue
		}
		if delete(st.all, id); p != nil {
			gone = append(gone, p)
		}
	}
	st.mu.Unlock()
	for _, p := range gone {
		p.stop()
	}
	for _, p := range gone {
		<-p.done
	}
}

// end ends all controllers, and holds no world any more.
func (st *started) end() {
	st.leave(&sim.Snapshot{Model: &sim.Model{}})
	st.follower.Leave()
	st.with.guard.end()
}

// find makes processes for robots that came, and starts none. It says why others get none.
func (st *started) find(snapshot *sim.Snapshot, robots []candidate) (found []*process) {
	names := map[string]int{}
	for _, r := range robots {
		names[r.name]++
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	running := 0
	for _, p := range st.all {
		if p != nil {
			running++
		}
	}
	for _, r := range robots {
		if _, known := st.all[r.id]; known || !r.names() {
			continue
		}
		st.all[r.id] = nil
		p, err := st.prepare(snapshot, r)
		switch {
		case err != nil:
		case names[r.name] > 1:
			err = fmt.Errorf("%w: %d robots are called %q, and controllers find theirs by its name", errProgram,
				names[r.name], r.name)
		case running >= maxControllers:
			err = fmt.Errorf("%w: %d controllers run, which is the most", errProgram, running)
		}
		if err == nil {
			st.all[r.id] = p
			found = append(found, p)
			running++
		} else if st.told.pass(refusalRate) {
			st.with.log.Warn("webots: a controller is not started: start it yourself", "robot", r.entity,
				"controller", r.controller, "reason", err)
		}
	}
	return found
}

// prepare is the process of a robot, or why it has none.
func (st *started) prepare(snapshot *sim.Snapshot, r candidate) (*process, error) {
	index, ok := snapshot.Find(r.entity)
	if !ok {
		return nil, fmt.Errorf("%w: there is no entity %s", errProgram, r.entity)
	}
	e := &snapshot.Model.Entities[index]
	if e.Spawned {
		return nil, fmt.Errorf("%w: a client has spawned the robot", errProgram)
	}
	worlds := filepath.Join(st.c.Project, "worlds")
	if filepath.Dir(filepath.FromSlash(snapshot.Model.File.Path)) != worlds {
		return nil, fmt.Errorf("%w: the world is no file of %s", errProgram, worlds)
	}
	what, err := findProgram(st.c.Open, st.c.Project, r.controller, e.Spec.Robot.Args, st.c.Environ)
	if err != nil {
		return nil, err
	}
	p := &process{surroundings: st.with, entity: r.entity, robot: r.name, program: what,
		patience: st.c.Patience, again: make(chan struct{}, 1), done: make(chan struct{})}
	p.log = st.with.log.With("robot", r.entity, "controller", r.controller)
	if e.Spec.Robot.Asynchronous {
		p.patience = 0
	}
	return p, nil
}

// start starts processes. The world waits for each of them. Addresses are those at which they find robots.
func (st *started) start(ctx context.Context, all []*process, addresses func(robot string) string) {
	for _, p := range all {
		running, stop := context.WithCancel(ctx)
		p.stop = stop
		p.url = addresses(p.robot)
		p.await()
		st.with.group.Go(func() { p.keep(running) })
	}
}

// follow has a local socket and, where they are wanted, a controller for each robot of the world that stands,
// until ctx ends.
func (s *Server) follow(ctx context.Context) {
	if s.started != nil {
		defer s.started.end()
	}
	if s.local != nil {
		if err := s.local.begin(); err != nil {
			s.c.Log.Warn("webots: controllers may connect by TCP only", "reason", err)
			s.local = nil
		} else {
			defer s.local.end()
		}
	}
	looks := s.c.Backend.Subscribe(sim.Latest(lookPeriod))
	defer looks.Close()
	looks.WantSensors(false)
	var model *sim.Model
	for {
		select {
		case snapshot, open := <-looks.C():
			if !open {
				return
			}
			if snapshot.Model != model {
				model = snapshot.Model
				s.update(ctx, snapshot)
			}
		case <-ctx.Done():
			return
		}
	}
}

// update has sockets and controllers for the robots of a snapshot.
func (s *Server) update(ctx context.Context, snapshot *sim.Snapshot) {
	var found []*process
	if s.started != nil {
		s.started.leave(snapshot)
		found = s.started.find(snapshot, s.robots(snapshot))
	}
	if s.local != nil {
		s.local.update(ctx, s, snapshot)
	}
	if s.started != nil {
		s.started.start(ctx, found, s.urlOf)
		s.started.follower.Know(snapshot.Model.Load)
	}
}

// urlOf is the address at which a controller on this machine finds a robot: its local socket, where it has
// one. The name is plain: libraries since R2023b encode it themselves.
func (s *Server) urlOf(robot string) string {
	address := s.Addr()
	if s.local != nil && s.local.sockets[robot] != nil {
		return "ipc://" + strconv.Itoa(address.Port) + "/" + robot
	}
	host := address.IP
	if host.IsUnspecified() {
		host = net.IPv4(127, 0, 0, 1)
	}
	return "tcp://" + net.JoinHostPort(host.String(), strconv.Itoa(address.Port)) + "/" + robot
}
