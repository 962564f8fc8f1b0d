package doctor

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"simdeck/ros/attach"
	"simdeck/ros/netsim"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/transport"
)

// network is one of a few interfaces, on which what is sent to all comes back, or does not.
type network struct {
	links []wire.Link
	deaf  map[int]bool  // by index
	sends map[int]error // why nothing can be sent
	came  chan wire.Locator
}

func (n *network) Links() []wire.Link       { return n.links }
func (n *network) Changed() <-chan struct{} { return nil }

func (n *network) Send(_ []byte, to wire.Locator, link int) error {
	if !to.IsMulticast() || to.Port != 7400+250*3 {
		return errors.New("not to the group of the domain")
	}
	if n.sends[link] == nil && !n.deaf[link] {
		for _, l := range n.links {
			if l.Index == link {
				n.came <- l.Meta[0]
			}
		}
	}
	return n.sends[link]
}

func (n *network) Run(ctx context.Context, receive func([]byte, wire.Locator)) error {
	for {
		select {
		case from := <-n.came:
			receive([]byte("another's"), wire.UDPv4([4]byte{10, 0, 0, 9}, 1))
			receive(probe(), from)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func interfaces() []wire.Link {
	at := func(index int, name string, a [4]byte) wire.Link {
		return wire.Link{Index: index, Name: name, Loopback: name == "lo",
			Meta: []wire.Locator{wire.UDPv4(a, 7410)}}
	}
	return []wire.Link{at(1, "lo", [4]byte{127, 0, 0, 1}), at(2, "eth0", [4]byte{10, 0, 0, 2}),
		at(3, "wlan0", [4]byte{10, 1, 0, 2})}
}

func TestAnInterfaceThatDoesNotHearItselfIsNamedWithTheFix(t *testing.T) {
	for name, c := range map[string]struct {
		deaf  map[int]bool
		sends map[int]error
		bad   string // interface
		said  string
		fix   string
	}{
		"all hear": {},
		"a firewall": {deaf: map[int]bool{3: true}, bad: "wlan0",
			said: "10.1.0.2: multicast does not work", fix: "--peers HOST"},
		"no multicast": {sends: map[int]error{2: errors.New("takes none")}, bad: "eth0",
			said: "10.0.0.2: takes none", fix: "ip link set eth0 multicast on"},
		"the loopback, as systems have it": {sends: map[int]error{1: errors.New("takes none")}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &network{links: interfaces(), deaf: c.deaf, sends: c.sends,
					came: make(chan wire.Locator, 9)}
				all := hears(t.Context(), n, group(3))
				if len(all) != 3 {
					t.Fatalf("%d findings of 3 interfaces: %+v", len(all), all)
				}
				for _, f := range all {
					if f.Bad != (c.bad != "" && f.What == "multicast "+c.bad) {
						t.Errorf("%s: bad is %v: %s", f.What, f.Bad, f.Said)
					}
					if f.Bad && (!strings.Contains(f.Said, c.said) || !strings.Contains(f.Fix, c.fix)) {
						t.Errorf("%s: %q → %q, want %q → %q", f.What, f.Said, f.Fix, c.said, c.fix)
					}
				}
			})
		})
	}
}

func TestAMachineWithoutANetworkIsSick(t *testing.T) {
	all := hears(t.Context(), &network{}, group(0))
	if len(all) != 1 || !all[0].Bad || all[0].Fix == "" {
		t.Errorf("%+v", all)
	}
}

func TestWhoIsThereIsTold(t *testing.T) {
	for name, others := range map[string]int{"nobody": 0, "two": 2} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := netsim.New(1)
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				defer running.Wait()
				defer stop()
				for i := range others {
					g, err := attach.Open(attach.Config{Transport: net.Host(string(rune('a' + i))),
						Node: "robot_" + string(rune('a'+i))})
					if err != nil {
						t.Fatal(err)
					}
					running.Go(func() {
						_ = g.Run(ctx,
							func(ctx context.Context) error { <-ctx.Done(); return nil })
					})
				}
				all := peers(t.Context(), attach.Config{Transport: net.Host("here"), Node: "_here"})
				want := "No other participants"
				if others > 0 {
					want = "2 participants with 2 nodes (/robot_a, /robot_b)"
				}
				if len(all) != 1 || all[0].Bad || !strings.Contains(all[0].Said, want) {
					t.Errorf("%+v, want %q", all, want)
				}
			})
		})
	}
}

func TestADomainThatCannotWorkSaysSo(t *testing.T) {
	off := Examine(t.Context(), attach.Config{Network: transport.Config{Range: transport.Off}}, Host{})
	if len(off) != 1 || off[0].Area != "network" || !strings.Contains(off[0].Fix, "unset") {
		t.Errorf("off: %+v", off)
	}
	for _, err := range []error{transport.ErrPorts, transport.ErrInterface, errors.New("other")} {
		if unbound(err) == "" {
			t.Errorf("%v has no fix", err)
		}
	}
}
