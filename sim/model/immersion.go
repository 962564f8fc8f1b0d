package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Immersed is a part of a body that a fluid, the wind or a lift pushes. It is the box of a link's inertia, an
// ellipsoid, or the link.
type Immersed struct {
	Body      int
	Pose      r3.Pose // in the body's frame
	Fluid     *scene.Fluid
	Box       r3.Vec           // edges, m; of a box
	Ellipsoid *scene.Ellipsoid // nil: it is the box
	Lift      float64          // kg that gravity does not pull at
	Wind      float64          // kg of a link that the wind pushes
	turn      float64          // kg·m²: the least moment of the link
}

// AddedMass is the part of a link's added mass that is not of its body's own mass already.
type AddedMass struct {
	Body, Link int
	Pose       r3.Pose // of the link in the body's frame
	Whole      *scene.AddedMass
	Rest       scene.AddedMass
}

// Float is a solid of a body that displaces a fluid.
type Float struct {
	Body, Link int
	Pose       r3.Pose // of the shape in the body's frame
	medium.Solid
	Drag, Swirl float64 // of scene.Float
	// Facets is the surface, in the frame of the link, of what feels a fluid within bounds; nil: it does not.
	Facets *shape.Facets
	Feels  *scene.Immersion // of the fluid that it is In; nil: it is in no such fluid
}

// addMasses gives bodies the added mass of their links, as far as a rigid body has it.
func (c *compiler) addMasses() {
	for i := range c.Spec.Links {
		at := c.Placements[i]
		b, a := &c.Bodies[at.Body], c.Spec.Links[i].Added
		if a == nil || b.Type != dynamics.Dynamic {
			continue
		}
		mass, _ := medium.Split(a)
		b.Mass = b.Mass.Plus(shape.Mass{Mass: mass, Inertia: a.Angular}.Moved(at.Pose))
	}
}

// immerse finds the parts of bodies that something pushes besides gravity.
func (c *compiler) immerse() {
	for i := range c.Spec.Links {
		l, at := &c.Spec.Links[i], c.Placements[i]
		if c.Bodies[at.Body].Type != dynamics.Dynamic {
			continue
		}
		weightless := c.Bodies[at.Body].NoGravity
		if l.Added != nil {
			mass, rest := medium.Split(l.Added)
			if mass > 0 && !weightless {
				c.Immersed = append(c.Immersed, Immersed{Body: at.Body, Pose: at.Pose, Lift: mass})
			}
			c.Added = append(c.Added, AddedMass{Body: at.Body, Link: i, Pose: at.Pose, Whole: l.Added,
				Rest: rest})
		}
		if !(l.Inertial.Mass > 0) {
			continue
		}
		com := at.Pose.Mul(l.Inertial.Pose.Upright())
		if l.Lift != 0 && !weightless {
			c.Immersed = append(c.Immersed, Immersed{Body: at.Body, Pose: com,
				Lift: l.Lift * l.Inertial.Mass})
		}
		if l.Wind {
			c.Immersed = append(c.Immersed, Immersed{Body: at.Body, Pose: com, Wind: l.Inertial.Mass})
		}
		if l.Fluid != nil {
			c.immerseLink(l, at, com)
		}
	}
	c.floats = sync.OnceValue(c.findFloats)
}

// immerseLink adds the parts of a link that its own fluid pushes.
func (c *compiler) immerseLink(l *scene.Link, at Placement, com r3.Pose) {
	moments, axes := l.Inertial.Inertia.Eigen()
	least := min(moments.X, moments.Y, moments.Z)
	for k := range l.Fluid.Ellipsoids {
		e := &l.Fluid.Ellipsoids[k]
		c.Immersed = append(c.Immersed, Immersed{Body: at.Body, Pose: at.Pose.Mul(e.Pose.Upright()),
			Fluid: l.Fluid, Ellipsoid: e, turn: least})
	}
	if len(l.Fluid.Ellipsoids) == 0 {
		c.Immersed = append(c.Immersed, Immersed{Body: at.Body, Pose: com.Mul(r3.Pose{Rot: axes}),
			Fluid: l.Fluid, Box: scene.BoxOf(l.Inertial.Mass, moments), turn: least})
	}
}

