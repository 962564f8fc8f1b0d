package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// A challenge goes challengeTries times, challengePause apart, to the validated address of a participant
	// after datagrams in its name came from another one.
	challengeTries = 8
	challengePause = 120 * time.Millisecond
	// challengeRest is the least time between two challenges.
	challengeRest = time.Second
	// maxWord bounds the announcement from another address that is kept meanwhile, in octets.
	maxWord = 4 << 10
)

// pathChallenge is path validation (RFC 9000 §8.2): it tells a participant that has moved from a spoofed one.
type pathChallenge struct {
	task
	sent    time.Time // zero: no challenge is open
	tries   int
	rest    time.Time    // earliest time of the next challenge
	token   []byte       // the last announcement that came from elsewhere
	address wire.Locator // its origin
}

// sendChallenge opens a challenge.
func (v *addressValidation) sendChallenge(p *peer, now time.Time) {
	q := &p.challenge
	if !q.sent.IsZero() || now.Before(q.rest) {
		return
	}
	q.sent, q.tries, q.token = now, 0, nil
	v.core.sched.soon(&q.task)
}

// runChallenge sends the challenge once more, or closes it.
func (v *addressValidation) runChallenge(p *peer, now time.Time) {
	q := &p.challenge
	switch {
	case q.sent.IsZero():
	case p.seen.After(q.sent):
		q.sent, q.rest, q.token = time.Time{}, now.Add(challengeRest), nil
	case q.tries == challengeTries:
		v.onAddressChange(p, now)
	default:
		q.tries++
		if r := v.core.sedp.builtin.subscriptions.proxies[wire.GUID{Prefix: p.guid.Prefix,
			Entity: wire.EntitySubscriptionsReader}]; r != nil {
			r.beat(v.core, false) // it has to answer that
		}
		v.core.sched.by(&q.task, now.Add(challengePause))
	}
}

// onAddressChange gives up the addresses of a participant that has not answered the challenge. The kept
// announcement from the other address is taken next.
func (v *addressValidation) onAddressChange(p *peer, now time.Time) {
	q := &p.challenge
	word, from := q.token, q.address
	q.sent, q.rest, q.token = time.Time{}, now.Add(challengeRest), nil
	v.core.stats.AddressChanges++
	p.validated, p.near, p.from, p.since = nil, false, wire.Locator{}, now
	p.data.Meta, p.data.User = nil, nil
	v.core.spdp.reroute(p)
	if word != nil {
		v.core.receiver.receive(word, from, now)
	}
}

// onUnvalidatedAddress reads a submessage in a participant's name from an address that is not validated. An
// ACKNACK with the secret number validates the address; an announcement is kept until the challenge ends.
func (v *addressValidation) onUnvalidatedAddress(m *message, id uint8, b []byte) error {
	switch id {
	case wire.IDAckNack:
		a, _, err := wire.ParseAckNack(b)
		if err != nil || !m.named {
			return err
		}
		if r := v.core.receiver.readerProxy(m, a.Writer, a.Reader); r != nil && r.counts(v.core) {
			if _, proven := r.unshift(&a); v.validate(m.peer, m.from, proven, m.now) {
				m.unvalidated, m.forUs, m.peer.seen = false, true, m.now
			}
		}
	case wire.IDData:
		d, _, err := wire.ParseData(b)
		if err != nil || d.Writer != wire.EntitySPDPWriter || d.Content != wire.ContentData ||
			len(m.raw) > maxWord {
			return err
		}
		if q := &m.peer.challenge; !q.sent.IsZero() {
			q.token, q.address = slices.Clone(m.raw), m.from
		}
	}
	return nil
}

// leaveNetworks forgets the validated addresses of a participant in networks that this host has left.
func (n *network) leaveNetworks(p *peer, before []wire.Link) {
	p.validated = slices.DeleteFunc(p.validated, func(a validatedAddress) bool {
		was := slices.ContainsFunc(before, func(l wire.Link) bool { return l.Covers(a) })
		return was && !n.covered(wire.UDPv4(a, 0))
	})
}
