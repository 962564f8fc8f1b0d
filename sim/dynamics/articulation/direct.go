package articulation

import (
	"math"

	"simdeck/sim/dynamics/newton"
	"simdeck/sim/r3"
)

// An island whose velocities Newton's method finds (package newton) takes the articulation as a tree of
// bodies. The articulation gives it inertias, axes, momenta after smooth forces, and its rows; it takes the
// velocities and the impulses back. It does not factor its own inertia.

// Direct is an articulation in a problem of Newton's method, and where it begins there.
type Direct struct {
	art      *Articulation
	Body     int32 // its first body
	dof, row int32 // its first degree of freedom, and row
}

// BiasForces says of which velocities and poses the bias forces of a substep are.
type BiasForces uint8

const (
	BiasMiddle  BiasForces = iota // those in its middle, as are inertias and axes
	WithoutBias                   // none: links carry their momenta (Direct.Carry)
)

// middleBias is the part of the change of velocities at which bias forces are those of a substep's middle.
// Positions follow the velocities after it, so that energy is kept to the second order by this part alone
// (docs/physics.md).
const middleBias = 0.75

// BeginDirect begins a substep of h seconds that Newton's method solves: kinematics, smooth forces and rows.
// Loads must be set (Tree.SetLoad). Bias forces of the middle are those before it until TakeMiddleBias.
func BeginDirect(art *Articulation, h float64, base *Base, joints Joints, bias BiasForces) {
	art.step.integrator = direct
	Place(art, base)
	art.step.kinematicsValid = false
	art.computeBaseVelocity(base)
	joints.SetEfforts()
	art.Rows.list = art.Rows.list[:0]
	joints.AddRows()
	Direct{art: art}.buildLoops(h, base, joints)
	if bias == BiasMiddle {
		art.conservation.kineticBefore = Direct{art: art}.placedEnergy()
		middle := base.after(float64(0.5 * h))
		art.forwardKinematics(float64(0.5*h), &middle)
		art.computeBaseVelocity(&middle)
	}
	art.computeLinkInertias()
	art.computeExternalForces()
	art.computeBias(h, 0, biasTerms{external: true, inertial: bias != WithoutBias})
	art.inverseWeights.compute(&art.Tree)
}

// Place computes the poses of an articulation's links, unless they are known.
func Place(art *Articulation, base *Base) {
	if !art.step.kinematicsValid {
		art.forwardKinematics(0, base)
		art.step.kinematicsValid = true
	}
}

// TakeMiddleBias gives the started problem the bias forces of the substep's middle, by its velocities so far.
func (d Direct) TakeMiddleBias(p *newton.Problem, h float64) {
	art := d.art
	for i := range art.dofs {
		f := &art.dofs[i]
		art.velocityDelta[i] = p.Velocity[int(d.dof)+i] - f.v
		p.AddMomentum(d.dof+int32(i), float64(h*f.bias))
	}
	art.computeBias(h, middleBias, biasTerms{external: true, inertial: true})
	d.addSphericalBias()
	for i := range art.dofs {
		p.AddMomentum(d.dof+int32(i), -float64(h*art.dofs[i].bias))
	}
}

// addSphericalBias takes the gyroscopic part of the bias forces back to the mean velocities. Angular
// velocities of spherical joints and of the floating base are no derivatives of coordinates. Theirs is ω × p,
// with the angular momentum p that the joint carries.
func (d Direct) addSphericalBias() {
	tree := &d.art.Tree
	for i := range tree.links {
		k := &tree.links[i]
		k.acceleration = k.inertia.momentum(&k.velocity)
	}
	for i := len(tree.links) - 1; i >= 0; i-- {
		k := &tree.links[i]
		if k.parent >= 0 {
			tree.links[k.parent].acceleration.add(&k.acceleration)
		}
		if !k.free && k.joint.Type != Ball {
			continue
		}
		first := k.firstDof + k.dofCount - 3
		dof, change := tree.dofs[first:first+3], tree.velocityDelta[first:first+3]
		p := r3.Vec{X: dof[0].axis.dot(&k.acceleration), Y: dof[1].axis.dot(&k.acceleration),
			Z: dof[2].axis.dot(&k.acceleration)}
		more := r3.Vec{X: change[0], Y: change[1], Z: change[2]}.Cross(p).Scale(middleBias - 0.5)
		dof[0].bias, dof[1].bias, dof[2].bias = dof[0].bias+more.X, dof[1].bias+more.Y, dof[2].bias+more.Z
		torque := dof[0].axis.ang.Scale(more.X).AddScaled(more.Y, dof[1].axis.ang).
			AddScaled(more.Z, dof[2].axis.ang)
		k.biasForce.ang = k.biasForce.ang.Add(torque)
		if k.parent >= 0 {
			b := &tree.links[k.parent].biasForce
			b.ang = b.ang.Sub(torque)
		}
	}
}

