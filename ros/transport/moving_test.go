package transport

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// patience is the time-out of brief operations: the machine may be busy.
const patience = 30 * time.Second

// stream is a reliable topic from one participant to another that has to go on whatever happens to the
// network.
type stream struct {
	t *testing.T
	w *rtps.Writer
	r *rtps.Reader
	n uint32
}

func newStream(t *testing.T, from, to *rtps.Participant, name string) *stream {
	t.Helper()
	q := rtps.QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 1}
	w, err := from.NewWriter(rtps.WriterConfig{Topic: name, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	r, err := to.NewReader(rtps.ReaderConfig{Topic: name, Type: "T", QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	return &stream{t: t, w: w, r: r}
}

// flows writes a sample and waits until it is there.
func (s *stream) flows(what string) {
	s.t.Helper()
	s.n++
	begin := time.Now()
	if _, err := s.w.Write(binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, s.n),
		rtps.WriteOptions{}); err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(s.t.Context(), patience)
	defer stop()
	for {
		x, err := s.r.Receive(ctx)
		if err != nil {
			s.t.Fatalf("%s: sample %d: %v; matched readers %v, writers %v", what, s.n, err, s.w.Matches(),
				s.r.Matches())
		}
		if binary.LittleEndian.Uint32(x.Payload[4:]) == s.n {
			break
		}
	}
	s.t.Logf("%s: after %v", what, time.Since(begin).Round(time.Millisecond))
}

// hearsGroup tells whether a participant announces itself to the group on an address.
func hearsGroup(u *UDP, a [4]byte) bool {
	for _, l := range u.Links() {
		if l.Owns(a) {
			return slices.ContainsFunc(l.Announce, wire.Locator.IsMulticast)
		}
	}
	return false
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// TestInterfacesAndAddressesComeAndGo has two participants in two network namespaces live through what
// happens to a cable between them.
func TestInterfacesAndAddressesComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	here, there := newSpace(t), newSpace(t)
	a, ua := here.join(Config{Domain: 70})
	b, ub := there.join(Config{Domain: 70})
	forth, back := newStream(t, a, b, "rt/forth"), newStream(t, b, a, "rt/back")
	both := func(what string) {
		t.Helper()
		forth.flows(what + ", forth")
		back.flows(what + ", back")
	}
	plug := func(name string, mine, other [4]byte) {
		t.Helper()
		here.cable(name, there)
		for s, addr := range map[*space][4]byte{here: mine, there: other} {
			s.give(name, addr)
			s.turn(name, true)
		}
	}
	if len(ua.Links()) != 1 || len(ub.Links()) != 1 {
		t.Fatalf("links before there is a cable: %v, %v", ua.Links(), ub.Links())
	}

	plug("cable", [4]byte{10, 77, 0, 1}, [4]byte{10, 77, 0, 2})
	both("an interface that appears")

	there.take("cable", [4]byte{10, 77, 0, 2})
	there.give("cable", [4]byte{10, 77, 0, 3})
	until(t, "the new address is used",
		func() bool {
			return hasAddress(ub, [4]byte{10, 77, 0, 3}) &&
				!hasAddress(ub, [4]byte{10, 77, 0, 2})
		})
	both("another address")

	here.turn("cable", false)
	until(t, "the interface is out of use", func() bool { return !hasAddress(ua, [4]byte{10, 77, 0, 1}) })
	here.turn("cable", true)
	until(t, "the interface is back, with the group",
		func() bool { return hearsGroup(ua, [4]byte{10, 77, 0, 1}) })
	both("down and up")

	plug("spare", [4]byte{10, 78, 0, 1}, [4]byte{10, 78, 0, 2})
	until(t, "a second interface",
		func() bool { return hearsGroup(ua, [4]byte{10, 78, 0, 1}) && hearsGroup(ub, [4]byte{10, 78, 0, 2}) })
	both("two cables")
	here.pull("cable")
	both("the other cable")
	here.pull("spare")
	until(t, "no interface but the loopback",
		func() bool { return len(ua.Links()) == 1 && len(ub.Links()) == 1 })
	plug("last", [4]byte{10, 79, 0, 1}, [4]byte{10, 79, 0, 2})
	both("a new cable after none")
}
