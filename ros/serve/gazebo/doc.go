// Package gazebo serves the interfaces of Gazebo Classic that old scripts still call (gazebo_msgs; the
// classic simulator ended in January 2025). They are spawn_entity, delete_entity, get_entity_state,
// set_entity_state and get_model_list, and the topics model_states and link_states. Services of
// std_srvs/Empty are pause_physics, unpause_physics, reset_world and reset_simulation; a reset keeps what was
// spawned. The contacts that robots publish have its message types in any case.
//
// It is off unless asked for. Each client is told once, in the log, that
// simulation_interfaces takes the place of these services. Four of them have
// the names of simulation_interfaces' own: both are there at once, and the
// type of a client's request decides.
//
// O3DE's spawner has types of gazebo_msgs too, with meanings of its own: spawn_entity, delete_entity,
// get_available_spawnable_names, get_spawn_points_names and get_spawn_point_info. They are served in place of
// Gazebo's.
//
// Names are Gazebo's: "model", or "model::link" for a part of it. A model's pose is that of its model frame,
// like SDF's <pose>; velocities are its origin's, along the reference frame's axes.
package gazebo
