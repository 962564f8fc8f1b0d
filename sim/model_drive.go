package sim

import (
	"fmt"
	"math"

	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// cannotDrive says why a drive is not run; empty when it is.
func (p *compiledModel) cannotDrive(d *scene.Drive) string {
	wheels := len(d.Left) + len(d.Right)
	switch {
	case d.Kind < scene.Differential || d.Kind > scene.Mecanum:
		return fmt.Sprintf("kind %d is unknown", d.Kind)
	case p.static:
		return "the model is static"
	case d.Kinematic && wheels == 0:
		return ""
	case d.Kind != scene.Ackermann && (len(d.Left) == 0 || len(d.Right) == 0), wheels == 0:
		return "it has no left or no right wheel"
	case !(d.Separation > 0) || d.Separation > 1e3 || !(d.Radius > 0) || d.Radius > 1e3:
		return fmt.Sprintf("wheel separation %v m and radius %v m are not positive", d.Separation, d.Radius)
	case d.Kind != scene.Differential && (!(d.WheelBase > 0) || d.WheelBase > 1e3):
		return fmt.Sprintf("a wheel base of %v m is not positive", d.WheelBase)
	case d.Kind == scene.Mecanum && (len(d.Left) != 2 || len(d.Right) != 2):
		return fmt.Sprintf("%d wheels on the left and %d on the right; a mecanum drive has a front and a rear one on each side", len(d.Left), len(d.Right))
	case d.Kind == scene.Ackermann && (len(d.SteerLeft) == 0 || len(d.SteerRight) == 0):
		return "it has no left or no right joint that steers"
	}
	for _, j := range d.Joints() {
		if j < 0 || j >= len(p.joints) || !p.joints[j].moves ||
			p.joints[j].def.Type != dynamics.Revolute && p.joints[j].def.Type != dynamics.Continuous {
			return fmt.Sprintf("joint %d is no wheel joint and does not steer", j)
		}
	}
	return ""
}

// steerLimit is how far the middle of the axle can be steered with the stops
// that the steering joints have; 0: without end.
func (p *compiledModel) steerLimit(d *scene.Drive) float64 {
	limit := math.Inf(1)
	for _, joints := range [...][]int{d.SteerLeft, d.SteerRight} {
		for _, j := range joints {
			if j < 0 || j >= len(p.joints) || !p.joints[j].def.Limited {
				continue
			}
			limit = min(limit, p.joints[j].def.Upper, -p.joints[j].def.Lower)
		}
	}
	if math.IsInf(limit, 1) || limit <= 0 || !(d.WheelBase > 0) {
		return 0
	}
	width := d.KingpinWidth
	if width == 0 {
		width = d.Separation
	}
	// The inner wheel turns furthest: cot(inner) = cot(middle) - width/2L.
	return r3.Atan2(1, 1/r3.Tan(min(limit, 1.5))+float64(width/(2*d.WheelBase)))
}

// coupleDrive gives a drive its joints, in the order of package vehicle.
func (e *entity) coupleDrive(d *drive, spec *scene.Drive) {
	steered := make([]bool, len(e.model.bodies))
	for side, joints := range [2][]int{spec.SteerLeft, spec.SteerRight} {
		for _, j := range joints {
			d.steer[side] = append(d.steer[side], e.joints[j])
			steered[e.model.joints[j].child] = true
		}
	}
	for side, wheels := range [2][]int{spec.Left, spec.Right} {
		for k, j := range wheels {
			at := vehicle.Left + side
			switch {
			case spec.Kind == scene.Mecanum:
				at = vehicle.FrontLeft + side + 2*k
			case steered[e.model.joints[j].parent]:
				at = vehicle.SteeredLeft + side
			}
			d.wheels[at] = append(d.wheels[at], e.joints[j])
		}
	}
}
