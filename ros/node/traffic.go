package node

// Traffic counts what goes between this node and others.
type Traffic struct {
	Peers                          int // other participants
	Publishers, Subscriptions      int // of topics, ours
	MatchedReaders, MatchedWriters int // of others, that take from or give to ours, services' included
	// of others that could not match because of their quality of service, so far
	Misfits              uint64
	Lost                 uint64 // samples that a full history or queue gave up, so far
	PacketsIn, BytesIn   uint64 // datagrams, discovery included
	PacketsOut, BytesOut uint64
	Faults               uint64 // panics that what others sent has brought to light; 0 is right
	Refused              uint64 // messages and requests of others beyond a limit
}

// Traffic returns the counters of the node's traffic. It waits for no packet.
func (n *Node) Traffic() (t Traffic) {
	s := n.participant.Stats()
	t.PacketsIn, t.BytesIn = s.Traffic.PacketsIn, s.Traffic.BytesIn
	t.PacketsOut, t.BytesOut = s.Traffic.PacketsOut, s.Traffic.BytesOut
	n.context.faults.mu.Lock()
	t.Faults, t.Refused = s.Panics+n.context.faults.count, s.Refused
	n.context.faults.mu.Unlock()
	t.Publishers, t.Subscriptions, _ = n.Own()
	t.Peers, _ = n.Peers()
	n.mu.Lock()
	var own []endpoint
	for _, id := range n.order {
		if e := n.own[id]; e.mismatches != nil {
			own = append(own, e)
		}
	}
	n.mu.Unlock()
	for _, e := range own { // the counts take the participant's lock
		m := e.mismatches()
		if e.writer {
			t.MatchedReaders += m.matched
		} else {
			t.MatchedWriters += m.matched
		}
		t.Misfits += m.count
		t.Lost += m.lost
	}
	return t
}
