package wire

import "fmt"

// LocatorUDPv4 is the only kind of locator that is used here. Others (shared memory, TCP) are ignored.
const LocatorUDPv4 = 1

// Locator is an address that datagrams can be sent to (RTPS 2.2 §9.3.2, Locator_t). An IPv4 address stands in
// the last four octets.
type Locator struct {
	Kind    int32
	Port    uint32
	Address [16]byte
}

// UDPv4 makes the locator of an IPv4 address and a port.
func UDPv4(a [4]byte, port uint16) Locator {
	l := Locator{Kind: LocatorUDPv4, Port: uint32(port)}
	copy(l.Address[12:], a[:])
	return l
}

// IPv4 gives the last four octets of the address.
func (l Locator) IPv4() [4]byte { return [4]byte(l.Address[12:]) }

// IsMulticast tells whether the address is of an IPv4 multicast group.
func (l Locator) IsMulticast() bool { return l.Address[12]>>4 == 0xe }

// IsLoopback tells whether the address is of the same host, 127.0.0.0/8.
func (l Locator) IsLoopback() bool { return l.Address[12] == 127 }

// Usable tells whether a datagram can be sent there: UDPv4, a port, and an address that is neither 0.0.0.0
// nor broadcast.
func (l Locator) Usable() bool {
	a := l.IPv4()
	return l.Kind == LocatorUDPv4 && l.Port > 0 && l.Port <= 0xffff && a != [4]byte{} &&
		a != [4]byte{255, 255, 255, 255}
}

// String gives address and port of a UDPv4 locator, and the raw fields of others.
func (l Locator) String() string {
	if l.Kind != LocatorUDPv4 {
		return fmt.Sprintf("kind %d %x:%d", l.Kind, l.Address, l.Port)
	}
	a := l.IPv4()
	return fmt.Sprintf("%d.%d.%d.%d:%d", a[0], a[1], a[2], a[3], l.Port)
}

// ParseLocator reads the 24 octets of a locator.
func ParseLocator(b []byte, big bool) (Locator, int, error) {
	c := cursor{b: b, big: big}
	l := Locator{Kind: int32(c.u32()), Port: c.u32()}
	copy(l.Address[:], c.take(16))
	return l, c.off, c.err("locator")
}

// Append adds the 24 octets of the locator.
func (l Locator) Append(b []byte) []byte {
	return append(appendU32(appendU32(b, uint32(l.Kind)), l.Port), l.Address[:]...)
}
