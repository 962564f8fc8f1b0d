package transport

import (
	"testing"

	"simdeck/ros/rtps/wire"
)

func TestANewAddressIsNoticed(t *testing.T) {
	u, err := Open(Config{Domain: 40})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	u.look()
	select {
	case <-u.Changed():
		t.Error("a token without a change")
	default:
	}
	extra := [4]byte{10, 9, 9, 1}
	addAddress(t, extra)
	if hasAddress(u, extra) {
		t.Error("noticed without a look")
	}
	u.look()
	select {
	case <-u.Changed():
	default:
		t.Error("no token")
	}
	if !hasAddress(u, extra) {
		t.Errorf("links %v", u.Links())
	}
	dropAddress(t)
	u.look()
	if hasAddress(u, extra) {
		t.Errorf("still there: %v", u.Links())
	}
}

func hasAddress(u *UDP, a [4]byte) bool {
	for _, l := range u.Links() {
		if l.Owns(a) {
			return true
		}
	}
	return false
}

func TestAMulticastNeedsAnInterface(t *testing.T) {
	u, err := Open(Config{Domain: 41})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	to := wire.UDPv4(group, uint16(multicastPort(41)))
	if err := u.Send([]byte("RTPS"), to, u.Links()[0].Index); err != nil {
		t.Error(err)
	}
	if err := u.Send([]byte("RTPS"), to, 99); err == nil {
		t.Error("interface 99 takes a multicast")
	}
}
