package rtps

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

var update = flag.Bool("update", false, "write what the scripts give into testdata")

// TestScripts plays testdata/*.txt: commands, "----", and what they must give. The commands stand in
// script.do. Only commit rewritten files if you understand every change.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := newScript()
			got := s.play(t, string(text))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("%s gives\n%s", name, got)
			}
		})
	}
}

// script is a little network of cores, with a clock that the script moves.
type script struct {
	now     time.Time
	names   []string
	cores   map[string]*Core
	writers map[string]*localWriter
	readers map[string]*localReader
	cut     map[string]bool // "a b": nothing gets from a to b
	mute    map[string]bool // "a b": nothing of user endpoints gets from a to b
	drop    map[string]int  // "a b": the n-th datagram from now on is lost
	filter  string          // only submessages of this kind are shown
	out     strings.Builder
	start   time.Time
}

func newScript() *script {
	begin := time.Unix(1_700_000_000, 0)
	return &script{now: begin, start: begin, cores: map[string]*Core{}, writers: map[string]*localWriter{},
		readers: map[string]*localReader{}, cut: map[string]bool{}, mute: map[string]bool{},
		drop: map[string]int{}}
}

// play runs all blocks of a script and gives it back with what it gave.
func (s *script) play(t *testing.T, text string) string {
	var result strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		commands, _, _ := strings.Cut(block, "\n----")
		s.out.Reset()
		for line := range strings.SplitSeq(commands, "\n") {
			if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
				s.do(t, f)
			}
		}
		fmt.Fprintf(&result, "%s\n----\n%s\n", commands, s.out.String())
	}
	return strings.TrimRight(result.String(), "\n") + "\n"
}

