package siege

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps/wire"
)

var (
	binary = flag.String("siege", "",
		"a simdeck to be attacked, in a network namespace of its own (ros/interop/netns.sh single)")
	only    = flag.String("siege.only", "", "regular expression: only attacks of such names")
	share   = flag.Float64("siege.share", 1, "share of each attack's datagrams that are sent")
	perSec  = flag.Int("siege.rate", 20_000, "datagrams per second, at most")
	world   = flag.String("siege.world", "", "world to be run; bench if empty")
	measure = flag.Duration("siege.measure", 6*time.Second, "how long a lasting attack is looked at")
)

// TestSiege prints a line for each attack on a real simdeck. Without -siege it goes through the attacks and
// sends nothing.
func TestSiege(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, opens sockets")
	}
	if *binary == "" {
		rehearse(t)
		return
	}
	fmt.Println("attack | datagrams | rtf min/median | peak RSS MB | sent MB/s, datagrams/s | CPU | requests lost of N | slowest")
	for _, name := range names() {
		r, err := besiege(t.Context(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		fmt.Println(r)
		r.check(t)
	}
}

// names are the attacks that are asked for; first, for comparison, none.
func names() (all []string) {
	a := &netsim.Attacker{Captures: [][]byte{make([]byte, 100)}}
	a.Seed(1)
	all = append(all, quiet)
	for _, l := range netsim.Loads(a, someEndpoints(), newcomers(wire.GUIDPrefix{1}, a.Self)) {
		all = append(all, l.Name)
	}
	return slices.DeleteFunc(all, func(name string) bool { return !chosen(name) })
}

const quiet = "none"

// someEndpoints stand for those of a target.
func someEndpoints() (all []netsim.Endpoint) {
	for i := range wire.EntityID(12) {
		writer, kind := i%2 == 0, wire.KindUserReader
		if writer {
			kind = wire.KindUserWriter
		}
		all = append(all, netsim.Endpoint{Writer: writer, Entity: i<<8 | kind, Topic: fmt.Sprintf("rt/%d", i),
			Type: "T", Reliable: i%3 != 0})
	}
	return all
}

// newcomers makes intruders whose names come from what they do.
func newcomers(target wire.GUIDPrefix, self wire.Locator) func(name string) *netsim.Intruder {
	return func(name string) *netsim.Intruder {
		i := &netsim.Intruder{Target: target, Self: self, Prefix: wire.GUIDPrefix{1, 0x0f}}
		r := rand.New(rand.NewPCG(uint64(len(name)), uint64(name[0])))
		for k := range i.Prefix[2:] {
			i.Prefix[2+k] = byte(r.Uint32())
		}
		return i
	}
}

// rehearse goes through some of each attack: what is said to be well-formed is, and nothing is too large to
// be sent.
func rehearse(t *testing.T) {
	a := &netsim.Attacker{Captures: [][]byte{make([]byte, 100)}}
	a.Seed(1)
	seen := map[string]bool{}
	for _, l := range netsim.Loads(a, someEndpoints(), newcomers(wire.GUIDPrefix{1}, a.Self)) {
		if seen[l.Name] || l.Count == 0 {
			t.Errorf("attack %q: there before, or of no datagrams", l.Name)
		}
		seen[l.Name] = true
		all := slices.Clone(l.Opening)
		for range min(l.Count, 500) {
			all = append(all, l.Next())
		}
		for _, b := range all {
			if len(b) > maxPayload {
				t.Fatalf("%s: a datagram of %d octets", l.Name, len(b))
			}
			if err := wellFormed(b); err != nil && l.Name != "malformed datagrams" {
				t.Fatalf("%s: %v", l.Name, err)
			}
		}
	}
	if len(seen) < 7 {
		t.Errorf("only %d attacks", len(seen))
	}
}

// maxPayload is the greatest payload of a UDP datagram.
const maxPayload = 65507

func wellFormed(b []byte) error {
	_, off, err := wire.ParseHeader(b)
	for err == nil && off < len(b) {
		var n int
		_, n, err = wire.ParseSubmessage(b[off:])
		off += n
	}
	return err
}

// line is the cost of an attack.
type line struct {
	name         string
	sent         int
	factors      []float64
	peak         float64 // MB
	out, packets float64 // per second, of the target
	cpu          float64 // processors
	asked, lost  int
	slowest      time.Duration
	panics       float64
}

func (l line) String() string {
	slices.Sort(l.factors)
	least, median := 0.0, 0.0
	if n := len(l.factors); n > 0 {
		least, median = l.factors[0], l.factors[n/2]
	}
	return fmt.Sprintf("%s | %d | %.2f/%.2f | %.0f | %.1f, %.0f | %.2f | %d of %d | %v", l.name, l.sent,
		least, median, l.peak, l.out/1e6, l.packets,
		l.cpu, l.lost, l.asked, l.slowest.Round(time.Millisecond))
}

// check fails where the simulator was taken from its users. The factor depends on the speed of the machine:
// it is reported and not judged.
func (l line) check(t *testing.T) {
	if l.lost > 0 {
		t.Errorf("%s: %d of %d requests of an honest client were lost", l.name, l.lost, l.asked)
	}
	if l.panics > 0 {
		t.Errorf("%s: %v datagrams brought a fault to light", l.name, l.panics)
	}
	const most = 400
	if l.peak > most {
		t.Errorf("%s: %.0f MB, at most %d", l.name, l.peak, most)
	}
}

// raw sends datagrams to a target from one socket.
type raw struct {
	*net.UDPConn
	to [2]*net.UDPAddr // discovery and samples
}

func newRaw(meta string) (*raw, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	at, err1 := net.ResolveUDPAddr("udp4", meta)
	err = cmp.Or(err1, c.SetReadBuffer(4<<20))
	if err != nil {
		return nil, err
	}
	return &raw{c, [2]*net.UDPAddr{at, {IP: at.IP, Port: at.Port + 1}}}, nil
}

// self is the locator of the socket.
func (r *raw) self() wire.Locator {
	return wire.UDPv4([4]byte{127, 0, 0, 1}, uint16(r.LocalAddr().(*net.UDPAddr).Port))
}
