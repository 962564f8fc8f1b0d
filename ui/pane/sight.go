package pane

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
)

// Sight is a way to look at the entity that the camera pane follows.
type Sight uint8

// Sights, in the order of their key.
const (
	Orbit       Sight = iota // from a place that stays beside it
	Chase                    // from behind, wherever it turns
	FirstPerson              // from its top, ahead
	Top                      // from above
	sightCount
)

// String is the word for it.
func (s Sight) String() string {
	return [...]string{"orbit", "chase", "first person", "top"}[min(s, Top)]
}

// Of following.
const (
	easeWithin   = 0.25 // s: time constant of following
	jumpBeyond   = time.Second
	arrived      = 1e-3 // m and rad: it is there
	chasePitch   = 0.42 // rad
	chaseLengths = 3.2  // of the entity, away from it
	nearestChase = 0.8  // m
	headroom     = 0.04 // m above its top, in the first person
)

// follower is the place of an entity as it is followed: it moves smoothly, whatever the entity does.
type follower struct {
	name   string
	at     time.Duration // simulated time
	pos    r3.Vec
	yaw    float64
	rot    r3.Quat // of the entity, as it is
	height float64 // of its top over its place, m
	length float64 // m
}

// follow moves towards an entity.
func (f *follower) follow(name string, e *sim.EntityModel, s *sim.EntityState, at time.Duration) {
	yaw, dt := heading(s.Pose.Rot), at-f.at
	f.rot, f.at = s.Pose.Rot, at
	f.height, f.length = 0.3, 1
	if b := e.Bounds; !b.IsEmpty() && b.Size().MaxAbs() < boundsTooFar {
		f.height, f.length = b.Max.Z, max(b.Size().X, b.Size().Y)
	}
	if name != f.name || dt < 0 || dt > jumpBeyond {
		f.name, f.pos, f.yaw = name, s.Pose.Pos, yaw
		return
	}
	if dt == 0 { // time stands: it was put there
		f.pos = s.Pose.Pos
		return
	}
	part := 1 - math.Exp(-dt.Seconds()/easeWithin)
	f.pos = f.pos.Lerp(s.Pose.Pos, part)
	f.yaw = math.Remainder(f.yaw+part*math.Remainder(yaw-f.yaw, 2*math.Pi), 2*math.Pi)
	if s.Pose.Pos.Sub(f.pos).MaxAbs() < arrived {
		f.pos = s.Pose.Pos
	}
	if math.Abs(math.Remainder(yaw-f.yaw, 2*math.Pi)) < arrived {
		f.yaw = yaw
	}
}

// Sight is the way in which the camera looks at the followed entity.
func (c *Camera) Sight() Sight { return c.sight }

// SetSight looks at the followed entity from elsewhere, as near as suits its size.
func (c *Camera) SetSight(s Sight) {
	c.sight, c.chosen, c.robotCamera = s, true, robotCamera{}
	c.turned = 0
	if s != Orbit {
		c.orbit.pitch = chasePitch
		c.orbit.distance = max(nearestChase, chaseLengths*c.follower.length)
		if s == Top {
			c.orbit.distance *= 2
		}
	}
}

// NextSight goes to the next of them.
func (c *Camera) NextSight() { c.SetSight((c.sight + 1) % sightCount) }

// Viewpoint is the place and the aim of a camera pane, to be taken up again.
type Viewpoint struct {
	follow      string
	orbit       orbit
	sight       Sight
	turned      float64
	chosen      bool
	robotCamera robotCamera
}

// Viewpoint is that of now.
func (c *Camera) Viewpoint() Viewpoint {
	return Viewpoint{c.Follow, c.orbit, c.sight, c.turned, c.chosen, c.robotCamera}
}

// SetViewpoint looks from another one.
func (c *Camera) SetViewpoint(v Viewpoint) {
	c.Follow, c.orbit, c.sight, c.turned, c.chosen, c.robotCamera = v.follow, v.orbit, v.sight, v.turned,
		v.chosen, v.robotCamera
}

// following reports that there is an entity that a sight other than Orbit looks at.
func (c *Camera) following() bool { return c.Follow != "" && c.follower.name == c.Follow }

// eye is the camera of the sight.
func (c *Camera) eye(w, h int) render.Camera {
	if !c.following() {
		return c.outside(w, h)
	}
	f, o := &c.follower, c.orbit
	switch c.sight {
	case Orbit:
		o.target = f.pos
	case Chase:
		o.target = f.pos.Add(r3.V(0, 0, 0.6*f.height))
		o.yaw = f.yaw - math.Pi/2 + c.turned
	case Top:
		o.target, o.pitch, o.yaw = f.pos, steepest, c.turned
	case FirstPerson:
		cam := o.camera(w, h)
		at := f.pos.Add(f.rot.Rotate(r3.V(0, 0, f.height+headroom)))
		cam.Pose = r3.Pose{Pos: at, Rot: r3.FromRPY(0, 0, f.yaw+c.turned)}
		cam.Near, cam.Far = 0.02, 500
		return cam
	}
	return o.camera(w, h)
}
