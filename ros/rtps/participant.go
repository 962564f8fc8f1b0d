package rtps

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"simdeck/ros/rtps/wire"
)

// Participant is the loop around a Core: it gives it datagrams and the time, and sends what comes out. All
// methods are safe for concurrent use.
type Participant struct {
	transport Transport
	batch     Batcher       // the transport too; nil when it takes single datagrams only
	pauser    Pauser        // the same
	wake      chan struct{} // the loop has something to do

	mu      sync.Mutex
	core    *Core
	driver  driver
	seen    uint64 // revision that watches know
	graph   *Graph
	watches []*Watch // in the order in which they began
	begun   bool
	ended   bool
}

// New checks the configuration and starts nothing: Run does.
func New(cfg Config) (*Participant, error) {
	if cfg.Transport == nil {
		return nil, fmt.Errorf("%w: no transport", ErrConfig)
	}
	if cfg.Prefix.IsZero() {
		cfg.Prefix[0], cfg.Prefix[1] = byte(wire.VendorSimdeck>>8), byte(wire.VendorSimdeck&0xff)
		if _, err := rand.Read(cfg.Prefix[2:]); err != nil {
			return nil, fmt.Errorf("rtps: no random GUID prefix: %w", err)
		}
	}
	if cfg.Secret == [16]byte{} {
		if _, err := rand.Read(cfg.Secret[:]); err != nil {
			return nil, fmt.Errorf("rtps: no random secret: %w", err)
		}
	}
	core, err := NewCore(cfg)
	if err != nil {
		return nil, err
	}
	p := &Participant{transport: cfg.Transport, wake: make(chan struct{}, 1), core: core}
	p.batch, _ = cfg.Transport.(Batcher)
	p.pauser, _ = cfg.Transport.(Pauser)
	return p, nil
}

// GUID names the participant.
func (p *Participant) GUID() wire.GUID { return p.core.guid }

// DomainID gives the domain.
func (p *Participant) DomainID() uint32 { return p.core.cfg.DomainID }

// Run takes part in the domain until ctx ends or the transport fails; then it says farewell and closes the
// transport. It can be called once. Writers and readers are closed when it returns.
func (p *Participant) Run(ctx context.Context) error {
	if err := p.begin(); err != nil {
		return err
	}
	net, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- p.transport.Run(net, p.receive) }()
	err, down := p.loop(ctx, failed)
	if !down {
		p.leave()
		stop()
		err = <-failed
	}
	p.end()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// now is the clock: the only one of this package. Under testing/synctest it is a virtual one.
func now() time.Time { return time.Now() }

func (p *Participant) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun {
		return fmt.Errorf("%w: Run was called before", ErrClosed)
	}
	p.begun = true
	p.driver.timer = time.NewTimer(time.Hour)
	at := now()
	p.core.SetLinks(p.transport.Links(), at)
	p.core.Start(at)
	return nil
}

// loop sends what the core has until ctx ends or the transport does; the second result tells that it was the
// transport.
func (p *Participant) loop(ctx context.Context, failed <-chan error) (error, bool) {
	for {
		if p.drive(true) && ctx.Err() == nil {
			select {
			case err := <-failed:
				return err, true
			case <-p.transport.Changed():
				p.relink()
			default:
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, false
		case err := <-failed:
			return err, true
		case <-p.transport.Changed():
			p.relink()
		case <-p.wake:
		case <-p.driver.timer.C:
			p.expired()
		}
	}
}

// receive is called by the transport with every datagram.
func (p *Participant) receive(b []byte, from wire.Locator) {
	p.mu.Lock()
	rest := p.core.Receive(b, from, now())
	p.done(false)
	if rest > 0 {
		time.Sleep(rest)
	}
}

func (p *Participant) relink() {
	p.mu.Lock()
	p.core.SetLinks(p.transport.Links(), now())
	p.done(false)
}

// do calls f with the core and the time, under the lock.
func (p *Participant) do(f func(c *Core, now time.Time)) {
	p.mu.Lock()
	f(p.core, now())
	p.done(true)
}

// tell signals readers that have something and watches that something changed.
func (p *Participant) tell() {
	for _, r := range p.core.woken {
		if r.handle != nil {
			r.handle.signal()
		}
	}
	p.core.woken = p.core.woken[:0]
	if p.core.watch.revision == p.seen || !p.core.watch.mayTell(now()) {
		return
	}
	p.seen = p.core.watch.revision
	for _, w := range p.watches {
		w.signal()
	}
}

// leave sends what is still waiting and then the farewell.
func (p *Participant) leave() {
	const rounds = 100 // a stuck peer's requests must not hold us
	for range rounds {
		if !p.drive(true) {
			break
		}
	}
	p.do(func(c *Core, now time.Time) { c.Leave(now) })
	for range rounds {
		if !p.drive(true) {
			break
		}
	}
}

// end closes the handles.
func (p *Participant) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.driver.timer.Stop()
	for _, r := range p.core.local.readers {
		r.closed = true
		if r.handle != nil {
			r.handle.finish()
		}
	}
	for _, w := range p.core.local.writers {
		w.closed = true
	}
}

// Graph returns a snapshot of the other participants. It is made anew only after a change.
func (p *Participant) Graph() *Graph {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.graph == nil || p.graph.Revision != p.core.watch.revision {
		p.graph = p.core.Graph()
	}
	return p.graph
}

// Endpoint returns the discovery data of one remote endpoint.
func (p *Participant) Endpoint(g wire.GUID) (RemoteEndpoint, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.core.sedp.remotes[g]
	if e == nil {
		return RemoteEndpoint{}, false
	}
	return e.RemoteEndpoint, true
}

// Stats gives the counters.
func (p *Participant) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.core.Stats()
}

// driver sends the core's datagrams. One goroutine drives at a time: the loop, or a writer, which spares a
// small sample the way over the loop.
type driver struct {
	driving bool
	all     []wire.Datagram // scratch of who drives
	left    []wire.Datagram // datagrams that a writer could not send without waiting, for the loop
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
		p.core.stats.Traffic.SendErrors += uint64(failed)
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

// done unlocks after a call of the core and has its datagrams sent. A writer sends them itself; a receiver
// leaves them to the loop.
func (p *Participant) done(writer bool) {
	p.tell()
	d := &p.driver
	switch {
	case d.timer == nil || p.ended || d.driving: // the driving goroutine looks again before it ends
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
