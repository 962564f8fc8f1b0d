// Package vehicle serves the vehicle profile of gs_sim_msgs for a world with an ego vehicle: /vehicle/state,
// /vehicle/control_cmd, /sim/status, /sim/world_info, and services under /sim. Odometry, tf, cameras and
// lidars of the vehicle are those of package robot, which gives them no prefix. The profile begins with the
// first such world and stays while the node runs: after an unreadable world another can be loaded.
//
// Poses are in the map frame; velocities and accelerations in that of base_link.
package vehicle
