// Package attach works on simulators somewhere on the ROS graph, through the
// services of simulation_interfaces that they serve. It finds them by the type
// of their services, so under any prefix and node, speaks to each service in
// the line of the standard that its server announces, and gives callers one
// vocabulary: the messages of the 2.x line, and sim's commands. It is what the
// server side, ros/serve/simif, is on the other end of the wire.
package attach
