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

	selected    string // entity that is looked at from behind while the operator has chosen nothing
	aim         aim
	orbit       orbit
	sight       Sight
	turned      float64 // rad: by which a sight that turns with the entity was turned aside
	follower    follower
	robotCamera robotCamera // the camera that is looked through; none: the orbit

	w, h     int // of the last picture, in points
	model    *sim.Model
	stage    *render.Stage
	outdoors *render.Stage // the same with a sky and lines on the ground: for every eye but a robot's
	sightline
	lamps    []scene.Glow // that the stage has
	links    []r3.Pose
	renderer render.Renderer
	image    render.Image
	mosaic   canvas.Mosaic
	shown    []canvas.Tile // of the area, row by row
	stripe   int           // the row of cells that was renewed last
	imaged   imaged
	picture  Picture // for the terminal
	fresh    bool    // it was not handed out
	late     bool    // the view has changed since
	placed   bool    // the last frame has a place for it
	pixelAt  time.Time
}

// aim is what the camera looks at.
type aim uint8

const (
	atSelected aim = iota // from behind; the whole world where nothing is selected that may move
	atWhole               // the whole world
	atChosen              // the operator's choice
)

// imaged is the view that the image shows: the same is not drawn again.
type imaged struct {
	camera render.Camera
	links  []r3.Pose
	behind int // rows of cells that are older than the image
}

var _ Pane = (*Camera)(nil)

// orbit is a place to look at and where from.
type orbit struct {
	target     r3.Vec
	yaw, pitch float64 // rad: from where; 0: from the south, level
	distance   float64 // m
}

const (
	orbitFov     = 55 * math.Pi / 180 // of the narrower side
	steepest     = 89 * math.Pi / 180
	leastOrbit   = 0.1
	mostOrbit    = 2000.0
	shallowest   = -20 * math.Pi / 180
	firstYaw     = -0.6
	firstPitch   = 0.65
	flatPitch    = 0.3   // of a world with nothing in it, for its horizon
	boundsTooFar = 500.0 // m: what is larger is ground
)

// Pixels that are drawn for a cell. Points of a mosaic are means of them, so a picture costs the same in any.
const (
	cellPixelsX = 2
	cellPixelsY = 4
)

// Turn goes round what is looked at: right and up, in radians.
func (c *Camera) Turn(right, up float64) {
	c.depart()
	if c.Sight() != Orbit {
		c.turned = math.Remainder(c.turned+right, 2*math.Pi)
	} else {
		c.orbit.yaw = math.Remainder(c.orbit.yaw+right, 2*math.Pi)
	}
	c.orbit.pitch = max(shallowest, min(steepest, c.orbit.pitch+up))
}

// Pan moves what is looked at across the ground, by parts of the distance.
func (c *Camera) Pan(right, forward float64) {
	if c.Sight() != Orbit {
		c.orbit = c.around()
	}
	c.aim, c.Follow, c.robotCamera, c.sight = atChosen, "", robotCamera{}, Orbit
	sin, cos := math.Sincos(c.orbit.yaw)
	d := c.orbit.distance
	c.orbit.target = c.orbit.target.Add(r3.V(cos*right-sin*forward, sin*right+cos*forward, 0).Scale(d))
}

// Zoom goes nearer by a factor.
func (c *Camera) Zoom(factor float64) {
	c.depart()
	c.orbit.distance = max(leastOrbit, min(mostOrbit, c.orbit.distance/factor))
}

// Look looks at a place.
func (c *Camera) Look(at r3.Vec) {
	if c.Sight() != Orbit {
		c.orbit = c.around()
	}
	c.aim, c.robotCamera, c.orbit.target = atChosen, robotCamera{}, at
}

// Fit shows the whole world; where that is shown, the selected entity from behind.
func (c *Camera) Fit() {
	if c.aim == atWhole {
		c.aim = atSelected
	} else {
		c.aim = atWhole
	}
	c.Follow, c.robotCamera, c.model, c.sight, c.follower = "", robotCamera{}, nil, Orbit, follower{}
}

// depart leaves the view of the whole world, and a robot's camera. Behind the selected entity it stays.
func (c *Camera) depart() {
	if c.robotCamera = (robotCamera{}); !c.behind() {
		c.aim = atChosen
	}
}

