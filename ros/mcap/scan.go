package mcap

import "fmt"

// scan finds the chunks of a file without index, up to the first that is not whole.
func (r *Reader) scan() error {
	at := uint64(len(magic))
	for first := true; ; first = false {
		op, content, next, err := r.record(at)
		switch {
		case err == nil && first && op == opHeader:
			r.Header, err = parseHeader(content)
		case err == nil && first:
			err = fmt.Errorf("%w: its first record is of kind %#x and no header", ErrFormat, op)
		case err == nil && op == opChunk:
			err = r.found(at, next, content)
		}
		if err != nil && first {
			return err
		}
		if err != nil || op == opDataEnd {
			return nil
		}
		at = next
	}
}

// found takes in a chunk.
func (r *Reader) found(at, next uint64, content []byte) error {
	if err := r.open(content); err != nil {
		return err
	}
	var messages []Message
	var rest []func()
	err := each(r.plain, func(op byte, content []byte) error {
		switch op {
		case opMessage:
			m, err := parseMessage(content)
			messages = append(messages, m)
			return err
		case opSchema:
			s, err := parseSchema(content)
			rest = append(rest, func() { r.Schemas[s.ID] = s })
			return err
		case opChannel:
			c, err := parseChannel(content)
			rest = append(rest, func() { r.Channels[c.ID] = c })
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, take := range rest {
		take()
	}
	r.count(at, next, messages)
	return nil
}

// count takes the messages of a chunk into the index and the statistics.
func (r *Reader) count(at, next uint64, messages []Message) {
	i, s := chunkIndex{at: at, size: next - at}, &r.Statistics
	for n, m := range messages {
		reach(&i.start, &i.end, m.LogTime, n == 0)
		reach(&s.Start, &s.End, m.LogTime, s.Messages == 0)
		s.Messages++
		s.Of[m.Channel]++
	}
	r.chunks = append(r.chunks, i)
	s.Chunks, s.Schemas, s.Channels = uint32(len(r.chunks)), uint16(len(r.Schemas)), uint32(len(r.Channels))
}

// reach stretches a span of time to t; the first t is all of it.
func reach(start, end *uint64, t uint64, first bool) {
	if first {
		*start, *end = t, t
	}
	*start, *end = min(*start, t), max(*end, t)
}
