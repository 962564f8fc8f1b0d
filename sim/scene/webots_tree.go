package scene

import "simdeck/sim/r3"

// WebotsTree is the scene tree of a file of Webots, as supervisors see it. It never changes.
type WebotsTree struct {
	Root *TreeNode // of a world: a Group of its nodes, in the order of the file; of a model: its node
	// nodes by DEF, in the order of the tree, without those inside of PROTOs
	Defs map[string][]*TreeNode
	// the top nodes of models, by Placed.Name; of a tree of one model there is one
	Models map[string]*TreeNode
}

// TreeNode is a node of a scene tree. A node that a PROTO makes has the PROTO's fields.
type TreeNode struct {
	Class  *NodeClass
	Base   string // type of its base node: "Solid"
	Def    string
	Parent *TreeNode    // nil: none
	Given  []FieldValue // the fields with other values than their class has
	Body   *TreeNode    // the node that its PROTO makes; nil: it is none of a PROTO, or the body is not at hand
	Hidden bool         // it is inside of a PROTO's body
	State  *NodeState   // nil: nothing of the world moves it
}

// NodeClass is a type of nodes: a base node, or a PROTO.
type NodeClass struct {
	Name   string
	Proto  bool
	Fields []NodeField
	Index  map[string]int // places of fields, by name
}

// NodeField is a field of a type of nodes.
type NodeField struct {
	Name    string
	Kind    FieldKind
	Default FieldValue
}

// FieldKind is the type of a field, numbered as Webots' controller protocol does.
type FieldKind uint8

// Types of fields; a list of values has FieldList added.
const (
	FieldBool FieldKind = 1 + iota
	FieldInt32
	FieldFloat
	FieldVec2
	FieldVec3
	FieldRotation
	FieldColor
	FieldString
	FieldNode
	FieldList FieldKind = 16
)

// Single is the kind of one value of a field.
func (k FieldKind) Single() FieldKind { return k &^ FieldList }

// Numbers is the number of numbers of one value; 0: it holds none.
func (k FieldKind) Numbers() int {
	switch k.Single() {
	case FieldInt32, FieldFloat:
		return 1
	case FieldVec2:
		return 2
	case FieldVec3, FieldColor:
		return 3
	case FieldRotation:
		return 4
	}
	return 0
}

// FieldValue is the value of a field: one of its slices.
type FieldValue struct {
	Field   int // index into NodeClass.Fields
	Numbers []float64
	Strings []string
	Bools   []bool
	Nodes   []*TreeNode
}

// Len is the number of values of a kind.
func (v *FieldValue) Len(k FieldKind) int {
	if n := k.Numbers(); n > 0 {
		return len(v.Numbers) / n
	}
	return len(v.Strings) + len(v.Bools) + len(v.Nodes)
}

// Value is the value of a field as the file has it, by its index.
func (n *TreeNode) Value(field int) *FieldValue {
	for i := range n.Given {
		if n.Given[i].Field == field {
			return &n.Given[i]
		}
	}
	return &n.Class.Fields[field].Default
}

// NodeState says where the state of a node is found. Poses are in links; without a Model, in the world.
type NodeState struct {
	Model string  // Placed.Name of the model that it is part of; empty: it stands in the world
	Top   bool    // it is that model's top node
	Start r3.Pose // of the top node, where the file puts it

	Posed     bool // it has a pose
	Link, End int  // Pose is in Links[Link]; those up to End are its own, and those below it; End 0: none is
	Pose      r3.Pose

	// of a node that moves against its parent: the frame that its translation is in, and the scale there
	Moves     bool
	FrameLink int // -1: the world
	Frame     r3.Pose
	Scale     r3.Vec

	Joints [2]int // that a joint, or parameters of one, are about: 1 + index into Joints; 0: none
	Device int    // 1 + index into Robot.Devices; 0: it is none
}
