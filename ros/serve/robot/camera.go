package robot

import (
	"cmp"
	"encoding/binary"
	"math"
	"path"
	"strings"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// camera is a camera on the graph: calibrated pictures, raw and as JPEG, its depths, and their points.
// Outputs without subscribers are not computed.
type camera struct {
	frame      string
	image      *node.Publisher[sensormsgs.Image]
	info       *node.Publisher[sensormsgs.CameraInfo]
	compressed *node.Publisher[sensormsgs.CompressedImage]
	depth      *node.Publisher[sensormsgs.Image]
	depthInfo  *node.Publisher[sensormsgs.CameraInfo]
	points     *node.Publisher[sensormsgs.PointCloud2]

	imageMsg, depthMsg sensormsgs.Image
	infoMsg            *sensormsgs.CameraInfo
	jpeg               jpegMaker
	cloud              *depthCloud
}

func isCamera(s sim.SensorModel) bool {
	switch s.Spec.Kind {
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		return s.Spec.Camera.Width > 0 && s.Spec.Camera.Height > 0
	}
	return false
}

// cameraTopics are the names under which a camera publishes; those that its
// kind has not are empty.
type cameraTopics struct{ image, info, depth, depthInfo, points string }

// topicsOf names the topics of a camera. A topic of the file whose last word is about an image is the
// image's, and the others stand beside it. Any other is the folder of all, as is the sensor's name when the
// file names none.
func topicsOf(s *scene.Sensor) cameraTopics {
	base, image := cmp.Or(s.Topic, s.Name), ""
	if strings.Contains(path.Base(base), "image") {
		image = base
		base = path.Dir(base)
	}
	under := func(name string) string { return strings.TrimPrefix(path.Join(base, name), "./") }
	var t cameraTopics
	switch s.Kind {
	case scene.DepthCamera:
		t.depth, t.depthInfo, t.points = under("depth/image_raw"), under("depth/camera_info"), under("points")
		if image != "" {
			t.depth, t.depthInfo = image, under("camera_info")
		}
		t.depthInfo = cmp.Or(s.Camera.InfoTopic, t.depthInfo)
		return t
	case scene.RGBDCamera:
		t.depth, t.depthInfo, t.points = under("depth/image_raw"), under("depth/camera_info"), under("points")
	}
	t.image, t.info = cmp.Or(image, under("image_raw")), cmp.Or(s.Camera.InfoTopic, under("camera_info"))
	return t
}

func (f *RobotPublisher) newCamera(r *robot, s sim.SensorModel, frame string) (_ sensorPublisher, err error) {
	c := &camera{frame: frame, infoMsg: cameraInfo(&s.Spec.Camera)}
	t, q := topicsOf(s.Spec), largeQoS(s.Spec.Rate, 4*s.Spec.Camera.Width*s.Spec.Camera.Height)
	if t.image != "" {
		if c.image, err = open[sensormsgs.Image](f, r, t.image, q); err != nil {
			return nil, err
		}
		if c.info, err = open[sensormsgs.CameraInfo](f, r, t.info, q); err != nil {
			return nil, err
		}
		if c.compressed, err = open[sensormsgs.CompressedImage](f, r, t.image+"/compressed", q); err != nil {
			return nil, err
		}
	}
	if t.depth == "" {
		return c, nil
	}
	c.cloud = newDepthCloud(&s.Spec.Camera, s.Spec.Kind == scene.RGBDCamera)
	if c.depth, err = open[sensormsgs.Image](f, r, t.depth, q); err != nil {
		return nil, err
	}
	if c.depthInfo, err = open[sensormsgs.CameraInfo](f, r, t.depthInfo, q); err != nil {
		return nil, err
	}
	c.points, err = open[sensormsgs.PointCloud2](f, r, t.points, q)
	return c, err
}

func (c *camera) wanted() bool {
	return heardOf(c.image) || heardOf(c.info) || heardOf(c.compressed) || heardOf(c.depth) ||
		heardOf(c.depthInfo) || heardOf(c.points)
}

// heardOf reports whether there is a publisher and somebody who listens to it.
func heardOf[T any](p *node.Publisher[T]) bool { return p != nil && p.Subscribers() > 0 }

func (c *camera) publish(s *sim.Sample) error {
	p, ok := s.Data.(*sim.CameraImage)
	if !ok {
		return nil
	}
	if heardOf(c.image) {
		m := &c.imageMsg
		fillImage(m, s.Time, c.frame, p, "rgb8", 3)
		m.Data = p.Image.RGB
		if err := c.image.Publish(m); err != nil {
			return err
		}
	}
	if heardOf(c.compressed) {
		m := &sensormsgs.CompressedImage{Header: header(s.Time, c.frame),
			Format: "rgb8; jpeg compressed bgr8"}
		var err error
		if m.Data, err = c.jpeg.make(p.Image); err == nil {
			err = c.compressed.Publish(m)
		}
		if err != nil {
			return err
		}
	}
	c.infoMsg.Header = header(s.Time, c.frame)
	if heardOf(c.info) {
		if err := c.info.Publish(c.infoMsg); err != nil {
			return err
		}
	}
	return c.publishDepth(s.Time, p)
}

func (c *camera) publishDepth(t time.Duration, p *sim.CameraImage) error {
	if heardOf(c.depth) {
		m := &c.depthMsg
		fillImage(m, t, c.frame, p, "32FC1", 4)
		if m.Data == nil {
			m.Data = make([]uint8, 4*len(p.Image.Depth))
		}
		for i, d := range p.Image.Depth {
			binary.LittleEndian.PutUint32(m.Data[4*i:], math.Float32bits(d))
		}
		if err := c.depth.Publish(m); err != nil {
			return err
		}
	}
	if heardOf(c.depthInfo) {
		if err := c.depthInfo.Publish(c.infoMsg); err != nil {
			return err
		}
	}
	if heardOf(c.points) {
		return c.points.Publish(c.cloud.fill(t, c.frame, p.Image))
	}
	return nil
}

// fillImage gives an image everything but its data.
func fillImage(m *sensormsgs.Image, t time.Duration, frame string, p *sim.CameraImage, encoding string,
	size int) {
	m.Header = header(t, frame)
	m.Width, m.Height = uint32(p.Image.Width), uint32(p.Image.Height)
	m.Encoding, m.Step = encoding, uint32(size*p.Image.Width)
}

// cameraInfo is the calibration of a camera (REP-104), without its header.
func cameraInfo(c *scene.CameraSpec) *sensormsgs.CameraInfo {
	m := sensormsgs.NewCameraInfo()
	m.Width, m.Height = uint32(c.Width), uint32(c.Height)
	m.DistortionModel, m.D = "plumb_bob", c.Distortion[:]
	if c.Spherical { // no model of CameraInfo's: K has pixels per radian
		m.DistortionModel, m.D = "equirectangular", nil
	}
	m.K = [9]float64{c.FX, 0, c.CX, 0, c.FY, c.CY, 0, 0, 1}
	m.R = [9]float64{0: 1, 4: 1, 8: 1}
	m.P = [12]float64{c.FX, 0, c.CX, 0, 0, c.FY, c.CY, 0, 0, 0, 1, 0}
	return m
}
