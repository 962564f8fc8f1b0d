package workers

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// names are the namespaces that run.
func (r *roster) names() (all []string) {
	for i := range r.running {
		all = append(all, r.running[i].Namespace)
	}
	return all
}

func asked(publisher, format string, n int) (all []Simulation) {
	for i := range n {
		all = append(all, Simulation{Namespace: fmt.Sprintf(format, i), Object: "arena",
			Publisher: publisher})
	}
	return all
}

func TestAStrangerDisplacesNoWorker(t *testing.T) {
	r, now := newRoster(16), time.Unix(0, 0)
	honest := asked("honest", "/lab_ok%d", 1)
	r.update(honest, now)
	strange := asked("evil", "/a%02d", 16)
	for range 5 {
		now = now.Add(time.Hour)
		c := r.update(append(slices.Clone(strange), honest...), now)
		if len(c.stop) > 0 || r.names()[0] != "/lab_ok0" || len(r.running) != 13 || c.more != 4 {
			t.Fatalf("%v run, %+v", r.names(), c)
		}
	}
	other := asked("other", "/z%d", 5)
	if c := r.update(slices.Concat(strange, honest, other), now); len(r.running) != 16 || c.full != 2 {
		t.Errorf("a third publisher finds no place: %v", r.names())
	}
	// another spelling of a namespace is the same one
	r.update(append(asked("evil", "lab_ok%d", 1), honest...), now)
	if !slices.Contains(r.names(), "/lab_ok0") {
		t.Errorf("%v run", r.names())
	}
}

func TestAPublisherStartsWorkersAtALimitedRate(t *testing.T) {
	r, now, starts := newRoster(16), time.Unix(0, 0), 0
	for i := range 103 {
		c := r.update([]Simulation{{Namespace: "/a", Object: fmt.Sprint("world", i), Publisher: "evil"}}, now)
		if starts += len(c.start); len(r.running) != 1 {
			t.Fatalf("%d run", len(r.running))
		}
		now = now.Add(100 * time.Millisecond)
	}
	if starts < 12 || starts > 14 {
		t.Errorf("103 messages in 10 s start %d processes", starts)
	}
	last := []Simulation{{Namespace: "/a", Object: "last", Publisher: "evil"}}
	c := r.update(last, now)
	c = r.update(last, now.Add(c.wait))
	if len(c.stop) != 1 || len(c.start) != 1 || r.running[0].Object != "last" {
		t.Errorf("after its time: %+v", c)
	}
	if now = now.Add(time.Hour); len(r.update(nil, now).stop) != 1 {
		t.Error("what is asked for no more goes on")
	}
}
