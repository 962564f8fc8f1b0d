package node

import (
	"context"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// mismatches counts remote endpoints on our topic and type with incompatible quality of service: they request
// more or offer less (DDS 1.4 §2.2.3). The last one is named. Beside them stand those that fit, and what was
// lost on the way to or from them.
type mismatches struct {
	count   uint64
	last    rtps.Incompatible
	matched int
	lost    uint64
}

func ofWriter(w *rtps.Writer) func() mismatches {
	return func() mismatches {
		s := w.Stats()
		return mismatches{s.IncompatibleQoS, s.LastIncompatible, s.Matched, s.Overwritten}
	}
}

func ofReader(r *rtps.Reader) func() mismatches {
	return func() mismatches {
		s := r.Stats()
		return mismatches{s.IncompatibleQoS, s.LastIncompatible, s.Matched, s.Dropped + s.Lost}
	}
}

// watchEndpoints tells of what changes among the endpoints, and says which
// cannot meet.
func (n *Node) watchEndpoints(ctx context.Context) {
	ends := n.participant.Watch()
	defer ends.Close()
	told := map[wire.GUID]uint64{}
	for {
		n.tellMismatches(told)
		n.context.nodes.tell()
		select {
		case <-ends.C():
		case <-ctx.Done():
			return
		}
	}
}

// tellMismatches logs new mismatches. Nothing is sent between such endpoints, and a user who waits for data
// has no other way to find out why.
func (n *Node) tellMismatches(told map[wire.GUID]uint64) {
	n.mu.Lock()
	var fresh []endpoint
	var what []mismatches
	for _, g := range n.order {
		e := n.own[g]
		if e.mismatches == nil {
			continue
		}
		if m := e.mismatches(); m.count > told[g] {
			told[g] = m.count
			fresh, what = append(fresh, e), append(what, m)
		}
	}
	n.mu.Unlock()
	for i, e := range fresh {
		name, _ := rosName(e.topic)
		text := "a publisher offers less than we request: incompatible QoS, no samples are received from it"
		if e.writer {
			text = "a subscriber requests more than we offer: incompatible QoS, no samples are sent to it"
		}
		theirs := "" // it may have left meanwhile
		if remote, found := n.participant.Endpoint(what[i].last.Remote); found {
			theirs = level(what[i].last.Policy, remote.QoS)
		}
		n.notices.warn(n.log, e.topic+" "+what[i].last.Policy+" "+what[i].last.Remote.String(), text,
			"topic", name, "policy", what[i].last.Policy, "theirs", theirs, "so_far", what[i].count)
	}
}

// level is the level of a policy in a quality of service, in ROS's words; "" when the policy's name says all.
func level(policy string, q QoS) string {
	switch {
	case policy == "reliability" && q.Reliability == rtps.Reliable:
		return "reliable"
	case policy == "reliability":
		return "best effort"
	case policy == "durability" && q.Durability == rtps.Volatile:
		return "volatile"
	case policy == "durability":
		return "transient local"
	case policy == "deadline" && q.Deadline == 0, policy == "liveliness" && q.LivelinessLease == 0:
		return "none"
	case policy == "deadline":
		return q.Deadline.String()
	case policy == "liveliness":
		return q.LivelinessLease.String()
	}
	return ""
}
