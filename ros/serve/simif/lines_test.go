package simif

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/sim"
)

// humble is a client that announces no type hash.
type humble struct {
	y *yard
	p *rtps.Participant
}

func (y *yard) humble() *humble {
	y.T.Helper()
	p, err := rtps.New(rtps.Config{Transport: y.Net.Host("humble")})
	if err != nil {
		y.T.Fatal(err)
	}
	rostest.Run(y.T, "humble client", p.Run)
	return &humble{y, p}
}

// ask calls a service of the server as Humble's rmw does.
func (h *humble) ask(name string, q, s msgs.Message) error {
	r, err1 := h.p.NewReader(rtps.ReaderConfig{Topic: "rr/" + name + "Reply", Type: s.DDSTypeName(),
		QoS: node.ServiceQoS()})
	w, err2 := h.p.NewWriter(rtps.WriterConfig{Topic: "rq/" + name + "Request", Type: q.DDSTypeName(),
		QoS: node.ServiceQoS()})
	if err1 != nil || err2 != nil {
		return fmt.Errorf("%w, %w", err1, err2)
	}
	defer r.Close()
	defer w.Close()
	for len(w.Matches()) == 0 || len(r.Matches()) == 0 {
		time.Sleep(time.Millisecond)
	}
	payload, err := msgs.Encode(nil, q)
	if err != nil {
		return err
	}
	if _, err := w.Write(payload, rtps.WriteOptions{Related: &wire.SampleIdentity{Writer: r.GUID(),
		SN: wire.SequenceNumberUnknown}}); err != nil {
		return err
	}
	reply, err := r.Receive(h.y.Soon())
	if err != nil {
		return err
	}
	return msgs.Decode(reply.Payload, s)
}

// clients are one of each kind.
type clients struct {
	y        *yard
	one, two *node.Node
	untyped  *humble
}

// service is a service of the table: how the clients ask it the same question,
// and what they hear.
type service struct {
	name  string
	alone bool // asked one after the other: each changes what the next would find
	codes bool // only the result is compared: each makes an entity of another name
	ask   func(c clients) [3]func() (any, error)
}

// both is a service in its two definitions; the question has the fields of both.
func both[Q1, S1, Q2, S2 any, PQ1 msgs.Of[Q1], PS1 msgs.Of[S1], PQ2 msgs.Of[Q2], PS2 msgs.Of[S2]](
	one msgs.Service[Q1, S1], two msgs.Service[Q2, S2], question string) service {
	base := one.Name[strings.LastIndexByte(one.Name, '/')+1:]
	name := ""
	for i, r := range base {
		if i > 0 && r >= 'A' && r <= 'Z' {
			name += "_"
		}
		name += strings.ToLower(string(r))
	}
	return service{name: name, ask: func(c clients) [3]func() (any, error) {
		q1, q2 := PQ1(one.NewRequest().(PQ1)), PQ2(two.NewRequest().(PQ2))
		for _, q := range []any{q1, q2} {
			if err := json.Unmarshal([]byte(question), q); err != nil {
				c.y.T.Fatalf("%s: %v", name, err)
			}
		}
		return [3]func() (any, error){
			func() (any, error) { return call[Q1, S1, PQ1, PS1](c, c.one, name, one, (*Q1)(q1)) },
			func() (any, error) { return call[Q2, S2, PQ2, PS2](c, c.two, name, two, (*Q2)(q2)) },
			func() (any, error) {
				s := PS1(new(S1))
				return s, c.untyped.ask(name, q1, s)
			},
		}
	}}
}

func call[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](c clients, n *node.Node, name string,
	svc msgs.Service[Q, S], q *Q) (any, error) {
	client, err := node.NewClient[Q, S, PQ, PS](n, "/"+name, svc)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Call(c.y.Soon(), q)
}

