package attach

import (
	"strings"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func entityState(s simif2.EntityState) sim.EntityState {
	return sim.EntityState{
		Pose:  geometry.PoseOf(s.Pose),
		Twist: geometry.TwistOf(s.Twist),
		Accel: geometry.TwistOf(geometrymsgs.Twist(s.Acceleration)),
	}
}

func resource(r scene.Resource) simif2.Resource {
	return simif2.Resource{URI: r.URI, ResourceString: r.Document}
}

func world(w simif2.WorldResource) scene.WorldInfo {
	return scene.WorldInfo{Name: w.Name, URI: w.WorldResource.URI, Description: w.Description, Tags: w.Tags}
}

func bounds(b simif2.Bounds) scene.Bounds {
	kind := scene.Bounds{Kind: scene.BoundsKind(b.Type)}
	for _, p := range b.Points {
		kind.Points = append(kind.Points, geometry.VecOf(p))
	}
	return kind
}

func spawnRequest(c sim.Spawn) simif2.SpawnEntity {
	q := simif2.SpawnEntity{Name: c.Name, AllowRenaming: c.AllowRenaming,
		EntityResource: resource(c.Resource), EntityNamespace: c.Namespace}
	q.InitialPose.Header.FrameID = c.Pose.Frame
	q.InitialPose.Pose = geometry.Pose(c.Pose.Pose)
	if c.Pose.Pose.Rot == (r3.Quat{}) {
		q.InitialPose.Pose.Orientation.W = 1 // zero means the identity here; other servers refuse zero
	}
	return q
}

// lastOf is the last part of a URI without its extension, for people.
func lastOf(uri string) string {
	base, _, _ := strings.Cut(uri[strings.LastIndexByte(uri, '/')+1:], ".")
	return base
}
