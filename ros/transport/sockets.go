package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/net/ipv4"

	"simdeck/ros/rtps/wire"
)

func addrPort(l wire.Locator) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4(l.IPv4()), uint16(l.Port))
}

// bind opens the two unicast sockets of the first free index, and the one that shares the multicast port with
// every other participant.
func (u *UDP) bind() (err error) {
	if u.cfg.Range == Subnet {
		if u.multi, err = listen(multicastPort(u.cfg.Domain), true); err != nil {
			return fmt.Errorf("%w: multicast port %d of domain %d: %w", ErrPorts, multicastPort(u.cfg.Domain),
				u.cfg.Domain, err)
		}
	}
	for i := range maxIndex + 1 {
		if userPort(u.cfg.Domain, i) > 0xffff {
			break
		}
		u.meta, err = listen(metaPort(u.cfg.Domain, i), false)
		if err == nil {
			if u.user, err = listen(userPort(u.cfg.Domain, i), false); err == nil {
				u.index = i
				return nil
			}
			u.meta.Close()
			u.meta = nil
		}
		if !inUse(err) {
			return fmt.Errorf("transport: ports %d and %d of domain %d: %w", metaPort(u.cfg.Domain, i),
				userPort(u.cfg.Domain, i), u.cfg.Domain, err)
		}
	}
	return fmt.Errorf("%w: domain %d has all from %d to %d in use; stop some ROS nodes or choose another domain",
		ErrPorts,
		u.cfg.Domain, metaPort(u.cfg.Domain, 0), userPort(u.cfg.Domain, maxIndex))
}

// listen opens a socket on all addresses. Only the multicast port is shared: a unicast port that others could
// share would split what arrives between them.
func listen(port int, shared bool) (*net.UDPConn, error) {
	lc := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var failed error
		err := raw.Control(func(fd uintptr) { failed = prepare(fd, shared) })
		return errors.Join(err, failed)
	}}
	c, err := lc.ListenPacket(context.Background(), "udp4", fmt.Sprintf("0.0.0.0:%d", port))
	if err != nil {
		return nil, err
	}
	return c.(*net.UDPConn), nil
}

// sendSocket opens a socket whose multicasts leave over one interface and from its address, reach this
// machine too, and no router.
func sendSocket(ifi *net.Interface, from [4]byte) (*net.UDPConn, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: from[:]})
	if err != nil {
		return nil, err
	}
	p := ipv4.NewPacketConn(c)
	if err := errors.Join(p.SetMulticastInterface(ifi), p.SetMulticastLoopback(true),
		p.SetMulticastTTL(1)); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
