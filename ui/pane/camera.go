package pane

import (
	"fmt"
	"math"
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Camera shows the world as an eye sees it: from an orbit around the operator's target, or through a robot's
// own camera.
type Camera struct {
	Follow string // entity to look at; empty: a place in the world

	orbit       orbit
	chosen      bool        // the operator chose what is seen; else the whole world is
	robotCamera robotCamera // the camera that is looked through; none: the orbit

	w, h     int // of the last picture, in points
	model    *sim.Model
	stage    *render.Stage
	lamps    []scene.Glow // that the stage has
	links    []r3.Pose
	renderer render.Renderer
	image    render.Image
	shown    []canvas.RGB // colors of the area, two points a cell
	stripe   int          // the row of cells that was renewed last
	picture  Picture      // for the terminal
	fresh    bool         // it was not handed out
	late     bool         // the view has changed since
	pixelAt  time.Time
}

var _ Pane = (*Camera)(nil)

// orbit is a place to look at and where from.
type orbit struct {
	target     r3.Vec
	yaw, pitch float64 // rad: from where; 0: from the south, level
	distance   float64 // m
}

const (
	orbitFov      = 55 * math.Pi / 180 // of the narrower side
	steepest      = 89 * math.Pi / 180
	leastOrbit    = 0.1
	mostOrbit     = 2000.0
	shallowest    = -20 * math.Pi / 180
	firstYaw      = -0.6
	firstPitch    = 0.65
	boundsTooFar  = 500.0 // m: what is larger is ground
	pixelGraphics = 2     // pixels that are drawn for a point, either way
)

// Turn goes round what is looked at: right and up, in radians.
func (c *Camera) Turn(right, up float64) {
	c.chosen, c.robotCamera = true, robotCamera{}
	c.orbit.yaw = math.Remainder(c.orbit.yaw+right, 2*math.Pi)
	c.orbit.pitch = max(shallowest, min(steepest, c.orbit.pitch+up))
}

// Pan moves what is looked at across the ground, by parts of the distance.
func (c *Camera) Pan(right, forward float64) {
	c.chosen, c.Follow, c.robotCamera = true, "", robotCamera{}
	sin, cos := math.Sincos(c.orbit.yaw)
	d := c.orbit.distance
	c.orbit.target = c.orbit.target.Add(r3.V(cos*right-sin*forward, sin*right+cos*forward, 0).Scale(d))
}

// Zoom goes nearer by a factor.
func (c *Camera) Zoom(factor float64) {
	c.chosen, c.robotCamera = true, robotCamera{}
	c.orbit.distance = max(leastOrbit, min(mostOrbit, c.orbit.distance/factor))
}

// Look looks at a place.
func (c *Camera) Look(at r3.Vec) {
	c.chosen, c.robotCamera, c.orbit.target = true, robotCamera{}, at
}

// Fit shows the whole world from where it was first seen.
func (c *Camera) Fit() { c.chosen, c.Follow, c.robotCamera, c.model = false, "", robotCamera{}, nil }

// Feed takes a new picture of the world.
func (c *Camera) Feed(s *sim.Snapshot) {
	if s.Model != c.model {
		c.stage = nil // made anew when it is looked at
	}
	if !c.chosen && s.Model != c.model {
		c.fit(s)
	}
	c.model = s.Model
	if c.robotCamera.name != "" && !c.robotCamera.find(s.Model) {
		c.robotCamera = robotCamera{}
	}
	if i, ok := Find(s.Model, c.Follow); ok && i < len(s.Entities) {
		c.orbit.target = s.Entities[i].Pose.Pos
	}
}

// fit looks at all that has an end, from as near as shows it.
func (c *Camera) fit(s *sim.Snapshot) {
	all := r3.EmptyBox()
	for i := range min(len(s.Entities), len(s.Model.Entities)) {
		if b := s.Model.Entities[i].Bounds; !b.IsEmpty() && b.Size().MaxAbs() < boundsTooFar {
			all = all.Union(b.Moved(s.Entities[i].Pose))
		}
	}
	c.orbit = orbit{yaw: firstYaw, pitch: firstPitch, distance: 10}
	if all.IsEmpty() {
		return
	}
	c.orbit.target = all.Centre()
	c.orbit.distance = max(1, all.Size().Len())
	for range 6 {
		c.frame(all)
	}
}

// frame puts a box into the middle of the picture and goes nearer or further
// away, so that it nearly fills it.
func (c *Camera) frame(b r3.Box) {
	cam := c.outside(max(c.w, 60), max(c.h, 40))
	low, high := r3.V(math.Inf(1), math.Inf(1), 0), r3.V(math.Inf(-1), math.Inf(-1), 0)
	for i := range 8 {
		corner := b.Min
		if i&1 != 0 {
			corner.X = b.Max.X
		}
		if i&2 != 0 {
			corner.Y = b.Max.Y
		}
		if i&4 != 0 {
			corner.Z = b.Max.Z
		}
		u, v, _, ok := cam.Project(corner)
		if !ok {
			c.orbit.distance *= 1.5
			return
		}
		low, high = low.Min(r3.V(u, v, 0)), high.Max(r3.V(u, v, 0))
	}
	size, middle := high.Sub(low), low.Add(high).Scale(0.5)
	aside := r3.V(0, cam.CX-middle.X, cam.CY-middle.Y).Scale(c.orbit.distance / cam.FX)
	c.orbit.target = c.orbit.target.Add(cam.Pose.Rot.Rotate(aside))
	c.orbit.distance *= 1.06 * max(size.X/float64(cam.Width), size.Y/float64(cam.Height))
}

// pose is the pose of the eye on the orbit, which looks along x.
func (o *orbit) pose() r3.Pose {
	sinY, cosY := math.Sincos(o.yaw)
	sinP, cosP := math.Sincos(o.pitch)
	from := r3.V(sinY*cosP, -cosY*cosP, sinP)
	return r3.Pose{Pos: o.target.AddScaled(o.distance, from), Rot: r3.FromRPY(0, o.pitch, o.yaw+math.Pi/2)}
}

// Title says what is looked through.
func (c *Camera) Title() string {
	if c.robotCamera.name != "" {
		return canvas.Clean(c.robotCamera.name)
	}
	if c.Follow != "" {
		return canvas.Clean(c.Follow)
	}
	return fmt.Sprintf("%.3g m", c.orbit.distance)
}

// Draw fills the area.
func (c *Camera) Draw(a canvas.Area, v *View) {
	w, h := a.W(), 2*a.H()
	if w < 2 || h < 2 {
		return
	}
	if lamps := v.Snap.Lamps; c.stage == nil || !slices.Equal(lamps, c.lamps) {
		c.stage, c.lamps = sim.NewStage(v.Snap.Model, lamps), lamps
	}
	if resized := c.w != w || c.h != h; resized {
		c.w, c.h, c.shown = w, h, nil
		if !c.chosen {
			c.fit(v.Snap)
		}
	}
	c.links = v.Snap.Poses(c.links[:0])
	if c.drawPixels(a, v) {
		return
	}
	cam := c.camera(pixelGraphics*w, pixelGraphics*h, v.Snap)
	if cam.Check() != nil {
		return
	}
	c.renderer.Render(c.stage, c.links, &cam, render.Colours, &c.image)
	if v.Plain {
		c.shades(a)
		return
	}
	c.renew(w, a.H(), v.Stripe)
	for y := range a.H() {
		for x := range w {
			a.Pixels(x, y, c.shown[2*(y*w+x)], c.shown[2*(y*w+x)+1])
		}
	}
}

// renew takes over what was drawn: all of it, or on a slow line some rows of cells a time, top to bottom.
func (c *Camera) renew(w, h, rows int) {
	if rows == 0 {
		rows = h
	}
	if c.shown == nil {
		c.shown, c.stripe = make([]canvas.RGB, 2*w*h), h-1
	}
	for range min(rows, h) {
		c.stripe = (c.stripe + 1) % h
		for x := range w {
			at := 2 * (c.stripe*w + x)
			c.shown[at], c.shown[at+1] = c.pixel(x, 2*c.stripe), c.pixel(x, 2*c.stripe+1)
		}
	}
}

// camera is the render camera of the picture. A point is as wide as it is high: a cell is two of them.
func (c *Camera) camera(w, h int, s *sim.Snapshot) render.Camera {
	if cam, ok := c.robotCamera.camera(w, h, s); ok {
		return cam
	}
	return c.outside(w, h)
}

// outside is the camera of the orbit.
func (c *Camera) outside(w, h int) render.Camera {
	focal := float64(min(w, h)) / 2 / math.Tan(orbitFov/2)
	lens := render.Lens{Width: w, Height: h, FX: focal, FY: focal, CX: float64(w) / 2, CY: float64(h) / 2}
	return render.Camera{Lens: lens, Pose: c.orbit.pose(), Near: 0.01 * c.orbit.distance,
		Far: 20*c.orbit.distance + 200}
}

// pixel is a point of the picture: the mean of what was drawn finer, so that
// edges are smooth.
func (c *Camera) pixel(x, y int) canvas.RGB {
	var sum [3]int
	for dy := range pixelGraphics {
		at := 3 * ((pixelGraphics*y+dy)*c.image.Width + pixelGraphics*x)
		for i, v := range c.image.RGB[at : at+3*pixelGraphics] {
			sum[i%3] += int(v)
		}
	}
	const n = pixelGraphics * pixelGraphics
	return canvas.RGB{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n)}
}

// shades draws the picture in letters, for screens without colours.
func (c *Camera) shades(a canvas.Area) {
	ramp := []rune(" .:-=+*#%@")
	for y := range a.H() {
		for x := range a.W() {
			light := 0
			for k := range 2 {
				p := c.pixel(x, 2*y+k)
				light += 299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])
			}
			a.Put(x, y, ramp[min(len(ramp)-1, light*len(ramp)/(2*255*1000+1))], theme.Plain)
		}
	}
}
