package source

import (
	"fmt"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// nominalSizes are usual sizes of things, in metres along x, y and z, by a word in their names. A model that
// is not there is shown by a box of that size.
var nominalSizes = map[string]r3.Vec{
	"barrel": r3.V(0.6, 0.6, 0.9), "barrier": r3.V(3, 0.6, 0.8), "bed": r3.V(2, 1.4, 0.5),
	"bin": r3.V(0.5, 0.5, 0.7), "bookshelf": r3.V(0.9, 0.4, 2), "bottle": r3.V(0.07, 0.07, 0.25),
	"bowl": r3.V(0.15, 0.15, 0.07), "box": r3.V(0.5, 0.5, 0.5), "cabinet": r3.V(0.8, 0.45, 1.8),
	"can": r3.V(0.07, 0.07, 0.12), "car": r3.V(4.3, 1.8, 1.5), "cart": r3.V(1, 0.6, 0.9),
	"chair": r3.V(0.5, 0.5, 0.9), "cone": r3.V(0.4, 0.4, 0.7), "couch": r3.V(2, 0.9, 0.8),
	"crate": r3.V(0.5, 0.5, 0.5), "cube": r3.V(0.5, 0.5, 0.5), "cup": r3.V(0.08, 0.08, 0.1),
	"desk": r3.V(1.5, 0.75, 0.75), "drum": r3.V(0.6, 0.6, 0.9), "extinguisher": r3.V(0.2, 0.2, 0.6),
	"female": r3.V(0.4, 0.6, 1.7), "fridge": r3.V(0.6, 0.65, 1.8), "hydrant": r3.V(0.4, 0.4, 0.8),
	"lamp": r3.V(0.4, 0.4, 1.5), "male": r3.V(0.4, 0.6, 1.8), "man": r3.V(0.4, 0.6, 1.8),
	"monitor": r3.V(0.2, 0.55, 0.45), "mug": r3.V(0.08, 0.08, 0.1), "pallet": r3.V(1.2, 0.8, 0.145),
	"person": r3.V(0.4, 0.6, 1.75), "plant": r3.V(0.5, 0.5, 1), "rack": r3.V(2.7, 1, 2.5),
	"shelf": r3.V(0.9, 0.4, 2), "sink": r3.V(0.6, 0.6, 0.9), "sofa": r3.V(2, 0.9, 0.8),
	"stool": r3.V(0.4, 0.4, 0.6), "suitcase": r3.V(0.25, 0.45, 0.65), "table": r3.V(1.5, 0.8, 0.75),
	"toilet": r3.V(0.7, 0.4, 0.75), "trashcan": r3.V(0.5, 0.5, 0.7), "tree": r3.V(2, 2, 4),
	"truck": r3.V(7, 2.5, 3), "van": r3.V(5.2, 2, 2.2), "visitor": r3.V(0.4, 0.6, 1.75),
	"wardrobe": r3.V(1, 0.6, 2), "woman": r3.V(0.4, 0.6, 1.7),
}

// StandIn is the box that stands in for a model which is not there.
type StandIn struct {
	Centre r3.Vec // in the model's frame
	Size   r3.Vec // m
	// Solid is a box with a collision shape. One of an unknown size is none: it could push aside what stands
	// in the room that the model is.
	Solid bool
}

// unknownSize is the size of a model of which nothing is known, in metres.
var unknownSize = r3.V(1, 1, 1)

// StandInFor is the box for a model of a name. It has the model's bounds where they are known, else the usual
// size of a thing of that name, on the ground. Else it is a cube of 1 m without collisions.
func StandInFor(name string, known scene.Bounds) StandIn {
	box := known.Box()
	if size := box.Max.Sub(box.Min); size.X > 0 && size.Y > 0 && size.Z > 0 && size.MaxAbs() <= MostDistance {
		return StandIn{Centre: box.Min.Add(box.Max).Scale(0.5), Size: size, Solid: true}
	}
	words := nameWords(name)
	for i := len(words) - 1; i >= 0; i-- { // "pallet box" is a box
		if size, ok := nominalSizes[words[i]]; ok {
			return StandIn{Centre: r3.V(0, 0, size.Z/2), Size: size, Solid: true}
		}
	}
	return StandIn{Centre: r3.V(0, 0, unknownSize.Z/2), Size: unknownSize}
}

// String says what it is, for notes.
func (s StandIn) String() string {
	if !s.Solid {
		return fmt.Sprintf("a box of %g × %g × %g m without collisions stands in", s.Size.X, s.Size.Y,
			s.Size.Z)
	}
	return fmt.Sprintf("a box of %.3g × %.3g × %.3g m stands in", s.Size.X, s.Size.Y, s.Size.Z)
}

// nameWords are the words of a name, in lower case: FoldableChair and foldable_chair_2 have a chair.
func nameWords(name string) []string {
	var b strings.Builder
	before := ' '
	for _, c := range name {
		if upper := c >= 'A' && c <= 'Z'; upper && before >= 'a' && before <= 'z' {
			b.WriteByte(' ')
		}
		before = c
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteRune(c)
		} else {
			b.WriteByte(' ')
		}
	}
	words := strings.Fields(strings.ToLower(b.String()))
	for i, w := range words {
		if _, known := nominalSizes[w]; !known {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return words
}
