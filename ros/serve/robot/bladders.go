package robot

import (
	"errors"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
)

// volumePublisher tells the volume of a buoyancy engine, m³; nil: a controller outside speaks for the model.
type volumePublisher = *node.Publisher[stdmsgs.Float64]

// addBladders takes the volumes that buoyancy engines are told, m³, under the topics that a file names, and
// publishes those that they have.
func (f *RobotPublisher) addBladders(r *robot, m *sim.EntityModel) error {
	var errs []error
	for i := range m.Spec.Flow.Engines {
		e := &m.Spec.Flow.Engines[i]
		if r.acceptsCommands {
			name := m.Spec.Links[e.Link].Name
			told := func(n *stdmsgs.Float64) (sim.Command, error) {
				return sim.SetJoints{Name: r.name, Targets: []sim.JointTarget{
					{Joint: name, Mode: sim.JointPosition, Target: n.Data}}}, nil
			}
			errs = append(errs, listen(f, r, f.take(r, e.Topic), told))
		}
		var p volumePublisher
		if !r.external {
			var err error
			p, err = open[stdmsgs.Float64](f, r, e.Topic+"/current_volume", burstQoS())
			errs = append(errs, err)
		}
		r.volumes = append(r.volumes, p)
	}
	return errors.Join(errs...)
}

// publishVolumes tells the volumes of buoyancy engines, m³.
func (r *robot) publishVolumes(s *sim.Snapshot, i int) (err error) {
	for k, v := range s.VolumesOf(i) {
		if p := r.volumes[k]; p != nil {
			err = errors.Join(err, p.Publish(&stdmsgs.Float64{Data: v}))
		}
	}
	return err
}
