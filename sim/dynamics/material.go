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
	Stiffness float64
	Damping   float64 // N·s/m, with Stiffness
	Slack     float64 // m, allowed penetration; of a pair the smaller counts
	Condim    uint8   // MuJoCo's condim: 1, 3, 4 or 6; two such geoms combine as in MuJoCo; 0: none
	Priority  int32   // of two geoms with a Condim, that of the higher counts alone
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
		special:     m.Threshold > 0 || m.Slip+m.Slip2 > 0 || m.Stiffness > 0 || m.Slack > 0 || m.Condim > 0,
	}
}

// DefaultMaterial has friction 0.8 and no restitution.
func DefaultMaterial() Material { return Material{Friction: 0.8} }

// Mix is how the friction coefficients of two geoms combine.
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
		{"slip2", m.Slip2}, {"stiffness", m.Stiffness}, {"damping", m.Damping}, {"slack", m.Slack},
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

// frictionDirection is the direction, in the world's frame, of the first friction coefficient of a geom with
// rotation q, for a normal that points into the geom; zero: none.
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
