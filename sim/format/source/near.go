package source

import (
	"fmt"
	"maps"
	"slices"

	"simdeck/sim/scene"
)

// Near ends the message that a name is not known: it asks whether the candidate that is spelled most like it
// was meant. Empty when none is near.
func Near(name string, candidates []string) string {
	if near := scene.Suggest(name, candidates); near != "" && near != name {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// NearKey is Near with the keys of a map.
func NearKey[V any](name string, known map[string]V) string {
	return Near(name, slices.Sorted(maps.Keys(known)))
}
