package metrics

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"simdeck/sim"
)

// figures collects what Prometheus asks for when it asks: nothing is counted in between.
type figures struct{ *Server }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("simdeck_"+name, help, labels, nil)
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

// Describe says what there may be. It is prometheus.Collector's.
func (f *figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{info, state, stepTimes, stepStages, stepSize, simulated, factor,
		asked, entities, contained, bodies, contacts, commands, dropped, busy,
		sessions, peers, publishers, subscriptions, matched, misfits, lost, packets, octets, panics,
		refused} {
		to <- d
	}
}

// Collect looks. It is prometheus.Collector's.
func (f *figures) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	count := func(d *prometheus.Desc, v uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	s := f.c.Engine.Snapshot()
	gauge(info, 1, f.c.Version, runtime.Version(), s.Model.World.Name)
	for _, one := range []sim.State{sim.Stopped, sim.Playing, sim.Paused, sim.Quitting, sim.NoWorld,
		sim.LoadingWorld} {
		gauge(state, is(s.State == one), one.String())
	}
	f.collectSteps(to)
	for i, cost := range s.Stats.Stages {
		gauge(stepStages, cost.Seconds(), sim.Stage(i).String())
	}
	gauge(stepSize, s.StepSize.Seconds())
	gauge(simulated, s.Time.Seconds())
	gauge(factor, s.Pacing.Measured)
	gauge(asked, s.Pacing.Asked)
	gauge(entities, float64(len(s.Model.Entities)))
	gauge(contained, float64(s.Stats.Contained))
	gauge(bodies, float64(s.Stats.Awake), "true")
	gauge(bodies, float64(s.Stats.Bodies-s.Stats.Awake), "false")
	gauge(contacts, float64(s.Stats.Contacts))
	count(commands, s.Stats.Commands-min(s.Stats.Commands, s.Stats.Refused), "done")
	count(commands, s.Stats.Refused, "refused")
	count(dropped, s.Stats.Dropped)
	if open := f.sessions.Load(); open != nil {
		gauge(sessions, float64((*open)()))
	}
	if f.c.Graph == nil {
		return
	}
	if t, on := f.c.Graph(); on {
		gauge(peers, float64(t.Peers))
		gauge(publishers, float64(t.Publishers))
		gauge(subscriptions, float64(t.Subscriptions))
		gauge(matched, float64(t.MatchedReaders), "reader")
		gauge(matched, float64(t.MatchedWriters), "writer")
		count(misfits, t.Misfits)
		count(lost, t.Lost)
		count(packets, t.PacketsIn, "in")
		count(packets, t.PacketsOut, "out")
		count(octets, t.BytesIn, "in")
		count(octets, t.BytesOut, "out")
		count(panics, t.Faults)
		count(refused, t.Refused)
	}
}

// collectSteps tells how long steps took, and how long the loop has been at the last.
func (f *figures) collectSteps(to chan<- prometheus.Metric) {
	w := f.c.Engine.Monitor()
	to <- prometheus.MustNewConstMetric(busy, prometheus.GaugeValue, w.BusyTime(time.Now()).Seconds())
	t := w.Steps()
	buckets := map[float64]uint64{}
	for i, most := range t.Most {
		buckets[most.Seconds()] = t.Steps[i]
	}
	to <- prometheus.MustNewConstHistogram(stepTimes, t.Count, t.Sum.Seconds(), buckets)
}

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
