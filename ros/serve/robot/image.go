package robot

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"math"
	"time"

	"simdeck/ros/msgs/sensormsgs"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	sensing "simdeck/sim/sensor"
)

// jpegQuality is that of image_transport.
const jpegQuality = 95

// jpegMaker keeps the memory in which pictures are compressed.
type jpegMaker struct {
	rgba *image.RGBA
	out  bytes.Buffer
}

// make is a picture as JPEG; it is good until the next call.
func (j *jpegMaker) make(m *render.Image) ([]byte, error) {
	if j.rgba == nil || j.rgba.Rect.Dx() != m.Width || j.rgba.Rect.Dy() != m.Height {
		j.rgba = image.NewRGBA(image.Rect(0, 0, m.Width, m.Height))
	}
	for i := range m.Width * m.Height {
		p := j.rgba.Pix[4*i : 4*i+4]
		copy(p, m.RGB[3*i:3*i+3])
		p[3] = 255
	}
	j.out.Reset()
	err := jpeg.Encode(&j.out, j.rgba, &jpeg.Options{Quality: jpegQuality})
	return j.out.Bytes(), err
}

// depthCloud makes the points of a depth camera: one for every pixel, in its
// optical frame, with their colours when the camera sees them.
type depthCloud struct {
	dirs [][3]float32 // by pixel, of which a depth is a multiple; NaN where the lens sees nothing
	rgb  bool
	msg  sensormsgs.PointCloud2
}

func newDepthCloud(s *scene.CameraSpec, rgb bool) *depthCloud {
	c := &depthCloud{rgb: rgb}
	lens := sensing.LensOf(s)
	for v := range s.Height {
		for u := range s.Width {
			ray, ok := lens.Ray(float64(u), float64(v))
			if !ok {
				ray.X = math.NaN()
			}
			c.dirs = append(c.dirs, [3]float32{float32(ray.X), float32(ray.Y), float32(ray.Z)})
		}
	}
	fields := []string{"x", "y", "z"}
	if rgb {
		fields = append(fields, "rgb")
	}
	for i, name := range fields {
		c.msg.Fields = append(c.msg.Fields, sensormsgs.PointField{
			Name: name, Offset: uint32(4 * i), Datatype: sensormsgs.PointFieldFloat32, Count: 1})
	}
	step := 4 * len(fields)
	c.msg.Width, c.msg.Height = uint32(s.Width), uint32(s.Height)
	c.msg.PointStep, c.msg.RowStep = uint32(step), uint32(step*s.Width)
	return c
}

// fill makes the organised cloud of a picture; pixels without a depth are NaN.
// The message is good until the next call.
func (c *depthCloud) fill(t time.Duration, frame string, m *render.Image) *sensormsgs.PointCloud2 {
	step := int(c.msg.PointStep)
	if c.msg.Data == nil {
		c.msg.Data = make([]uint8, step*len(c.dirs))
	}
	c.msg.Header, c.msg.IsDense = header(t, frame), true
	for i, d := range c.dirs {
		p := c.msg.Data[i*step:][:step]
		x, y, z := d[0]*m.Depth[i], d[1]*m.Depth[i], d[2]*m.Depth[i]
		if math.IsInf(float64(m.Depth[i]), 0) || x != x {
			x = float32(math.NaN())
			y, z = x, x
			c.msg.IsDense = false
		}
		binary.LittleEndian.PutUint32(p[0:], math.Float32bits(x))
		binary.LittleEndian.PutUint32(p[4:], math.Float32bits(y))
		binary.LittleEndian.PutUint32(p[8:], math.Float32bits(z))
		if c.rgb {
			k := m.RGB[3*i : 3*i+3]
			binary.LittleEndian.PutUint32(p[12:], uint32(k[0])<<16|uint32(k[1])<<8|uint32(k[2]))
		}
	}
	return &c.msg
}
