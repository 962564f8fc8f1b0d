package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
)

// FuzzConfig reads any text as simdeck.yaml: the settings that come of it are within their bounds, or the
// error says which file.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"rtf: 2\nstep: 2ms\nseed: 7\npath: [a, b]\nno-ros: true\n",
		"domain: 1e400\n", "rtf: .nan\n", "step: 1" + zeros(308) + "s\n", "workers: 0x1p99\n",
		"a: &a [*a, *a]\n", "limits: overlaps=1" + zeros(308), "RTF: -0\n", "seed: -1",
		"duration: 99999999999h", "---\n---\n", "\x00", "path: {a: b}\n", "log-level: \"\\e[2J\"\n"} {
		f.Add([]byte(text))
	}
	keys, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(f.TempDir(), "simdeck.yaml")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s := &session{Program: Program{Keymap: keys},
			environ: []string{"SIMDECK_CONFIG=" + file, "HOME=/nowhere"}}
		flags := pflag.NewFlagSet("simdeck", pflag.ContinueOnError)
		declare(flags, simulate|lookup|view|past|ssh|several)
		o, _, err := s.options(flags, "world.sdf")
		if err != nil {
			if errors.Is(err, ErrUsage) || len(oneLine(err)) < 4096 {
				return
			}
			t.Fatalf("an error of %d bytes", len(oneLine(err)))
		}
		if o.RealTime != o.RealTime || o.RealTime > 1e9 || o.Step < 0 || o.Workers < 0 || o.ROS.Domain < 0 ||
			o.ROS.Domain > 232 || o.Duration < 0 {
			t.Fatalf("%q: %+v", text, o)
		}
	})
}

func zeros(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}
