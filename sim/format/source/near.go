package source

import (
	"maps"
	"slices"

	"simdeck/sim/scene"
)

// Near is scene.DidYouMean, for readers that know no scene.
func Near(name string, candidates []string) string {
	return scene.DidYouMean(name, candidates)
}

// NearKey is Near with the keys of a map.
func NearKey[V any](name string, known map[string]V) string {
	return Near(name, slices.Sorted(maps.Keys(known)))
}