// all is every service with a question.
func all() []service {
	alone := func(s service) service { s.alone = true; return s }
	codes := func(s service) service { s.codes = true; return s }
	const crate = `"uri": "model://crate", "entity_resource": {"uri": "model://crate"}`
	const yard = `"uri": "world://@cache@/yard", "world_resource": {"uri": "world://@cache@/yard"}`
	return []service{
		both(simif1.GetSimulatorFeaturesService(), simif2.GetSimulatorFeaturesService(), `{}`),
		both(simif1.GetSpawnablesService(), simif2.GetSpawnablesService(),
			`{"sources": ["/does/not/exist"]}`),
		codes(both(simif1.SpawnEntityService(), simif2.SpawnEntityService(),
			`{"name": "made", "allow_renaming": true, `+crate+
				`, "initial_pose": {"pose": {"position": {"x": 8, "z": 0.3}}}}`)),
		codes(both(simif1.SpawnEntitiesService(), simif2.SpawnEntitiesService(), `{"spawn_requests": [{"name": "many", "allow_renaming": true, `+crate+`,
			"initial_pose": {"pose": {"position": {"x": 12, "z": 0.3}}}}, {"name": "no name", `+crate+`}]}`)),
		both(simif1.DeleteEntityService(), simif2.DeleteEntityService(), `{"entity": "nobody"}`),
		both(simif1.GetEntitiesService(), simif2.GetEntitiesService(),
			`{"filters": {"filter": "crate", "tags": {"tags": ["marked"]}}}`),
		both(simif1.GetEntitiesStatesService(), simif2.GetEntitiesStatesService(),
			`{"filters": {"filter": "^(crate_.|post)$"}}`),
		both(simif1.GetEntityStateService(), simif2.GetEntityStateService(), `{"entity": "crate_b"}`),
		both(simif1.SetEntityStateService(), simif2.SetEntityStateService(),
			`{"entity": "crate_a", "state": {"pose": {"position": {"x": 3, "z": 0.3}}}, "set_pose": true, "set_twist": true}`),
		both(simif1.GetEntityInfoService(), simif2.GetEntityInfoService(), `{"entity": "crate_a"}`),
		both(simif1.SetEntityInfoService(), simif2.SetEntityInfoService(),
			`{"entity": "crate_a", "info": {"category": {"category": 4}, "tags": ["t"]}}`),
		both(simif1.GetEntityBoundsService(), simif2.GetEntityBoundsService(), `{"entity": "crate_a"}`),
		both(simif1.GetNamedPosesService(), simif2.GetNamedPosesService(), `{"tags": {"tags": ["dock"]}}`),
		both(simif1.GetNamedPoseBoundsService(), simif2.GetNamedPoseBoundsService(), `{"name": "gate"}`),
		both(simif1.ResetSimulationService(), simif2.ResetSimulationService(), `{"scope": 1}`),
		both(simif1.StepSimulationService(), simif2.StepSimulationService(), `{"steps": 0}`),
		both(simif1.GetSimulationStateService(), simif2.GetSimulationStateService(), `{}`),
		both(simif1.SetSimulationStateService(), simif2.SetSimulationStateService(),
			`{"state": {"state": 2}}`),
		both(simif1.GetAvailableWorldsService(), simif2.GetAvailableWorldsService(),
			`{"filter": {"tags": ["outdoor"]}}`),
		both(simif1.GetCurrentWorldService(), simif2.GetCurrentWorldService(), `{}`),
		alone(both(simif1.LoadWorldService(), simif2.LoadWorldService(), `{`+yard+`}`)),
		alone(both(simif1.UnloadWorldService(), simif2.UnloadWorldService(), `{}`)),
	}
}