func (s *script) do(t *testing.T, f []string) {
	t.Helper()
	arg := func(i int) string {
		if i >= len(f) {
			t.Fatalf("%v: too few words", f)
		}
		return f[i]
	}
	switch f[0] {
	case "core": // core NAME [VENDOR]: a participant, perhaps posing as another vendor's
		s.core(t, f)
	case "writer": // writer CORE NAME QOS…
		w, err := s.cores[arg(1)].newWriter(WriterConfig{Topic: "rt/t", Type: "T", QoS: scriptQoS(f[3:])},
			s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.writers[arg(2)] = w
	case "reader": // reader CORE NAME QOS…
		r, err := s.cores[arg(1)].newReader(ReaderConfig{Topic: "rt/t", Type: "T", QoS: scriptQoS(f[3:])},
			s.now)
		if err != nil {
			t.Fatal(err)
		}
		s.readers[arg(2)] = r
	case "write": // write CORE WRITER SIZE [TO]
		s.write(t, f)
	case "take": // take CORE READER
		s.take(arg(1), s.readers[arg(2)])
	case "cut", "mute", "join": // cut FROM TO; mute FROM TO: discovery still gets through; join FROM TO
		s.cut[arg(1)+" "+arg(2)] = f[0] == "cut"
		s.mute[arg(1)+" "+arg(2)] = f[0] == "mute"
	case "drop": // drop FROM TO N: of the datagrams from now on, the N-th is lost
		n, err := strconv.Atoi(arg(3))
		if err != nil {
			t.Fatal(err)
		}
		s.drop[arg(1)+" "+arg(2)] = n
	case "show": // show all | user | spdp | none
		s.filter = arg(1)
	case "run": // run DURATION
		d, err := time.ParseDuration(arg(1))
		if err != nil {
			t.Fatal(err)
		}
		s.run(s.now.Add(d))
	case "leave": // leave CORE
		s.cores[arg(1)].Leave(s.now)
	case "close": // close CORE WRITER-or-READER
		if w := s.writers[arg(2)]; w != nil {
			s.cores[arg(1)].closeWriter(w, s.now)
		} else {
			s.cores[arg(1)].closeReader(s.readers[arg(2)], s.now)
		}
	case "graph": // graph CORE
		s.graph(arg(1))
	case "inject": // inject CORE FROM SUBMESSAGE…: a datagram that nobody has sent
		s.inject(t, f)
	default:
		t.Fatalf("unknown command %v", f)
	}
}

func (s *script) core(t *testing.T, f []string) {
	var p wire.GUIDPrefix
	copy(p[:], f[1])
	c, err := NewCore(Config{Prefix: p})
	if err != nil {
		t.Fatal(err)
	}
	if len(f) > 2 {
		v, err := strconv.ParseUint(f[2], 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		c.out.header.Vendor = wire.VendorID(v)
	}
	s.names = append(s.names, f[1])
	a := [4]byte{10, 0, 0, byte(len(s.names))}
	c.SetLinks([]wire.Link{{Index: 1, Name: "eth0", Bits: []int{24},
		Meta: []wire.Locator{wire.UDPv4(a, 7410)},
		User: []wire.Locator{wire.UDPv4(a, 7411)}, Announce: []wire.Locator{scriptGroup}}}, s.now)
	c.Start(s.now)
	s.cores[f[1]] = c
}

var scriptGroup = wire.UDPv4([4]byte{239, 255, 0, 1}, 7400)

func scriptQoS(words []string) (q QoS) {
	for _, w := range words {
		switch n, err := strconv.Atoi(w); {
		case err == nil:
			q.Depth = n
		case w == "reliable":
			q.Reliability = Reliable
		case w == "latched":
			q.Durability = TransientLocal
		}
	}
	return q
}

func (s *script) write(t *testing.T, f []string) {
	n, err := strconv.Atoi(f[3])
	if err != nil {
		t.Fatal(err)
	}
	var o WriteOptions
	if len(f) > 4 {
		o.To = &s.cores[f[4]].cfg.Prefix
	}
	payload := make([]byte, n)
	copy(payload, []byte{0, 1, 0, 0})
	if _, err := s.cores[f[1]].write(s.writers[f[2]], payload, &o, s.now); err != nil {
		t.Fatal(err)
	}
}

func (s *script) take(core string, r *localReader) {
	for {
		x, ok := s.cores[core].take(r, s.now)
		if !ok {
			break
		}
		fmt.Fprintf(&s.out, "%s takes sample %d of %d octets\n", core, x.SN, len(x.Payload))
	}
	fmt.Fprintf(&s.out, "%s has taken %d, lost %d, dropped %d\n", core, r.stats.Received, r.stats.Lost,
		r.stats.Dropped)
}

func (s *script) graph(core string) {
	g := s.cores[core].Graph()
	for _, p := range g.Participants {
		fmt.Fprintf(&s.out, "%s knows participant %s at %s\n", core, short(p.GUID.Prefix), p.Address)
	}
	for _, e := range slices.Concat(g.Writers, g.Readers) {
		fmt.Fprintf(&s.out, "%s knows %s %s of %s\n", core, e.GUID.Entity, e.Topic, short(e.GUID.Prefix))
	}
}

// run lets time pass. Datagrams take 1 ms.
func (s *script) run(end time.Time) {
	for {
		next := end
		for _, name := range s.names {
			c := s.cores[name]
			if c.Pending() {
				next = s.now
			} else if at, ok := c.Deadline(); ok && at.Before(next) {
				next = at
			}
		}
		if next.After(s.now) {
			s.now = next
		}
		idle := true
		for _, name := range s.names {
			c := s.cores[name]
			packets := c.Advance(s.now)
			if len(packets) > 0 || c.Pending() {
				idle = false
			}
			for _, p := range packets {
				s.deliver(name, p)
			}
		}
		if idle && !s.now.Before(end) {
			return
		}
	}
}

func (s *script) deliver(from string, p *Packet) {
	b := p.Append(nil)
	for _, to := range p.To {
		for i, name := range s.names {
			if name == from || to != scriptGroup && to.IPv4() != [4]byte{10, 0, 0, byte(i + 1)} {
				continue
			}
			way := from + " " + name
			s.drop[way]--
			lost := s.cut[way] || s.drop[way] == 0 || s.mute[way] && ofUser(b)
			s.show(from, name, b, lost)
			if !lost {
				s.cores[name].Receive(b, s.address(from), s.now.Add(time.Millisecond))
			}
		}
	}
}

// address is the source address of a core.
func (s *script) address(name string) wire.Locator {
	return wire.UDPv4([4]byte{10, 0, 0, byte(slices.Index(s.names, name) + 1)}, 40000)
}

// inject gives a core a datagram with the submessages that follow, in hexadecimal.
func (s *script) inject(t *testing.T, f []string) {
	var b []byte
	if _, err := fmt.Sscanf(strings.Join(f[3:], ""), "%x", &b); err != nil {
		t.Fatal(err)
	}
	before := s.cores[f[1]].stats
	h := wire.Header{Version: wire.Version, Vendor: wire.VendorSimdeck, Prefix: s.cores[f[2]].cfg.Prefix}
	s.cores[f[1]].Receive(append(h.Append(nil), b...), s.address(f[2]), s.now)
	after := s.cores[f[1]].stats
	fmt.Fprintf(&s.out, "malformed %d, refused %d, panics %d\n", after.Malformed-before.Malformed,
		after.Refused-before.Refused, after.Panics)
}

func short(p wire.GUIDPrefix) string { return strings.TrimRight(string(p[:]), "\x00") }
