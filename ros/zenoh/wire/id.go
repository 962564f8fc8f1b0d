package wire

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ID names a session: at most 16 octets, the lowest first; what it has less is zero.
type ID [16]byte

// ErrID says that a text names no session.
var ErrID = errors.New("zenoh: no session id")

// String is the id as it stands in keys: hex, the highest digit first, without leading zeros.
func (id ID) String() string {
	var reversed ID
	for i, b := range id {
		reversed[len(id)-1-i] = b
	}
	return strings.TrimLeft(hex.EncodeToString(reversed[:]), "0")
}

// ParseID is the inverse of String.
func ParseID(s string) (id ID, err error) {
	if len(s) == 0 || len(s) > 32 {
		return id, fmt.Errorf("%w: %d digits, want 1 to 32", ErrID, len(s))
	}
	digits, err := hex.DecodeString(strings.Repeat("0", 32-len(s)) + s)
	if err != nil {
		return id, fmt.Errorf("%w: %q is not hexadecimal", ErrID, s)
	}
	for i, b := range digits {
		id[len(id)-1-i] = b
	}
	if id == (ID{}) {
		return id, fmt.Errorf("%w: it is zero", ErrID)
	}
	return id, nil
}

// size is the number of octets that an id has on the wire, at least one.
func (id ID) size() int {
	n := len(id)
	for n > 1 && id[n-1] == 0 {
		n--
	}
	return n
}

// appendSized appends an octet with the size in its upper half and flags in its lower, then the id.
func (id ID) appendSized(b []byte, flags byte) []byte {
	n := id.size()
	return append(append(b, byte(n-1)<<4|flags), id[:n]...)
}

// sizedID is the inverse of ID.appendSized.
func (c *cursor) sizedID() (id ID, flags byte) {
	header := c.octet()
	copy(id[:], c.take(uint64(header>>4)+1))
	return id, header & 0xf
}
