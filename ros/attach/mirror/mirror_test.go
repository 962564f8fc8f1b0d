package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/attach"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const crate = `<sdf version="1.9"><model name="crate"><link name="body">
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision></link></model></sdf>`

const yard = `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="yard">
<physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static>
<link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<include><uri>model://crate</uri><name>crate_a</name><pose>0 2 0.3 0 0 0</pose></include>
<frame name="dock"><pose>1 2 0 0 0 0</pose></frame></world></sdf>`

var files = rostest.Files(map[string]string{
	"yard/world.sdf":                    yard,
	"models/crate/model.config":         `<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/crate/model.sdf":            crate,
	"models/crate/model.simulationinfo": `{"description": "A crate", "category": "dynamic_object", "tags": ["wood"], "asset": "model.sdf"}`,
})

// field is a virtual network in the time of a synctest bubble.
type field struct {
	t   *testing.T
	net *netsim.Network
	g   *attach.Graph
}

func inTheField(t *testing.T, f func(*field)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &field{t: t, net: netsim.New(1)}
		g, err := attach.Open(attach.Config{Transport: x.net.Host("user"), Node: "_user"})
		if err != nil {
			t.Fatal(err)
		}
		x.g = g
		rostest.Run(t, "graph", func(ctx context.Context) error {
			return g.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
		})
		f(x)
	})
}

// simdeck puts a paused simdeck into the field; stop takes it away.
func (f *field) simdeck(host string) (e *engine.Engine, stop func()) {
	f.t.Helper()
	e = rostest.Engine(f.t, files, scene.Resource{URI: "world://@cache@/yard"}, sim.Paused)
	b, err := ros.New(ros.Config{Transport: f.net.Host(host)}, e)
	if err != nil {
		f.t.Fatal(err)
	}
	engine, bridge := rostest.Run(f.t, "engine", e.Run), rostest.Run(f.t, "bridge", b.Run)
	return e, func() { bridge(); engine() }
}

// mirror finds the simulator of the field and follows it.
func (f *field) mirror() *Mirror {
	f.t.Helper()
	found, err := f.g.Find(context.Background(), attach.Want{})
	if err != nil {
		f.t.Fatal(err)
	}
	m := New(Config{Graph: f.g}, found)
	rostest.Run(f.t, "mirror", func(ctx context.Context) error { m.Run(ctx); return nil })
	return m
}

// until waits for a picture.
func (f *field) until(m *Mirror, what string, is func(*sim.Snapshot) bool) *sim.Snapshot {
	f.t.Helper()
	for range 1000 {
		if s := m.Snapshot(); is(s) {
			return s
		}
		time.Sleep(100 * time.Millisecond)
	}
	f.t.Fatalf("no picture with %s; the last is of %v, state %v, %d entities, %+v", what, m.Snapshot().Time,
		m.Snapshot().State, len(m.Snapshot().Entities), m.Status())
	return nil
}

func (f *field) do(m *Mirror, c sim.Command) sim.Reply {
	f.t.Helper()
	reply, err := m.Do(sim.WithSender(context.Background(), "test"), c)
	if err != nil {
		f.t.Fatalf("%#v: %v", c, err)
	}
	return reply
}

func has(name string) func(*sim.Snapshot) bool {
	return func(s *sim.Snapshot) bool { _, ok := s.Find(name); return ok }
}

func TestASimulatorIsSeenAsItsOwnSnapshotsShowIt(t *testing.T) {
	inTheField(t, func(f *field) {
		e, _ := f.simdeck("sim")
		m := f.mirror()
		s := f.until(m, "all that is told", func(s *sim.Snapshot) bool {
			i, ok := s.Find("crate_a")
			return ok && s.State == sim.Paused && len(s.Model.NamedPoses) == 1 &&
				s.Model.Entities[i].Info.Description != ""
		})
		own := e.Snapshot()
		if s.Model.World.Name != own.Model.World.Name || s.Model.World.URI != own.Model.World.URI {
			t.Errorf("the world is %+v, want %+v", s.Model.World, own.Model.World)
		}
		if p, q := s.Model.NamedPoses[0], own.Model.NamedPoses[0]; p.Name != q.Name || p.Pose != q.Pose {
			t.Errorf("the named pose is %+v, want %+v", p, q)
		}
		if len(s.Entities) != len(own.Entities) {
			t.Fatalf("%d entities, want %d", len(s.Entities), len(own.Entities))
		}
		for i, o := range own.Model.Entities {
			g := s.Model.Entities[i]
			if g.Name != o.Name || s.Entities[i].Pose != own.Entities[i].Pose ||
				g.Info.Category != o.Info.Category ||
				!slices.Equal(g.Info.Tags, o.Info.Tags) || g.Static != o.Static {
				t.Errorf("entity %d is %+v at %v, want %+v at %v", i, g, s.Entities[i].Pose, o,
					own.Entities[i].Pose)
			}
		}
		i, _ := s.Find("crate_a")
		if b := s.Model.Entities[i].Bounds; b.Max != r3.V(0.1, 0.2, 0.3) || b.Min != r3.V(-0.1, -0.2, -0.3) {
			t.Errorf("the crate's bounds are %v", b)
		}
		if links := s.LinksOf(i); len(links) != 1 || links[0].Pose != s.Entities[i].Pose {
			t.Errorf("the stand-in of the crate is at %+v", links)
		}
	})
}

