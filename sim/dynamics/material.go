package dynamics

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// Material is the contact properties of a geom's surface.
type Material struct {
	Friction  float64 // coefficient along Direction; across it too unless Friction2 is set
	Friction2 float64 // coefficient across Direction; 0: the same
	Direction r3.Vec  // in the geom's frame (SDF fdir1); zero: the same in all directions
	// in the geom's frame, of a wheel whose Direction does not turn with it (mecanum); zero: none
	Axle        r3.Vec
	Skew        float64 // rad, with Axle: of the Direction on the ground, from the way ahead towards the axle
	Rolling     float64 // m, lever arm of the resistance to rolling
	Torsional   float64 // m, lever arm of the resistance to spinning about the normal, beyond the patch's own
	Restitution float64 // 0 to 1; of a pair the larger counts
	Threshold   float64 // m/s, the approach speed below which it does not bounce; 0: 0.5
	// m/s per N of friction, along Direction and across: compliance of friction (SDF slip)
	Slip, Slip2 float64
	// N/m of each contact point, in series with the other's; 0: as stiff as the solver can
	Stiffness          float64
	Damping            float64 // N·s/m, with Stiffness
	AllowedPenetration float64 // m, overlap that stays; of a pair the smaller counts
	Condim             uint8   // MuJoCo's condim: 1, 3, 4 or 6; two such geoms combine as in MuJoCo; 0: none
	Priority           int32   // of two geoms with a Condim, that of the higher counts alone
}

// surface is the part of a geom's material that every contact reads in every step: a cache line.
type surface struct {
	friction, friction2 float64
	rolling, torsional  float64
	restitution         float64
	directed            bool // friction has a direction
	special             bool // the material has more: see combineMaterials
}

func (m *Material) surface() surface {
	return surface{
		friction: m.Friction, friction2: m.crossFriction(), rolling: m.Rolling, torsional: m.Torsional,
		restitution: m.Restitution,
		directed:    m.Direction != (r3.Vec{}) || m.Axle != (r3.Vec{}),
		special: m.Threshold > 0 || m.Slip+m.Slip2 > 0 || m.Stiffness > 0 ||
			m.AllowedPenetration > 0 || m.Condim > 0,
	}
}

// DefaultMaterial has friction 0.8 and no restitution.
func DefaultMaterial() Material { return Material{Friction: 0.8} }

// Mix is the rule by which the friction coefficients of two geoms combine.
type Mix uint8

const (
	// MixMin takes the smaller: ODE and SDF worlds.
	MixMin Mix = iota
	// MixGeometric takes the square root of the product.
	MixGeometric
	// MixMax takes the larger: MuJoCo.
	MixMax
	// MixMultiply takes the product: Bullet.
	MixMultiply
)

func (m Mix) combine(a, b float64) float64 {
	switch m {
	case MixGeometric:
		return math.Sqrt(float64(a * b))
	case MixMax:
		return max(a, b)
	case MixMultiply:
		return float64(a * b)
	}
	return min(a, b)
}

func (m Material) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"friction", m.Friction}, {"friction2", m.Friction2}, {"rolling friction", m.Rolling},
		{"torsional friction", m.Torsional}, {"restitution", m.Restitution},
		{"bounce threshold", m.Threshold}, {"slip", m.Slip},
		{"slip2", m.Slip2}, {"stiffness", m.Stiffness}, {"damping", m.Damping}, {"allowed penetration", m.AllowedPenetration},
	} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%w: %s %v, must be finite and not negative", ErrInvalid, f.name, f.value)
		}
	}
	if m.Restitution > 1 {
		return fmt.Errorf("%w: restitution %v, must be 0 to 1", ErrInvalid, m.Restitution)
	}
	if !m.Direction.IsFinite() || !m.Axle.IsFinite() || math.IsNaN(m.Skew) || math.IsInf(m.Skew, 0) {
		return fmt.Errorf("%w: friction direction %v, axle %v, skew %v are not finite", ErrInvalid,
			m.Direction, m.Axle, m.Skew)
	}
	return nil
}

// frictionDirection is the world direction of the first friction coefficient of a geom with rotation q, for
// an inward normal; zero: none.
func (m *Material) frictionDirection(q r3.Quat, normal r3.Vec) r3.Vec {
	if m.Axle == (r3.Vec{}) {
		return q.Rotate(m.Direction)
	}
	axle := q.Rotate(m.Axle)
	ahead := axle.Cross(normal)
	axle = axle.AddScaled(-axle.Dot(normal), normal)
	s, c := r3.SinCos(m.Skew)
	return ahead.Scale(c).AddScaled(s, axle)
}

// tangents are the two friction directions of a contact, the first along the material's Direction where it
// has one.
func (gs *geomSet) tangents(c *contact, normal r3.Vec) (t1, t2 r3.Vec) {
	if !c.directed {
		return normal.Basis()
	}
	for _, g := range [2]int32{c.a, c.b} {
		if !gs.surfaces[g].directed {
			continue
		}
		m := &gs.all[g].material
		into := normal
		if g == c.a {
			into = normal.Neg()
		}
		dir := m.frictionDirection(gs.placements[g].Pose.Rot, into)
		if u, ok := dir.AddScaled(-dir.Dot(normal), normal).Unit(); ok {
			return u, normal.Cross(u)
		}
		break
	}
	return normal.Basis()
}

