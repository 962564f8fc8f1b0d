package rmw

import (
	"strconv"
	"strings"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/zenoh"
	zwire "simdeck/ros/zenoh/wire"
)

// Writer publishes on a topic.
type Writer struct {
	p      *Participant
	entity Entity
	key    string
	gid    GID
	guid   wire.GUID

	number  int64
	kept    []keptValue // of durability transient local, the oldest first
	cache   string      // key of the queryable that answers for them
	tokens  []uint32    // declarations
	closed  bool
	scratch []byte
	stats   rtps.WriterStats
}

// keptValue is a message for late subscribers.
type keptValue struct {
	payload, attachment []byte
	stamp               zwire.Timestamp
}

// maxKept bounds the messages that a writer keeps whose depth is not told.
const maxKept = 4096

// hashIn is the type hash in an endpoint's user data.
func hashIn(userData []byte) string {
	return rtps.RemoteEndpoint{UserData: userData}.Property("typehash")
}

// NewWriter makes a writer of a topic and announces it. c.Serves is of no use: a key has one definition.
func (p *Participant) NewWriter(of node.NodeName, c rtps.WriterConfig) (node.Writer, error) {
	w := &Writer{p: p}
	err := rtps.ErrClosed
	p.session.Do(func(core *zenoh.Core) {
		if p.closed {
			return
		}
		err = nil
		w.entity = p.entity(Publisher, of)
		w.entity.describe(c.Topic, c.Type, hashIn(c.UserData), c.QoS)
		w.guid = w.entity.guid(writerKind)
		token := w.entity.Token()
		w.key, w.gid = w.entity.Key(), gidOf(token)
		if c.QoS.Durability != rtps.Volatile {
			w.cache = w.key + "/@adv/pub/" + p.session.ID().String() + "/uhlc/_"
			w.tokens = append(w.tokens, core.Declare(zwire.DeclareQueryable, w.cache, false),
				core.Declare(zwire.DeclareToken, w.cache, false))
		}
		w.tokens = append(w.tokens, core.Declare(zwire.DeclareToken, token, false))
		p.writers[w.key] = append(p.writers[w.key], w)
		p.tell()
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// describe fills in what an endpoint of a topic is; topic and type are names of DDS.
func (e *Entity) describe(topic, kind, hash string, q rtps.QoS) {
	if hash == "" {
		hash = "TypeHashNotSupported" // as rmw_zenoh_cpp says it
	}
	e.Topic, e.Type, e.Hash, e.QoS = strings.TrimPrefix(topic, "rt"), kind, hash, q
}

// GUID names the writer.
func (w *Writer) GUID() wire.GUID { return w.guid }

// Buffer gives memory for a payload.
func (w *Writer) Buffer(octets int) []byte { return make([]byte, 0, max(0, octets)) }

// Write publishes a payload.
func (w *Writer) Write(payload []byte, o rtps.WriteOptions) (sn wire.SequenceNumber, err error) {
	if len(payload) < 4 {
		return 0, rtps.ErrPayload
	}
	w.p.session.Do(func(core *zenoh.Core) {
		if w.closed || w.p.closed {
			err = rtps.ErrClosed
			return
		}
		w.number++
		w.stats.Written++
		sn = wire.SequenceNumber(w.number)
		at := o.SourceTime
		if at.IsZero() {
			at = now()
		}
		w.scratch = attachment{w.number, at, w.gid}.append(w.scratch[:0])
		v := zwire.Value{Payload: payload, Attachment: w.scratch}
		if w.cache != "" {
			v.Timestamp = zwire.TimestampOf(at, w.p.session.ID())
			w.keep(&v)
		}
		for _, r := range w.p.readers[w.key] {
			r.deliver(w.guid, w.number, at, payload)
		}
		if w.p.others.wanted(w.key) &&
			!core.Put(w.key, &v, w.entity.QoS.Reliability == rtps.Reliable) && core.IsOpen() {
			w.stats.Overwritten++
		}
	})
	return sn, err
}

// keep keeps a message for late subscribers.
func (w *Writer) keep(v *zwire.Value) {
	depth := w.entity.QoS.Depth
	if depth == 0 {
		depth = maxKept
	}
	if len(w.kept) >= depth {
		w.kept = append(w.kept[:0], w.kept[len(w.kept)-depth+1:]...)
	}
	w.kept = append(w.kept, keptValue{append([]byte(nil), v.Payload...), append([]byte(nil), v.Attachment...),
		v.Timestamp})
}

// fresh are the kept messages that have not outlived their lifespan.
func (w *Writer) fresh() []keptValue {
	if life := w.entity.QoS.Lifespan; life > 0 {
		for len(w.kept) > 0 && now().Sub(w.kept[0].stamp.Time()) > life {
			w.kept = w.kept[1:]
		}
	}
	return w.kept
}

// answer replies with what is kept to a query of the cache.
func (w *Writer) answer(core *zenoh.Core, q zenoh.Query) {
	all := w.fresh()
	most, err := strconv.Atoi(parameter(q.Parameters, "_max"))
	if err == nil && most >= 0 && most < len(all) {
		all = all[len(all)-most:]
	}
	for _, k := range all {
		core.Reply(q.ID, w.key, &zwire.Value{Payload: k.payload, Attachment: k.attachment,
			Timestamp: k.stamp})
	}
}

// parameter is the value of a parameter of a query: "_anyke;_max=1".
func parameter(all []byte, name string) string {
	for part := range strings.SplitSeq(string(all), ";") {
		if k, v, ok := strings.Cut(part, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// Matches are the readers of the topic, ours included.
func (w *Writer) Matches() (all []rtps.Match) {
	w.p.session.Do(func(*zenoh.Core) { all = w.matches() })
	return all
}

func (w *Writer) matches() []rtps.Match {
	all := w.p.others.matches(w.key, Subscription, readerKind)
	for _, r := range w.p.readers[w.key] {
		all = append(all, rtps.Match{GUID: r.guid, Ready: true})
	}
	return all
}

// Acked is true: Zenoh acknowledges nothing, and what is written is on its way.
func (w *Writer) Acked(wire.SequenceNumber) bool { return true }

// Stats gives the counters. A subscriber of Zenoh that is no ROS node counts as one reader.
func (w *Writer) Stats() (s rtps.WriterStats) {
	w.p.session.Do(func(*zenoh.Core) {
		s = w.stats
		for _, e := range w.p.others.byKey[w.key] {
			if e.Kind == Subscription {
				s.Matched++
			}
		}
		if s.Matched == 0 && w.p.others.wanted(w.key) {
			s.Matched = 1
		}
		s.Matched += len(w.p.readers[w.key])
	})
	return s
}

// Kept gives copies of what late subscribers get.
func (w *Writer) Kept() (all [][]byte) {
	w.p.session.Do(func(*zenoh.Core) {
		for _, k := range w.fresh() {
			all = append(all, append([]byte(nil), k.payload...))
		}
	})
	return all
}

// Close withdraws the writer.
func (w *Writer) Close() error {
	w.p.session.Do(func(core *zenoh.Core) {
		if w.closed {
			return
		}
		w.closed = true
		without(w.p.writers, w.key, w)
		for _, id := range w.tokens {
			core.Undeclare(id)
		}
		w.p.tell()
	})
	return nil
}

// without takes an endpoint out of those of a key.
func without[T comparable](of map[string][]T, key string, x T) {
	var left []T
	for _, o := range of[key] {
		if o != x {
			left = append(left, o)
		}
	}
	of[key] = left
	if len(left) == 0 {
		delete(of, key)
	}
}

// stampOf is the time at which a message was written, as far as it is told.
func stampOf(a attachment, v *zwire.Value) time.Time {
	if a.time.IsZero() && v.Timestamp != (zwire.Timestamp{}) {
		return v.Timestamp.Time()
	}
	return a.time
}
