package physics

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// View is the geoms as rays meet them, at the moment when it was taken. It never changes: any number
// of goroutines may cast into it while the world moves on.
type View struct {
	still  *stillView
	moving *grove
	groups []int32  // by body slot
	gens   []uint32 // by body slot
}

// stillView is what stands on static bodies; views share it as long as nothing of it changes.
type stillView struct {
	keys   []stillKey
	grove  *grove
	planes []target
}

// stillKey says which geom stood where: a geom that was replaced has another generation.
type stillKey struct {
	slot int32
	gen  uint32
	pose r3.Pose
}

// target is a geom as rays meet it.
type target struct {
	shape shape.Shape
	pos   r3.Vec
	mat   r3.Mat // its axes
	box   r3.Box // a hair larger than the geom, so that rounding in the tests of boxes loses no grazing ray
	core  r3.Box // a shape.Box in its own frame; zero: another shape
	body  int32
	group int32
	echo  float64
}

// View takes a view: it costs a copy of what can move.
func (w *World) View() *View { return w.ViewOnto(nil) }

// ViewOnto takes a view in the memory of one that nobody casts into any more; nil: in its own.
func (w *World) ViewOnto(v *View) *View {
	if v == nil {
		v = &View{moving: &grove{}}
	}
	v.still, v.groups, v.gens = w.still, v.groups[:0], append(v.gens[:0], w.bodyIDs.gen...)
	v.moving.clear()
	for i := range w.bodies {
		v.groups = append(v.groups, w.bodies[i].group)
	}
	still, moving := 0, 0
	same := v.still != nil
	for i := range w.geoms {
		s := int32(i)
		switch {
		case !w.seen(s):
		case w.bodies[w.geoms[s].body].kind == Static:
			same = same && still < len(v.still.keys) && v.still.keys[still] == w.stillKey(s)
			still++
		default:
			moving++
		}
	}
	if !same || still < len(v.still.keys) {
		v.still = w.viewStill(still)
		w.still = v.still
	}
	v.moving.targets = slices.Grow(v.moving.targets, moving)
	for i := range w.geoms {
		if s := int32(i); w.seen(s) && w.bodies[w.geoms[s].body].kind != Static {
			v.moving.targets = append(v.moving.targets, w.target(s))
		}
	}
	return v
}

func (w *World) viewStill(n int) *stillView {
	v := &stillView{keys: make([]stillKey, 0, n), grove: &grove{}}
	for i := range w.geoms {
		s := int32(i)
		switch {
		case !w.seen(s) || w.bodies[w.geoms[s].body].kind != Static:
			continue
		case w.geoms[s].kind == shape.KindPlane:
			v.planes = append(v.planes, w.target(s))
		default:
			v.grove.targets = append(v.grove.targets, w.target(s))
		}
		v.keys = append(v.keys, w.stillKey(s))
	}
	return v
}

// seen reports that rays meet what is in a slot.
func (w *World) seen(s int32) bool {
	return w.geomIDs.used(s) && !w.geoms[s].sensor && w.geoms[s].category != 0
}

func (w *World) stillKey(s int32) stillKey { return stillKey{s, w.geomIDs.gen[s], w.placed[s].pose} }

func (w *World) target(s int32) target {
	g, p := &w.geoms[s], &w.placed[s]
	hair := 1e-9 + float64(1e-12*max(p.tight.Min.MaxAbs(), p.tight.Max.MaxAbs()))
	t := target{
		shape: g.shape, pos: p.pose.Pos, mat: p.mat, box: p.tight.Grow(hair), body: g.body, group: w.bodies[g.body].group, echo: g.echo,
	}
	if g.kind == shape.KindBox {
		t.core = r3.Box{Min: g.half.Neg(), Max: g.half}
	}
	return t
}
