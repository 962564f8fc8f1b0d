package physics

// hand is one of those who compute a step together.
type hand struct{ part, parts int32 }

func (h hand) first() bool { return h.part == 0 }

// share is the hand's part of a span.
func (h hand) share(s span) (first, end int32) {
	n := int64(s.end - s.first)
	return s.first + int32(n*int64(h.part)/int64(h.parts)), s.first + int32(n*int64(h.part+1)/int64(h.parts))
}

func (h hand) meet() {}
