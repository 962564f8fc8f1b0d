package rtps

// buffers keeps octets for reuse, so that steady traffic allocates nothing. It holds few, and forgets the rest.
type buffers struct{ free [][]byte }

// maxFree bounds how many buffers wait for reuse.
const maxFree = 64

// get gives a buffer of length n with any contents.
func (p *buffers) get(n int) []byte {
	for i := len(p.free) - 1; i >= 0 && i >= len(p.free)-4; i-- {
		if b := p.free[i]; cap(b) >= n && cap(b) <= 4*n+256 {
			p.free[i] = p.free[len(p.free)-1]
			p.free = p.free[:len(p.free)-1]
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

// put takes a buffer that nobody uses any more.
func (p *buffers) put(b []byte) {
	if cap(b) == 0 {
		return
	}
	if len(p.free) >= maxFree {
		p.free = p.free[1:]
	}
	p.free = append(p.free, b[:0])
}
