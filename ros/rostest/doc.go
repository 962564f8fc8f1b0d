// Package rostest is the test bench of ROS: an engine and nodes on a virtual network, in the time of a
// synctest bubble. Its client subscribes and calls as any other does. It is not shipped.
package rostest
