package attach

import (
	"strings"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func vec(v geometrymsgs.Vector3) r3.Vec { return r3.Vec{X: v.X, Y: v.Y, Z: v.Z} }

func vector3(v r3.Vec) geometrymsgs.Vector3 { return geometrymsgs.Vector3{X: v.X, Y: v.Y, Z: v.Z} }

func rosPose(p r3.Pose) geometrymsgs.Pose {
	return geometrymsgs.Pose{
		Position:    geometrymsgs.Point{X: p.Pos.X, Y: p.Pos.Y, Z: p.Pos.Z},
		Orientation: geometrymsgs.Quaternion{W: p.Rot.W, X: p.Rot.X, Y: p.Rot.Y, Z: p.Rot.Z},
	}
}

func pose(p geometrymsgs.Pose) r3.Pose {
	return r3.Pose{
		Pos: r3.Vec{X: p.Position.X, Y: p.Position.Y, Z: p.Position.Z},
		Rot: r3.Quat{W: p.Orientation.W, X: p.Orientation.X, Y: p.Orientation.Y, Z: p.Orientation.Z},
	}
}

func entityState(s simif2.EntityState) sim.EntityState {
	return sim.EntityState{
		Pose:  pose(s.Pose),
		Twist: r3.Twist{Linear: vec(s.Twist.Linear), Angular: vec(s.Twist.Angular)},
		Accel: r3.Twist{Linear: vec(s.Acceleration.Linear), Angular: vec(s.Acceleration.Angular)},
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
		kind.Points = append(kind.Points, vec(p))
	}
	return kind
}

func spawnRequest(c sim.Spawn) simif2.SpawnEntity {
	q := simif2.SpawnEntity{Name: c.Name, AllowRenaming: c.AllowRenaming, EntityResource: resource(c.Resource), EntityNamespace: c.Namespace}
	q.InitialPose.Header.FrameID = c.Pose.Frame
	q.InitialPose.Pose = rosPose(c.Pose.Pose)
	if c.Pose.Pose.Rot == (r3.Quat{}) {
		q.InitialPose.Pose.Orientation.W = 1 // what zero means here; other servers refuse zero
	}
	return q
}

// lastOf is the last part of a URI without its extension, for people.
func lastOf(uri string) string {
	base, _, _ := strings.Cut(uri[strings.LastIndexByte(uri, '/')+1:], ".")
	return base
}
