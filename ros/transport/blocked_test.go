package transport

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"simdeck/ros/rtps"
)

// deafen takes multicast away from an interface, as networks do that block it.
func (s *space) deafen(name string) {
	s.t.Helper()
	s.in(func() error {
		return control(name, unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error {
			r.SetUint16(unix.IFF_UP | unix.IFF_BROADCAST)
			return nil
		})
	})
}

// TestWhereMulticastIsBlockedPeersAreFoundByTheirAddress has two hosts that cannot hear each other's
// announcements to the group.
func TestWhereMulticastIsBlockedPeersAreFoundByTheirAddress(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	here, there := newSpace(t), newSpace(t)
	here.cable("cable", there)
	for s, a := range map[*space][4]byte{here: {10, 77, 0, 1}, there: {10, 77, 0, 2}} {
		s.give("cable", a)
		s.turn("cable", true)
		s.deafen("cable")
	}
	for i, c := range []struct {
		what  string
		mine  Config
		other Config
		found bool
	}{
		{"nobody is named", Config{}, Config{}, false},
		{"one names the other", Config{StaticPeers: []string{"10.77.0.2"}}, Config{}, true},
		{"the other names the one", Config{}, Config{StaticPeers: []string{"10.77.0.1"}}, true},
		{"both are for this host only, but name each other",
			Config{Range: Localhost, StaticPeers: []string{"10.77.0.2"}},
			Config{Range: Localhost, StaticPeers: []string{"10.77.0.1"}}, true},
		{"the other is for its host only", Config{StaticPeers: []string{"10.77.0.2"}},
			Config{Range: Localhost}, false},
		{"the other is off", Config{StaticPeers: []string{"10.77.0.2"}}, Config{Range: Off}, false},
	} {
		c.mine.Domain, c.other.Domain = uint32(80+i), uint32(80+i)
		a, _ := here.join(c.mine)
		b, _ := there.join(c.other)
		if c.found {
			newStream(t, a, b, "rt/t").flows(c.what)
			continue
		}
		time.Sleep(250 * time.Millisecond)
		for _, p := range []*rtps.Participant{a, b} {
			if n := len(p.Graph().Participants); n != 0 {
				t.Errorf("%s: %d participants are known", c.what, n)
			}
		}
	}
}
