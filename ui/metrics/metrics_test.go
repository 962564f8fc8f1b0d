package metrics

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// pretend is an engine whose loop can be stuck.
type pretend struct {
	state sim.State
	watch *sim.LoopMonitor
}

func (p *pretend) Monitor() *sim.LoopMonitor { return p.watch }
func (p *pretend) Snapshot() *sim.Snapshot {
	return &sim.Snapshot{State: p.state, Model: &sim.Model{World: sim.WorldInfo{Name: "hall \"3\""}}}
}

// quiet is a server without an address.
func quiet(c Config) *Server {
	c.Log = slog.New(slog.DiscardHandler)
	return newServer(c)
}

func get(t *testing.T, s *Server, path string) (int, string) {
	t.Helper()
	r := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
	return r.Code, r.Body.String()
}

func scrape(t *testing.T, s *Server) map[string]*dto.MetricFamily {
	t.Helper()
	code, text := get(t, s, "/metrics")
	parser := expfmt.NewTextParser(model.LegacyValidation)
	all, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if code != 200 || err != nil {
		t.Fatalf("%d %v\n%s", code, err, text)
	}
	return all
}

// fakeLibrary has one empty world, and nothing else.
type fakeLibrary struct{ scene.Library }

func (fakeLibrary) World(scene.Resource) (*scene.WorldSpec, error) {
	return &scene.WorldSpec{Name: "hall"}, nil
}

// held is a recorder that holds the loop after some steps until it is let go.
type held struct {
	after uint64
	there chan struct{} // closed when it holds
	let   chan struct{}
}

func (h *held) Begin(sim.RecordPosition, []sim.LogEntry, uint64) {}
func (h *held) Command(sim.LogEntry)                             {}
func (h *held) State(uint64, time.Duration, sim.Restore)         {}
func (h *held) End()                                             {}
func (h *held) Full() bool                                       { return false }
func (h *held) Step(total, _ uint64) {
	if total == h.after {
		close(h.there)
		<-h.let
	}
}

