// Package geometry turns the values of sim/r3 into geometry_msgs and back. Functions with the name of a
// message make one; VecOf, PoseOf and TwistOf read one. Units and frames are the same on both sides
// (REP-103).
package geometry

import (
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/sim/r3"
)

// Vector3 is a vector as geometry_msgs/Vector3.
func Vector3(v r3.Vec) geometrymsgs.Vector3 { return geometrymsgs.Vector3{X: v.X, Y: v.Y, Z: v.Z} }

// Point is a vector as geometry_msgs/Point.
func Point(v r3.Vec) geometrymsgs.Point { return geometrymsgs.Point{X: v.X, Y: v.Y, Z: v.Z} }

// Quaternion is a rotation as geometry_msgs/Quaternion.
func Quaternion(q r3.Quat) geometrymsgs.Quaternion {
	return geometrymsgs.Quaternion{X: q.X, Y: q.Y, Z: q.Z, W: q.W}
}

// Pose is a pose as geometry_msgs/Pose.
func Pose(p r3.Pose) geometrymsgs.Pose {
	return geometrymsgs.Pose{Position: Point(p.Pos), Orientation: Quaternion(p.Rot)}
}

// Twist is a velocity as geometry_msgs/Twist.
func Twist(t r3.Twist) geometrymsgs.Twist {
	return geometrymsgs.Twist{Linear: Vector3(t.Linear), Angular: Vector3(t.Angular)}
}

// VecOf reads a vector.
func VecOf(v geometrymsgs.Vector3) r3.Vec { return r3.Vec{X: v.X, Y: v.Y, Z: v.Z} }

// PoseOf reads a pose as it is: its rotation may be of any length, also 0.
func PoseOf(p geometrymsgs.Pose) r3.Pose {
	return r3.Pose{
		Pos: r3.Vec{X: p.Position.X, Y: p.Position.Y, Z: p.Position.Z},
		Rot: r3.Quat{W: p.Orientation.W, X: p.Orientation.X, Y: p.Orientation.Y, Z: p.Orientation.Z},
	}
}

// TwistOf reads a velocity.
func TwistOf(t geometrymsgs.Twist) r3.Twist {
	return r3.Twist{Linear: VecOf(t.Linear), Angular: VecOf(t.Angular)}
}
