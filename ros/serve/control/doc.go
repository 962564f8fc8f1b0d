// Package control is ros2_control's controller manager of a robot whose file has <ros2_control> and the
// plugin that runs it. It serves controller_manager_msgs on a node of its own, and each controller has a node
// with its parameters. Services change states at once, also while the simulation is paused.
//
// Data comes from one side and leaves on the other:
//
//	snapshots ─► Manager.Show ─► controllers that are active ─► topics
//	topics, actions ─► controllers that are active, by the interfaces that they claim ─► sim commands
//
// Joints of the simulation take positions, velocities and efforts by themselves, so that no hardware is
// loaded. A controller runs as often as snapshots come, at most.
package control
