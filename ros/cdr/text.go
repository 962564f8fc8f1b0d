package cdr

import (
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendString appends the length with the NUL counted, the bytes, and the NUL. The empty string takes 5
// bytes.
func AppendString(b []byte, s string) []byte {
	b = AppendUint32(b, uint32(len(s)+1))
	b = append(b, s...)
	return append(b, 0)
}

// AppendStrings appends the elements of an array or sequence of strings, without a count.
func AppendStrings(b []byte, s []string) []byte {
	for _, v := range s {
		b = AppendString(b, v)
	}
	return b
}

// AppendWString appends a wstring as ROS middlewares do: the number of UTF-16 units, then 32 bits per unit
// (two per surrogate pair), no NUL. Invalid UTF-8 becomes U+FFFD.
func AppendWString(b []byte, s string) []byte {
	b = AppendUint32(b, uint32(WStringLen(s)))
	for _, c := range s {
		if hi, lo := utf16.EncodeRune(c); hi != utf8.RuneError {
			b = binary.LittleEndian.AppendUint32(b, uint32(hi))
			b = binary.LittleEndian.AppendUint32(b, uint32(lo))
			continue
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(c))
	}
	return b
}

// AppendWStrings appends the elements of an array or sequence of wstrings, without a count.
func AppendWStrings(b []byte, s []string) []byte {
	for _, v := range s {
		b = AppendWString(b, v)
	}
	return b
}

// WStringLen is the length of s in UTF-16 units: what the bound of a wstring counts.
func WStringLen(s string) int {
	n := 0
	for _, c := range s {
		n += utf16.RuneLen(c)
	}
	return n
}

// String reads a string of at most bound bytes (0: unbounded). When it equals old, old itself is given back
// and nothing is allocated. A length of 0, which some peers send, is the empty string.
func (r *Reader) String(old string, bound int) string {
	at := r.off
	n := uint64(r.Uint32())
	if n == 0 {
		return ""
	}
	if n > uint64(r.Remaining()) {
		got := fmt.Sprintf("length %d, %d bytes left", n, r.Remaining())
		r.off = at
		r.fail("string", got, ErrShort)
		return ""
	}
	p := r.body[r.off : r.off+int(n)]
	if p[n-1] != 0 {
		r.off = at
		r.fail("string", fmt.Sprintf("last byte %#02x", p[n-1]), ErrString)
		return ""
	}
	p = p[:n-1]
	if bound > 0 && len(p) > bound {
		r.off = at
		r.fail("string", fmt.Sprintf("%d bytes, at most %d allowed", len(p), bound), ErrBound)
		return ""
	}
	r.off += int(n)
	if string(p) == old {
		return old
	}
	return string(p)
}

// Strings reads the elements of an array or sequence of strings; dst holds the old ones. A string takes 4
// bytes or more.
func (r *Reader) Strings(dst []string, bound int) {
	for i := range dst {
		dst[i] = r.String(dst[i], bound)
	}
}

// WString reads a wstring of at most bound UTF-16 units (0: unbounded); old is as for String. Lone surrogates
// become U+FFFD; a unit above FFFF is taken as a character, since native DDS programs put one there.
func (r *Reader) WString(old string, bound int) string {
	n := r.Count(4, bound)
	if n == 0 {
		return ""
	}
	var room [64]byte
	out := room[:0]
	for i := 0; i < n; i++ {
		c := rune(r.Uint32())
		if !utf16.IsSurrogate(c) {
			out = utf8.AppendRune(out, c)
			continue
		}
		pair := rune(utf8.RuneError)
		if i+1 < n {
			pair = utf16.DecodeRune(c, r.peek32())
		}
		if pair != utf8.RuneError {
			r.Uint32()
			i++
		}
		out = utf8.AppendRune(out, pair)
	}
	if string(out) == old {
		return old
	}
	return string(out)
}

// WStrings reads the elements of an array or sequence of wstrings; dst holds the old ones.
func (r *Reader) WStrings(dst []string, bound int) {
	for i := range dst {
		dst[i] = r.WString(dst[i], bound)
	}
}

// peek32 is the next 32-bit value as a character, without reading it.
func (r *Reader) peek32() rune {
	at := r.off
	c := rune(r.Uint32())
	r.off = at
	return c
}
