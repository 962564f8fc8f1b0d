package admission

import (
	"net/netip"
	"testing"
	"time"
)

func TestFailedLoginsCostTheirSourceATimeThatPasses(t *testing.T) {
	now := time.Unix(1e9, 0)
	p := newPenalties(time.Minute)
	bad, other := addr("192.0.2.1"), addr("192.0.2.2")
	for range 2 {
		p.charge(bad, WrongKey, now)
	}
	if _, refused := p.refuse(bad, now); refused {
		t.Error("two wrong keys are refused already")
	}
	p.charge(bad, WrongKey, now)
	if until, refused := p.refuse(bad, now); !refused || until.Sub(now) != 15*time.Second {
		t.Errorf("three wrong keys: %v until %v", refused, until.Sub(now))
	}
	if _, refused := p.refuse(other, now); refused {
		t.Error("its neighbor is refused")
	}
	if _, refused := p.refuse(bad, now.Add(14*time.Second)); !refused {
		t.Error("it is over too early")
	}
	if _, refused := p.refuse(bad, now.Add(15*time.Second)); refused {
		t.Error("it is never over")
	}
	for range 100 {
		p.charge(bad, TooLate, now)
	}
	if until, _ := p.refuse(bad, now); until.Sub(now) != time.Minute {
		t.Errorf("the most is %v", until.Sub(now))
	}
	p.noteOperator(bad, now)
	if _, refused := p.refuse(bad, now); refused {
		t.Error("an operator's login does not forgive it")
	}
	for range 29 {
		p.charge(bad, WrongKey, now)
	}
	if _, refused := p.refuse(bad, now); refused {
		t.Error("where an operator came from, 29 wrong keys are refused")
	}
	p.charge(bad, WrongKey, now)
	if _, refused := p.refuse(bad, now); !refused {
		t.Error("where an operator came from, wrong keys are free")
	}
	none := newPenalties(-1)
	for range 100 {
		none.charge(bad, TooLate, now)
	}
	if _, refused := none.refuse(bad, now); refused {
		t.Error("without penalties it is refused")
	}
}

func TestABlockIsRefusedWhenManySourcesOfItAre(t *testing.T) {
	now := time.Unix(1e9, 0)
	for _, c := range []struct{ bad, clean, elsewhere string }{
		{"192.0.2.%d", "192.0.2.200", "192.0.3.1"},
		{"2001:db8:1:%x::1", "2001:db8:1:ffff::1", "2001:db8:2::1"},
		{"::ffff:192.0.2.%d", "192.0.2.200", "192.0.3.1"},
	} {
		p := newPenalties(time.Minute)
		for i := range badSources {
			if _, refused := p.refuse(addr("%s", c.clean), now); refused {
				t.Errorf("%s is refused after %d others of its block", c.clean, i)
			}
			for range 3 {
				p.charge(addr(c.bad, i+1), WrongKey, now)
			}
		}
		if _, refused := p.refuse(addr("%s", c.clean), now); !refused {
			t.Errorf("%s is not refused after %d others of its block", c.clean, badSources)
		}
		if _, refused := p.refuse(addr("%s", c.elsewhere), now); refused {
			t.Errorf("%s is refused for others than its block", c.elsewhere)
		}
		if _, refused := p.refuse(addr("%s", c.clean), now.Add(16*time.Second)); refused {
			t.Errorf("%s is refused for ever", c.clean)
		}
		p.noteOperator(addr("%s", c.clean), now)
		if _, refused := p.refuse(addr("%s", c.clean), now); refused {
			t.Errorf("%s is refused, where an operator came from", c.clean)
		}
	}
}

func TestAllAddressesOfAnIPv6HostAreOneSource(t *testing.T) {
	if a, b := addr("2001:db8::1"), addr("2001:db8::ffff:1%%eth0"); a != b {
		t.Errorf("%v and %v", a, b)
	}
	if a, b := addr("2001:db8:0:1::1"), addr("2001:db8:0:2::1"); a.prefix == b.prefix || a.block != b.block {
		t.Errorf("%v and %v", a, b)
	}
	if a := SourceOf(netip.Addr{}); a != (Source{}) {
		t.Errorf("no address is %v", a)
	}
}

func TestWhatIsRememberedOfSourcesIsBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	p := newPenalties(time.Minute)
	first := addr("192.0.2.1")
	operators := addr("203.0.113.1")
	p.noteOperator(operators, now)
	for range 3 {
		p.charge(first, WrongKey, now)
	}
	for i := range 3 * maxSources { // of a /32
		s := addr("2001:db8:%x:%x::1", i>>8, i&255)
		for range 3 {
			p.charge(s, WrongKey, now)
		}
	}
	if n := p.sources[1].order.Len(); n != maxSources || len(p.sources[1].table) != n {
		t.Errorf("%d sources of IPv6 are remembered, %d in the table", n, len(p.sources[1].table))
	}
	if n := p.blocks[1].order.Len(); n > maxBlocks || len(p.blocks[1].table) != n {
		t.Errorf("%d blocks of IPv6 are remembered", n)
	}
	if _, refused := p.refuse(first, now); !refused {
		t.Error("a flood from IPv6 has a source of IPv4 forgotten")
	}
	if !p.trusts(operators.prefix, now) {
		t.Error("a flood has forgotten an operator")
	}
	if p.trusts(operators.prefix, now.Add(trustedFor)) {
		t.Error("an operator's login counts for ever")
	}
}
