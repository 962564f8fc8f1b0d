package ui

import (
	"image"
	"os"
	"strings"
	"testing"
)

func TestEverySizeIsTiledByPanesWithoutGapOrOverlap(t *testing.T) {
	for w := minWidth; w <= 260; w += 7 {
		for h := minHeight; h <= 90; h += 3 {
			l := arrange(w, h, false, (w*h)%40)
			covered := map[image.Point]int{}
			seen := map[paneID]int{}
			for _, s := range l.slots {
				if s.rect.Dx() < 12 || s.rect.Dy() < 3 {
					t.Fatalf("%d×%d has a slot of %v", w, h, s.rect)
				}
				for _, p := range s.panes {
					seen[p]++
				}
				for y := s.rect.Min.Y; y < s.rect.Max.Y; y++ {
					for x := s.rect.Min.X; x < s.rect.Max.X; x++ {
						covered[image.Pt(x, y)]++
					}
				}
			}
			if len(covered) != w*(h-2) {
				t.Fatalf("%d×%d: %d cells are covered, want %d", w, h, len(covered), w*(h-2))
			}
			for p, n := range covered {
				if n != 1 || p.Y < 1 || p.Y >= h-1 {
					t.Fatalf("%d×%d: %v is in %d slots", w, h, p, n)
				}
			}
			for p := range paneCount {
				if seen[p] != 1 {
					t.Fatalf("%d×%d: pane %v has %d places", w, h, p, seen[p])
				}
			}
		}
	}
}

func TestTheTableIsAsHighAsItsRowsAndTheCameraIsTheLargestPane(t *testing.T) {
	for _, size := range []image.Point{{80, 24}, {100, 30}, {120, 40}, {169, 60}, {170, 45}, {200, 60},
		{300, 90}} {
		for _, rows := range []int{0, 3, 9, 12, 1000, 10000} {
			l := arrange(size.X, size.Y, false, rows)
			table := l.slots[l.find(entitiesPane)].rect
			if n := table.Dy() - 3 - rows; n > leastTable-3 {
				t.Errorf("%v: %d lines are empty below %d rows", size, n, rows)
			} else if n < 0 && table.Dy() < size.Y/4 {
				t.Errorf("%v: %d rows have a table of %d lines", size, rows, table.Dy())
			}
			camera := l.slots[l.find(cameraPane)].rect
			for _, s := range l.slots {
				if s.rect != camera && s.rect.Dx()*s.rect.Dy() >= camera.Dx()*camera.Dy() {
					t.Errorf("%v: %v has %v, the camera %v", size, s.panes, s.rect, camera)
				}
			}
		}
	}
	l := arrange(120, 40, false, 9)
	for _, p := range []paneID{entitiesPane, mapPane, cameraPane, detailPane, posesPane, statePane, logPane} {
		if l.slots[l.find(p)].panes[0] != p {
			t.Errorf("%v is not visible without a key", p)
		}
	}
}

func TestEveryStyleHasAPlaceForEveryPane(t *testing.T) {
	for _, main := range []paneID{mapPane, cameraPane, chartsPane} {
		for w := 100; w <= 260; w += 16 {
			for h := 30; h <= 90; h += 7 {
				l, cells := around(w, h, (w*h)%50, main), 0
				for _, s := range l.slots {
					if cells += s.rect.Dx() * s.rect.Dy(); s.rect.Dy() < 5 {
						t.Fatalf("%d×%d has a slot of %v", w, h, s.rect)
					}
				}
				for p := range paneCount {
					if l.find(p) < 0 {
						t.Fatalf("%v: pane %v has no place", main, p)
					}
				}
				if cells != w*(h-2) {
					t.Fatalf("%d×%d: %d cells are covered", w, h, cells)
				}
			}
		}
	}
}

func TestTheCockpitOfADriverFillsEverySize(t *testing.T) {
	for w := minWidth; w <= 260; w += 5 {
		for h := minHeight; h <= 90; h += 3 {
			l := cockpit(w, h, 10)
			cells := l.instruments.Dx() * l.instruments.Dy()
			for _, s := range l.slots {
				if s.rect.Dx() < 12 || s.rect.Dy() < 3 || s.rect.Overlaps(l.instruments) {
					t.Fatalf("%d×%d has a slot of %v beside instruments of %v", w, h, s.rect, l.instruments)
				}
				cells += s.rect.Dx() * s.rect.Dy()
			}
			if cells != w*(h-2) {
				t.Fatalf("%d×%d: %d cells are covered, want %d", w, h, cells, w*(h-2))
			}
			for p := range paneCount {
				if l.find(p) < 0 {
					t.Fatalf("%d×%d: pane %v has no place", w, h, p)
				}
			}
		}
	}
}

func TestAPaneInFocusIsInFrontOfItsSlot(t *testing.T) {
	m := &Model{window: window{layout: arrange(120, 40, false, 9)}}
	m.own()
	for p := range paneCount {
		m.window.goTo(p)
		if !m.window.visible(p) {
			t.Errorf("%v has the keys and is not to be seen", p)
		}
	}
}

func TestTheHeaderDropsLabelsBeforeFacts(t *testing.T) {
	parts := func() []part {
		return []part{{text: "world"}, {label: "entities", text: "12", short: "12 ent", drop: 2},
			{label: "ros", text: "7 · 2 peers", short: "ros 7·2", drop: 1}}
	}
	for _, c := range []struct {
		w    int
		want []string
	}{
		{60, []string{"world", "12", "7 · 2 peers"}},
		{30, []string{"world", "12 ent", "ros 7·2"}},
		{20, []string{"world", "ros 7·2"}},
		{9, []string{"world"}},
		{3, []string{"world"}},
	} {
		var got []string
		for _, p := range squeeze(parts(), c.w) {
			got = append(got, p.text)
		}
		if len(got) != len(c.want) {
			t.Errorf("in %d columns: %q, want %q", c.w, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("in %d columns: %q, want %q", c.w, got, c.want)
			}
		}
	}
}

func TestAFileIsNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := needsTerminal(Config{}, r, w); err == nil || !strings.Contains(err.Error(), "simdeck run") {
		t.Errorf("a pipe was taken for a terminal: %v", err)
	}
	if err := needsTerminal(Config{Input: r, Output: w}, r, w); err != nil {
		t.Errorf("what a test or a session brings is refused: %v", err)
	}
}
