package gazebo

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/stdsrvs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/simif"
	"simdeck/sim"
	"simdeck/sim/logtest"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const inertial = `<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>`

// The link that carries the gate stands half a metre over its model frame, and is turned a quarter.
const yardText = `<sdf version="1.9"><world name="yard"><gravity>0 0 0</gravity>
<model name="gate"><pose>2 1 0 0 0 0</pose><link name="post"><pose>0 0 0.5 0 0 1.5707963267948966</pose>` + inertial + `</link>
<link name="bar"><pose>1 0 0.5 0 0 0</pose>` + inertial + `</link>
<joint name="hinge" type="revolute"><parent>post</parent><child>bar</child><axis><xyz>0 0 1</xyz></axis></joint></model>
<model name="rock"><static>true</static><pose>-1 0 0 0 0 0</pose><link name="l"/></model>
</world></sdf>`

const crateText = `<sdf version="1.9"><model name="crate"><link name="body">` + inertial +
	`</link></model></sdf>`

// yard is a simulator with the old services beside the new ones, and a client.
type yard struct {
	*rostest.Stage
	log *logtest.Journal
}

func inTheYard(t *testing.T, f func(y *yard)) {
	t.Helper()
	log := &logtest.Journal{}
	rostest.On(t, rostest.Play{World: scene.Resource{Document: yardText}, Start: sim.Paused, Log: log.Log()},
		func(s *rostest.Stage) error {
			_, err := simif.New(simif.Config{Node: s.Server, Backend: s.Engine})
			return errors.Join(err, New(s.Server, s.Engine, Classic))
		}, func(s *rostest.Stage) { f(&yard{s, log}) })
}

func (y *yard) state(name, reference string) *gazebomsgs.GetEntityStateResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/get_entity_state", gazebomsgs.GetEntityStateService(),
		&gazebomsgs.GetEntityStateRequest{Name: name, ReferenceFrame: reference})
}

// near checks a pose against a place and a turn about z.
func (y *yard) near(what string, p geometrymsgs.Pose, x, yy, z, yaw float64) {
	y.T.Helper()
	got, want := geometry.PoseOf(p), r3.Pose{Pos: r3.V(x, yy, z), Rot: r3.AxisAngle(r3.V(0, 0, 1), yaw)}
	if d := want.Relative(got); d.Pos.Len() > 1e-9 || d.Rot.Vector().Len() > 1e-9 {
		y.T.Errorf("%s is at %+v, want %+v", what, got, want)
	}
}

func TestScriptsForGazeboClassicPauseAndResetTheWorld(t *testing.T) {
	inTheYard(t, func(y *yard) {
		empty := func(name string) {
			rostest.Ask(y.Stage, name, stdsrvs.EmptyService(), &stdsrvs.EmptyRequest{})
		}
		state := func() sim.State { return y.Engine.Snapshot().State }
		for _, s := range []struct {
			service string
			want    sim.State
		}{{"/pause_physics", sim.Paused}, {"/unpause_physics", sim.Playing},
			{"/unpause_physics", sim.Playing}, {"/pause_physics", sim.Paused}} {
			if empty(s.service); state() != s.want {
				t.Errorf("after %s it is %s, want %s", s.service, state(), s.want)
			}
		}
		rostest.Ask(y.Stage, "/spawn_entity", gazebomsgs.SpawnEntityService(),
			&gazebomsgs.SpawnEntityRequest{Name: "mine", Xml: crateText})
		for service, timeStays := range map[string]bool{"/reset_world": true, "/reset_simulation": false} {
			rostest.Ask(y.Stage, "/set_entity_state", gazebomsgs.SetEntityStateService(),
				&gazebomsgs.SetEntityStateRequest{State: gazebomsgs.EntityState{Name: "gate",
					Pose: geometry.Pose(r3.Pose{Pos: r3.V(9, 9, 9), Rot: r3.Identity()})}})
			if _, err := y.Engine.Do(y.T.Context(), sim.StepWorld{N: 3}); err != nil {
				t.Fatal(err)
			}
			before := y.Engine.Snapshot().Time
			empty(service)
			y.near(service, y.state("gate", "").State.Pose, 2, 1, 0, 0)
			if now := y.Engine.Snapshot().Time; timeStays && now != before || !timeStays && now != 0 {
				t.Errorf("%s takes time from %v to %v", service, before, now)
			}
			if !y.state("mine", "").Success {
				t.Errorf("%s deletes what was spawned", service)
			}
		}
		if y.log.Count("deprecated") == 0 {
			t.Error("nobody is told that these are deprecated")
		}
	})
}

