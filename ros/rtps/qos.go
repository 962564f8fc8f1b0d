package rtps

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"simdeck/ros/rtps/wire"
)

// Reliability tells whether lost samples are sent again (DDS 1.4 §2.2.3.14).
type Reliability uint8

// Best effort is the zero value.
const (
	BestEffort Reliability = iota
	Reliable
)

// Durability tells whether a reader gets samples from before it was there (DDS 1.4 §2.2.3.4).
type Durability uint8

// Volatile is the zero value. Transient and Persistent are seen from others only.
const (
	Volatile Durability = iota
	TransientLocal
	Transient
	Persistent
)

// Liveliness is the way in which a writer shows that it is alive (DDS 1.4 §2.2.3.11).
type Liveliness uint8

// Automatic is the zero value.
const (
	Automatic Liveliness = iota
	ManualByParticipant
	ManualByTopic
)

// QoS is the quality of service that an endpoint offers or asks for (DDS 1.4 §2.2.3). Durations of 0 are
// infinite.
type QoS struct {
	Reliability Reliability
	Durability  Durability
	// keep the last n samples; 0 = all, within Limits. Of a remote Fast DDS endpoint 0 also means "not told"
	Depth              int
	Deadline           time.Duration
	Lifespan           time.Duration // of a writer's samples: older ones are not sent any more
	Liveliness         Liveliness
	LivelinessLease    time.Duration
	OwnershipExclusive bool
	Strength           int32 // of a writer: the strongest one owns an instance where ownership is exclusive
	// the least time between two samples of an instance that a reader takes: its time-based filter
	Separation time.Duration
	Partitions []string
	// a writer writes in its first one, a reader takes all: 0 XCDR1, 2 XCDR2; none: XCDR1
	Representations []int16
}

// String is the policies that decide about matching, as ros2 topic info writes
// them: "reliable, transient local, last 10".
func (q QoS) String() string {
	words := []string{"best effort", "volatile", "all"}
	if q.Reliability == Reliable {
		words[0] = "reliable"
	}
	switch q.Durability {
	case TransientLocal:
		words[1] = "transient local"
	case Transient, Persistent:
		words[1] = "persistent"
	}
	if q.Depth > 0 {
		words[2] = fmt.Sprintf("last %d", q.Depth)
	}
	if q.Deadline > 0 {
		words = append(words, "deadline "+q.Deadline.String())
	}
	return strings.Join(words, ", ")
}

// toWire gives the form for discovery.
func (q QoS) toWire() wire.EndpointQoS {
	w := wire.EndpointQoS{
		Reliability: wire.ReliabilityBestEffort, Durability: uint32(q.Durability), KeepAll: q.Depth == 0,
		Depth:    int32(q.Depth),
		Deadline: q.Deadline, Lifespan: q.Lifespan, Liveliness: uint32(q.Liveliness),
		LivelinessLease: q.LivelinessLease,
		Exclusive:       q.OwnershipExclusive, Strength: q.Strength, Separation: q.Separation,
		Partitions: q.Partitions, Representations: q.Representations,
	}
	if q.Reliability == Reliable {
		w.Reliability = wire.ReliabilityReliable
	}
	return w
}

// qosFromWire is the inverse of toWire. Values that the standard does not know become the nearest that it
// does.
func qosFromWire(w wire.EndpointQoS) QoS {
	q := QoS{
		Durability: Durability(min(w.Durability, wire.DurabilityPersistent)), Depth: int(w.Depth),
		Deadline: w.Deadline,
		Lifespan: w.Lifespan, Liveliness: Liveliness(min(w.Liveliness, wire.LivelinessManualByTopic)),
		LivelinessLease: w.LivelinessLease, OwnershipExclusive: w.Exclusive, Strength: w.Strength,
		Separation: w.Separation, Partitions: w.Partitions, Representations: w.Representations,
	}
	if w.Reliability >= wire.ReliabilityReliable {
		q.Reliability = Reliable
	}
	return q
}

// Incompatible is an endpoint that did not match because of its quality of service, with the policy.
type Incompatible struct {
	Remote wire.GUID
	// "reliability", "durability", "deadline", "liveliness", "ownership", "partition", "representation"
	Policy string
}

// mismatch gives the first policy by which a writer's offer falls short of a reader's request; "" when they
// fit (DDS 1.4 §2.2.3, request/offered).
func mismatch(offer, request QoS) string {
	switch {
	case offer.Reliability < request.Reliability:
		return "reliability"
	case offer.Durability < request.Durability:
		return "durability"
	case longer(offer.Deadline, request.Deadline):
		return "deadline"
	case offer.Liveliness < request.Liveliness || longer(offer.LivelinessLease, request.LivelinessLease):
		return "liveliness"
	case offer.OwnershipExclusive != request.OwnershipExclusive:
		return "ownership"
	case !partitionsMeet(offer.Partitions, request.Partitions):
		return "partition"
	case !representationsMeet(offer.Representations, request.Representations):
		return "representation"
	}
	return ""
}

// longer tells whether a is longer than b, where 0 is infinite.
func longer(a, b time.Duration) bool { return b != 0 && (a == 0 || a > b) }

// partitionsMeet tells whether two endpoints share a partition (DDS 1.4 §2.2.3.13). Names may be patterns, of
// one side only.
func partitionsMeet(a, b []string) bool {
	if len(a) == 0 {
		a = []string{""}
	}
	if len(b) == 0 {
		b = []string{""}
	}
	for _, x := range a {
		for _, y := range b {
			if x == y || matches(x, y) || matches(y, x) {
				return true
			}
		}
	}
	return false
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// representationsMeet tells whether the reader takes the representation that a writer uses, its first
// (DDS-XTypes 1.3 §7.6.3.1.2).
func representationsMeet(offered, asked []int16) bool {
	var use int16 // XCDR1
	if len(offered) > 0 {
		use = offered[0]
	}
	if len(asked) == 0 {
		return use == 0
	}
	return slices.Contains(asked, use)
}
