package render

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Stage is the scene that is rendered. It never changes.
type Stage struct {
	Items    []Item
	Lights   []scene.Light // in the world frame
	Ambience scene.Ambience
	Grid     bool   // lines on the ground, a metre apart
	Cloud    *Cloud // of Gaussians, which are drawn over what is farther, and over every backdrop; nil: none
}

// Item is a shape fixed to a link.
type Item struct {
	Link  int // which of the poses of a frame it moves with; negative: none, it stands in the world
	Pose  r3.Pose
	Shape *Shape
	Label uint16 // value in Image.Labels
	Lamp  int    // of the world, counted from 1, whose light it has; 0: none
	// Backdrop says that a cloud shows it already: where the cloud is thin the item is seen, but it hides no
	// Gaussian.
	Backdrop bool
}

// Want says what of a picture is computed.
type Want uint8

// The parts of a picture.
const (
	Colours Want = 1 << iota
	Depths
	Labels
)

// Image is a picture row by row from the top. The parts that were not wanted
// are as they were.
type Image struct {
	Width, Height int
	RGB           []uint8   // red, green, blue
	Depth         []float32 // m along the axis; +Inf where nothing is seen
	Labels        []uint16  // of the item; 0 where nothing is seen
}

// Fit gives an image the memory for a lens and what is wanted.
func (m *Image) Fit(l *Lens, want Want) {
	n := l.Width * l.Height
	m.Width, m.Height = l.Width, l.Height
	if want&Colours != 0 {
		m.RGB = sized(m.RGB, 3*n)
	}
	if want&Depths != 0 {
		m.Depth = sized(m.Depth, n)
	}
	if want&Labels != 0 {
		m.Labels = sized(m.Labels, n)
	}
}

// sized is s with n elements, in its own memory when there is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// sun is the light of a world that has none.
var sun = scene.Light{Kind: "directional", Pose: r3.IdentityPose(), Direction: r3.V(-0.4, 0.25, -0.88),
	Colour: [4]float32{0.75, 0.75, 0.75, 1}, Shadows: true}

// lamp is a light as shading needs it.
type lamp struct {
	kind         lampKind
	pos          r3.Vec
	toward       r3.Vec // against the direction in which it shines
	colour       colour
	specular     colour
	reach        float64 // m; 0: endless
	constant     float64
	linear       float64
	quadratic    float64
	inner, outer float64 // cosines of half the angles
	falloff      float64
	shadow       int // index of its map; negative: none
}

type lampKind uint8

const (
	directional lampKind = iota
	point
	spot
)

func lampOf(l *scene.Light) lamp {
	out := lamp{pos: l.Pose.Pos, reach: l.Range, constant: l.Constant, linear: l.Linear,
		quadratic: l.Quadratic, falloff: l.Falloff, shadow: -1}
	bright := float32(l.Intensity)
	if bright == 0 {
		bright = 1
	}
	out.colour = colourOf(l.Colour).scale(bright)
	out.specular = colourOf(l.Specular).scale(bright)
	dir, ok := l.Pose.Rot.Rotate(l.Direction).Unit()
	if !ok {
		dir = r3.V(0, 0, -1)
	}
	out.toward = dir.Neg()
	switch l.Kind {
	case "point":
		out.kind = point
	case "spot":
		out.kind = spot
		out.inner, out.outer = r3.Cos(l.Inner/2), r3.Cos(l.Outer/2)
	default:
		out.reach, out.constant, out.linear, out.quadratic = 0, 0, 0, 0
	}
	return out
}
