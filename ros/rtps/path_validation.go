package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// A participant in whose name somebody speaks from elsewhere is asked challengeTries times, challengePause apart, whether it is still where it was.
	challengeTries = 8
	challengePause = 120 * time.Millisecond
	// challengeRest is the least time between two such questions.
	challengeRest = time.Second
	// maxWord bounds what is kept of an announcement from elsewhere meanwhile.
	maxWord = 4 << 10
)

// pathChallenge finds out whether a participant has moved, or somebody pretends that it has.
type pathChallenge struct {
	task
	sent    time.Time // zero = nothing is being asked
	tries   int
	rest    time.Time    // nothing is asked before
	token   []byte       // the last announcement that came from elsewhere
	address wire.Locator // its origin
}

// sendChallenge begins to ask.
func (v *addressValidation) sendChallenge(p *peer, now time.Time) {
	q := &p.challenge
	if !q.sent.IsZero() || now.Before(q.rest) {
		return
	}
	q.sent, q.tries, q.token = now, 0, nil
	v.core.sched.soon(&q.task)
}

// runChallenge asks once more, or draws the conclusion.
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
		if r := v.core.sedp.builtin.subscriptions.proxies[wire.GUID{Prefix: p.guid.Prefix, Entity: wire.EntitySubscriptionsReader}]; r != nil {
			r.beat(v.core, false) // it has to answer that
		}
		v.core.sched.by(&q.task, now.Add(challengePause))
	}
}

// onAddressChange takes a participant for gone from where it was: who now shows himself in its name is believed.
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

// onUnvalidatedAddress takes in what somebody else says in the name of a participant: the proof that it is the participant itself, at another of its
// addresses, or where it says that it is now.
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
		if err != nil || d.Writer != wire.EntitySPDPWriter || d.Content != wire.ContentData || len(m.raw) > maxWord {
			return err
		}
		if q := &m.peer.challenge; !q.sent.IsZero() {
			q.token, q.address = slices.Clone(m.raw), m.from
		}
	}
	return nil
}

// leaveNetworks forgets addresses of a participant in networks that we are in no longer: it is to be found at another one.
func (n *network) leaveNetworks(p *peer, before []wire.Link) {
	p.validated = slices.DeleteFunc(p.validated, func(a validatedAddress) bool {
		was := slices.ContainsFunc(before, func(l wire.Link) bool { return l.Covers(a) })
		return was && !n.covered(wire.UDPv4(a, 0))
	})
}
