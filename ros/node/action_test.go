package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/actionmsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/netsim"
)

type (
	count       = Goal[simif2.SimulateStepsGoal, simif2.SimulateStepsFeedback]
	countConfig = ActionServerConfig[simif2.SimulateStepsGoal, simif2.SimulateStepsResult,
		simif2.SimulateStepsFeedback]
	countClient = ActionClient[simif2.SimulateStepsGoal, simif2.SimulateStepsResult,
		simif2.SimulateStepsFeedback]
	countResult   = simif2.SimulateStepsResult
	countFeedback = simif2.SimulateStepsFeedback
	countGoal     = simif2.SimulateStepsGoal
)

// countUp takes 100 ms per step and tells after each; the result says how many.
func countUp(ctx context.Context, g *count) (*countResult, error) {
	r := &countResult{}
	for done := uint64(0); ; {
		r.Result.ErrorMessage = fmt.Sprint(done)
		if done == g.Request.Steps {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
		done++
		if err := g.Feedback(&countFeedback{CompletedSteps: done,
			RemainingSteps: g.Request.Steps - done}); err != nil {
			return r, err
		}
	}
}

// counter runs a server of /count.
func (b *bench) counter(c countConfig) (*Node, func()) {
	b.t.Helper()
	n := b.node("server")
	c.Name, c.Action = "count", simif2.SimulateStepsAction()
	if c.Execute == nil {
		c.Execute = countUp
	}
	if _, err := NewActionServer(n, c); err != nil {
		b.t.Fatal(err)
	}
	return n, b.start(n)
}

func (b *bench) counts(name string) (*countClient, func()) {
	b.t.Helper()
	n := b.node(name)
	c, err := NewActionClient(n, "/count", simif2.SimulateStepsAction())
	if err != nil {
		b.t.Fatal(err)
	}
	return c, b.start(n)
}

// progress collects feedback.
type progress struct {
	mu   sync.Mutex
	seen []uint64
}

func (p *progress) take(f *countFeedback) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, f.CompletedSteps)
}

func (p *progress) all() []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.seen)
}

func TestAGoalTellsHowFarItIsAndEndsWithItsResult(t *testing.T) {
	onBench(t, func(b *bench) {
		b.net.SetFaults(netsim.Faults{Delay: 2 * time.Millisecond, Loss: 0.1, Duplicate: 0.05})
		b.counter(countConfig{})
		c, _ := b.counts("client")
		var p progress
		h, err := c.Send(b.soon(), &countGoal{Steps: 8}, p.take)
		if err != nil {
			t.Fatal(err)
		}
		b.until("executing", func() bool { return h.Status() == GoalExecuting })
		status, r, err := h.Result(b.soon())
		if err != nil || status != GoalSucceeded || r.Result.ErrorMessage != "8" ||
			h.Status() != GoalSucceeded {
			t.Errorf("it ends %s with %+v, %v", status, r, err)
		}
		b.until("all feedback", func() bool { return len(p.all()) >= 8 })
		if got := p.all(); !slices.Equal(got, []uint64{1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("on the way it was at %v", got)
		}
		if h.Stamp.Sec == 0 {
			t.Error("the acceptance has no time")
		}
	})
}

func TestTwoGoalsAtOnceAreToldApart(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{})
		one, _ := b.counts("one")
		two, _ := b.counts("two")
		var wait sync.WaitGroup
		for i, c := range []*countClient{one, two, one, two} {
			wait.Go(func() {
				var p progress
				n := uint64(3 + i)
				h, err := c.Send(b.soon(), &countGoal{Steps: n}, p.take)
				if err != nil {
					t.Error(err)
					return
				}
				begun := time.Now()
				status, r, err := h.Result(b.soon())
				took := time.Since(begun)
				time.Sleep(100 * time.Millisecond) // feedback that is under way
				if err != nil || status != GoalSucceeded || r.Result.ErrorMessage != fmt.Sprint(n) ||
					uint64(len(p.all())) != n {
					t.Errorf("goal of %d: %s %+v %v, feedback %v", n, status, r, err, p.all())
				}
				if took > time.Duration(n)*100*time.Millisecond+50*time.Millisecond {
					t.Errorf("the goal of %d took %v: they wait for each other", n, took)
				}
			})
		}
		wait.Wait()
	})
}

