package dynamics

import (
	"flag"
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
)

var (
	soakSteps = flag.Int("soak", 0,
		"how many steps small random worlds are run for; make soak: 1000000; 0: those worlds that were hard")
	soakSeed = flag.Int("soak-seed", -1, "the only small random world to run")
)

// soakHard are seeds of worlds that have violated a bound:
//
//   - heaps: joints with far anchors that separated; rolling friction that started rotation; light bodies
//     that turn far within a substep
//   - heaps: heavy bodies that light ones between them threw, or a limit left to a light rod (350)
//   - heaps: heavy bodies that sank into light ones (378, and from 630 on all but 845 and 878)
//   - rings: far joints that iterations did not hold, or at the limit of their reach (68, 487)
//   - trees and loops: fast floating trees, fast loops in trees, far slides on rotating bodies (236)
//   - trees and loops: floating ones that an impact turns by far lost momentum (68, 82, 89, 134, 424, 528)
//   - trees: energy gained by restitution at several contacts (421) and by moves that contacts bend (446,
//     468, 662)
//   - trees and loops: light links under load that sank or that friction pushed (9, 336, 984, 1074 and
//     more)
//   - loops: energy of rotation gained by momenta that links carry (66)
//   - loops: those that passes solved (475, 604, 720, 830)
//   - loops: those that cannot close, which rows that close them threw (745, 851, 972, 1022, 1120,
//     1130, 1331)
var soakHard = [...][]int{
	soakHeaps: {
		39, 72, 104, 111, 112, 188, 237, 264, 266, 286, 350, 378, 393, 415, 432, 484, 495, 544, 555, 630, 654,
		845, 846, 878, 964,
		1061, 1087, 1378, 1475, 1573, 1895, 1985, 2012, 2198, 2865,
	},
	soakRings: {0, 4, 68, 131, 487},
	soakTrees: {12, 23, 52, 53, 68, 82, 90, 134, 146, 149, 155, 224, 236, 271, 290, 308, 314, 343, 421, 432,
		446, 468, 528, 535, 662, 705, 731, 766, 857, 984, 1260, 1421, 1665, 1908},
	soakLoops: {9, 12, 22, 28, 53, 58, 63, 66, 73, 89, 90, 91, 104, 336, 424, 475, 604, 720, 745, 830, 851,
		972, 1022, 1074, 1119, 1120, 1130, 1299, 1311, 1331, 1376, 1906, 1952},
}

// soakKnown are seeds of worlds that violate a bound, and why. The table may only shrink: who mends a world
// moves its seed to soakHard.
var soakKnown = [...]map[int]string{
	soakHeaps: {
		440: "three bodies in one gain 2.004 % of their motion, at steps of 17 ms",
	},
	soakRings: {
		461: "a ring with motors lifts itself slowly, at steps of 17 ms",
		532: "a universal joint with a narrow range parts by 4 %",
		546: "a body stays 13 mm deep in one link of a ring, between it and another",
	},
	soakTrees: {
		320: "momentum off by 3e-4",
		498: "an overlap of 9 mm in one step of 17 ms, whose recovery lifts a robot",
		721: "a slow swing gains 2.5 %",
	},
	soakLoops: {
		725: "a fast loop gains 2.3 %",
	},
}

// expectedFailure takes the fault of a world that is known to have one.
type expectedFailure struct {
	testing.TB
	faults int
}

func (e *expectedFailure) Errorf(string, ...any) { e.faults++ }

const (
	// soakEach is the number of steps of a world. In the first soakPerturbed of them bodies are hit.
	soakEach, soakPerturbed = 1000, 700
	// soakWindow is the time, s, within which springs of contacts, limits and joints return their energy.
	soakWindow = 0.1
	// soakGain is the tolerated energy gain, as a part of kinetic energy and of the work that lifts all
	// bodies by the smallest. Overlap recovery and joint projection do such work. The work of motors is no
	// gain.
	soakGain = 0.02
	// soakDeep is the largest overlap in an impact, and soakLies that at rest, in sizes of the smallest body.
	// A body 10,000 times as heavy sinks into a light one.
	soakDeep, soakLies = 2, 0.35
	// soakApart is the largest separation of a joint relative to its reach, and soakHeld that at rest.
	soakApart, soakHeld = 0.35, 0.02
	// soakPush is the largest change of momentum without external forces, relative to the sum of all momenta.
	soakPush = 1e-9
	// soakCarried is the same for trees in reduced coordinates. An impact that turns links far within a
	// substep may cost momentum, so that it never gains energy.
	soakCarried = 2e-4
)

