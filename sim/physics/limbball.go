package physics

import "simdeck/sim/r3"

// stretch tells the springs of a ball how far it is turned.
func (k *link) stretch(d []dof) {
	v := k.turn.Vector()
	d[0].q, d[1].q, d[2].q = v.X, v.Y, v.Z
}

// reachCone adds a ball's stop to the rows of its tree, when it is near.
func (l *limb) reachCone(row limbRow, k *link, j *joint, h float64) {
	turned, d := k.turn.Vector(), l.dofs[k.first:k.first+3]
	away, ok := turned.Unit()
	room, speed := j.upper-turned.Len(), r3.Vec{X: d[0].v, Y: d[1].v, Z: d[2].v}.Len()
	if !ok || room > float64(2*h*speed)+1e-3 {
		j.jUpper = 0
		return
	}
	row.ci, row.j, row.cj, row.k, row.ck = away.X, k.first+1, away.Y, k.first+2, away.Z
	l.addStop(row, j, rowUpper, room, h)
}
