package rtps

import (
	"fmt"
	"runtime/debug"
	"time"

	"simdeck/ros/rtps/wire"
)

// Notice is something that whoever runs the participant should be told: what was refused to somebody, or a fault of ours.
type Notice struct {
	At          time.Time
	Participant wire.GUIDPrefix // who is refused something; zero: nobody in particular
	From        wire.Locator
	Limit       string // of what the participant has all that it may have, with its number: "512 readers and writers on one topic"
	Topic       string // DDS name, where the limit is one of a topic
	Fault       *Fault // nil: the notice is of a limit
}

// Fault is a panic that a datagram has brought to light. What the datagram said was dropped.
type Fault struct {
	Datagram []byte // cut to faultOctets
	Size     int    // of all of it
	Value    string // of the panic
	Stack    []byte
}

const (
	// maxNotices bounds those that wait to be taken. Notices of limits are given noticeBurst at once, then one each noticePause; of faults
	// the same apart from it. One participant is told of once in noticeAgain for each limit.
	maxNotices  = 16
	noticeBurst = 8
	noticePause = 5 // s
	noticeAgain = time.Minute
	// faultOctets bounds what is kept of a datagram, valueOctets what is kept of a panic's value.
	faultOctets, valueOctets = 2048, 512
)

// refuse notes that something of a participant is beyond a limit of so many.
func (c *Core) refuse(p *peer, from wire.Locator, most int, of, topic string, now time.Time) {
	c.stats.Refused++
	at := &c.refused
	if p != nil {
		at = &p.refused
	}
	if last, ok := (*at)[of]; ok && now.Sub(last) < noticeAgain {
		return
	}
	if !c.telling.spend(noticePause, noticeBurst*noticePause, 1, now) {
		return
	}
	if *at == nil {
		*at = map[string]time.Time{}
	}
	(*at)[of] = now // of is one of few
	n := Notice{At: now, From: from, Limit: fmt.Sprintf("%d %s", most, of), Topic: topic}
	if p != nil {
		n.Participant = p.guid.Prefix
	}
	c.note(n)
}

// fault notes a panic that a datagram has brought to light.
func (c *Core) fault(b []byte, from wire.Locator, value any, now time.Time) {
	c.stats.Panics++
	if !c.faulting.spend(noticePause, noticeBurst*noticePause, 1, now) {
		return
	}
	f := &Fault{Datagram: append([]byte(nil), b[:min(len(b), faultOctets)]...), Size: len(b), Stack: debug.Stack()}
	f.Value = fmt.Sprint(value)
	f.Value = f.Value[:min(len(f.Value), valueOctets)]
	n := Notice{At: now, From: from, Fault: f}
	if h, _, err := wire.ParseHeader(b); err == nil {
		n.Participant = h.Prefix
	}
	c.note(n)
}

// note keeps a notice until it is taken.
func (c *Core) note(n Notice) {
	if len(c.notices) < maxNotices {
		c.notices = append(c.notices, n)
		c.changed()
	}
}

// Notices takes what there is to be told, the oldest first; a Watch says when there may be something.
func (p *Participant) Notices() []Notice {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.core.notices
	p.core.notices = nil
	return all
}
