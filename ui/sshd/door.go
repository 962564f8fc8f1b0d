package sshd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// What strangers may cost.
const (
	loginWithin    = 15 * time.Second // from connecting to a key that may enter
	maxStrangers   = 64               // connections that have not shown a key yet
	perAddress     = 20               // new connections of one address
	perAddressTime = 10 * time.Second // within this
	maxAddresses   = 4096             // that are remembered
	sendBuffer     = 16 << 10         // bytes: what the kernel holds of frames that are old when they arrive
)

// door counts who is outside and inside.
type door struct {
	mu        sync.Mutex
	strangers int
	most      int
	consoles  map[*visit]string // that are open, and whose
	addresses map[string]bucket
	inside    sync.WaitGroup
}

// bucket is how many connections an address has left.
type bucket struct {
	left float64
	at   time.Time
}

func newDoor(sessions int) door {
	return door{most: sessions, addresses: map[string]bucket{}, consoles: map[*visit]string{}}
}

// Why somebody is not let in.
var (
	errCrowd = errors.New("too many connections that have shown no key")
	errHaste = errors.New("too many connections from there")
	errFull  = errors.New("as many consoles are open as may be")
)

// knock lets a connection come to the door, or says why not.
func (d *door) knock(address string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.addresses) >= maxAddresses {
		for a, b := range d.addresses {
			if now.Sub(b.at) > perAddressTime {
				delete(d.addresses, a)
			}
		}
	}
	b, known := d.addresses[address]
	switch {
	case !known && len(d.addresses) >= maxAddresses:
		return errCrowd
	case !known:
		b.left = perAddress
	default:
		b.left = min(perAddress, b.left+now.Sub(b.at).Seconds()*perAddress/perAddressTime.Seconds())
	}
	b.at = now
	if b.left < 1 {
		d.addresses[address] = b
		return errHaste
	}
	b.left--
	d.addresses[address] = b
	if d.strangers >= maxStrangers {
		return errCrowd
	}
	d.strangers++
	return nil
}

// known says that a stranger has shown a key, or has gone.
func (d *door) known() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.strangers--
}

// open counts a console; false when there are as many as may be.
func (d *door) open(v *visit) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.consoles) >= d.most {
		return false
	}
	d.consoles[v] = v.name
	if v.role != operator {
		d.consoles[v] += " (" + string(v.role) + ")"
	}
	return true
}

// shut counts a console less.
func (d *door) shut(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.consoles, v)
}

// Inside is how many consoles are open.
func (s *Server) Inside() int { return len(s.door.here()) }

// here is whose consoles are open, in order.
func (d *door) here() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Values(d.consoles))
}

// leave waits until everybody has left.
func (d *door) leave() { d.inside.Wait() }

// welcome serves a connection in goroutines of its own.
func (s *Server) welcome(ctx context.Context, conn net.Conn) {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		host = conn.RemoteAddr().String()
	}
	if err := s.door.knock(host, time.Now()); err != nil {
		s.c.Log.Warn("SSH: a connection is refused", "from", conn.RemoteAddr().String(), "reason", err)
		conn.Close()
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // the kernel may have its own ideas
	}
	s.door.inside.Go(func() { s.serve(ctx, conn) })
}

// serve is a connection from its first byte to its last.
func (s *Server) serve(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	late := time.AfterFunc(loginWithin, func() { conn.Close() })
	stop := context.AfterFunc(ctx, func() { conn.Close() }) // until somebody has entered: a console then ends as it should
	config, told := *s.ssh, false
	config.PublicKeyCallback = func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		p, why := s.admit(key)
		if why != nil && !told { // of the keys that a client tries one after another, the first is told of
			told = true
			why = &ssh.BannerError{Err: why, Message: "simdeck: " + why.Error() + "\n"}
		}
		return p, why
	}
	c, channels, requests, err := ssh.NewServerConn(conn, &config)
	late.Stop()
	stop()
	s.door.known()
	if err != nil {
		s.c.Log.Info("SSH: nobody entered", "from", conn.RemoteAddr().String(), "reason", err)
		return
	}
	go ssh.DiscardRequests(requests) // forwarding among them: each is refused
	s.entertain(ctx, c, channels)
}

// Extensions of a connection's permissions.
const (
	nameOf = "simdeck-name"
	roleOf = "simdeck-role"
)

// Why a key does not let in.
var (
	errKeys = errors.New("the keys of operators cannot be read; simdeck's log says why")
	errKey  = errors.New("may not enter here; who runs simdeck can add it to the file of keys")
)

// admit says whether the owner of a key may enter, and as whom. What it returns
// counts when the client has proved that it has that key, and no other.
func (s *Server) admit(key ssh.PublicKey) (*ssh.Permissions, error) {
	g, ok, err := s.keys.find(key)
	switch {
	case err != nil:
		s.c.Log.Error("SSH: nobody can enter", "error", err)
		return nil, errKeys
	case !ok:
		return nil, fmt.Errorf("the key %s %w", ssh.FingerprintSHA256(key), errKey)
	}
	return &ssh.Permissions{Extensions: map[string]string{nameOf: g.name, roleOf: string(g.role)}}, nil
}
