package netsim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/rtps/wire"
)

// listen runs a host and writes down what it hears, with the virtual time.
func listen(t *testing.T, h *Host, log *[]string) {
	ctx, stop := context.WithCancel(context.Background())
	begin := time.Now()
	done := make(chan error, 1)
	go func() {
		done <- h.Run(ctx, func(b []byte, from wire.Locator) {
			*log = append(*log, fmt.Sprintf("%v %s %s", time.Since(begin), b, from))
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestAMulticastReachesAllOthersAndAUnicastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New(1)
		n.SetFaults(Faults{Delay: 5 * time.Millisecond})
		hosts := []*Host{n.Host("a"), n.Host("b"), n.Host("c")}
		logs := make([][]string, 3)
		for i, h := range hosts {
			listen(t, h, &logs[i])
		}
		l := hosts[0].Links()[0]
		if err := hosts[0].Send([]byte("all"), l.Announce[0], l.Index); err != nil {
			t.Fatal(err)
		}
		if err := hosts[0].Send([]byte("one"), hosts[2].Links()[0].User[0], 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		want := []string{"[]", "[5ms all 10.0.0.1:7410]", "[5ms all 10.0.0.1:7410 5ms one 10.0.0.1:7410]"}
		for i := range want {
			if got := fmt.Sprint(logs[i]); got != want[i] {
				t.Errorf("host %d heard %s, want %s", i, got, want[i])
			}
		}
	})
}

// play sends a thousand datagrams from a to b, and perhaps others elsewhere, and gives what b heard.
func play(t *testing.T, f Faults, elsewhere bool) (log []string) {
	synctest.Test(t, func(t *testing.T) {
		n := New(7)
		n.SetFaults(f)
		a, b, c := n.Host("a"), n.Host("b"), n.Host("c")
		listen(t, b, &log)
		to, also := b.Links()[0].Meta[0], c.Links()[0].Meta[0]
		for i := range 1000 {
			if err := a.Send(fmt.Appendf(nil, "%04d", i), to, 0); err != nil {
				t.Fatal(err)
			}
			if elsewhere {
				if err := a.Send([]byte("noise"), also, 0); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
	})
	return log
}

func TestFaultsComeFromTheSeedAndFromTheLinkAlone(t *testing.T) {
	f := Faults{Delay: time.Millisecond, Jitter: time.Millisecond, Loss: 0.2, Duplicate: 0.1, Reorder: 0.1}
	first := play(t, f, false)
	if !slices.Equal(first, play(t, f, false)) {
		t.Error("the second run differs")
	}
	if !slices.Equal(first, play(t, f, true)) {
		t.Error("traffic on another link changes this one")
	}
}

func TestFaultsAreAsFrequentAsAskedFor(t *testing.T) {
	for _, c := range []struct {
		what     string
		f        Faults
		low, top int // datagrams that arrive
		sorted   bool
	}{
		{"none", Faults{}, 1000, 1000, true},
		{"loss", Faults{Loss: 0.3}, 650, 750, true},
		{"all lost", Faults{Loss: 1}, 0, 0, true},
		{"twice", Faults{Duplicate: 0.5}, 1450, 1550, true},
		{"jitter", Faults{Jitter: 5 * time.Millisecond}, 1000, 1000, false},
		{"reorder", Faults{Reorder: 0.1}, 1000, 1000, false},
	} {
		var texts []string
		for _, l := range play(t, c.f, false) {
			texts = append(texts, strings.Fields(l)[1])
		}
		if n := len(texts); n < c.low || n > c.top || slices.IsSorted(texts) != c.sorted {
			t.Errorf("%s: %d arrive, want %d to %d; in order %v", c.what, n, c.low, c.top,
				slices.IsSorted(texts))
		}
	}
}

func TestAPartitionCutsAndHeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New(1)
		a, b, c := n.Host("a"), n.Host("b"), n.Host("c")
		var atB, atC []string
		listen(t, b, &atB)
		listen(t, c, &atC)
		say := func(text string) {
			if err := a.Send([]byte(text), group, 1); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		n.Partition([]string{"a", "b"}, []string{"c"})
		say("cut")
		n.Heal()
		say("healed")
		n.SetLinkFaults("a", "b", Faults{Loss: 1})
		say("half")
		n.SetFilter(func(from, to string, b []byte) bool { return string(b) != "filtered" })
		say("filtered")
		n.Inject("b", []byte("injected"), group)
		synctest.Wait()
		if fmt.Sprint(len(atB), len(atC)) != "3 2" || !strings.Contains(atB[2], "injected") ||
			!strings.Contains(atC[1], "half") {
			t.Errorf("b heard %v, c heard %v", atB, atC)
		}
	})
}

func TestAHostThatHasLeftIsNotHeardAndDoesNotSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New(1)
		a := n.Host("a")
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := a.Run(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := a.Send(nil, group, 1); !errors.Is(err, ErrClosed) {
			t.Errorf("sends on: %v", err)
		}
		if b := n.Host("b"); b.Links()[0].Meta[0] == a.Links()[0].Meta[0] {
			t.Error("its address is given out again")
		}
	})
}

func TestAHostMovesAndSendsFromElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New(1)
		a, b := n.Host("a"), n.Host("b")
		var atB []string
		listen(t, b, &atB)
		say := func(text string, to wire.Locator) {
			if err := a.Send([]byte(text), to, 1); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		old := b.Links()[0].Meta[0]
		b.Move([4]byte{10, 0, 9, 9})
		<-b.Changed()
		moved := b.Links()[0].Meta[0]
		say("to where it was", old)
		say("to where it is", moved)
		a.SendFrom([4]byte{10, 0, 7, 7})
		say("from elsewhere", moved)
		say("to all", group)
		b.Move([4]byte{})
		say("without a cable", moved)
		say("without a cable", group)
		synctest.Wait()
		if len(b.Links()) != 0 || fmt.Sprint(atB) != "[1ms to where it is 10.0.0.1:7410 2ms from elsewhere 10.0.7.7:7410 3ms to all 10.0.0.1:7410]" {
			t.Errorf("links %v, heard %v", b.Links(), atB)
		}
	})
}

func TestFatesByContentDoNotDependOnTheOrder(t *testing.T) {
	arrivals := func(order []string) (log []string) {
		synctest.Test(t, func(t *testing.T) {
			n := New(1)
			n.ByContent()
			n.SetFaults(Faults{Delay: time.Millisecond, Jitter: time.Second, Loss: 0.3, Duplicate: 0.3})
			a, b := n.Host("a"), n.Host("b")
			listen(t, b, &log)
			for _, text := range order {
				if err := a.Send([]byte(text), b.Links()[0].User[0], 0); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Minute)
			synctest.Wait()
		})
		return log
	}
	var order []string
	for i := range 40 {
		order = append(order, fmt.Sprint("datagram ", i%30))
	}
	there := arrivals(order)
	slices.Reverse(order)
	if back := arrivals(order); !slices.Equal(there, back) || len(there) < 20 || len(there) == 40 {
		t.Errorf("sent one way round: %d arrivals\n%s\nthe other way: %d\n%s", len(there),
			strings.Join(there, "\n"), len(back), strings.Join(back, "\n"))
	}
}
