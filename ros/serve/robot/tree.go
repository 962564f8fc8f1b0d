package robot

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// tree is the tf tree of a robot's frames, from the base frame outward, in whichever direction the joints of
// the file go. Frames are named without the robot's prefix.
type tree struct {
	spec   *scene.ModelSpec
	base   frame  // on top, below odom or world
	fixed  []edge // never change
	moving []edge // between links; change with the joints
}

// frame is a place fixed to a link.
type frame struct {
	name string
	link int
	pose r3.Pose // in the link frame
}

// edge is the pose of child in parent. Between links it is computed from their poses, so that pose is only
// set for fixed edges, or is that of via in child.
type edge struct {
	parent, child         string
	parentLink, childLink int
	pose                  r3.Pose
	joint                 int // index into ModelSpec.Joints; negative: none
	// a frame on the joint's axis, where that does not go through the child's origin; empty: it does
	via string
}

// newTree builds the tree of a model. Its base is that of its first drive, or
// the root link.
func newTree(spec *scene.ModelSpec, sensors []sim.SensorModel) *tree {
	t := &tree{spec: spec}
	root := rootOf(spec, spec.Canonical)
	t.base = frame{spec.Links[root].Name, root, r3.IdentityPose()}
	if len(spec.Drives) > 0 {
		t.base = t.baseOf(spec.Drives[0].Odometry.BaseFrame, root)
	}
	known := map[string]bool{}
	for _, l := range spec.Links {
		known[l.Name] = true
	}
	if !known[t.base.name] {
		known[t.base.name] = true
		t.fix(t.base.name, spec.Links[t.base.link].Name, t.base.pose.Inverse())
	}
	t.grow(t.base.link)
	for i := range t.moving {
		t.onAxis(&t.moving[i], known)
	}
	for _, f := range spec.Frames {
		if !known[f.Name] {
			known[f.Name] = true
			at := t.fixedTo(f)
			t.fix(spec.Links[at.link].Name, f.Name, at.pose)
		}
	}
	for _, s := range sensors {
		if at := sensorFrame(spec, s); !known[at.name] {
			known[at.name] = true
			t.fix(spec.Links[at.link].Name, at.name, at.pose)
		}
	}
	return t
}

func (t *tree) fix(parent, child string, pose r3.Pose) {
	t.fixed = append(t.fixed, edge{parent: parent, child: child, pose: pose, joint: -1})
}

// onAxis adds a frame on the joint's axis, fixed to the link, where the axis does not go through the link
// that it moves. URDF has no other way to place the axis (see description).
func (t *tree) onAxis(e *edge, known map[string]bool) {
	if e.joint < 0 {
		return
	}
	j := &t.spec.Joints[e.joint]
	at, axis := axisIn(t.spec, j, e.childLink)
	off := at.Sub(axis.Scale(at.Dot(axis)))
	if j.Kind != scene.Revolute && j.Kind != scene.Continuous || off.Len() < 1e-6 {
		return
	}
	for e.via = j.Name; known[e.via]; {
		e.via += "_axis"
	}
	known[e.via] = true
	e.pose = r3.Pose{Pos: off, Rot: r3.Identity()}
	t.fixed = append(t.fixed, edge{parent: e.child, child: e.via, pose: e.pose, joint: -1, via: e.via})
}

// baseOf is the frame that odometry is about: a link, a frame of the model, or
// a name of its own for the root link.
func (t *tree) baseOf(name string, root int) frame {
	for i, l := range t.spec.Links {
		if l.Name == name {
			return frame{name, i, r3.IdentityPose()}
		}
	}
	for _, f := range t.spec.Frames {
		if f.Name == name {
			return t.fixedTo(f)
		}
	}
	if name == "" {
		name = t.spec.Links[root].Name
	}
	return frame{name, root, r3.IdentityPose()}
}

// fixedTo is a frame of the model as fixed to a link; one in the model frame is fixed to the canonical link.
func (t *tree) fixedTo(f scene.Frame) frame {
	if f.Link >= 0 {
		return frame{f.Name, f.Link, f.Pose}
	}
	link := t.spec.Canonical
	return frame{f.Name, link, t.spec.Links[link].Pose.Relative(f.Pose)}
}

// grow walks the joints outwards from a link, then from the first unreached link, whose free pose hangs on
// the base.
func (t *tree) grow(from int) {
	links := t.spec.Links
	reached := make([]bool, len(links))
	for start := from; start >= 0; start = slices.Index(reached, false) {
		if start != from {
			t.moving = append(t.moving, edge{parent: links[from].Name, child: links[start].Name,
				parentLink: from, childLink: start, joint: -1})
		}
		reached[start] = true
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for i, j := range t.spec.Joints {
				next := other(j, queue[0])
				if next < 0 || reached[next] {
					continue
				}
				reached[next] = true
				queue = append(queue, next)
				t.join(i, queue[0], next)
			}
		}
	}
}

// other is the link at the other end of a joint; negative when link is at no end.
func other(j scene.Joint, link int) int {
	switch link {
	case j.Parent:
		return j.Child
	case j.Child:
		return j.Parent
	}
	return -1
}

func (t *tree) join(joint, from, to int) {
	links := t.spec.Links
	e := edge{parent: links[from].Name, child: links[to].Name, parentLink: from, childLink: to, joint: joint}
	if t.spec.Joints[joint].Kind == scene.Fixed {
		e.pose = links[from].Pose.Relative(links[to].Pose)
		t.fixed = append(t.fixed, e)
	} else {
		t.moving = append(t.moving, e)
	}
}

// rootOf follows the joints from a link to the one that no joint moves. A loop
// ends where it began.
func rootOf(spec *scene.ModelSpec, link int) int {
	for range spec.Links {
		up := slices.IndexFunc(spec.Joints,
			func(j scene.Joint) bool { return j.Child == link && j.Parent != scene.World })
		if up < 0 {
			break
		}
		link = spec.Joints[up].Parent
	}
	return link
}

// sensorFrame is the frame in which a sensor's data are given. The file's name counts; without one it is the
// link for a sensor in its origin, else a frame of the sensor's own.
func sensorFrame(spec *scene.ModelSpec, s sim.SensorModel) frame {
	if isCamera(s) {
		return opticalFrame(spec, s)
	}
	link := spec.Links[s.Link].Name
	at := frame{s.Spec.Frame, s.Link, s.Spec.Pose}
	if at.name == "" && s.Spec.Pose == r3.IdentityPose() {
		at.name = link
	}
	if at.name == "" {
		at.name = link + "/" + s.Spec.Name
	}
	return at
}

// basePose is the true pose of the base frame.
func (t *tree) basePose(links []sim.LinkState) r3.Pose {
	return links[t.base.link].Pose.Mul(t.base.pose)
}
