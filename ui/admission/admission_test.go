package admission

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// flooded is an admission in simulated time, with handshakes that end at their time.
type flooded struct {
	*Admission
	now    time.Time
	ends   map[*Connection]ending
	t      *testing.T
	most   int // pending at once
	served int // of strangers that came through to the end of their handshake
}

type ending struct {
	at  time.Time
	how Outcome
}

func newFlooded(t *testing.T, l Limits, seed uint64) *flooded {
	return &flooded{Admission: New(l, seed), now: time.Unix(1e9, 0), ends: map[*Connection]ending{},
		t: t}
}

// connect has a connection arrive whose handshake would last so long and end so.
func (f *flooded) connect(from Source, lasts time.Duration, how Outcome) (*Connection, error) {
	h := &Connection{From: from}
	dropped, err := f.Arrive(h, f.now)
	if dropped != nil {
		delete(f.ends, dropped)
		f.penalties.charge(dropped.From, Empty, f.now)
	}
	if err != nil {
		return nil, err
	}
	f.ends[h] = ending{f.now.Add(lasts), how}
	f.most = max(f.most, len(f.pending))
	return h, nil
}

// pass lets time pass.
func (f *flooded) pass(d time.Duration) {
	f.now = f.now.Add(d)
	for h, e := range f.ends {
		if !e.at.After(f.now) {
			delete(f.ends, h)
			f.End(h, e.how, f.now)
			f.served++
		}
	}
}

// logins counts how many of 20 logins succeed, three seconds apart and of 300 ms each, while attack goes on
// every 2 ms.
func (f *flooded) logins(from func(i int) Source, attack func(ms int)) (succeeded int) {
	var login *Connection
	const each, takes = 3000, 300
	for ms := 0; ms < 10_000+20*each; ms += 2 {
		attack(ms)
		switch at := ms - 10_000; {
		case at >= 0 && at%each == 0:
			login, _ = f.connect(from(at/each), takes*time.Millisecond, OperatorIn)
		case at >= 0 && at%each == takes+2 && login != nil && f.penalties.trusts(login.From.prefix, f.now):
			succeeded++
			f.penalties.operators.remove(login.From.prefix) // the next is one of a place that nobody knows
		}
		f.pass(2 * time.Millisecond)
	}
	return succeeded
}

func addr(format string, a ...any) Source {
	return SourceOf(netip.MustParseAddr(fmt.Sprintf(format, a...)))
}

// sixAttackers is a flood of silent connections, half handshakes, wrong keys and connections that are closed
// at once.
func (f *flooded) sixAttackers(from func(i int) Source) func(ms int) {
	kinds := []ending{{at: time.Unix(30, 0), how: TooLate}, {at: time.Unix(10, 0), how: TooLate},
		{at: time.Unix(0, 4e7), how: WrongKey}, {at: time.Unix(0, 1e6), how: Empty}}
	return func(ms int) {
		for i := range 6 {
			k := kinds[(ms/2+i)%len(kinds)]
			_, _ = f.connect(from(i), k.at.Sub(time.Unix(0, 0)), k.how) // refused, most of the time
		}
	}
}

func TestAnOperatorLogsInWhileSixAddressesFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	for name, from := range map[string]struct{ attackers, operator func(i int) Source }{
		"of six networks": {func(i int) Source { return addr("192.0.%d.7", i) },
			func(i int) Source { return addr("203.0.113.%d", i) }},
		"of the operator's network": {func(i int) Source { return addr("192.0.2.%d", 10+i) },
			func(i int) Source { return addr("192.0.2.%d", 100+i) }},
		"of IPv6": {func(i int) Source { return addr("2001:db8:0:%d::1", i) },
			func(i int) Source { return addr("2001:db8:0:%d::1", 100+i) }},
	} {
		for seed := range uint64(2) {
			f := newFlooded(t, DefaultLimits, seed)
			if n := f.logins(from.operator, f.sixAttackers(from.attackers)); n < 19 {
				t.Errorf("%s, seed %d: %d of 20 logins succeed", name, seed, n)
			}
			if f.most > f.limits.Full {
				t.Errorf("%s: %d connections are pending at once, more than %d", name, f.most, f.limits.Full)
			}
			if f.served > 2000 { // of 210,000
				t.Errorf("%s: %d connections of the flood were served to their end", name, f.served)
			}
		}
	}
}

func TestAnOperatorKnownToTheServerLogsInWhileAThousandNetworksFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	f := newFlooded(t, DefaultLimits, 1)
	operators := addr("203.0.113.9")
	f.penalties.noteOperator(operators, f.now)
	next, succeeded := 0, 0
	for range 20 {
		began := f.now
		_, _ = f.connect(operators, 300*time.Millisecond, OperatorIn)
		for range 200 {
			next++
			_, _ = f.connect(addr("2001:db8:%x:%x::1", next%1000, next/1000), time.Minute, TooLate)
			f.pass(2 * time.Millisecond)
		}
		if at, _ := f.penalties.operators.get(operators.prefix); at.After(began) {
			succeeded++
		}
	}
	if succeeded != 20 {
		t.Errorf("%d of 20 logins succeed", succeeded)
	}
}

func TestUnauthenticatedConnectionsAreDroppedWithARisingProbability(t *testing.T) {
	a := New(Limits{Start: 10, Rate: 30, Full: 60}, 1)
	for n, want := range map[int]float64{0: 0, 9: 0, 10: 0.3, 35: 0.65, 59: 0.986, 60: 1, 100: 1} {
		if got := a.dropRate(n); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("with %d pending %v are dropped, want %v", n, got, want)
		}
	}
}

func TestWhoHasTheMostConnectionsPendingLosesThem(t *testing.T) {
	now := time.Unix(1e9, 0)
	a := New(Limits{Start: 8, Rate: 100, Full: 8}, 1)
	greedy := addr("192.0.2.1")
	for i := range 8 {
		from := greedy
		if i%2 == 0 {
			from = addr("198.51.100.%d", i)
		}
		if dropped, err := a.Arrive(&Connection{From: from}, now); dropped != nil || err != nil {
			t.Fatalf("connection %d: %v, %v", i, dropped, err)
		}
	}
	for i := range 3 {
		dropped, err := a.Arrive(&Connection{From: addr("203.0.113.%d", i)}, now)
		if err != nil || dropped == nil || dropped.From != greedy {
			t.Errorf("dropped is %+v, %v; want one of %v", dropped, err, greedy)
		}
	}
	if _, err := a.Arrive(&Connection{From: addr("198.51.100.0")}, now); !errors.Is(err, ErrDropped) &&
		len(a.pending) != 8 {
		t.Errorf("%v, and %d are pending", err, len(a.pending))
	}
}

func TestLimitsThatCannotBeKeptAreRefused(t *testing.T) {
	if err := DefaultLimits.Check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Limits){
		func(l *Limits) { l.Start = 0 }, func(l *Limits) { l.Full = l.Start - 1 },
		func(l *Limits) { l.Full = 1e6 }, func(l *Limits) { l.Rate = 101 },
		func(l *Limits) { l.Grace = 0 }, func(l *Limits) { l.MaxPenalty = 25 * time.Hour },
	} {
		l := DefaultLimits
		change(&l)
		if err := l.Check(); !errors.Is(err, ErrLimits) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}
