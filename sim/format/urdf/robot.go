// Package urdf reads robots in URDF into scene descriptions, with the <gazebo> elements for friction, sensors
// and drives. URDF is the XML that robot_state_publisher and Gazebo take, expanded from xacro by package
// xacro. A robot that names no drive and stands on a pair of wheels gets one inferred, which a note says.
package urdf

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// robot is a document on its way to a description.
type robot struct {
	doc        *source.Doc
	spec       *scene.ModelSpec
	links      map[string]int
	joints     map[string]int
	materials  map[string]scene.Material
	collisions map[string][]collision // by the name of their link
	mimics     []mimic
	spelled    []string        // by link: its name with the spaces that it has in the file
	byText     map[string]int  // links, by that
	motors     map[string]bool // joints whose <limit> is one of effort or speed
	// of <ros2_control>: what its plugin says, where that stands, and the hardware
	control    *scene.ROS2Control
	controlAt  *xmltree.Node
	components []scene.HardwareComponent
	lacking    bool            // a file of parameters is not there
	nodes      []*xmltree.Node // of spec.Joints
	lost       []*xmltree.Node // joints to links that are not there
	massless   *xmltree.Node   // the last <mass> of zero
}

// Model reads a robot. Errors wrap scene.ErrParse.
func Model(d *source.Doc) (*scene.ModelSpec, error) {
	root := d.Tree.Root
	r := &robot{doc: d, links: map[string]int{}, joints: map[string]int{},
		materials: map[string]scene.Material{}, motors: map[string]bool{},
		collisions: map[string][]collision{}, byText: map[string]int{},
		spec: &scene.ModelSpec{Name: root.Get("name"), Format: "urdf", Document: d.Tree.Text, Info: d.Info,
			Frame: r3.IdentityPose(), Placement: r3.IdentityPose()}}
	if r.spec.Name == "" {
		d.Note(scene.Suspicious, root, "<robot> has no name; using \"robot\"")
		r.spec.Name = "robot"
	}
	for _, step := range []func(*xmltree.Node) error{
		r.readMaterials, r.readLinks, r.readJoints, r.dropLoose, r.followMimics, r.arrange, r.pin,
		r.readGazebo, r.nameCollisions,
		r.leftover, r.finishControl, r.remarks,
	} {
		if err := step(root); err != nil {
			return nil, err
		}
	}
	if len(r.spec.Drives) == 0 && r.spec.ROS.Control == nil {
		r.inferDrive(root)
	}
	r.hold()
	r.spec.Notes = *d.Notes
	return r.spec, nil
}

func (r *robot) readLinks(root *xmltree.Node) error {
	for _, n := range root.All("link") {
		l, err := r.link(n)
		if err != nil {
			return err
		}
		r.spec.Links = append(r.spec.Links, l)
	}
	if len(r.spec.Links) == 0 {
		hint := ""
		if _, macro := root.Attr("xmlns:xacro"); macro {
			hint = "; this is xacro, which is expanded in files called .urdf.xacro"
		}
		return r.doc.Errorf(root, "the robot has no <link>%s", hint)
	}
	return nil
}

// arrange checks that the joints make one tree and places every link, all joints at zero. It walks the tree
// without recursion: robots with tens of thousands of links exist.
func (r *robot) arrange(root *xmltree.Node) error {
	spec := r.spec
	parent := make([]int, len(spec.Links))
	children := make([][]int, len(spec.Links)) // joints by parent link
	for i := range parent {
		parent[i] = -1
	}
	for i, j := range spec.Joints {
		if other := parent[j.Child]; other >= 0 {
			return r.doc.Errorf(r.nodes[i],
				"link %q is the child of joint %q and of joint %q; a link has one parent",
				spec.Links[j.Child].Name, spec.Joints[other].Name, j.Name)
		}
		parent[j.Child] = i
		children[j.Parent] = append(children[j.Parent], i)
	}
	top := -1
	for i := range parent {
		switch {
		case parent[i] >= 0:
		case top >= 0:
			return r.doc.Errorf(root, "links %q and %q have no parent; a robot has one root link",
				spec.Links[top].Name, spec.Links[i].Name)
		default:
			top = i
		}
	}
	if top < 0 {
		return r.doc.Errorf(root, "every link is the child of a joint; a robot has one root link")
	}
	queue := append(make([]int, 0, len(spec.Links)), top)
	for at := 0; at < len(queue); at++ {
		for _, i := range children[queue[at]] {
			j := &spec.Joints[i]
			spec.Links[j.Child].Pose = spec.Links[j.Parent].Pose.Mul(spec.Links[j.Child].Pose)
			if at := spec.Links[j.Child].Pose; !source.Reachable(at) {
				return r.doc.Errorf(r.nodes[i],
					"the origins down to link %q add up to %v; want at most %g m",
					spec.Links[j.Child].Name, at.Pos, source.MostDistance)
			}
			queue = append(queue, j.Child)
		}
	}
	if len(queue) < len(spec.Links) {
		return r.doc.Errorf(root, "%d of %d links hang in a circle that the root link %q does not reach",
			len(spec.Links)-len(queue),
			len(spec.Links), spec.Links[top].Name)
	}
	spec.Canonical = top
	if spec.Links[top].Name == "world" {
		r.doc.Note(scene.Inferred, root, "the root link is called world: the robot is fixed to the world")
		spec.Joints = append(spec.Joints,
			scene.Joint{Name: "world", Kind: scene.Fixed, Parent: scene.World, Child: top,
				Pose: r3.IdentityPose()})
	}
	return nil
}

// pin fixes a robot of one link that says to weigh nothing: so PyBullet's files write what does not move.
func (r *robot) pin(*xmltree.Node) error {
	if r.massless == nil || len(r.spec.Links) != 1 {
		return nil
	}
	r.spec.Static = true
	r.doc.Note(scene.Inferred, r.massless, "the only link has a mass of 0: it is fixed, as PyBullet has it")
	return nil
}

// leftover notes what nothing else has read.
func (r *robot) leftover(root *xmltree.Node) error {
	for _, t := range root.All("transmission") {
		r.transmission(t)
	}
	for _, n := range root.Kids {
		switch n.Name {
		case "link", "joint", "material", "gazebo", "transmission", "version":
		case "ros2_control":
			r.readControl(n)
			if r.control != nil {
				r.hardware(n)
			}
		case "mujoco", "webots":
			r.doc.Note(scene.Ignored, n, "<%s> is for another program", n.Name)
		case "sensor", "plugin", "group_state", "safety_controller":
			r.doc.Note(scene.Unsupported, n, "<%s> is not run", n.Name)
		default:
			kind := scene.Ignored
			if strings.HasPrefix(n.Name, "xacro:") {
				kind = scene.Unsupported // names and numbers may be ${…}
			}
			r.doc.Note(kind, n, "<%s> in <robot> is not known", n.Name)
		}
	}
	return nil
}

// transmission reads which motor moves a joint: one that takes positions holds it until it is commanded. The
// engine's motors need no gears between them.
func (r *robot) transmission(n *xmltree.Node) {
	for _, k := range n.All("joint") {
		name := k.Get("name")
		if _, ok := r.joints[name]; !ok {
			r.doc.Note(scene.Suspicious, k, "transmission to joint %q, which is not there%s", name,
				source.NearKey(name, r.joints))
			continue
		}
		for _, face := range append(k.All("hardwareInterface"),
			n.Child("actuator").All("hardwareInterface")...) {
			if strings.HasSuffix(face.Value(), "PositionJointInterface") {
				r.motors[name] = true
			}
		}
	}
}
