package transport

import (
	"errors"
	"net"
	"sync"
	"syscall"

	"golang.org/x/net/ipv4"

	"simdeck/ros/rtps/wire"
)

const (
	// maxBatch is the number of datagrams per system call.
	maxBatch = 64
	// maxTargets bounds how many addresses are kept in the form that the system wants.
	maxTargets = 1024
)

// batch sends many datagrams with few calls of the system, and allocates nothing while it always sends to the
// same addresses.
type batch struct {
	mu       sync.Mutex
	messages [maxBatch]ipv4.Message
	parts    [maxBatch][3][]byte
	targets  map[wire.Locator]*net.UDPAddr
}

// SendBatch sends datagrams in their order. It gives how many it is done with, and how many of those the
// system did not take. With wait it is done with all of them; without, it stops where the system has no room
// for more.
func (u *UDP) SendBatch(all []wire.Datagram, wait bool) (done, failed int) {
	if u.meta == nil {
		return len(all), 0 // discovery is off
	}
	u.batch.mu.Lock()
	defer u.batch.mu.Unlock()
	for done < len(all) {
		if d := &all[done]; d.To.IsMulticast() {
			if u.cast(d) != nil {
				failed++
			}
			done++
			continue
		}
		n, err := u.unicast(all[done:], wait)
		done += n
		switch {
		case err == nil:
		case !wait && errors.Is(err, syscall.EAGAIN):
			return done, failed
		default: // the first one that was not sent is to blame
			done++
			failed++
		}
	}
	return done, failed
}

// cast sends one multicast.
func (u *UDP) cast(d *wire.Datagram) error { return u.Send(d.Append(nil), d.To, d.Link) }

// target gives an address in the form that the system wants.
func (b *batch) target(l wire.Locator) *net.UDPAddr {
	a := b.targets[l]
	if a == nil {
		if len(b.targets) >= maxTargets || b.targets == nil {
			b.targets = map[wire.Locator]*net.UDPAddr{}
		}
		ip := l.IPv4()
		a = &net.UDPAddr{IP: append(net.IP(nil), ip[:]...), Port: int(l.Port)}
		b.targets[l] = a
	}
	return a
}
