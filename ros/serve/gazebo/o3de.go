package gazebo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// defaultPoint is the spawn point that every world has: the named pose of this name, else the world's origin.
const defaultPoint = "default"

// newO3DE makes the services of O3DE's ROS2SpawnerComponent. In spawn_entity the name is that of a spawnable,
// and xml that of a spawn point; the answer has the entity's name in its status_message.
func newO3DE(s *server) error {
	return errors.Join(
		answer(s, "spawn_entity", "spawn_entity", gazebomsgs.SpawnEntityService(), s.spawnSpawnable,
			func(err error) *gazebomsgs.SpawnEntityResponse {
				return &gazebomsgs.SpawnEntityResponse{StatusMessage: err.Error()}
			}),
		answer(s, "delete_entity", "delete_entity", gazebomsgs.DeleteEntityService(), s.remove,
			func(err error) *gazebomsgs.DeleteEntityResponse {
				return &gazebomsgs.DeleteEntityResponse{StatusMessage: err.Error()}
			}),
		answer(s, "get_available_spawnable_names", "get_spawnables", gazebomsgs.GetWorldPropertiesService(),
			s.spawnableNames, noNames),
		answer(s, "get_spawn_points_names", "get_named_poses", gazebomsgs.GetWorldPropertiesService(),
			s.spawnPointNames, noNames),
		answer(s, "get_spawn_point_info", "get_named_poses", gazebomsgs.GetModelStateService(), s.spawnPointInfo,
			func(err error) *gazebomsgs.GetModelStateResponse {
				r := gazebomsgs.NewGetModelStateResponse()
				r.StatusMessage = err.Error()
				return r
			}))
}

func noNames(err error) *gazebomsgs.GetWorldPropertiesResponse {
	return &gazebomsgs.GetWorldPropertiesResponse{ModelNames: []string{}, StatusMessage: err.Error()}
}

// spawnables returns the names of all models of the search folders, with their URIs. Of several with one name
// the first has it; the others have their URI for a name. The sentences of failed name unreadable folders.
func (s *server) spawnables(ctx context.Context) (names []string, uris map[string]string, failed string,
	err error) {
	found, err := sim.Entities{Backend: s.backend}.Spawnables(ctx)
	uris = map[string]string{}
	for _, one := range found.List {
		name := one.Name
		if _, taken := uris[name]; taken {
			name = one.URI
		}
		names = append(names, name)
		uris[name] = one.URI
	}
	slices.Sort(names)
	return names, uris, strings.Join(found.Failed, "; "), err
}

func (s *server) spawnableNames(ctx context.Context,
	_ *gazebomsgs.GetWorldPropertiesRequest) (*gazebomsgs.GetWorldPropertiesResponse, error) {
	names, _, failed, err := s.spawnables(ctx)
	if err != nil {
		return nil, err
	}
	return s.named(names, failed), nil
}

// named is a list of names as an answer.
func (s *server) named(names []string, message string) *gazebomsgs.GetWorldPropertiesResponse {
	return &gazebomsgs.GetWorldPropertiesResponse{SimTime: s.backend.Snapshot().Time.Seconds(),
		ModelNames: names, Success: true, StatusMessage: message}
}

// spawnSpawnable spawns a spawnable at a spawn point, or where there is none of the name at the pose in the
// world. As in O3DE the reference frame wgs84 makes the pose a place on the earth; others do not count.
func (s *server) spawnSpawnable(ctx context.Context,
	q *gazebomsgs.SpawnEntityRequest) (*gazebomsgs.SpawnEntityResponse, error) {
	names, uris, _, err := s.spawnables(ctx)
	if err != nil {
		return nil, err
	}
	uri, found := uris[q.Name]
	if !found {
		return nil, fmt.Errorf("%w: there is no spawnable %q among the %d; get_available_spawnable_names lists them",
			sim.ErrNotFound, q.Name, len(names))
	}
	at, err := spawnPose(s.backend.Snapshot(), q)
	if err != nil {
		return nil, err
	}
	c := sim.Spawn{Name: q.Name, AllowRenaming: true, Namespace: q.RobotNamespace,
		Resource: scene.Resource{URI: uri}, Pose: sim.FramedPose{Pose: at}}
	if sim.CheckName(c.Name) != nil {
		c.Name = "" // a URI: the file has a name
	}
	r, err := sim.Call[sim.Spawned](ctx, s.backend, c)
	if err != nil {
		return nil, err
	}
	return &gazebomsgs.SpawnEntityResponse{Success: true, StatusMessage: r.Name}, nil
}

// spawnPose is the place of a request in the world. Of a place on the earth x is the latitude and y the
// longitude in degrees, and z the height above the ellipsoid in m. Its orientation is against east, north and
// up.
func spawnPose(s *sim.Snapshot, q *gazebomsgs.SpawnEntityRequest) (r3.Pose, error) {
	at := geometry.PoseOf(q.InitialPose)
	if point, ok := spawnPoint(s, q.Xml); ok {
		return point.Pose, nil
	}
	if q.ReferenceFrame != "wgs84" {
		return at, nil
	}
	return sim.PoseOnEarth(&s.Model.Earth, at.Pos.X, at.Pos.Y, at.Pos.Z, at.Rot)
}

// spawnPoint is the spawn point of a name: a named pose of the world, or the default one.
func spawnPoint(s *sim.Snapshot, name string) (scene.NamedPose, bool) {
	for _, p := range s.Model.NamedPoses {
		if p.Name == name {
			return p, true
		}
	}
	origin := scene.NamedPose{Name: defaultPoint, Description: "the origin of the world", Pose: r3.IdentityPose()}
	return origin, name == defaultPoint
}

func (s *server) spawnPointNames(context.Context,
	*gazebomsgs.GetWorldPropertiesRequest) (*gazebomsgs.GetWorldPropertiesResponse, error) {
	names := []string{}
	for _, p := range s.backend.Snapshot().Model.NamedPoses {
		names = append(names, p.Name)
	}
	if !slices.Contains(names, defaultPoint) {
		names = append(names, defaultPoint)
	}
	return s.named(names, ""), nil
}

func (s *server) spawnPointInfo(_ context.Context,
	q *gazebomsgs.GetModelStateRequest) (*gazebomsgs.GetModelStateResponse, error) {
	snap := s.backend.Snapshot()
	p, ok := spawnPoint(snap, q.ModelName)
	if !ok {
		return nil, fmt.Errorf("%w: there is no spawn point %q among the %d of the world; get_spawn_points_names lists them",
			sim.ErrNotFound, q.ModelName, len(snap.Model.NamedPoses))
	}
	return &gazebomsgs.GetModelStateResponse{
		Header:  stdmsgs.Header{Stamp: node.SimTime(snap.Time), FrameID: "world"},
		Success: true, Pose: geometry.Pose(p.Pose), StatusMessage: p.Description}, nil
}
