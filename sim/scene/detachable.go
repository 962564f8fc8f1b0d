package scene

// Detachable is a fixed joint from a link of a model to one of another model of the world (Gazebo's
// DetachableJoint). It is there from the beginning, or from when the other model comes. Topics remove it and
// make it again.
type Detachable struct {
	Link        int    // of this model
	Child       string // name of the other model as an entity; OwnModel: this one
	ChildLink   string
	Attach      string // topic of std_msgs/Empty; empty: /model/ENTITY/detachable_joint/attach, as in Gazebo
	Detach      string // likewise: …/detach
	Output      string // topic of std_msgs/String, "attached" or "detached"; likewise: …/state
	Unannounced bool   // that the other model is not there is no warning
}

// OwnModel is the child of a Detachable that joins two links of one model.
const OwnModel = "__model__"
