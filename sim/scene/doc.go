// Package scene holds descriptions of worlds and models: what the readers of
// files produce (Spec) and what the engine, the sensors, the console and the
// ROS bridge share afterwards. A Spec is plain data: lengths in metres, angles
// in radians, masses in kilograms, frames after REP-103 (x forward, y left,
// z up). Nothing in it changes while a simulation runs.
package scene
