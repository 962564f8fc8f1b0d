package sim

import "simdeck/sim/physics"

// DrawFlags says what of the physics snapshots are to draw; see
// Subscription.WantDrawing.
type DrawFlags = physics.DrawFlags

// Drawn is a piece of a drawing, in the world frame: an element of
// Snapshot.Drawing.
type Drawn = physics.Line

// What can be drawn; flags may be added.
const (
	DrawContacts = physics.DrawContacts // points, with normals from A to B
	DrawForces   = physics.DrawForces   // at the points, on B, with N as value
	DrawBounds   = physics.DrawBounds   // boxes of shapes
	DrawFrames   = physics.DrawFrames   // axes of bodies; the value is 0, 1 or 2 for x, y or z
	DrawJoints   = physics.DrawJoints   // from body to joint to body, and its axis
	DrawIslands  = physics.DrawIslands  // from each body to the first of what moves with it
	DrawSleep    = physics.DrawSleep    // boxes of what sleeps
)
