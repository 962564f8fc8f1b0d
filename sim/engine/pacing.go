package engine

import "time"

const (
	// maxLag is the largest lag of simulated time before pacing gives it up and starts anew, as MuJoCo's
	// simulate does. A late world is better than one that races after a pause of the machine.
	maxLag = 100 * time.Millisecond
	// share, of a frame, bounds how long the loop steps without looking after
	// anything else, when it cannot keep up or need not wait.
	meterFrame = time.Second / 60
	loopShare  = meterFrame * 7 / 10
	// meterPeriod and meterSlots make the measured factor a mean of one second.
	meterPeriod = 100 * time.Millisecond
	meterSlots  = 10
)

// pacer holds simulated time against the wall clock. It never looks at the
// clock itself.
type pacer struct {
	target     float64       // 0: as fast as possible
	played     time.Duration // simulated in all, whatever was reset
	wall       time.Time     // when played was base
	base       time.Duration
	burstStart time.Time // when the loop last waited
	meter      meter
}

// align starts counting at now: when playing begins, or the factor changes.
func (p *pacer) align(now time.Time) { p.wall, p.base = now, p.played }

// wait is the time until the next step of dt; not positive: it is due.
func (p *pacer) wait(now time.Time, dt time.Duration) time.Duration {
	if p.target <= 0 {
		return 0
	}
	due := p.wall.Add(time.Duration(float64(p.played+dt-p.base) / p.target))
	wait := due.Sub(now)
	if wait < -maxLag {
		p.align(now)
		return 0
	}
	return wait
}

// advance counts a step.
func (p *pacer) advance(dt time.Duration) { p.played += dt }

// mustYield reports that the loop has been stepping for its share of a frame
// without a wait, and should let others have the processor.
func (p *pacer) mustYield(now time.Time) bool {
	if now.Sub(p.burstStart) < loopShare {
		return false
	}
	p.burstStart = now
	return true
}

// endRest notes that the loop has waited.
func (p *pacer) endRest(now time.Time) { p.burstStart = now }

// meter measures the real-time factor over about the last second.
type meter struct {
	wall [meterSlots]time.Time
	sim  [meterSlots]time.Duration
	n    int // marks made
	last float64
}

// sample notes how far simulated time is. It is cheap to call at every step.
func (m *meter) sample(now time.Time, played time.Duration) {
	if m.n > 0 {
		newest := (m.n - 1) % meterSlots
		if now.Sub(m.wall[newest]) < meterPeriod {
			return
		}
	}
	if m.n > 0 {
		oldest := max(0, m.n-meterSlots) % meterSlots
		if d := now.Sub(m.wall[oldest]); d > 0 {
			m.last = float64(played-m.sim[oldest]) / float64(d)
		}
	}
	m.wall[m.n%meterSlots], m.sim[m.n%meterSlots] = now, played
	m.n++
}

// stop forgets the marks: time stands, the factor is zero.
func (m *meter) stop() { *m = meter{} }

// stopwatch counts nanoseconds from now.
func stopwatch() func() int64 {
	begin := time.Now()
	return func() int64 { return int64(time.Since(begin)) }
}