func TestScriptsForGazeboClassicSpawnListAndDelete(t *testing.T) {
	inTheYard(t, func(y *yard) {
		q := &gazebomsgs.SpawnEntityRequest{Name: "box", Xml: crateText, ReferenceFrame: "gate"}
		q.InitialPose.Position.X, q.InitialPose.Orientation.W = 1, 1
		if r := rostest.Ask(y.Stage, "/spawn_entity", gazebomsgs.SpawnEntityService(), q); !r.Success ||
			!strings.Contains(r.StatusMessage, "box") {
			t.Errorf("spawned: %+v", r)
		}
		if r := rostest.Ask(y.Stage, "/spawn_entity", gazebomsgs.SpawnEntityService(), q); r.Success ||
			r.StatusMessage == "" {
			t.Errorf("the same name again: %+v, want a refusal with a reason", r)
		}
		r := rostest.Ask(y.Stage, "/get_model_list", gazebomsgs.GetModelListService(),
			&gazebomsgs.GetModelListRequest{})
		if want := []string{"box", "gate", "rock"}; !r.Success || !slices.Equal(r.ModelNames, want) {
			t.Errorf("the models are %v, want %v", r.ModelNames, want)
		}
		for _, want := range []bool{true, false} {
			r := rostest.Ask(y.Stage, "/delete_entity", gazebomsgs.DeleteEntityService(),
				&gazebomsgs.DeleteEntityRequest{Name: "box"})
			if r.Success != want || r.StatusMessage == "" {
				t.Errorf("deleted: %+v, want %v, with words", r, want)
			}
		}
	})
}

func TestAModelIsWhereItsModelFrameIsAndALinkIsWhereItIs(t *testing.T) {
	inTheYard(t, func(y *yard) {
		quarter := 1.5707963267948966
		y.near("gate", y.state("gate", "").State.Pose, 2, 1, 0, 0)
		y.near("gate in world", y.state("gate", "world").State.Pose, 2, 1, 0, 0)
		y.near("gate::post", y.state("gate::post", "/map").State.Pose, 2, 1, 0.5, quarter)
		y.near("gate::bar seen from gate::post", y.state("gate::bar", "gate::post").State.Pose, 0, -1, 0,
			-quarter)
		y.near("gate seen from rock", y.state("gate", "rock").State.Pose, 3, 1, 0, 0)
		for _, name := range []string{"nobody", "gate::nothing"} {
			if r := y.state(name, ""); r.Success {
				t.Errorf("%s has a state: %+v", name, r)
			}
		}
		if r := y.state("gate", "nowhere"); r.Success {
			t.Errorf("there is a frame nowhere: %+v", r)
		}
	})
}

func TestAModelIsPutWithItsVelocityWhereItIsToldTo(t *testing.T) {
	inTheYard(t, func(y *yard) {
		put := func(name string, s gazebomsgs.EntityState) bool {
			s.Name = name
			return rostest.Ask(y.Stage, "/set_entity_state", gazebomsgs.SetEntityStateService(),
				&gazebomsgs.SetEntityStateRequest{State: s}).Success
		}
		// no rotation given
		s := gazebomsgs.EntityState{ReferenceFrame: "rock", Pose: geometry.Pose(r3.Pose{Pos: r3.V(5, 0, 2)})}
		s.Twist.Linear.X, s.Twist.Angular.Z = 1, 2
		if !put("gate", s) {
			t.Fatal("the gate was not moved")
		}
		r := y.state("gate", "")
		y.near("gate", r.State.Pose, 4, 0, 2, 0)
		if got := r.State.Twist; got != s.Twist {
			t.Errorf("it moves with %+v, want %+v", got, s.Twist)
		}
		if !put("gate::post", s) {
			t.Error("the link that carries the gate was not moved")
		}
		y.near("gate::post", y.state("gate::post", "rock").State.Pose, 5, 0, 2, 0)
		if put("gate::bar", s) || put("nobody", s) {
			t.Error("a link that a joint holds, or nobody, was moved")
		}
		if s.Twist = (geometrymsgs.Twist{}); !put("rock", s) {
			t.Error("the rock was not moved by a state at rest")
		}
		y.near("rock", y.state("rock", "").State.Pose, 4, 0, 2, 0)
	})
}

