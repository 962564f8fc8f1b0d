package tour

import (
	"strings"
	"testing"

	"simdeck/ui/canvas"
)

func draw(t *Tour, w int) string {
	g := canvas.NewCellBuffer(w, 12)
	t.Draw(g.All(), func(action string) string { return "<" + action[strings.Index(action, ".")+1:] + ">" })
	return g.Plain()
}

func TestEachStepEndsWithItsActionAndTheLastEndsTheTour(t *testing.T) {
	var tour Tour
	if strings.TrimSpace(draw(&tour, 80)) != "" {
		t.Error("a tour that was not begun shows something")
	}
	tour.Next()
	for i, s := range steps {
		if got := draw(&tour, 80); !strings.Contains(got, s.title) || strings.Contains(got, "{") {
			t.Errorf("step %d shows\n%s", i+1, got)
		}
		tour.Did("map.left")
		tour.Did(steps[(i+2)%Steps].ends[0])
		if got := draw(&tour, 80); !strings.Contains(got, s.title) {
			t.Errorf("step %d ended by another action", i+1)
		}
		tour.Did(s.ends[0])
	}
	if tour.On() {
		t.Error("it goes on after its last step")
	}
}

func TestAllOfAStepIsShownInNarrowWindows(t *testing.T) {
	for _, w := range []int{40, 60, 200} {
		var tour Tour
		for range Steps {
			tour.Next()
			words := strings.Fields(strings.ReplaceAll(draw(&tour, w), "│", " "))
			none := func(string) string { return "" }
			for _, want := range strings.Fields(spoken(steps[tour.at-1].text, none)) {
				found := false
				for _, word := range words {
					found = found || strings.Contains(word, want)
				}
				if !found {
					t.Errorf("%d columns: step %d lacks %q", w, tour.at, want)
				}
			}
		}
	}
}
