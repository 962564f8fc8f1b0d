// Package simif serves simulation_interfaces on a node: what a sim.Backend can do, as ROS services. Each
// service is one neutral function on sim's vocabulary, in the file of its noun. The released lines of the
// interface, which share names and differ on the wire, are codecs around it. Each line has its files:
// line2_*.go for 2.x, line1.go for the differences of 1.x. The client's type hash picks the codec; a client
// without one is Humble's and speaks 1.x.
package simif
