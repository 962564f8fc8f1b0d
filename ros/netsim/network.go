package netsim

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"simdeck/ros/rtps/wire"
)

// group is the address on which every host hears announcements (RTPS 2.2 §9.6.1.4.1).
var group = wire.UDPv4([4]byte{239, 255, 0, 1}, 7400)

// Faults say what a link does to datagrams. The zero value loses nothing and takes no time.
type Faults struct {
	Delay     time.Duration // every datagram takes so long
	Jitter    time.Duration // and up to so much more, each on its own, which changes their order
	Loss      float64       // share that never arrives
	Duplicate float64       // share that arrives twice
	Reorder   float64       // share that waits for another Delay + 1 ms, and is overtaken by what follows
}

// Network joins hosts. Make one with New.
type Network struct {
	mu     sync.Mutex
	seed   uint64
	hosts  []*Host
	count  int // hosts ever made
	faults Faults
	links  map[pair]*link
	groups map[string]int
	filter func(from, to string, b []byte) bool
	byText bool
}

type pair struct{ from, to string }

// link is the way from one host to another. It draws its chances from a stream of its own, so that traffic
// elsewhere changes nothing.
type link struct {
	faults *Faults // nil = the network's
	rand   *rand.Rand
	key    uint64
	again  map[uint64]uint64 // number of copies sent of a datagram, by its hash
}

// New makes an empty network whose faults come from a seed.
func New(seed uint64) *Network {
	return &Network{seed: seed, links: map[pair]*link{}}
}

// SetFaults sets the faults of every link that has none of its own.
func (n *Network) SetFaults(f Faults) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults = f
}

// SetLinkFaults sets the faults of the link from one host to another.
func (n *Network) SetLinkFaults(from, to string, f Faults) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.link(pair{from, to}).faults = &f
}

// Partition cuts the network into groups: hosts in different groups do not hear each other. Hosts that are
// not named form one more.
func (n *Network) Partition(groups ...[]string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.groups = map[string]int{}
	for i, g := range groups {
		for _, name := range g {
			n.groups[name] = i + 1
		}
	}
}

// Heal ends a partition.
func (n *Network) Heal() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.groups = nil
}

// SetFilter has every datagram shown to f before anything else happens to it; those for which it is false are
// lost. f must not send.
func (n *Network) SetFilter(f func(from, to string, b []byte) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.filter = f
}

// ByContent makes the faults of a datagram depend on its octets and their number of copies, and not on its
// place in its link. Concurrent senders may then send in any order, and each run of a seed is the same.
func (n *Network) ByContent() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.byText = true
}

// Inject delivers a datagram to a host, as if it came from an address.
func (n *Network) Inject(to string, b []byte, from wire.Locator) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, h := range n.hosts {
		if h.name == to {
			h.post(b, from, time.Now())
		}
	}
}

func (n *Network) link(p pair) *link {
	l := n.links[p]
	if l == nil {
		h := fnv.New64a()
		h.Write([]byte(p.from + "\x00" + p.to))
		l = &link{rand: rand.New(rand.NewPCG(n.seed, h.Sum64())), key: h.Sum64(), again: map[uint64]uint64{}}
		n.links[p] = l
	}
	return l
}

// of is the stream of one datagram.
func (l *link) of(seed uint64, b []byte) *rand.Rand {
	h := fnv.New64a()
	h.Write(b)
	sum := h.Sum64()
	l.again[sum]++
	return rand.New(rand.NewPCG(seed^l.key, sum+l.again[sum]))
}

// send carries a datagram to everybody who listens at to.
func (n *Network) send(from *Host, b []byte, to wire.Locator) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	source := from.address
	if to != group && from.source != [4]byte{} {
		source = from.source
	}
	if source == [4]byte{} {
		return
	}
	for _, h := range n.hosts {
		if h == from || h.address == [4]byte{} ||
			!(to == group || to.IPv4() == h.address && to.Port >= metaPort && to.Port <= userPort) {
			continue
		}
		if n.filter != nil && !n.filter(from.name, h.name, b) || n.groups[from.name] != n.groups[h.name] {
			continue
		}
		n.carry(from, h, b, wire.UDPv4(source, metaPort), now)
	}
}

// carry takes one datagram over one link. It draws the same number of chances for each, whatever happens.
func (n *Network) carry(from, to *Host, b []byte, source wire.Locator, now time.Time) {
	l := n.link(pair{from.name, to.name})
	f := n.faults
	if l.faults != nil {
		f = *l.faults
	}
	if n.byText {
		l.rand = l.of(n.seed, b)
	}
	lost, again, late := l.rand.Float64() < f.Loss, l.rand.Float64() < f.Duplicate,
		l.rand.Float64() < f.Reorder
	first, second := l.rand.Float64(), l.rand.Float64()
	if lost {
		return
	}
	at := now.Add(f.Delay)
	if late {
		at = at.Add(f.Delay + time.Millisecond)
	}
	to.post(b, source, at.Add(time.Duration(first*float64(f.Jitter))))
	if again {
		to.post(b, source, at.Add(time.Duration(second*float64(f.Jitter))))
	}
}
