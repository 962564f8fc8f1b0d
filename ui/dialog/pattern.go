package dialog

import (
	"fmt"
	"math"
	"math/rand/v2"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// Pattern is the layout of several entities about a place.
type Pattern uint8

// Patterns.
const (
	InGrid    Pattern = iota // rows and columns, the place in the middle, as the place is turned
	InLine                   // from the place on, the way that it points
	Scattered                // at random within a square about the place, each turned at random
	patterns
)

// String is the pattern in a word.
func (p Pattern) String() string { return [...]string{"grid", "line", "scatter"}[min(p, Scattered)] }

// mostSpawns is the most entities that a dialog spawns at once.
const mostSpawns = 2000

// Lay lays n poses out about a place, apart metres from each other: exactly in a grid and a line, roughly in
// a seeded scatter.
func (p Pattern) Lay(at r3.Pose, n int, apart float64, seed uint64) []r3.Pose {
	out := make([]r3.Pose, 0, n)
	put := func(x, y, turn float64) {
		offset := r3.FromRPY(0, 0, at.Rot.Yaw()).Rotate(r3.V(x, y, 0))
		out = append(out, r3.Pose{Pos: at.Pos.Add(offset), Rot: r3.FromRPY(0, 0, turn).Mul(at.Rot)})
	}
	side := int(math.Ceil(math.Sqrt(float64(n))))
	switch p {
	case InLine:
		for i := range n {
			put(float64(i)*apart, 0, 0)
		}
	case Scattered:
		for _, s := range scattered(n, seed) {
			k := apart * float64(side)
			put(k*s[0], k*s[1], 2*math.Pi*s[2])
		}
	default:
		rows := (n + side - 1) / side
		for i := range n {
			put((float64(i%side)-float64(side-1)/2)*apart, (float64(rows-1)/2-float64(i/side))*apart, 0)
		}
	}
	return out
}

// scattered is n points of a square of side 1 about the origin, with a turn from 0 to 1. Each is the one of
// some tries that is furthest from those before it (best candidate, Mitchell 1991).
func scattered(n int, seed uint64) [][3]float64 {
	random := rand.New(rand.NewPCG(seed, 0x5ca77e2))
	out := make([][3]float64, 0, n)
	for range n {
		best, far := [3]float64{}, -1.0
		for range 12 {
			c := [3]float64{random.Float64() - 0.5, random.Float64() - 0.5, random.Float64()}
			near := math.Inf(1)
			for _, o := range out {
				near = min(near, math.Hypot(o[0]-c[0], o[1]-c[1]))
			}
			if near > far {
				best, far = c, near
			}
		}
		out = append(out, best)
	}
	return out
}

// spawnPattern is the number of entities that a dialog asks for, and their layout.
type spawnPattern struct {
	n       int
	pattern Pattern
	apart   float64
	seed    uint64
}

// crowd understands the fields that ask for it; empty ones are 1.
func (s *Spawn) spawnPattern() (spawnPattern, error) {
	value := func(i int) (float64, error) {
		if s.fields[i].line.Text() == "" {
			return 1, nil
		}
		return s.number(i)
	}
	n, err := value(fieldCount)
	if err != nil {
		return spawnPattern{}, err
	}
	if n < 1 || n > mostSpawns || n != math.Trunc(n) {
		return spawnPattern{}, fmt.Errorf("count: want a whole number from 1 to %d", mostSpawns)
	}
	if n == 1 {
		return spawnPattern{n: 1}, nil
	}
	apart, err := value(fieldApart)
	if err != nil {
		return spawnPattern{}, err
	}
	seed, err := value(fieldSeed)
	switch {
	case err != nil:
		return spawnPattern{}, err
	case apart <= 0 || apart > 1000:
		return spawnPattern{}, fmt.Errorf("apart: want more than 0 and at most 1000 m")
	case seed < 0 || seed > 1<<53 || seed != math.Trunc(seed):
		return spawnPattern{}, fmt.Errorf("seed: want a whole number from 0")
	}
	return spawnPattern{int(n), s.pattern, apart, uint64(seed)}, nil
}

// batchOf makes a spawn of one a batch.
func (c spawnPattern) batchOf(one sim.Spawn) sim.SpawnBatch {
	b := sim.SpawnBatch{}
	for i, at := range c.pattern.Lay(one.Pose.Pose, c.n, c.apart, c.seed) {
		next := one
		next.Pose.Pose = at
		if one.Name != "" {
			next.Name = fmt.Sprintf("%s_%d", one.Name, i+1)
		}
		b.Spawns = append(b.Spawns, next)
	}
	return b
}
