package vehicle

import (
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// redBall is a Gaussian of 2 m, as good as opaque and red from everywhere, 15 m before the vehicle.
const redBall = `ply
format ascii 1.0
element vertex 1
property float x
property float y
property float z
property float scale_0
property float scale_1
property float scale_2
property float rot_0
property float rot_1
property float rot_2
property float rot_3
property float opacity
property float f_dc_0
property float f_dc_1
property float f_dc_2
end_header
-5 3 1.6 0.7 0.7 0.7 1 0 0 0 9 3 -3 -3
`

func TestCamerasSeeTheGaussiansOfABundle(t *testing.T) {
	with := files()
	text := strings.Replace(string(with["site/world.yaml"].Data), "sensors:",
		"gaussians: {background: ball.ply}\nsensors:", 1)
	with["site/world.yaml"], with["site/ball.ply"] = &fstest.MapFile{Data: []byte(text), Mode: 0o644},
		&fstest.MapFile{Data: []byte(redBall), Mode: 0o644}
	for want, files := range map[bool]fstest.MapFS{true: with, false: files()} {
		inTownOf(t, files, "site", sim.Playing, func(h *rostest.Stage) {
			images := hear[sensormsgs.Image](h, "/camera/front/image_raw", node.SensorQoS())
			h.Until("an image", func() bool { return images.Last() != nil })
			m := images.Last()
			p := m.Data[12*m.Step+16*3:][:3] // the middle
			if got := p[0] > 200 && p[1] < 30 && p[2] < 30; got != want {
				t.Errorf("with Gaussians %v: the middle is %v in %s", want, p, m.Encoding)
			}
		})
	}
}
