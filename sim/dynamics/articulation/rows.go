package articulation

import (
	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// Row is a constraint on a velocity J·q̇ of one to three degrees of freedom, or of many for a loop joint:
// J·q̇ + compliance·impulse = target. The impulse of the substep is between lower and upper.
type Row struct {
	i, j, k             int32 // degrees of freedom; j, k -1: none
	dense               int32 // above 0: 1 + offset of its Jacobian in denseCoefficients
	coefI, coefJ, coefK float64

	Target, Compliance float64
	RelaxedTarget      float64 // Target in the relax iteration
	// compliance as a part of the row's inverse effective mass; above 0: Compliance is set from it
	RelativeCompliance    float64
	Lower, Upper, Impulse float64
	Joint                 int32 // the caller's number of a joint
	Kind                  uint8 // and of what acts on it

	regularization float64 // ε added to the diagonal, where loops may be redundant or inconsistent
	loop           bool    // constraint of a loop joint, never warm-started: its solution is exact
	loopOf         int32   // of a dense row: the number of its loop joint
	endGap         float64 // m or rad, of a loop joint at the end of a substep, by the last solution
	aimed          float64 // m/s or rad/s, last change of the target by such a gap
	atBound        bool    // at a bound, in the active set
}

// RowOf returns a row on the velocity of one degree of freedom.
func RowOf(dof, joint int32) Row { return Row{i: dof, coefI: 1, j: -1, k: -1, Joint: joint} }

// SetDOF makes another degree of freedom the row's only one.
func (row *Row) SetDOF(dof int32) { row.i = dof }

// Couple adds a second degree of freedom with a coefficient.
func (row *Row) Couple(dof int32, coefficient float64) { row.j, row.coefJ = dof, coefficient }

// Coupled reports that the row has a second degree of freedom.
func (row *Row) Coupled() bool { return row.j >= 0 }

// DOF returns the row's first degree of freedom.
func (row *Row) DOF() int32 { return row.i }

// Dense reports that the row acts on many degrees of freedom: it is of a loop joint.
func (row *Row) Dense() bool { return row.dense > 0 }

// Loop reports that the row is a constraint of a loop joint, whose impulse need not be stored.
func (row *Row) Loop() bool { return row.loop }

// SetDirection makes the row act on the three degrees of freedom from first on, along a direction.
func (row *Row) SetDirection(first int32, along r3.Vec) {
	row.i, row.j, row.k = first, first+1, first+2
	row.coefI, row.coefJ, row.coefK = along.X, along.Y, along.Z
}

// Add adds a row to the problem of this substep; its impulse, the warm start, is clamped to its bounds.
func (b *Rows) Add(row *Row) {
	b.list = append(b.list, *row)
	r := &b.list[len(b.list)-1]
	r.Impulse = max(r.Lower, min(r.Upper, r.Impulse))
}

// Len returns the number of rows in this substep.
func (b *Rows) Len() int { return len(b.list) }

// Impulse returns the impulse of a row, and the Joint and Kind under which its caller stores it. The impulse
// of a loop joint is not stored: false.
func (b *Rows) Impulse(row int) (joint int32, kind uint8, impulse float64, stored bool) {
	r := &b.list[row]
	return r.Joint, r.Kind, r.Impulse, !r.loop
}

// Target returns the target of a row, and the Joint and Kind of its caller; false for a loop joint's
// constraint.
func (b *Rows) Target(row int) (joint int32, kind uint8, target float64, ok bool) {
	r := &b.list[row]
	return r.Joint, r.Kind, r.Target, !r.loop
}

// newDense allocates the Jacobian of a row on all n degrees of freedom.
func (b *Rows) newDense(n int) int32 {
	at := len(b.denseCoefficients)
	b.denseCoefficients = linalg.Grow(b.denseCoefficients, at+n)
	return int32(at + 1)
}

// coefficients is the Jacobian of a dense row, by all n degrees of freedom.
func (row *Row) coefficients(b *Rows, n int) []float64 {
	return b.denseCoefficients[row.dense-1:][:n]
}

// denseSpeed is J·q̇ of a dense row, rad/s or m/s.
func (row *Row) denseSpeed(b *Rows, dofs []dof) float64 {
	v := 0.0
	for d, c := range row.coefficients(b, len(dofs)) {
		v += float64(c * dofs[d].v)
	}
	return v
}

// speed is J·q̇ of the row, rad/s or m/s.
func (row *Row) speed(b *Rows, dofs []dof) float64 {
	if row.dense > 0 {
		return row.denseSpeed(b, dofs)
	}
	v := float64(row.coefI * dofs[row.i].v)
	if row.j >= 0 {
		v += float64(row.coefJ * dofs[row.j].v)
	}
	if row.k >= 0 {
		v += float64(row.coefK * dofs[row.k].v)
	}
	return v
}

// response is the row's Jacobian times the response x.
func (row *Row) response(b *Rows, x []linalg.VecPair) linalg.VecPair {
	if row.dense > 0 {
		y := linalg.VecPair{}
		for d, c := range b.denseCoefficients[row.dense-1:][:len(x)] {
			y.AddScaled(c, &x[d])
		}
		return y
	}
	y := x[row.i].Scale(row.coefI)
	if row.j >= 0 {
		y.AddScaled(row.coefJ, &x[row.j])
	}
	if row.k >= 0 {
		y.AddScaled(row.coefK, &x[row.k])
	}
	return y
}

// scatter writes the row's Jacobian to x, by degree of freedom.
func (row *Row) scatter(b *Rows, x []float64) {
	if row.dense > 0 {
		copy(x, b.denseCoefficients[row.dense-1:])
		return
	}
	clear(x)
	x[row.i] = row.coefI
	if row.j >= 0 {
		x[row.j] = row.coefJ
	}
	if row.k >= 0 {
		x[row.k] = row.coefK
	}
}

// dot is the row's Jacobian times x.
func (row *Row) dot(b *Rows, x []float64) float64 {
	if row.dense > 0 {
		v := 0.0
		for d, c := range b.denseCoefficients[row.dense-1:][:len(x)] {
			v += float64(c * x[d])
		}
		return v
	}
	v := float64(row.coefI * x[row.i])
	if row.j >= 0 {
		v += float64(row.coefJ * x[row.j])
	}
	if row.k >= 0 {
		v += float64(row.coefK * x[row.k])
	}
	return v
}