// behind reports that the camera is behind the selected entity, without having been told to.
func (c *Camera) behind() bool { return c.aim == atSelected && c.following() }

// Feed takes a new picture of the world.
func (c *Camera) Feed(s *sim.Snapshot) {
	if s.Model != c.model {
		c.stage = nil // made anew when it is looked at
	}
	if c.aim != atChosen && s.Model != c.model && !c.following() {
		c.fit(s)
	}
	c.model = s.Model
	if c.robotCamera.name != "" && !c.robotCamera.find(s.Model) {
		c.robotCamera = robotCamera{}
	}
	who := c.subject()
	i, ok := Find(s.Model, who)
	if !ok || i >= len(s.Entities) || c.Follow == "" && s.Model.Entities[i].Static {
		if c.Follow == "" {
			c.leave(s)
		}
		return
	}
	other := c.follower.name != who
	c.follower.follow(who, &s.Model.Entities[i], &s.Entities[i], s.Time)
	if c.aim == atSelected && other {
		c.approach()
	}
	if c.Sight() == Orbit {
		c.orbit.target = c.follower.pos
	}
}

// accompany looks at the entity that is selected now.
func (c *Camera) accompany(v *View) {
	who := ""
	if v.Entity >= 0 && v.Entity < len(v.Snap.Model.Entities) {
		who = v.Snap.Model.Entities[v.Entity].Name
	}
	if who != c.selected {
		c.selected = who
		c.Feed(v.Snap)
	}
}

// leave is where it was behind an entity that is no longer selected: the whole world is seen again.
func (c *Camera) leave(s *sim.Snapshot) {
	if c.aim == atSelected && c.follower.name != "" {
		c.fit(s)
	}
	c.follower = follower{}
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
		c.orbit.pitch = flatPitch
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
	distance := fmt.Sprintf("%.3g m", c.orbit.distance)
	if !c.following() {
		return distance
	}
	who := canvas.Clean(c.follower.name)
	switch c.Sight() {
	case Chase:
		return "behind " + who + " · " + distance
	case FirstPerson:
		return "from " + who
	case Top:
		return "above " + who + " · " + distance
	}
	return who + " · " + distance
}

// Draw fills the area.
func (c *Camera) Draw(a canvas.Area, v *View) {
	w, h := a.W(), 2*a.H()
	c.placed = false
	if w < 2 || h < 2 {
		return
	}
	c.accompany(v)
	if lamps := v.Snap.Lamps; c.stage == nil || !slices.Equal(lamps, c.lamps) {
		c.stage, c.lamps, c.shown = sim.NewStage(v.Snap.Model, lamps), lamps, nil
		c.outdoors, c.sightline = outdoors(c.stage), sightline{}
	}
	if c.w != w || c.h != h || c.mosaic != v.Pictures.Mosaic {
		c.w, c.h, c.mosaic, c.shown = w, h, v.Pictures.Mosaic, nil
		if c.aim != atChosen && !c.following() {
			c.fit(v.Snap)
		}
	}
	c.links = v.Snap.Poses(c.links[:0])
	c.look()
	if c.placed = c.drawPixels(a, v); c.placed {
		return
	}
	cam := c.camera(cellPixelsX*a.W(), cellPixelsY*a.H(), v.Snap)
	if c.mosaic == canvas.Sextant && !v.Plain { // four rows of pixels make no three rows of points
		lower(&cam.Lens, 3, cellPixelsY)
	}
	if cam.Check() != nil {
		return
	}
	if fresh := c.shown == nil; fresh || cam != c.imaged.camera || !slices.Equal(c.links, c.imaged.links) {
		c.renderer.Render(c.seen(), c.links, &cam, render.Colours, &c.image)
		c.imaged = imaged{cam, append(c.imaged.links[:0], c.links...), a.H()}
	}
	if v.Plain {
		c.shades(a)
		return
	}
	c.renew(a, v.Stripe)
	for y := range a.H() {
		for x := range a.W() {
			a.PutTile(x, y, c.shown[y*a.W()+x])
		}
	}
}

// lower has a lens draw by of of its rows, which show the same.
func lower(l *render.Lens, by, of int) {
	k := float64(by) / float64(of)
	l.Height, l.FY, l.CY = l.Height*by/of, l.FY*k, (l.CY+0.5)*k-0.5
}

