// Package simif serves simulation_interfaces on a node: what a sim.Backend can
// do, as ROS services. Each service is one neutral function, in the file of
// its noun, on sim's vocabulary; the released lines of the interface, which
// share names and differ on the wire, are codecs around it, one set of files
// per line (line2_*.go is 2.x, line1.go what 1.x has otherwise). The client's
// type hash picks the codec; a client without one is Humble's and speaks 1.x.
package simif
