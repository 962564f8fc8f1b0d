package dynamics

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestAssemblyAndGoGiveTheSameBits runs the golden scenes with both kernels. The golden hashes are those of
// the Go kernel.
func TestAssemblyAndGoGiveTheSameBits(t *testing.T) {
	if !hasAVX2() {
		t.Log("this processor has no AVX2: Go is compared with itself")
	}
	for name, build := range goldenScenes(t) {
		a, dt, _ := build()
		b, _, _ := build()
		b.solver.useSIMD = false
		for i := range 300 {
			a.step(dt, 1)
			b.step(dt, 1)
			if a.Hash() != b.Hash() {
				t.Fatalf("%s: assembly and Go differ from step %d on", name, i+1)
			}
		}
	}
}

// TestBatchesOfAnyNumbersGiveTheSameBits: both kernels agree on random batches, with zeros among the numbers
// and bodies of infinite mass.
func TestBatchesOfAnyNumbersGiveTheSameBits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a := randomBatches(rnd, 1+rnd.IntN(5))
		b := solver{solverBodies: solverBodies{states: slices.Clone(a.states)}, contactSolver: contactSolver{
			batches: slices.Clone(a.batches), rows: slices.Clone(a.rows), biasIteration: a.biasIteration,
			relaxIteration: a.relaxIteration,
		}}
		a.useSIMD = hasAVX2()
		n := int32(len(a.batches))
		for _, s := range []*solver{&a, &b} {
			s.warmStartBatches(0, n)
			s.solveBatches(0, n, &s.biasIteration)
			s.solveBatches(0, n, &s.relaxIteration)
		}
		if !reflect.DeepEqual(bitsOf(&a), bitsOf(&b)) {
			t.Fatal("assembly and Go differ")
		}
	}
}

// bitsOf returns the bits of everything that an iteration changes.
func bitsOf(s *solver) []uint64 {
	var out []uint64
	add := func(list ...float64) {
		for _, x := range list {
			out = append(out, math.Float64bits(x))
		}
	}
	for i := range s.batches {
		b := &s.batches[i]
		for lane := range width {
			add(b.tangentImpulse1[lane], b.tangentImpulse2[lane], b.spinImpulse[lane])
		}
	}
	for i := range s.rows {
		add(s.rows[i].impulse[:]...)
	}
	for _, m := range s.states {
		for k := range 3 {
			add(m.v.At(k), m.w.At(k), m.deltaPosition.At(k), m.deltaRotation.At(k))
		}
	}
	return out
}

// randomBatches is a solver whose batches and bodies hold random numbers, every tenth of them zero.
func randomBatches(rnd *rand.Rand, n int) solver {
	s := solver{invH: 240}
	s.buildIteration(&s.biasIteration, true, 1)
	s.buildIteration(&s.relaxIteration, false, 1)
	fill := func(list []float64) {
		for i := range list {
			list[i] = (rnd.Float64() - 0.5) * math.Exp(float64(rnd.IntN(8)-4))
			if rnd.IntN(10) == 0 {
				list[i] = 0
			}
		}
	}
	s.states = make([]bodyState, 1+2*width*n)
	for i := 1; i < len(s.states); i++ {
		var x [12]float64
		fill(x[:])
		m := &s.states[i]
		m.v.X, m.v.Y, m.v.Z, m.w.X, m.w.Y, m.w.Z = x[0], x[1], x[2], x[3], x[4], x[5]
		m.deltaPosition.X, m.deltaPosition.Y, m.deltaPosition.Z, m.deltaRotation.X, m.deltaRotation.Y,
			m.deltaRotation.Z = x[6], x[7], x[8], x[9], x[10], x[11]
	}
	for i := range n {
		b := contactBatch{firstRow: int32(len(s.rows)), rowCount: int32(1 + rnd.IntN(maxManifoldPoints)),
			movableMask: rnd.Uint32N(256)}
		for lane := range width {
			b.a[lane], b.b[lane] = int32(1+2*(width*i+lane)), int32(2+2*(width*i+lane))
		}
		eachLane(reflect.ValueOf(&b).Elem(), fill)
		for lane := range width {
			b.mu1.set(lane, math.Abs(b.mu1.at(lane)))
			b.mu2.set(lane, math.Abs(b.mu2.at(lane)))
			b.torsion.set(lane, math.Abs(b.torsion.at(lane)))
		}
		s.batches = append(s.batches, b)
		for range b.rowCount {
			var r contactRow
			eachLane(reflect.ValueOf(&r).Elem(), fill)
			s.rows = append(s.rows, r)
		}
	}
	return s
}

