package vehicle

// lever is the path of a wheel's rim per radian of the base's rotation, m.
func (d *Drive) lever() float64 { return (d.spec.Separation + d.spec.WheelBase) / 2 }

// targetsMecanum is the speed of the four wheels. The axes of their rollers on the ground are at 45° to the
// forward axis. They point to the right at the front left and rear right wheel, to the left at the others.
func (d *Drive) targetsMecanum() JointTargets {
	turn := float64(d.angular * d.lever())
	var a JointTargets
	a.Wheels[FrontLeft] = (d.linear - d.lateral - turn) / d.spec.Radius
	a.Wheels[FrontRight] = (d.linear + d.lateral + turn) / d.spec.Radius
	a.Wheels[RearLeft] = (d.linear + d.lateral - turn) / d.spec.Radius
	a.Wheels[RearRight] = (d.linear - d.lateral + turn) / d.spec.Radius
	return a
}

// twistMecanum is the inverse of targetsMecanum; what the wheels disagree on is slip.
func (d *Drive) twistMecanum(w [4]float64) planarTwist {
	return planarTwist{
		forward: (w[FrontLeft] + w[FrontRight] + w[RearLeft] + w[RearRight]) / 4,
		lateral: (w[FrontRight] - w[FrontLeft] + w[RearLeft] - w[RearRight]) / 4,
		yaw:     (w[FrontRight] - w[FrontLeft] - w[RearLeft] + w[RearRight]) / (4 * d.lever()),
	}
}
