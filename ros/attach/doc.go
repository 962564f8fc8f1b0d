// Package attach works on simulators somewhere on the ROS graph, through the services of
// simulation_interfaces that they serve. It finds them by the type of their services, so under any prefix and
// node, and speaks to each service in the line that its server announces. Its callers use one vocabulary: the
// messages of the 2.x line, and sim's commands. It is what the server side, ros/serve/simif, is on the other
// end of the wire.
package attach
