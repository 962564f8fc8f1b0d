// Package robot publishes what the robots of a sim.Backend measure and takes what they are told: /clock, /tf
// and /tf_static for all, and per robot under its namespace joint_states, odom, ground_truth, scan, points,
// robot_description and cmd_vel, for what steers ackermann_cmd, for joints that are no drive's the topics and
// the action of ros2_control's controllers of positions, velocities, efforts and trajectories, image_raw,
// camera_info, compressed, depth/image_raw, imu, contacts, wrench, fix and what else its sensors say, under
// the topics of its file where it names any. joint_states are what encoders say of the joints that have one,
// with their noise and resolution, and of others the true values; tf follows the true ones. What nobody
// listens to is neither measured nor drawn. Robots come and go with the entities of the snapshots. What the
// world looks like is on world_markers, for viewers.
//
// Frames are "<namespace>/<frame>", so that several robots fit in one tree:
//
//	world ─► <ns>/odom ─► <ns>/<base> ─► …links
//
// world to odom is where the robot truly is minus what it believes, so that
// the tree as a whole is the truth; publish_world_tf off leaves that edge to a
// localisation. A robot without a drive hangs on world by its root link.
package robot
