package linalg

import "math"

// BoxQP is a strictly convex quadratic program with bounds: minimize ½·xᵀ·H·x + qᵀ·x subject to lower ≤ x ≤
// upper. As a boxed linear complementarity problem, x is an impulse and H·x + q a speed. The speed is zero
// between the bounds, not negative at the lower one, and not positive at the upper one.
//
// Solve is a primal active-set method (Nocedal and Wright, "Numerical Optimization", 16.5). It costs one
// dense Cholesky factorization for each change of the active set, whatever the condition of H is.
//
// The rows of an articulation and the stops of a directly solved island have active-set methods of their own,
// which move in another order. To merge them with this one changes bits.
type BoxQP struct {
	// Set by the caller after Reset.
	N            int       // unknowns
	Hessian      []float64 // H, N×N by rows, symmetric and positive definite
	Linear       []float64 // q
	Lower, Upper []float64
	X            []float64 // the first guess, then the solution

	gradient, step []float64
	atBound        []bool
	free           []int32   // unknowns that no bound holds, ascending
	factor         []float64 // N×N; row r is the Cholesky factor of free row r, its diagonal inverted
	tolerance      float64   // largest gradient of a free unknown at the solution
	stalled        bool      // no unknown has moved since the last release
}

const (
	// maxStepsPerUnknown bounds the steps of Solve, for each unknown; bounds time.
	maxStepsPerUnknown = 10
	// gradientTolerance is the gradient (for impulses: m/s) below which a free unknown counts as solved.
	gradientTolerance = 1e-9
	// roundingTolerance is the part of the largest diagonal term H·x that rounding may leave in a gradient.
	roundingTolerance = 1e-13
	// boundChangeTolerance is the part by which a symmetric bound may change and still count as the same; it saves
	// rounds.
	boundChangeTolerance = 0.02
	// minStepGain is the part of its unclamped gain that a step must keep after clamping; chosen.
	minStepGain = 0.1
)

// Reset sets the number of unknowns. The contents of all vectors are left over from earlier problems.
func (b *BoxQP) Reset(n int) {
	b.N = n
	b.Hessian, b.factor = Grow(b.Hessian, n*n), Grow(b.factor, n*n)
	for _, list := range [...]*[]float64{&b.Linear, &b.Lower, &b.Upper, &b.X, &b.gradient, &b.step} {
		*list = Grow(*list, n)
	}
	b.atBound = Grow(b.atBound, n)
}

// SetSymmetricBound bounds an unknown to ±limit. It reports whether the bound changed by more than a fiftieth
// of the limit.
func (b *BoxQP) SetSymmetricBound(i int, limit float64) bool {
	was := b.Upper[i]
	b.Lower[i], b.Upper[i] = -limit, limit
	return math.Abs(limit-was) > float64(boundChangeTolerance*limit)
}

// Solve improves X until it is optimal. False means that the bound on steps was met; X is then feasible and
// better than the clamped first guess: no step ascends.
func (b *BoxQP) Solve() bool {
	for i, x := range b.X {
		b.X[i] = max(b.Lower[i], min(b.Upper[i], x))
		b.atBound[i] = b.X[i] == b.Lower[i] || b.X[i] == b.Upper[i]
	}
	b.stalled = false
	for range maxStepsPerUnknown * b.N {
		if b.computeGradient() && !b.release() {
			return true
		}
		b.solveFree()
		b.takeStep()
	}
	return false
}

// computeGradient computes H·x + q and the tolerance. It reports whether the free unknowns are stationary.
func (b *BoxQP) computeGradient() bool {
	n, largestFree, largestTerm := b.N, 0.0, 0.0
	for i := range n {
		b.gradient[i] = b.Linear[i] + Dot(b.Hessian[i*n:i*n+n], b.X)
		largestTerm = max(largestTerm, math.Abs(float64(b.Hessian[i*n+i]*b.X[i])))
		if !b.atBound[i] {
			largestFree = max(largestFree, math.Abs(b.gradient[i]))
		}
	}
	b.tolerance = gradientTolerance + float64(roundingTolerance*largestTerm)
	return largestFree <= b.tolerance
}

