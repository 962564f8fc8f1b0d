package rtps

// buffers keeps octets for reuse, so that steady traffic allocates nothing. It holds few, and forgets the
// rest.
type buffers struct {
	free   [][]byte
	octets int // of all in free
}

const (
	// maxFree and maxFreeOctets bound what waits for reuse.
	maxFree       = 64
	maxFreeOctets = 32 << 20
)

// get gives a buffer of length n with any contents.
func (p *buffers) get(n int) []byte {
	for i := len(p.free) - 1; i >= 0 && i >= len(p.free)-8; i-- {
		if b := p.free[i]; cap(b) >= n && cap(b) <= 4*n+256 {
			p.free[i] = p.free[len(p.free)-1]
			p.free[len(p.free)-1] = nil
			p.free = p.free[:len(p.free)-1]
			p.octets -= cap(b)
			return b[:n]
		}
	}
	return make([]byte, n)
}

// copyOf gives a buffer with the same contents as b.
func (p *buffers) copyOf(b []byte) []byte {
	if b == nil {
		return nil
	}
	c := p.get(len(b))
	copy(c, b)
	return c
}

// put takes a buffer that nobody uses any more. The oldest give way.
func (p *buffers) put(b []byte) {
	if cap(b) == 0 || cap(b) > maxFreeOctets {
		return
	}
	p.octets += cap(b)
	p.free = append(p.free, b[:0])
	drop := 0
	for len(p.free)-drop > maxFree || p.octets > maxFreeOctets {
		p.octets -= cap(p.free[drop])
		drop++
	}
	if drop > 0 {
		n := copy(p.free, p.free[drop:])
		clear(p.free[n:])
		p.free = p.free[:n]
	}
}