// crossFriction is the coefficient across Direction; rollers on an axle may have none.
func (m *Material) crossFriction() float64 {
	if m.Friction2 == 0 && m.Axle == (r3.Vec{}) {
		return m.Friction
	}
	return m.Friction2
}

// combinedMaterial is the contact properties of two geoms of which one has more than friction, rolling
// friction and restitution.
type combinedMaterial struct {
	mu1, mu2           float64
	torsion, rolling   float64 // m
	restitution        float64
	threshold          float64 // m/s
	slip1, slip2       float64 // m/s per N
	stiffness, damping float64 // N/m, N·s/m of each point; stiffness 0: as stiff as the solver can
	allowedPenetration float64 // m
}

// combineMaterials combines the materials of a contact. Those with a condim follow MuJoCo: the larger of each
// property, or those of the higher priority alone. Springs are in series, slips add up (Gazebo with DART),
// and the smaller allowed penetration counts (Gazebo with ODE).
func (gs *geomSet) combineMaterials(mix Mix, c *contact) combinedMaterial {
	a, b := &gs.all[c.a].material, &gs.all[c.b].material
	if a.Condim > 0 && b.Condim > 0 {
		mix = MixMax
		switch {
		case a.Priority > b.Priority:
			b = a
		case b.Priority > a.Priority:
			a = b
		}
	}
	dims := max(a.dims(), b.dims())
	p := combinedMaterial{
		mu1: mix.combine(a.Friction, b.Friction), mu2: mix.combine(a.crossFriction(), b.crossFriction()),
		torsion:            max(a.maskByCondim(a.Torsional, 4, dims), b.maskByCondim(b.Torsional, 4, dims)),
		rolling:            max(a.maskByCondim(a.Rolling, 6, dims), b.maskByCondim(b.Rolling, 6, dims)),
		allowedPenetration: min(a.AllowedPenetration, b.AllowedPenetration),
		damping:            a.Damping + b.Damping,
		slip1:              a.Slip + b.Slip, slip2: a.Slip2 + b.Slip2,
	}
	if dims < 3 {
		p.mu1, p.mu2 = 0, 0
	}
	p.stiffness = inverseOrZero(inverseOrZero(a.Stiffness) + inverseOrZero(b.Stiffness))
	p.restitution, p.threshold = max(a.Restitution, b.Restitution), a.threshold()
	if t := b.threshold(); b.Restitution > a.Restitution || b.Restitution == a.Restitution &&
		t < p.threshold {
		p.threshold = t
	}
	return p
}

// dims is the contact dimension of a material: its condim, else 3 (normal and friction).
func (m *Material) dims() uint8 {
	if m.Condim == 0 {
		return 3
	}
	return m.Condim
}

// maskByCondim is a coefficient x that a material with a condim has only in contacts of at least these
// dimensions.
func (m *Material) maskByCondim(x float64, least, dims uint8) float64 {
	if m.Condim > 0 && dims < least {
		return 0
	}
	return x
}

// threshold is the approach speed, in m/s, below which the material does not bounce.
func (m *Material) threshold() float64 {
	if m.Threshold == 0 {
		return restitutionThreshold
	}
	return m.Threshold
}

const (
	// contactSpringSlop, in m, and contactSpringLimit bound the depth of a point on its spring: a multiple of
	// its static deflection, and slop.
	contactSpringSlop  = 1e-3
	contactSpringLimit = 4.0
)

// springSlop is the largest depth, m, to which a load can have pressed the spring of a point. The load is the
// point's mass, kg, or its normal impulse of the last substep, N·s. A deeper point was put there, and its
// spring would fling it out.
func (cb *contactBuilder) springSlop(p *combinedMaterial, mass, normalImpulse float64) float64 {
	if p.stiffness <= 0 {
		return math.Inf(1)
	}
	force := float64(mass * cb.cfg.Gravity.Len())
	if cb.time.h > 0 {
		force = max(force, normalImpulse/cb.time.h)
	}
	return contactSpringSlop + float64(contactSpringLimit*force)/p.stiffness
}

// contactSoftness is the softness of a point with its own spring and damper and this mass, in kg. It returns
// the usual softness and false when the spring is stiffer than the solver can hold. Damping is at least
// critical: files hardly ever mean less, and Gazebo's solver does not ring either.
func (s *solver) contactSoftness(p *combinedMaterial, mass float64, usual softness) (softness, bool) {
	if p.stiffness <= 0 || float64(p.stiffness*usual.impulse) >= float64(usual.bias*usual.mass*mass*s.invH) {
		return usual, false
	}
	a := max(p.damping, 2*math.Sqrt(float64(p.stiffness*mass))) + float64(s.h*p.stiffness)
	x := mass / float64(s.h*a)
	c := 1 / (1 + x)
	return softness{bias: p.stiffness / a, mass: c, impulse: float64(x * c)}, true
}

// contactSpring is a lane with its own spring. Relaxation removes the push-out velocity of stiff contacts at
// the end of a substep, but keeps that of springs.
type contactSpring struct{ batch, lane int32 }
