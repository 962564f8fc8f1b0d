package traffic

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Model is the only actor or signal of a document, as a model that can be put into a world.
func (d *Document) Model() (*scene.ModelSpec, error) {
	if n := len(d.Actors) + len(d.Signals); n != 1 {
		return nil, fmt.Errorf("%w: %d actors and signals; a model is one of them", scene.ErrParse, n)
	}
	if len(d.Actors) == 1 {
		return d.Actors[0].Model(), nil
	}
	return d.Signals[0].Model(), nil
}

// Colours of parts.
var (
	glass   = [4]float32{0.1, 0.12, 0.15, 1}
	rubber  = [4]float32{0.08, 0.08, 0.08, 1}
	skin    = [4]float32{0.8, 0.6, 0.5, 1}
	jeans   = [4]float32{0.15, 0.17, 0.3, 1}
	steel   = [4]float32{0.35, 0.36, 0.38, 1}
	housing = [4]float32{0.05, 0.06, 0.05, 1}
)

// Model is the actor as a model: one kinematic link, with its origin on the ground below its middle.
func (a *Actor) Model() *scene.ModelSpec {
	link := kinds[a.Type].build(a)
	link.Name, link.Pose, link.Kinematic = "base", r3.IdentityPose(), true
	link.Inertial.Pose = r3.IdentityPose()
	actor := a.Actor
	return &scene.ModelSpec{Name: a.Name, Format: "traffic", Frame: r3.IdentityPose(),
		Placement: actor.Begins(), Links: []scene.Link{link}, Actor: &actor,
		Info: scene.Info{Category: kinds[a.Type].category, Description: a.Type + " that moves by itself",
			Tags: []string{"actor", a.Type}}}
}

// Pose is the pose of the signal in the world.
func (s *Signal) Pose() r3.Pose { return r3.Pose{Pos: s.Position, Rot: r3.FromRPY(0, 0, s.Yaw)} }

// Of a signal, in m: its lamps look along x.
const (
	poleRadius = 0.06
	headHeight = 2.6 // of its lower edge
	lampRadius = 0.105
	lampStep   = 0.3 // between the middles of lamps
	headDepth  = 0.2
)

// Model is the signal as a model: a pole with three lamps, which stays where it is.
func (s *Signal) Model() *scene.ModelSpec {
	top := headHeight + 3*lampStep
	pole := scene.Geom{Name: "pole", Kind: scene.Cylinder, Radius: poleRadius, Length: top,
		Pose: place(-headDepth/2-poleRadius, 0, top/2)}
	head := scene.Geom{Name: "head", Kind: scene.Box, Size: r3.V(headDepth, 0.3, 3*lampStep),
		Pose: place(0, 0, headHeight+3*lampStep/2)}
	link := scene.Link{Name: "base", Pose: r3.IdentityPose(),
		Inertial:   scene.Inertial{Pose: r3.IdentityPose()},
		Collisions: solid(pole, head), Visuals: []scene.Geom{painted(pole, steel), painted(head, housing)}}
	signal := s.Signal
	spec := &scene.ModelSpec{Name: s.Name, Format: "traffic", Static: true, Frame: r3.IdentityPose(),
		Placement: s.Pose(), Signal: &signal,
		Info: scene.Info{Category: scene.StaticObject, Description: "traffic signal",
			Tags: []string{"signal"}}}
	for i, l := range spec.Lamps() {
		g := scene.Geom{Name: l.Name, Kind: scene.Cylinder, Radius: lampRadius, Length: 0.04, Lamp: i + 1,
			NoShadow: true,
			Pose: r3.Pose{Pos: r3.V(headDepth/2, 0, headHeight+float64(lampStep*(2.5-float64(i)))),
				Rot: r3.FromRPY(0, math.Pi/2, 0)}}
		c := l.Colour
		link.Visuals = append(link.Visuals, painted(g, [4]float32{0.2 * c[0], 0.2 * c[1], 0.2 * c[2], 1}))
	}
	spec.Links = []scene.Link{link}
	return spec
}

