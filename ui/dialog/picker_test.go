package dialog

import (
	"fmt"
	"testing"

	"simdeck/ui/canvas"
)

func TestNamesComeBeforeMentionsAndLettersComeLast(t *testing.T) {
	var p picker
	p.set([]Item{{Name: "copy", Detail: "name and pose"}, {Name: "pose", Detail: "set it"},
		{Name: "Poses", Detail: "go there"}, {Name: "palette", Detail: "find"}})
	for text, want := range map[string][]int{
		"":         {0, 1, 2, 3},
		"pose":     {1, 2, 0},
		"POSE set": {1},
		"plt":      {3},
		"zz":       {},
	} {
		p.line.Set(text)
		p.refilter()
		if fmt.Sprint(p.shown) != fmt.Sprint(want) {
			t.Errorf("%q shows %v, want %v", text, p.shown, want)
		}
	}
	if p.line.Set("zz"); p.selected() != -1 && len(p.shown) == 0 {
		t.Error("something is selected where nothing is shown")
	}
}

func TestThePickedRowStaysInSight(t *testing.T) {
	var items []Item
	for i := range 50 {
		items = append(items, Item{Name: fmt.Sprint("item ", i)})
	}
	var p picker
	p.set(items)
	for i := range 60 {
		g := canvas.NewCellBuffer(30, 8)
		p.draw(g.All(), "x", 0, 6, true)
		if row := p.cursor - p.first; row < 0 || row >= 6 {
			t.Fatalf("row %d of 6 after %d steps", row, i)
		}
		p.key(Key{Action: Down})
	}
	if p.selected() != 49 {
		t.Errorf("the last is 49, picked is %d", p.selected())
	}
	if !p.click(2) || p.selected() != p.shown[p.first+1] || p.click(99) || p.click(0) {
		t.Error("a click picks the wrong row")
	}
}
