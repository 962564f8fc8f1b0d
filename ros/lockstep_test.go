package ros

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/serve/lockstep"
	"simdeck/sim"
)

func TestATopicInLockstepThatCannotBeReadIsAnErrorOfUsage(t *testing.T) {
	_, err := New(Config{Transport: netsim.New(2).Host("sim"), Lockstep: Lockstep{Topics: []string{"/a@"}}},
		newEngine(t))
	if !errors.Is(err, lockstep.ErrTopic) || !IsUsage(err) {
		t.Errorf("the error is %v", err)
	}
}

func TestLockstepIsAParameterThatHoldsTheWorldAndLetsItGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		e := newEngine(t)
		b, err := New(Config{Transport: netsim.New(1).Host("sim"), Lockstep: Lockstep{Patience: time.Second,
			GoOn: true}}, e)
		if err != nil {
			t.Fatal(err)
		}
		ends := []<-chan error{run(ctx, e.Run), run(ctx, b.Run)}
		p := b.node.Parameters()
		set := func(name string, v node.Value) error {
			return p.Set(ctx, rclinterfaces.Parameter{Name: name, Value: v})
		}
		shown := func(want ...string) {
			t.Helper()
			for i, name := range []string{"lockstep", "lockstep_timeout", "lockstep_late"} {
				if v, _ := p.Get(name); node.Text(v) != want[i] {
					t.Errorf("%s is %s, want %s", name, node.Text(v), want[i])
				}
			}
		}
		play := func() {
			if _, err := e.Do(ctx, sim.SetState{State: sim.Playing}); err != nil {
				t.Fatal(err)
			}
		}
		shown(`""`, "1", `"go-on"`)
		play()
		time.Sleep(time.Second)
		for name, wrong := range map[string]node.Value{"lockstep": node.StringValue("/a,/a"),
			"lockstep_late": node.StringValue("wait"), "lockstep_timeout": node.DoubleValue(0)} {
			if err := set(name, wrong); err == nil {
				t.Errorf("%s can be %s", name, node.Text(wrong))
			}
		}
		if err := set("lockstep", node.StringValue("/a@10,b@/c:stamp")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		held := e.Snapshot().Step
		time.Sleep(800 * time.Millisecond)
		if s := e.Snapshot(); s.Step != held || len(s.Waiting) != 2 || s.Waiting[1].Who != "/b" {
			t.Errorf("from step %d it went on to %d; it waits for %+v", held, s.Step, s.Waiting)
		}
		time.Sleep(4 * time.Second)
		s := e.Snapshot() // it goes on, a step for each time-out, as nobody knows when /c would come
		if s.State != sim.Playing || s.Step < held+3 || s.Step > held+6 || s.Stats.Missed < 6 {
			t.Errorf("after five times its patience it is %v at step %d, from %d, and missed %d", s.State, s.Step, held,
				s.Stats.Missed)
		}
		shown(`"/a@10,b@/c:stamp"`, "1", `"go-on"`)
		if err := errors.Join(set("lockstep_timeout", node.DoubleValue(2)),
			set("lockstep_late", node.StringValue("pause"))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if s := e.Snapshot(); s.State != sim.Paused || !strings.HasPrefix(s.Halted, sim.LockstepHalt) {
			t.Errorf("it is %v, halted %q", s.State, s.Halted)
		}
		if err := set("lockstep", node.StringValue("")); err != nil {
			t.Fatal(err)
		}
		play()
		before := e.Snapshot().Step
		time.Sleep(time.Second)
		if s := e.Snapshot(); s.Step < before+200 || s.Waiting != nil {
			t.Errorf("without topics it goes from step %d to %d, waiting for %+v", before, s.Step, s.Waiting)
		}
		cancel()
		for _, ended := range ends {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
}
