package dynamics

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestNoProductIsFusedIntoASum compiles the bit-reproducible packages for machines on which Go fuses x*y + z
// into one rounding, and reads the assembly. A finding is cured by writing float64(x*y) + z.
func TestNoProductIsFusedIntoASum(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	fused := regexp.MustCompile(`\b(FN?M(ADD|SUB)[SD]|VFN?M(ADD|SUB)[0-9A-Z]+)\b`)
	packages := []string{"simdeck/sim/r3", "simdeck/sim/shape", "simdeck/sim/transmission", "simdeck/sim/dynamics/..."}
	for _, target := range [][]string{
		{"GOARCH=arm64"}, {"GOARCH=amd64", "GOAMD64=v3"},
	} {
		args := []string{"build", "-o", os.DevNull}
		for _, p := range packages {
			args = append(args, "-gcflags="+p+"=-S")
		}
		cmd := exec.Command("go", append(args, packages...)...)
		cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
		cmd.Env = append(cmd.Env, target...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: go build: %v\n%s", target, err, out)
		}
		if !strings.Contains(string(out), "simdeck/sim/dynamics.(*World).Step") {
			t.Fatalf("%v: the compiler printed no assembly of World.Step", target)
		}
		found := 0
		for line := range strings.Lines(string(out)) {
			if fused.MatchString(line) {
				if found++; found <= 20 {
					t.Errorf("%v: %s", target, strings.TrimSpace(line))
				}
			}
		}
	}
}