// answer is a reply as text. Fields that only one line has, or that have another name there, are made the
// same.
func answer(t *testing.T, s service, reply any) string {
	t.Helper()
	b, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if list, ok := m["spawnables"].([]any); ok {
		for _, one := range list {
			one := one.(map[string]any)
			if r, ok := one["entity_resource"].(map[string]any); ok {
				one["uri"] = r["uri"]
				delete(one, "entity_resource")
			}
		}
	}
	if s.codes {
		m = map[string]any{"result": m["result"]}
	}
	if b, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryServiceAnswersClientsOfEveryLineTheSameAtOnce(t *testing.T) {
	inTheYard(t, func(y *yard) {
		two, err := node.New(node.Config{Name: "other", Transport: y.Net.Host("other")})
		if err != nil {
			t.Fatal(err)
		}
		rostest.Run(y.T, "other client", two.Run)
		c := clients{y, y.Client, two, y.humble()}
		asked := map[string]bool{}
		for _, s := range all() {
			asked[s.name] = true
			var heard [3]any
			var wait sync.WaitGroup
			for i, ask := range s.ask(c) {
				one := func() {
					reply, err := ask()
					if err != nil {
						t.Errorf("%s, client %d: %v", s.name, i, err)
					}
					heard[i] = reply
				}
				if !s.alone {
					wait.Go(one)
					continue
				}
				one()
				want(t, "the yard again", y.load("world://@cache@/yard").Result, ok)
				want(t, "paused", y.become(2), ok)
			}
			wait.Wait()
			first := answer(t, s, heard[0])
			for i, who := range []string{"1.x", "2.x", "no hash"} {
				if got := answer(t, s, heard[i]); got != first || !strings.Contains(got, `"result"`) &&
					s.name != "get_simulator_features" {
					t.Errorf("%s: a client of %s hears %s, one of 1.x %s", s.name, who, got, first)
				}
			}
		}
		for _, s := range (&Services{}).table() {
			if !asked[s.name] {
				t.Errorf("%s is served and not asked here", s.name)
			}
		}
	})
}

func TestTheDraftOfSpawnEntitiesIsServedBesideTheOthers(t *testing.T) {
	inTheYard(t, func(y *yard) {
		draft := func(q simifdraft.SpawnEntitiesRequest) (codes []uint8, names []string, texts []string) {
			r := rostest.Ask(y.Stage, "/spawn_entities", simifdraft.SpawnEntitiesService(), &q)
			for _, one := range r.Results {
				codes, texts = append(codes, one.Result), append(texts, one.ErrorMessage)
			}
			return codes, r.EntityNames, texts
		}
		crates := []simif2.Resource{{URI: "model://crate"}, {URI: "model://crate"}, {}}
		codes, names, _ := draft(simifdraft.SpawnEntitiesRequest{Names: []string{"a", "post", "c"},
			EntityResources: crates,
			AllowRenaming:   []bool{false, true, false}, EntityNamespaces: []string{"ns", "", ""}})
		if !slices.Equal(codes, []uint8{ok, ok, 104}) || !slices.Equal(names, []string{"a", "post_1", "c"}) {
			t.Errorf("three are answered with %v %q", codes, names)
		}
		{
			s := y.Engine.Snapshot()
			i, found := s.Find("a")
			if !found || s.Model.Entities[i].Namespace != "ns" {
				t.Error("the namespace of the first is lost")
			}
		}
		codes, _, _ = draft(simifdraft.SpawnEntitiesRequest{EntityResources: crates[:1]})
		if !slices.Equal(codes, []uint8{102}) {
			t.Errorf("without a name and renaming: %v", codes)
		}
		before := len(y.entities(simif2.EntityFilters{}).Entities)
		codes, _, texts := draft(simifdraft.SpawnEntitiesRequest{Names: []string{"x", "y"},
			EntityResources: crates})
		if !slices.Equal(codes, []uint8{operationFailed, operationFailed, operationFailed}) ||
			!strings.Contains(texts[0], "2 names") || !strings.Contains(texts[0], "3 entity_resources") {
			t.Errorf("arrays of two lengths: %v, %q", codes, texts)
		}
		if codes, names, _ := draft(simifdraft.SpawnEntitiesRequest{}); len(codes)+len(names) != 0 {
			t.Errorf("of none: %v %q", codes, names)
		}
		if n := len(y.entities(simif2.EntityFilters{}).Entities); n != before {
			t.Errorf("arrays that do not fit made %d entities", n-before)
		}
		if _, err := y.Engine.Do(context.Background(), sim.UnloadWorld{}); err != nil {
			t.Fatal(err)
		}
		if codes, _, texts := draft(simifdraft.SpawnEntitiesRequest{Names: []string{"x", "y", "z"},
			EntityResources: crates}); !slices.Equal(codes,
			[]uint8{incorrectState, incorrectState, incorrectState}) {
			t.Errorf("without a world: %v %q", codes, texts)
		}
	})
}
