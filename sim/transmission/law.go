package transmission

import (
	"math"

	"simdeck/sim/r3"
)

// Passive is a transmission's own spring, damper, friction and range. The unit of a length is m, or rad where
// it is of joints that turn; that of a force is N or N·m.
type Passive struct {
	Stiffness float64    // N/m
	Rest      [2]float64 // m: the spring rests between these two lengths
	Damping   float64    // N·s/m
	Friction  float64    // N
	Limited   bool       // Range holds; a length that may not change has two equal ends
	Range     [2]float64 // m
	Limit     Limit
	Armature  float64 // kg or kg·m², of what moves as the length does
}

// Limit is the give of a range, in MuJoCo's words: a reference acceleration, and an impedance that grows with
// the overrun. The zero value gives nothing. Source: MuJoCo, "Computation", section "Constraint model".
type Limit struct {
	Stiffness float64    // 1/s²
	Damping   float64    // 1/s
	Impedance [5]float64 // at 0, at the width, width (m), midpoint, power: solimp
}

// raised is a positive number to a power, in the same bits everywhere.
func raised(x, power float64) float64 {
	if power == 2 {
		return float64(x * x)
	}
	return r3.Exp(float64(power * r3.Log(x)))
}

// impedance is the part of an unconstrained acceleration that a limit takes away at an overrun, m.
func (l *Limit) impedance(overrun float64) float64 {
	low, high, width := l.Impedance[0], l.Impedance[1], l.Impedance[2]
	middle, power := l.Impedance[3], l.Impedance[4]
	x := 1.0
	if width > 0 {
		x = min(1, math.Abs(overrun)/width)
	}
	switch {
	case power <= 1 || x == 0 || x == 1:
	case x <= middle:
		x = float64(raised(x/middle, power) * middle)
	default:
		x = 1 - float64(raised((1-x)/(1-middle), power)*(1-middle))
	}
	return max(minImpedance, min(maxImpedance, low+float64(x*(high-low))))
}

// Motor is the force of an actuator: Effort − Stiffness·length − Damping·speed, between Lower and Upper.
type Motor struct {
	Effort, Stiffness, Damping float64
	Lower, Upper               float64 // N; infinite: endless
}

// Law is the impulse along a transmission in a substep, as a function of its speed. It is a sum of straight
// pieces, none of which rises.
type Law struct {
	pieces [6]Piece
	count  int
}

// Piece is an impulse of Offset − Slope·speed between two bounds, N·s.
type Piece struct {
	Offset, Slope, Lower, Upper float64
	Recovery                    float64 // part of the offset that works off an error of position
}

// At is the impulse at a speed.
func (p *Piece) At(speed float64) float64 {
	return max(p.Lower, min(p.Upper, p.Offset-float64(p.Slope*speed)))
}

const (
	// minImpedance and maxImpedance bound the impedance of a limit, as MuJoCo does.
	minImpedance, maxImpedance = 1e-4, 0.9999
	// rigidPart is the compliance of friction and range as a part of the inverse effective mass.
	rigidPart = 1e-6
	// limitRecovery is the part of an overrun of a range that is worked off in a substep.
	limitRecovery = 0.2
	// maxRecovery bounds the speed of that, m/s or rad/s.
	maxRecovery = 3.0
	// exactSpring and implicitSpring are the (ω·h)² up to which a spring is explicit, and from which on it is
	// fully implicit.
	exactSpring, implicitSpring = 0.1, 0.5
	// maxDamperRate bounds what makes up for the loss of an implicit damper: x/(1 + x) is less than 1 − e⁻ˣ.
	maxDamperRate = 0.1
)

// NewLaw is the law of a substep of h seconds, at a length and a speed. The speed before is that without the
// forces of this substep. The inverse effective mass is the change of speed by a unit impulse.
func NewLaw(p *Passive, m *Motor, length, speed, before, inverseMass, h float64) Law {
	var l Law
	if p.Armature > 0 {
		l.add(Piece{Offset: float64(p.Armature * before), Slope: p.Armature, Lower: math.Inf(-1),
			Upper: math.Inf(1)})
	}
	if p.Stiffness > 0 || p.Damping > 0 {
		rest := max(p.Rest[0], min(p.Rest[1], length))
		k := p.Stiffness
		if rest == length && p.Rest[0] != p.Rest[1] {
			k = 0
		}
		l.spring(float64(-k*(length-rest)), k, p.Damping, inverseMass, h, math.Inf(-1), math.Inf(1))
	}
	if *m != (Motor{}) {
		force := m.Effort - float64(m.Stiffness*length)
		l.spring(force, m.Stiffness, m.Damping, inverseMass, h, m.Lower, m.Upper)
	}
	rigid := 1 / float64(rigidPart*inverseMass)
	if p.Friction > 0 {
		most := float64(h * p.Friction)
		l.add(Piece{Slope: rigid, Lower: -most, Upper: most})
	}
	switch {
	case !p.Limited:
		return l
	case p.Limit != Limit{}:
		l.yield(p, length, before, inverseMass, h)
		return l
	}
	near := float64(2*h*math.Abs(speed)) + 1e-3
	if room := length - p.Range[0]; room < near {
		l.addLimit(room, h, rigid, 1)
	}
	if room := p.Range[1] - length; room < near {
		l.addLimit(room, h, rigid, -1)
	}
	return l
}

