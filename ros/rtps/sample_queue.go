package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// Sample is one message that a reader got.
type Sample struct {
	Writer     wire.GUID
	SN         wire.SequenceNumber // with Writer it names the sample: the identity of a service request
	SourceTime time.Time           // when it was written, by the writer's clock; zero when not told
	Received   time.Time
	Related    wire.SampleIdentity // of a service's request or reply; a zero GUID means none
	// encapsulation header and CDR, perhaps with trailing padding; the receiver's own
	Payload []byte
}

// queue holds samples until somebody takes them: a ring that grows up to its limit.
type queue struct {
	ring  []Sample
	head  int
	n     int
	limit int

	octets, most int // of payloads; most = 0: any
}

func (q *queue) full() bool { return q.n >= q.limit || q.most > 0 && q.n > 0 && q.octets >= q.most }

// push adds a sample. The queue must not be full.
func (q *queue) push(s Sample) {
	if q.n == len(q.ring) {
		bigger := make([]Sample, min(q.limit, max(8, 2*len(q.ring))))
		for i := range q.n {
			bigger[i] = q.ring[(q.head+i)%len(q.ring)]
		}
		q.ring, q.head = bigger, 0
	}
	q.ring[(q.head+q.n)%len(q.ring)] = s
	q.n++
	q.octets += len(s.Payload)
}

// pop takes the oldest sample.
func (q *queue) pop() (Sample, bool) {
	if q.n == 0 {
		return Sample{}, false
	}
	s := q.ring[q.head]
	q.ring[q.head] = Sample{}
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	q.octets -= len(s.Payload)
	return s, true
}
