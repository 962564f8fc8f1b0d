package ui_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"

	"simdeck/ui"
	"simdeck/ui/uitest"
)

func console(tb testing.TB, backend *uitest.Backend, w, h int) *ui.Model {
	tb.Helper()
	now := time.Unix(0, 0)
	m, err := ui.New(ui.Config{Backend: backend, Keymap: shipped(tb),
		Now: func() time.Time { now = now.Add(34 * time.Millisecond); return now }})
	if err != nil {
		tb.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// BenchmarkFrame is a frame of a world that moves: look at the newest picture,
// order, draw, and write the whole window.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			b.Run(fmt.Sprintf("entities=%d/%dx%d", n, size[0], size[1]), func(b *testing.B) {
				backend := uitest.Many(n)
				m := console(b, backend, size[0], size[1])
				b.ReportAllocs()
				var cpu time.Duration // of a core; others may run in between
				for b.Loop() {
					b.StopTimer()
					backend.Advance(8)
					before := processor(b)
					b.StartTimer()
					m.Frame()
					if len(m.View().Content) == 0 {
						b.Fatal("an empty frame")
					}
					b.StopTimer()
					cpu += processor(b) - before
					b.StartTimer()
				}
				b.ReportMetric(cpu.Seconds()*1e3/float64(b.N), "ms-core/frame")
			})
		}
	}
}

// BenchmarkFrameSortedByX is the same while rows change places.
func BenchmarkFrameSortedByX(b *testing.B) {
	backend := uitest.Many(10000)
	m := console(b, backend, 120, 40)
	for range 3 {
		m.Update(uitest.KeyPress(">"))
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		backend.Advance(8)
		b.StartTimer()
		m.Frame()
		m.View()
	}
}

// BenchmarkBubblesTable is the table alone, as bubbles would draw it.
func BenchmarkBubblesTable(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		b.Run(fmt.Sprintf("entities=%d/120x40", n), func(b *testing.B) {
			backend := uitest.Many(n)
			columns := []table.Column{{Title: "name", Width: 20}, {Title: "x", Width: 8},
				{Title: "y", Width: 8}, {Title: "z", Width: 8}}
			t := table.New(table.WithColumns(columns), table.WithHeight(36), table.WithWidth(60))
			b.ReportAllocs()
			for b.Loop() {
				s := backend.Snapshot()
				rows := make([]table.Row, n)
				for i := range rows {
					p := s.Entities[i].Pose.Pos
					f := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
					rows[i] = table.Row{s.Model.Entities[i].Name, f(p.X), f(p.Y), f(p.Z)}
				}
				t.SetRows(rows)
				if t.View() == "" {
					b.Fatal("an empty table")
				}
			}
		})
	}
}

// TestAFrameOfTenThousandEntitiesIsCheap guards the order of magnitude; the
// benchmark has the figures.
func TestAFrameOfTenThousandEntitiesIsCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	backend := uitest.Many(10000)
	m := console(t, backend, 200, 60)
	m.View()
	best := time.Hour
	for range 20 {
		backend.Advance(8)
		begin := time.Now()
		m.Frame()
		m.View()
		best = min(best, time.Since(begin))
	}
	if best > 50*time.Millisecond {
		t.Errorf("the fastest of 20 frames took %v", best)
	}
}
