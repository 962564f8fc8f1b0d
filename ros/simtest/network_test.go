package simtest

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps/wire"
)

// attacker is a host that sends what no honest one does. It knows what it hears.
type attacker struct {
	host  *netsim.Host
	made  *netsim.Attacker
	stop  context.CancelFunc
	ended chan error

	mu    sync.Mutex
	heard map[string]wire.GUIDPrefix // participants by the address that they speak from
}

// assault puts an attacker on the network.
func (w *world) assault(seed uint64) {
	a := &attacker{host: w.net.Host("attacker"), ended: make(chan error, 1),
		heard: map[string]wire.GUIDPrefix{}}
	var ctx context.Context
	ctx, a.stop = context.WithCancel(context.Background())
	go func() { a.ended <- a.host.Run(ctx, a.hear) }()
	self := a.host.Links()[0].Meta[0]
	a.made = &netsim.Attacker{Victim: wire.UDPv4([4]byte{10, 9, 9, 9}, 7410), Self: self,
		Captures: w.captures, Topic: "rt/clock", Type: "rosgraph_msgs::msg::dds_::Clock_",
		Ours: [2]wire.EntityID{0x103, 0x104}}
	a.made.Seed(seed)
	w.attacker, w.disturbed = a, true
}

func (a *attacker) hear(b []byte, from wire.Locator) {
	h, _, err := wire.ParseHeader(b)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.heard[from.String()] = h.Prefix
}

// act sends a volley at the simulator.
func (a *attacker) act(w *world, r *rand.Rand) {
	a.mu.Lock()
	a.made.Target = a.heard[w.address.String()]
	for _, c := range w.clients {
		p := a.heard[c.host.Links()[0].Meta[0].String()]
		a.made.Writer, a.made.Reader = wire.GUID{Prefix: p, Entity: 0x103},
			wire.GUID{Prefix: p, Entity: 0x104}
	}
	a.mu.Unlock()
	n := 1 + r.IntN(60)
	w.trace.add("attacker", "sends %d datagrams", n)
	for range n {
		if err := a.host.Send(a.made.Next(), w.address, 0); err != nil {
			w.fail("the attacker: %v", err)
		}
	}
}

// weather changes what the network does to datagrams.
func (w *world) weather(r *rand.Rand) {
	switch r.IntN(6) {
	case 0:
		w.net.SetFaults(netsim.Faults{Delay: someDelay(r), Jitter: someDelay(r), Loss: 0.3 * r.Float64(),
			Duplicate: 0.2 * r.Float64(), Reorder: 0.3 * r.Float64()})
		w.lossy = true
		w.trace.add("network", "loses datagrams")
	case 1:
		if len(w.clients) > 0 {
			cut := w.clients[r.IntN(len(w.clients))]
			w.net.Partition([]string{cut.name})
			w.split = true
			w.trace.add("network", "cuts %s off", cut.name)
		}
	default:
		w.net.SetFaults(netsim.Faults{Delay: someDelay(r), Jitter: someDelay(r)})
		w.net.Heal()
		w.lossy, w.split = false, false
		w.trace.add("network", "is whole")
	}
	w.disturbed = w.disturbed || w.lossy || w.split
}

// someDelay is a delay that no other event shares.
func someDelay(r *rand.Rand) time.Duration { return time.Duration(20_000 + r.IntN(3_000_000)) }

// captured are datagrams of real participants, for replay.
func captured() ([][]byte, error) { return netsim.Captures("../rtps/wire/testdata/captures/*") }
