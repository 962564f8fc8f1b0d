// Package bag records topics into a folder for rosbag2: an MCAP file with type definitions, and metadata.yaml
// (version 9, ROS 2 Jazzy).
//
// A Recorder is given messages as they are serialised, by a node's Tap or by Follow, which subscribes what
// others publish. They wait in a queue that is bounded; what does not fit is lost, counted and told. Nobody
// ever waits for the disk but Run.
//
// Once a second Run closes the growing chunk, writes the file's index behind it and rewrites metadata.yaml.
// The folder of a killed process opens as any other, up to that second. When the index has become so large
// that this takes more than a twentieth of the time, it is written less often. A file that ends without one
// is still read by scanning it. That is safe against the end of the process. Against the end of the machine
// the file is synchronised with the disk every ten seconds and at its end.
//
// The log time and the publish time of a message are simulated time, as rosbag2's with use_sim_time. Our own
// messages have the world time that they describe, others the time on /clock at their arrival. So playing one
// with --clock tells the nodes the time they had.
package bag
