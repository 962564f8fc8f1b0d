package admission

import (
	"net"
	"net/netip"
	"testing"
)

// door is a listener whose connections come from addresses.
type door struct {
	net.Listener
	from []string
}

type arrived struct {
	net.Conn
	from   string
	closed bool
}

func (d *door) Accept() (net.Conn, error) {
	if len(d.from) == 0 {
		return nil, net.ErrClosed
	}
	c := &arrived{from: d.from[0]}
	d.from = d.from[1:]
	return c, nil
}

func (a *arrived) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(a.from), 1))
}

func (a *arrived) Close() error { a.closed = true; return nil }

// all accepts all connections; those that stay are open.
func all(t *testing.T, l net.Listener) (open map[string]int, in []net.Conn) {
	t.Helper()
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		in = append(in, c)
	}
	open = map[string]int{}
	for _, c := range in {
		if a := c.(*kept).Conn.(*arrived); !a.closed {
			open[a.from]++
		}
	}
	return open, in
}

func TestAFloodFromOneAddressDisplacesItself(t *testing.T) {
	d := &door{from: []string{"10.0.0.1", "10.0.0.1"}}
	for range 100 {
		d.from = append(d.from, "192.0.2.9")
	}
	d.from = append(d.from, "10.0.0.2", "10.0.0.3", "10.0.0.3", "2001:db8::1")
	open, in := all(t, Listen(d, 10))
	if open["10.0.0.1"] != 2 || open["10.0.0.2"] != 1 || open["10.0.0.3"] != 2 || open["2001:db8::1"] != 1 ||
		open["192.0.2.9"] != 4 {
		t.Errorf("open are %v", open)
	}
	if first := in[2].(*kept).Conn.(*arrived); first.from != "192.0.2.9" || first.closed {
		t.Error("the oldest connection of the flood was closed before newer ones")
	}
}

func TestAConnectionThatEndsLeavesItsPlace(t *testing.T) {
	d := &door{from: []string{"10.0.0.1", "10.0.0.1"}}
	l := Listen(d, 2)
	_, in := all(t, l)
	d.from = []string{"10.0.0.1"}
	if open, _ := all(t, l); len(open) != 0 {
		t.Errorf("a third connection is let in: %v", open)
	}
	_ = in[0].Close()
	d.from = []string{"10.0.0.1"}
	if open, _ := all(t, l); open["10.0.0.1"] != 1 {
		t.Errorf("in place of one that has ended: %v", open)
	}
}