func TestGoalsInOrderBeginAsTheyWereAcceptedAndGoOnTogether(t *testing.T) {
	onBench(t, func(b *bench) {
		var mu sync.Mutex
		var began []uint64
		begin := func(ctx context.Context, g *count) (*countResult, error) {
			n := g.Request.Steps
			time.Sleep(time.Duration(4-n) * 100 * time.Millisecond) // the first takes longest to begin
			mu.Lock()
			began = append(began, n)
			mu.Unlock()
			if n == 2 {
				return nil, errors.New("refused before it began") // its end lets the next begin
			}
			g.Begun()
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		b.counter(countConfig{InOrder: true, Execute: begin})
		c, _ := b.counts("client")
		var goals []*GoalHandle[simif2.SimulateStepsGoal, simif2.SimulateStepsResult,
			simif2.SimulateStepsFeedback]
		for n := range uint64(3) {
			h, err := c.Send(b.soon(), &countGoal{Steps: n + 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			goals = append(goals, h)
		}
		b.until("three that began", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(began) == 3
		})
		if !slices.Equal(began, []uint64{1, 2, 3}) {
			t.Errorf("they began in the order %v", began)
		}
		for i, want := range []GoalStatus{GoalExecuting, GoalAborted, GoalExecuting} {
			b.until(fmt.Sprint("goal ", i+1), func() bool { return goals[i].Status() == want })
		}
	})
}

func TestAGoalIsRefusedForAReason(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{AtOnce: 2, Accept: func(_ context.Context, _ Caller, g *countGoal) error {
			if g.Steps == 13 {
				return errors.New("unlucky")
			}
			return nil
		}})
		c, _ := b.counts("client")
		if _, err := c.Send(b.soon(), &countGoal{Steps: 13}, nil); !errors.Is(err, ErrGoalRefused) {
			t.Errorf("13 steps: %v", err)
		}
		first, err := c.Send(b.soon(), &countGoal{Steps: 1000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, r := c.action.NewGoalRequest(), c.action.NewGoalResponse()
		*q.ID = first.ID
		if _, err := c.goal.exchange(b.soon(), first.server, q, r); err != nil || *r.Accepted {
			t.Errorf("a second goal of the same ID is accepted: %v, %v", *r.Accepted, err)
		}
		*q.ID = GoalID{}
		if _, err := c.goal.exchange(b.soon(), first.server, q, r); err != nil || *r.Accepted {
			t.Errorf("a goal without ID is accepted: %v, %v", *r.Accepted, err)
		}
		if _, err := c.Send(b.soon(), &countGoal{Steps: 1000}, nil); err != nil {
			t.Error(err)
		}
		if _, err := c.Send(b.soon(), &countGoal{Steps: 1}, nil); !errors.Is(err, ErrGoalRefused) {
			t.Errorf("a third goal where two may be under way: %v", err)
		}
		if len(c.tracked) != 2 {
			t.Errorf("the client keeps %d goals, two were accepted", len(c.tracked))
		}
	})
}

func TestCancellingEndsWhatIsNamedAndNothingElse(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{})
		c, _ := b.counts("client")
		other, _ := b.counts("other")
		send := func(c *countClient) *GoalHandle[countGoal, countResult, countFeedback] {
			h, err := c.Send(b.soon(), &countGoal{Steps: 200}, nil)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			return h
		}
		ends := func(h *GoalHandle[countGoal, countResult, countFeedback], want GoalStatus) {
			t.Helper()
			status, r, err := h.Result(b.soon())
			if err != nil || status != want {
				t.Errorf("it ends %s with %+v, %v; want %s", status, r, err, want)
			}
		}
		one, two, three, four := send(c), send(c), send(other), send(other)
		if err := one.Cancel(b.soon()); err != nil {
			t.Error(err)
		}
		ends(one, GoalWasCanceled)
		if err := one.Cancel(b.soon()); !errors.Is(err, ErrCancelRefused) {
			t.Errorf("cancelling what has ended: %v", err)
		}
		if ids, err := other.CancelUntil(b.soon(), three.Stamp); err != nil || len(ids) != 2 ||
			ids[0] != two.ID || ids[1] != three.ID {
			t.Errorf("until the third goal: %v, %v", ids, err)
		}
		ends(two, GoalWasCanceled)
		ends(three, GoalWasCanceled)
		if s := four.Status(); s != GoalExecuting {
			t.Errorf("the fourth goal is %s", s)
		}
		if ids, err := c.CancelAll(b.soon()); err != nil || !slices.Equal(ids, []GoalID{four.ID}) {
			t.Errorf("all: %v, %v", ids, err)
		}
		ends(four, GoalWasCanceled)
		if ids, err := c.CancelAll(b.soon()); err != nil || len(ids) != 0 {
			t.Errorf("all of none: %v, %v", ids, err)
		}
		four.ID[0]++
		if err := four.Cancel(b.soon()); !errors.Is(err, ErrCancelRefused) ||
			!errors.Is(err, ErrGoalUnknown) {
			t.Errorf("cancelling what never was: %v", err)
		}
	})
}

