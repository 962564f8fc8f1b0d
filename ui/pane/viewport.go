package pane

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
)

// viewport says which part of the ground the map shows: what lies in its
// middle and how many metres a cell is wide. A cell is twice as high.
type viewport struct {
	x, y   float64
	scale  float64 // m per cell width
	w, h   int     // cells
	symbol canvas.Symbols
}

const (
	closest  = 0.002 // m per cell width
	furthest = 2000
)

// outermost is the map's greatest distance from the origin, m: at the closest scale neighbouring cells are
// still different numbers there.
const outermost = 1e9

// bound brings the map back to where there is something to see, whatever it was told to follow or to show.
func (v *viewport) bound() {
	within := func(x, low, high, otherwise float64) float64 {
		if x != x {
			return otherwise
		}
		return max(low, min(high, x))
	}
	v.x, v.y = within(v.x, -outermost, outermost, 0), within(v.y, -outermost, outermost, 0)
	v.scale = within(v.scale, closest, furthest, 1)
}

// cell is the position of a point on the screen, in cells.
func (v *viewport) cell(x, y float64) (float64, float64) {
	return (x-v.x)/v.scale + float64(v.w)/2, (v.y-y)/(2*v.scale) + float64(v.h)/2
}

// ground is the place that a cell shows in its middle.
func (v *viewport) ground(cx, cy int) (x, y float64) {
	return v.x + (float64(cx)+0.5-float64(v.w)/2)*v.scale, v.y - (float64(cy)+0.5-float64(v.h)/2)*2*v.scale
}

// zoom looks closer by a factor, with what is at cx, cy staying there.
func (v *viewport) zoom(factor float64, cx, cy int) {
	x0, y0 := v.ground(cx, cy)
	v.scale = max(closest, min(furthest, v.scale/factor))
	x1, y1 := v.ground(cx, cy)
	v.x, v.y = v.x+x0-x1, v.y+y0-y1
}

// fit shows a box with a margin.
func (v *viewport) fit(b r3.Box) {
	if b.IsEmpty() || v.w < 2 || v.h < 2 {
		return
	}
	c, s := b.Centre(), b.Size()
	v.x, v.y = c.X, c.Y
	v.scale = max(s.X/float64(v.w-2), s.Y/float64(2*(v.h-1)), 0.01)
	v.scale = min(v.scale*1.04, furthest)
}

// extent is the box around everything in a world that has a size.
func extent(s *sim.Snapshot) r3.Box {
	box := r3.EmptyBox()
	for i := range s.Model.Entities {
		if i >= len(s.Entities) || !s.Entities[i].Pose.IsFinite() {
			continue
		}
		b := s.Model.Entities[i].Bounds
		if size := b.Size(); b.IsEmpty() || !size.IsFinite() || size.MaxAbs() > 500 {
			continue
		}
		moved := b.Moved(s.Entities[i].Pose)
		if far(moved.Min) || far(moved.Max) {
			continue
		}
		if s.Model.Entities[i].Static && moved.Max.Z < floorHeight {
			continue
		}
		box = box.Union(moved)
	}
	for i := range s.Model.NamedPoses {
		if p := s.Model.NamedPoses[i].Pose.Pos; !far(p) {
			box = box.Extend(p)
		}
	}
	if box.IsEmpty() {
		return r3.BoxAround(r3.Vec{}, r3.V(5, 5, 1))
	}
	return box
}

// far reports that a place is none that the map could show.
func far(p r3.Vec) bool { return !(p.MaxAbs() <= outermost) }

// gridStep is a round distance that is at least n cells wide.
func (v *viewport) gridStep(n float64) float64 {
	want := n * v.scale
	ten := math.Pow(10, math.Floor(math.Log10(want)))
	for _, k := range []float64{1, 2, 5, 10} {
		if k*ten >= want {
			return k * ten
		}
	}
	return 10 * ten
}
