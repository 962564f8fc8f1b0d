package gazebo

import (
	"math"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

const (
	mostPixels  = 16 << 20 // of a picture
	usualFrames = 30       // Hz, where a file leaves it open: no camera takes a picture at every step
)

// camera reads the <camera> of a sensor; what is missing is as SDF has it.
func camera(d *source.Doc, n *xmltree.Node, s *scene.Sensor) scene.CameraSpec {
	c := n.Child("camera")
	out := scene.CameraSpec{Optical: c.ValueOf("optical_frame_id"), InfoTopic: c.ValueOf("camera_info_topic")}
	width, height := Loose(d, c.Child("image"), "width", 320), Loose(d, c.Child("image"), "height", 240)
	if !(width >= 1 && height >= 1 && width*height <= mostPixels) {
		d.Note(scene.Suspicious, c.Child("image"), "camera %q of %g × %g pixels; using 320 × 240", s.Name,
			width, height)
		width, height = 320, 240
	}
	out.Width, out.Height = int(width), int(height)
	fov := Loose(d, c, "horizontal_fov", 1.047)
	if !(fov > 0.001 && fov < 3.1) {
		d.Note(scene.Suspicious, c.Child("horizontal_fov"),
			"camera %q with a field of view of %g rad; using 1.047 rad", s.Name, fov)
		fov = 1.047
	}
	f := width / 2 / math.Tan(fov/2)
	out.FX, out.FY, out.CX, out.CY = f, f, width/2, height/2
	if i := c.Find("lens", "intrinsics"); i != nil {
		fx, fy := Loose(d, i, "fx", f), Loose(d, i, "fy", f)
		if fx > 1e-3 && fy > 1e-3 && fx < 1e6 && fy < 1e6 {
			out.FX, out.FY, out.CX, out.CY = fx, fy, Loose(d, i, "cx", out.CX), Loose(d, i, "cy", out.CY)
		} else {
			d.Note(scene.Suspicious, i, "focal lengths of %g and %g pixels; using the horizontal field of view", fx,
				fy)
		}
	}
	if k := c.Child("distortion"); k != nil {
		for i, name := range [...]string{"k1", "k2", "p1", "p2", "k3"} {
			out.Distortion[i] = Loose(d, k, name, 0)
		}
	}
	clip := c.Child("clip")
	if own := c.Find("depth_camera", "clip"); own != nil {
		clip = own
	}
	out.Near, out.Far = Loose(d, clip, "near", 0.1), Loose(d, clip, "far", 100)
	if !(out.Near > 0 && out.Far > out.Near) {
		d.Note(scene.Suspicious, clip, "clip from %g m to %g m; using 0.1 m to 100 m", out.Near, out.Far)
		out.Near, out.Far = 0.1, 100
	}
	if k := c.Child("noise"); k != nil {
		out.NoiseStd, out.NoiseMean = max(0, Loose(d, k, "stddev", 0)), Loose(d, k, "mean", 0)
	}
	return out
}
