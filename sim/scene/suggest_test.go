package scene

import (
	"strings"
	"testing"
)

func TestTheNearestNameIsTheOneThatWasMeant(t *testing.T) {
	known := []string{"domain", "duration", "namespace", "no-ros", "y", strings.Repeat("n", 100)}
	for name, want := range map[string]string{"domian": "domain", "no_ros": "no-ros", "namspace": "namespace",
		"on-ros": "no-ros",
		"xyz":    "", "x": "", "": "", strings.Repeat("n", 99): ""} {
		if got := Suggest(name, known); got != want {
			t.Errorf("%q is near %q, want %q", name, got, want)
		}
	}
}

func TestAMessageAsksForTheNameThatWasMeantUnlessItIsThatName(t *testing.T) {
	known := []string{"box", "ball"}
	for name, want := range map[string]string{"bal": `; did you mean "ball"?`, "box": "", "cylinder": ""} {
		if got := DidYouMean(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