// AddDirect adds the links, the degrees of freedom and the rows of an articulation to a problem.
func AddDirect(art *Articulation, p *newton.Problem, h float64) Direct {
	body, dof := p.Counts()
	d := Direct{art: art, Body: body, dof: dof, row: p.JointRows()}
	for i := range art.links {
		k := &art.links[i]
		a := &k.inertia
		s := newton.InertiaAtOrigin(a.mass, a.moment,
			&r3.Mat{XX: a.xx, XY: a.xy, XZ: a.xz, YX: a.xy, YY: a.yy,
				YZ: a.yz, ZX: a.xz, ZY: a.yz, ZZ: a.zz})
		parent := newton.Ground
		if k.parent >= 0 {
			parent = body + k.parent
		}
		p.AddBody(parent, &s)
		for at := k.firstDof; at < k.firstDof+k.dofCount; at++ {
			f := &art.dofs[at]
			force := f.effort - f.bias - float64(f.damping*f.v)
			if f.stiffness > 0 {
				force -= float64(f.stiffness * (f.q - f.springRest + float64(0.5*h*f.v)))
			}
			p.AddDof(newton.Vector6{Ang: f.axis.ang, Lin: f.axis.lin}, f.v, float64(h*force),
				f.armature+float64(h*f.damping)+float64(art.springInertia(h)*f.stiffness))
		}
	}
	d.weighLoops()
	for i := range art.Rows.list {
		if r := &art.Rows.list[i]; r.dense > 0 {
			d.addDenseRow(p, r)
		} else {
			d.addRow(p, r)
		}
	}
	return d
}

// minDirectRowCompliance is the least compliance of a row on joints, as a part of its inverse effective mass.
// Less would leave velocities to rounding.
const minDirectRowCompliance = 1e-7

// addRow adds a row to the problem.
func (d Direct) addRow(p *newton.Problem, r *Row) {
	var dofs [3]int32
	var coefficients [3]float64
	n, weight := 0, 0.0
	add := func(dof int32, coefficient float64) {
		dofs[n], coefficients[n] = d.dof+dof, coefficient
		weight += float64(coefficient * coefficient * d.art.inverseWeights.dofs[dof])
		n++
	}
	add(r.i, r.coefI)
	if r.j >= 0 {
		add(r.j, r.coefJ)
	}
	if r.k >= 0 {
		add(r.k, r.coefK)
	}
	compliance := max(r.Compliance, float64(max(r.RelativeCompliance, minDirectRowCompliance)*weight))
	p.AddJointRow(&newton.Row{Target: r.Target, RelaxedTarget: r.RelaxedTarget, Lower: r.Lower,
		Upper:   r.Upper,
		Impulse: r.Impulse, Compliance: compliance}, dofs[:n], coefficients[:n])
}

// FirstDOF is the number of the articulation's first degree of freedom in the problem.
func (d Direct) FirstDOF() int32 { return d.dof }

// InverseWeight is an inverse effective mass of a row with a coefficient for each degree of freedom.
func (d Direct) InverseWeight(coefficients []float64) (sum float64) {
	for i, c := range coefficients {
		sum += float64(c * c * d.art.inverseWeights.dofs[i])
	}
	return sum
}