func TestCommandsReachItAndTheirEffectIsSeenAtOnce(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim")
		m := f.mirror()
		f.until(m, "the world", has("crate_a"))
		f.do(m, sim.Spawn{Name: "new", Resource: sim.Resource{URI: "model://crate"},
			Pose: sim.FramedPose{Pose: r3.Pose{Pos: r3.V(5, 0, 0.3)}}})
		before := time.Now()
		f.until(m, "what was spawned", has("new"))
		if took := time.Since(before); took > 300*time.Millisecond {
			t.Errorf("what was spawned is seen after %v", took)
		}
		f.do(m, sim.SetState{State: sim.Playing})
		f.until(m, "play", func(s *sim.Snapshot) bool {
			return s.State == sim.Playing && s.Pacing.Measured > 0.9 && s.Pacing.Measured < 1.1
		})
		f.do(m, sim.Delete{Names: []string{"new"}})
		s := f.until(m, "it gone, and three commands", func(s *sim.Snapshot) bool {
			return !has("new")(s) && s.Stats.Commands == 3
		})
		if _, err := m.Do(context.Background(), sim.Delete{Names: []string{"new"}}); !errors.Is(err,
			sim.ErrNotFound) {
			t.Errorf("deleting it again: %v", err)
		}
		text := ""
		for _, ev := range s.Events {
			text += ev.Who + ": " + ev.Text + "\n"
		}
		if !strings.Contains(text, "test: delete new") {
			t.Errorf("after three commands the log is\n%s", text)
		}
	})
}

func TestTheClockGoesOnBetweenLooks(t *testing.T) {
	inTheField(t, func(f *field) {
		e, _ := f.simdeck("sim")
		m := f.mirror()
		f.until(m, "the world", has("crate_a"))
		f.do(m, sim.SetState{State: sim.Playing})
		time.Sleep(3 * time.Second)
		if late := e.Snapshot().Time - m.Snapshot().Time; late < 0 || late > 250*time.Millisecond {
			t.Errorf("it is %v late", late)
		}
	})
}

func TestASimulatorThatRestartsIsFollowedAgain(t *testing.T) {
	inTheField(t, func(f *field) {
		_, stop := f.simdeck("sim")
		m := f.mirror()
		first := f.until(m, "the world", has("crate_a"))
		stop()
		s := f.until(m, "the loss", func(s *sim.Snapshot) bool { return s.State == unknown })
		if !has("crate_a")(s) || m.Status().Fault == "" {
			t.Errorf("when it has gone there are %d entities and the fault is %q", len(s.Entities),
				m.Status().Fault)
		}
		if why := m.Unsupported(sim.Delete{}); !strings.Contains(why, "connection lost") {
			t.Errorf("deleting then is refused with %q", why)
		}
		if _, err := m.Do(context.Background(), sim.SetState{State: sim.Playing}); !errors.Is(err,
			attach.ErrGone) {
			t.Errorf("a command then: %v", err)
		}
		f.simdeck("sim2")
		s = f.until(m, "its return", func(s *sim.Snapshot) bool { return s.State == sim.Paused })
		i, _ := s.Find("crate_a")
		k, _ := first.Find("crate_a")
		if m.Status().Fault != "" || s.Model.Entities[i].ID == first.Model.Entities[k].ID {
			t.Errorf("when it is back the fault is %q, and the crate has the id %d", m.Status().Fault,
				s.Model.Entities[i].ID)
		}
		f.do(m, sim.SetState{State: sim.Playing})
	})
}

