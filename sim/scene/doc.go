// Package scene holds descriptions of worlds and models: readers of files produce them (Spec); engine,
// sensors, console and ROS bridge share them. A Spec is plain data: lengths in metres, angles in radians,
// masses in kilograms, frames after REP-103 (x forward, y left, z up). Nothing in it changes while a
// simulation runs.
package scene