// soak is the record of a world that runs.
type soak struct {
	*soakWorld
	least  float64   // J, least peak of a window so far
	top    float64   // J, peak of this window
	moved  float64   // J, largest kinetic energy
	window uint64    // last step of this window
	push   r3.Vec    // N·s
	given  float64   // J, bound of the motors' work so far
	were   []float64 // positions of the joints before the step
	gain   float64   // part of moved and of the weight
	depth  float64   // smallest bodies
	apart  float64   // reaches of a joint
	stray  float64   // part of all momenta
}

// TestSmallWorldsKeepToTheirBounds runs small random worlds of bodies of all shapes and sizes, free and on
// joints of all kinds. All numbers stay finite, energy never rises, overlaps recover, joints hold, and
// momentum is conserved. A second run with two workers gives the same bits.
func TestSmallWorldsKeepToTheirBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 42 s")
	}
	for kind, seeds := range soakHard {
		t.Run(soakKind(kind).String(), func(t *testing.T) {
			known := soakKnown[kind]
			if *soakSeed >= 0 {
				seeds, known = []int{*soakSeed}, nil
			} else if *soakSteps > 0 {
				seeds = nil
				for seed := range *soakSteps / soakEach {
					seeds = append(seeds, seed)
				}
				seeds = slices.DeleteFunc(seeds, func(seed int) bool { return known[seed] != "" })
			}
			for seed, why := range known {
				e := &expectedFailure{TB: t}
				if runSoak(e, soakKind(kind), uint64(seed), nil); e.faults == 0 {
					t.Errorf("%v, seed %d keeps its bounds now, want it in soakHard; it was known for: %s",
						soakKind(kind), seed, why)
				}
			}
			runSoaks(t, soakKind(kind), seeds)
		})
	}
}

// runSoaks runs worlds of a kind.
func runSoaks(t *testing.T, kind soakKind, seeds []int) {
	worst := soak{}
	for _, seed := range seeds {
		s := runSoak(t, kind, uint64(seed), nil)
		if s == nil {
			continue
		}
		worst.gain, worst.depth, worst.apart, worst.stray = max(worst.gain, s.gain),
			max(worst.depth, s.depth), max(worst.apart, s.apart), max(worst.stray, s.stray)
		if seed%8 != 0 {
			continue
		}
		workers := NewWorkers(2, nil)
		workers.alwaysSplit = true
		workers.Start()
		if again := runSoak(t, kind, uint64(seed), workers); again != nil && again.Hash() != s.Hash() {
			s.fault("ends with the hash %016x, and with two workers with %016x", s.Hash(), again.Hash())
		}
		workers.Stop()
	}
	t.Logf("%d worlds of %d steps: gained %.3g, deepest %.3g, joints parted by %.3g, momentum off by %.3g",
		len(seeds), soakEach, worst.gain, worst.depth, worst.apart, worst.stray)
}

// fault reports a violated bound, and the command that runs its world alone.
func (s *soak) fault(format string, args ...any) {
	s.Helper()
	s.Errorf("%v, seed %d, step %d of %v s, %d bodies of %.3g m and more, %d joints: "+format+
		"; see go test ./sim/dynamics -run SmallWorlds/%[1]v -soak-seed %[2]d",
		append([]any{s.kind, s.number, s.Steps(), s.dt, len(s.added), s.size, len(s.joints)}, args...)...)
}

// runSoak runs the world of a seed; nil after a failure.
func runSoak(t testing.TB, kind soakKind, seed uint64, workers *Workers) *soak {
	s := &soak{soakWorld: newSoakWorld(t, kind, seed)}
	s.World.cfg.Workers = workers
	s.forget()
	for i := range soakEach {
		if i < soakPerturbed && s.r.IntN(300) == 0 {
			s.perturb(s.added[s.r.IntN(len(s.added))])
			s.forget()
		}
		s.note()
		if err := s.Step(s.dt); err != nil {
			s.fault("%v", err)
			return nil
		}
		if i%64 == 0 {
			if err := s.Validate(); err != nil {
				s.fault("%v", err)
				return nil
			}
		}
		if !s.look(i) {
			return nil
		}
	}
	if d, g := s.deepest()/s.size, s.parted(); d > soakLies || g > soakHeld {
		s.fault("at the end things lie %.3g m in each other and joints are parted by %.3g of their reach",
			d*s.size, g)
	}
	return s
}

