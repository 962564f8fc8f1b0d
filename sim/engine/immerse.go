package engine

import (
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// leastImmersedSpeed is the speed against a fluid, m/s and rad/s, below which it does nothing: bodies sleep
// in it.
const leastImmersedSpeed = 1e-3

// floating are the solids of an entity that a medium carries.
func floating(m *medium.Medium, name string, of *model.Model) (out []model.Float) {
	out = append(of.OwnFloats(), of.ImmersedIn(m.Volume)...)
	if !m.Buoyant() {
		return out
	}
	for _, f := range of.Floats() {
		if m.Carries(name, of.Spec.Links[f.Link].Name) {
			out = append(out, f)
		}
	}
	return out
}

// isImmersed reports that air or water pushes something of the entity.
func (e *entity) isImmersed() bool {
	flow := &e.model.Spec.Flow
	return len(e.model.Immersed)+len(e.model.Added)+len(e.floats)+len(flow.Wings)+
		len(flow.Frames)+len(flow.Hulls) > 0
}

// immerse applies the forces of air and water, and those that carry a part of links' weights. The step of dt
// seconds begins t seconds after the world.
func (e *entity) immerse(p *dynamics.World, m *medium.Medium, t, dt float64) {
	for i := range e.model.Immersed {
		k := &e.model.Immersed[i]
		b := p.Body(e.bodies[k.Body])
		if !b.Awake() {
			continue
		}
		at := b.Pose().Mul(k.Pose)
		// A body that is gone is not pushed, and forces of finite motions are finite.
		if k.Lift != 0 {
			_ = b.ApplyWrench(p.Gravity().Scale(-k.Lift), r3.Vec{}, at.Pos)
		}
		if push := m.Push(); k.Wind > 0 && push > 0 {
			v := b.VelocityAt(at.Pos).Sub(m.Wind(t))
			force := v.Scale(-push * k.Wind / (1 + push*dt/2))
			_ = b.ApplyWrench(force, r3.Vec{}, at.Pos)
		}
		if k.Fluid == nil {
			continue
		}
		v := r3.Twist{Linear: at.Rot.RotateBack(b.VelocityAt(at.Pos).Sub(k.Fluid.Wind)),
			Angular: at.Rot.RotateBack(b.Twist().Angular)}
		if max(v.Linear.MaxAbs(), v.Angular.MaxAbs()) < leastImmersedSpeed {
			continue
		}
		force, torque := k.Push(v, b.Mass().Mass, dt)
		_ = b.ApplyWrench(at.Rot.Rotate(force), at.Rot.Rotate(torque), at.Pos)
	}
	e.float(p, m, t, dt)
	e.resist(p, m, t, dt)
	e.fly(p, m, t, dt)
	e.carryAlong(p, m, t)
}

// drag slows down a float of which a part is under water.
func drag(b dynamics.Body, m *medium.Medium, f *model.Float, part, t, dt float64) {
	at := b.Pose().Mul(f.Pose).Mul(f.Box)
	wet := b.Mass().Mass * min(1, part)
	around := m.Water(medium.Extent{Half: f.Half, Pose: at}, t)
	v := r3.Twist{Linear: b.VelocityAt(at.Pos).Sub(around.Velocity),
		Angular: b.Twist().Angular}
	force, torque := damped(b, v.Linear.Scale(-wet*f.Drag), v.Angular.Scale(-wet*f.Swirl), v, dt)
	_ = b.ApplyWrench(force, torque, at.Pos)
}

// damped is model.Damped of a body.
func damped(b dynamics.Body, force, torque r3.Vec, v r3.Twist, dt float64) (f, t r3.Vec) {
	moments := b.PrincipalMoments()
	return model.Damped(force, torque, v, b.Mass().Mass, min(moments.X, moments.Y, moments.Z), dt)
}

// float applies the buoyancy of the entity's solids, the push of waves, and the resistance of fluids within
// bounds.
func (e *entity) float(p *dynamics.World, m *medium.Medium, t, dt float64) {
	var sum resistance
	for i := range e.floats {
		f := &e.floats[i]
		b := p.Body(e.bodies[f.Body])
		if !b.Awake() {
			continue
		}
		at := b.Pose().Mul(f.Pose)
		d := m.Displaced(&f.Solid, at, t)
		if d.Mass > 0 {
			_ = b.ApplyWrench(d.Accel.Sub(p.Gravity()).Scale(d.Mass), r3.Vec{}, d.Centre) // as in immerse
			if f.Drag > 0 || f.Swirl > 0 {
				drag(b, m, f, d.Mass/(f.In.Layers[0].Density*f.Whole.Volume), t, dt)
			}
		}
		if f.Feels != nil {
			sum.add(b, f, &d, b.Pose().Mul(e.model.Placements[f.Link].Pose))
			if i+1 == len(e.floats) || e.floats[i+1].Feels == nil || e.floats[i+1].Body != f.Body {
				sum.apply(b, dt)
				sum = resistance{}
			}
		}
	}
}

// resistance is the force and the torque of fluids within bounds against the motion of a body, about its
// centre of mass. The sum over its solids is bounded: parts that each stop it would turn it back.
type resistance struct {
	force, torque r3.Vec
	flow          r3.Vec // sum of the streams around its solids, m/s
	solids        float64
}

// add adds a solid of a link at a pose. The fluid resists the motion of the centre of mass, at the middle of
// what is in the fluid, as in Webots.
func (r *resistance) add(b dynamics.Body, f *model.Float, d *medium.Displaced, link r3.Pose) {
	area, shadow := d.Wet(f.Facets, link)
	if !(area > 0) {
		return
	}
	r.flow, r.solids = r.flow.Add(f.In.Stream), r.solids+1
	v := r3.Twist{Linear: b.VelocityAt(b.COM()).Sub(f.In.Stream), Angular: b.Twist().Angular}
	if max(v.Linear.MaxAbs(), v.Angular.MaxAbs()) < leastImmersedSpeed {
		return
	}
	force, torque := f.In.Resistance(f.Feels, area, shadow, area/f.Facets.Area, v.RotateBack(link.Rot))
	force = link.Rot.Rotate(force)
	r.force = r.force.Add(force)
	r.torque = r.torque.Add(link.Rot.Rotate(torque)).Add(d.Centre.Sub(b.COM()).Cross(force))
}

// apply applies the sum to the body for a step of dt seconds.
func (r *resistance) apply(b dynamics.Body, dt float64) {
	if r.force == (r3.Vec{}) && r.torque == (r3.Vec{}) {
		return
	}
	v := r3.Twist{Linear: b.VelocityAt(b.COM()).AddScaled(-1/r.solids, r.flow), Angular: b.Twist().Angular}
	moments := b.PrincipalMoments()
	least := min(moments.X, moments.Y, moments.Z)
	force, torque := model.Stopped(r.force, r.torque, v, b.Mass().Mass, least, dt)
	_ = b.ApplyWrench(force, torque, b.COM())
}

// inStream reports that a body may be in a fluid that flows.
func (e *entity) inStream(body int) bool {
	return slices.ContainsFunc(e.floats, func(f model.Float) bool {
		return f.Body == body && f.Feels != nil && f.In.Stream != r3.Vec{}
	})
}

// resist applies the forces on wings and hulls.
func (e *entity) resist(p *dynamics.World, m *medium.Medium, t, dt float64) {
	spec := e.model.Spec
	for i := range spec.Flow.Wings {
		w := &spec.Flow.Wings[i]
		b, at := e.carrier(p, w.Link)
		if !b.Awake() {
			continue
		}
		centre := at.Apply(w.Centre)
		around := m.At(centre, t)
		joint := 0.0
		if w.Joint > 0 {
			joint = e.deflection(p, w.Joint-1)
		}
		v := at.Rot.RotateBack(b.VelocityAt(centre).Sub(around.Velocity))
		if force := medium.OnWing(w, v, around.Density, joint); force != (r3.Vec{}) { // else it may sleep
			_ = b.ApplyWrench(at.Rot.Rotate(force), r3.Vec{}, centre)
		}
	}
	for i := range spec.Flow.Hulls {
		h := &spec.Flow.Hulls[i]
		b, at := e.carrier(p, h.Link)
		if !b.Awake() {
			continue
		}
		flow := h.Current
		if e.swells != nil {
			flow = flow.Add(m.Water(e.swells[h.Link].Moved(at), t).Velocity)
		}
		v := r3.Twist{Linear: b.VelocityAt(at.Pos).Sub(flow),
			Angular: b.Twist().Angular}.RotateBack(at.Rot)
		force, torque := medium.OnHull(h, v)
		force, torque = damped(b, force, torque, v, dt)
		_ = b.ApplyWrench(at.Rot.Rotate(force), at.Rot.Rotate(torque), at.Pos)
	}
}

// fly applies the forces on whole aircraft.
func (e *entity) fly(p *dynamics.World, m *medium.Medium, t, dt float64) {
	frames := e.model.Spec.Flow.Frames
	for i := range frames {
		a := &frames[i]
		b, at := e.carrier(p, a.Link)
		if !b.Awake() {
			continue
		}
		var deflected scene.Coefficients
		for k := range a.Surfaces {
			c := &a.Surfaces[k]
			deflected = deflected.AddScaled(e.deflection(p, c.Joint), &c.Effect)
		}
		centre := at.Apply(a.Centre)
		around := m.At(centre, t)
		v := r3.Twist{Linear: b.VelocityAt(centre).Sub(around.Velocity),
			Angular: b.Twist().Angular}.RotateBack(at.Rot)
		force, torque, damping := medium.OnAirframe(a, v, around.Density, &deflected)
		if force == (r3.Vec{}) && torque == (r3.Vec{}) {
			continue // it may sleep
		}
		_, damping = damped(b, r3.Vec{}, damping, v, dt) // it would turn a light one back and forth
		_ = b.ApplyWrench(at.Rot.Rotate(force), at.Rot.Rotate(torque.Add(damping)), centre)
	}
}

// deflection is the angle of a control surface's joint, rad.
func (e *entity) deflection(p *dynamics.World, joint int) float64 {
	if !e.model.Joints[joint].Moves {
		return 0
	}
	return p.Joint(e.joints[joint]).State().Position
}

// carrier is the body of a link, and the link's pose in the world.
func (e *entity) carrier(p *dynamics.World, link int) (dynamics.Body, r3.Pose) {
	at := &e.model.Placements[link]
	b := p.Body(e.bodies[at.Body])
	return b, b.Pose().Mul(at.Pose)
}

// carryAlong lets the fluid that moves along with links answer what acts on them in the step to come.
func (e *entity) carryAlong(p *dynamics.World, m *medium.Medium, t float64) {
	for i := range e.model.Added {
		a := &e.model.Added[i]
		b := p.Body(e.bodies[a.Body])
		rest := &a.Rest
		if !b.Awake() || rest.IsZero() && e.swells == nil {
			continue
		}
		at := b.Pose().Mul(a.Pose)
		mass := b.Mass()
		flow := e.current(a)
		if e.swells != nil { // the water's own acceleration takes it along
			around := m.Water(e.swells[a.Link].Moved(at), t)
			flow = flow.Add(around.Velocity)
			accel := at.Rot.RotateBack(around.Accel)
			_ = b.ApplyWrench(at.Rot.Rotate(a.Whole.Linear.Apply(accel)),
				at.Rot.Rotate(a.Whole.Mixed.ApplyT(accel)), at.Pos)
		}
		v := r3.Twist{Linear: b.VelocityAt(at.Pos).Sub(flow), Angular: b.Twist().Angular}
		force, torque := medium.OnAddedMass(rest, v.RotateBack(at.Rot))
		_ = b.ApplyWrench(at.Rot.Rotate(force), at.Rot.Rotate(torque), at.Pos)
		// All that acts but joints and contacts, in the link's axes, about the centre of mass.
		force, torque = b.Wrench()
		if !e.model.Bodies[a.Body].NoGravity {
			force = force.AddScaled(mass.Mass, p.Gravity())
		}
		turn := at.Rot.Conj().Mul(b.Pose().Rot)
		inertia := mass.Inertia.Turned(turn)
		arm := at.Rot.RotateBack(at.Pos.Sub(b.COM()))
		force, torque = medium.Yield(rest, mass.Mass, inertia, arm, at.Rot.RotateBack(force),
			at.Rot.RotateBack(torque))
		_ = b.ApplyWrench(at.Rot.Rotate(force), at.Rot.Rotate(torque), b.COM())
	}
}

// rock prepares an entity for waves: by links, the box that has the moments of what floats of each.
func (e *entity) rock(m *medium.Medium) {
	e.swells = nil
	flow := &e.model.Spec.Flow
	if !m.Moves() || len(e.floats)+len(flow.Hulls)+len(e.model.Added) == 0 {
		return
	}
	whole := make([]shape.Mass, len(e.model.Placements))
	for i := range e.floats {
		f := &e.floats[i]
		pose := e.model.Placements[f.Link].Pose.Inverse().Mul(f.Pose)
		whole[f.Link] = whole[f.Link].Plus(f.Shape.Mass(1).Moved(pose))
	}
	e.swells = make([]medium.Extent, len(whole))
	for i := range whole {
		e.swells[i].Half, e.swells[i].Pose = medium.BoxOf(whole[i])
	}
}

// inWaves reports that waves rock a body.
func (e *entity) inWaves(body int) bool {
	if e.swells == nil {
		return false
	}
	hulls := e.model.Spec.Flow.Hulls
	return slices.ContainsFunc(e.floats, func(f model.Float) bool { return f.Body == body }) ||
		slices.ContainsFunc(hulls, func(h scene.Hull) bool { return e.model.Placements[h.Link].Body == body })
}

// current is the velocity of the water around a link with an added mass.
func (e *entity) current(a *model.AddedMass) r3.Vec {
	hulls := e.model.Spec.Flow.Hulls
	for i := range hulls {
		if e.model.Placements[hulls[i].Link].Body == a.Body {
			return hulls[i].Current
		}
	}
	return r3.Vec{}
}
