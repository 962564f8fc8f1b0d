package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

// peer is a remote participant.
type peer struct {
	task
	guid   wire.GUID
	vendor wire.VendorID
	data   wire.ParticipantData
	from   wire.Locator        // where the announcement came from that we go by
	sn     wire.SequenceNumber // its number
	meta   []wire.Locator
	user   []wire.Locator
	link   int // index into Core.links of the interface it is reached over

	validated []validatedAddress // addresses that it was heard from; see validateAddress
	epoch     uint32             // of the secret numbers; see address_validation.go
	challenge pathChallenge
	near      bool      // one of them is of this host
	since     time.Time // it is known
	updated   time.Time // it has said something else than before
	turn      uint64    // in which it was sent samples last
	sent      int       // datagrams in that turn
	budget    peerBudget
	places    [][]wire.Locator // addresses of its readers that are not its own; see destination

	seen          time.Time // anything arrived
	validatedPath bool      // its built-in readers have answered: it knows us and its address is real
	answers       int
	lastAnswer    time.Time
	endpoints     map[wire.GUID]*remoteEndpoint
	pacer         pacer
}

// maxUnpaced is the number of readers of one participant that get samples as fast as they are written. A
// process of a hundred nodes has as many; one with more shares crowdRate among them.
const maxUnpaced = 512

// subscribe counts readers of the participant that came or left.
func (p *peer) subscribe(n int) {
	p.budget.readers += n
	p.pacer.crowded = p.budget.readers > maxUnpaced
}

// peerBudget is the share of one participant in what all participants may use.
type peerBudget struct {
	unvalidated tokenBucket          // of octets to its addresses that are not validated
	control     tokenBucket          // of octets of its ACKNACK, NACK_FRAG, HEARTBEAT and GAP
	again       tokenBucket          // of retransmissions to it
	refused     map[string]time.Time // last refusal, by the limit
	partial     int                  // octets of its samples in part or before their turn
	known       int                  // octets of the data of its endpoints
	readers     int                  // that writers of ours serve, those of discovery aside
}

// remoteEndpoint is a writer or reader of a peer.
type remoteEndpoint struct {
	RemoteEndpoint
	peer *peer
	data wire.EndpointData
}

// size gives about how many octets it takes to know the endpoint.
func (e *remoteEndpoint) size() int {
	const fixed = 512
	n := fixed + len(e.Topic) + len(e.Type) + len(e.UserData) + len(e.data.Unicast)*24
	for _, p := range e.QoS.Partitions {
		n += 16 + len(p)
	}
	return n
}

// route chooses by which addresses a peer is reached, from those it announced.
func (c *Core) route(p *peer) {
	p.meta, p.link = c.choose(p.data.Meta, p)
	p.user, _ = c.choose(p.data.User, p)
}

// choose picks the addresses to send to. A validated address comes first, then addresses in a network of this
// host, then all. Addresses of the loopback interface count only for peers on this host. The second result is
// the link that leads there.
func (c *Core) choose(locs []wire.Locator, p *peer) ([]wire.Locator, int) {
	if len(locs) > c.cfg.Limits.Locators {
		locs = locs[:c.cfg.Limits.Locators]
	}
	sameHost := c.net.isLocal(p.from) || p.near
	locs = slices.DeleteFunc(slices.Clone(locs),
		func(l wire.Locator) bool { return !c.net.usable(l) || l.IsLoopback() && !sameHost })
	at := func(l wire.Locator) bool { return slices.Contains(p.validated, l.IPv4()) }
	i := slices.IndexFunc(locs, func(l wire.Locator) bool { return at(l) && c.net.covered(l) })
	if i < 0 {
		i = slices.IndexFunc(locs, at)
	}
	if i >= 0 {
		return locs[i : i+1], c.net.linkTo(locs[i])
	}
	var same, near, far []wire.Locator
	for _, l := range locs {
		switch {
		case l.IPv4() == p.from.IPv4():
			return []wire.Locator{l}, c.net.linkTo(l)
		case sameHost && c.net.isLocal(l):
			same = append(same, l)
		case c.net.covered(l):
			near = append(near, l)
		default:
			far = append(far, l)
		}
	}
	if len(same) > 0 {
		return same[:1], c.net.linkTo(same[0])
	}
	if len(near) == 0 {
		near = far
	}
	if len(near) == 0 {
		return nil, 0
	}
	return near, c.net.linkTo(near[0])
}

// network is the set of interfaces over which the participant talks.
type network struct{ links []wire.Link }

// isLocal tells whether an address is one of this host. 0.0.0.0 is: a sender without an address does not get
// far.
func (n *network) isLocal(l wire.Locator) bool {
	if l.IsLoopback() || l.IPv4() == [4]byte{} {
		return true
	}
	for i := range n.links {
		if n.links[i].Owns(l.IPv4()) {
			return true
		}
	}
	return false
}

func (n *network) covered(l wire.Locator) bool {
	for i := range n.links {
		if n.links[i].Covers(l.IPv4()) {
			return true
		}
	}
	return false
}

// linkTo gives the link whose addresses a peer at l can use. The link that owns l comes first, then the one
// with the longest prefix, as the system routes, then the first that leaves this host.
func (n *network) linkTo(l wire.Locator) int {
	best, score := 0, -1
	for i := range n.links {
		s := 0
		switch k := &n.links[i]; {
		case k.Owns(l.IPv4()) || k.Loopback && l.IsLoopback():
			s = 100
		case k.Covers(l.IPv4()):
			s = 2 + k.Prefix(l.IPv4())
		case !k.Loopback:
			s = 1
		}
		if s > score {
			best, score = i, s
		}
	}
	return best
}

// allLocal tells whether all addresses are of this host, where datagrams may be large.
func (n *network) allLocal(locs []wire.Locator) bool {
	for _, l := range locs {
		if !n.isLocal(l) {
			return false
		}
	}
	return len(locs) > 0
}