// forget restarts the record after a change of the world from outside.
func (s *soak) forget() {
	s.least, s.top, s.moved = math.Inf(1), math.Inf(-1), 0
	s.window = s.Steps() + 1 + uint64(soakWindow/s.dt)
	s.push, _ = s.momentum()
}

// look checks the world after a step; false after a failure.
func (s *soak) look(step int) bool {
	s.Helper()
	e, moved := s.stored()
	s.pay()
	e -= s.given
	s.moved = max(s.moved, moved)
	gain := (e - s.least) / (s.moved + s.weight()*s.size)
	s.gain = max(s.gain, gain)
	if !(gain <= soakGain) {
		s.fault("has %.6g J, had had %.6g J, of which %.6g J moved, beside %.6g J from motors", e, s.least,
			s.moved, s.given)
		return false
	}
	if s.top = max(s.top, e); s.Steps() >= s.window {
		s.least, s.top, s.window = min(s.least, s.top), math.Inf(-1), s.Steps()+1+uint64(soakWindow/s.dt)
	}
	if s.space {
		p, _ := s.momentum()
		stray := p.Dist(s.push) / (s.momenta() + 1e-300)
		s.stray = max(s.stray, stray)
		if most := map[bool]float64{false: soakPush,
			true: soakCarried}[s.kind >= soakTrees]; !(stray <= most) {
			s.fault("momentum %v, was %v", p, s.push)
			return false
		}
	}
	if step%4 != 0 {
		return true
	}
	d, g := s.deepest()/s.size, s.parted()
	s.depth, s.apart = max(s.depth, d), max(s.apart, g)
	if d > soakDeep || g > soakApart {
		s.fault("things are %.3g m in each other and joints parted by %.3g of their reach", d*s.size, g)
		return false
	}
	return true
}

// note stores the joints' positions before a step.
func (s *soak) note() {
	s.were = s.were[:0]
	for _, id := range s.joints {
		s.were = append(s.were, s.World.joints.all[id.slot].position)
	}
}

// pay adds the bound of the motors' work in a step: effort times the change of the joint's position.
func (s *soak) pay() {
	for i, id := range s.joints {
		j := &s.World.joints.all[id.slot]
		effort := j.motor.limit
		if j.motor.mode == motorEffort {
			effort = math.Abs(j.motor.target)
		}
		if j.motor.mode != motorOff {
			s.given += effort * math.Abs(j.position-s.were[i])
		}
	}
}

// stored is the total energy with that of springs, and the kinetic energy, J.
func (s *soak) stored() (all, moved float64) {
	for _, b := range s.added {
		m, in := &s.bodies.motion[b.slot], &s.bodies.massProps[b.slot]
		w := m.rot.RotateBack(m.w)
		moved += 0.5*in.mass*m.v.Len2() + 0.5*w.Dot(in.inertia.Apply(w))
		all -= in.mass * m.com.Dot(s.cfg.Gravity)
	}
	for _, id := range s.joints {
		j := &s.World.joints.all[id.slot]
		off := j.position - j.springRest
		if j.kind == Ball && j.articulation != 0 {
			off = s.articulations[j.articulation-1].LinkRotation(j.link).Vector().Len()
		}
		all += 0.5 * j.stiffness * off * off
	}
	for i := range s.articulations {
		moved += s.articulations[i].RotorEnergy()
	}
	return all + moved, moved
}

// weight is the weight of all bodies, N.
func (s *soak) weight() (sum float64) {
	for _, b := range s.added {
		sum += s.bodies.massProps[b.slot].mass * s.cfg.Gravity.Len()
	}
	return sum
}

// momenta is the sum of the magnitudes of the bodies' momenta.
func (s *soak) momenta() (sum float64) {
	for _, b := range s.added {
		sum += s.bodies.massProps[b.slot].mass * s.bodies.motion[b.slot].v.Len()
	}
	return sum
}

// parted is the largest separation of a joint, relative to its reach: at a far anchor a small rotation shows
// much.
func (s *soak) parted() (worst float64) {
	for _, j := range s.joints {
		a, b := s.Joint(j).Bodies()
		worst = max(worst, s.Joint(j).Gap()/(s.size+s.Body(a).COM().Dist(s.Body(b).COM())))
	}
	return worst
}
