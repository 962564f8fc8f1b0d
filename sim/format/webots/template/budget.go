package template

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// ErrLimit is a template that takes more than it may.
var ErrLimit = errors.New("the template is stopped")

// Bounds of one template.
const (
	// maxSteps is the number of evaluated nodes of a program, the work of built-in functions included.
	maxSteps = 10_000_000
	// maxText bounds a text, in bytes.
	maxText = 8 << 20
	// maxLength bounds arrays and texts that functions of the language go through at once.
	maxLength = 1 << 19
	// maxCopied bounds the bytes of all texts and tables, those that are forgotten again counted.
	maxCopied = 4 << 30
	// maxHeld bounds by how much the memory of the process may grow, in bytes.
	maxHeld = 96 << 20
	// maxTime bounds the time of an evaluation. Steps end nearly all programs earlier, on all machines alike.
	maxTime = time.Second
)

// Bounds of all templates of one document together.
const (
	maxTotal     = 8 * maxSteps
	maxTotalTime = 4 * maxTime
)

// Clock measures evaluations.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration, func()) // calls a function later
}

// realClock is the clock of the machine.
var realClock = Clock{Now: time.Now, After: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}

// Budget bounds the templates of a document together.
type Budget struct {
	steps       int64
	most        int64 // steps of one template
	time        time.Duration
	clock       Clock
	interrupted func() error
}

// NewBudget is the budget of a document. interrupted is the reason to end early, or nil.
func NewBudget(interrupted func() error) *Budget {
	return &Budget{steps: maxTotal, most: maxSteps, time: maxTotalTime, clock: realClock,
		interrupted: interrupted}
}

func (b *Budget) meter() *meter {
	steps := min(b.steps, b.most)
	return &meter{steps: steps, had: steps, base: held(), time: min(b.time, maxTime), began: b.clock.Now(),
		interrupted: b.interrupted}
}

// ticks is the number of parts in which time is measured. A part that is late, on a busy machine or after its
// sleep, does not count for more.
const ticks = 10

// watch ends the evaluation when its time is over. The result ends the watch.
func (b *Budget) watch(m *meter) (stop func()) {
	var ended atomic.Bool
	var tick func(int)
	tick = func(left int) {
		b.clock.After(m.time/ticks, func() {
			switch {
			case ended.Load():
			case left > 1:
				tick(left - 1)
			default:
				m.late.Store(true)
				if stop := m.stop.Load(); stop != nil {
					(*stop)(m.tooLong())
				}
			}
		})
	}
	tick(ticks)
	return func() { ended.Store(true) }
}

func (b *Budget) spend(m *meter) {
	b.steps -= m.had - max(m.steps, 0)
	b.time = max(b.time-b.clock.Now().Sub(m.began), 0)
}

// meter measures one template.
type meter struct {
	steps, had  int64
	looked      int64 // the steps that were left when memory was looked at last
	copied      int64
	weighed     int64 // copied bytes at the last look
	base        int64 // memory before
	live        int64 // memory that was no garbage when that was collected last
	largest     int64 // text or table so far, which one step may compare or look through
	err         error // the first bound that was exceeded
	interrupted func() error
	time        time.Duration
	began       time.Time
	late        atomic.Bool                 // the time is over
	stop        atomic.Pointer[func(error)] // ends the interpreter
}

func (m *meter) tooLong() error {
	return fmt.Errorf("%w: it takes longer than %v", ErrLimit, m.time)
}

// step counts; false: no more may be taken.
func (m *meter) step(n int64) bool {
	if m.late.Load() {
		m.exceed(m.tooLong())
	}
	if m.err != nil {
		return false
	}
	if m.steps -= n + m.largest>>12; m.steps < 0 {
		m.exceed(fmt.Errorf("%w: it takes more than %d steps; a loop may have no end", ErrLimit, m.had))
		return false
	}
	const often = 100_000
	if m.looked-m.steps > often || m.looked == 0 {
		m.looked = m.steps
		m.look()
	}
	return m.err == nil
}

// allocate counts bytes; false: no more may be had.
func (m *meter) allocate(n int) bool {
	if m.err != nil {
		return false
	}
	m.copied += int64(n)
	if n > maxText {
		m.exceed(fmt.Errorf("%w: it makes a text or table of %d bytes, at most %d are allowed", ErrLimit, n,
			maxText))
		return false
	}
	m.largest = max(m.largest, int64(n))
	return m.weighedAll()
}

// weighedAll looks at what was made so far.
func (m *meter) weighedAll() bool {
	if m.copied > maxCopied {
		m.exceed(fmt.Errorf("%w: its texts and tables take more than %d bytes together; join long texts from a list",
			ErrLimit, int64(maxCopied)))
		return false
	}
	const often = 16 << 20
	if m.copied-m.weighed > often {
		m.weighed = m.copied
		m.look()
	}
	return m.err == nil
}

// through counts what a function of the language goes through at once: n characters or elements.
func (m *meter) through(n int64) bool {
	if m.err == nil && n > maxLength {
		m.exceed(fmt.Errorf("%w: it goes through a text or list of length %d at once, at most %d are allowed",
			ErrLimit, n, maxLength))
	}
	return m.step(n >> 3)
}

// list counts a list of n elements that was made at once.
func (m *meter) list(n int64) bool {
	const element = 16
	m.copied += element * min(n, maxLength)
	return m.through(n) && m.step(2*n) && m.weighedAll()
}

// made is an upper bound of the bytes that the program itself has allocated.
func (m *meter) made() int64 {
	const each = 64 // of a step
	return m.copied + each*(m.had-m.steps)
}

// look compares the memory of the process with what it was. Others allocate, too: a program that cannot have
// made that much is not blamed.
func (m *meter) look() {
	if m.interrupted != nil {
		if err := m.interrupted(); err != nil {
			m.exceed(err)
			return
		}
	}
	if m.made() < maxHeld || held()-m.base < maxHeld+max(m.live, 0)/2 {
		return
	}
	runtime.GC() // garbage does not count
	if m.live = held() - m.base; m.live >= maxHeld {
		m.exceed(fmt.Errorf("%w: it holds more than %d bytes of memory", ErrLimit, maxHeld))
	}
}

// exceed keeps the first reason and ends the interpreter.
func (m *meter) exceed(err error) {
	if m.err == nil {
		m.err = err
		if stop := m.stop.Load(); stop != nil {
			(*stop)(err)
		}
	}
}

// held is the number of bytes of objects of the process, dead ones that are not yet collected counted.
func held() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
