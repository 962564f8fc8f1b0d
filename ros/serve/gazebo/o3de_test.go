package gazebo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/simif"
	"simdeck/sim"
	"simdeck/sim/logtest"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Two spawnables have one name: the second is named by its URI.
var o3deFiles = rostest.Files(map[string]string{
	"models/crate/model.config": `<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/crate/model.sdf":    crateText,
	"robots/rover.sdf":          strings.ReplaceAll(crateText, "crate", "rover"),
	"robots/old/rover.sdf":      strings.ReplaceAll(crateText, "crate", "rover"),
	"yard/world.sdf": `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="yard"><gravity>0 0 0</gravity>
<model name="rock"><static>true</static><pose>-9 0 0 0 0 0</pose><link name="l"/></model>
<frame name="dock"><pose>1 2 0 0 0 1.5707963267948966</pose><simdeck:description>Here</simdeck:description></frame>
</world></sdf>`,
})

// inO3DE runs a test with the services of O3DE's spawner beside the new ones.
func inO3DE(t *testing.T, f func(y *yard)) {
	t.Helper()
	log := &logtest.Journal{}
	rostest.On(t, rostest.Play{Files: o3deFiles, World: scene.Resource{URI: "yard"}, Start: sim.Paused,
		Log: log.Log()}, func(s *rostest.Stage) error {
		_, err := simif.New(simif.Config{Node: s.Server, Backend: s.Engine})
		return errors.Join(err, New(s.Server, s.Engine, O3DE))
	}, func(s *rostest.Stage) { f(&yard{s, log}) })
}

func (y *yard) namesOf(service string) []string {
	y.T.Helper()
	r := rostest.Ask(y.Stage, service, gazebomsgs.GetWorldPropertiesService(),
		&gazebomsgs.GetWorldPropertiesRequest{})
	if !r.Success {
		y.T.Errorf("%s: %+v", service, r)
	}
	return r.ModelNames
}

func (y *yard) spawn(q gazebomsgs.SpawnEntityRequest) *gazebomsgs.SpawnEntityResponse {
	y.T.Helper()
	return rostest.Ask(y.Stage, "/spawn_entity", gazebomsgs.SpawnEntityService(), &q)
}

func (y *yard) stands(name string, at r3.Vec, yaw float64) {
	y.T.Helper()
	s := y.Engine.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		y.T.Fatalf("there is no %q", name)
	}
	y.near(name, geometry.Pose(s.Entities[i].Pose), at.X, at.Y, at.Z, yaw)
}

func TestASpawnableOfO3DEIsSpawnedByItsNameAndDeletedByTheNameInTheAnswer(t *testing.T) {
	inO3DE(t, func(y *yard) {
		names := y.namesOf("/get_available_spawnable_names")
		if len(names) != 3 || !slices.Contains(names, "crate") || !slices.Contains(names, "rover") ||
			!slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "spawnable://") }) {
			t.Fatalf("the spawnables are %q", names)
		}
		for i, name := range names {
			q := gazebomsgs.SpawnEntityRequest{Name: name, RobotNamespace: "lab"}
			q.InitialPose.Position.X = float64(3 * i)
			first, again := y.spawn(q), y.spawn(gazebomsgs.SpawnEntityRequest{Name: name})
			if !first.Success || !again.Success || first.StatusMessage == again.StatusMessage {
				t.Fatalf("%s twice: %+v, %+v", name, first, again)
			}
			if !strings.HasPrefix(first.StatusMessage, "crate") &&
				!strings.HasPrefix(first.StatusMessage, "rover") {
				t.Errorf("%s is named %q", name, first.StatusMessage)
			}
			y.stands(first.StatusMessage, r3.V(float64(3*i), 0, 0), 0)
			s := y.Engine.Snapshot()
			at, _ := s.Find(first.StatusMessage)
			if got := s.Model.Entities[at].Namespace; got != "lab" && got != "/lab" {
				t.Errorf("%s has the namespace %q", name, got)
			}
			for _, want := range []bool{true, false} {
				if r := rostest.Ask(y.Stage, "/delete_entity", gazebomsgs.DeleteEntityService(),
					&gazebomsgs.DeleteEntityRequest{Name: first.StatusMessage}); r.Success != want ||
					r.StatusMessage == "" {
					t.Errorf("deleted: %+v, want %v, with words", r, want)
				}
			}
		}
		if r := rostest.Ask(y.Stage, "/delete_entity", gazebomsgs.DeleteEntityService(),
			&gazebomsgs.DeleteEntityRequest{Name: "rock"}); r.Success {
			t.Error("what the level brought was deleted")
		}
	})
}

func TestASpawnPointOfO3DEIsANamedPoseAndGoesBeforeThePose(t *testing.T) {
	inO3DE(t, func(y *yard) {
		if names := y.namesOf("/get_spawn_points_names"); !slices.Equal(names, []string{"dock", "default"}) {
			t.Errorf("the spawn points are %q", names)
		}
		info := func(name string) *gazebomsgs.GetModelStateResponse {
			return rostest.Ask(y.Stage, "/get_spawn_point_info", gazebomsgs.GetModelStateService(),
				&gazebomsgs.GetModelStateRequest{ModelName: name})
		}
		quarter := 1.5707963267948966
		if r := info("dock"); !r.Success || r.StatusMessage != "Here" {
			t.Errorf("%+v", r)
		} else {
			y.near("dock", r.Pose, 1, 2, 0, quarter)
		}
		if r := info("default"); !r.Success {
			t.Errorf("%+v", r)
		} else {
			y.near("default", r.Pose, 0, 0, 0, 0)
		}
		if r := info("nowhere"); r.Success || !strings.Contains(r.StatusMessage, "get_spawn_points_names") {
			t.Errorf("%+v", r)
		}
		for point, at := range map[string]r3.Vec{"dock": r3.V(1, 2, 0), "default": {},
			"nowhere": r3.V(5, 0, 0), "": r3.V(5, 0, 0)} {
			q := gazebomsgs.SpawnEntityRequest{Name: "crate", Xml: point, ReferenceFrame: "odom"}
			q.InitialPose.Position.X, q.InitialPose.Orientation.W = 5, 1
			yaw := 0.0
			if point == "dock" {
				yaw = quarter
			}
			r := y.spawn(q)
			if !r.Success {
				t.Errorf("at %q: %+v", point, r)
				continue
			}
			y.stands(r.StatusMessage, at, yaw)
			y.Do(sim.Delete{Names: []string{r.StatusMessage}})
		}
	})
}

func TestWhatO3DEsSpawnerCannotDoIsRefusedWithAReasonAndLeavesNothing(t *testing.T) {
	inO3DE(t, func(y *yard) {
		for says, q := range map[string]gazebomsgs.SpawnEntityRequest{
			"get_available_spawnable_names": {Name: "nothing", Xml: crateText},
			"/etc/passwd":                   {Name: "/etc/passwd"},
			"namespace":                     {Name: "crate", RobotNamespace: "9 lives"},
			"wgs84":                         {Name: "crate", ReferenceFrame: "wgs84"},
		} {
			if r := y.spawn(q); r.Success || !strings.Contains(r.StatusMessage, says) {
				t.Errorf("%+v: %+v, want %q", q, r, says)
			}
		}
		if n := len(y.Engine.Snapshot().Model.Entities); n != 1 {
			t.Errorf("%d entities are there", n)
		}
		if n := y.log.Count("deprecated"); n == 0 {
			t.Error("nobody was told that it is deprecated")
		}
	})
}

func TestO3DEsAndTheNewServicesOfOneNameAnswerTheirOwnClients(t *testing.T) {
	inO3DE(t, func(y *yard) {
		q := *simif2.NewSpawnEntityRequest()
		q.Name, q.EntityResource.URI = "new", "model://crate"
		if r := rostest.Ask(y.Stage, "/spawn_entity", simif2.SpawnEntityService(), &q); r.Result.Result != 1 {
			t.Errorf("%+v", r.Result)
		}
		if r := y.spawn(gazebomsgs.SpawnEntityRequest{Name: "crate"}); !r.Success {
			t.Errorf("%+v", r)
		}
		if err := New(&node.Node{}, y.Engine, "webots"); err == nil ||
			!strings.Contains(err.Error(), "o3de") {
			t.Errorf("a simulator that has none of them: %v", err)
		}
	})
}

func TestTheSpawnPointsOfALevelOfO3DEAreListedAndSpawnedAt(t *testing.T) {
	const level = `{"ContainerEntity": {"Name": "Arena"}, "Entities": {
"S": {"Name": "spawner", "Components": {"T": {"$type": "TransformComponent", "Transform Data": {"Translate": [0, 5, 0]}},
"S": {"$type": "ROS2SpawnerEditorComponent", "Controller": {"Configuration": {"Default spawn pose": {"Translation": [7, 0, 0]}}}}}},
"P": {"Name": "p", "Components": {"T": {"$type": "TransformComponent", "Parent Entity": "S", "Transform Data": {"Translate": [1, 0, 2], "Rotate": [0, 0, 90]}},
"S": {"$type": "ROS2SpawnPointEditorComponent", "Controller": {"Configuration": {"Name": "spawnPoint1", "Info": "by the gate"}}}}}}}`
	files := rostest.Files(map[string]string{"Levels/arena.prefab": level, "robots/rover.sdf": crateText})
	log := &logtest.Journal{}
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: "Levels/arena.prefab"}, Start: sim.Paused,
		Log: log.Log()}, func(s *rostest.Stage) error {
		return New(s.Server, s.Engine, O3DE)
	}, func(s *rostest.Stage) {
		y := &yard{s, log}
		if names := y.namesOf("/get_spawn_points_names"); !slices.Equal(names, []string{"default", "spawnPoint1"}) {
			t.Fatalf("the spawn points are %q", names)
		}
		for name, at := range map[string]r3.Vec{"spawnPoint1": r3.V(1, 5, 2), "default": r3.V(7, 0, 0)} {
			yaw := 0.0
			if name != "default" {
				yaw = 1.5707963267948966
			}
			r := rostest.Ask(y.Stage, "/get_spawn_point_info", gazebomsgs.GetModelStateService(),
				&gazebomsgs.GetModelStateRequest{ModelName: name})
			if !r.Success || name != "default" && r.StatusMessage != "by the gate" {
				t.Errorf("%s: %+v", name, r)
			}
			y.near(name, r.Pose, at.X, at.Y, at.Z, yaw)
			got := y.spawn(gazebomsgs.SpawnEntityRequest{Name: "rover", Xml: name})
			if !got.Success {
				t.Fatalf("%s: %+v", name, got)
			}
			y.stands(got.StatusMessage, at, yaw)
		}
	})
}

func TestASpawnableOfO3DEStandsAtAPlaceOnTheEarth(t *testing.T) {
	files := rostest.Files(map[string]string{"robots/rover.sdf": crateText, "earth/world.sdf": `<sdf version="1.9"><world name="earth"><gravity>0 0 0</gravity>
<spherical_coordinates><latitude_deg>50</latitude_deg><longitude_deg>8</longitude_deg><elevation>100</elevation><heading_deg>0</heading_deg></spherical_coordinates>
<frame name="dock"><pose>1 2 0 0 0 0</pose></frame></world></sdf>`})
	log := &logtest.Journal{}
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: "earth"}, Start: sim.Paused,
		Log: log.Log()}, func(s *rostest.Stage) error {
		return New(s.Server, s.Engine, O3DE)
	}, func(s *rostest.Stage) {
		y := &yard{s, log}
		for _, c := range []struct {
			lat, lon, alt float64
			point         string
			at            r3.Vec
		}{
			{50, 8, 100, "", r3.V(0, 0, 0)},
			// on the meridian a degree is 111.229 km here, and on the parallel 71.696 km
			{50.0001, 8, 103, "", r3.V(0, 11.1229, 3)}, {50, 8.0001, 100, "", r3.V(7.1696, 0, 0)},
			{50, 8, 100, "dock", r3.V(1, 2, 0)},
		} {
			q := gazebomsgs.SpawnEntityRequest{Name: "rover", Xml: c.point, ReferenceFrame: "wgs84"}
			q.InitialPose.Position.X, q.InitialPose.Position.Y, q.InitialPose.Position.Z = c.lat, c.lon, c.alt
			q.InitialPose.Orientation.W = 1
			r := y.spawn(q)
			if !r.Success {
				t.Fatalf("%+v: %+v", c, r)
			}
			snap := s.Engine.Snapshot()
			i, _ := snap.Find(r.StatusMessage)
			if got := snap.Entities[i].Pose.Pos; got.Dist(c.at) > 1e-3 {
				t.Errorf("%+v stands at %v", c, got)
			}
			y.Do(sim.Delete{Names: []string{r.StatusMessage}})
		}
		for _, bad := range [][3]float64{{91, 0, 0}, {0, 181, 0}, {0, 0, 1e9}, {-50, 8, 100}} {
			q := gazebomsgs.SpawnEntityRequest{Name: "rover", ReferenceFrame: "wgs84"}
			q.InitialPose.Position.X, q.InitialPose.Position.Y = bad[0], bad[1]
			q.InitialPose.Position.Z = bad[2]
			q.InitialPose.Orientation.W = 1
			if r := y.spawn(q); r.Success || r.StatusMessage == "" {
				t.Errorf("%v: %+v", bad, r)
			}
		}
	})
}
