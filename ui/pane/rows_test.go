package pane

import (
	"math/rand/v2"
	"testing"
)

func TestTheCursorStaysAmongTheRowsAndInSight(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var r Rows
	for range 5000 {
		switch random.IntN(6) {
		case 0:
			r.fit(random.IntN(50), random.IntN(20))
		case 1:
			r.Move(random.IntN(21) - 10)
		case 2:
			r.Page(float64(random.IntN(5) - 2))
		case 3:
			r.Top()
		case 4:
			r.Bottom()
		case 5:
			r.Click(random.IntN(25) - 2)
		}
		first, end := r.window()
		if r.count == 0 && r.Cursor == 0 {
			continue
		}
		if r.Cursor < 0 || r.Cursor >= r.count || r.Cursor < first || r.Cursor >= end || first < 0 ||
			end > r.count {
			t.Fatalf("cursor %d of %d rows, window %d to %d", r.Cursor, r.count, first, end)
		}
	}
}

func TestAClickHitsTheRowUnderIt(t *testing.T) {
	r := Rows{header: 1}
	r.fit(30, 10)
	r.Move(15)
	if first, _ := r.window(); !r.Click(3) || r.Cursor != first+2 {
		t.Errorf("line 3 selected row %d", r.Cursor)
	}
	if r.Click(0) {
		t.Error("the titles were taken for a row")
	}
	r.fit(3, 10)
	if r.Click(9) {
		t.Error("a line below the last row was taken for a row")
	}
}