// Wrench returns the impulse f and the angular impulse t at a link's center of mass as a wrench about the
// origin. The inverse effective mass against it is a mean over directions.
func (d Direct) Wrench(link int32, f, t r3.Vec) (wrench newton.Vector6, inverseMass float64) {
	w := &d.art.inverseWeights.links[link]
	return newton.Vector6{Ang: t.Add(d.art.links[link].arm.Cross(f)), Lin: f},
		float64(w.linear*f.Len2()) + float64(w.angular*t.Len2())
}

// Positions is the positions of the articulations of a problem, to go back to.
type Positions struct {
	q         []float64 // by degree of freedom
	rotations []r3.Quat // by link
}

// Save keeps the articulation's positions. Articulations are saved in the order of the problem.
func (d Direct) Save(x *Positions) {
	x.q, x.rotations = x.q[:d.dof], x.rotations[:d.Body]
	for i := range d.art.dofs {
		x.q = append(x.q, d.art.dofs[i].q)
	}
	for i := range d.art.links {
		x.rotations = append(x.rotations, d.art.links[i].rotation)
	}
}

// Restore goes back to the positions that were saved, and to the velocities before TakeVelocities.
func (d Direct) Restore(x *Positions) {
	for i := range d.art.dofs {
		f := &d.art.dofs[i]
		f.q, f.v = x.q[int(d.dof)+i], f.vBefore
	}
	for i := range d.art.links {
		d.art.links[i].rotation = x.rotations[int(d.Body)+i]
	}
	d.art.step.kinematicsValid = false
}

// Advance moves the articulation by its velocities for h seconds, over a base that has moved on. It returns
// the kinetic energy at the new poses, J. The error, J, is that of bias forces and inertias: the change of
// that energy less the work of all other forces. To it comes the energy of that by which the velocities have
// missed those of the bias forces.
func (d Direct) Advance(h float64, base *Base) (energy, wrong float64) {
	art := d.art
	after, work := d.kineticEnergy()
	d.swapVelocities()
	before, workBefore := d.kineticEnergy()
	d.swapVelocities()
	gain := before - after - art.conservation.kineticBefore - float64(0.5*h*(work+workBefore))
	missed := d.missedEnergy()
	d.move(h, base)
	energy = d.placedEnergy()
	return energy, math.Abs(energy+gain) + missed
}

// missedEnergy is the kinetic energy of the difference between the velocities and those that bias forces of
// the middle were found by, J.
func (d Direct) missedEnergy() float64 {
	tree := &d.art.Tree
	for i := range tree.dofs {
		f := &tree.dofs[i]
		f.v, tree.velocityDelta[i] = f.v-f.vBefore-tree.velocityDelta[i], f.v
	}
	energy, _ := d.kineticEnergy()
	for i := range tree.dofs {
		tree.dofs[i].v = tree.velocityDelta[i]
	}
	return energy
}

// move moves the articulation by its velocities for h seconds, over a base that has moved on.
func (d Direct) move(h float64, base *Base) {
	art := d.art
	art.Advance(h)
	art.forwardKinematics(0, base)
	art.step.kinematicsValid = true
	art.computeBaseVelocity(base)
}

// Carry moves the articulation by its velocities for h seconds, over a base that has moved on. Its links
// carry the momenta of the solved problem's velocities along, as if they were free. Its velocities become the
// projection of these momenta (Gauss's principle of least constraint), which never has more energy.
func (d Direct) Carry(p *newton.Problem, h float64, base *Base) {
	art := d.art
	for i := range art.dofs {
		f := &art.dofs[i]
		f.vBefore, f.v = f.v, p.Velocity[int(d.dof)+i]
	}
	art.carried.saveMomenta(&art.Tree)
	art.carried.saveSpins(&art.Tree)
	d.swapVelocities()
	d.move(h, base)
	art.computeInertia(0)
	d.swapVelocities()
	art.carried.boundSpins(&art.Tree)
	art.carried.project(&art.Tree)
}

