package admission

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Fair are the limits of equal connections. One stays until a newcomer finds no place whose source has fewer
// of them.
func Fair(most int) Limits {
	return Limits{Start: most, Rate: 100, Full: most, MaxPenalty: -1, Stay: true}
}

// Crowd is an Admission that goroutines share.
type Crowd struct {
	mu        sync.Mutex
	admission *Admission
}

// NewCrowd is a crowd without connections.
func NewCrowd(l Limits, seed uint64) *Crowd { return &Crowd{admission: New(l, seed)} }

// Arrive lets a connection in, for which another one may be closed, or says why not.
func (c *Crowd) Arrive(k *Connection, now time.Time) error {
	c.mu.Lock()
	dropped, err := c.admission.Arrive(k, now)
	c.mu.Unlock()
	if dropped != nil {
		dropped.Drop()
	}
	return err
}

// Leave forgets a connection.
func (c *Crowd) Leave(k *Connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.admission.Leave(k)
}

// AddressOf is the address in "127.0.0.1:80"; zero where there is none.
func AddressOf(text string) netip.Addr {
	at, _ := netip.ParseAddrPort(text)
	return at.Addr()
}

// listener accepts connections within Fair limits.
type listener struct {
	net.Listener
	crowd *Crowd
}

// Listen bounds the open connections of a listener. A further one displaces the newest connection of the
// address with the most, and is closed itself if it comes from there.
func Listen(l net.Listener, most int) net.Listener {
	return &listener{l, NewCrowd(Fair(most), 1)}
}

// Accept waits for a connection that is let in.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		k := &kept{Conn: conn, crowd: l.crowd}
		k.place = Connection{From: SourceOf(AddressOf(conn.RemoteAddr().String())),
			Drop: func() { _ = conn.Close() }}
		if l.crowd.Arrive(&k.place, time.Time{}) == nil {
			return k, nil
		}
		_ = conn.Close()
	}
}

// kept is a connection with its place.
type kept struct {
	net.Conn
	crowd *Crowd
	place Connection
}

// Close gives the place back.
func (k *kept) Close() error {
	k.crowd.Leave(&k.place)
	return k.Conn.Close()
}

// SetWriteBuffer is that of a TCP connection.
func (k *kept) SetWriteBuffer(bytes int) error {
	if c, ok := k.Conn.(interface{ SetWriteBuffer(int) error }); ok {
		return c.SetWriteBuffer(bytes)
	}
	return errors.ErrUnsupported
}
