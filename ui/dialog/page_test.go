package dialog

import (
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/ui/canvas"
)

func TestALongPageIsReachedToItsEnd(t *testing.T) {
	var lines []PageLine
	for i := range 60 {
		lines = append(lines, PageLine{Left: "key", Text: strings.Repeat("word ", i%9)})
	}
	lines = append(lines, PageLine{Text: "the last line"})
	p := NewPage("x", lines)
	seen := false
	for range 40 {
		g := canvas.NewCellBuffer(40, 12)
		p.Draw(g.All())
		seen = seen || strings.Contains(g.Plain(), "the last line")
		p.Key(Key{Action: PageDown})
	}
	if !seen {
		t.Error("the last line was never shown")
	}
	p.Key(Key{List: "list.top"})
	if p.first != 0 {
		t.Errorf("the top is line %d", p.first)
	}
	for _, k := range []Key{{Action: Cancel}, {Action: Accept}, {List: "app.quit"}, {List: "app.help"}} {
		if !p.Key(k).Close {
			t.Errorf("%+v does not close", k)
		}
	}
}

func TestConfirmTakesYesAndNo(t *testing.T) {
	c := NewConfirm("Delete", "Delete x?", "", "Delete", sim.Delete{Names: []string{"x"}}, "done")
	for _, k := range []Key{{Action: Accept}, {Text: "y"}} {
		if o := c.Key(k); !o.Close || o.Do == nil || o.Done != "done" {
			t.Errorf("%+v gives %+v", k, o)
		}
	}
	for _, k := range []Key{{Action: Cancel}, {Text: "n"}} {
		if o := c.Key(k); !o.Close || o.Do != nil {
			t.Errorf("%+v gives %+v", k, o)
		}
	}
	if o := c.Key(Key{Text: "x"}); o.Close {
		t.Error("x is no answer")
	}
}

func TestScopesAreThoseThatAreTicked(t *testing.T) {
	r := NewReset()
	if r.Scope() != sim.ResetAll {
		t.Errorf("all ticked is %d", r.Scope())
	}
	r.Key(Key{Action: Toggle})
	if r.Scope() != sim.ResetState|sim.ResetTime {
		t.Errorf("without spawned it is %d", r.Scope())
	}
	r.on = [3]bool{}
	if o := r.Key(Key{Action: Accept}); o.Do != nil || o.Close {
		t.Error("nothing was reset")
	}
}

func TestStepsAreCounted(t *testing.T) {
	s := NewSteps(100, "4ms")
	if n, err := s.Count(); n != 100 || err != nil {
		t.Errorf("untouched: %d, %v", n, err)
	}
	for _, bad := range []string{"0", "-1", "1.5", "x", "99999999999"} {
		s.fields[0].line.Set(bad)
		if n, err := s.Count(); err == nil {
			t.Errorf("%s is %d steps", bad, n)
		}
		if s.Key(Key{Action: Accept}).Do != nil {
			t.Errorf("%s was accepted", bad)
		}
	}
	s.fields[0].line.Set("7")
	if o := s.Key(Key{Action: Accept}); o.Do != (sim.StepWorld{N: 7}) {
		t.Errorf("7 became %v", o.Do)
	}
}
