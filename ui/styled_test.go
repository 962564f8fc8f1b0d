package ui_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

// TestColoursAreAsKept compares the colors of every pane at every size, on dark, on light and without any, by
// a hash of the terminal's output. TestFramesAreAsKept compares the letters.
func TestColoursAreAsKept(t *testing.T) {
	var got strings.Builder
	looks := []struct{ name, theme, back string }{{"dark", "safe", "dark"}, {"light", "safe", "light"},
		{"16 colours", "ansi", "dark"}, {"no colour", "mono", ""}}
	for _, pane := range []string{"entities", "map", "detail", "poses", "state", "log", "notes", "camera",
		"charts", "graph"} {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			seen := map[string]string{}
			for _, look := range looks {
				change := func(c *ui.Config) {
					c.Capabilities.Connection, c.Capabilities.Graph, c.Theme, c.Back = link, graph,
						look.theme, look.back
				}
				uitest.Open(t, uitest.Room(), size[0], size[1], shipped(t), change, func(d *uitest.Driver) {
					d.Press("view." + pane)
					d.Wait(1100e6)
					content := d.Model.View().Content
					if other := seen[content]; other != "" {
						d.T.Errorf("%s at %v looks the same %s and %s", pane, size, look.name, other)
					}
					seen[content] = look.name
					if coloured := strings.Contains(content, ";38;") ||
						strings.Contains(content, "\x1b[0;3"); look.theme == "mono" && coloured {
						d.T.Errorf("%s at %v has colours without any", pane, size)
					}
					fmt.Fprintf(&got, "%-9s %3dx%-3d %-10s %x\n", pane, size[0], size[1], look.name,
						sha256.Sum256([]byte(content)))
				})
			}
		}
	}
	file := filepath.Join("testdata", "colours.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(kept) || line != kept[i] {
			t.Errorf("other colours: %s (go test ./ui -update, if it is meant so)", line)
		}
	}
}
