package physics

import "math"

// boxed is a small system of impulses with bounds: find x between low and high such that speed = a·x + q is zero where x is
// between its bounds, not negative where it is at the lower one, and not positive at the upper one. With a symmetric and
// positive definite that is where ½·x·a·x + q·x is least, and it is found directly, whatever the masses are: what no bound
// holds goes where its speeds are zero, as far as bounds let it, and is held by those that it comes to, until nothing is
// held that would leave its bound (the primal active-set method, Nocedal and Wright, "Numerical Optimization", 16.5). No
// step leads away, so that whatever there is at the end takes no more energy than x did at the beginning.
type boxed struct {
	n            int
	a            []float64 // n×n
	q            []float64
	low, high, x []float64
	speed, step  []float64
	held         []bool // at a bound
	free         []int32
	factor       []float64
	slack        float64 // m/s
	stuck        bool    // since bounds last let go, nothing has moved
}

const (
	// boxedTries is how many steps are made at most, for each unknown.
	boxedTries = 10
	// boxedSlack is the speed, m/s, up to which what is free counts as still, and boxedRound the part of the speeds that
	// cancel each other for it that rounding may have left.
	boxedSlack, boxedRound = 1e-9, 1e-13
	// boxedSame is by which part a bound may change and still be the same.
	boxedSame = 0.02
	// boxedLeast is the part of what a step promises that it must keep though bounds cut it off.
	boxedLeast = 0.1
)

// reset makes room for n unknowns.
func (b *boxed) reset(n int) {
	b.n = n
	b.a, b.factor = grown(b.a, n*n), grown(b.factor, n*n)
	for _, list := range [...]*[]float64{&b.q, &b.low, &b.high, &b.x, &b.speed, &b.step} {
		*list = grown(*list, n)
	}
	b.held = resized(b.held, n)
}

// solve finds x from one that is near; false: it has come nearer only.
func (b *boxed) solve() bool {
	for i, x := range b.x {
		b.x[i] = max(b.low[i], min(b.high[i], x))
		b.held[i] = b.x[i] == b.low[i] || b.x[i] == b.high[i]
	}
	b.stuck = false
	for range boxedTries * b.n {
		if b.weigh() && !b.release() {
			return true
		}
		b.divide()
		b.advance()
	}
	return false
}

// bound puts an unknown between a limit and its opposite; true: those were others.
func (b *boxed) bound(i int, limit float64) bool {
	was := b.high[i]
	b.low[i], b.high[i] = -limit, limit
	return math.Abs(limit-was) > float64(boxedSame*limit)
}

// weigh finds the speeds; true: what is free is still.
func (b *boxed) weigh() bool {
	n, still, most := b.n, 0.0, 0.0
	for i := range n {
		b.speed[i] = b.q[i] + dot(b.a[i*n:i*n+n], b.x)
		most = max(most, math.Abs(float64(b.a[i*n+i]*b.x[i])))
		if !b.held[i] {
			still = max(still, math.Abs(b.speed[i]))
		}
	}
	b.slack = boxedSlack + float64(boxedRound*most)
	return still <= b.slack
}

// release lets go what its bound does not hold, or only the fastest of it if all together did not help; false: there is
// nothing.
func (b *boxed) release() bool {
	fastest, at := b.slack, -1
	for i := range b.n {
		if v := b.leaving(i); v > b.slack {
			b.held[i] = b.stuck
			if v > fastest {
				fastest, at = v, i
			}
		}
	}
	if at >= 0 {
		b.held[at] = false
	}
	b.stuck = true
	return at >= 0
}

// leaving is how fast something that is held leaves its bound.
func (b *boxed) leaving(i int) float64 {
	switch {
	case !b.held[i] || b.low[i] == b.high[i]:
		return 0
	case b.x[i] == b.low[i]:
		return -b.speed[i]
	}
	return b.speed[i]
}

// divide finds the step that stills what is free, by Cholesky's factor.
func (b *boxed) divide() {
	n := b.n
	b.free = b.free[:0]
	for i := range n {
		b.step[i] = 0
		if !b.held[i] {
			b.free = append(b.free, int32(i))
		}
	}
	for r, i := range b.free {
		own := b.factor[r*n : r*n+r+1]
		left := -b.speed[i]
		for c, k := range b.free[:r+1] {
			other := b.factor[c*n : c*n+c+1]
			sum := b.a[int(i)*n+int(k)] - dot(own[:c], other[:c])
			if c < r {
				own[c] = float64(sum * other[c])
				left -= float64(own[c] * b.step[k])
			} else {
				own[c] = invertRoot(sum)
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

// advance goes along the step, each as far as its bounds let it, or all together to the first bound if that would lead away.
func (b *boxed) advance() {
	whole := b.gain() <= float64(boxedLeast*dot(b.step, b.speed))
	part := 1.0
	if !whole {
		for _, i := range b.free {
			part = min(part, b.room(i))
		}
	}
	for _, i := range b.free {
		was := b.x[i]
		if !whole && b.room(i) > part {
			b.x[i] += float64(part * b.step[i])
		} else {
			b.x[i] = b.end(i)
		}
		b.held[i] = b.x[i] == b.low[i] || b.x[i] == b.high[i]
		b.stuck = b.stuck && b.x[i] == was
	}
}

// room is the part of its step that an unknown has room for, 1 or more where it is all.
func (b *boxed) room(i int32) float64 {
	switch step := b.step[i]; {
	case step < 0:
		return (b.low[i] - b.x[i]) / step
	case step > 0:
		return (b.high[i] - b.x[i]) / step
	}
	return 2
}

// end is where an unknown is after its step, within its bounds.
func (b *boxed) end(i int32) float64 { return max(b.low[i], min(b.high[i], b.x[i]+b.step[i])) }

// gain is by how much less there is, below zero, after the step within the bounds.
func (b *boxed) gain() (sum float64) {
	for _, i := range b.free {
		way, v := b.end(i)-b.x[i], 0.0
		if way == 0 {
			continue
		}
		row := b.a[int(i)*b.n : int(i)*b.n+b.n]
		for _, k := range b.free {
			v += float64(row[k] * (b.end(k) - b.x[k]))
		}
		sum += float64(way * (b.speed[i] + float64(0.5*v)))
	}
	return sum
}

// invertRoot is 1/√x, or 0 for what is not above zero: what rounding has left of a row that repeats others.
func invertRoot(x float64) float64 {
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
