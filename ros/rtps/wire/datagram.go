package wire

// Datagram is one message (RTPS 2.2 §8.3.3) on its way out, in up to three pieces that follow each other:
// what is large is sent from where it lies.
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