// place is a pose without a turn.
func place(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// box is a box of a size with its middle at a place.
func box(name string, size r3.Vec, x, y, z float64) scene.Geom {
	return scene.Geom{Name: name, Kind: scene.Box, Size: size, Pose: place(x, y, z)}
}

// painted is a shape in a colour.
func painted(g scene.Geom, colour [4]float32) scene.Geom {
	g.Material.Colour = colour
	return g
}

// solid are shapes that can be touched.
func solid(list ...scene.Geom) []scene.Geom {
	for i := range list {
		list[i].Surface.Default = true
	}
	return list
}

// wheel is a wheel of a radius and a width at a place.
func wheel(name string, x, y, radius, width float64) scene.Geom {
	return painted(scene.Geom{Name: name, Kind: scene.Cylinder, Radius: radius, Length: width,
		Pose: r3.Pose{Pos: r3.V(x, y, radius), Rot: r3.FromRPY(math.Pi/2, 0, 0)}}, rubber)
}

// paint is the colour of an actor.
func (a *Actor) paint() [4]float32 { return [4]float32{a.Colour[0], a.Colour[1], a.Colour[2], 1} }

// wheels are four wheels.
func (a *Actor) wheels(radius float64) []scene.Geom {
	x, y, width := a.Base/2, a.Size.Y/2-0.1, 0.2
	return []scene.Geom{wheel("front_left", x, y, radius, width), wheel("front_right", x, -y, radius, width),
		wheel("rear_left", -x, y, radius, width), wheel("rear_right", -x, -y, radius, width)}
}

// body is the box that others touch, from a height on.
func (a *Actor) body(from float64) []scene.Geom {
	return solid(box("body", r3.V(a.Size.X, a.Size.Y, a.Size.Z-from), 0, 0, (a.Size.Z+from)/2))
}

// clearance is the height of what has wheels above the ground, in parts of its own.
const clearance = 0.12

func car(a *Actor) scene.Link {
	l, w, h := a.Size.X, a.Size.Y, a.Size.Z
	low, belt := clearance*h, 0.6*h
	return scene.Link{Collisions: a.body(low), Visuals: append(a.wheels(0.21*h),
		painted(box("hull", r3.V(l, w, belt-low), 0, 0, (low+belt)/2), a.paint()),
		painted(box("windows", r3.V(0.5*l, 0.9*w, h-belt-0.05), -0.05*l, 0, (h-0.05+belt)/2), glass),
		painted(box("roof", r3.V(0.48*l, 0.88*w, 0.05), -0.05*l, 0, h-0.025), a.paint()))}
}

func truck(a *Actor) scene.Link {
	l, w, h := a.Size.X, a.Size.Y, a.Size.Z
	low := clearance * h
	return scene.Link{Collisions: a.body(low), Visuals: append(a.wheels(0.15*h),
		painted(box("cab", r3.V(0.22*l, w, 0.75*h-low), 0.39*l, 0, (float64(0.75*h)+low)/2), steel),
		painted(box("windscreen", r3.V(0.02, 0.9*w, 0.25*h), l/2, 0, 0.58*h), glass),
		painted(box("load", r3.V(0.75*l, w, h-2*low), -0.12*l, 0, (h+float64(2*low))/2), a.paint()))}
}

func cyclist(a *Actor) scene.Link {
	l, h, r := a.Size.X, a.Size.Z, 0.2*a.Size.Z
	return scene.Link{Collisions: a.body(0.1), Visuals: []scene.Geom{wheel("front", l/2-r, 0, r, 0.05),
		wheel("rear", r-l/2, 0, r, 0.05), painted(box("frame", r3.V(0.6*l, 0.05, 0.15*h), 0, 0, 0.35*h),
			steel),
		painted(box("rider", r3.V(0.25*l, 0.6*a.Size.Y, 0.45*h), 0, 0, 0.62*h), a.paint()),
		painted(scene.Geom{Name: "head", Kind: scene.Sphere, Radius: 0.07 * h,
			Pose: place(0.05*l, 0, 0.92*h)}, skin)}}
}

func pedestrian(a *Actor) scene.Link {
	d, w, h := a.Size.X, a.Size.Y, a.Size.Z
	leg := func(name string, y float64) scene.Geom {
		return painted(box(name, r3.V(0.4*d, 0.3*w, 0.48*h), 0, y, 0.24*h), jeans)
	}
	return scene.Link{Collisions: a.body(0.02), Visuals: []scene.Geom{leg("left_leg", 0.2*w),
		leg("right_leg", -0.2*w), painted(box("coat", r3.V(0.6*d, 0.9*w, 0.38*h), 0, 0, 0.66*h), a.paint()),
		painted(scene.Geom{Name: "head", Kind: scene.Sphere, Radius: 0.07 * h, Pose: place(0, 0, 0.92*h)},
			skin)}}
}