// placedEnergy is the kinetic energy of the links at their poses, J. It needs no inertias about the origin.
func (d Direct) placedEnergy() (energy float64) {
	d.art.ComputeTwists()
	for i := range d.art.links {
		k := &d.art.links[i]
		v, w := k.velocity.linearAt(k.arm), k.rot.Conj().Rotate(k.velocity.ang)
		energy += float64(0.5*k.body.Mass*v.Len2()) + float64(0.5*w.Dot(k.body.Inertia.Apply(w)))
	}
	return energy
}

// kineticEnergy returns the kinetic energy of the links, J, and the power of their bias forces, W.
func (d Direct) kineticEnergy() (energy, power float64) {
	d.art.ComputeTwists()
	for i := range d.art.links {
		k := &d.art.links[i]
		p := k.inertia.momentum(&k.velocity)
		energy += float64(0.5 * p.dot(&k.velocity))
		power += k.biasForce.dot(&k.velocity)
	}
	return energy, power
}

// swapVelocities exchanges the velocities for those before TakeVelocities.
func (d Direct) swapVelocities() {
	for i := range d.art.dofs {
		f := &d.art.dofs[i]
		f.v, f.vBefore = f.vBefore, f.v
	}
}

// TakeVelocities takes the velocities of the solved problem.
func (d Direct) TakeVelocities(p *newton.Problem) {
	for i := range d.art.dofs {
		f := &d.art.dofs[i]
		f.vBefore, f.v = f.v, p.Velocity[int(d.dof)+i]
	}
}

// TakeImpulses takes the impulses of the rows, times a factor.
func (d Direct) TakeImpulses(p *newton.Problem, factor float64) {
	for i := range d.art.Rows.list {
		d.art.Rows.list[i].Impulse = float64(factor * p.JointImpulse(d.row+int32(i)))
	}
}

// inverseWeights is inverse effective masses at the position zero of all joints. They only scale compliances,
// as in MuJoCo (invweight0), and must not depend on the way that a world has come.
type inverseWeights struct {
	links []linkWeight
	dofs  []float64 // 1/kg or 1/(kg·m²)
}

// linkWeight is the mean inverse effective mass of a link against an impulse at its centre of mass, and
// against an angular impulse.
type linkWeight struct{ linear, angular float64 }

// compute computes the weights of a tree, once.
func (w *inverseWeights) compute(tree *Tree) {
	if len(w.links) == len(tree.links) {
		return
	}
	var zero Articulation
	zero.copyFrom(tree)
	for d := range zero.dofs {
		zero.dofs[d].q, zero.dofs[d].stiffness = 0, 0
	}
	for k := range zero.links {
		zero.links[k].rotation = r3.Identity()
	}
	zero.forwardKinematics(0, &Base{Rot: r3.Identity()})
	zero.computeInertia(0)
	j, x := make([]float64, len(zero.dofs)), make([]float64, len(zero.dofs))
	w.links = make([]linkWeight, len(zero.links))
	for k := range zero.links {
		for i := range 3 {
			e := r3.Vec{}.With(i, 1)
			w.links[k].linear += float64(zero.inverseMass(j, x, int32(k), e, r3.Vec{}) / 3)
			w.links[k].angular += float64(zero.inverseMass(j, x, int32(k), r3.Vec{}, e) / 3)
		}
	}
	w.dofs = make([]float64, len(zero.dofs))
	for d := range zero.dofs {
		clear(x)
		x[d] = 1
		zero.inertiaFactor.Solve(x)
		w.dofs[d] = x[d]
		if math.IsInf(x[d], 0) || math.IsNaN(x[d]) {
			w.dofs[d] = 1
		}
	}
}

// inverseMass is J·M⁻¹·Jᵀ for an impulse f and an angular impulse t at a link's center of mass; j and x are
// scratch.
func (tree *Tree) inverseMass(j, x []float64, link int32, f, t r3.Vec) (sum float64) {
	k := &tree.links[link]
	clear(j)
	for d := k.lastDof; d >= 0; d = tree.dofs[d].parent {
		s := &tree.dofs[d].axis
		j[d] = s.linearAt(k.arm).Dot(f) + s.ang.Dot(t)
	}
	copy(x, j)
	tree.inertiaFactor.Solve(x)
	for d := range j {
		sum += float64(j[d] * x[d])
	}
	return sum
}
