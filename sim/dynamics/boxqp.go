package dynamics

import "math"

// boxQP is a small system of impulses with bounds: find x between low and high such that speed = a·x + q is zero where x is
// between its bounds, not negative where it is at the lower one, and not positive at the upper one. With a symmetric and
// positive definite that is where ½·x·a·x + q·x is least, and it is found directly, whatever the masses are: what no bound
// holds goes where its speeds are zero, as far as bounds let it, and is held by those that it comes to, until nothing is
// held that would leave its bound (the primal active-set method, Nocedal and Wright, "Numerical Optimization", 16.5). No
// step leads away, so that whatever there is at the end takes no more energy than x did at the beginning.
type boxQP struct {
	n               int
	hessian         []float64 // n×n
	linear          []float64
	lower, upper, x []float64
	gradient, step  []float64
	atBound         []bool // at a bound
	free            []int32
	factor          []float64
	tolerance       float64 // m/s
	stalled         bool    // since bounds last let go, nothing has moved
}

const (
	// maxStepsPerUnknown is how many steps are made at most, for each unknown.
	maxStepsPerUnknown = 10
	// gradientTolerance is the speed, m/s, up to which what is free counts as still, and roundingTolerance the part of the speeds that
	// cancel each other for it that rounding may have left.
	gradientTolerance, roundingTolerance = 1e-9, 1e-13
	// boundChangeTolerance is by which part a bound may change and still be the same.
	boundChangeTolerance = 0.02
	// minStepGain is the part of what a step promises that it must keep though bounds cut it off.
	minStepGain = 0.1
)

// reset makes room for n unknowns.
func (b *boxQP) reset(n int) {
	b.n = n
	b.hessian, b.factor = resizedScratch(b.hessian, n*n), resizedScratch(b.factor, n*n)
	for _, list := range [...]*[]float64{&b.linear, &b.lower, &b.upper, &b.x, &b.gradient, &b.step} {
		*list = resizedScratch(*list, n)
	}
	b.atBound = resized(b.atBound, n)
}

// solve finds x from one that is near; false: it has come nearer only.
func (b *boxQP) solve() bool {
	for i, x := range b.x {
		b.x[i] = max(b.lower[i], min(b.upper[i], x))
		b.atBound[i] = b.x[i] == b.lower[i] || b.x[i] == b.upper[i]
	}
	b.stalled = false
	for range maxStepsPerUnknown * b.n {
		if b.computeGradient() && !b.release() {
			return true
		}
		b.solveFree()
		b.takeStep()
	}
	return false
}

// setSymmetricBound puts an unknown between a limit and its opposite; true: those were others.
func (b *boxQP) setSymmetricBound(i int, limit float64) bool {
	was := b.upper[i]
	b.lower[i], b.upper[i] = -limit, limit
	return math.Abs(limit-was) > float64(boundChangeTolerance*limit)
}

// computeGradient finds the speeds; true: what is free is still.
func (b *boxQP) computeGradient() bool {
	n, still, most := b.n, 0.0, 0.0
	for i := range n {
		b.gradient[i] = b.linear[i] + dot(b.hessian[i*n:i*n+n], b.x)
		most = max(most, math.Abs(float64(b.hessian[i*n+i]*b.x[i])))
		if !b.atBound[i] {
			still = max(still, math.Abs(b.gradient[i]))
		}
	}
	b.tolerance = gradientTolerance + float64(roundingTolerance*most)
	return still <= b.tolerance
}

// release lets go what its bound does not hold, or only the fastest of it if all together did not help; false: there is
// nothing.
func (b *boxQP) release() bool {
	fastest, at := b.tolerance, -1
	for i := range b.n {
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

// leavingSpeed is how fast something that is held leaves its bound.
func (b *boxQP) leavingSpeed(i int) float64 {
	switch {
	case !b.atBound[i] || b.lower[i] == b.upper[i]:
		return 0
	case b.x[i] == b.lower[i]:
		return -b.gradient[i]
	}
	return b.gradient[i]
}

// solveFreeRows finds the step that stills what is free, by Cholesky's factor.
func (b *boxQP) solveFree() {
	n := b.n
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
			sum := b.hessian[int(i)*n+int(k)] - dot(own[:c], other[:c])
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

// takeStep goes along the step, each as far as its bounds let it, or all together to the first bound if that would lead away.
func (b *boxQP) takeStep() {
	whole := b.objectiveChange() <= float64(minStepGain*dot(b.step, b.gradient))
	part := 1.0
	if !whole {
		for _, i := range b.free {
			part = min(part, b.stepFraction(i))
		}
	}
	for _, i := range b.free {
		was := b.x[i]
		if !whole && b.stepFraction(i) > part {
			b.x[i] += float64(part * b.step[i])
		} else {
			b.x[i] = b.clampedStep(i)
		}
		b.atBound[i] = b.x[i] == b.lower[i] || b.x[i] == b.upper[i]
		b.stalled = b.stalled && b.x[i] == was
	}
}

// stepFraction is the part of its step that an unknown has room for, 1 or more where it is all.
func (b *boxQP) stepFraction(i int32) float64 {
	switch step := b.step[i]; {
	case step < 0:
		return (b.lower[i] - b.x[i]) / step
	case step > 0:
		return (b.upper[i] - b.x[i]) / step
	}
	return 2
}

// clampedStep is where an unknown is after its step, within its bounds.
func (b *boxQP) clampedStep(i int32) float64 {
	return max(b.lower[i], min(b.upper[i], b.x[i]+b.step[i]))
}

// objectiveChange is by how much less there is, below zero, after the step within the bounds.
func (b *boxQP) objectiveChange() (sum float64) {
	for _, i := range b.free {
		way, v := b.clampedStep(i)-b.x[i], 0.0
		if way == 0 {
			continue
		}
		row := b.hessian[int(i)*b.n : int(i)*b.n+b.n]
		for _, k := range b.free {
			v += float64(row[k] * (b.clampedStep(k) - b.x[k]))
		}
		sum += float64(way * (b.gradient[i] + float64(0.5*v)))
	}
	return sum
}

// inverseSqrtOrZero is 1/√x, or 0 for what is not above zero: what rounding has left of a row that repeats others.
func inverseSqrtOrZero(x float64) float64 {
	if x > 0 {
		return 1 / math.Sqrt(x)
	}
	return 0
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
