package rtps

import (
	"slices"

	"simdeck/ros/rtps/wire"
)

// localEndpoints are the writers and readers of this participant.
type localEndpoints struct {
	writers map[wire.EntityID]*localWriter
	readers map[wire.EntityID]*localReader
	all     []endpoint                   // user endpoints in the order of their creation
	inbound map[wire.GUID][]*writerProxy // matched remote writers, by their GUID
	lastID  uint32
}

// nextEntity gives a new user entity id of a kind (RTPS 2.2 §9.3.1.2: three octets of the implementation's
// choice).
func (e *localEndpoints) nextEntity(kind wire.EntityID) wire.EntityID {
	e.lastID++
	return wire.EntityID(e.lastID&0xffffff)<<8 | kind
}

// sortedWriters gives all local writers in the order of their ids.
func (e *localEndpoints) sortedWriters() []*localWriter {
	all := make([]*localWriter, 0, len(e.writers))
	for _, w := range e.writers {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *localWriter) int { return a.guid.Compare(b.guid) })
	return all
}

// sortedReaders gives all local readers in the order of their ids.
func (e *localEndpoints) sortedReaders() []*localReader {
	all := make([]*localReader, 0, len(e.readers))
	for _, r := range e.readers {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *localReader) int { return a.guid.Compare(b.guid) })
	return all
}