// checkFlow refuses wings, hulls and rotors of links and joints that are not there.
func (c *compiler) checkFlow() error {
	s := c.Spec
	link := func(what string, i int) error {
		if i < 0 || i >= len(s.Links) {
			return fmt.Errorf("%w: a %s on link %d of %d links", scene.ErrParse, what, i, len(s.Links))
		}
		return nil
	}
	for i := range s.Flow.Wings {
		w := &s.Flow.Wings[i]
		if err := link("wing", w.Link); err != nil {
			return err
		}
		if w.Joint < 0 || w.Joint > len(s.Joints) {
			return fmt.Errorf("%w: a wing with the control joint %d of %d", scene.ErrParse, w.Joint-1, len(s.Joints))
		}
	}
	for i := range s.Flow.Frames {
		a := &s.Flow.Frames[i]
		if err := link("airframe", a.Link); err != nil {
			return err
		}
		for _, c := range a.Surfaces {
			if c.Joint < 0 || c.Joint >= len(s.Joints) {
				return fmt.Errorf("%w: a control surface on joint %d of %d", scene.ErrParse, c.Joint, len(s.Joints))
			}
		}
	}
	for i := range s.Flow.Floats {
		if err := link("float", s.Flow.Floats[i].Link); err != nil {
			return err
		}
	}
	for i := range s.Flow.Hulls {
		if err := link("hull", s.Flow.Hulls[i].Link); err != nil {
			return err
		}
	}
	for i := range s.Flow.Engines {
		if err := link("buoyancy engine", s.Flow.Engines[i].Link); err != nil {
			return err
		}
	}
	for i := range s.Flow.Rotors {
		if j := s.Flow.Rotors[i].Joint; j < 0 || j >= len(s.Joints) {
			return fmt.Errorf("%w: a rotor on joint %d of %d joints", scene.ErrParse, j, len(s.Joints))
		}
	}
	return nil
}

// InWind reports that a wind pushes a body where it blows.
func (m *Model) InWind(body int) bool {
	return slices.ContainsFunc(m.Immersed, func(k Immersed) bool { return k.Body == body && k.Wind > 0 })
}

// Floats are the solids of the model's moving bodies, which displace what they are in. It is safe from any
// goroutine; the first call looks at meshes.
func (m *Model) Floats() []Float { return m.floats() }

// OwnFloats are the solids of the model that float in water of their own.
func (m *Model) OwnFloats() (out []Float) {
	for i := range m.Spec.Flow.Floats {
		f := &m.Spec.Flow.Floats[i]
		at := m.Placements[f.Link]
		s, pose, err := f.Geom.Solid()
		if err != nil || m.Bodies[at.Body].Type != dynamics.Dynamic {
			continue
		}
		own := Float{Body: at.Body, Link: f.Link, Pose: at.Pose.Mul(pose), Solid: medium.NewSolid(s),
			Drag: f.Drag, Swirl: f.Swirl}
		in := medium.NewVolume([]scene.Layer{{From: math.Inf(-1), Density: f.Density}, {From: f.Level}})
		own.In = &in
		out = append(out, own)
	}
	return out
}

