package wire

// Datagram is an outgoing message (RTPS 2.2 §8.3.3) in up to three consecutive pieces: large data are sent
// without a copy.
type Datagram struct {
	Parts [3][]byte
	To    Locator
	Link  int // Link.Index from which a multicast leaves; 0 lets the system choose
}

// Len gives the octets of the datagram.
func (d *Datagram) Len() int { return len(d.Parts[0]) + len(d.Parts[1]) + len(d.Parts[2]) }

// Append adds the octets of the datagram.
func (d *Datagram) Append(b []byte) []byte {
	for _, p := range d.Parts {
		b = append(b, p...)
	}
	return b
}
