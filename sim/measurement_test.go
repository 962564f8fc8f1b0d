package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// Each type of Measurement must be made, published and shown: where its name is missing, so is its case.
func TestEveryMeasurementIsHandledByAllWhoSwitchOverThem(t *testing.T) {
	types := map[string]bool{}
	for k := scene.SensorKind(1); k <= scene.Altimeter; k++ {
		m := NewMeasurement(k)
		if (m == nil) != (k == scene.OtherSensor) {
			t.Errorf("sensor kind %d has the measurement %T", k, m)
		}
		if m != nil {
			types[strings.TrimPrefix(fmt.Sprintf("%T", m), "*sim.")] = true
		}
	}
	sealed := regexp.MustCompile(`func \(\*(\w+)\) isMeasurement\(\)`)
	for _, m := range sealed.FindAllStringSubmatch(source(t, "."), -1) {
		if !types[m[1]] {
			t.Errorf("no kind of sensor has a %s: NewMeasurement must make it", m[1])
		}
	}
	for _, dir := range []string{"sensing", "../ros/serve/robot", "../ui/pane"} {
		text := source(t, dir)
		for name := range types {
			if !regexp.MustCompile(`\bsim\.` + name + `\b`).MatchString(text) {
				t.Errorf("%s handles no sim.%s", dir, name)
			}
		}
	}
}

// source is the code of a folder, without tests.
func source(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
