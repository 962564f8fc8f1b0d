package siege

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/transport"
)

const (
	domain  = 77
	metrics = "127.0.0.1:9477"
	// look is the interval of the target's figures; ask is that of the honest client's requests, and patience
	// its time-out.
	look     = 250 * time.Millisecond
	ask      = 50 * time.Millisecond
	patience = 5 * time.Second
)

func chosen(name string) bool { return regexp.MustCompile(*only).MatchString(name) }

// target is a running simdeck.
type target struct {
	cmd *exec.Cmd
	log bytes.Buffer
}

func start() (*target, error) {
	state, err := os.MkdirTemp("", "siege")
	if err != nil {
		return nil, err
	}
	args := []string{"run", cmp.Or(*world, "bench"), "--domain", strconv.Itoa(domain), "--metrics", metrics}
	t := &target{cmd: exec.Command(*binary, args...)}
	t.cmd.Stdout, t.cmd.Stderr = &t.log, &t.log
	t.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	return t, t.cmd.Start()
}

func (t *target) stop() error {
	t.cmd.Process.Signal(syscall.SIGINT)
	timer := time.AfterFunc(10*time.Second, func() { t.cmd.Process.Kill() })
	defer timer.Stop()
	if err := t.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, t.log.String())
	}
	return nil
}

// figures asks for the target's metrics.
func figures() (map[string]float64, error) {
	r, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	all := map[string]float64{}
	for s := bufio.NewScanner(r.Body); s.Scan(); {
		if name, value, ok := strings.Cut(s.Text(), " "); ok {
			all[name], _ = strconv.ParseFloat(value, 64)
		}
	}
	return all, nil
}

// peak is the most memory that a process has had, in MB.
func peak(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(text)
	if m == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024
}

// scout is the honest client: it looks at the graph and asks for the simulation's state.
type scout struct {
	*node.Node
	udp  *transport.UDP
	part *rtps.Participant
	ask  *node.Client[simif2.GetSimulationStateRequest, simif2.GetSimulationStateResponse]
	done chan error
	stop context.CancelFunc
}

func newScout(ctx context.Context) (*scout, error) {
	var s scout
	u, err := transport.Open(transport.Config{Domain: domain})
	if err != nil {
		return nil, err
	}
	if s.Node, err = node.New(node.Config{Name: "honest", Domain: domain, Transport: u}); err != nil {
		return nil, err
	}
	w, err := transport.Open(transport.Config{Domain: domain})
	if err != nil {
		return nil, err
	}
	if s.part, err = rtps.New(rtps.Config{DomainID: domain, Transport: w}); err != nil {
		return nil, err
	}
	if s.ask, err = node.NewClient(s.Node, "/get_simulation_state",
		simif2.GetSimulationStateService()); err != nil {
		return nil, err
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.done = make(chan error, 2)
	go func() { s.done <- s.Node.Run(ctx) }()
	go func() { s.done <- s.part.Run(ctx) }()
	return &s, nil
}

func (s *scout) end() error {
	s.stop()
	return errors.Join(<-s.done, <-s.done)
}

// find waits until the target is seen with all that it has, and gives its name, where it listens, and its
// endpoints.
func (s *scout) find(ctx context.Context) (prefix wire.GUIDPrefix, meta string, all []netsim.Endpoint,
	err error) {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	if err := s.ask.WaitReady(ctx); err != nil {
		return prefix, "", nil, err
	}
	for before := -1; ctx.Err() == nil; time.Sleep(time.Second) {
		g := s.part.Graph()
		all = nil
		for _, e := range g.Writers {
			if e.Topic == "rt/clock" {
				prefix = e.GUID.Prefix
			}
		}
		for _, e := range append(g.Writers, g.Readers...) {
			if e.GUID.Prefix == prefix {
				all = append(all, netsim.Endpoint{Writer: e.Writer, Entity: e.GUID.Entity, Topic: e.Topic,
					Type:     e.Type,
					Reliable: e.QoS.Reliability == rtps.Reliable})
			}
		}
		for _, p := range g.Participants {
			if p.GUID.Prefix == prefix {
				meta = p.Address
			}
		}
		if len(all) > 0 && len(all) == before {
			return prefix, meta, all, nil
		}
		before = len(all)
	}
	return prefix, "", nil, errors.New("the simulator does not show itself")
}

// besiege starts a simulator, attacks it in one way, and tells how it did.
func besiege(ctx context.Context, name string) (l line, err error) {
	t, err := start()
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, t.stop()) }()
	s, err := newScout(ctx)
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	prefix, meta, all, err := s.find(ctx)
	if err != nil {
		return l, err
	}
	r, err := newRaw(meta)
	if err != nil {
		return l, err
	}
	defer r.Close()
	captures, err := netsim.Captures("../rtps/wire/testdata/captures/*")
	if err != nil {
		return l, err
	}
	a := &netsim.Attacker{Target: prefix, Victim: r.self(), Self: r.self(), Captures: captures,
		Topic: "rt/clock", Type: "rosgraph_msgs::msg::dds_::Clock_"}
	a.Seed(1)
	for _, load := range netsim.Loads(a, all, newcomers(prefix, r.self())) {
		if load.Name == name {
			return watched(ctx, t, s, func() int { return r.attack(&load) }, name)
		}
	}
	return watched(ctx, t, s, func() int { time.Sleep(*measure); return 0 }, name)
}

