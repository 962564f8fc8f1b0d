package transport

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"time"

	"simdeck/ros/rtps/wire"
)

// tap writes datagrams in pcap format, for Wireshark: each in an IPv4 and a UDP header that are made up from
// what is known.
type tap struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
	bad bool // a write failed: nothing more is written
}

const (
	pcapMagic   = 0xa1b23c4d // times in nanoseconds
	pcapRaw     = 101        // LINKTYPE_RAW: packets begin with their IP header
	pcapSnap    = 1 << 17
	ipv4Header  = 20
	udpHeader   = 8
	protocolUDP = 17
)

func newTap(w io.Writer) *tap {
	t := &tap{w: w}
	b := binary.LittleEndian.AppendUint32(nil, pcapMagic)
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 4)
	for _, v := range []uint32{0, 0, pcapSnap, pcapRaw} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	_, err := w.Write(b)
	t.bad = err != nil
	return t
}

func (t *tap) sent(b []byte, src [4]byte, local net.Addr, to wire.Locator) {
	t.write(b, src, port(local), to.IPv4(), uint16(to.Port))
}

func (t *tap) received(b []byte, from wire.Locator, dst [4]byte, local net.Addr) {
	t.write(b, from.IPv4(), uint16(from.Port), dst, port(local))
}

func port(a net.Addr) uint16 {
	if u, ok := a.(*net.UDPAddr); ok {
		return uint16(u.Port)
	}
	return 0
}

func (t *tap) write(b []byte, src [4]byte, srcPort uint16, dst [4]byte, dstPort uint16) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bad {
		return
	}
	n := ipv4Header + udpHeader + len(b)
	p := t.buf[:0]
	for _, v := range []uint32{uint32(now.Unix()), uint32(now.Nanosecond()), uint32(n), uint32(n)} {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	start := len(p)
	p = append(p, 0x45, 0, byte(n>>8), byte(n), 0, 0, 0, 0, 64, protocolUDP, 0, 0)
	p = append(append(p, src[:]...), dst[:]...)
	sum := checksum(p[start:])
	p[start+10], p[start+11] = byte(sum>>8), byte(sum)
	p = binary.BigEndian.AppendUint16(p, srcPort)
	p = binary.BigEndian.AppendUint16(p, dstPort)
	p = binary.BigEndian.AppendUint16(p, uint16(udpHeader+len(b)))
	p = append(p, 0, 0) // no checksum
	t.buf = append(p, b...)
	_, err := t.w.Write(t.buf)
	t.bad = err != nil
}

// checksum is the one of IPv4 headers (RFC 791 §3.1).
func checksum(b []byte) uint16 {
	var sum uint32
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(b[i])<<8 | uint32(b[i+1])
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
