package transport

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/rtps/wire"
)

var testFaces = []face{
	{index: 1, name: "lo", loopback: true, multi: true, bits: []int{8}, addrs: [][4]byte{{127, 0, 0, 1}}},
	{index: 2, name: "eth0", multi: true, bits: []int{24}, addrs: [][4]byte{{10, 1, 0, 5}}},
	{index: 3, name: "wg0", bits: []int{32}, addrs: [][4]byte{{10, 9, 0, 1}}},
}

func TestEveryLinkIsToldItsOwnAddressesOnly(t *testing.T) {
	for _, c := range []struct {
		what   string
		cfg    Config
		index  int
		static [][4]byte
		want   string // name(address):announcements…
	}{
		{"default", Config{Domain: 1}, 2, nil,
			"lo(127.0.0.1:7664) group 31 probes; eth0(10.1.0.5:7664) group; wg0(10.9.0.1:7664)"},
		{"this machine only", Config{Range: Localhost}, 0, nil, "lo(127.0.0.1:7410) 31 probes"},
		{"static peers", Config{}, 0, [][4]byte{{10, 1, 0, 77}},
			"lo(127.0.0.1:7410) group 31 probes; eth0(10.1.0.5:7410) group 32 peers; wg0(10.9.0.1:7410)"},
		{"a static peer behind a router", Config{}, 0, [][4]byte{{192, 168, 3, 3}},
			"lo(127.0.0.1:7410) group 31 probes; eth0(10.1.0.5:7410) group 32 peers; wg0(10.9.0.1:7410)"},
		{"this machine and a static peer", Config{Range: Localhost}, 0, [][4]byte{{10, 1, 0, 77}},
			"lo(127.0.0.1:7410) 31 probes; eth0(10.1.0.5:7410) 32 peers; wg0(10.9.0.1:7410)"},
	} {
		var got []string
		for _, l := range links(&c.cfg, testFaces, c.index, c.static) {
			s := fmt.Sprintf("%s(%s)", l.Name, l.Meta[0])
			if l.User[0].Port != l.Meta[0].Port+1 {
				t.Errorf("%s: samples at %v, discovery at %v", c.what, l.User[0], l.Meta[0])
			}
			multi := wire.UDPv4(group, uint16(multicastPort(c.cfg.Domain)))
			if slices.Contains(l.Announce, multi) {
				s += " group"
			}
			probes, peers := 0, 0
			for _, a := range l.Announce {
				switch {
				case a.IsLoopback():
					probes++
				case !a.IsMulticast():
					peers++
				}
			}
			if probes > 0 {
				s += fmt.Sprintf(" %d probes", probes)
			}
			if peers > 0 {
				s += fmt.Sprintf(" %d peers", peers)
			}
			got = append(got, s)
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s: %s\nwant %s", c.what, g, c.want)
		}
	}
}

func TestInterfacesAreChosenByNameOrAddress(t *testing.T) {
	got, unknown := chosen(testFaces, []string{"10.9.0.1", "lo", "wg0", "eth7", "10.1.0.6"})
	if fmt.Sprint(names(got), unknown) != "[wg0 lo] [eth7 10.1.0.6]" {
		t.Errorf("got %v, unknown %v", names(got), unknown)
	}
}
