package dynamics

import (
	"bytes"
	"testing"
)

// TestCoherentContactsGiveTheBitsOfTestedOnes: contact coherence skips the narrow phase of contacts that have
// moved less than their bound. A world without coherence comes to the same state, including every contact's
// manifold.
func TestCoherentContactsGiveTheBitsOfTestedOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 6 s")
	}
	var seen, skipped int
	for name, build := range goldenScenes(t) {
		s, dt, steps := build()
		all, _, _ := build()
		t.Run(name, func(t *testing.T) {
			compareSkipping(t, s, all, steps, &seen, &skipped, func(s *scene, _ int) { s.step(dt, 1) })
		})
	}
	for kind := range soakHard {
		for seed := range uint64(3) {
			a, b := newSoakWorld(t, soakKind(kind), seed), newSoakWorld(t, soakKind(kind), seed)
			worlds := map[*scene]*soakWorld{a.scene: a, b.scene: b}
			t.Run(soakKind(kind).String(), func(t *testing.T) {
				compareSkipping(t, a.scene, b.scene, 1000, &seen, &skipped, func(s *scene, step int) {
					if w := worlds[s]; step%200 == 99 {
						w.perturb(w.added[w.r.IntN(len(w.added))])
					}
					s.step(a.dt, 1)
				})
			})
		}
	}
	if skipped*4 < seen {
		t.Errorf("%d of %d contacts were skipped, want a quarter at least", skipped, seen)
	}
}

// compareSkipping steps both worlds and invalidates the coherence of all contacts of the second. It counts
// the contacts of the first, and those that were skipped.
func compareSkipping(t *testing.T, s, all *scene, steps int, seen, skipped *int, step func(s *scene, i int)) {
	var a, b []byte
	for i := range steps {
		for _, k := range s.active.contacts {
			if *seen++; s.bodies.stillValid(&s.contacts.all[k]) {
				*skipped++
			}
		}
		all.bodies.invalidateAll()
		step(s, i)
		step(all, i)
		if i%16 > 0 && i < steps-1 {
			continue
		}
		if a, b = s.AppendState(a[:0]), all.AppendState(b[:0]); !bytes.Equal(a, b) {
			t.Fatalf("step %d: the states differ", i+1)
		}
	}
}
