// Package attach works on simulators somewhere on the ROS graph, through the services of
// simulation_interfaces that they serve. It finds them by their services' types, under any prefix and node,
// and speaks to each in its announced line. Its callers use one vocabulary: the messages of the 2.x line, and
// sim's commands. It is the client side of ros/serve/simif.
package attach