// watched looks on during an attack.
func watched(ctx context.Context, t *target, s *scout, attack func() int, name string) (line, error) {
	l := line{name: name}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	group.Go(func() { l.watch(ctx) })
	group.Go(func() { l.request(ctx, s) })
	time.Sleep(time.Second)
	before, begun, err := cpu(t.cmd.Process.Pid), time.Now(), error(nil)
	f, err := figures()
	if err != nil {
		return l, err
	}
	l.sent = attack()
	after, err := figures()
	took := time.Since(begun).Seconds()
	l.cpu = (cpu(t.cmd.Process.Pid) - before) / took
	l.out = (after[`simdeck_ros_bytes_total{direction="out"}`] - f[`simdeck_ros_bytes_total{direction="out"}`]) / took
	l.packets = (after[`simdeck_ros_packets_total{direction="out"}`] - f[`simdeck_ros_packets_total{direction="out"}`]) / took
	l.panics = after["simdeck_ros_panics_total"]
	stop()
	group.Wait()
	l.peak = peak(t.cmd.Process.Pid)
	return l, err
}

// cpu is the processor time that a process has had, in seconds.
func cpu(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}

// watch notes how fast simulated time goes.
func (l *line) watch(ctx context.Context) {
	var at time.Time
	var simulated float64
	for ctx.Err() == nil {
		f, err := figures()
		now := time.Now()
		if err == nil {
			if !at.IsZero() {
				l.factors = append(l.factors, (f["simdeck_simulated_seconds"]-simulated)/now.Sub(at).Seconds())
			}
			at, simulated = now, f["simdeck_simulated_seconds"]
		}
		time.Sleep(look)
	}
}

// request asks again and again.
func (l *line) request(ctx context.Context, s *scout) {
	for ctx.Err() == nil {
		begun := time.Now()
		c, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
		_, err := s.ask.Call(c, &simif2.GetSimulationStateRequest{})
		stop()
		l.asked++
		if err != nil {
			l.lost++
		}
		l.slowest = max(l.slowest, time.Since(begun))
		time.Sleep(ask)
	}
}

// attack sends a load and answers what comes back as it wants.
func (r *raw) attack(l *netsim.Load) (sent int) {
	send := func(b []byte, to int) {
		if _, err := r.WriteTo(b, r.to[to]); err == nil {
			sent++
		}
	}
	var turn sync.Mutex
	next := func() []byte {
		turn.Lock()
		defer turn.Unlock()
		return l.Next()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 1<<16)
		for {
			n, err := r.Read(b)
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
			if err != nil || l.Intruder == nil {
				continue
			}
			turn.Lock()
			back := l.Intruder.Answer(b[:n], l.Answers)
			turn.Unlock()
			for _, b := range back {
				r.WriteTo(b, r.to[0])
			}
		}
	}()
	defer func() {
		r.SetReadDeadline(time.Now())
		<-done
	}()
	for i, b := range l.Opening {
		send(b, 0)
		if i%10 == 9 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	count := int(float64(l.Count) * *share)
	if l.Lasting {
		for end := time.Now().Add(*measure); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
			send(next(), 0)
		}
		return sent
	}
	begun := time.Now()
	for i := range count {
		send(next(), i%2)
		if i%50 == 0 {
			due := time.Duration(float64(i) / float64(*perSec) * float64(time.Second))
			time.Sleep(time.Until(begun.Add(due)))
		}
	}
	return sent
}
