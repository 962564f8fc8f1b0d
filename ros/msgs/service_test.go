package msgs_test

import (
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/simifdraft"
	"simdeck/ros/rosidl"
)

// call is generic as a node is: the four type parameters follow from the description alone.
func call[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](_ msgs.Service[Q, S], request []byte,
	serve func(*Q) *S) ([]byte, error) {
	q := new(Q)
	if err := msgs.Decode(request, PQ(q)); err != nil {
		return nil, err
	}
	return msgs.Encode(nil, PS(serve(q)))
}

func TestAServiceDescriptionIsEnoughToServe(t *testing.T) {
	request := encode(t, &simif2.StepSimulationRequest{Steps: 7})
	reply, err := call(simif2.StepSimulationService(), request,
		func(q *simif2.StepSimulationRequest) *simif2.StepSimulationResponse {
			if q.Steps != 7 {
				t.Errorf("%d steps asked, want 7", q.Steps)
			}
			return &simif2.StepSimulationResponse{Result: simif2.Result{Result: simif2.ResultOK}}
		})
	if err != nil {
		t.Fatal(err)
	}
	got := simif2.StepSimulationService().NewResponse()
	if err := msgs.Decode(reply, got); err != nil ||
		got.(*simif2.StepSimulationResponse).Result.Result != simif2.ResultOK {
		t.Errorf("reply %+v, error %v", got, err)
	}
}

func TestAServiceMakesMessagesWithDefaults(t *testing.T) {
	q := simif2.StepSimulationService().NewRequest()
	if steps := q.(*simif2.StepSimulationRequest).Steps; steps != 1 ||
		q.TypeName() != "simulation_interfaces/srv/StepSimulation_Request" {
		t.Errorf("%d steps in %s, want the default of 1", steps, q.TypeName())
	}
}

// The lines share their names; only the hash of the request tells a server which one a client speaks.
func TestTheLinesOfAServiceDifferInHashNotInName(t *testing.T) {
	one, two := simif1.SpawnEntityService(), simif2.SpawnEntityService()
	if one.Name != two.Name || one.Hash == two.Hash {
		t.Errorf("1.x is %s %s, 2.x is %s %s", one.Name, one.Hash, two.Name, two.Hash)
	}
	same, draft := simif2.NewSpawnEntitiesRequest(), simifdraft.NewSpawnEntitiesRequest()
	if same.TypeHash() != simif1.NewSpawnEntitiesRequest().TypeHash() ||
		same.TypeHash() == draft.TypeHash() || same.TypeName() != draft.TypeName() {
		t.Errorf("SpawnEntities is %s when released, which both lines share, and %s in the draft",
			same.TypeHash(), draft.TypeHash())
	}
}

func TestTheMessageAndTheServiceSpawnEntityAreTwoThings(t *testing.T) {
	if m, s := simif2.NewSpawnEntity().TypeName(),
		simif2.SpawnEntityService().Name; m != "simulation_interfaces/msg/SpawnEntity" ||
		s != "simulation_interfaces/srv/SpawnEntity" {
		t.Errorf("message %s, service %s", m, s)
	}
}

func TestTheEmbeddedDefinitionsGiveTheHashesOfTheGeneratedTypes(t *testing.T) {
	lib := rosidl.NewLibrary()
	for dir, pkg := range map[string]string{
		"simulation_interfaces@2.x": "simulation_interfaces", "std_msgs": "std_msgs",
		"geometry_msgs": "geometry_msgs",
		"service_msgs":  "service_msgs", "builtin_interfaces": "builtin_interfaces",
		"unique_identifier_msgs": "unique_identifier_msgs",
	} {
		if err := lib.AddPackage(msgs.Definitions(), dir, pkg); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"simulation_interfaces/srv/SpawnEntity_Request": simif2.NewSpawnEntityRequest().TypeHash(),
		"simulation_interfaces/srv/SpawnEntity":         simif2.SpawnEntityService().Hash,
		"simulation_interfaces/action/SimulateSteps":    simif2.SimulateStepsAction().Hash,
	} {
		if got, err := lib.Hash(name); err != nil || got != want {
			t.Errorf("%s: hash %s, error %v; want %s", name, got, err, want)
		}
	}
}
