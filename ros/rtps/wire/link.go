package wire

// Link is what one network interface contributes to discovery (RTPS 2.2 §8.5.3, §9.6.1): what to announce there and where announcements
// go. Each interface is told only its own addresses: 127.0.0.1 means nothing to another host, and a peer that is bound to the loopback
// interface uses nothing but 127.0.0.1.
type Link struct {
	Index    int       // system's interface index, from 1; Send takes it to choose where a multicast leaves
	Name     string    // "lo", "eth0"
	Loopback bool      // the link does not leave the host
	Bits     int       // length of the network's prefix: peers within it are reached over this link
	Meta     []Locator // where we take discovery traffic
	User     []Locator // where we take samples
	Announce []Locator // multicast groups and single addresses that hear our announcements
}

// Owns tells whether an address is one of the link's own.
func (l *Link) Owns(a [4]byte) bool {
	for _, m := range l.Meta {
		if m.IPv4() == a {
			return true
		}
	}
	return false
}

// Covers tells whether an address is in the link's network.
func (l *Link) Covers(a [4]byte) bool {
	for _, m := range l.Meta {
		if samePrefix(m.IPv4(), a, l.Bits) {
			return true
		}
	}
	return false
}

// Broadcast tells whether an address means all hosts of the link's network.
func (l *Link) Broadcast(a [4]byte) bool {
	if l.Bits <= 0 || l.Bits > 30 {
		return false
	}
	host := ^uint32(0) >> l.Bits
	return l.Covers(a) && (uint32(a[0])<<24|uint32(a[1])<<16|uint32(a[2])<<8|uint32(a[3]))&host == host
}

func samePrefix(a, b [4]byte, bits int) bool {
	x := uint32(a[0]^b[0])<<24 | uint32(a[1]^b[1])<<16 | uint32(a[2]^b[2])<<8 | uint32(a[3]^b[3])
	return bits <= 0 || x>>(32-min(bits, 32)) == 0
}
