package robot

import (
	"sync/atomic"

	"simdeck/sim"
)

// progress tells others how far a RobotPublisher is.
type progress struct {
	seq, looks   atomic.Uint64
	shows, loads chan struct{}
}

func newProgress() progress {
	return progress{shows: make(chan struct{}, 1), loads: make(chan struct{}, 1)}
}

// Shown is the number of the snapshot that was published last. Shows gives a token after each.
func (p *progress) Shown() uint64 { return p.seq.Load() }

// Shows gives a token when a snapshot was published. One reads it.
func (p *progress) Shows() <-chan struct{} { return p.shows }

// Loads gives a token when the first snapshot of a newly loaded world was published. One reads it.
func (p *progress) Loads() <-chan struct{} { return p.loads }

// Looks counts the looks at who listens, after which their sensors are wanted.
func (p *progress) Looks() uint64 { return p.looks.Load() }

// told notes that a snapshot was published, after another or as the first.
func (p *progress) told(before, s *sim.Snapshot) {
	p.seq.Store(s.Seq)
	offer(p.shows)
	if before == nil || before.Model.Load != s.Model.Load {
		offer(p.loads)
	}
}

// offer gives a token where none lies.
func offer(tokens chan<- struct{}) {
	select {
	case tokens <- struct{}{}:
	default:
	}
}
