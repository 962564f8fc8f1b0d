package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// A participant in whose name somebody speaks from elsewhere is asked quizTries times, quizPause apart, whether it is still where it was.
	quizTries = 8
	quizPause = 120 * time.Millisecond
	// quizRest is the least time between two such questions.
	quizRest = time.Second
	// maxWord bounds what is kept of an announcement from elsewhere meanwhile.
	maxWord = 4 << 10
)

// quiz finds out whether a participant has moved, or somebody pretends that it has.
type quiz struct {
	task
	asked time.Time // zero = nothing is being asked
	tries int
	rest  time.Time    // nothing is asked before
	word  []byte       // the last announcement that came from elsewhere
	from  wire.Locator // its origin
}

// question begins to ask.
func (c *Core) question(p *peer, now time.Time) {
	q := &p.quiz
	if !q.asked.IsZero() || now.Before(q.rest) {
		return
	}
	q.asked, q.tries, q.word = now, 0, nil
	c.sched.soon(&q.task)
}

// runQuiz asks once more, or draws the conclusion.
func (c *Core) runQuiz(p *peer, now time.Time) {
	q := &p.quiz
	switch {
	case q.asked.IsZero():
	case p.seen.After(q.asked):
		q.asked, q.rest, q.word = time.Time{}, now.Add(quizRest), nil
	case q.tries == quizTries:
		c.moved(p, now)
	default:
		q.tries++
		if r := c.builtin.subscriptions.proxies[wire.GUID{Prefix: p.guid.Prefix, Entity: wire.EntitySubscriptionsReader}]; r != nil {
			r.beat(c, false) // it has to answer that
		}
		c.sched.by(&q.task, now.Add(quizPause))
	}
}

// moved takes a participant for gone from where it was: who now shows himself in its name is believed.
func (c *Core) moved(p *peer, now time.Time) {
	q := &p.quiz
	word, from := q.word, q.from
	q.asked, q.rest, q.word = time.Time{}, now.Add(quizRest), nil
	c.stats.Moved++
	p.homes, p.near, p.from, p.since = nil, false, wire.Locator{}, now
	p.data.Meta, p.data.User = nil, nil
	c.reroute(p)
	if word != nil {
		c.receive(word, from, now)
	}
}

// onStrange takes in what somebody else says in the name of a participant: the proof that it is the participant itself, at another of its
// addresses, or where it says that it is now.
func (c *Core) onStrange(m *message, id uint8, b []byte) error {
	switch id {
	case wire.IDAckNack:
		a, _, err := wire.ParseAckNack(b)
		if err != nil || !m.named {
			return err
		}
		if r := c.readerProxy(m, a.Writer, a.Reader); r != nil && r.counts(c) {
			if _, proof := r.unshift(&a); c.prove(m.peer, m.from, proof, m.now) {
				m.strange, m.forUs, m.peer.seen = false, true, m.now
			}
		}
	case wire.IDData:
		d, _, err := wire.ParseData(b)
		if err != nil || d.Writer != wire.EntitySPDPWriter || d.Content != wire.ContentData || len(m.raw) > maxWord {
			return err
		}
		if q := &m.peer.quiz; !q.asked.IsZero() {
			q.word, q.from = slices.Clone(m.raw), m.from
		}
	}
	return nil
}

// leaveNetworks forgets addresses of a participant in networks that we are in no longer: it is to be found at another one.
func (c *Core) leaveNetworks(p *peer, before []wire.Link) {
	p.homes = slices.DeleteFunc(p.homes, func(a home) bool {
		was := slices.ContainsFunc(before, func(l wire.Link) bool { return l.Covers(a) })
		return was && !c.covered(wire.UDPv4(a, 0))
	})
}
