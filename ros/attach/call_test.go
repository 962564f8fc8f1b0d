package attach

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"simdeck/ros"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/node"
)

func TestACallIsMadeInTheLineOfItsServer(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		f.other("gz_server", "", gazebo(t))
		f.other("draft", "", func(n *node.Node) {
			serve(t, n, "~/spawn_entities", simifdraft.SpawnEntitiesService(),
				func(q *simifdraft.SpawnEntitiesRequest) *simifdraft.SpawnEntitiesResponse {
					s := &simifdraft.SpawnEntitiesResponse{EntityNames: q.Names}
					for i := range q.Names {
						s.Results = append(s.Results, simif2.Result{Result: 1 + 100*uint8(i),
							ErrorMessage: q.EntityResources[i].URI})
					}
					return s
				})
		})
		gz := f.g.Attach(f.find(Want{Node: "gz_server"}), Options{})
		q := simif2.NewSpawnEntityRequest()
		q.Name, q.EntityResource.URI = "box", "model://box"
		if s, err := Ask(f.soon(), gz, simif2.SpawnEntityService(), q); err != nil ||
			s.EntityName != "box of model://box" {
			t.Errorf("asked neutrally, 1.x answers %+v, %v", s, err)
		}
		for _, word := range []string{"uri=u", "entity_resource.uri=u"} {
			a, err := gz.Call(f.soon(), "spawn_entity", []string{"name=b", word})
			if err != nil || a.Line != "1.x" || !strings.Contains(string(a.JSON), "b of u") {
				t.Errorf("called with %s, 1.x answers %+v, %v", word, a, err)
			}
		}
		if a, err := f.g.Attach(f.find(Want{Node: "simdeck"}), Options{}).Call(f.soon(), "spawn_entity",
			[]string{"name=b", "entity_resource.uri=model://crate"}); err != nil || a.Line != "2.x" ||
			!a.OK() {
			t.Errorf("simdeck answers %+v, %v", a, err)
		}
		two := &simif2.SpawnEntitiesRequest{SpawnRequests: []simif2.SpawnEntity{{Name: "a",
			EntityResource: simif2.Resource{URI: "u"}}, {Name: "b"}}}
		s, err := Ask(f.soon(), f.g.Attach(f.find(Want{Node: "draft"}), Options{}),
			simif2.SpawnEntitiesService(), two)
		if err != nil || s.Result.Result != 150 || len(s.Results) != 2 || s.Results[0].EntityName != "a" ||
			s.Results[0].Result.ErrorMessage != "u" || s.Results[1].Result.Result != 101 {
			t.Errorf("the draft answers %+v, %v", s, err)
		}
	})
}

func TestALineCanBeAskedFor(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		r := f.g.Attach(f.find(Want{}), Options{Line: Line1})
		a, err := r.Call(f.soon(), "spawn_entity",
			[]string{"name=old", "uri=model://crate", "initial_pose.pose.position.x=9",
				"initial_pose.pose.position.z=0.3"})
		if err != nil || !a.OK() || a.Line != "1.x" {
			t.Errorf("simdeck answers %+v, %v", a, err)
		}
		if a, err := r.Call(f.soon(), "get_spawnables", nil); err != nil ||
			!strings.Contains(string(a.JSON), `{"uri":"`) || !json.Valid(a.JSON) {
			t.Errorf("its spawnables are %s, %v", a.JSON, err)
		}
		draft := f.g.Attach(f.find(Want{}), Options{Line: LineDraft})
		a, err = draft.Call(f.soon(), "spawn_entities",
			[]string{`names=["d"]`, "allow_renaming=[false]", `entity_resources=[{"uri":"model://crate"}]`,
				`entity_namespaces=[""]`,
				`initial_poses=[{"pose":{"position":{"x":20,"z":1}}}]`})
		if err != nil || !a.OK() || a.Line != "draft" ||
			string(a.JSON) != `{"results":[{"result":1,"error_message":""}],"entity_names":["d"]}` {
			t.Errorf("the draft answers %+v %s, %v", a, a.JSON, err)
		}
		if a, err = draft.Call(f.soon(), "spawn_entity", []string{"name=d"}); err != nil || a.Line != "2.x" {
			t.Errorf("what the draft leaves as it is: %+v, %v", a, err)
		}
	})
}

func TestAnAnswerIsToldWithItsResult(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		r := f.g.Attach(f.find(Want{}), Options{})
		a, err := r.Call(f.soon(), "set_simulation_state", []string{"state.state=paused"})
		if err != nil || a.OK() || a.Code != 101 || a.Name != "ALREADY_IN_TARGET_STATE" || a.Message == "" ||
			a.Simulator != "/simdeck" || a.Service != "/set_simulation_state" {
			t.Errorf("pausing what is paused: %+v, %v", a, err)
		}
		a, err = r.Call(f.soon(), "get_simulation_state", nil)
		if err != nil || !a.OK() || a.Text != "state:\n  state: paused\n" ||
			string(a.JSON) != `{"state":{"state":2},"result":{"result":1,"error_message":""}}` {
			t.Errorf("the state is %q, %s, %v", a.Text, a.JSON, err)
		}
		if a, err = r.Call(f.soon(), "get_simulator_features", nil); err != nil || !a.OK() || a.Name != "OK" {
			t.Errorf("what has no result answers %+v, %v", a, err)
		}
		if a, err = r.Call(f.soon(), "delete_entity", []string{"entity=nobody"}); err != nil ||
			a.Name != "NOT_FOUND" {
			t.Errorf("deleting nobody: %+v, %v", a, err)
		}
		for _, c := range []struct {
			service, field string
			want           error
		}{{"fly", "", ErrService}, {"delete_entity", "name=x", ErrField}} {
			if _, err := r.Call(f.soon(), c.service, []string{c.field}); !errors.Is(err, c.want) {
				t.Errorf("%s %s: %v", c.service, c.field, err)
			}
		}
	})
}