// add adds a piece.
func (l *Law) add(p Piece) {
	l.pieces[l.count] = p
	l.count++
}

// spring adds a spring and a damper. A spring that is too stiff for the substep is implicit in proportion,
// and stable at any stiffness.
func (l *Law) spring(force, stiffness, damping, inverseMass, h, lower, upper float64) {
	z := float64(float64(h*h) * float64(stiffness*inverseMass))
	implicit := max(0, min(1, (z-exactSpring)/(implicitSpring-exactSpring)))
	damper := float64(damping * (1 + min(maxDamperRate, float64(0.5*h*damping)*inverseMass)))
	slope := damper + float64(float64(implicit*h)*stiffness)
	l.add(Piece{Offset: float64(h * force), Slope: float64(h * slope), Lower: float64(h * lower),
		Upper: float64(h * upper)})
}

// yield adds the ends of a range that gives. A substep bounds its damping and stiffness, as MuJoCo's step
// does with "refsafe".
func (l *Law) yield(p *Passive, length, before, inverseMass, h float64) {
	part := min(1, 1/max(1e-300, float64(p.Limit.Damping*p.Limit.Impedance[1]*h)))
	damping := float64(part * p.Limit.Damping)
	stiffness := min(float64(float64(part*part)*p.Limit.Stiffness), 1/float64(h*h))
	equal := p.Range[0] == p.Range[1]
	for side, sign := range [2]float64{1, -1} {
		room := float64(sign * (length - p.Range[side]))
		if !equal && room >= 0 {
			continue
		}
		d := p.Limit.impedance(room)
		compliance := float64((1-d)/d) * inverseMass
		// the acceleration that is asked for, along the transmission
		wanted := float64(-damping*before) - float64(sign*stiffness*d*room)
		k := Piece{Offset: (before + float64(h*wanted)) / compliance, Slope: 1 / compliance,
			Lower: math.Inf(-1), Upper: math.Inf(1)}
		if equal {
			l.add(k)
			return
		}
		if side == 0 {
			k.Lower = 0
		} else {
			k.Upper = 0
		}
		l.add(k)
	}
}

// addLimit adds an end of the range, at a distance room, below 0 where it is overrun; its sign is that of its
// force.
func (l *Law) addLimit(room, h, rigid, sign float64) {
	target := -room / h
	if room < 0 {
		target = min(maxRecovery, float64(-limitRecovery*room)/h)
	}
	p := Piece{Offset: float64(rigid * target * sign), Slope: rigid, Upper: math.Inf(1),
		Recovery: float64(rigid * max(target, 0) * sign)}
	if sign < 0 {
		p.Lower, p.Upper = math.Inf(-1), 0
	}
	l.add(p)
}

// Relax takes the recovery of position out of the law.
func (l *Law) Relax() {
	for i := range l.count {
		p := &l.pieces[i]
		p.Offset, p.Recovery = p.Offset-p.Recovery, 0
	}
}

// Pieces are the pieces of the law.
func (l *Law) Pieces() []Piece { return l.pieces[:l.count] }

// impulse is the impulse at a speed.
func (l *Law) impulse(speed float64) (sum float64) {
	for i := range l.count {
		sum += l.pieces[i].At(speed)
	}
	return sum
}

// Impulse is the impulse j at which j = law(free + inverseMass·j), where free is the speed without it. There
// is one: the right side falls with j.
func (l *Law) Impulse(free, inverseMass float64) float64 {
	if l.count == 0 {
		return 0
	}
	// Between the bends of all pieces the law is a line. The solution lies between two of them.
	below, above := math.Inf(-1), math.Inf(1)
	for i := range l.count {
		p := &l.pieces[i]
		if p.Slope == 0 {
			continue
		}
		for _, bound := range [2]float64{p.Lower, p.Upper} {
			bend := (p.Offset - bound) / p.Slope
			if math.IsInf(bend, 0) || bend <= below || bend >= above {
				continue
			}
			if bend-free-float64(inverseMass*l.impulse(bend)) >= 0 {
				above = bend
			} else {
				below = bend
			}
		}
	}
	inside := middle(below, above)
	constant, slope := 0.0, 0.0
	for i := range l.count {
		p := &l.pieces[i]
		if j := p.Offset - float64(p.Slope*inside); j > p.Lower && j < p.Upper {
			constant, slope = constant+p.Offset, slope+p.Slope
		} else {
			constant += p.At(inside)
		}
	}
	return (constant - float64(slope*free)) / (1 + float64(slope*inverseMass))
}

// middle is a speed between two.
func middle(below, above float64) float64 {
	switch {
	case math.IsInf(below, -1) && math.IsInf(above, 1):
		return 0
	case math.IsInf(below, -1):
		return above - 1 - math.Abs(above)
	case math.IsInf(above, 1):
		return below + 1 + math.Abs(below)
	}
	return float64(0.5 * (below + above))
}