// TestALoopThatIsStuckIsSeenWithoutWaitingForIt holds a real engine in a step.
func TestALoopThatIsStuckIsSeenWithoutWaitingForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &held{after: 100, there: make(chan struct{}), let: make(chan struct{})}
		e, err := engine.New(engine.Config{Library: fakeLibrary{},
			World: sim.Resource{URI: "hall"}, Start: sim.Playing,
			RealTime: engine.AsFastAsPossible, Monitor: Watch("0"), Recorder: h})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		done := make(chan error, 1)
		go func() { done <- e.Run(ctx) }()
		s := quiet(Config{Engine: e})
		<-h.there
		if why := s.sick(time.Now().Add(stuckAfter + time.Second)); !strings.Contains(why, "at one step") {
			t.Errorf("held in a step it is well: %q", why)
		}
		time.Sleep(time.Millisecond)
		all := scrape(t, s)
		if n := all["simdeck_step_seconds"].GetMetric()[0].GetHistogram().GetSampleCount(); n != h.after-1 {
			t.Errorf("%d steps have ended, want %d", n, h.after-1)
		}
		if all["simdeck_loop_busy_seconds"].GetMetric()[0].GetGauge().GetValue() <= 0 {
			t.Error("the loop is held, and nothing says so")
		}
		close(h.let)
		if _, err := e.Do(context.Background(), sim.SetState{State: sim.Paused}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // it answers before it rests
		if why := s.unready(time.Now().Add(time.Hour)); why != "" {
			t.Errorf("a paused world: %s", why)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestPrometheusReadsWhatTheEngineDoes(t *testing.T) {
	watch := sim.NewLoopMonitor(time.Now())
	e := &pretend{sim.Playing, watch}
	s := quiet(Config{Engine: e, Version: "1.2.3", Graph: func() (Traffic, bool) {
		return Traffic{Publishers: 7, MatchedReaders: 3, BytesOut: 1 << 40, Lost: 2}, true
	}})
	s.CountSessions(func() int { return 5 })
	all := scrape(t, s)
	for name, want := range map[string]float64{"simdeck_ros_publishers": 7,
		"simdeck_ros_dropped_samples_total": 2, "simdeck_ssh_sessions": 5, "simdeck_entities": 0} {
		m := all[name].GetMetric()
		if len(m) != 1 || m[0].GetGauge().GetValue()+m[0].GetCounter().GetValue() != want {
			t.Errorf("%s: %v, want %v", name, m, want)
		}
	}
	for _, m := range all["simdeck_state"].GetMetric() {
		if m.GetGauge().GetValue() == 1 != (m.GetLabel()[0].GetValue() == "playing") {
			t.Errorf("state: %v", m)
		}
	}
	if got := all["simdeck_info"].GetMetric()[0].String(); !strings.Contains(got, "1.2.3") ||
		!strings.Contains(got, `hall \"3\"`) {
		t.Error(got)
	}
	if all["go_goroutines"] == nil {
		t.Error("there are no figures of Go's runtime")
	}
}

func TestAWorldThatIsNotThereIsNotReady(t *testing.T) {
	now := time.Now()
	for state, want := range map[sim.State]string{sim.Playing: "", sim.Paused: "", sim.Stopped: "",
		sim.NoWorld: "the state is no world", sim.LoadingWorld: "the state is loading",
		sim.Quitting: "the state is quitting"} {
		s := &Server{c: Config{Engine: &pretend{state, sim.NewLoopMonitor(now)}}}
		if sick, unready := s.sick(now), s.unready(now); sick != "" || unready != want {
			t.Errorf("%v: sick %q, unready %q, want %q", state, sick, unready, want)
		}
	}
	s := quiet(Config{Engine: &pretend{sim.NoWorld, sim.NewLoopMonitor(now)}})
	if code, _ := get(t, s, "/healthz"); code != 200 {
		t.Errorf("healthz: %d", code)
	}
	if code, said := get(t, s, "/readyz"); code != 503 || said != "the state is no world\n" {
		t.Errorf("readyz: %d %s", code, said)
	}
	if code, _ := get(t, s, "/else"); code != 404 {
		t.Errorf("something else: %d", code)
	}
}

func TestAPortAloneIsForThisMachineOnly(t *testing.T) {
	for given, want := range map[string]string{"9100": "127.0.0.1:9100", ":9100": "127.0.0.1:9100",
		"0.0.0.0:9100": "0.0.0.0:9100", "[::]:9100": "[::]:9100", "host:0": "host:0"} {
		if got, err := addressOf(given); got != want || err != nil {
			t.Errorf("%s: %s %v, want %s", given, got, err, want)
		}
	}
	for _, given := range []string{"x", "host", "host:x", "70000", "-1", "1.2.3.4"} {
		if got, err := addressOf(given); err == nil {
			t.Errorf("%s is taken as %s", given, got)
		}
	}
	s, err := Open(Config{})
	if s != nil || err != nil || Watch("") != nil {
		t.Error("nobody asked for figures, and there are some")
	}
	s.CountSessions(nil)
	s.Run(context.Background())
}

// TestEveryQueryOfTheDashboardNamesFiguresThatThereAre looks into the dashboard that is shipped.
func TestEveryQueryOfTheDashboardNamesFiguresThatThereAre(t *testing.T) {
	data, err := os.ReadFile("../../deploy/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	s := quiet(Config{Engine: &pretend{sim.Playing, sim.NewLoopMonitor(time.Now())},
		Graph: func() (Traffic, bool) { return Traffic{}, true }})
	s.CountSessions(func() int { return 0 })
	all := scrape(t, s)
	named := regexp.MustCompile(`\b(simdeck|go|process)_[a-z_]+\b`)
	shown := map[string]bool{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			names := named.FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s: %s names nothing of ours", p.Title, target.Expr)
			}
			for _, n := range names {
				family := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(n, "")
				if all[family] == nil && all[n] == nil {
					t.Errorf("%s: there is no %s", p.Title, n)
				}
				shown[family], shown[n] = true, true
			}
		}
	}
	for name := range all {
		if strings.HasPrefix(name, "simdeck_") && name != "simdeck_info" && !shown[name] {
			t.Errorf("%s is on no panel", name)
		}
	}
}
