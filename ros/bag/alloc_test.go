//go:build !race

package bag

import (
	"testing"
	"time"
)

func TestAMessageCostsNoAllocation(t *testing.T) {
	r := began(t, Config{})
	c := r.Channel(topic("/a"))
	payload, spare := make([]byte, 2000), batch{}
	round := func() {
		for i := range 50 {
			c.Take(time.Duration(i), payload)
		}
		spare = r.drain(spare)
	}
	for range 100 {
		round()
	}
	// A chunk's entries in the index are a few allocations in its 500 messages.
	if n := testing.AllocsPerRun(200, round); n > 2 {
		t.Errorf("%v allocations in 50 messages", n)
	}
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
}
