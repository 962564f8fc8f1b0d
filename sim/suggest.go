package sim

import (
	"fmt"

	"simdeck/sim/scene"
)

// suggest suggests the entity whose name is most like the one asked for.
func suggest(name string, all []*entity) string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	if best := scene.Suggest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