// ImmersedIn are the solids of the model that feel fluids within bounds, each once for each such fluid. Those
// of a body follow each other.
func (m *Model) ImmersedIn(volume func(name string) *medium.Volume) (out []Float) {
	if !slices.ContainsFunc(m.Spec.Links, func(l scene.Link) bool { return len(l.Immersions) > 0 }) {
		return nil
	}
	for _, f := range m.Floats() {
		all := m.Spec.Links[f.Link].Immersions
		for i := range all {
			if in := volume(all[i].Fluid); in != nil {
				f.In, f.Feels = in, &all[i]
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Float) int { return cmp.Compare(a.Body, b.Body) })
	return out
}

// findFloats finds the solids. A closed mesh counts as it is, another by its convex hulls.
func (m *Model) findFloats() (out []Float) {
	add := func(f Float) {
		if f.Solid = medium.NewSolid(f.Shape); !(f.Whole.Volume > 0) {
			return
		}
		if len(m.Spec.Links[f.Link].Immersions) > 0 {
			f.Facets = shape.NewFacets(f.Shape, m.Placements[f.Link].Pose.Relative(f.Pose))
		}
		out = append(out, f)
	}
	whole := map[int]bool{} // the collision shapes whose mesh is taken
	for i := range m.Spec.Links {
		l, at := &m.Spec.Links[i], m.Placements[i]
		if m.Bodies[at.Body].Type != dynamics.Dynamic {
			continue
		}
		for k := range l.Collisions {
			g := &l.Collisions[k]
			if g.Kind != scene.MeshGeom || g.Missing() || !usable(g.Pose) {
				continue
			}
			s, pose, err := g.Solid()
			if mesh, ok := s.(*shape.Mesh); err == nil && ok && mesh.Closed() {
				whole[geomUser(i, k)] = true
				add(Float{Body: at.Body, Link: i, Pose: at.Pose.Mul(pose), Solid: medium.Solid{Shape: s}})
			}
		}
	}
	for b := range m.Bodies {
		for g := range m.Bodies[b].Geoms {
			geom := &m.Bodies[b].Geoms[g]
			if m.Bodies[b].Type == dynamics.Dynamic && !whole[geom.Def.User] {
				add(Float{Body: b, Link: geom.Link, Pose: geom.Def.Pose,
					Solid: medium.Solid{Shape: geom.Def.Shape}})
			}
		}
	}
	return out
}

// Push is the force and the torque of the fluid on a part that moves by v against it, in the part's axes. It
// is the mean over a step of dt seconds for a body of a mass, kg, which it slows down at most to rest.
func (k *Immersed) Push(v r3.Twist, mass, dt float64) (force, torque r3.Vec) {
	if k.Ellipsoid != nil {
		force, torque = medium.OnEllipsoid(k.Fluid, k.Ellipsoid, v)
	} else {
		force, torque = medium.OnBox(k.Fluid, k.Box, v)
	}
	return Damped(force, torque, v, mass, k.turn, dt)
}

// Damped is the mean over a step of dt seconds of a force and a torque that slow down a body. It has a mass,
// kg, and a least moment, kg·m², and moves by v. A drag of x·m·v/dt takes x/(1 + x/2) of the speed. It is
// exact to the second order, and stops a body at most.
func Damped(force, torque r3.Vec, v r3.Twist, mass, least, dt float64) (f, t r3.Vec) {
	return slowed(force, torque, v, mass, least, dt, func(x float64) float64 { return 1 / (1 + x/2) })
}

// Stopped bounds a force and a torque that slow down a body, as Damped has them. They are those of the
// beginning of a step: a drag takes x of the speed, and all of it at most. It is exact where other forces
// balance it, and of the first order elsewhere, as in Webots.
func Stopped(force, torque r3.Vec, v r3.Twist, mass, least, dt float64) (f, t r3.Vec) {
	return slowed(force, torque, v, mass, least, dt, func(x float64) float64 { return 1 / max(1, x) })
}

// slowed scales a force and a torque by the part that holds over a step in which they would take x of the
// speed.
func slowed(force, torque r3.Vec, v r3.Twist, mass, least, dt float64,
	part func(x float64) float64) (f, t r3.Vec) {
	if speed := v.Linear.Len2(); speed > 0 && mass > 0 {
		force = force.Scale(part(max(0, -force.Dot(v.Linear)) / speed * dt / mass))
	}
	if least > 0 {
		if spin := v.Angular.Len2(); spin > 0 {
			torque = torque.Scale(part(max(0, -torque.Dot(v.Angular)) / spin * dt / least))
		}
	}
	return force, torque
}
