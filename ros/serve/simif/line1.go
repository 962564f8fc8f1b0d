package simif

import (
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif1"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The 1.x line of simulation_interfaces (1.4 Humble, 1.5 Jazzy, 1.6 Kilted):
// the services that differ on the wire from 2.x under the same names. The
// others are the same in both and served by the codecs of 2.x.

func result1(err error, own []code) simif1.Result {
	r := result2(err, own)
	return simif1.Result{Result: r.Result, ErrorMessage: r.ErrorMessage}
}

func bounds1(b scene.Bounds) simif1.Bounds {
	m := simif1.Bounds{Type: uint8(b.Kind)}
	for _, p := range b.Points {
		m.Points = append(m.Points, geometry.Vector3(p))
	}
	return m
}

func (s *Services) spawnables1() node.Line {
	return line(simif1.GetSpawnablesService(),
		func(q *simif1.GetSpawnablesRequest) ([]string, error) { return q.Sources, nil }, s.spawnables,
		func(a sim.Spawnables, err error) *simif1.GetSpawnablesResponse {
			m := &simif1.GetSpawnablesResponse{Result: result1(err, nil)}
			if err == nil {
				m.Result.ErrorMessage = strings.Join(a.Failed, "; ")
			}
			for _, one := range a.List {
				m.Spawnables = append(m.Spawnables, simif1.Spawnable{
					URI: one.URI, Description: one.Info.Description, SpawnBounds: bounds1(one.Info.Bounds)})
			}
			return m
		})
}

func (s *Services) spawn1() node.Line {
	return line(simif1.SpawnEntityService(),
		func(q *simif1.SpawnEntityRequest) (sim.Spawn, error) {
			return sim.Spawn{Name: q.Name, AllowRenaming: q.AllowRenaming, Namespace: q.EntityNamespace,
				Resource: scene.Resource{URI: q.URI, Document: q.ResourceString},
				Pose: sim.FramedPose{Frame: q.InitialPose.Header.FrameID,
					Pose: geometry.PoseOf(q.InitialPose.Pose)}}, nil
		}, s.spawn,
		func(name string, err error) *simif1.SpawnEntityResponse {
			return &simif1.SpawnEntityResponse{Result: result1(err, spawnCodes()), EntityName: name}
		})
}

// setState1 sets pose and twist: 1.x has no flags to choose by. An acceleration is a push that lasts a step,
// so that only one that is not zero is meant. For a static entity a twist of zero is none.
func (s *Services) setState1() node.Line {
	return line(simif1.SetEntityStateService(),
		func(q *simif1.SetEntityStateRequest) (sim.SetEntityState, error) {
			p := geometry.PoseOf(q.State.Pose)
			c := sim.SetEntityState{Name: q.Entity, Frame: q.State.Header.FrameID, Pose: &p,
				Twist: new(geometry.TwistOf(q.State.Twist))}
			if a := (geometry.TwistOf(geometrymsgs.Twist(q.State.Acceleration))); a != (r3.Twist{}) {
				c.Accel = &a
			}
			return c, nil
		}, s.setState,
		func(_ nothing, err error) *simif1.SetEntityStateResponse {
			return &simif1.SetEntityStateResponse{Result: result1(err, stateCodes())}
		})
}

func (s *Services) load1() node.Line {
	return line(simif1.LoadWorldService(),
		func(q *simif1.LoadWorldRequest) (sim.LoadWorld, error) {
			return sim.LoadWorld{Resource: scene.Resource{URI: q.URI, Document: q.ResourceString},
				FailOnUnsupported:   q.FailOnUnsupportedElement,
				IgnoreMissingAssets: q.IgnoreMissingOrUnsupportedAssets}, nil
		}, s.load,
		func(w scene.WorldInfo, err error) *simif1.LoadWorldResponse {
			return &simif1.LoadWorldResponse{Result: result1(err, loadCodes()),
				World: simif1.WorldResource{Name: w.Name,
					WorldResource: simif1.Resource{URI: w.URI}, Description: w.Description, Tags: w.Tags}}
		})
}
