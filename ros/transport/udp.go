package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/ipv4"

	"simdeck/ros/rtps/wire"
)

// group is the multicast group of all domains (RTPS 2.2 §9.6.1.4.1).
var group = [4]byte{239, 255, 0, 1}

const (
	// receiveBuffer is the requested size: a burst of a large sample must fit (the system's default holds
	// 1/20 of it).
	receiveBuffer = 4 << 20
	sendBuffer    = 4 << 20
	// lookPeriod is the interval of looks at interfaces without a notice; lookPause is the least one, for one
	// change makes several notices.
	lookPeriod = 2 * time.Second
	lookPause  = 10 * time.Millisecond
	// maxFailures is the number of consecutive failed reads after which a socket is given up.
	maxFailures = 100
	// largestDatagram bounds the size of a datagram of UDP, bytes.
	largestDatagram = 65536
)

// UDP is the network of the machine as rtps.Transport. Open makes one.
type UDP struct {
	cfg     Config
	index   int
	multi   *net.UDPConn     // group traffic of all interfaces; nil without multicast
	meta    *net.UDPConn     // unicast discovery traffic
	user    *net.UDPConn     // unicast samples
	out     *ipv4.PacketConn // meta, for batches
	batch   batch
	static  [][4]byte
	notices *notices // nil when there are none to be had
	changed chan struct{}
	tap     *tap

	mu     sync.RWMutex
	faces  []face
	links  []wire.Link
	casts  map[int]cast // by interface
	joined map[int]bool // interfaces on which we hear the group
	again  bool         // an interface has refused the group: it is asked again
}

// cast is a socket from which multicasts leave.
type cast struct {
	conn *net.UDPConn
	from [4]byte
}

// Open binds the sockets of the first participant index that is free and joins the multicast group. Nothing
// is received before Run.
func Open(cfg Config) (*UDP, error) {
	u := &UDP{cfg: cfg, changed: make(chan struct{}, 1), casts: map[int]cast{}, joined: map[int]bool{}}
	if cfg.Domain > maxDomain {
		return nil, fmt.Errorf("%w: domain %d is beyond %d", ErrConfig, cfg.Domain, maxDomain)
	}
	if cfg.Range == Off {
		return u, nil
	}
	all, err := faces()
	if err != nil {
		return nil, err
	}
	fs, unknown := chosen(all, cfg.Interfaces)
	if len(unknown) > 0 {
		return nil, fmt.Errorf("%w: %q is not up or not there; there are %s", ErrInterface, unknown,
			names(all))
	}
	if u.static, err = resolve(cfg.StaticPeers, net.LookupIP); err != nil {
		return nil, err
	}
	if err := u.bind(); err != nil {
		u.Close()
		return nil, err
	}
	u.out = ipv4.NewPacketConn(u.meta)
	if cfg.Tap != nil {
		u.tap = newTap(cfg.Tap)
	}
	u.notices, _ = openNotices()
	u.apply(fs)
	return u, nil
}

func names(fs []face) (all []string) {
	for _, f := range fs {
		all = append(all, f.name)
	}
	return all
}

