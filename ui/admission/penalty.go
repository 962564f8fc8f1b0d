package admission

import (
	"container/list"
	"net/netip"
	"time"
)

// Failed logins cost their source a time, as PerSourcePenalties of OpenSSH. The
// times of a source add up and pass as the clock does. From minPenalty on the
// source is refused until its time is over.
//
// A source is an IPv4 address or an IPv6 /64, the unit given to one host. It stands in a block, an IPv4 /24
// or an IPv6 /48, the unit given to one site. A block is refused as a whole while badSources of it are. So
// neighbors of a few attackers still get in, and moving about in a block helps an attacker little.

// Outcome is the end of an unauthenticated connection.
type Outcome uint8

// Ends of connections.
const (
	Fault      Outcome = iota // of this server: nobody is charged for that
	OperatorIn                // an operator logged in
	ViewerIn                  // a viewer did
	Empty                     // no key was tried: it was closed, dropped, or spoke no SSH
	WrongKey                  // the login failed
	TooLate                   // the time for the login ended
)

// costs of outcomes. Those of OpenSSH, and a little for viewers: who may enter but
// change nothing must not keep the server busy with logins.
var costs = [...]time.Duration{Empty: time.Second, WrongKey: 5 * time.Second, TooLate: 10 * time.Second,
	ViewerIn: 250 * time.Millisecond}

const (
	minPenalty    = 15 * time.Second // below it nobody is refused
	badSources    = 16               // of a block, so that all of it is refused
	trustedFor    = 24 * time.Hour   // after an operator's login from a source
	trustDiscount = 10               // by which costs of such a source are divided
	// per address family that are remembered; the longest unused is forgotten first
	maxSources = 8192
	maxBlocks  = 1024 // likewise
	maxTrusted = 1024 // likewise; only operators add to them
)

// Source is the origin of a connection.
type Source struct{ prefix, block netip.Prefix }

// SourceOf is the source of an address. Connections that have none, as in tests,
// are all of one source.
func SourceOf(addr netip.Addr) Source {
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return Source{masked(addr, 32), masked(addr, 24)}
	}
	return Source{masked(addr, 64), masked(addr, 48)}
}

func masked(addr netip.Addr, bits int) netip.Prefix {
	p, _ := addr.Prefix(bits) // zero without an address
	return p
}

// penalties are the charges of sources.
type penalties struct {
	most      time.Duration         // of a source; negative: there are none
	sources   [2]recent[*charged]   // of IPv4 and IPv6: a flood of one forgets nothing of the other
	blocks    [2]recent[*blocklist] // likewise
	operators recent[time.Time]     // when an operator last logged in from there
}

// charged is the charge of a source.
type charged struct {
	until   time.Time // when all of it is over
	refused bool      // it came to minPenalty: until then it is refused
}

// blocklist is the sources of a block that are refused, and until when.
type blocklist [badSources]struct {
	origin netip.Prefix
	until  time.Time
}

func newPenalties(most time.Duration) penalties {
	p := penalties{most: most, operators: newRecent[time.Time](maxTrusted)}
	for i := range p.sources {
		p.sources[i], p.blocks[i] = newRecent[*charged](maxSources), newRecent[*blocklist](maxBlocks)
	}
	return p
}

// family is 0 for IPv4 and 1 for IPv6.
func (s Source) family() int {
	if s.prefix.Addr().Is4() {
		return 0
	}
	return 1
}

// charge adds the cost of an outcome to a source.
func (p *penalties) charge(s Source, how Outcome, now time.Time) {
	cost := costs[how]
	if cost == 0 || p.most < 0 {
		return
	}
	if p.trusts(s.prefix, now) {
		cost /= trustDiscount
	}
	table := &p.sources[s.family()]
	c, known := table.get(s.prefix)
	if !known {
		c = &charged{}
		table.put(s.prefix, c)
	}
	if !c.until.After(now) {
		*c = charged{until: now}
	}
	if c.until = c.until.Add(cost); c.until.Sub(now) > p.most {
		c.until = now.Add(p.most)
	}
	if c.refused = c.refused || c.until.Sub(now) >= min(minPenalty, p.most); c.refused {
		p.list(s, c.until, now)
	}
}

// list notes that a source of a block is refused.
func (p *penalties) list(s Source, until, now time.Time) {
	table := &p.blocks[s.family()]
	b, known := table.get(s.block)
	if !known {
		b = &blocklist{}
		table.put(s.block, b)
	}
	place := 0
	for i := range b {
		if b[i].origin == s.prefix {
			place = i
			break
		}
		if b[i].until.Before(b[place].until) {
			place = i
		}
	}
	b[place].origin, b[place].until = s.prefix, until
}

// refuse says whether connections of a source are refused now, and until when.
func (p *penalties) refuse(s Source, now time.Time) (until time.Time, refused bool) {
	if c, known := p.sources[s.family()].get(s.prefix); known && c.refused && c.until.After(now) {
		return c.until, true
	}
	if p.trusts(s.prefix, now) {
		return time.Time{}, false
	}
	b, known := p.blocks[s.family()].get(s.block)
	if !known {
		return time.Time{}, false
	}
	until = b[0].until
	for _, bad := range b[1:] {
		if bad.until.Before(until) {
			until = bad.until
		}
	}
	return until, until.After(now)
}

// noteOperator notes an operator's login: what its source was charged is forgiven.
func (p *penalties) noteOperator(s Source, now time.Time) {
	p.sources[s.family()].remove(s.prefix)
	if b, known := p.blocks[s.family()].get(s.block); known {
		for i := range b {
			if b[i].origin == s.prefix {
				b[i].until = time.Time{}
			}
		}
	}
	p.operators.put(s.prefix, now)
}

// trusts says whether an operator has lately logged in from a source.
func (p *penalties) trusts(prefix netip.Prefix, now time.Time) bool {
	at, known := p.operators.get(prefix)
	return known && now.Sub(at) < trustedFor
}

// recent is a table by prefix that forgets the entry that was used the longest
// ago, when there are too many (LRU).
type recent[V any] struct {
	most  int
	order *list.List // of entry[V]; the newest in front
	table map[netip.Prefix]*list.Element
}

type entry[V any] struct {
	key   netip.Prefix
	value V
}

func newRecent[V any](most int) recent[V] {
	return recent[V]{most: most, order: list.New(), table: map[netip.Prefix]*list.Element{}}
}

// get finds an entry, which counts as a use.
func (r *recent[V]) get(key netip.Prefix) (v V, known bool) {
	e, known := r.table[key]
	if !known {
		return v, false
	}
	r.order.MoveToFront(e)
	return e.Value.(entry[V]).value, true
}

// put sets an entry.
func (r *recent[V]) put(key netip.Prefix, v V) {
	if e, known := r.table[key]; known {
		e.Value = entry[V]{key, v}
		r.order.MoveToFront(e)
		return
	}
	r.table[key] = r.order.PushFront(entry[V]{key, v})
	if r.order.Len() > r.most {
		r.remove(r.order.Back().Value.(entry[V]).key)
	}
}

// remove forgets an entry.
func (r *recent[V]) remove(key netip.Prefix) {
	if e, known := r.table[key]; known {
		r.order.Remove(e)
		delete(r.table, key)
	}
}

// Block is the site of the source: an IPv4 /24 or an IPv6 /48.
func (s Source) Block() netip.Prefix { return s.block }
