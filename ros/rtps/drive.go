package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// driver is what it takes to send what the core gives. One goroutine drives at a time: the loop, or a writer,
// which spares a small sample the way over the loop.
type driver struct {
	driving bool
	all     []wire.Datagram // scratch of who drives
	left    []wire.Datagram // what a writer could not send without waiting: the loop drives on with it
	timer   *time.Timer     // wakes the loop; nil before Run
	until   time.Time       // when it does
	armed   bool
}

const (
	// writerRounds and loopRounds bound for how many batches one call drives; then it is the loop's turn
	// again, which looks around.
	writerRounds = 2
	loopRounds   = 16
	// finest is the shortest wait that a timer keeps to; shorter ones are the transport's.
	finest = 900 * time.Microsecond
)

// drive sends what is due. It is true when there is more to do at once. The loop may wait for the network; a
// writer may not.
func (p *Participant) drive(loop bool) bool {
	d := &p.driver
	p.mu.Lock()
	left := d.left
	if d.driving && (len(left) == 0 || !loop) {
		p.mu.Unlock()
		return false
	}
	d.driving, d.left = true, nil
	rounds := writerRounds
	if loop {
		rounds = loopRounds
	}
	for round := 0; ; round++ {
		if len(left) == 0 {
			left = p.due()
		}
		if len(left) == 0 && !p.core.Pending() || round == rounds {
			break
		}
		p.mu.Unlock()
		done, failed := p.send(left, loop)
		p.mu.Lock()
		p.core.stats.SendErrors += uint64(failed)
		if left = left[done:]; len(left) > 0 && !loop {
			break
		}
	}
	return p.rest(left, loop)
}

// due gives the datagrams that the core wants sent. The participant is locked.
func (p *Participant) due() []wire.Datagram {
	all := p.driver.all[:0]
	for _, k := range p.core.Advance(now()) {
		for _, to := range k.To {
			all = append(all, k.datagram(to))
		}
	}
	p.driver.all = all
	p.tell()
	return all
}

// rest ends a drive and unlocks: it leaves the loop what is left to do, and sets the timer.
func (p *Participant) rest(left []wire.Datagram, loop bool) (more bool) {
	d := &p.driver
	d.left = left
	more = len(left) > 0 || p.core.Pending()
	d.driving = len(left) > 0
	var pause time.Duration
	if !more {
		pause = p.arm(loop)
	}
	p.mu.Unlock()
	switch {
	case pause > 0:
		p.pauser.Pause(pause)
		return true
	case more && !loop:
		p.poke()
	}
	return more
}

// arm sets the timer for the core's deadline. Before one that is too near for a timer it gives the time for
// which the loop is to pause instead. The participant is locked.
func (p *Participant) arm(loop bool) (pause time.Duration) {
	d := &p.driver
	at, ok := p.core.Deadline()
	if !ok || d.timer == nil {
		return 0
	}
	wait := max(0, at.Sub(now()))
	switch near := p.pauser != nil && wait < finest; {
	case near && loop:
		return max(wait, time.Microsecond)
	case d.armed && !at.Before(d.until):
	case near:
		p.poke()
	default:
		d.armed, d.until = true, at
		d.timer.Reset(wait)
	}
	return 0
}

// expired notes that the timer has fired.
func (p *Participant) expired() {
	p.mu.Lock()
	p.driver.armed = false
	p.mu.Unlock()
}

// done unlocks after a call of the core, and has sent what that gave rise to: a writer sends itself, whoever
// receives leaves it to the loop.
func (p *Participant) done(writer bool) {
	p.tell()
	d := &p.driver
	switch {
	case d.timer == nil || p.ended || d.driving: // who drives looks again before it ends
		p.mu.Unlock()
	case !p.core.Pending():
		p.arm(false)
		p.mu.Unlock()
	case writer:
		p.mu.Unlock()
		p.drive(false)
	default:
		p.mu.Unlock()
		p.poke()
	}
}

// poke wakes the loop.
func (p *Participant) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// send gives datagrams to the transport: how many it is done with, and how many of those the system did not
// take.
func (p *Participant) send(all []wire.Datagram, wait bool) (done, failed int) {
	if p.batch != nil {
		return p.batch.SendBatch(all, wait)
	}
	for i := range all {
		b := all[i].Parts[0]
		if all[i].Parts[1] != nil {
			b = all[i].Append(nil)
		}
		if p.transport.Send(b, all[i].To, all[i].Link) != nil {
			failed++
		}
	}
	return len(all), failed
}
