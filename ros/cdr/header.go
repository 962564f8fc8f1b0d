package cdr

// HeaderSize is the length of the encapsulation header, bytes (RTPS 2.5 §10.2).
const HeaderSize = 4

// AppendHeader begins a payload: the encapsulation header of XCDR1, little endian, options 0. It must be the
// first thing in b, since all alignment is counted from the byte after it; use buf[:0] to reuse a buffer.
func AppendHeader(b []byte) []byte {
	return append(b, 0x00, 0x01, 0x00, 0x00)
}

// header gives the byte order and version that an encapsulation identifier stands for (DDS-XTypes 1.3
// §7.6.3.1.2).
func header(p []byte) (big, xcdr2, ok bool) {
	if p[0] != 0 {
		return false, false, false
	}
	switch p[1] {
	case 0x00:
		return true, false, true
	case 0x01:
		return false, false, true
	case 0x06:
		return true, true, true
	case 0x07:
		return false, true, true
	}
	return false, false, false
}
