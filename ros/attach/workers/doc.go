// Package workers finds the simulation workers of l2_msgs on a graph, resolves what they simulate, and makes
// snapshots of what they publish. It knows no server of them, and any worker that keeps to the profile is
// shown.
package workers
