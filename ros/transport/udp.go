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
	// receiveBuffer is what we ask for: a burst of a large sample must fit (the system's default holds 1/20 of it).
	receiveBuffer = 4 << 20
	sendBuffer    = 4 << 20
	// lookPeriod is how often the interfaces are looked at.
	lookPeriod = 2 * time.Second
	// maxFailures is how many reads in a row may fail before a socket is given up.
	maxFailures = 100
	// largestDatagram is what UDP can carry.
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
	changed chan struct{}
	tap     *tap

	mu     sync.RWMutex
	faces  []face
	links  []wire.Link
	casts  map[int]cast // by interface
	joined map[int]bool // interfaces on which we hear the group
}

// cast is where a multicast leaves.
type cast struct {
	conn *net.UDPConn
	from [4]byte
}

// Open binds the sockets of the first participant index that is free and joins the multicast group. Nothing is received before Run.
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
		return nil, fmt.Errorf("%w: %q is not up or not there; there are %s", ErrInterface, unknown, names(all))
	}
	if u.static, err = resolve(cfg.StaticPeers); err != nil {
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
	u.apply(fs)
	return u, nil
}

func names(fs []face) (all []string) {
	for _, f := range fs {
		all = append(all, f.name)
	}
	return all
}

// resolve looks up the static peers.
func resolve(hosts []string) (out [][4]byte, err error) {
	for _, h := range hosts {
		ips, err := net.LookupIP(h)
		if err != nil {
			return nil, fmt.Errorf("%w: static peer %q: %w", ErrConfig, h, err)
		}
		i := slices.IndexFunc(ips, func(ip net.IP) bool { return ip.To4() != nil })
		if i < 0 {
			return nil, fmt.Errorf("%w: static peer %q has no IPv4 address", ErrConfig, h)
		}
		out = append(out, [4]byte(ips[i].To4()))
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

// Run gives every datagram that arrives to receive, from one goroutine per socket, until ctx ends. Then it closes the sockets.
func (u *UDP) Run(ctx context.Context, receive func(b []byte, from wire.Locator)) error {
	conns := slices.DeleteFunc([]*net.UDPConn{u.multi, u.meta, u.user}, func(c *net.UDPConn) bool { return c == nil })
	errs := make(chan error, len(conns))
	for _, c := range conns {
		go func() { errs <- u.read(c, receive) }()
	}
	look := time.NewTicker(lookPeriod)
	defer look.Stop()
	var err error
	for ended := 0; ; {
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
		case <-look.C:
			u.look()
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
	for i, c := range u.casts {
		c.conn.Close()
		delete(u.casts, i)
	}
	return nil
}

// look compares the interfaces with those in use and takes over what has changed.
func (u *UDP) look() {
	if u.meta == nil {
		return
	}
	all, err := faces()
	if err != nil {
		return // the next look may do
	}
	fs, _ := chosen(all, u.cfg.Interfaces)
	u.mu.RLock()
	same := slices.EqualFunc(fs, u.faces, func(a, b face) bool {
		return a.index == b.index && a.name == b.name && a.multi == b.multi && slices.Equal(a.addrs, b.addrs)
	})
	u.mu.RUnlock()
	if same {
		return
	}
	u.apply(fs)
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

// apply joins the group on new interfaces, leaves what is gone, and makes the links.
func (u *UDP) apply(fs []face) {
	u.mu.Lock()
	defer u.mu.Unlock()
	there := map[int]bool{}
	u.faces = slices.Clone(fs)
	for i := range fs {
		f := &fs[i]
		there[f.index] = true
		if u.cfg.Range == Subnet && f.multi {
			f.multi = u.joinGroup(f)
		}
	}
	for i := range u.joined {
		if !there[i] { // the kernel has left the group with the interface
			delete(u.joined, i)
			if c, ok := u.casts[i]; ok {
				c.conn.Close()
				delete(u.casts, i)
			}
		}
	}
	u.links = links(&u.cfg, fs, u.index, u.static)
}

// joinGroup hears the group on an interface and has a socket that sends there, from its present address. It is false when the interface
// refuses.
func (u *UDP) joinGroup(f *face) bool {
	ifi := &net.Interface{Index: f.index, Name: f.name}
	if !u.joined[f.index] {
		if err := ipv4.NewPacketConn(u.multi).JoinGroup(ifi, &net.UDPAddr{IP: group[:]}); err != nil {
			return false
		}
		u.joined[f.index] = true
	}
	old, ok := u.casts[f.index]
	if ok && old.from == f.addrs[0] {
		return true
	}
	conn, err := sendSocket(ifi, f.addrs[0])
	if err != nil {
		return false
	}
	if ok {
		old.conn.Close()
	}
	u.casts[f.index] = cast{conn, f.addrs[0]}
	return true
}
