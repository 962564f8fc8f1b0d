package wire

// Link is the part of one network interface in discovery (RTPS 2.2 §8.5.3, §9.6.1): its announcement, and the
// destinations of announcements. Each interface is told only its own addresses: 127.0.0.1 means nothing to
// another host, and a loopback peer uses nothing else.
type Link struct {
	Index    int    // system's interface index, from 1; Send takes it to choose where a multicast leaves
	Name     string // "lo", "eth0"
	Loopback bool   // the link does not leave the host
	// for each address of Meta, the length of its network's prefix: peers within it are reached over this
	// link
	Bits     []int
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

// Covers tells whether an address is in a network of the link.
func (l *Link) Covers(a [4]byte) bool { return l.Prefix(a) >= 0 }

// Prefix gives the length of the longest prefix of the link's networks that an address is in; below 0 it is
// in none.
func (l *Link) Prefix(a [4]byte) int {
	longest := -1
	for i, m := range l.Meta {
		if n := l.bits(i); samePrefix(m.IPv4(), a, n) {
			longest = max(longest, n)
		}
	}
	return longest
}

// bits gives the length of the prefix of the i-th address. An address of which none is told is a network of
// its own.
func (l *Link) bits(i int) int {
	if i < len(l.Bits) {
		return l.Bits[i]
	}
	return 32
}

// Broadcast tells whether an address means all hosts of a network of the link.
func (l *Link) Broadcast(a [4]byte) bool {
	for i, m := range l.Meta {
		n := l.bits(i)
		if n <= 0 || n > 30 || !samePrefix(m.IPv4(), a, n) {
			continue
		}
		if host := ^uint32(0) >> n; word(a)&host == host {
			return true
		}
	}
	return false
}

func samePrefix(a, b [4]byte, bits int) bool {
	return bits <= 0 || (word(a)^word(b))>>(32-min(bits, 32)) == 0
}

func word(a [4]byte) uint32 {
	return uint32(a[0])<<24 | uint32(a[1])<<16 | uint32(a[2])<<8 | uint32(a[3])
}
