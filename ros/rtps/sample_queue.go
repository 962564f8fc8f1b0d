package rtps

import (
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// Sample is one message that a reader got.
type Sample struct {
	Writer     wire.GUID
	SN         wire.SequenceNumber // with Writer it names the sample: the identity of a service request
	SourceTime time.Time           // when it was written, by the writer's clock; zero when not told
	Received   time.Time           // zero of an instance that lost its last writer because that went away
	Related    wire.SampleIdentity // of a service's request or reply; a zero GUID means none
	Instance   wire.KeyHash        // of a topic with a key: which instance it is about
	// not Alive: the instance has ended. The payload is then its key, or nothing
	State instance.State
	// encapsulation header and CDR, perhaps with trailing padding; the receiver's own
	Payload []byte

	expires time.Time // the end of its writer's lifespan; zero: never
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

// ofInstance counts the samples of an instance, and finds the oldest.
func (q *queue) ofInstance(k wire.KeyHash) (n, oldest int) {
	for i := q.n - 1; i >= 0; i-- {
		if q.ring[(q.head+i)%len(q.ring)].Instance == k {
			n, oldest = n+1, i
		}
	}
	return n, oldest
}

// remove takes out the i-th sample; those before it move up.
func (q *queue) remove(i int) Sample {
	s := q.ring[(q.head+i)%len(q.ring)]
	for ; i > 0; i-- {
		q.ring[(q.head+i)%len(q.ring)] = q.ring[(q.head+i-1)%len(q.ring)]
	}
	q.ring[q.head] = s
	s, _ = q.pop()
	return s
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
