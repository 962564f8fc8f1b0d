package sim

import "simdeck/sim/r3"

// DrawFlags says what of the dynamics snapshots are to draw; see
// Subscription.WantDrawing.
type DrawFlags uint8

// Flags of the things to draw; they can be combined.
const (
	DrawContacts DrawFlags = 1 << iota // points, with normals from A to B
	DrawForces                         // at the points, on B, with N as value
	DrawBounds                         // boxes of shapes
	DrawFrames                         // axes of bodies; the value is 0, 1 or 2 for x, y or z
	DrawJoints                         // from body to joint to body, and its axis
	DrawIslands                        // from each body to the first of what moves with it
	DrawSleep                          // boxes of what sleeps
)

// DebugLine is a piece of a drawing, in the world frame: an element of
// Snapshot.Drawing.
type DebugLine struct {
	Kind  DrawFlags // which one of them
	A, B  r3.Vec
	Value float64
}
