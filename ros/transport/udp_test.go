package transport_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/transport"
)

var _ rtps.Transport = (*transport.UDP)(nil)

func open(t *testing.T, cfg transport.Config) *transport.UDP {
	t.Helper()
	u, err := transport.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { u.Close() })
	return u
}

// start runs a participant until the test ends.
func start(t *testing.T, cfg transport.Config) *rtps.Participant {
	t.Helper()
	p, err := rtps.New(rtps.Config{DomainID: cfg.Domain, Transport: open(t, cfg)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := p.Stats().Panics; n != 0 {
			t.Errorf("%d faults", n)
		}
	})
	return p
}

func pair(t *testing.T, a, b *rtps.Participant, size int) {
	t.Helper()
	q := rtps.QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 10}
	topic := fmt.Sprintf("rt/%s/%d", a.GUID(), size)
	w, err := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = byte(i * i >> 3)
	}
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	for i := range 5 {
		if _, err := w.Write(payload, rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		s, err := r.Receive(ctx)
		if err != nil || !bytes.Equal(s.Payload[:size], payload) {
			t.Fatalf("sample %d: %d octets of %d: %v\n%+v\n%+v\n%+v\n%+v", i, len(s.Payload), size, err,
				a.Stats(), b.Stats(), a.Graph(), b.Graph())
		}
	}
}

func TestSamplesTravelOverRealSockets(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	for i, c := range []struct{ a, b transport.Range }{
		{transport.Subnet, transport.Subnet}, {transport.Localhost, transport.Localhost},
		{transport.Subnet, transport.Localhost},
	} {
		t.Run(fmt.Sprint(c.a, " and ", c.b), func(t *testing.T) {
			domain := uint32(20 + i)
			a := start(t, transport.Config{Domain: domain, Range: c.a})
			b := start(t, transport.Config{Domain: domain, Range: c.b})
			pair(t, a, b, 100)
			pair(t, b, a, 3<<20)
		})
	}
}

func TestTwoParticipantsTakeDifferentPorts(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	a, b := open(t, transport.Config{Domain: 30}), open(t, transport.Config{Domain: 30})
	if a.Index() != 0 || b.Index() != 1 || a.Links()[0].Meta[0].Port != 14910 ||
		b.Links()[0].User[0].Port != 14913 {
		t.Errorf("indices %d and %d, %v and %v", a.Index(), b.Index(), a.Links(), b.Links())
	}
	// one taken port of a pair passes over the pair
	c, err := net.ListenPacket("udp4", "0.0.0.0:14915")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if d := open(t, transport.Config{Domain: 30}); d.Index() != 3 {
		t.Errorf("index %d, want 3", d.Index())
	}
}

func TestWhenAllPortsAreTakenTheErrorSaysWhatToDo(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	for range 120 {
		open(t, transport.Config{Domain: 31})
	}
	_, err := transport.Open(transport.Config{Domain: 31})
	if !errors.Is(err, transport.ErrPorts) || !bytes.Contains([]byte(err.Error()), []byte("another domain")) {
		t.Errorf("got %v", err)
	}
}

func TestWhatCannotWorkIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets")
	}
	for _, c := range []struct {
		cfg  transport.Config
		want error
	}{
		{transport.Config{Domain: 233}, transport.ErrConfig},
		{transport.Config{Interfaces: []string{"nope0"}}, transport.ErrInterface},
		{transport.Config{StaticPeers: []string{"no.such.host.invalid"}}, transport.ErrConfig},
	} {
		u, err := transport.Open(c.cfg)
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.cfg, err, c.want)
		}
		if err == nil {
			u.Close()
		}
	}
}

func TestWithDiscoveryOffNothingIsOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	u := open(t, transport.Config{Domain: 32, Range: transport.Off})
	c, err := net.ListenPacket("udp4", "0.0.0.0:15410")
	if err != nil {
		t.Errorf("the port is taken: %v", err)
	} else {
		c.Close()
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if err := u.Run(ctx, func([]byte, wire.Locator) { t.Error("received") }); !errors.Is(err,
		context.DeadlineExceeded) || len(u.Links()) != 0 {
		t.Errorf("%v, links %v", err, u.Links())
	}
}

func TestAnyDatagramOnAnyPortIsSurvived(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	const domain = 33
	a, b := start(t, transport.Config{Domain: domain}), start(t, transport.Config{Domain: domain})
	pair(t, a, b, 100)
	c, err := net.Dial("udp4", "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	random := rand.New(rand.NewPCG(1, 2))
	base := 7400 + 250*domain
	prefix := b.GUID().Prefix
	for i := range 20000 {
		m := make([]byte, random.IntN(300))
		for j := range m {
			m[j] = byte(random.Uint32())
		}
		if i%2 == 0 && len(m) > 24 { // from a participant that is known
			copy(m, wire.Header{Version: wire.Version, Vendor: wire.VendorEProsima,
				Prefix: prefix}.Append(nil))
			m[20] = byte([]int{6, 7, 8, 9, 0xc, 0xe, 0x12, 0x13, 0x15, 0x16}[random.IntN(10)])
			m[22], m[23] = byte(len(m)-24), byte((len(m)-24)>>8)
		}
		to := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: []int{base, base + 10, base + 11}[i%3]}
		if _, err := conn.WriteToUDP(m, to); err != nil {
			t.Fatal(err)
		}
	}
	pair(t, b, a, 1000)
	if s := a.Stats(); s.Malformed == 0 || s.Foreign == 0 {
		t.Errorf("nothing of it arrived: %+v", s)
	}
}