// renew takes over what was drawn: all of it, or on a slow line some rows of cells a time, top to bottom.
func (c *Camera) renew(a canvas.Area, rows int) {
	w, h := a.W(), a.H()
	if rows == 0 {
		rows = h
	}
	if c.shown == nil {
		c.shown, c.stripe = make([]canvas.Tile, w*h), h-1
	}
	for range min(rows, h, c.imaged.behind) {
		c.imaged.behind--
		c.stripe = (c.stripe + 1) % h
		for x := range w {
			c.shown[c.stripe*w+x] = c.tile(a, x, c.stripe)
		}
	}
}

// tile is the cell at a place in the picture.
func (c *Camera) tile(a canvas.Area, x, y int) canvas.Tile {
	var points [8]canvas.RGB
	nx, ny := c.mosaic.Size()
	down := c.image.Height / a.H() // pixels of a cell
	if c.uniform(x*cellPixelsX, y*down, cellPixelsX, down) {
		points[0] = c.mean(x*cellPixelsX, y*down, 1, 1)
		return a.Tile(c.mosaic, points[:1])
	}
	for i := range nx * ny {
		px, py := cellPixelsX/nx, down/ny
		points[i] = c.mean(x*cellPixelsX+i%nx*px, y*down+i/nx*py, px, py)
	}
	return a.Tile(c.mosaic, points[:nx*ny])
}

// uniform reports that w by h pixels are the same, as most are.
func (c *Camera) uniform(x, y, w, h int) bool {
	first := c.image.RGB[3*(y*c.image.Width+x):]
	for dy := range h {
		row := c.image.RGB[3*((y+dy)*c.image.Width+x):]
		for i := range 3 * w {
			if row[i] != first[i%3] {
				return false
			}
		}
	}
	return true
}

// mean is the mean of w by h pixels, so that edges are smooth.
func (c *Camera) mean(x, y, w, h int) canvas.RGB {
	if w*h == 1 {
		at := 3 * (y*c.image.Width + x)
		return canvas.RGB(c.image.RGB[at : at+3])
	}
	var sum [3]int
	for dy := range h {
		at := 3 * ((y+dy)*c.image.Width + x)
		for i, v := range c.image.RGB[at : at+3*w] {
			sum[i%3] += int(v)
		}
	}
	n := w * h
	return canvas.RGB{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n)}
}

// outdoors is a stage with lines on the ground, and with a sky where the world names no background.
func outdoors(of *render.Stage) *render.Stage {
	s := *of
	s.Grid = true
	s.Ambience.Sky = s.Ambience.Sky || s.Ambience.Background[3] == 0
	return &s
}

// seen is the stage of the picture: robots see the world as their sensors do.
func (c *Camera) seen() *render.Stage {
	if c.robotCamera.name != "" {
		return c.stage
	}
	return c.outdoors
}

// camera is the render camera of the picture. A point is as wide as it is high: a cell is two of them.
func (c *Camera) camera(w, h int, s *sim.Snapshot) render.Camera {
	if cam, ok := c.robotCamera.camera(w, h, s); ok {
		return cam
	}
	return c.eye(w, h)
}

// outside is the camera of the orbit.
func (c *Camera) outside(w, h int) render.Camera { return c.orbit.camera(w, h) }

// camera is a camera at the place.
func (o *orbit) camera(w, h int) render.Camera {
	focal := float64(min(w, h)) / 2 / math.Tan(orbitFov/2)
	lens := render.Lens{Width: w, Height: h, FX: focal, FY: focal, CX: float64(w-1) / 2, CY: float64(h-1) / 2}
	return render.Camera{Lens: lens, Pose: o.pose(), Near: 0.01 * o.distance, Far: 20*o.distance + 200}
}

// shades draws the picture in letters, for screens without colours.
func (c *Camera) shades(a canvas.Area) {
	ramp := []rune(" .:-=+*#%@")
	for y := range a.H() {
		for x := range a.W() {
			p := c.mean(x*cellPixelsX, y*cellPixelsY, cellPixelsX, cellPixelsY)
			light := 299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])
			a.Put(x, y, ramp[min(len(ramp)-1, light*len(ramp)/(255*1000+1))], theme.Plain)
		}
	}
}
