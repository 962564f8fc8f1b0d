package rtps

// Stats counts what a participant has done since it was made.
type Stats struct {
	Traffic     Traffic
	Foreign     uint64 // datagrams that are not RTPS 2, or our own
	Malformed   uint64 // submessages that break the standard
	Refused     uint64 // well-formed, but beyond a limit or not the sender's to say
	Unvalidated uint64 // datagrams in a participant's name from where it is not
	// participants that no longer answered where they were, while somebody spoke for them elsewhere
	AddressChanges       uint64
	Restarted            uint64 // participants that came back under the same name without having left
	AmplificationLimited uint64 // datagrams not sent because nobody has shown himself at their address
	Delayed              uint64 // repetitions put off because their participant has had its share
	Shed                 uint64 // unread, because its sender exceeded its rate
	Rests                uint64 // of who reads a socket, after too much that served nobody
	Displaced            uint64 // participants that had not shown themselves and made room for others
	Panics               uint64 // faults of ours that datagrams have brought to light; must stay 0
	Samples              uint64 // samples received and delivered
	Duplicates           uint64 // samples and fragments received again
	OutOfWindow          uint64 // samples too far ahead of what is missing
	Lost                 uint64 // samples that their writer no longer had
	Dropped              uint64 // samples that a full queue lost
	Sent                 uint64 // samples sent, to each reader counted
	Resent               uint64 // samples sent again on request
	Fragments            FragmentStats
	Overwritten          uint64 // samples dropped from a history before every reader had them
	Announcements        uint64 // SPDP samples sent, answers included
	Expired              uint64 // participants whose lease ran out
}

// Traffic counts the datagrams of a participant, discovery included, and their octets.
type Traffic struct {
	PacketsIn, BytesIn   uint64
	PacketsOut, BytesOut uint64
	SendErrors           uint64 // datagrams that the system did not take
}

// FragmentStats counts the fragments of samples that do not fit into a datagram (DATA_FRAG).
type FragmentStats struct {
	In     uint64
	Out    uint64 // those sent again included
	Resent uint64 // on request
}

// WriterStats counts what a writer has done.
type WriterStats struct {
	Written          uint64
	Overwritten      uint64 // dropped from the history before every reliable reader had it
	Matched          int    // readers matched now
	IncompatibleQoS  uint64 // readers that did not match because of their quality of service
	LastIncompatible Incompatible
	DeadlinesMissed  uint64 // by what is written, each instance counted
}

// ReaderStats counts what a reader has got.
type ReaderStats struct {
	Received         uint64
	Dropped          uint64 // lost to a full queue
	Lost             uint64 // no longer available when asked for, or never repeated to a best-effort reader
	Matched          int
	NotAlive         int    // matched writers that have not kept the lease that they offer
	LostLiveliness   uint64 // number of lost leases
	DeadlinesMissed  uint64 // by the writers, each instance counted
	Expired          uint64 // waited for longer than their writer's lifespan
	Filtered         uint64 // kept out by ownership or the time-based filter
	IncompatibleQoS  uint64
	LastIncompatible Incompatible
}
