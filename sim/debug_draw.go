package sim

import "simdeck/sim/dynamics"

// DrawFlags says what of the physics snapshots are to draw; see
// Subscription.WantDrawing.
type DrawFlags = dynamics.DrawFlags

// DebugLine is a piece of a drawing, in the world frame: an element of
// Snapshot.Drawing.
type DebugLine = dynamics.Line

// What can be drawn; flags may be added.
const (
	DrawContacts = dynamics.DrawContacts // points, with normals from A to B
	DrawForces   = dynamics.DrawForces   // at the points, on B, with N as value
	DrawBounds   = dynamics.DrawBounds   // boxes of shapes
	DrawFrames   = dynamics.DrawFrames   // axes of bodies; the value is 0, 1 or 2 for x, y or z
	DrawJoints   = dynamics.DrawJoints   // from body to joint to body, and its axis
	DrawIslands  = dynamics.DrawIslands  // from each body to the first of what moves with it
	DrawSleep    = dynamics.DrawSleep    // boxes of what sleeps
)
