package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"testing"

	"simdeck/ros/rtps/wire"
)

func TestTheTapWritesAPcapThatOthersRead(t *testing.T) {
	var file bytes.Buffer
	p := newTap(&file)
	p.sent([]byte("hello"), [4]byte{10, 0, 0, 1}, &net.UDPAddr{Port: 7410},
		wire.UDPv4([4]byte{239, 255, 0, 1}, 7400))
	p.received([]byte("answer"), wire.UDPv4([4]byte{10, 0, 0, 2}, 40000), [4]byte{10, 0, 0, 1},
		&net.UDPAddr{Port: 7411})
	b := file.Bytes()
	le := binary.LittleEndian
	if le.Uint32(b) != 0xa1b23c4d || le.Uint16(b[4:]) != 2 || le.Uint32(b[20:]) != 101 {
		t.Fatalf("file header %x", b[:24])
	}
	b = b[24:]
	for _, want := range []struct {
		text             string
		src, dst         [4]byte
		srcPort, dstPort uint16
	}{
		{"hello", [4]byte{10, 0, 0, 1}, [4]byte{239, 255, 0, 1}, 7410, 7400},
		{"answer", [4]byte{10, 0, 0, 2}, [4]byte{10, 0, 0, 1}, 40000, 7411},
	} {
		n := int(le.Uint32(b[8:]))
		ip := b[16 : 16+n]
		udp := ip[20:]
		if n != 28+len(want.text) || le.Uint32(b[12:]) != uint32(n) || ip[0] != 0x45 || ip[9] != 17 ||
			checksum(ip[:20]) != 0 ||
			int(binary.BigEndian.Uint16(ip[2:])) != n || [4]byte(ip[12:]) != want.src ||
			[4]byte(ip[16:]) != want.dst ||
			binary.BigEndian.Uint16(udp) != want.srcPort ||
			binary.BigEndian.Uint16(udp[2:]) != want.dstPort ||
			int(binary.BigEndian.Uint16(udp[4:])) != 8+len(want.text) || string(udp[8:]) != want.text {
			t.Errorf("%s: packet %x", want.text, b[:16+n])
		}
		b = b[16+n:]
	}
	if len(b) != 0 {
		t.Errorf("%d octets more", len(b))
	}
}

// failing is a file on a full disk.
type failing struct{ writes int }

func (f *failing) Write([]byte) (int, error) {
	f.writes++
	return 0, errors.New("no space left")
}

func TestATapThatFailsIsLeftAlone(t *testing.T) {
	f := &failing{}
	p := newTap(f)
	p.sent(nil, [4]byte{}, &net.UDPAddr{}, wire.Locator{})
	p.sent(nil, [4]byte{}, &net.UDPAddr{}, wire.Locator{})
	if f.writes != 1 {
		t.Errorf("%d writes after a failure", f.writes-1)
	}
}
