package transport

import (
	"context"
	"errors"
	"flag"
	"net"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// recorded reads the datagrams that real participants sent.
func recorded(t *testing.T) [][]byte {
	t.Helper()
	all, err := netsim.Captures("../rtps/wire/testdata/captures/*")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var soakFor = flag.Duration("soak", 3*time.Second, "how long hostile peers are endured")

// others is a network beside ours on the loopback interface: addresses in it are not of this host to a
// participant.
var others = func(last byte) net.IP { return net.IPv4(10, 9, 8, last) }

// misled counts the octets that arrive at an address of somebody who has nothing to do with anything.
func misled(t *testing.T, at net.IP, port int) *atomic.Int64 {
	t.Helper()
	var n atomic.Int64
	for i := range 16 {
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: at, Port: port + i})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		go func() {
			b := make([]byte, largestDatagram)
			for {
				k, err := c.Read(b)
				if err != nil {
					return
				}
				n.Add(int64(k))
			}
		}()
	}
	return &n
}

// TestHostilePeersHarmNobodyOnRealSockets is the one of package rtps, with the sockets of the system between
// attacker, target and client.
func TestHostilePeersHarmNobodyOnRealSockets(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock, measures memory")
	}
	const (
		domain     = 60
		mostDelay  = 500 * time.Millisecond // of 99 in 100 samples
		mostMemory = 200 << 20
	)
	lasts := *soakFor
	addAddress(t, [4]byte(others(1).To4()))
	defer dropAddress(t)
	q := rtps.QoS{Reliability: rtps.Reliable}
	out, atHonest := couple(t, domain, q)
	to := out.GUID()
	victims := misled(t, others(2), 7410)
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: others(3), Port: 7410})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	a := &netsim.Attacker{Target: to.Prefix, Victim: wire.UDPv4([4]byte(others(2).To4()), 7410),
		Self:     wire.UDPv4([4]byte(others(3).To4()), 7410),
		Captures: recorded(t), Topic: "rt/t", Type: "T",
		Writer: wire.GUID{Prefix: atHonest.GUID().Prefix, Entity: 0x103}, Reader: atHonest.GUID(),
		Ours: [2]wire.EntityID{to.Entity, 0x104}}
	a.Seed(1)

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ctx, stop := context.WithTimeout(t.Context(), lasts)
	defer stop()
	sent := make(chan int, 1)
	go func() { sent <- assault(ctx, t, conn, a, metaPort(domain, 0)) }()
	n, delays := 0, []time.Duration(nil)
	for ctx.Err() == nil {
		if _, err := out.Write(make([]byte, 200), rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		n++
		limit, cancel := context.WithTimeout(t.Context(), patience)
		s, err := atHonest.Receive(limit)
		cancel()
		if err != nil || s.SN != wire.SequenceNumber(n) || s.Writer != to {
			t.Fatalf("sample %d of %s after %d: %v", s.SN, s.Writer, n-1, err)
		}
		delays = append(delays, s.Received.Sub(s.SourceTime))
		atHonest.Recycle(s.Payload)
	}
	attacks := <-sent
	runtime.GC()
	runtime.ReadMemStats(&after)
	slices.Sort(delays)
	t.Logf("%d datagrams of the attacker, %d samples, the middle one after %v, of a hundred one after %v, %d octets to the victim, heap %d MiB",
		attacks, n, delays[n/2], delays[n*99/100], victims.Load(), after.HeapAlloc>>20)
	if delays[n*99/100] > mostDelay {
		t.Errorf("of a hundred samples one takes %v, at most %v", delays[n*99/100], mostDelay)
	}
	if attacks < 1000 || n < 100 {
		t.Errorf("%d datagrams of the attacker and %d samples prove nothing", attacks, n)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > mostMemory {
		t.Errorf("%d MiB more are held", held>>20)
	}
	// of rtps's amplification limit, by one target; the client hears the announcements too
	allowed := 256<<10 + (32<<10)*int64(lasts/time.Second+1)
	if got := victims.Load(); got > 2*allowed || got == 0 {
		t.Errorf("%d octets to the victim, at most %d", got, 2*allowed)
	}
}

// assault sends as fast as it can, but lets others have the processor too.
func assault(ctx context.Context, t *testing.T, c *net.UDPConn, a *netsim.Attacker, meta int) (n int) {
	ports := []int{meta, meta + 1, meta - metaOffset}
	for ctx.Err() == nil {
		b := a.Next()
		if _, err := c.WriteToUDP(b, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1),
			Port: ports[n%3]}); err != nil && !errors.Is(err, net.ErrClosed) && len(b) < 60000 {
			t.Error(err)
			return n
		}
		if n++; n%20 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	return n
}
