package articulation

import "simdeck/sim/r3"

// A joint that closes a loop of links is solved with the articulation. Its constraints are rows of the QP
// beside motors and limits, by J·M⁻¹·Jᵀ of all loops at once (Featherstone, RBDA 2008, ch. 8). Solved in
// turn, it and the other rows would undo each other; the residual would throw a loop with hardly any freedom.
// Positions are projected in loop_project.go.

// loop is a loop-closing joint in this step. The loop may close through a static or kinematic body.
type loop struct {
	linkA, linkB                      int32 // links; -1: a body that the articulation does not move
	firstRow, linearRows, angularRows int   // first row, and the numbers of linear and angular ones
	// inverse effective masses of the bodies if they were free: linear, angular
	freeCompliance [2]float64
	open           bool // by more than closes in a substep
	hit            bool // its velocities are not those of a closed loop
}

// Direction is a direction in which a loop joint holds its two ends together, at the present poses of the
// links.
type Direction struct {
	// the Jacobian: of linear velocities of both ends' centres of mass, and of angular velocities of A and B;
	// A's count negatively
	Along, ArmA, ArmB r3.Vec
	Angular           bool
	Error             float64 // m or rad, by which B's end is off
	// m/s or rad/s, of B's end against A's by what joint velocities do not change: the base, kinematic bodies
	Drift float64
}

// Joints are the joints of an articulation as their owner knows them: limits, motors and friction, and the
// geometry of loop joints. An articulation calls them while it goes through a substep.
type Joints interface {
	// SetEfforts sets the efforts of motors in effort mode (Tree.SetEffort).
	SetEfforts()
	// AddRows adds the rows of joints between links, at their present positions and velocities.
	AddRows()
	// LoopDirections returns the directions that a loop joint holds, linear ones first, with errors bounded
	// to those corrected within h, s. The slice is valid until the next call. With predicted poses, ahead is
	// true, and the joint keeps its position.
	LoopDirections(loop int, h float64, ahead bool) []Direction
	// AddLoopRows adds the rows along a loop joint's own axis.
	AddLoopRows(loop int)
	// LimitError returns the error of a row's limit or coupling, rad or m, within its bound. It returns false
	// for rows of other kinds, and for inactive rows that are not violated.
	LimitError(row *Row, h float64) (float64, bool)
}

// AddLoop adds a joint that closes a loop between two links for this step, and returns its number. A link of
// -1 is a body that the articulation does not move. The compliances are those of both bodies if they were
// free, along and about the joint: the inverse effective masses.
func (art *Articulation) AddLoop(linkA, linkB int32, freeCompliance [2]float64) int {
	art.loops = append(art.loops, loop{linkA: linkA, linkB: linkB, freeCompliance: freeCompliance})
	return len(art.loops) - 1
}

// HasLoops reports that joints close loops in this step.
func (art *Articulation) HasLoops() bool { return len(art.loops) > 0 }

// NewLoopRow returns a row between the ends of a loop joint, with the Jacobian of Direction, and the present
// velocity along it.
func (art *Articulation) NewLoopRow(loop int, joint int32, along, armA, armB r3.Vec) (Row, float64) {
	row := Row{j: -1, k: -1, dense: art.Rows.newDense(len(art.dofs)), Joint: joint, loopOf: int32(loop)}
	art.loops[loop].jacobianRow(art, row.coefficients(&art.Rows, len(art.dofs)), along, armA, armB)
	return row, row.denseSpeed(&art.Rows, art.dofs)
}

// jacobianRow writes the Jacobian of a direction to x, by degree of freedom.
func (c *loop) jacobianRow(art *Articulation, x []float64, along, armA, armB r3.Vec) {
	clear(x)
	if c.linkB >= 0 {
		k := &art.links[c.linkB]
		for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
			s := &art.dofs[d].axis
			x[d] += along.Dot(s.linearAt(k.arm)) + armB.Dot(s.ang)
		}
	}
	if c.linkA >= 0 {
		k := &art.links[c.linkA]
		for d := k.lastDof; d >= 0; d = art.dofs[d].parent {
			s := &art.dofs[d].axis
			x[d] -= along.Dot(s.linearAt(k.arm)) + armA.Dot(s.ang)
		}
	}
}

// closeThroughWorld reports that a loop closes through a body that the articulation does not move.
func closeThroughWorld(loops []loop) bool {
	for i := range loops {
		if loops[i].linkA < 0 || loops[i].linkB < 0 {
			return true
		}
	}
	return false
}
