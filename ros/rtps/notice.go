package rtps

import (
	"fmt"
	"runtime/debug"
	"time"

	"simdeck/ros/rtps/wire"
)

// Notice is an event for the participant's operator: a refusal to a peer, a peer that is given up, or a fault
// of ours.
type Notice struct {
	At          time.Time
	Participant wire.GUIDPrefix // the refused peer; zero: none in particular
	From        wire.Locator
	// of what the participant has all that it may have, with its number: "512 readers and writers on one
	// topic"
	Limit string
	Topic string // DDS name, where the limit is one of a topic
	Fault *Fault // nil: the notice is of a limit or of a peer
	Gone  string // why the participant counts as gone, which has not left; "": it is of another thing
}

// Fault is a panic that a datagram has caused. The content of the datagram was dropped.
type Fault struct {
	Datagram []byte // cut to faultOctets
	Size     int    // of all of it
	Value    string // of the panic
	Stack    []byte
}

const (
	// maxNotices bounds those that wait to be taken. Notices of limits are given noticeBurst at once, then
	// one each noticePause; of faults and of peers that are gone the same apart from it. One participant is
	// told of once in noticeAgain for each limit.
	maxNotices  = 16
	noticeBurst = 8
	noticePause = 5 // s
	noticeAgain = time.Minute
	// faultOctets bounds what is kept of a datagram, valueOctets what is kept of a panic's value.
	faultOctets, valueOctets = 2048, 512
)

// noticeLog keeps notices until they are taken, and limits their rate.
type noticeLog struct {
	stats                          *Stats
	watch                          *graphWatch
	refused                        map[string]time.Time // last refusal by a limit that all participants share
	limitRate, faultRate, goneRate tokenBucket
	all                            []Notice
}

// refuse notes that something of a participant is beyond a limit of so many.
func (l *noticeLog) refuse(p *peer, from wire.Locator, most int, of, topic string, now time.Time) {
	l.stats.Refused++
	at := &l.refused
	if p != nil {
		at = &p.budget.refused
	}
	if last, ok := (*at)[of]; ok && now.Sub(last) < noticeAgain {
		return
	}
	if !l.limitRate.spend(noticePause, noticeBurst*noticePause, 1, now) {
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
	l.note(n)
}

// gone notes that a participant is taken for gone without having left.
func (l *noticeLog) gone(p *peer, why string, now time.Time) {
	if l.goneRate.spend(noticePause, noticeBurst*noticePause, 1, now) {
		l.note(Notice{At: now, From: p.from, Participant: p.guid.Prefix, Gone: why})
	}
}

// fault notes a panic that a datagram has brought to light.
func (l *noticeLog) fault(b []byte, from wire.Locator, value any, now time.Time) {
	l.stats.Panics++
	if !l.faultRate.spend(noticePause, noticeBurst*noticePause, 1, now) {
		return
	}
	f := &Fault{Datagram: append([]byte(nil), b[:min(len(b), faultOctets)]...), Size: len(b),
		Stack: debug.Stack()}
	f.Value = fmt.Sprint(value)
	f.Value = f.Value[:min(len(f.Value), valueOctets)]
	n := Notice{At: now, From: from, Fault: f}
	if h, _, err := wire.ParseHeader(b); err == nil {
		n.Participant = h.Prefix
	}
	l.note(n)
}

// note keeps a notice until it is taken.
func (l *noticeLog) note(n Notice) {
	if len(l.all) < maxNotices {
		l.all = append(l.all, n)
		l.watch.changed()
	}
}

// Notices takes what there is to be told, the oldest first; a Watch says when there may be something.
func (p *Participant) Notices() []Notice {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.core.notices.all
	p.core.notices.all = nil
	return all
}
