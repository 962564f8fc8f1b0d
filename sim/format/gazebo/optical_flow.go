package gazebo

import (
	"cmp"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

const (
	flowCamera = "flow_camera" // by which PX4's OpticalFlowSystem finds the camera of a sensor in its link
	flowRate   = 20            // Hz, of PX4's plugin for Gazebo Classic where the file says none
)

// OpticalFlows gives the optical flow sensors of a link their cameras, and adds those that are plugins of a
// camera. Sensors are as Sensor reads them of the elements nodes. A sensor without a camera is noted, and
// not run.
func OpticalFlows(d *source.Doc, nodes []*xmltree.Node, sensors []scene.Sensor) []scene.Sensor {
	eye := slices.IndexFunc(nodes, func(n *xmltree.Node) bool { return n.Get("name") == flowCamera })
	if eye >= 0 && !isCamera(&sensors[eye]) {
		eye = -1
	}
	for i, n := range nodes {
		s := &sensors[i]
		if s.Kind == scene.OpticalFlow && eye < 0 {
			s.Kind = scene.OtherSensor
			d.Note(scene.Suspicious, n, "sensor %q is not run: an optical flow sensor takes a camera %q in its link",
				s.Name, flowCamera)
		} else if s.Kind == scene.OpticalFlow {
			lookThrough(s, &sensors[eye])
		}
	}
	for i, n := range nodes {
		for _, p := range n.All("plugin") {
			if s, ok := flowPlugin(d, p, &sensors[i]); ok {
				sensors = append(sensors, s)
			}
		}
	}
	return sensors
}

// lookThrough has an optical flow sensor see what a camera sees, once for each of its pictures.
func lookThrough(s, camera *scene.Sensor) {
	s.Pose, s.Rate = camera.Pose, camera.Rate
	s.Flow.Near, s.Flow.Far = camera.Camera.Near, camera.Camera.Far
}

// opticalFlow reads the sensor of PX4's OpticalFlowSystem, whose camera OpticalFlows finds. Where there is
// nobody to find it, it looks along its own x.
func opticalFlow(d *source.Doc, n *xmltree.Node, s *scene.Sensor) {
	s.Kind, s.Flow, s.Noise = scene.OpticalFlow, scene.OpticalFlowSpec{Near: 0.1, Far: 100}, flowNoise(d, n)
}

// flowPlugin reads the plugin of a camera by which PX4 measures optical flow in Gazebo Classic.
func flowPlugin(d *source.Doc, p *xmltree.Node, camera *scene.Sensor) (s scene.Sensor, ok bool) {
	if !strings.Contains(plain(p), "opticalflowplugin") {
		return s, false
	}
	if !isCamera(camera) {
		d.Note(scene.Suspicious, p, "plugin %s is not run: it takes a camera, and sensor %q is none", PluginName(p),
			camera.Name)
		return s, false
	}
	s = scene.Sensor{Name: cmp.Or(p.Get("name"), "optical_flow"), Kind: scene.OpticalFlow,
		Noise: flowNoise(d, p)}
	lookThrough(&s, camera)
	s.Flow.Gyro = d.Bool(p, "hasGyro", true)
	rate := Loose(d, p, "outputRate", flowRate)
	if rate < 0 {
		d.Note(scene.Suspicious, p.Child("outputRate"), "outputRate of %g Hz; using %d Hz", rate, flowRate)
		rate = flowRate
	}
	if rate > 0 { // 0: once for each picture
		s.Rate = min(s.Rate, rate)
	}
	return s, true
}

// flowNoise reads the error of each of the two angles of a sample, rad. No element of PX4's says it.
func flowNoise(d *source.Doc, n *xmltree.Node) scene.Noise {
	k := n.Child("simdeck:noise")
	if std := Loose(d, k, "stddev", 0); std < 0 {
		d.Note(scene.Suspicious, k.Child("stddev"), "a standard deviation of %g rad; want 0 or more; using 0", std)
	}
	return noise(d, k)
}
