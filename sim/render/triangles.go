package render

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Triangles is a shape as cameras draw it, for renderers elsewhere. It is shared and to be read only.
type Triangles struct {
	Points  []r3.Vec
	Faces   [][3]int32        // counter-clockwise seen from outside
	Corners [][3]scene.Corner // by Faces; nil, or a Normal of zero: the face's own normal
	Runs    []Run
	// it casts none, as the file says
	NoShadow bool
}

// Run is faces with one paint: from First to before End.
type Run struct {
	First, End int
	Paint      Paint
}

// Paint is a material with the defaults of cameras. Colors are red, green and blue in 0…1.
type Paint struct {
	Diffuse, Ambient, Specular, Emissive [3]float32
	Alpha                                float32
	Gloss                                int            // the exponent of highlights is 2^Gloss
	Image                                *scene.Texture // multiplied with Diffuse and Ambient; nil: none
	DoubleSided                          bool
	Translucent                          bool // the background shows through
}

// Triangles prepares the shape if nobody has, and describes it.
func (s *Shape) Triangles() Triangles {
	s.ready()
	t := Triangles{Points: s.points, Faces: s.faces, Corners: s.corners, NoShadow: s.geom.NoShadow}
	for i := range s.materials {
		m := &s.materials[i]
		p := &m.paint
		t.Runs = append(t.Runs, Run{m.first, m.end, Paint{Diffuse: p.diffuse.array(),
			Ambient: p.ambient.array(), Specular: p.specular.array(), Emissive: p.emissive.array(),
			Alpha: p.alpha, Gloss: p.gloss, Image: p.image, DoubleSided: p.double, Translucent: p.clear}})
	}
	return t
}

// Illumination is the light of a stage with the defaults of cameras.
type Illumination struct {
	Lights     []scene.Light // that shine
	Ambient    [3]float32    // light from everywhere
	Background [3]float32    // color where nothing is
	Sky        bool          // a sky in place of the background
}

// Illumination is the light by which cameras draw the stage.
func (s *Stage) Illumination() Illumination {
	out := Illumination{Ambient: ambient.array(), Background: background.array(), Sky: s.Ambience.Sky}
	if a := s.Ambience.Ambient; a[3] > 0 {
		out.Ambient = [3]float32(a[:3])
	}
	if b := s.Ambience.Background; b[3] > 0 {
		out.Background = [3]float32(b[:3])
	}
	lights := s.Lights
	if len(lights) == 0 {
		lights = []scene.Light{sun}
	}
	for _, l := range lights {
		if l.Shadows = l.Shadows && !s.Ambience.NoShadows; !l.Off {
			out.Lights = append(out.Lights, l)
		}
	}
	return out
}

func (c colour) array() [3]float32 { return [3]float32{c.r, c.g, c.b} }
