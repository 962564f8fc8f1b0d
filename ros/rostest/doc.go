// Package rostest is what tests of ROS stand on: an engine and nodes on a virtual network, in the time of a
// synctest bubble, and a client that listens and calls as any other does. It is not shipped.
package rostest
