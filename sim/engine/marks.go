package engine

import (
	"slices"
	"time"

	"simdeck/sim"
)

const (
	// maxMarks bounds the marks of a history; at least half of them are the newest.
	maxMarks = 512
	// maxMarkLength bounds the text of a mark, in bytes.
	maxMarkLength = 200
	// collisionGap is the time without contact after which the next one is another collision.
	collisionGap = 500 * time.Millisecond
)

// past is the history for a snapshot.
func (p *history) past() sim.Past {
	if p.steps == 0 || len(p.checkpoints) == 0 {
		return sim.Past{}
	}
	s := sim.Past{Reach: p.at(p.steps), Oldest: p.at(p.checkpoints[0].age), Now: p.at(p.age),
		Newest: p.at(p.newest())}
	old := 0
	for old < len(p.marks) && p.marks[old].At < s.Oldest {
		old++
	}
	s.Marks = p.marks[old:len(p.marks):len(p.marks)]
	return s
}

// at is the time of an age.
func (p *history) at(age uint64) time.Duration { return time.Duration(age) * p.stepSize }

// mark notes that something happened now. In the past nothing is marked: there are marks of that already.
func (p *history) mark(kind sim.MarkKind, text string) {
	if p.steps == 0 || p.left.age > 0 {
		return
	}
	if len(p.marks) >= maxMarks {
		p.marks = append(make([]sim.Mark, 0, maxMarks), p.marks[len(p.marks)-maxMarks/2:]...)
	}
	p.marks = append(p.marks, sim.Mark{At: p.at(p.age), Kind: kind, Text: shortened(text, maxMarkLength)})
}

// trimMarks drops the marks after the present.
func (p *history) trimMarks() {
	n := len(p.marks)
	for n > 0 && p.marks[n-1].At > p.at(p.age) {
		n--
	}
	p.marks = slices.Clip(p.marks[:n])
}

// markCollisions marks the robots that run into something in a snapshot, and did not just before.
func (p *history) markCollisions(s *sim.Snapshot) {
	if p.steps == 0 || p.left.age > 0 {
		return
	}
	gap := uint64(collisionGap / p.stepSize)
	for id, age := range p.touched {
		if age > p.age || age+gap < p.age {
			delete(p.touched, id)
		}
	}
	for k := range s.Contacts {
		for i := range s.Collided(&s.Contacts[k]) {
			e := &s.Model.Entities[i]
			if _, before := p.touched[e.ID]; !before {
				p.mark(sim.MarkCollision, e.Name+" collides")
			}
			if p.touched == nil {
				p.touched = map[uint64]uint64{}
			}
			p.touched[e.ID] = p.age
		}
	}
}
