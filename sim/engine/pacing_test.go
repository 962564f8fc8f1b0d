package engine

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
)

const dt = 4 * time.Millisecond

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// play lets a pacer step for a span of wall time, each step at a cost, and returns the number of steps.
func play(p *pacer, from time.Time, span, cost time.Duration) int {
	n := 0
	for now := from; now.Sub(from) < span; {
		wait := p.wait(now, dt)
		if wait > 0 {
			now = now.Add(wait)
			continue
		}
		p.meter.sample(now, p.played)
		p.advance(dt)
		now = now.Add(cost)
		n++
	}
	return n
}

func TestSimulatedTimeGoesByTheAskedFactor(t *testing.T) {
	for _, c := range []struct {
		factor float64
		cost   time.Duration
		want   int // steps in 10 s
	}{
		{1, time.Millisecond, 2500}, {0.5, time.Millisecond, 1250}, {2, time.Millisecond, 5000},
		{1, 8 * time.Millisecond, 1250}, // as fast as it can
		{0, time.Millisecond, 10000},
	} {
		p := pacer{target: c.factor}
		p.align(noon)
		if n := play(&p, noon, 10*time.Second, c.cost); n < c.want-2 || n > c.want+2 {
			t.Errorf("factor %v, %v a step: %d steps in 10 s, want %d", c.factor, c.cost, n, c.want)
		}
		want := float64(c.want) * dt.Seconds() / 10
		if math.Abs(p.meter.last-want) > 0.05*want {
			t.Errorf("factor %v, %v a step: measured %.3f, want %.3f", c.factor, c.cost, p.meter.last, want)
		}
	}
}

func TestAPauseOfTheMachineIsNotMadeUpFor(t *testing.T) {
	p := pacer{target: 1}
	p.align(noon)
	play(&p, noon, time.Second, time.Millisecond)
	late := noon.Add(time.Minute)
	if n := play(&p, late, time.Second, time.Microsecond); n > 252 {
		t.Errorf("%d steps in the second after a minute's pause, want 250", n)
	}
}

func TestALittleDelayIsMadeUpFor(t *testing.T) {
	p := pacer{target: 1}
	p.align(noon)
	a := play(&p, noon, time.Second, 0+time.Microsecond)
	b := play(&p, noon.Add(1090*time.Millisecond), 910*time.Millisecond, time.Microsecond)
	if a+b < 498 || a+b > 502 {
		t.Errorf("%d steps in 2 s with a hole of 90 ms, want 500", a+b)
	}
}

func TestTheLoopMakesWayAfterItsShareOfAFrame(t *testing.T) {
	var p pacer
	p.endRest(noon)
	if p.mustYield(noon.Add(loopShare - 1)) {
		t.Error("made way too early")
	}
	if !p.mustYield(noon.Add(loopShare)) || p.mustYield(noon.Add(loopShare+1)) {
		t.Error("did not make way once")
	}
}

func TestTheMeasuredFactorIsZeroWhenTimeStands(t *testing.T) {
	p := pacer{target: 1}
	p.align(noon)
	play(&p, noon, 2*time.Second, time.Millisecond)
	p.meter.stop()
	if p.meter.last != 0 {
		t.Errorf("measured %v", p.meter.last)
	}
}

// Timers are late by up to a millisecond on an idle machine, so that shorter waits are somebody else's.
func TestShortWaitsAreNaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		naps := 0
		running(t, Config{World: sim.Resource{URI: "yard"},
			Start: sim.Playing, StepSize: time.Millisecond, RealTime: 2, Nap: func(d time.Duration) {
				if d >= time.Millisecond {
					t.Errorf("a nap of %v", d)
				}
				naps++
				time.Sleep(d)
			}})
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if naps < 190 || naps > 201 {
			t.Errorf("%d naps in 200 steps of 0.5 ms of wall time", naps)
		}
	})
}
