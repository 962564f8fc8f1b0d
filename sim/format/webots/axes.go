package webots

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Releases that changed which way axes point.
const (
	enu = 20201 // R2020b: the world's default has z up
	flu = 20220 // R2022a: shapes and devices have z up
)

// axes says how a world stands.
type axes struct {
	up    bool    // y is up
	world r3.Quat // turns its axes to x east, y north, z up
}

// Turns to x forward (or east), y left (or north), z up; columns are the images of x, y and z.
var (
	northUpEast = r3.Columns(r3.V(0, 1, 0), r3.V(0, 0, 1), r3.V(1, 0, 0)).Quat()
	eastUpNorth = r3.Columns(r3.V(1, 0, 0), r3.V(0, 0, 1), r3.V(0, -1, 0)).Quat()
	rightUpBack = r3.Columns(r3.V(0, -1, 0), r3.V(0, 0, 1), r3.V(-1, 0, 0)).Quat()
	// yUp stands a shape along z upright where y is up.
	yUp = r3.AxisAngle(r3.V(1, 0, 0), -math.Pi/2)
)

// local turns what is inside a model, so that it stands upright where y was up: robots had their front at −z.
// Models of newer files with z up are upright in such a world already.
func (a axes) local(robot, yUp bool) r3.Quat {
	switch {
	case !a.up || !yUp:
		return r3.Identity()
	case robot:
		return rightUpBack
	}
	return northUpEast
}

// readAxes decides which way is up: WorldInfo says it, or an old world's gravity does, or the release that
// saved it.
func (rd *reader) readAxes(info ref, written bool) {
	release := rd.main.text.Header.Release
	rd.main.yUp = release < flu
	rd.axes = axes{up: release < enu, world: r3.Identity()}
	if rd.axes.up {
		rd.axes.world = northUpEast
	}
	if !written {
		return
	}
	system, said := rd.get(info, "coordinateSystem")
	if said {
		name := rd.text(info, "coordinateSystem", "ENU")
		switch name {
		case "ENU":
			rd.axes = axes{world: r3.Identity()}
		case "NUE":
			rd.axes = axes{up: true, world: northUpEast}
		case "EUN":
			rd.axes = axes{up: true, world: eastUpNorth}
		default:
			rd.fail(system.file, system.Pos, "coordinateSystem %q; ENU, NUE and EUN are known", clip(name))
		}
	}
	if g, ok := rd.get(info, "gravity"); ok && len(g.Numbers) == 3 && !said {
		if v := r3.V(g.Numbers[0], g.Numbers[1], g.Numbers[2]); math.Abs(v.Z) > math.Abs(v.Y) {
			rd.axes = axes{world: r3.Identity()}
		}
	}
}

// frame is a pose and, in old worlds, the scale of the axes of its content.
type frame struct {
	pose  r3.Pose
	scale r3.Vec
}

// worldFrame is the frame of the world.
var worldFrame = frame{r3.IdentityPose(), r3.V(1, 1, 1)}

// plain reports that nothing is scaled.
func (f frame) plain() bool { return f.scale == r3.V(1, 1, 1) }

// inside is the frame of a node with a pose and a scale of its own in f.
func (f frame) inside(p r3.Pose, scale r3.Vec) frame {
	out := frame{r3.Pose{Pos: f.pose.Apply(p.Pos.Mul(f.scale)), Rot: f.pose.Rot.Mul(p.Rot)}, scale}
	if f.plain() {
		return out
	}
	// The length that an axis inside has outside; that axes may no longer be square is let go.
	for i, axis := range [...]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		length := p.Rot.Rotate(axis).Mul(f.scale).Len()
		switch i {
		case 0:
			out.scale.X *= length
		case 1:
			out.scale.Y *= length
		default:
			out.scale.Z *= length
		}
	}
	return out
}

// inside is the frame of a node with translation, rotation and scale.
func (rd *reader) inside(f frame, r ref) frame {
	p := r3.Pose{Pos: rd.vec(r, "translation", r3.Vec{}), Rot: rd.turn(r, "rotation")}
	scale := r3.V(1, 1, 1)
	if v, ok := rd.get(r, "scale"); ok {
		if len(v.Numbers) == 1 { // R2022b and later, on Solids
			scale = scale.Scale(v.Numbers[0])
		} else {
			scale = rd.vec(r, "scale", scale)
		}
		if scale.X*scale.Y*scale.Z == 0 {
			rd.noteFlat(v)
			scale = r3.V(1, 1, 1)
		} else if min(scale.X, scale.Y, scale.Z) < 0 {
			rd.note(scene.Suspicious, v.file, v.Pos, "a scale of %v mirrors what is inside; every scale is greater than zero",
				v.Numbers)
		}
	}
	out := f.inside(p, scale)
	if rd.err == nil && !source.Reachable(out.pose) || !out.scale.IsFinite() {
		rd.fail(r.file, r.n.Pos, "the translations and scales down to this %s add up to %v; want at most %g m",
			r.n.Type, out.pose.Pos, source.MostDistance)
	}
	return out
}
