package ros

import "simdeck/ros/node"

// Graph is the ROS graph as the bridge sees it.
func (b *Bridge) Graph() node.Graph { return b.node.Graph() }

// Traffic counts what goes between the bridge and others: nothing without one.
func (b *Bridge) Traffic() (t node.Traffic) {
	if b != nil {
		t = b.node.Traffic()
	}
	return t
}

// Status is the bridge's state for the console.
type Status struct {
	Domain        int
	Name          string // of the node, with its namespace
	Peers         int    // other participants seen
	Nodes         int    // other nodes seen
	Publishers    int    // ours, and so on
	Subscriptions int
	Services      int
	Fault         string // why ROS is down, a line; empty while it works
	Note          string // why the node has another name than it was given, a line; empty: it has that
}

// Status is the bridge as it is now. It waits for nothing.
func (b *Bridge) Status() Status {
	s := Status{Domain: int(b.domain), Name: b.node.FullName(), Note: b.note()}
	s.Peers, s.Nodes = b.node.Peers()
	s.Publishers, s.Subscriptions, s.Services = b.node.Own()
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Fault = b.fault
	return s
}
