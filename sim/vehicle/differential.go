package vehicle

// askDifferential is the speed of the left and right wheels.
func (d *Drive) askDifferential() Asked {
	half := float64(d.angular * (d.spec.Separation / 2))
	l, r := (d.linear-half)/d.spec.Radius, (d.linear+half)/d.spec.Radius
	return Asked{Wheels: [4]float64{l, r, l, r}}
}

// wayDifferential is the way that the base went when its wheels went theirs.
func (d *Drive) wayDifferential(w [4]float64) way {
	l, r := w[Left], w[Right]
	return way{ahead: (l + r) / 2, turn: (r - l) / d.spec.Separation}
}
