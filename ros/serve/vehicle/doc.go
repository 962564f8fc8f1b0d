// Package vehicle serves the vehicle profile of gs_sim_msgs for a world that has
// an ego vehicle: /vehicle/state and /vehicle/control_cmd, /sim/status and
// /sim/world_info, and the services under /sim. Odometry, tf, cameras and lidars
// of the vehicle are those of package robot, which gives them no prefix. The
// profile begins with the first such world and stays while the node runs, so
// that whoever loads a world that cannot be read can load another.
//
// Poses are in the map frame; velocities and accelerations in that of base_link.
package vehicle