// resolve looks up the static peers: of a name all addresses, as those that stand for the replicas of a
// service have several.
func resolve(hosts []string, lookup func(host string) ([]net.IP, error)) (out [][4]byte, err error) {
	for _, h := range hosts {
		ips, err := lookup(h)
		if err != nil {
			return nil, fmt.Errorf("%w: static peer %q: %w", ErrConfig, h, err)
		}
		before := len(out)
		for _, ip := range ips {
			if v4 := ip.To4(); v4 != nil && !slices.Contains(out[before:], [4]byte(v4)) {
				out = append(out, [4]byte(v4))
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("%w: static peer %q has no IPv4 address", ErrConfig, h)
		}
	}
	return out, nil
}

// Index gives the participant index, which decides the ports.
func (u *UDP) Index() int { return u.index }

// Links gives the interfaces in use, with what to announce on each.
func (u *UDP) Links() []wire.Link {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return slices.Clone(u.links)
}

// Changed gives a token when Links has changed.
func (u *UDP) Changed() <-chan struct{} { return u.changed }

// Send sends a datagram; a multicast leaves over the interface with index link.
func (u *UDP) Send(b []byte, to wire.Locator, link int) error {
	if u.meta == nil {
		return nil // discovery is off
	}
	conn := u.meta
	if to.IsMulticast() {
		u.mu.RLock()
		conn = u.casts[link].conn
		u.mu.RUnlock()
		if conn == nil {
			return fmt.Errorf("%w: number %d takes no multicast", ErrInterface, link)
		}
	}
	if u.tap != nil {
		u.tap.sent(b, u.source(to), conn.LocalAddr(), to)
	}
	_, err := conn.WriteToUDPAddrPort(b, addrPort(to))
	if err != nil {
		return fmt.Errorf("transport: send %d octets to %s: %w", len(b), to, err)
	}
	return nil
}

// source gives the address from which a datagram for to will come, for the tap.
func (u *UDP) source(to wire.Locator) [4]byte {
	u.mu.RLock()
	defer u.mu.RUnlock()
	if l := toward(u.links, to.IPv4()); l != nil && len(l.Meta) > 0 {
		return l.Meta[0].IPv4()
	}
	return [4]byte{127, 0, 0, 1}
}

// Run gives every datagram that arrives to receive, from one goroutine per socket, until ctx ends. Then it
// closes the sockets.
func (u *UDP) Run(ctx context.Context, receive func(b []byte, from wire.Locator)) error {
	conns := slices.DeleteFunc([]*net.UDPConn{u.multi, u.meta, u.user},
		func(c *net.UDPConn) bool { return c == nil })
	errs := make(chan error, len(conns))
	for _, c := range conns {
		go func() { errs <- u.read(c, receive) }()
	}
	told := make(chan struct{}, 1)
	var watching sync.WaitGroup
	defer watching.Wait()
	if u.notices != nil {
		watching.Go(func() { u.notices.watch(told) })
	}
	look := time.NewTimer(lookPeriod)
	defer look.Stop()
	var err error
	for ended, soon := 0, false; ; {
		select {
		case <-ctx.Done():
			u.Close()
			for ; ended < len(conns); ended++ {
				<-errs
			}
			return ctx.Err()
		case err = <-errs:
			ended++
			u.Close()
			for ; ended < len(conns); ended++ {
				<-errs
			}
			return fmt.Errorf("transport: receive: %w", err)
		case <-told:
			if !soon { // notices that go on and on do not put it off
				soon = true
				look.Reset(lookPause)
			}
		case <-look.C:
			soon = false
			u.look()
			look.Reset(lookPeriod)
		}
	}
}

// read drains one socket.
func (u *UDP) read(c *net.UDPConn, receive func(b []byte, from wire.Locator)) error {
	b := make([]byte, largestDatagram)
	for failed := 0; ; {
		n, src, err := c.ReadFromUDPAddrPort(b)
		if err != nil {
			if failed++; failed > maxFailures || errors.Is(err, net.ErrClosed) {
				return err
			}
			continue // an interface that went down is no reason to give up
		}
		failed = 0
		from := wire.UDPv4(src.Addr().Unmap().As4(), src.Port())
		if u.cfg.Range == Localhost && !u.own(from) {
			continue
		}
		if u.tap != nil {
			u.tap.received(b[:n], from, u.source(from), c.LocalAddr())
		}
		receive(b[:n], from)
	}
}

// own tells whether an address is of this machine or of a static peer.
func (u *UDP) own(l wire.Locator) bool {
	if l.IsLoopback() || slices.Contains(u.static, l.IPv4()) {
		return true
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	return slices.ContainsFunc(u.faces, func(f face) bool { return slices.Contains(f.addrs, l.IPv4()) })
}

// Close closes the sockets. Run does it at its end.
func (u *UDP) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range []*net.UDPConn{u.multi, u.meta, u.user} {
		if c != nil {
			c.Close()
		}
	}
	if u.notices != nil {
		u.notices.file.Close()
	}
	for i, c := range u.casts {
		c.conn.Close()
		delete(u.casts, i)
	}
	return nil
}
