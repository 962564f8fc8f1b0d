package netsim

import (
	"simdeck/ros/rtps/wire"
)

// Load is one kind of attack: so many datagrams, each made up when it is asked for. It is the same for the
// same seed.
type Load struct {
	Name     string
	Count    int
	Opening  [][]byte // come first, at a slow pace, so that all are taken in
	Next     func() []byte
	Intruder *Intruder // attacker with a real address; nil: none
	Answers  bool      // its readers acknowledge what they are offered
	Lasting  bool      // Next says again what keeps the intruder known; it is the opening that costs
}

// Subscriptions is the number of readers that one participant makes in a load.
const Subscriptions = 4000

// Loads gives the attacks on a participant with such endpoints: the datagrams of strangers, and what one that
// is really there may ask for. of makes a new intruder; captures are datagrams of others.
func Loads(a *Attacker, endpoints []Endpoint, of func(name string) *Intruder) []Load {
	var writers, readers []Endpoint
	for _, e := range endpoints {
		if e.Writer {
			writers = append(writers, e)
		} else {
			readers = append(readers, e)
		}
	}
	return []Load{
		{Name: "malformed datagrams", Count: 120_000, Next: a.malformed},
		{Name: "made-up participants", Count: 45_000, Next: a.madeUp},
		fragments(a, of("fragments"), readers),
		heartbeats(a, of("heartbeats"), readers),
		acknacks(a, of("acknacks"), writers),
		subscriptions("one subscription to each topic, for comparison", of("one"), writers, len(writers),
			true),
		subscriptions("4,000 subscriptions that acknowledge", of("subscribers"), writers, Subscriptions,
			true),
		subscriptions("4,000 subscriptions that never answer", of("mutes"), writers, Subscriptions, false),
	}
}

// malformed is noise, or traffic of others that was spoilt.
func (a *Attacker) malformed() []byte {
	a.count++
	switch a.rand.IntN(3) {
	case 0:
		return a.noise()
	case 1:
		return a.cut(a.replay())
	}
	b := a.replay()
	for range 1 + len(b)/64 {
		if len(b) > wire.HeaderSize {
			b[wire.HeaderSize+a.rand.IntN(len(b)-wire.HeaderSize)] = byte(a.rand.Uint32())
		}
	}
	return b
}

// madeUp announces a participant that nobody has heard of, half of them where the attacker is, the others at
// somebody else's address.
func (a *Attacker) madeUp() []byte {
	a.count++
	if a.rand.IntN(2) == 0 {
		return a.announce(a.prefix(), []wire.Locator{a.Self})
	}
	return a.announce(a.prefix(), a.victims())
}

// opposed is an intruder with an endpoint opposite each of the target's.
func opposed(i *Intruder, all []Endpoint) (ids []wire.EntityID, opening [][]byte) {
	opening = i.Enter()
	for _, e := range all {
		id, b := i.Oppose(e, e.Reliable)
		ids, opening = append(ids, id), append(opening, b)
	}
	return ids, opening
}

// fragments begins samples of all sizes and never ends them: many tiny or few large fragments, overlapping,
// cut differently each time.
func fragments(a *Attacker, i *Intruder, readers []Endpoint) Load {
	ids, opening := opposed(i, readers)
	next := func() []byte {
		size := []int{1, 8, 1000, 1400, 60_000}[a.rand.IntN(5)]
		sample := uint32(1) << (4 + a.rand.IntN(28))
		d := wire.DataFrag{Writer: pick(a, ids), SN: 1 + wire.SequenceNumber(a.rand.IntN(300)),
			Count: 1 + uint16(a.rand.IntN(4)),
			Size:  uint16(size), SampleSize: max(sample, uint32(8*size)) + uint32(a.rand.IntN(3)),
			Start: 1 + uint32(a.rand.IntN(4))}
		d.Payload = make([]byte, min(int(d.Count)*size, 60_000))
		d.Count = uint16(len(d.Payload) / size)
		return d.Append(i.header())
	}
	return Load{Name: "absurd fragments", Count: 60_000, Intruder: i, Opening: opening, Next: next}
}

func pick[T any](a *Attacker, of []T) T { return of[a.rand.IntN(len(of))] }

// heartbeats tells of endless samples, takes endless ones back, and sends some that lie far ahead.
func heartbeats(a *Attacker, i *Intruder, readers []Endpoint) Load {
	ids, opening := opposed(i, readers)
	next := func() []byte {
		b := i.header()
		for range 1 + a.rand.IntN(20) {
			i.count++
			w := pick(a, ids)
			first := wire.SequenceNumber(1 + a.rand.Uint64N(1<<(1+a.rand.IntN(61))))
			switch a.rand.IntN(4) {
			case 0:
				b = wire.Gap{Writer: w, Start: 1, List: full(first)}.Append(b)
			case 1:
				b = wire.Data{Writer: w, SN: first, Content: wire.ContentData,
					Payload: []byte{0, 1, 0, 0, 9, 9, 9, 9}}.Append(b)
			default:
				b = wire.Heartbeat{Writer: w, First: 1 + first/2, Last: first, Count: i.count}.Append(b)
			}
		}
		return b
	}
	return Load{Name: "heartbeat bombs", Count: 60_000, Intruder: i, Opening: opening, Next: next}
}

// full is a set of all numbers that one can hold.
func full(base wire.SequenceNumber) wire.SequenceNumberSet {
	set := wire.SequenceNumberSet{Base: base}
	for n := range wire.SequenceNumber(wire.SetBits) {
		set.Add(base + n)
	}
	return set
}

// acknacks asks for everything, for ever, for many readers of each writer.
func acknacks(a *Attacker, i *Intruder, writers []Endpoint) Load {
	const each = 4
	var all []Endpoint
	for range each {
		all = append(all, writers...)
	}
	for k := range all {
		all[k].Reliable = true
	}
	ids, opening := opposed(i, all)
	next := func() []byte {
		b := i.header()
		for range 1 + a.rand.IntN(20) {
			i.count++
			k := a.rand.IntN(len(all))
			base := wire.SequenceNumber(1 + a.rand.Uint64N(1<<(a.rand.IntN(16))))
			if a.rand.IntN(4) == 0 {
				set := wire.FragmentNumberSet{Base: 1}
				for n := range uint32(wire.SetBits) {
					set.Add(1 + n)
				}
				b = wire.NackFrag{Reader: ids[k], Writer: all[k].Entity, SN: base, State: set,
					Count: i.count}.Append(b)
				continue
			}
			b = wire.AckNack{Reader: ids[k], Writer: all[k].Entity, State: full(base),
				Count: i.count}.Append(b)
		}
		return b
	}
	return Load{Name: "acknack bombs", Count: 60_000, Intruder: i, Opening: opening, Next: next}
}

// subscriptions are thousands of readers of one participant on all the target's topics: acknowledging ones
// and best-effort ones in turn, or silent reliable ones.
func subscriptions(name string, i *Intruder, writers []Endpoint, count int, answers bool) Load {
	opening := i.Enter()
	for n := range count {
		e := writers[n%len(writers)]
		_, b := i.Oppose(e, e.Reliable && (n/len(writers)%2 == 0 || !answers))
		opening = append(opening, b)
	}
	enter := i.Enter()[0]
	return Load{Name: name, Count: 20, Intruder: i, Opening: opening, Next: func() []byte { return enter },
		Answers: answers, Lasting: true}
}
