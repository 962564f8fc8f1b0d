package metrics

import (
	"runtime"
	"time"

	"simdeck/sim"
)

func describe(name, help string, labels ...string) *family {
	return &family{name: "simdeck_" + name, help: help, labels: labels}
}

var (
	info = describe("info", "Which simdeck this is, and its world; always 1.", "version", "go",
		"world")
	state      = describe("state", "1 for the state that the simulation is in, 0 for the others.", "state")
	stepTimes  = describe("step_seconds", "Wall time of a step.")
	stepStages = describe("step_stage_seconds", "Wall time of the parts of a step, smoothed.", "stage")
	stepSize   = describe("step_size_seconds", "Simulated time of a step.")
	simulated  = describe("simulated_seconds", "Simulated time of the world; a reset sets it back.")
	factor     = describe("real_time_factor",
		"Simulated seconds in one of the wall clock, over the last one.")
	asked = describe("real_time_factor_asked",
		"Real-time factor that is asked for; 0 is as fast as possible.")
	entities  = describe("entities", "Entities in the world.")
	contained = describe("contained_entities",
		"Entities whose state became NaN or infinite and that were removed from the dynamics.")
	bodies   = describe("bodies", "Bodies in the world, by whether they are awake.", "awake")
	contacts = describe("contact_points", "Contact points of the last step.")
	commands = describe("commands_total", "Commands that were carried out, and those refused.", "result")
	dropped  = describe("dropped_snapshots_total",
		"Pictures of the world that slow readers inside simdeck have missed.")
	busy = describe("loop_busy_seconds",
		"How long the engine's loop has been at the round under way; 0 while it waits.")
	sessions      = describe("ssh_sessions", "Consoles that operators have open by SSH.")
	peers         = describe("ros_peers", "Other participants that are seen.")
	publishers    = describe("ros_publishers", "Topics that simdeck publishes.")
	subscriptions = describe("ros_subscriptions", "Topics that simdeck takes.")
	matched       = describe("ros_matched",
		"Readers and writers of others that are matched with simdeck's, of services too.", "kind")
	misfits = describe("ros_incompatible_total",
		"Readers and writers of others whose quality of service did not fit.")
	lost    = describe("ros_dropped_samples_total", "Samples that a full history or queue gave up.")
	packets = describe("ros_packets_total", "RTPS datagrams, discovery included.", "direction")
	octets  = describe("ros_bytes_total", "Bytes in RTPS datagrams, discovery included.", "direction")
	panics  = describe("ros_panics_total",
		"Faults of simdeck that datagrams and messages of other participants have triggered; want 0.")
	refused = describe("ros_refused_total", "What others sent or wanted beyond a limit.")
)

// figures of the engine and of the network, looked up when Prometheus asks: nothing is counted in between.
func (s *Server) figures() []byte {
	var to exposition
	s.collectWorld(&to)
	s.collectSteps(&to)
	s.collectSessions(&to)
	s.collectTraffic(&to)
	return to.text()
}

// collectWorld tells what the world is, how fast it goes, and what was commanded.
func (s *Server) collectWorld(to *exposition) {
	now := s.c.Engine.Snapshot()
	to.gauge(info, 1, s.c.Version, runtime.Version(), now.Model.World.Name)
	for _, one := range []sim.State{sim.Stopped, sim.Playing, sim.Paused, sim.Quitting, sim.NoWorld,
		sim.LoadingWorld} {
		to.gauge(state, is(now.State == one), one.String())
	}
	for i, cost := range now.Stats.Stages {
		to.gauge(stepStages, cost.Seconds(), sim.Stage(i).String())
	}
	to.gauge(stepSize, now.StepSize.Seconds())
	to.gauge(simulated, now.Time.Seconds())
	to.gauge(factor, now.Pacing.Measured)
	to.gauge(asked, now.Pacing.Asked)
	to.gauge(entities, float64(len(now.Model.Entities)))
	to.gauge(contained, float64(now.Stats.Contained))
	to.gauge(bodies, float64(now.Stats.Awake), "true")
	to.gauge(bodies, float64(now.Stats.Bodies-now.Stats.Awake), "false")
	to.gauge(contacts, float64(now.Stats.Contacts))
	to.counter(commands, now.Stats.Commands-min(now.Stats.Commands, now.Stats.Refused), "done")
	to.counter(commands, now.Stats.Refused, "refused")
	to.counter(dropped, now.Stats.Dropped)
}

// collectSessions tells how many consoles are open where anybody counts them.
func (s *Server) collectSessions(to *exposition) {
	if open := s.sessions.Load(); open != nil {
		to.gauge(sessions, float64((*open)()))
	}
}

// collectTraffic tells what goes between simdeck and other nodes.
func (s *Server) collectTraffic(to *exposition) {
	if s.c.Graph == nil {
		return
	}
	if t, on := s.c.Graph(); on {
		to.gauge(peers, float64(t.Peers))
		to.gauge(publishers, float64(t.Publishers))
		to.gauge(subscriptions, float64(t.Subscriptions))
		to.gauge(matched, float64(t.MatchedReaders), "reader")
		to.gauge(matched, float64(t.MatchedWriters), "writer")
		to.counter(misfits, t.Misfits)
		to.counter(lost, t.Lost)
		to.counter(packets, t.PacketsIn, "in")
		to.counter(packets, t.PacketsOut, "out")
		to.counter(octets, t.BytesIn, "in")
		to.counter(octets, t.BytesOut, "out")
		to.counter(panics, t.Faults)
		to.counter(refused, t.Refused)
	}
}

// collectSteps tells how long steps took, and how long the loop has been at the last.
func (s *Server) collectSteps(to *exposition) {
	w := s.c.Engine.Monitor()
	to.gauge(busy, w.BusyTime(time.Now()).Seconds())
	t := w.Steps()
	to.histogram(stepTimes, t.Count, t.Sum, t.Most[:], t.Steps[:])
}

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
