package sim

import (
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/shape"
)

// CompiledModel is the compiled data of a description. All entities of a description share it; it never
// changes. The vocabulary asks it, and knows neither the compiler nor the dynamics behind it.
type CompiledModel interface {
	// EachCollision calls f with every collision shape, until f returns false: a mesh that moves has several.
	// The pose is in the frame of the link.
	EachCollision(f func(link int, pose r3.Pose, s shape.Shape) bool)
	// Visuals are the shapes for rendering, by link. They are to be read only.
	Visuals() []render.Visual
	// IsActuated reports whether a joint (index into ModelSpec.Joints) can be commanded by itself.
	IsActuated(joint int) bool
}
