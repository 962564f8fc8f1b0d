package format

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

func TestASidecarSaysHowMovingMeshesAreCut(t *testing.T) {
	for text, want := range map[string]scene.Convex{
		`{}`: {}, `{"convex":{}}`: {}, `{"convex":{"parts":1}}`: {Parts: 1},
		`{"convex":{"parts":8,"error":0.2}}`: {Parts: 8, Error: 0.2},
	} {
		if info, err := parseSidecar([]byte(text), "m.sdf"); err != nil || info.Convex != want {
			t.Errorf("%s: %+v, %v; want %+v", text, info.Convex, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"convex":{"parts":0}}`: "0 parts; want 1 to 64", `{"convex":{"parts":65}}`: "65 parts",
		`{"convex":{"error":0}}`: "an error of 0", `{"convex":{"hulls":1}}`: "unknown field",
	} {
		if _, err := parseSidecar([]byte(text), "m.sdf"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
