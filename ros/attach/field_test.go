package attach

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
)

func known(t *testing.T) constants {
	t.Helper()
	c, err := readConstants()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWordsFillARequest(t *testing.T) {
	for _, c := range []struct {
		request msgs.Message
		words   []string
		want    string // as JSON, or the part of it that is set
	}{
		{simif2.NewStepSimulationRequest(), nil, `{"steps":1}`},
		{simif2.NewStepSimulationRequest(), []string{"steps=18446744073709551615"},
			`{"steps":18446744073709551615}`},
		{simif2.NewSetSimulationStateRequest(), []string{"state.state=paused"}, `{"state":{"state":2}}`},
		{simif2.NewSetSimulationStateRequest(), []string{"state=" + `{"state": "NO_WORLD"}`},
			`{"state":{"state":4}}`},
		{simif2.NewResetSimulationRequest(), []string{"scope=spawned"}, `{"scope":4}`},
		{simif2.NewSpawnEntityRequest(),
			[]string{"name=box = 1", "allow_renaming=true", "entity_resource.uri=model://box?a=b",
				"initial_pose.pose.position.x=-1.5e3"},
			`{"name":"box = 1","allow_renaming":true,"entity_resource":{"uri":"model://box?a=b","resource_string":""},"entity_namespace":"",` +
				`"initial_pose":{"header":{"stamp":{"sec":0,"nanosec":0},"frame_id":""},"pose":{"position":{"x":-1500,"y":0,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}}}}`},
		{simif2.NewGetEntitiesRequest(),
			[]string{`filters.tags.tags=["a","b"]`, "filters.tags.filter_mode=all",
				`filters.categories=[{"category":"robot"},{"category":4}]`,
				`filters.bounds={"type":"box","points":[{"x":1},{"z":"inf"}]}`},
			`{"filters":{"filter":"","categories":[{"category":1},{"category":4}],"tags":{"tags":["a","b"],"filter_mode":1},` +
				`"bounds":{"type":1,"points":[{"x":1,"y":0,"z":0},{"x":0,"y":0,"z":"Infinity"}]}}}`},
		{simif2.NewDeleteEntityRequest(), []string{`{"entity": "x"}`}, `{"entity":"x"}`},
		{simif2.NewDeleteEntityRequest(), []string{`entity=`}, `{"entity":""}`},
	} {
		if err := setFields(c.request, c.words, known(t)); err != nil {
			t.Errorf("%q: %v", c.words, err)
		}
		if got := string(appendJSON(nil, reflect.ValueOf(c.request).Elem())); got != c.want {
			t.Errorf("%q: %s\nwant %s", c.words, got, c.want)
		}
	}
	var q simif2.SetEntityStateRequest
	if err := setFields(&q, []string{"state.pose.position.x=nan", "state.twist.linear.y=-inf"},
		known(t)); err != nil ||
		!math.IsNaN(q.State.Pose.Position.X) || !math.IsInf(q.State.Twist.Linear.Y, -1) {
		t.Errorf("nan and -inf: %v, %+v", err, q.State)
	}
}

func TestWordsThatCannotBeSayWhatWould(t *testing.T) {
	for _, c := range []struct {
		request msgs.Message
		word    string
		want    string
	}{
		{simif2.NewSpawnEntityRequest(), "box",
			`"box": want field=value; fields are name, allow_renaming, entity_resource,`},
		{simif2.NewSpawnEntityRequest(), "uri=x",
			`there is no field "uri"; there are name, allow_renaming, entity_resource, entity_namespace, initial_pose; did you mean entity_resource.uri?`},
		{simif2.NewSpawnEntityRequest(), "nmae=x", `initial_pose; did you mean "name"?`},
		{simif2.NewSpawnEntityRequest(), "initial_pose.poes.position.x=1", `did you mean "pose"?`},
		{simif2.NewSpawnEntityRequest(), "name.first=x",
			`name.first: "first" is in a string, which has no fields`},
		{simif2.NewSpawnEntityRequest(), "allow_renaming=maybe",
			`allow_renaming: "maybe" is no bool; want true or false`},
		{simif2.NewSpawnEntityRequest(), "initial_pose.pose.position.x=far",
			`"far" is no float64; want a number, nan or inf`},
		{simif2.NewSpawnEntityRequest(), "initial_pose=far", `initial_pose: "far" is no message in JSON`},
		{simif2.NewSpawnEntityRequest(), `initial_pose={"pose":{"position":{"q":1}}}`,
			`initial_pose.pose.position.q: there is no field "q"; there are x, y, z`},
		{simif2.NewSpawnEntityRequest(), `{"name": 3}`, `name: 3 is no string`},
		{simif2.NewSpawnEntityRequest(), `{"name": "a"} x`, `more after its end`},
		{simif2.NewSetSimulationStateRequest(), "state.state=running",
			`state.state: "running" is no uint8; want a whole number from 0 to 255 or one of STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING_WORLD`},
		{simif2.NewSetSimulationStateRequest(), "state.state=256", "from 0 to 255"},
		{simif2.NewResetSimulationRequest(), "scope=-1",
			"from 0 to 255 or one of DEFAULT, TIME, STATE, SPAWNED, ALL"},
		{simif2.NewStepSimulationRequest(), "steps=1.5",
			"want a whole number from 0 to 18446744073709551615"},
		{simif2.NewGetSpawnablesRequest(), "sources=a", `sources: "a" is no list in JSON`},
		{simif2.NewGetSpawnablesRequest(), "sources=[1]", `sources[0]: 1 is no string`},
		{simif2.NewGetSpawnablesRequest(), "sources.0=a", `which is given as JSON`},
		{simif2.NewGetEntitiesRequest(), "filters=3", `filters: 3 is no message`},
		{simif2.NewGetCurrentWorldRequest(), "x=3", `the request has no fields`},
	} {
		err := setFields(c.request, []string{c.word}, known(t))
		if !errors.Is(err, ErrField) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.word, err, c.want)
		}
	}
}

