package wire

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// GUIDPrefix names a participant: all its endpoints share it (RTPS 2.2 §8.2.4.1, §9.3.1.1).
type GUIDPrefix [12]byte

// String gives the prefix in hexadecimal.
func (p GUIDPrefix) String() string { return hex.EncodeToString(p[:]) }

// IsZero tells whether the prefix is GUIDPREFIX_UNKNOWN, which as a destination means everybody.
func (p GUIDPrefix) IsZero() bool { return p == GUIDPrefix{} }

// EntityID names an endpoint within its participant (RTPS 2.2 §9.3.1.2). Its low octet is the kind.
type EntityID uint32

// Entity ids that the standard fixes (RTPS 2.2 §9.3.1.3, table 9.2).
const (
	EntityUnknown                 EntityID = 0
	EntityParticipant             EntityID = 0x000001c1
	EntitySPDPWriter              EntityID = 0x000100c2
	EntitySPDPReader              EntityID = 0x000100c7
	EntityPublicationsWriter      EntityID = 0x000003c2
	EntityPublicationsReader      EntityID = 0x000003c7
	EntitySubscriptionsWriter     EntityID = 0x000004c2
	EntitySubscriptionsReader     EntityID = 0x000004c7
	EntityParticipantMessageWrite EntityID = 0x000200c2
	EntityParticipantMessageRead  EntityID = 0x000200c7
)

// Kinds of user endpoints (RTPS 2.2 §9.3.1.2, table 9.1). Of types with a key, ROS has few.
const (
	KindKeyedWriter EntityID = 0x02
	KindUserWriter  EntityID = 0x03
	KindUserReader  EntityID = 0x04
	KindKeyedReader EntityID = 0x07
)

// IsBuiltin tells whether the standard owns the id: its two highest kind bits are set.
func (e EntityID) IsBuiltin() bool { return e&0xc0 == 0xc0 }

// IsWriter tells whether the id is one of a writer, with or without key.
func (e EntityID) IsWriter() bool { return e&0x3f == 0x02 || e&0x3f == 0x03 }

// IsReader tells whether the id is one of a reader, with or without key.
func (e EntityID) IsReader() bool { return e&0x3f == 0x04 || e&0x3f == 0x07 }

// Keyed tells whether the id is one of an endpoint whose type has a key.
func (e EntityID) Keyed() bool { return e&0x3f == 0x02 || e&0x3f == 0x07 }

// String gives the id in hexadecimal.
func (e EntityID) String() string { return fmt.Sprintf("%08x", uint32(e)) }

// GUID names an endpoint or a participant in the whole network (RTPS 2.2 §8.2.4).
type GUID struct {
	Prefix GUIDPrefix
	Entity EntityID
}

// IsZero tells whether the GUID is GUID_UNKNOWN.
func (g GUID) IsZero() bool { return g == GUID{} }

// String gives the prefix and the entity id in hexadecimal, with a bar between.
func (g GUID) String() string { return g.Prefix.String() + "|" + g.Entity.String() }

// Bytes gives the 16 octets of the wire.
func (g GUID) Bytes() (b [16]byte) {
	copy(b[:], g.Prefix[:])
	binary.BigEndian.PutUint32(b[12:], uint32(g.Entity))
	return b
}

// Compare orders GUIDs by their octets: negative, zero or positive.
func (g GUID) Compare(o GUID) int {
	for i := range g.Prefix {
		if d := int(g.Prefix[i]) - int(o.Prefix[i]); d != 0 {
			return d
		}
	}
	switch {
	case g.Entity < o.Entity:
		return -1
	case g.Entity > o.Entity:
		return 1
	}
	return 0
}

// KeyHash gives the hash of an instance whose key is the GUID, as those of discovery data are.
func (g GUID) KeyHash() KeyHash { return g.Bytes() }

// KeyHash names an instance of a topic (RTPS 2.2 §9.6.3.8). It is the key in big-endian CDR where that has at
// most 16 octets for every value, else the MD5 of it.
type KeyHash [16]byte

// IsZero tells whether the hash is that of a topic without a key.
func (k KeyHash) IsZero() bool { return k == KeyHash{} }

// GUID gives the key of discovery data.
func (k KeyHash) GUID() GUID { return GUIDFromBytes(k) }

// GUIDFromBytes is the inverse of Bytes.
func GUIDFromBytes(b [16]byte) GUID {
	g, _, _ := ParseGUID(b[:])
	return g
}

// ParseGUID reads the 16 octets of a GUID (RTPS 2.2 §9.3.1). The byte order of the message does not matter to
// it.
func ParseGUID(b []byte) (GUID, int, error) {
	c := cursor{b: b}
	g := c.guid()
	return g, c.off, c.err("GUID")
}

// Append adds the 16 octets of the GUID.
func (g GUID) Append(b []byte) []byte { return appendGUID(b, g) }
