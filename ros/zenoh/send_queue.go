package zenoh

import (
	"time"

	"simdeck/ros/zenoh/wire"
)

// grade says which messages are dropped first when too much waits.
type grade uint8

const (
	bestEffort grade = iota
	important
	kept // never
)

// limit is the number of waiting octets from which on a message of the grade is dropped.
func (g grade) limit() int {
	switch g {
	case bestEffort:
		return bestEffortMB << 20
	case important:
		return reliableMB << 20
	}
	return int(^uint(0) >> 1)
}

// sendQueue holds messages until the link takes them, and makes batches of them.
type sendQueue struct {
	sn       uint32
	batch    int      // octets of the largest that the router takes
	controls [][]byte // transport messages, which go first
	waiting  [][]byte // network messages
	head     int      // of waiting: those before are gone
	rest     []byte   // of a message that goes in fragments
	octets   int
	sent     time.Time
	buffer   []byte
}

func (q *sendQueue) clear() {
	q.controls, q.waiting, q.head, q.rest, q.octets, q.batch = nil, nil, 0, nil, 0, wire.MaxBatch
}

func (q *sendQueue) empty() bool {
	return len(q.controls) == 0 && q.head == len(q.waiting) && len(q.rest) == 0
}

func (q *sendQueue) control(b []byte) { q.controls = append(q.controls, b) }

// message queues a network message; false when it is dropped.
func (q *sendQueue) message(b []byte, g grade) bool {
	if q.octets > 0 && q.octets+len(b) > g.limit() {
		return false
	}
	q.waiting = append(q.waiting, b)
	q.octets += len(b)
	return true
}

// pop is the next message.
func (q *sendQueue) pop() []byte {
	b := q.waiting[q.head]
	q.waiting[q.head] = nil
	q.head++
	if q.head == len(q.waiting) {
		q.waiting, q.head = q.waiting[:0], 0
	}
	return b
}

// frameHeader is more than the octets in front of the messages of a frame.
const frameHeader = 8

// next makes a batch; network messages go only when the session is open.
func (q *sendQueue) next(open bool) []byte {
	q.buffer = append(q.buffer[:0], 0, 0)
	switch {
	case len(q.controls) > 0:
		q.buffer = append(q.buffer, q.controls[0]...)
		q.controls = q.controls[1:]
	case !open:
		return nil
	case len(q.rest) > 0:
		q.fragment()
	case q.head < len(q.waiting) && len(q.waiting[q.head])+frameHeader > q.batch:
		q.rest = q.pop()
		q.fragment()
	case q.head < len(q.waiting):
		q.frame()
	default:
		return nil
	}
	size := len(q.buffer) - wire.BatchHeader
	q.buffer[0], q.buffer[1] = byte(size), byte(size>>8)
	return q.buffer
}

// frame fills a batch with messages.
func (q *sendQueue) frame() {
	q.buffer = (&wire.Frame{Reliable: true, SN: q.sn}).Append(q.buffer)
	q.sn++
	for q.head < len(q.waiting) && len(q.buffer)-wire.BatchHeader+len(q.waiting[q.head]) <= q.batch {
		b := q.pop()
		q.octets -= len(b)
		q.buffer = append(q.buffer, b...)
	}
}

// fragment fills a batch with a part of the message that is being sent.
func (q *sendQueue) fragment() {
	n := min(len(q.rest), q.batch-frameHeader)
	m := wire.Fragment{Reliable: true, More: n < len(q.rest), SN: q.sn, Part: q.rest[:n]}
	q.sn++
	q.buffer = m.Append(q.buffer)
	q.rest = q.rest[n:]
	q.octets -= n
}
