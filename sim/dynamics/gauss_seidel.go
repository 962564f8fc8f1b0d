package dynamics

import "sort"

// solveBatches is one Gauss–Seidel pass over the batches from first to end and their extras.
func (s *solver) solveBatches(first, end int32, p *iteration) {
	switch {
	case first >= end:
		return
	case s.useSIMD:
		solveContactsWide(&s.batches[first], int(end-first), &s.rows[0], &s.states[0], p)
	default:
		for i := first; i < end; i++ {
			for lane := range width {
				s.solveContactLane(&s.batches[i], lane, p)
			}
		}
	}
	s.iterateNoWarmStart(first, end, p)
	rolls := s.rollingFrictionOf(first, end)
	for i := range rolls {
		s.solveRollingFriction(&rolls[i])
	}
	if !p.useBias {
		springs := s.contactSpringsOf(first, end)
		for i := range springs {
			s.solveContactLane(&s.batches[springs[i].batch], int(springs[i].lane), &s.biasIteration)
		}
	}
	slips := s.compliantFrictionOf(first, end)
	for i := range slips {
		s.solveCompliantFriction(&slips[i])
	}
	if len(s.restitution) == 0 {
		return
	}
	at := sort.Search(len(s.restitution), func(i int) bool { return s.restitution[i].batch >= first })
	for ; at < len(s.restitution) && s.restitution[at].batch < end; at++ {
		e := &s.restitution[at]
		e.maxImpulse += s.rows[e.row].impulse[e.lane]
	}
}

// rollingFrictionOf is the rolling friction of the batches from first to end.
func (s *solver) rollingFrictionOf(first, end int32) []rollingFriction {
	if len(s.rollingFriction) == 0 {
		return nil
	}
	from := sort.Search(len(s.rollingFriction),
		func(i int) bool { return s.rollingFriction[i].batch >= first })
	to := sort.Search(len(s.rollingFriction), func(i int) bool { return s.rollingFriction[i].batch >= end })
	return s.rollingFriction[from:to]
}

// compliantFrictionOf is the compliant friction of the batches from first to end.
func (s *solver) compliantFrictionOf(first, end int32) []compliantFriction {
	if len(s.compliantFriction) == 0 {
		return nil
	}
	from := sort.Search(len(s.compliantFriction),
		func(i int) bool { return s.compliantFriction[i].batch >= first })
	to := sort.Search(len(s.compliantFriction),
		func(i int) bool { return s.compliantFriction[i].batch >= end })
	return s.compliantFriction[from:to]
}

// contactSpringsOf is the contact springs of the batches from first to end.
func (s *solver) contactSpringsOf(first, end int32) []contactSpring {
	if len(s.contactSprings) == 0 {
		return nil
	}
	from := sort.Search(len(s.contactSprings), func(i int) bool { return s.contactSprings[i].batch >= first })
	to := sort.Search(len(s.contactSprings), func(i int) bool { return s.contactSprings[i].batch >= end })
	return s.contactSprings[from:to]
}

// contactExtras is the rows that only few lanes have, in the order of batches.
type contactExtras struct {
	rollingFriction   []rollingFriction
	compliantFriction []compliantFriction
	contactSprings    []contactSpring
	rollingContacts   []rollingContact
	restitution       []restitutionPoint
	reweighted        []reweightedContact
}

func (e *contactExtras) clear() {
	e.rollingFriction, e.compliantFriction, e.contactSprings = e.rollingFriction[:0], e.compliantFriction[:0],
		e.contactSprings[:0]
	e.rollingContacts, e.restitution, e.reweighted = e.rollingContacts[:0], e.restitution[:0],
		e.reweighted[:0]
}

func (e *contactExtras) add(o *contactExtras) {
	e.rollingFriction, e.compliantFriction,
		e.contactSprings = append(e.rollingFriction, o.rollingFriction...),
		append(e.compliantFriction, o.compliantFriction...), append(e.contactSprings, o.contactSprings...)
	e.rollingContacts = append(e.rollingContacts, o.rollingContacts...)
	e.restitution, e.reweighted = append(e.restitution, o.restitution...),
		append(e.reweighted, o.reweighted...)
}