func TestOldAndNewServicesOfOneNameAnswerTheirOwnClients(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for range 3 {
			one := rostest.Ask(y.Stage, "/get_entity_state", simif2.GetEntityStateService(),
				&simif2.GetEntityStateRequest{Entity: "gate"})
			y.near("gate in the new words", one.State.Pose, 2, 1, 0.5, 1.5707963267948966)
			y.near("gate in the old words", y.state("gate", "").State.Pose, 2, 1, 0, 0)
		}
	})
}

func TestEachClientIsToldOnceThatItIsDeprecated(t *testing.T) {
	inTheYard(t, func(y *yard) {
		for range 2 {
			c, err := node.NewClient(y.Client, "/get_model_list", gazebomsgs.GetModelListService())
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				if _, err := c.Call(ctx, &gazebomsgs.GetModelListRequest{}); err != nil {
					t.Error(err)
				}
				cancel()
			}
			c.Close()
		}
		if n := y.log.Count("deprecated"); n != 2 {
			t.Errorf("it was told %d times, want once for each of 2 clients", n)
		}
	})
}

func TestStatesOfModelsAndLinksArePublishedAsTheyMove(t *testing.T) {
	inTheYard(t, func(y *yard) {
		var mu sync.Mutex
		var models []gazebomsgs.ModelStates
		var links []gazebomsgs.LinkStates
		_, err1 := node.NewSubscription(y.Client, "/model_states", node.DefaultQoS(),
			func(_ context.Context, m *gazebomsgs.ModelStates, _ node.Origin) {
				mu.Lock()
				defer mu.Unlock()
				models = append(models, *m)
			})
		_, err2 := node.NewSubscription(y.Client, "/link_states", node.DefaultQoS(),
			func(_ context.Context, m *gazebomsgs.LinkStates, _ node.Origin) {
				mu.Lock()
				defer mu.Unlock()
				links = append(links, *m)
			})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		s := gazebomsgs.EntityState{Name: "gate", Pose: geometry.Pose(r3.Pose{Rot: r3.Identity()})}
		s.Twist.Linear.Y = 1
		rostest.Ask(y.Stage, "/set_entity_state", gazebomsgs.SetEntityStateService(),
			&gazebomsgs.SetEntityStateRequest{State: s})
		time.Sleep(time.Second)
		if _, err := y.Engine.Do(context.Background(), sim.SetState{State: sim.Playing}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		if len(models) < 45 || len(models) > 55 || len(links) < 45 || len(links) > 55 {
			t.Fatalf("in a second there came %d and %d, want about 50 of each", len(models), len(links))
		}
		m, l := models[len(models)-1], links[len(links)-1]
		if !slices.Equal(m.Name, []string{"gate", "rock"}) ||
			!slices.Equal(l.Name, []string{"gate::post", "gate::bar", "rock::l"}) {
			t.Fatalf("the names are %v and %v", m.Name, l.Name)
		}
		at := m.Pose[0].Position.Y
		if at < 0.9 || at > 1.1 || m.Twist[0].Linear.Y < 0.999 {
			t.Errorf("after a second at 1 m/s the gate is at %g m with %g m/s", at, m.Twist[0].Linear.Y)
		}
		y.near("the post", l.Pose[0], 0, l.Pose[0].Position.Y, 0.5, 1.5707963267948966)
	})
}
