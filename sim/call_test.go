package sim

import (
	"errors"
	"testing"
	"time"
)

func TestStepsThatWereEndedAreAnsweredAlsoWhenOthersBeginInTheSameRound(t *testing.T) {
	e, err := New(Config{Library: newShelf(), World: Resource{URI: "yard"}, Start: Paused})
	if err != nil {
		t.Fatal(err)
	}
	var asked []*call
	for _, c := range []Command{StepWorld{1000}, SetState{Playing}, SetState{Paused}, StepWorld{5}} {
		k := &call{ctx: t.Context(), command: c, sender: "test", answer: make(chan reply, 1)}
		asked = append(asked, k)
		e.take(k)
	}
	for range 20 {
		e.round(time.Unix(0, 0))
	}
	for i, want := range []struct {
		err   error
		steps uint64
	}{{ErrCancelled, 0}, {nil, 0}, {nil, 0}, {nil, 5}} {
		select {
		case a := <-asked[i].answer:
			stepped, _ := a.reply.(Stepped)
			if !errors.Is(a.err, want.err) || stepped.Completed != want.steps {
				t.Errorf("%s was answered %+v, %v; want %d steps, %v", Describe(asked[i].command), a.reply, a.err, want.steps, want.err)
			}
		default:
			t.Errorf("%s was not answered", Describe(asked[i].command))
		}
	}
}