// part serves a part of the standard, in the 1.x line, under a prefix: two entities whose states are told one
// by one.
func (f *field) part(silent *atomic.Bool) {
	n, err := node.New(node.Config{Name: "gzserver", Transport: f.net.Host("gz")})
	if err != nil {
		f.t.Fatal(err)
	}
	ok := simif2.Result{Result: simif2.ResultOK}
	serve(f.t, n, "/gzserver/get_entities", simif2.GetEntitiesService(),
		func(ctx context.Context, _ *simif2.GetEntitiesRequest) *simif2.GetEntitiesResponse {
			for silent.Load() && ctx.Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			return &simif2.GetEntitiesResponse{Result: ok, Entities: []string{"b", "a"}}
		})
	serve(f.t, n, "/gzserver/get_entity_state", simif2.GetEntityStateService(),
		func(_ context.Context, q *simif2.GetEntityStateRequest) *simif2.GetEntityStateResponse {
			s := &simif2.GetEntityStateResponse{Result: ok}
			s.State.Pose.Position.X, s.State.Pose.Orientation.W,
				s.State.Header.Stamp.Sec = float64(len(q.Entity)), 1, 7
			return s
		})
	serve(f.t, n, "/gzserver/spawn_entity", simif1.SpawnEntityService(),
		func(context.Context, *simif1.SpawnEntityRequest) *simif1.SpawnEntityResponse {
			return &simif1.SpawnEntityResponse{EntityName: "c"}
		})
	rostest.Run(f.t, "node", n.Run)
}

func serve[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](t *testing.T, n *node.Node, name string,
	svc msgs.Service[Q, S], answer func(context.Context, *Q) *S) {
	t.Helper()
	line := node.NewLine[Q, S, PQ, PS](svc,
		func(ctx context.Context, _ node.Caller, q *Q) *S { return answer(ctx, q) }, nil)
	if _, err := n.Serve(node.ServerConfig{Name: name, Lines: []node.Line{line}}); err != nil {
		t.Fatal(err)
	}
}

func TestWhatASimulatorDoesNotServeIsRefusedWithTheReason(t *testing.T) {
	inTheField(t, func(f *field) {
		f.part(new(atomic.Bool))
		m := f.mirror()
		s := f.until(m, "both entities", func(s *sim.Snapshot) bool { return has("a")(s) && has("b")(s) })
		if s.Time != 7*time.Second || s.Entities[0].Pose.Pos.X != 1 || s.State != unknown ||
			s.Model.Entities[0].Deletable {
			t.Errorf("it is %v, state %v, %+v", s.Time, s.State, s.Entities[0])
		}
		for _, c := range []struct {
			command sim.Command
			want    string
		}{
			{sim.Spawn{}, ""},
			{sim.Delete{}, "/gzserver does not serve delete_entity"},
			{sim.SetState{}, "/gzserver does not serve set_simulation_state"},
			{sim.SetPacing{}, "not supported by the attached simulator"},
			{sim.Rewind{}, "not supported by the attached simulator"},
		} {
			if got := m.Unsupported(c.command); got != c.want {
				t.Errorf("%T: %q, want %q", c.command, got, c.want)
			}
		}
	})
}

func TestASimulatorThatIsSilentIsCalledSoUntilItAnswers(t *testing.T) {
	inTheField(t, func(f *field) {
		var silent atomic.Bool
		f.part(&silent)
		m := f.mirror()
		f.until(m, "the entities", has("a"))
		silent.Store(true)
		f.until(m, "a fault", func(*sim.Snapshot) bool {
			return strings.Contains(m.Status().Fault,
				"no reply for 3s")
		})
		if !has("a")(m.Snapshot()) {
			t.Error("the last picture is lost")
		}
		silent.Store(false)
		s := f.until(m, "no fault", func(*sim.Snapshot) bool { return m.Status().Fault == "" })
		faults := 0
		for _, e := range s.Events {
			if e.Level == sim.Error {
				faults++
			}
		}
		if faults != 1 {
			t.Errorf("one silence is told %d times: %+v", faults, s.Events)
		}
	})
}

func TestSeveralAreMovedOneByOneAndTheFirstRefusalSaysHowManyWere(t *testing.T) {
	inTheField(t, func(f *field) {
		e, _ := f.simdeck("sim")
		m := f.mirror()
		f.until(m, "the world", has("crate_a"))
		at := r3.Pose{Pos: r3.V(3, 4, 0.3), Rot: r3.Identity()}
		var told []string
		ctx := sim.WithProgress(context.Background(),
			func(done, all int) { told = append(told, fmt.Sprint(done, "/", all)) })
		_, err := m.Do(ctx, sim.MoveEntities{Moves: []sim.SetEntityState{{Name: "crate_a", Pose: &at},
			{Name: "nobody", Pose: &at}, {Name: "crate_a", Pose: &at}}})
		partial := (*sim.PartialError)(nil)
		if !errors.As(err, &partial) || partial.Done != 1 || partial.All != 3 ||
			!errors.Is(err, sim.ErrNotFound) || !strings.HasPrefix(err.Error(), "1 of 3 done: ") {
			t.Errorf("moving somebody unknown as the second of three: %v", err)
		}
		if got := strings.Join(told, " "); got != "0/3 1/3" {
			t.Errorf("progress is told as %s", got)
		}
		s := e.Snapshot()
		if i, _ := s.Find("crate_a"); s.Entities[i].Pose.Pos != at.Pos {
			t.Errorf("the first is at %v", s.Entities[i].Pose.Pos)
		}
	})
}
