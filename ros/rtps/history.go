package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// change is a CacheChange: one sample in a writer's history cache (RTPS 2.2 §8.2.1.3).
type change struct {
	sn      wire.SequenceNumber
	content wire.Content
	payload []byte
	untyped []byte // payload for participants without type hashes
	qos     []byte // encoded inline QoS; nil = none
	stamp   wire.Timestamp
	at      time.Time // when it was written
	to      wire.GUIDPrefix
	state   instance.State
	toOne   bool // addressed to the participant `to` alone
	// the instance of a topic with a key; in discovery, the participant or endpoint
	instance wire.KeyHash
}

func (h *change) size() int { return len(h.payload) + len(h.untyped) + len(h.qos) }

// relevant reports that a participant is to get the change: it is addressed to it or to all, and its lifespan
// is not over.
func (h *change) relevant(p wire.GUIDPrefix, lifespan time.Duration, now time.Time) bool {
	return (!h.toOne || h.to == p) && (lifespan == 0 || now.Sub(h.at) < lifespan)
}

// history is the HistoryCache of a writer (RTPS 2.2 §8.2.2): changes in the order of their sequence numbers.
// Removed changes leave gaps.
type history struct {
	all   []change // from head on
	head  int
	bytes int
	toOne int // changes addressed to one participant alone
	keyed bool
}

func (h *history) len() int { return len(h.all) - h.head }

// from gives the changes with a sequence number of at least sn.
func (h *history) from(sn wire.SequenceNumber) []change {
	live := h.all[h.head:]
	i, _ := slices.BinarySearchFunc(live, sn, func(c change, n wire.SequenceNumber) int {
		switch {
		case c.sn < n:
			return -1
		case c.sn > n:
			return 1
		}
		return 0
	})
	return live[i:]
}

// find gives the change with a sequence number; nil where the history has none.
func (h *history) find(sn wire.SequenceNumber) *change {
	if rest := h.from(sn); len(rest) > 0 && rest[0].sn == sn {
		return &rest[0]
	}
	return nil
}

// first gives the lowest sequence number; the value none where the history is empty.
func (h *history) first(none wire.SequenceNumber) wire.SequenceNumber {
	if h.len() == 0 {
		return none
	}
	return h.all[h.head].sn
}

func (h *history) add(c change) {
	if h.head > 32 && h.head >= len(h.all)/2 {
		n := copy(h.all, h.all[h.head:])
		clear(h.all[n:])
		h.all, h.head = h.all[:n], 0
	}
	h.all = append(h.all, c)
	h.bytes += c.size()
	if c.toOne {
		h.toOne++
	}
}

// perDestinationCount counts the changes with the destination and the instance of the newest one, and finds
// the oldest of them. Pinned changes are left out.
func (h *history) perDestinationCount(pinned func(sn wire.SequenceNumber) bool) (n, oldest int) {
	live := h.all[h.head:]
	newest := &live[len(live)-1]
	if h.toOne == 0 && pinned == nil && !h.keyed {
		return len(live), 0
	}
	for k := len(live) - 1; k >= 0; k-- {
		if live[k].toOne == newest.toOne && live[k].to == newest.to && live[k].instance == newest.instance &&
			(pinned == nil || !pinned(live[k].sn)) {
			n, oldest = n+1, k
		}
	}
	return n, oldest
}

// oldest finds the oldest change that is not pinned; the newest change is never chosen. Where all are pinned,
// it gives the oldest.
func (h *history) oldest(pinned func(sn wire.SequenceNumber) bool) int {
	for i := range h.len() - 1 {
		if pinned == nil || !pinned(h.all[h.head+i].sn) {
			return i
		}
	}
	return 0
}

// remove takes out the i-th change.
func (h *history) remove(i int) change {
	c := h.all[h.head+i]
	h.bytes -= c.size()
	if c.toOne {
		h.toOne--
	}
	if i == 0 {
		h.all[h.head] = change{}
		h.head++
		return c
	}
	h.all = slices.Delete(h.all, h.head+i, h.head+i+1)
	return c
}
