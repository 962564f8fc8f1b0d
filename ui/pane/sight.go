package pane

import (
	"math"
	"slices"
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
	nearestHome  = 3.0  // m, so that what is about it is seen as well
	overhead     = 0.1  // of the distance: how far above it a chase looks
	beforeWall   = 0.15 // m
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

// Sight is the way in which the camera looks at an entity; Orbit where it looks at none.
func (c *Camera) Sight() Sight {
	switch {
	case !c.following():
		return Orbit
	case c.aim == atSelected:
		return Chase
	}
	return c.sight
}

// SetSight looks at the followed entity from elsewhere, as near as suits its size.
func (c *Camera) SetSight(s Sight) {
	c.sight, c.aim, c.robotCamera = s, atChosen, robotCamera{}
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
func (c *Camera) NextSight() { c.SetSight((c.Sight() + 1) % sightCount) }

// approach goes behind the entity that was selected.
func (c *Camera) approach() {
	c.turned, c.orbit.pitch = 0, chasePitch
	c.orbit.distance = max(nearestHome, chaseLengths*c.follower.length)
}

// around is the orbit from which the sight looks now.
func (c *Camera) around() orbit {
	f, o := &c.follower, c.orbit
	o.target = f.pos
	switch c.Sight() {
	case Chase:
		o.distance *= c.sightline.part()
		o.target = f.pos.Add(r3.V(0, 0, 0.6*f.height+overhead*o.distance)) // it is in the lower half
		o.yaw = f.yaw - math.Pi/2 + c.turned
	case Top:
		o.pitch, o.yaw = steepest, c.turned
	}
	return o
}

// Viewpoint is the place and the aim of a camera pane, to be taken up again.
type Viewpoint struct {
	follow      string
	orbit       orbit
	sight       Sight
	turned      float64
	aim         aim
	robotCamera robotCamera
}

// Viewpoint is that of now.
func (c *Camera) Viewpoint() Viewpoint {
	return Viewpoint{c.Follow, c.orbit, c.sight, c.turned, c.aim, c.robotCamera}
}

// SetViewpoint looks from another one.
func (c *Camera) SetViewpoint(v Viewpoint) {
	c.Follow, c.orbit, c.sight, c.turned, c.aim, c.robotCamera = v.follow, v.orbit, v.sight, v.turned, v.aim,
		v.robotCamera
}

// subject is the entity to look at; empty: there is none.
func (c *Camera) subject() string {
	if c.Follow == "" && c.aim == atSelected {
		return c.selected
	}
	return c.Follow
}

// following reports that the camera looks at an entity.
func (c *Camera) following() bool { return c.follower.name != "" && c.follower.name == c.subject() }

// eye is the camera of the sight.
func (c *Camera) eye(w, h int) render.Camera {
	if !c.following() {
		return c.outside(w, h)
	}
	o := c.around()
	if c.Sight() == FirstPerson {
		f, cam := &c.follower, o.camera(w, h)
		at := f.pos.Add(f.rot.Rotate(r3.V(0, 0, f.height+headroom)))
		cam.Pose = r3.Pose{Pos: at, Rot: r3.FromRPY(0, 0, f.yaw+c.turned)}
		cam.Near, cam.Far = 0.02, 500
		return cam
	}
	return o.camera(w, h)
}

// sightline is how near the eye of a chase is, so that nothing is between it and the entity.
type sightline struct {
	eye     r3.Pose // as far away as was asked for
	links   []r3.Pose
	nearer  float64 // part of the distance; 0: all of it
	picture render.Image
}

// part is the part of the distance that is left.
func (s *sightline) part() float64 {
	if s.nearer == 0 {
		return 1
	}
	return s.nearer
}

// look finds how far the eye of a chase can be away: a wall behind a robot would hide it.
func (c *Camera) look() {
	s, before := &c.sightline, c.sightline.nearer
	s.nearer = 0
	if c.Sight() != Chase {
		return
	}
	asked := c.around()
	eye := asked.pose()
	if eye == s.eye && slices.Equal(s.links, c.links) {
		s.nearer = before
		return
	}
	s.eye, s.links = eye, append(s.links[:0], c.links...)
	f := &c.follower
	for _, height := range [...]float64{0.5 * f.height, f.height + headroom} {
		from := f.pos.Add(r3.V(0, 0, height))
		way := eye.Pos.Sub(from)
		if height > f.height {
			way.Z = 0 // what stands behind it hides the ground about it, seen from above
		}
		if d, length := c.cast(from, way), way.Len(); d < length {
			s.nearer = min(s.part(), max(0.75*f.length, d-beforeWall)/length)
		}
	}
}

// cast is the distance to what is first seen along a way, behind the entity; +Inf: nothing.
func (c *Camera) cast(from, way r3.Vec) float64 {
	ray := render.Camera{Lens: render.Lens{Width: 1, Height: 1, FX: 1000, FY: 1000},
		Pose: r3.Pose{Pos: from, Rot: r3.FromRPY(0, -math.Atan2(way.Z, math.Hypot(way.X, way.Y)),
			math.Atan2(way.Y, way.X))}, Near: 0.75 * c.follower.length, Far: way.Len()}
	if ray.Check() != nil {
		return math.Inf(1)
	}
	picture := &c.sightline.picture
	c.renderer.Render(c.stage, c.links, &ray, render.Depths, picture)
	return float64(picture.Depth[0])
}
