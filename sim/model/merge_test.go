package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// absorbByRescanning does what absorbMassless does: it scans all joints again after each that is held still.
func absorbByRescanning(c *compiler, sets linalg.DisjointSets[int]) (held []string) {
	empty := func(set int) bool {
		if sets.Find(len(c.Spec.Links)) == set {
			return false
		}
		for i := range c.Spec.Links {
			if sets.Find(i) == set && (c.linkMasses[i].Mass > 0 || len(c.Spec.Links[i].Collisions) > 0) {
				return false
			}
		}
		return true
	}
	for again := true; again; {
		again = false
		hanging := make([]int, len(c.Spec.Links)+1)
		for i := range c.Spec.Joints {
			j := &c.Spec.Joints[i]
			if a, b := sets.Find(c.attachLink(j)), sets.Find(j.Child); a != b && j.Kind != scene.Floating {
				hanging[a]++
				hanging[b]++
			}
		}
		for i := range c.Spec.Joints {
			j := &c.Spec.Joints[i]
			a, b := sets.Find(c.attachLink(j)), sets.Find(j.Child)
			if a != b && j.Kind != scene.Floating &&
				(hanging[a] == 1 && empty(a) || hanging[b] == 1 && empty(b)) {
				held = append(held, fmt.Sprintf("joint %q is held still: one of its links has neither mass nor collision shapes",
					j.Name))
				sets.Union(a, b)
				again = true
				break
			}
		}
	}
	return held
}

func TestLinksWithoutMassAreAbsorbedInTheOrderOfTheirJoints(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range 500 {
		n := 2 + random.IntN(14)
		m := &scene.ModelSpec{Name: "m", Links: make([]scene.Link, n)}
		c := &compiler{Model: &Model{Spec: m}, linkMasses: make([]shape.Mass, n)}
		for i := range c.linkMasses {
			if random.IntN(3) == 0 {
				c.linkMasses[i].Mass = 1
			}
		}
		fixed := linalg.DisjointSets[int]{}.Reset(n + 1)
		for i := range n + random.IntN(4) {
			j := scene.Joint{Name: fmt.Sprint("j", i), Child: random.IntN(n), Parent: random.IntN(n+1) - 1,
				Kind: []scene.JointKind{scene.Revolute, scene.Ball, scene.Floating,
					scene.Fixed}[random.IntN(4)]}
			if j.Parent == j.Child {
				continue
			}
			if m.Joints = append(m.Joints, j); c.isFixed(&j) {
				fixed.Union(c.attachLink(&j), j.Child)
			}
		}
		sets, want := slices.Clone(fixed), slices.Clone(fixed)
		c.absorbMassless(sets)
		held := absorbByRescanning(c, want)
		total += len(held)
		if len(held) != len(c.Notes) {
			t.Fatalf("%d joints are held still, want %d", len(c.Notes), len(held))
		}
		for i, n := range c.Notes {
			if n.Text != held[i] {
				t.Fatalf("note %d is %q, want %q", i, n.Text, held[i])
			}
		}
		for i := range sets {
			if sets.Find(i) != want.Find(i) {
				t.Fatalf("link %d is in the set of %d, want %d", i, sets.Find(i), want.Find(i))
			}
		}
	}
	if total < 100 {
		t.Errorf("only %d joints were held still in all", total)
	}
}
