// Package pipetest is a listener on pipes in memory, for tests of servers in virtual time (testing/synctest).
package pipetest

import (
	"net"
	"sync"
)

// Listener accepts the connections that Dial makes, instead of a socket. The zero value is not ready: see Listen.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	mu     sync.Mutex
	port   int
}

// Listen has the signature of net.Listen, and needs no network.
func Listen(string, string) (net.Listener, error) {
	return &Listener{conns: make(chan net.Conn), closed: make(chan struct{}), port: 40000}, nil
}

// Accept waits for the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial; connections stay.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr is an address of this machine, as of a socket.
func (l *Listener) Addr() net.Addr { return local(1) }

// Dial connects to the listener from an address of this machine. Unlike a socket, the pipe has no buffer: a
// write waits for its reader.
func (l *Listener) Dial() (net.Conn, error) {
	l.mu.Lock()
	l.port++
	from := local(l.port)
	l.mu.Unlock()
	here, there := net.Pipe()
	select {
	case l.conns <- named{there, l.Addr(), from}:
		return named{here, from, l.Addr()}, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// named is a pipe with addresses.
type named struct {
	net.Conn
	local, remote net.Addr
}

func (n named) LocalAddr() net.Addr  { return n.local }
func (n named) RemoteAddr() net.Addr { return n.remote }

func local(port int) net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }
