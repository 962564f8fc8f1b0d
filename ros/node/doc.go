// Package node is a ROS 2 node on this module's own RTPS: names and remapping,
// publishers, subscriptions, services that callers of every middleware reach,
// clients, parameters, the graph, /rosout and clocks. A Node has a participant
// of its own. What a node is for (a simulator, a console) is above it.
package node
