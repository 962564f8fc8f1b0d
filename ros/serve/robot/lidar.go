package robot

import (
	"cmp"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// lidar is a lidar on the graph: of one ring a scan, of several a cloud.
type lidar struct {
	spec   *scene.Sensor
	frame  string
	scans  *node.Publisher[sensormsgs.LaserScan]
	points *node.Publisher[sensormsgs.PointCloud2]
	cloud  *cloud
}

func isLidar(s sim.SensorModel) bool {
	return s.Spec.Kind == scene.Lidar && s.Spec.Lidar.Rows > 0 && s.Spec.Lidar.Columns > 0
}

func (f *RobotPublisher) newLidar(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	l := &lidar{spec: s.Spec, frame: frame}
	var err error
	if s.Spec.Lidar.Rows == 1 {
		l.scans, err = open[sensormsgs.LaserScan](f, r, cmp.Or(s.Spec.Topic, "scan"), burstQoS())
	} else {
		l.cloud = newCloud(&s.Spec.Lidar)
		l.points, err = open[sensormsgs.PointCloud2](f, r, cmp.Or(s.Spec.Topic, "points"),
			largeQoS(s.Spec.Rate, pointStep*s.Spec.Lidar.Rows*s.Spec.Lidar.Columns))
	}
	return l, err
}

func (l *lidar) wanted() bool {
	return l.scans != nil && l.scans.Subscribers() > 0 || l.points != nil && l.points.Subscribers() > 0
}

func (l *lidar) publish(s *sim.Sample) error {
	scan, ok := s.Data.(*sim.LidarScan)
	switch {
	case !ok:
		return nil
	case l.scans != nil:
		return l.scans.Publish(laserScan(s.Time, l.frame, l.spec, scan))
	case l.points.Subscribers() == 0:
		return nil
	}
	if c := l.cloud.fill(s.Time, l.frame, scan); c != nil {
		return l.points.Publish(c)
	}
	return nil
}