func TestAResponseIsWrittenForPeople(t *testing.T) {
	s := simif2.NewGetEntitiesStatesResponse()
	s.Result.Result = 1
	s.Entities, s.States = []string{"a", "b c"}, make([]simif2.EntityState, 1)
	s.States[0].Pose.Position.X = math.NaN()
	s.States[0].Header.FrameID = "line\nbreak"
	got := string(appendLines(nil, s, known(t), "result"))
	want := `entities: [a, b c]
states:
- header:
    stamp:
      sec: 0
      nanosec: 0
    frame_id: "line\nbreak"
  pose:
    position:
      x: NaN
      y: 0
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("it is written\n%s\nwant\n%s", got, want)
	}
	f := &simif2.GetSimulatorFeaturesResponse{Features: simif2.SimulatorFeatures{Features: []uint16{0, 26,
		999}, SpawnFormats: []string{}}}
	if got, want := string(appendLines(nil, f, known(t), "")),
		"features:\n  features: [spawning, simulation_state_pause, 999]\n  spawn_formats: []\n  custom_info: \"\"\n"; got != want {
		t.Errorf("it is written\n%s\nwant\n%s", got, want)
	}
}

func TestServicesAreKnownByManyNames(t *testing.T) {
	for name, want := range map[string]string{"spawn_entity": "SpawnEntity", "SpawnEntity": "SpawnEntity",
		"/gz_server/spawn_entities": "SpawnEntities",
		"step":                      "StepSimulation", "get_entity_i": "GetEntityInfo"} {
		if got, err := Kind(name); err != nil || got != want {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"get_ent": "can be get_entities, get_entities_states, get_entity_state,",
		"GetEntites": `did you mean "get_entities"?`, "fly": "there are get_simulator_features,", "": "there are"} {
		if _, err := Kind(name); !errors.Is(err, ErrService) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if leaves := strings.Join(FieldsOf("load_world"),
		" "); leaves != "world_resource.uri world_resource.resource_string fail_on_unsupported_element ignore_missing_or_unsupported_assets" {
		t.Errorf("the fields of load_world are %s", leaves)
	}
	if FieldsOf("fly") != nil {
		t.Error("what is no service has fields")
	}
}