// release frees the unknowns that would leave their bounds: all of them, or the one of the largest gradient
// if the last release moved nothing. It reports whether there is any.
func (b *BoxQP) release() bool {
	fastest, at := b.tolerance, -1
	for i := range b.N {
		if v := b.leavingSpeed(i); v > b.tolerance {
			b.atBound[i] = b.stalled
			if v > fastest {
				fastest, at = v, i
			}
		}
	}
	if at >= 0 {
		b.atBound[at] = false
	}
	b.stalled = true
	return at >= 0
}

// leavingSpeed returns the descent direction's component away from the bound that holds an unknown; 0 if it
// is free or fixed.
func (b *BoxQP) leavingSpeed(i int) float64 {
	switch {
	case !b.atBound[i] || b.Lower[i] == b.Upper[i]:
		return 0
	case b.X[i] == b.Lower[i]:
		return -b.gradient[i]
	}
	return b.gradient[i]
}

// solveFree computes the Newton step of the free unknowns by a dense Cholesky factorization. It subtracts
// inner products as a whole, where FactorCholesky subtracts term by term: to merge the two changes bits.
func (b *BoxQP) solveFree() {
	n := b.N
	b.free = b.free[:0]
	for i := range n {
		b.step[i] = 0
		if !b.atBound[i] {
			b.free = append(b.free, int32(i))
		}
	}
	for r, i := range b.free {
		own := b.factor[r*n : r*n+r+1]
		left := -b.gradient[i]
		for c, k := range b.free[:r+1] {
			other := b.factor[c*n : c*n+c+1]
			sum := b.Hessian[int(i)*n+int(k)] - Dot(own[:c], other[:c])
			if c < r {
				own[c] = float64(sum * other[c])
				left -= float64(own[c] * b.step[k])
			} else {
				own[c] = inverseSqrtOrZero(sum)
			}
		}
		b.step[i] = float64(left * own[r])
	}
	for r := len(b.free) - 1; r >= 0; r-- {
		i := b.free[r]
		x := float64(b.step[i] * b.factor[r*n+r])
		b.step[i] = x
		for c, k := range b.free[:r] {
			b.step[k] -= float64(b.factor[r*n+c] * x)
		}
	}
}

// takeStep moves the free unknowns along the step, each clamped to its bounds. If clamping loses too much of
// the gain, all stop together where the first one meets its bound.
func (b *BoxQP) takeStep() {
	whole := b.objectiveChange() <= float64(minStepGain*Dot(b.step, b.gradient))
	part := 1.0
	if !whole {
		for _, i := range b.free {
			part = min(part, b.stepFraction(i))
		}
	}
	for _, i := range b.free {
		was := b.X[i]
		if !whole && b.stepFraction(i) > part {
			b.X[i] += float64(part * b.step[i])
		} else {
			b.X[i] = b.clampedStep(i)
		}
		b.atBound[i] = b.X[i] == b.Lower[i] || b.X[i] == b.Upper[i]
		b.stalled = b.stalled && b.X[i] == was
	}
}

// stepFraction returns the part of its step that an unknown can take before it meets a bound; 1 or more if it
// can take all.
func (b *BoxQP) stepFraction(i int32) float64 {
	switch step := b.step[i]; {
	case step < 0:
		return (b.Lower[i] - b.X[i]) / step
	case step > 0:
		return (b.Upper[i] - b.X[i]) / step
	}
	return 2
}

// clampedStep returns an unknown after its step, clamped to its bounds.
func (b *BoxQP) clampedStep(i int32) float64 {
	return max(b.Lower[i], min(b.Upper[i], b.X[i]+b.step[i]))
}

// objectiveChange returns the change of the objective by the clamped step; below zero is better.
func (b *BoxQP) objectiveChange() (sum float64) {
	for _, i := range b.free {
		way, v := b.clampedStep(i)-b.X[i], 0.0
		if way == 0 {
			continue
		}
		row := b.Hessian[int(i)*b.N : int(i)*b.N+b.N]
		for _, k := range b.free {
			v += float64(row[k] * (b.clampedStep(k) - b.X[k]))
		}
		sum += float64(way * (b.gradient[i] + float64(0.5*v)))
	}
	return sum
}

// inverseSqrtOrZero returns 1/√x, or 0 if x is not positive: the pivot that rounding leaves of a dependent
// row.
func inverseSqrtOrZero(x float64) float64 {
	if x > 0 {
		return 1 / math.Sqrt(x)
	}
	return 0
}