// numb serves stepping, and answers nothing for as long as it runs.
func numb(t *testing.T, asked chan<- bool) func(*node.Node) {
	return func(n *node.Node) {
		line := node.NewLine(simif2.StepSimulationService(),
			func(ctx context.Context, _ node.Caller,
				_ *simif2.StepSimulationRequest) *simif2.StepSimulationResponse {
				asked <- true
				<-ctx.Done()
				return &simif2.StepSimulationResponse{}
			}, nil)
		if _, err := n.Serve(node.ServerConfig{Name: "step_simulation", Concurrency: 2,
			Lines: []node.Line{line}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsNotAnsweredEnds(t *testing.T) {
	inTheField(t, func(f *field) {
		asked := make(chan bool, 2)
		f.other("numb", "", numb(t, asked))
		sim := f.find(Want{})
		_, err := f.g.Attach(sim, Options{Answer: time.Second}).Call(context.Background(), "step_simulation",
			nil)
		if !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(), "within 1s (--timeout)") {
			t.Errorf("without an answer: %v", err)
		}
		<-asked
		go func() {
			<-asked
			time.Sleep(10 * time.Minute) // a step may last
			f.net.Partition([]string{"user"}, []string{"numb"})
		}()
		began := time.Now()
		_, err = f.g.Attach(sim, Options{}).Call(context.Background(), "step_simulation", nil)
		if took := time.Since(began); !errors.Is(err, ErrGone) || took < 10*time.Minute ||
			took > 11*time.Minute {
			t.Errorf("when the simulator is lost: %v after %v", err, took)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := f.g.Find(ctx, Want{Node: "x"}); !errors.Is(err, context.Canceled) {
			t.Errorf("a search that is given up: %v", err)
		}
	})
}

func TestADefinitionOfNoLineIsNotSpoken(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		s := f.find(Want{Kind: "SpawnEntity"})
		for i := range s.Services {
			s.Services[i].dialect, s.Services[i].Hash = nil, "RIHS01_beef"
		}
		r := &Remote{graph: f.g, sim: Simulator{Prefix: "/nowhere", Services: s.Services},
			ends: map[string]end{}}
		if _, err := r.Call(f.soon(), "spawn_entity", nil); !errors.Is(err, ErrDefinition) ||
			!strings.Contains(err.Error(), "RIHS01_beef") {
			t.Errorf("an unknown definition: %v", err)
		}
	})
}

func TestAClosedRemoteHasNothingOnTheGraph(t *testing.T) {
	inTheField(t, func(f *field) {
		f.simdeck("sim", ros.Config{})
		r := f.g.Attach(f.find(Want{}), Options{})
		if _, err := Ask(f.soon(), r, simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{}); err != nil {
			t.Fatal(err)
		}
		clients := func() (n int) {
			for _, s := range f.g.Node().Graph().Services {
				if s.Name == "/get_entities" {
					n += s.Subscribers
				}
			}
			return n
		}
		if clients() != 1 {
			t.Errorf("after a call there are %d clients", clients())
		}
		if err := r.Close(); err != nil || clients() != 0 {
			t.Errorf("after Close there are %d clients, %v", clients(), err)
		}
	})
}

func TestLine1MessagesSurviveTheWayUpAndDown(t *testing.T) {
	up := spawnablesUp1(&simif1.GetSpawnablesResponse{Result: simif1.Result{Result: 1, ErrorMessage: "e"},
		Spawnables: []simif1.Spawnable{{URI: "u", Description: "d", SpawnBounds: simif1.Bounds{Type: 3}}}})
	if up.Result.ErrorMessage != "e" || len(up.Spawnables) != 1 ||
		up.Spawnables[0].EntityResource.URI != "u" || up.Spawnables[0].SpawnBounds.Type != 3 {
		t.Errorf("spawnables come up as %+v", up)
	}
	w := loadUp1(&simif1.LoadWorldResponse{Result: simif1.Result{Result: 106},
		World: simif1.WorldResource{Name: "n", Tags: []string{"t"},
			WorldResource: simif1.Resource{URI: "u"}}})
	if w.Result.Result != 106 || w.World.Name != "n" || w.World.WorldResource.URI != "u" ||
		len(w.World.Tags) != 1 {
		t.Errorf("a loaded world comes up as %+v", w)
	}
	q := loadDown1(&simif2.LoadWorldRequest{WorldResource: simif2.Resource{URI: "u", ResourceString: "s"},
		IgnoreMissingOrUnsupportedAssets: true})
	if *q != (simif1.LoadWorldRequest{URI: "u", ResourceString: "s",
		IgnoreMissingOrUnsupportedAssets: true}) {
		t.Errorf("a load goes down as %+v", q)
	}
}
