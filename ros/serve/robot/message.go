package robot

import (
	"encoding/binary"
	"math"
	"time"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func header(t time.Duration, frame string) stdmsgs.Header {
	return stdmsgs.Header{Stamp: node.SimTime(t), FrameID: frame}
}

// transform is the pose of child in parent.
func transform(t time.Duration, parent, child string, p r3.Pose) geometrymsgs.TransformStamped {
	return geometrymsgs.TransformStamped{Header: header(t, parent), ChildFrameID: child,
		Transform: geometrymsgs.Transform{Translation: geometry.Vector3(p.Pos),
			Rotation: geometry.Quaternion(p.Rot)}}
}

// Variances of odometry, as wheel odometry has them: what a flat floor
// forbids is given as unknown.
const (
	variancePlace   = 1e-5 // m²
	varianceYaw     = 1e-3 // rad²
	varianceUnknown = 1e6
)

// newOdometry is the message of a drive; fillOdometry gives it what it believes.
func newOdometry(odomFrame, baseFrame string) *navmsgs.Odometry {
	m := navmsgs.NewOdometry()
	m.Header.FrameID, m.ChildFrameID = odomFrame, baseFrame
	for i, v := range [6]float64{variancePlace, variancePlace, varianceUnknown, varianceUnknown,
		varianceUnknown, varianceYaw} {
		m.Pose.Covariance[7*i], m.Twist.Covariance[7*i] = v, v
	}
	return m
}

func fillOdometry(m *navmsgs.Odometry, o *sim.Odometry) {
	m.Header.Stamp = node.SimTime(o.Time)
	m.Pose.Pose.Position = geometry.Point(o.Pose.Pos)
	m.Pose.Pose.Orientation = geometry.Quaternion(o.Pose.Rot)
	m.Twist.Twist = geometry.Twist(o.Twist)
}

// jointMessage keeps the message of a robot's joints that move, under the
// names of the file.
type jointMessage struct {
	from []int // index into the joints of the Spec
	msg  sensormsgs.JointState
}

func newJointMessage(spec *scene.ModelSpec) *jointMessage {
	c, named := &jointMessage{}, map[string]bool{}
	for _, name := range spec.ROS.States.Joints {
		named[name] = true
	}
	for i, j := range spec.Joints {
		if j.Kind.HasPosition() && (len(named) == 0 || named[j.Name]) {
			c.from = append(c.from, i)
			c.msg.Name = append(c.msg.Name, j.Name)
		}
	}
	n := len(c.from)
	c.msg.Position, c.msg.Velocity, c.msg.Effort = make([]float64, n), make([]float64, n), make([]float64, n)
	return c
}

// fill gives it the states, those of encoders where the joints have any; it is good until the next call.
func (c *jointMessage) fill(t time.Duration, joints []sim.JointState) *sensormsgs.JointState {
	c.msg.Header.Stamp = node.SimTime(t)
	for k, i := range c.from {
		c.msg.Position[k], c.msg.Velocity[k] = joints[i].Reported()
		c.msg.Effort[k] = joints[i].Effort
	}
	return &c.msg
}

// laserScan is a scan of one ring. All rays are cast at one moment.
func laserScan(t time.Duration, frame string, s *scene.Sensor, scan *sim.LidarScan) *sensormsgs.LaserScan {
	l := scan.Spec
	m := &sensormsgs.LaserScan{Header: header(t, frame),
		AngleMin: float32(l.MinAngle), AngleMax: float32(l.MaxAngle),
		RangeMin: float32(l.MinRange), RangeMax: float32(l.MaxRange), Ranges: scan.Ranges,
		Intensities: scan.Intensities}
	if l.Columns > 1 {
		m.AngleIncrement = float32((l.MaxAngle - l.MinAngle) / float64(l.Columns-1))
	}
	if s.Rate > 0 {
		m.ScanTime = float32(1 / s.Rate)
	}
	return m
}

// pointStep is the size of a point: x, y, z, intensity as float32, ring as
// uint16, and two bytes that keep the next one aligned.
const pointStep = 20

// cloud makes the clouds of one lidar; it keeps the directions of its rays
// and the memory of its message.
type cloud struct {
	spec     *scene.LidarSpec
	sin, cos []float64 // by column
	up, flat []float64 // by row: sine and cosine of the elevation
	msg      sensormsgs.PointCloud2
}

func newCloud(l *scene.LidarSpec) *cloud {
	c := &cloud{spec: l}
	for i := range l.Columns {
		s, k := math.Sincos(l.Azimuth(i))
		c.sin, c.cos = append(c.sin, s), append(c.cos, k)
	}
	for i := range l.Rows {
		s, k := math.Sincos(l.Elevation(i))
		c.up, c.flat = append(c.up, s), append(c.flat, k)
	}
	c.msg = sensormsgs.PointCloud2{
		Height: uint32(l.Rows), Width: uint32(l.Columns), PointStep: pointStep,
		RowStep: uint32(pointStep * l.Columns),
		Data:    make([]uint8, pointStep*l.Columns*l.Rows),
	}
	for i, name := range []string{"x", "y", "z", "intensity"} {
		c.msg.Fields = append(c.msg.Fields, sensormsgs.PointField{
			Name: name, Offset: uint32(4 * i), Datatype: sensormsgs.PointFieldFloat32, Count: 1})
	}
	c.msg.Fields = append(c.msg.Fields,
		sensormsgs.PointField{Name: "ring", Offset: 16, Datatype: sensormsgs.PointFieldUint16, Count: 1})
	for i := range l.Columns * l.Rows {
		binary.LittleEndian.PutUint16(c.msg.Data[i*pointStep+16:], uint16(i/l.Columns))
	}
	return c
}

// fill makes the organised cloud of a scan, a row per ring; rays without a
// return are NaN. The message is good until the next call. It is nil when the
// scan does not fit the pattern.
func (c *cloud) fill(t time.Duration, frame string, scan *sim.LidarScan) *sensormsgs.PointCloud2 {
	if len(scan.Ranges) != c.spec.Rows*c.spec.Columns {
		return nil
	}
	c.msg.Header = header(t, frame)
	c.msg.IsDense = true
	nan := math.Float32bits(float32(math.NaN()))
	for i, r := range scan.Ranges {
		p := c.msg.Data[i*pointStep:][:pointStep]
		if math.IsInf(float64(r), 0) || r != r {
			c.msg.IsDense = false
			for k := 0; k < 12; k += 4 {
				binary.LittleEndian.PutUint32(p[k:], nan)
			}
			continue
		}
		if i < len(scan.Intensities) {
			binary.LittleEndian.PutUint32(p[12:], math.Float32bits(scan.Intensities[i]))
		}
		row, col, d := i/c.spec.Columns, i%c.spec.Columns, float64(r)
		binary.LittleEndian.PutUint32(p[0:], math.Float32bits(float32(d*c.flat[row]*c.cos[col])))
		binary.LittleEndian.PutUint32(p[4:], math.Float32bits(float32(d*c.flat[row]*c.sin[col])))
		binary.LittleEndian.PutUint32(p[8:], math.Float32bits(float32(d*c.up[row])))
	}
	return &c.msg
}
