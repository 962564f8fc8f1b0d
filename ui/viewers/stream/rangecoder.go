package stream

// The range coder is that of LZMA (Martin, "Range encoding", 1979; Pavlov, LZMA specification): binary
// symbols with probabilities of 11 bits that adapt.
const (
	probBits  = 11
	probHalf  = 1 << (probBits - 1)
	probShift = 4 // the speed of adaption
	rangeTop  = 1 << 24
)

// prob is the probability of a 0 bit, in units of 2⁻¹¹.
type prob uint16

// rangeEncoder appends coded bits to a buffer.
type rangeEncoder struct {
	out   []byte
	low   uint64
	width uint32
	cache byte
	held  int // bytes that a carry may still change, the cache among them
}

func (e *rangeEncoder) begin(out []byte) {
	*e = rangeEncoder{out: out, width: 0xffffffff, held: 1}
}

// bit codes a bit by a probability, and adapts it.
func (e *rangeEncoder) bit(p *prob, bit int) {
	bound := (e.width >> probBits) * uint32(*p)
	if bit == 0 {
		e.width = bound
		*p += (1<<probBits - *p) >> probShift
	} else {
		e.low += uint64(bound)
		e.width -= bound
		*p -= *p >> probShift
	}
	for e.width < rangeTop {
		e.width <<= 8
		e.shift()
	}
}

// raw codes the lowest n bits of v, the highest of them first, as equally probable.
func (e *rangeEncoder) raw(v uint32, n int) {
	for n--; n >= 0; n-- {
		e.width >>= 1
		if v>>n&1 == 1 {
			e.low += uint64(e.width)
		}
		for e.width < rangeTop {
			e.width <<= 8
			e.shift()
		}
	}
}

func (e *rangeEncoder) shift() {
	if e.low < 0xff000000 || e.low > 0xffffffff {
		carry := byte(e.low >> 32)
		for b := e.cache; e.held > 0; e.held-- {
			e.out = append(e.out, b+carry)
			b = 0xff
		}
		e.cache = byte(e.low >> 24)
	}
	e.held++
	e.low = e.low & 0x00ffffff << 8
}

// end is the buffer with all bits in it. Zeros at the end are left out: the decoder reads them by itself.
func (e *rangeEncoder) end(from int) []byte {
	for range 5 {
		e.shift()
	}
	for len(e.out) > from && e.out[len(e.out)-1] == 0 {
		e.out = e.out[:len(e.out)-1]
	}
	return e.out
}

// rangeDecoder reads coded bits. Behind the end of its bytes it reads zeros.
type rangeDecoder struct {
	in    []byte
	at    int
	width uint32
	code  uint32
}

func (d *rangeDecoder) begin(in []byte) {
	*d = rangeDecoder{in: in, width: 0xffffffff}
	for range 5 {
		d.code = d.code<<8 | uint32(d.next())
	}
}

func (d *rangeDecoder) next() byte {
	d.at++
	if d.at > len(d.in) {
		return 0
	}
	return d.in[d.at-1]
}

func (d *rangeDecoder) bit(p *prob) int {
	bound := (d.width >> probBits) * uint32(*p)
	bit := 0
	if d.code < bound {
		d.width = bound
		*p += (1<<probBits - *p) >> probShift
	} else {
		bit = 1
		d.code -= bound
		d.width -= bound
		*p -= *p >> probShift
	}
	for d.width < rangeTop {
		d.width <<= 8
		d.code = d.code<<8 | uint32(d.next())
	}
	return bit
}

func (d *rangeDecoder) raw(n int) (v uint32) {
	for range n {
		d.width >>= 1
		v <<= 1
		if d.code >= d.width {
			d.code -= d.width
			v |= 1
		}
		for d.width < rangeTop {
			d.width <<= 8
			d.code = d.code<<8 | uint32(d.next())
		}
	}
	return v
}
