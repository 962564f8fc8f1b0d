package physics

import "sort"

// warmBatches applies what the batches from first to end did in the substep before, and what belongs to
// them.
func (s *solver) warmBatches(first, end int32) {
	switch {
	case first >= end:
		return
	case s.wide:
		warmWide(&s.batches[first], int(end-first), &s.rows[0], &s.moving[0])
	default:
		for i := first; i < end; i++ {
			for lane := range width {
				s.warmLane(&s.batches[i], lane)
			}
		}
	}
	rolls := s.rollsOf(first, end)
	for i := range rolls {
		r := &rolls[i]
		s.twist(&s.batches[r.batch], r.lane, r.j)
	}
}

// solveBatches is one pass over the batches from first to end, and over what belongs to them.
func (s *solver) solveBatches(first, end int32, p *pass) {
	switch {
	case first >= end:
		return
	case s.wide:
		solveWide(&s.batches[first], int(end-first), &s.rows[0], &s.moving[0], p)
	default:
		for i := first; i < end; i++ {
			for lane := range width {
				s.solveLane(&s.batches[i], lane, p)
			}
		}
	}
	s.solveCold(first, end, p)
	rolls := s.rollsOf(first, end)
	for i := range rolls {
		s.solveRolling(&rolls[i])
	}
	if !p.push {
		springs := s.springsOf(first, end)
		for i := range springs {
			s.solveLane(&s.batches[springs[i].batch], int(springs[i].lane), &s.pushing)
		}
	}
	slips := s.slipsOf(first, end)
	for i := range slips {
		s.solveSlip(&slips[i])
	}
	if len(s.bounces) == 0 {
		return
	}
	at := sort.Search(len(s.bounces), func(i int) bool { return s.bounces[i].batch >= first })
	for ; at < len(s.bounces) && s.bounces[at].batch < end; at++ {
		e := &s.bounces[at]
		e.pushed += s.rows[e.row].j[e.lane]
	}
}

// rollsOf are those of the batches from first to end.
func (s *solver) rollsOf(first, end int32) []rolling {
	if len(s.rolls) == 0 {
		return nil
	}
	from := sort.Search(len(s.rolls), func(i int) bool { return s.rolls[i].batch >= first })
	to := sort.Search(len(s.rolls), func(i int) bool { return s.rolls[i].batch >= end })
	return s.rolls[from:to]
}

// slipsOf are those of the batches from first to end.
func (s *solver) slipsOf(first, end int32) []slipping {
	if len(s.slips) == 0 {
		return nil
	}
	from := sort.Search(len(s.slips), func(i int) bool { return s.slips[i].batch >= first })
	to := sort.Search(len(s.slips), func(i int) bool { return s.slips[i].batch >= end })
	return s.slips[from:to]
}

// springsOf are those of the batches from first to end.
func (s *solver) springsOf(first, end int32) []springing {
	if len(s.springs) == 0 {
		return nil
	}
	from := sort.Search(len(s.springs), func(i int) bool { return s.springs[i].batch >= first })
	to := sort.Search(len(s.springs), func(i int) bool { return s.springs[i].batch >= end })
	return s.springs[from:to]
}

// extras are what few lanes have besides, by batch.
type extras struct {
	rolls   []rolling
	slips   []slipping
	springs []springing
	rims    []rim
	bounces []bouncing
	swings  []swinging
}

func (e *extras) clear() {
	e.rolls, e.slips, e.springs = e.rolls[:0], e.slips[:0], e.springs[:0]
	e.rims, e.bounces, e.swings = e.rims[:0], e.bounces[:0], e.swings[:0]
}

func (e *extras) add(o *extras) {
	e.rolls, e.slips, e.springs = append(e.rolls, o.rolls...), append(e.slips, o.slips...), append(e.springs, o.springs...)
	e.rims = append(e.rims, o.rims...)
	e.bounces, e.swings = append(e.bounces, o.bounces...), append(e.swings, o.swings...)
}
