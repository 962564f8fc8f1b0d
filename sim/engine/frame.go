package engine

import (
	"fmt"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
)

// resolveFrame is the pose and the velocity of a frame in the world. Of the world's own frame, which most
// mean, no snapshot is taken.
func resolveFrame(name string, snapshot func() *sim.Snapshot) (r3.Pose, r3.Twist, error) {
	if name == "" || name == sim.WorldFrame {
		return r3.IdentityPose(), r3.Twist{}, nil
	}
	return sim.ResolveFrame(snapshot(), name)
}

// resolvePose resolves a pose to the world frame.
func resolvePose(p sim.FramedPose, snapshot func() *sim.Snapshot) (r3.Pose, error) {
	pose, err := checkPose(p.Pose)
	if err != nil {
		return pose, err
	}
	if p.Frame == "" || p.Frame == sim.WorldFrame {
		return pose, nil
	}
	frame, _, err := sim.ResolveFrame(snapshot(), p.Frame)
	if err != nil {
		return pose, err
	}
	return frame.Mul(pose), nil
}

// checkPose is a pose with its rotation normalised; one that was left out is
// the identity.
func checkPose(p r3.Pose) (r3.Pose, error) {
	unit, ok := p.Upright().Unit()
	if !ok {
		return unit, fmt.Errorf("%w: position %v, rotation %v: want finite numbers and a quaternion that has a length",
			sim.ErrInvalidPose, p.Pos, p.Rot)
	}
	if p.Pos.MaxAbs() > model.MaxDistance {
		return unit, fmt.Errorf("%w: position %v is more than %g m away", sim.ErrInvalidPose, p.Pos,
			model.MaxDistance)
	}
	return unit, nil
}

// absolute is the velocity in the world of something at a point that moves
// with t in a frame which itself is carried along.
func absolute(frame r3.Pose, carried r3.Twist, point r3.Vec, t r3.Twist) r3.Twist {
	return r3.Twist{
		Linear:  carried.At(point.Sub(frame.Pos)).Add(frame.Rot.Rotate(t.Linear)),
		Angular: carried.Angular.Add(frame.Rot.Rotate(t.Angular)),
	}
}
