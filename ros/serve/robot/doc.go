// Package robot publishes the measurements of a sim.Backend's robots and takes their commands. All share
// /clock, /tf and /tf_static. Each robot has joint_states, odom, ground_truth, scan, points,
// robot_description and cmd_vel under its namespace; steered ones have ackermann_cmd. Joints outside of
// drives have the topics and the action of ros2_control's controllers of positions, velocities, efforts and
// trajectories. Sensors have image_raw, camera_info, compressed, depth/image_raw, imu, contacts, wrench, fix
// and others, under the topics of the robot's file where it names any. joint_states are the readings of
// encoders, with their noise and resolution, and the true values of other joints; tf follows the true ones.
// Sensors without subscribers are neither computed nor drawn. Robots come and go with the entities of the
// snapshots. The appearance of the world is on world_markers, for viewers.
//
// Frames are "<namespace>/<frame>", so that several robots fit in one tree:
//
//	world ─► <ns>/odom ─► <ns>/<base> ─► …links
//
// world to odom is the true pose of the robot relative to its odometry, so that the tree as a whole is true.
// With publish_world_tf off, a localization supplies that edge. A robot without a drive hangs on world by its
// root link.
package robot
