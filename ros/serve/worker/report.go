package worker

import (
	"errors"
	"fmt"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// report says which simulation this is.
type report struct {
	topics []*node.Publisher[l2msgs.Simulation]
	msg    l2msgs.Simulation
}

// open makes the topics: the worker's own, and the one it is to report on.
func (r *report) open(n *node.Node, c *Config) error {
	r.msg = l2msgs.Simulation{Ns: n.Namespace(), ReportPath: c.ReportPath, WorkerID: n.Name()}
	names := []string{"simulation"}
	if c.ReportPath != "" {
		own, err1 := n.Resolve("simulation")
		also, err2 := n.Resolve(c.ReportPath)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("report_path %q: %w", c.ReportPath, err)
		}
		if also != own {
			names = append(names, c.ReportPath)
		}
	}
	for _, name := range names {
		p, err := node.NewPublisher[l2msgs.Simulation](n, name, node.LatchedQoS())
		if err != nil {
			return err
		}
		r.topics = append(r.topics, p)
	}
	return nil
}

// describe takes over what the world is, and reports whether that is news. The stored object stands for the
// world made of it.
func (r *report) describe(m *sim.Model, stored *l2msgs.Object3D) bool {
	before := r.msg.Object
	if stored != nil && stored.Data == m.File.Text {
		r.msg.Object = *stored
	} else {
		r.msg.Object = l2msgs.Object3D{Type: kindOf(m.File.Format), Name: m.World.Name, Data: m.File.Text,
			Pose: geometrymsgs.Pose{Orientation: geometrymsgs.Quaternion{W: 1}}, Scale: unscaled()}
	}
	return r.msg.Object != before
}

func (r *report) publish() error {
	var errs []error
	for _, p := range r.topics {
		errs = append(errs, p.Publish(&r.msg))
	}
	return errors.Join(errs...)
}

// kindOf is a file's format in the words of Object3D, which knows no others.
func kindOf(format string) uint8 {
	switch format {
	case "sdf":
		return l2msgs.Object3DTypeSdf
	case "webots":
		return l2msgs.Object3DTypeProto
	}
	return l2msgs.Object3DTypeUnknown
}

func unscaled() geometrymsgs.Vector3 { return geometrymsgs.Vector3{X: 1, Y: 1, Z: 1} }
