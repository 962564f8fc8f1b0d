package netsim

import (
	"container/heap"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"simdeck/ros/rtps/wire"
)

// Ports of every host: one participant each.
const (
	metaPort = 7410
	userPort = 7411
)

// ErrClosed says that the host has left the network.
var ErrClosed = errors.New("netsim: host has left")

// Host is one participant's place in the network. It satisfies rtps.Transport.
type Host struct {
	net     *Network
	name    string
	address [4]byte // guarded by the network's lock, like source; zero = the cable is out
	source  [4]byte // where its unicast datagrams come from; zero = address
	changed chan struct{}
	wake    chan struct{}

	mu     sync.Mutex
	inbox  inbox
	count  uint64
	closed bool
}

// Host adds a host. Names must differ, for faults and partitions are told by them.
func (n *Network) Host(name string) *Host {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.count++
	i := n.count
	h := &Host{net: n, name: name, address: [4]byte{10, 0, byte(i >> 8), byte(i)},
		changed: make(chan struct{}, 1),
		wake:    make(chan struct{}, 1)}
	n.hosts = append(n.hosts, h)
	return h
}

// Links gives the one interface of the host; none when its cable is out.
func (h *Host) Links() []wire.Link {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	if h.address == [4]byte{} {
		return nil
	}
	return []wire.Link{{
		Index: 1, Name: "sim0", Bits: []int{8},
		Meta:     []wire.Locator{wire.UDPv4(h.address, metaPort)},
		User:     []wire.Locator{wire.UDPv4(h.address, userPort)},
		Announce: []wire.Locator{group},
	}}
}

// Move gives the host another address instead of the one that it has. The zero address pulls its cable: it
// neither sends nor hears.
func (h *Host) Move(to [4]byte) {
	h.net.mu.Lock()
	h.address = to
	h.net.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// SendFrom sends the host's unicast datagrams from another address than it announces, like a host with two
// interfaces in one network.
func (h *Host) SendFrom(a [4]byte) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	h.source = a
}

// Changed gives a token when the host has moved.
func (h *Host) Changed() <-chan struct{} { return h.changed }

// Send gives a datagram to the network.
func (h *Host) Send(b []byte, to wire.Locator, _ int) error {
	h.mu.Lock()
	closed := h.closed
	h.mu.Unlock()
	if closed {
		return ErrClosed
	}
	h.net.send(h, b, to)
	return nil
}

// Run delivers datagrams in the order of their arrival until ctx ends; then the host leaves the network.
func (h *Host) Run(ctx context.Context, receive func(b []byte, from wire.Locator)) error {
	defer h.leave()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		d, wait := h.next()
		if d != nil {
			receive(d.b, d.from)
			continue
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.wake:
		case <-timer.C:
		}
	}
}

func (h *Host) leave() {
	h.net.mu.Lock()
	h.net.hosts = slices.DeleteFunc(h.net.hosts, func(o *Host) bool { return o == h })
	h.net.mu.Unlock()
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
}

// next takes the datagram that is due; without one it tells how long to wait.
func (h *Host) next() (*datagram, time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.inbox) == 0 {
		return nil, time.Hour
	}
	if wait := time.Until(h.inbox[0].at); wait > 0 {
		return nil, wait
	}
	return heap.Pop(&h.inbox).(*datagram), 0
}

// post puts a copy of a datagram into the inbox, to be delivered at a time.
func (h *Host) post(b []byte, from wire.Locator, at time.Time) {
	h.mu.Lock()
	h.count++
	heap.Push(&h.inbox, &datagram{b: slices.Clone(b), from: from, at: at, order: h.count})
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// datagram is on its way.
type datagram struct {
	b     []byte
	from  wire.Locator
	at    time.Time
	order uint64
}

// inbox is a heap of datagrams, the earliest first.
type inbox []*datagram

func (q inbox) Len() int      { return len(q) }
func (q inbox) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q inbox) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].order < q[j].order
	}
	return q[i].at.Before(q[j].at)
}

// Push adds a *datagram, for package heap.
func (q *inbox) Push(x any) { *q = append(*q, x.(*datagram)) }

// Pop takes the last datagram, for package heap.
func (q *inbox) Pop() any {
	old := *q
	d := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return d
}