func TestAServerMayRefuseToCancelOrFinishAllTheSame(t *testing.T) {
	onBench(t, func(b *bench) {
		var mu sync.Mutex
		mayCancel := false
		b.counter(countConfig{
			Cancel: func(GoalID) bool { mu.Lock(); defer mu.Unlock(); return mayCancel },
			Execute: func(ctx context.Context, g *count) (*countResult, error) {
				<-ctx.Done() // told to end, but it is done anyway
				return &countResult{}, nil
			},
		})
		c, _ := b.counts("client")
		h, err := c.Send(b.soon(), &countGoal{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Cancel(b.soon()); !errors.Is(err, ErrCancelRefused) {
			t.Errorf("a refused cancellation: %v", err)
		}
		mu.Lock()
		mayCancel = true
		mu.Unlock()
		if err := h.Cancel(b.soon()); err != nil {
			t.Error(err)
		}
		if status, _, err := h.Result(b.soon()); err != nil || status != GoalSucceeded {
			t.Errorf("what succeeded while it was cancelled ends %s, %v", status, err)
		}
	})
}

func TestACancellationThatRacesWithTheEndLeavesOneOfThem(t *testing.T) {
	onBench(t, func(b *bench) {
		b.net.SetFaults(netsim.Faults{Delay: time.Millisecond, Jitter: time.Millisecond})
		b.counter(countConfig{})
		c, _ := b.counts("client")
		seen := map[GoalStatus]int{}
		for i := range 30 {
			h, err := c.Send(b.soon(), &countGoal{Steps: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(95*time.Millisecond + time.Duration(i)*200*time.Microsecond)
			refused := h.Cancel(b.soon())
			status, _, err := h.Result(b.soon())
			if err != nil || (refused == nil) != (status == GoalWasCanceled) {
				t.Errorf("goal %d: the cancellation gives %v, the goal ends %s, %v", i, refused, status, err)
			}
			seen[status]++
		}
		if seen[GoalWasCanceled] == 0 || seen[GoalSucceeded] == 0 {
			t.Errorf("the goals ended %v: there was no race", seen)
		}
	})
}

func TestAGoalGoesOnWhenItsClientDies(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{})
		dying, _ := b.counts("dying")
		h, err := dying.Send(b.soon(), &countGoal{Steps: 500}, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _, _ = h.Result(context.Background()) }() // waits with its client
		time.Sleep(time.Second)
		b.net.Partition([]string{"dying"}, []string{"server", "heir"}) // no farewell
		heir, _ := b.counts("heir")
		if err := heir.WaitReady(b.soon()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second) // the lease of the dead client is over, the goal is not
		adopted := &GoalHandle[countGoal, countResult, countFeedback]{client: heir, ID: h.ID}
		status, r, err := adopted.Result(b.soon())
		if err != nil || status != GoalSucceeded || r.Result.ErrorMessage != "500" {
			t.Errorf("another client gets %s %+v, %v", status, r, err)
		}
		if again, err := heir.Send(b.soon(), &countGoal{Steps: 1}, nil); err != nil {
			t.Errorf("the server is stuck: %v", err)
		} else if status, _, err := again.Result(b.soon()); err != nil || status != GoalSucceeded {
			t.Errorf("the next goal ends %s, %v", status, err)
		}
	})
}

func TestAResultIsKeptForATime(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{Keep: 3 * time.Second})
		c, _ := b.counts("client")
		h, err := c.Send(b.soon(), &countGoal{Steps: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if status, _, err := h.Result(b.soon()); err != nil || status != GoalSucceeded {
			t.Errorf("after 2 s: %s, %v", status, err)
		}
		time.Sleep(2 * time.Second)
		if _, _, err := h.Result(b.soon()); !errors.Is(err, ErrGoalUnknown) {
			t.Errorf("after 4 s: %v", err)
		}
	})
}

func TestAPanicInAnActionAbortsTheGoal(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{Execute: func(context.Context, *count) (*countResult, error) { panic("no") }})
		c, _ := b.counts("client")
		for range 2 {
			h, err := c.Send(b.soon(), &countGoal{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if status, _, err := h.Result(b.soon()); err != nil || status != GoalAborted {
				t.Errorf("it ends %s, %v", status, err)
			}
		}
	})
}

func TestGoalsAreAbortedAndAnsweredBeforeTheNodeLeaves(t *testing.T) {
	onBench(t, func(b *bench) {
		_, stop := b.counter(countConfig{})
		c, _ := b.counts("client")
		h, err := c.Send(b.soon(), &countGoal{Steps: 1000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			stop()
		}()
		status, r, err := h.Result(b.soon())
		if err != nil || status != GoalAborted || r.Result.ErrorMessage == "" {
			t.Errorf("it ends %s with %+v, %v", status, r, err)
		}
	})
}

func TestWhoComesLateSeesTheStatusOfEveryGoal(t *testing.T) {
	onBench(t, func(b *bench) {
		b.counter(countConfig{})
		c, _ := b.counts("client")
		for _, n := range []uint64{1, 300} {
			if _, err := c.Send(b.soon(), &countGoal{Steps: n}, nil); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(3 * time.Second)
		late := b.node("late")
		got := make(chan *actionmsgs.GoalStatusArray, 16)
		if _, err := NewSubscription(late, "/count/_action/status", ActionStatusQoS(),
			func(_ context.Context, m *actionmsgs.GoalStatusArray, _ Origin) { got <- m }); err != nil {
			t.Fatal(err)
		}
		b.start(late)
		m := <-got
		if len(m.StatusList) != 2 || GoalStatus(m.StatusList[0].Status) != GoalSucceeded ||
			GoalStatus(m.StatusList[1].Status) != GoalExecuting {
			t.Errorf("the statuses are %+v", m.StatusList)
		}
	})
}
