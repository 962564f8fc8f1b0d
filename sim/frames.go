package sim

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// ResolveFrame is the pose and the velocity, in the world frame, of a frame in a snapshot. The frame is "" or
// "world" for the world, an entity (its canonical link), "entity/link" or "entity/frame" of its description,
// or a named pose. A name that is none of these is ErrInvalidPose.
func ResolveFrame(s *Snapshot, name string) (r3.Pose, r3.Twist, error) {
	if name == "" || name == WorldFrame {
		return r3.IdentityPose(), r3.Twist{}, nil
	}
	if i, ok := s.Find(name); ok {
		return s.Entities[i].Pose, s.Entities[i].Twist, nil
	}
	for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
		if i, ok := s.Find(name[:at]); ok {
			if pose, twist, ok := s.frameOf(i, name[at+1:]); ok {
				return pose, twist, nil
			}
		}
	}
	if i, ok := s.Model.namedPose(name); ok {
		return s.Model.NamedPoses[i].Pose, r3.Twist{}, nil
	}
	return r3.IdentityPose(), r3.Twist{},
		fmt.Errorf("%w: frame %q is neither world, an entity, entity/link nor a named pose", ErrInvalidPose,
			name)
}

// frameOf finds a link, or a frame fixed to one, of entity i.
func (s *Snapshot) frameOf(i int, name string) (r3.Pose, r3.Twist, bool) {
	links := s.LinksOf(i)
	if links == nil {
		return r3.Pose{}, r3.Twist{}, false
	}
	spec := s.Model.Entities[i].Spec
	if k := slices.IndexFunc(spec.Links, func(l scene.Link) bool { return l.Name == name }); k >= 0 {
		return links[k].Pose, links[k].Twist, true
	}
	k := slices.IndexFunc(spec.Frames, func(f scene.Frame) bool { return f.Name == name })
	if k < 0 {
		return r3.Pose{}, r3.Twist{}, false
	}
	f := &spec.Frames[k]
	on, offset := f.Link, f.Pose.Upright()
	if on < 0 || on >= len(links) {
		on = spec.Canonical
		offset = spec.Frame.Upright().Inverse().Mul(offset)
	}
	base := links[on]
	at := base.At(offset)
	return at.Pose, at.Twist, true
}

// PoseIn is a pose in the world frame as seen from another frame.
func PoseIn(s *Snapshot, p r3.Pose, frame string) (r3.Pose, error) {
	f, _, err := ResolveFrame(s, frame)
	if err != nil {
		return p, err
	}
	return f.Relative(p), nil
}

// FrameIn is the pose of a frame as seen from another one, and its velocity
// against that. Names are those of ResolveFrame.
func FrameIn(s *Snapshot, name, frame string) (r3.Pose, r3.Twist, error) {
	p, t, err := ResolveFrame(s, name)
	if err != nil {
		return p, t, err
	}
	f, carried, err := ResolveFrame(s, frame)
	if err != nil {
		return p, t, err
	}
	return f.Relative(p), relative(f, carried, p.Pos, t), nil
}

// StateIn is entity i's state seen from a frame: pose and twist against it, acceleration in the world along
// its axes.
func StateIn(s *Snapshot, i int, frame string) (EntityState, error) {
	f, carried, err := ResolveFrame(s, frame)
	if err != nil {
		return EntityState{}, err
	}
	e := s.Entities[i]
	e.Twist = relative(f, carried, e.Pose.Pos, e.Twist)
	e.Accel = e.Accel.RotateBack(f.Rot)
	e.Pose = f.Relative(e.Pose)
	return e, nil
}

// relative is the inverse of absolute.
func relative(frame r3.Pose, carried r3.Twist, point r3.Vec, t r3.Twist) r3.Twist {
	return r3.Twist{
		Linear:  frame.Rot.RotateBack(t.Linear.Sub(carried.At(point.Sub(frame.Pos)))),
		Angular: frame.Rot.RotateBack(t.Angular.Sub(carried.Angular)),
	}
}

// ModelPose is the world pose of entity i's model frame, which files' poses mean; it moves with the canonical
// link.
func (s *Snapshot) ModelPose(i int) r3.Pose {
	return s.Entities[i].Pose.Mul(s.Model.Entities[i].Spec.Frame.Upright().Inverse())
}
