package transport

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// space is a network namespace: another machine, as far as the network goes.
type space struct {
	t  *testing.T
	ns *os.File
}

// newSpace makes one with nothing but its loopback interface, which is up.
func newSpace(t *testing.T) *space {
	t.Helper()
	s := &space{t: t}
	s.aside(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return err
		}
		var err error
		if s.ns, err = os.Open("/proc/thread-self/ns/net"); err != nil {
			return err
		}
		return loopbackUp()
	})
	t.Cleanup(func() { s.ns.Close() })
	return s
}

// aside calls f on a thread of its own, which ends with it.
func (s *space) aside(f func() error) {
	s.t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and is never unlocked: the thread does not come back into this namespace
		done <- f()
	}()
	if err := <-done; err != nil {
		s.t.Fatal(err)
	}
}

// in calls f in the namespace.
func (s *space) in(f func() error) {
	s.t.Helper()
	s.aside(func() error {
		if err := s.enter(); err != nil {
			return err
		}
		return f()
	})
}

func (s *space) enter() error { return unix.Setns(int(s.ns.Fd()), unix.CLONE_NEWNET) }

// settled is the transport of a participant that lives in a space.
type settled struct {
	*UDP
	space *space
}

// Run is UDP's, on a thread in the space: there the interfaces are looked at.
func (s *settled) Run(ctx context.Context, receive func([]byte, wire.Locator)) error {
	runtime.LockOSThread()
	if err := s.space.enter(); err != nil {
		return err
	}
	return s.UDP.Run(ctx, receive)
}

// join runs a participant in the space until the test ends.
func (s *space) join(cfg Config) (*rtps.Participant, *UDP) {
	s.t.Helper()
	var u *UDP
	s.in(func() (err error) {
		u, err = Open(cfg)
		return err
	})
	p, err := rtps.New(rtps.Config{DomainID: cfg.Domain, Transport: &settled{u, s}})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	})
	return p, u
}

// request is a message to the kernel (netlink(7), rtnetlink(7)).
type request []byte

// attribute adds one: a text, a number or what nest has made.
func (r request) attribute(kind uint16, value []byte) request {
	r = binary.NativeEndian.AppendUint16(r, uint16(unix.SizeofRtAttr+len(value)))
	r = binary.NativeEndian.AppendUint16(r, kind)
	r = append(r, value...)
	for len(r)%unix.RTA_ALIGNTO != 0 {
		r = append(r, 0)
	}
	return r
}

func text(s string) []byte { return append([]byte(s), 0) }
func num(n uint32) []byte  { return binary.NativeEndian.AppendUint32(nil, n) }

// ifinfomsg
func link(i uint32) request { return append(append(make(request, 4), num(i)...), make([]byte, 8)...) }

// ask gives the kernel a request and waits until it is done.
func ask(kind, flags uint16, r request) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	b := num(uint32(unix.SizeofNlMsghdr + len(r)))
	b = binary.NativeEndian.AppendUint16(b, kind)
	b = binary.NativeEndian.AppendUint16(b, flags|unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	b = append(append(b, make([]byte, 8)...), r...)
	if err := unix.Sendto(fd, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil || n < unix.SizeofNlMsghdr+4 {
		return fmt.Errorf("an answer of %d octets: %w", n, err)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}

const create = unix.NLM_F_CREATE | unix.NLM_F_EXCL

// cable joins two spaces: an interface with that name is in each. Neither has an address, and both are down.
func (s *space) cable(name string, other *space) {
	s.t.Helper()
	peer := link(0).attribute(unix.IFLA_IFNAME, text(name)).attribute(unix.IFLA_NET_NS_FD,
		num(uint32(other.ns.Fd())))
	const vethInfoPeer = 1
	kind := request(nil).attribute(unix.IFLA_INFO_KIND, text("veth")).
		attribute(unix.IFLA_INFO_DATA, request(nil).attribute(vethInfoPeer, peer))
	s.in(func() error {
		return ask(unix.RTM_NEWLINK, create,
			link(0).attribute(unix.IFLA_IFNAME, text(name)).attribute(unix.IFLA_LINKINFO, kind))
	})
}

// index gives the number of an interface.
func index(name string) (uint32, error) {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return 0, err
	}
	return uint32(i.Index), nil
}

// pull takes an interface away, and its other end too.
func (s *space) pull(name string) {
	s.t.Helper()
	s.in(func() error {
		i, err := index(name)
		if err != nil {
			return err
		}
		return ask(unix.RTM_DELLINK, 0, link(i))
	})
}

// turn brings an interface up or down.
func (s *space) turn(name string, up bool) {
	s.t.Helper()
	s.in(func() error {
		return control(name, unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error {
			flags := uint16(unix.IFF_MULTICAST | unix.IFF_BROADCAST)
			if up {
				flags |= unix.IFF_UP
			}
			r.SetUint16(flags)
			return nil
		})
	})
}

// give adds an address with a prefix of 24 to an interface; take takes it back.
func (s *space) give(name string, a [4]byte) { s.address(unix.RTM_NEWADDR, create, name, a) }
func (s *space) take(name string, a [4]byte) { s.address(unix.RTM_DELADDR, 0, name, a) }

func (s *space) address(kind, flags uint16, name string, a [4]byte) {
	s.t.Helper()
	s.in(func() error {
		i, err := index(name)
		if err != nil {
			return err
		}
		m := append(request{unix.AF_INET, 24, 0, 0}, num(i)...) // ifaddrmsg
		return ask(kind, flags, m.attribute(unix.IFA_LOCAL, a[:]).attribute(unix.IFA_ADDRESS, a[:]))
	})
}
