package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
)

// pile is a world of n boxes in the same place.
func pile(n int) string {
	text := `<sdf version="1.9"><world name="pile">`
	for i := range n {
		text += fmt.Sprintf(`<model name="b%d"><pose>0 0 1 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>`,
			i)
	}
	return text + `</world></sdf>`
}

func TestCheckRefusesWhatALoadWouldByTheSameLimits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pile.sdf")
	if err := os.WriteFile(file, []byte(pile(70)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := checks(t, file)
	if !errors.Is(err, sim.ErrLimit) || ExitCode(err) != 3 ||
		!strings.Contains(err.Error(), `entity "b64"`) || !strings.Contains(err.Error(), "at most 64") {
		t.Errorf("70 boxes in one place: %v", err)
	}
	for _, limits := range []string{"overlaps=0", "overlaps=70,loop=5"} {
		if out, _, err := checks(t, file, "--limits", limits); err != nil ||
			!strings.Contains(out, "70 models") {
			t.Errorf("--limits %s: %v\n%s", limits, err, out)
		}
	}
	if _, _, err := checks(t, file, "--limits", "overlap=70"); !errors.Is(err, ErrUsage) ||
		!strings.Contains(err.Error(), "overlaps=64") {
		t.Errorf("a limit that is none: %v", err)
	}
}
