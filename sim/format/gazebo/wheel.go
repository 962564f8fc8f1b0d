package gazebo

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// WheelCentre is the middle of a wheel in the model frame, joints at zero: its first round collision shape's,
// or its link's.
func WheelCentre(spec *scene.ModelSpec, link int) r3.Vec {
	l := &spec.Links[link]
	for i := range l.Collisions {
		switch l.Collisions[i].Kind {
		case scene.Cylinder, scene.Sphere, scene.Capsule:
			return l.Pose.Apply(l.Collisions[i].Pose.Pos)
		}
	}
	return l.Pose.Pos
}

// JointAxis is the axis of a joint in the model frame, all joints at zero.
func JointAxis(spec *scene.ModelSpec, j *scene.Joint) r3.Vec {
	return spec.Links[j.Child].Pose.Rot.Rotate(j.Pose.Rot.Rotate(j.Axis))
}

// WheelRadius is the largest radius of a link's round collision shapes: cylinder, sphere or mesh (half its
// larger extent across the joint axis). Zero when there is none.
func WheelRadius(spec *scene.ModelSpec, link int) float64 {
	radius := 0.0
	for i := range spec.Links[link].Collisions {
		g := &spec.Links[link].Collisions[i]
		switch g.Kind {
		case scene.Cylinder, scene.Sphere, scene.Capsule:
			radius = max(radius, g.Radius)
		}
	}
	if radius > 0 {
		return radius
	}
	for i := range spec.Links[link].Collisions {
		if g := &spec.Links[link].Collisions[i]; g.Kind == scene.MeshGeom {
			box := r3.EmptyBox()
			for _, v := range g.Mesh.Vertices {
				box = box.Extend(v.Mul(g.Scale))
			}
			s := box.Size()
			// A wheel is round: its two larger extents are its diameter.
			radius = max(radius, (s.X+s.Y+s.Z-min(s.X, s.Y, s.Z))/4)
		}
	}
	return radius
}
