package rmw

import (
	"encoding/binary"
	"time"
)

// attachment goes with each message, request and reply.
type attachment struct {
	number int64 // of the message in its writer, from 1
	time   time.Time
	gid    GID
}

// attachmentSize is that of two numbers, the length of the GID and the GID.
const attachmentSize = 8 + 8 + 1 + len(GID{})

func (a attachment) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(a.number))
	b = binary.LittleEndian.AppendUint64(b, uint64(a.time.UnixNano()))
	return append(append(b, byte(len(a.gid))), a.gid[:]...)
}

// parseAttachment is the inverse of append; false of anything else.
func parseAttachment(b []byte) (a attachment, ok bool) {
	if len(b) != attachmentSize || b[16] != byte(len(a.gid)) {
		return a, false
	}
	a.number = int64(binary.LittleEndian.Uint64(b))
	if t := int64(binary.LittleEndian.Uint64(b[8:])); t > 0 {
		a.time = time.Unix(0, t)
	}
	copy(a.gid[:], b[17:])
	return a, true
}