// eachLane fills the lanes of a struct, through its unexported fields too.
func eachLane(v reflect.Value, fill func([]float64)) {
	for i := range v.NumField() {
		switch f := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Interface().(type) {
		case *frictionResponse:
			eachLane(reflect.ValueOf(f).Elem(), fill)
		case *lanes64:
			fill(f[:])
		case *lanes64x3:
			fill(f.x[:])
			fill(f.y[:])
			fill(f.z[:])
		case *lanes32:
			fillLean(f, fill)
		case *lanes32x3:
			fillLean(&f.x, fill)
			fillLean(&f.y, fill)
			fillLean(&f.z, fill)
		}
	}
}

func fillLean(l *lanes32, fill func([]float64)) {
	var all lanes64
	fill(all[:])
	for i, x := range all {
		l.set(i, x)
	}
}

// TestColorsKeepTheOrderOfEveryBody: no dynamic body occurs twice in a color, and each body meets its
// contacts in the order of the pairs.
func TestColorsKeepTheOrderOfEveryBody(t *testing.T) {
	for name, build := range goldenScenes(t) {
		s, dt, _ := build()
		s.step(dt, 120)
		sv := &s.solver
		lastTask, lastColour := map[int32]int32{}, map[int32]int{}
		seen := 0
		for colour, span := range sv.coloring.colors {
			for i := span.first; i < span.end; i++ {
				for _, at := range sv.packs[i].constraintIndex {
					if at < 0 {
						continue
					}
					seen++
					k := &sv.coloring.constraints[at]
					for _, body := range [2]int32{k.a, k.b} {
						if sv.masses[body].invMass == 0 {
							continue
						}
						if before, ok := lastTask[body]; ok && (before > at || lastColour[body] == colour) {
							t.Fatalf("%s: body %d has contact %d in colour %d after %d in %d", name, body, at,
								colour, before, lastColour[body])
						}
						lastTask[body], lastColour[body] = at, colour
					}
				}
			}
		}
		if seen != len(sv.coloring.constraints) {
			t.Errorf("%s: %d of %d manifolds are solved", name, seen, len(sv.coloring.constraints))
		}
	}
}

// TestAContactWithoutWarmStartLosesItsApproachInOnePass: up to what corners that take turns leave. Nothing
// of the substep before helps it.
func TestAContactWithoutWarmStartLosesItsApproachInOnePass(t *testing.T) {
	for _, c := range []struct {
		size r3.Vec
		left float64
	}{{r3.V(0.5, 0.3, 0.1), 1e-3}, {r3.V(1, 0.1, 0.1), 0.04}} {
		s := newScene(t, 0.5, earth())
		s.ground()
		s.body(shape.BoxOf(c.size), 1, at(0, 0, c.size.Z/2), 0)
		s.stepChecked(0.001, 20)
		so := &s.solver
		if len(so.reweighted) != 1 || len(so.batches) != 1 {
			t.Fatalf("%d contacts in %d batches, want one", len(so.reweighted), len(so.batches))
		}
		e, b := &so.reweighted[0], &so.batches[0]
		e.noWarmStart = true
		for k := range 4 {
			so.rows[int(b.firstRow)+k].impulse[e.lane] = 0
		}
		body := &so.states[max(b.a[e.lane], b.b[e.lane])]
		body.v, body.w = r3.V(0, 0, -0.01), r3.Vec{}
		so.solveBatches(0, 1, &so.relaxIteration)
		if left := (body.v.Len() + body.w.Len()*c.size.Len()/2) / 0.01; left > c.left {
			t.Errorf("a box of %v m: a pass leaves a part of %v of the approach, want at most %v", c.size, left,
				c.left)
		}
	}
}
