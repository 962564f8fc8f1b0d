package worker

import (
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// joints are those of all robots in one message.
type joints struct {
	pub  *node.Publisher[sensormsgs.JointState]
	from []jointOf
	msg  sensormsgs.JointState
}

// jointOf is a joint of an entity, by their places in Model.Entities and in its Spec.
type jointOf struct{ entity, joint int }

func (j *joints) open(n *node.Node) (err error) {
	j.pub, err = node.NewPublisher[sensormsgs.JointState](n, "joint_states", node.BurstQoS(queue))
	return err
}

// collect names the joints that move: by their own names, and with their robot's in front where several
// robots have any.
func (j *joints) collect(m *sim.Model) {
	j.from = nil
	robots := 0
	for i := range m.Entities {
		before := len(j.from)
		for k := range m.Entities[i].Spec.Joints {
			if m.Entities[i].Spec.Joints[k].Kind.HasPosition() && !m.Entities[i].Static {
				j.from = append(j.from, jointOf{i, k})
			}
		}
		if len(j.from) > before {
			robots++
		}
	}
	n := len(j.from)
	j.msg = sensormsgs.JointState{Name: make([]string, n), Position: make([]float64, n),
		Velocity: make([]float64, n), Effort: make([]float64, n)}
	for i, at := range j.from {
		e := &m.Entities[at.entity]
		if j.msg.Name[i] = e.Spec.Joints[at.joint].Name; robots > 1 {
			j.msg.Name[i] = e.Name + "/" + j.msg.Name[i]
		}
	}
}

// publish tells the states, those of encoders where joints have any, as the robots themselves do.
func (j *joints) publish(s *sim.Snapshot) error {
	j.msg.Header.Stamp = node.SimTime(s.Time)
	for i, at := range j.from {
		state := &s.Joints[s.Model.Entities[at.entity].FirstJoint+at.joint]
		j.msg.Position[i], j.msg.Velocity[i] = state.Reported()
		j.msg.Effort[i] = state.Effort
	}
	return j.pub.Publish(&j.msg)
}
