// Package node is a ROS 2 node on this module's own RTPS. It has names and remapping, publishers,
// subscriptions, services for clients of every middleware, clients, parameters, the graph, /rosout and
// clocks. A Node has a participant of its own. The purpose of a node (a simulator, a console) belongs to the
// packages above.
package node
