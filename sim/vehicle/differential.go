package vehicle

// targetsDifferential is the speed of the left and right wheels.
func (d *Drive) targetsDifferential() JointTargets {
	half := float64(d.angular * (d.spec.Separation / 2))
	l, r := (d.linear-half)/d.spec.Radius, (d.linear+half)/d.spec.Radius
	return JointTargets{Wheels: [4]float64{l, r, l, r}}
}

// twistDifferential is the way that the base went when its wheels went theirs.
func (d *Drive) twistDifferential(w [4]float64) planarTwist {
	l, r := w[Left], w[Right]
	return planarTwist{forward: (l + r) / 2, yaw: (r - l) / d.spec.Separation}
}
