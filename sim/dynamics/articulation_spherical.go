package dynamics

import "simdeck/sim/r3"

// updateSpringAngles sets the spring angles of a spherical joint: its rotation vector, rad.
func (k *link) updateSpringAngles(d []dof) {
	v := k.rotation.Vector()
	d[0].q, d[1].q, d[2].q = v.X, v.Y, v.Z
}

// addConeLimit adds the limit of a spherical joint's rotation angle, when near.
func (art *articulation) addConeLimit(row articulationRow, k *link, j *joint, h float64) {
	turned, d := k.rotation.Vector(), art.dofs[k.firstDof:k.firstDof+3]
	away, ok := turned.Unit()
	room, speed := j.upper-turned.Len(), r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}.Len()
	if !ok || room > float64(2*h*speed)+1e-3 {
		j.impulseUpper = 0
		return
	}
	row.coefI, row.j, row.coefJ, row.k, row.coefK = away.X, k.firstDof+1, away.Y, k.firstDof+2, away.Z
	art.addLimit(row, j, rowUpper, room, h)
}
