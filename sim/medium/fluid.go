package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// OnBox is the force and the torque of a fluid at the middle of a box, by its edges, m. The box moves by v
// against the fluid; all are in its axes. Source: MuJoCo, "Computation", section "Inertia model".
func OnBox(f *scene.Fluid, box r3.Vec, v r3.Twist) (force, torque r3.Vec) {
	if f.Viscosity > 0 {
		d := (box.X + box.Y + box.Z) / 3
		force = v.Linear.Scale(-3 * math.Pi * d * f.Viscosity)
		torque = v.Angular.Scale(-math.Pi * d * d * d * f.Viscosity)
	}
	if !(f.Density > 0) {
		return force, torque
	}
	drag := func(a, b, along float64) float64 {
		return float64(-0.5 * f.Density * a * b * math.Abs(along) * along)
	}
	force = force.Add(r3.V(drag(box.Y, box.Z, v.Linear.X), drag(box.X, box.Z, v.Linear.Y),
		drag(box.X, box.Y, v.Linear.Z)))
	turn := func(own, a, b, w float64) float64 {
		return float64(-f.Density * own * (float64(a*a*a*a) + float64(b*b*b*b)) * math.Abs(w) * w / 64)
	}
	return force, torque.Add(r3.V(turn(box.X, box.Y, box.Z, v.Angular.X),
		turn(box.Y, box.X, box.Z, v.Angular.Y), turn(box.Z, box.X, box.Y, v.Angular.Z)))
}

// OnEllipsoid is the force and the torque at the middle of an ellipsoid that moves by v against the fluid.
// All are in its axes. Masses that the fluid adds to accelerations are left out, as in MuJoCo. Source:
// MuJoCo, "Computation", section "Ellipsoid model".
func OnEllipsoid(f *scene.Fluid, e *scene.Ellipsoid, v r3.Twist) (force, torque r3.Vec) {
	mass, inertia := e.Along[0].Scale(f.Density), e.Along[1].Scale(f.Density)
	momentum := r3.V(mass.X*v.Linear.X, mass.Y*v.Linear.Y, mass.Z*v.Linear.Z)
	spin := r3.V(inertia.X*v.Angular.X, inertia.Y*v.Angular.Y, inertia.Z*v.Angular.Z)
	force = momentum.Cross(v.Angular)
	torque = momentum.Cross(v.Linear).Add(spin.Cross(v.Angular))

	s, c := e.Half, &e.Coef
	largest, least := max(s.X, s.Y, s.Z), min(s.X, s.Y, s.Z)
	middle := s.X + s.Y + s.Z - largest - least
	speed := v.Linear.Len()
	faces := r3.V(s.Y*s.Z, s.Z*s.X, s.X*s.Y)
	squares := r3.V(faces.X*faces.X, faces.Y*faces.Y, faces.Z*faces.Z)
	normal := r3.V(squares.X*v.Linear.X, squares.Y*v.Linear.Y, squares.Z*v.Linear.Z)
	above, below := normal.Len2(), normal.Dot(v.Linear)
	widest, shadow := float64(math.Pi*largest*middle), 0.0
	if below > 0 {
		shadow = math.Pi * math.Sqrt(above/below)
	}
	volume := 4.0 / 3 * math.Pi * s.X * s.Y * s.Z
	force = force.Add(v.Angular.Cross(v.Linear).Scale(c.Magnus * f.Density * volume))
	if speed > 0 && above > 0 {
		along := below / (speed * above) // the cosine of the angle to the normal, by its length
		lift := normal.Cross(v.Linear).Scale(c.Kutta * f.Density * along * shadow)
		force = force.Add(lift.Cross(v.Linear))
	}
	diameter := 2.0 / 3 * (s.X + s.Y + s.Z)
	area := float64(shadow*c.Blunt) + float64(c.Slender*(widest-shadow))
	drag := float64(3*math.Pi*diameter*f.Viscosity) + float64(f.Density*speed*area)
	force = force.AddScaled(-drag, v.Linear)
	moment := func(own, a, b float64) float64 {
		m := max(a, b)
		return float64(8.0 / 15 * math.Pi * own * m * m * m * m)
	}
	most := moment(middle, largest, largest)
	part := func(w, m float64) float64 { return w * (float64(c.Angular*m) + float64(c.Slender*(most-m))) }
	swirl := r3.V(part(v.Angular.X, moment(s.X, s.Y, s.Z)), part(v.Angular.Y, moment(s.Y, s.Z, s.X)),
		part(v.Angular.Z, moment(s.Z, s.X, s.Y)))
	slow := float64(math.Pi*diameter*diameter*diameter*f.Viscosity) + float64(f.Density*swirl.Len())
	return force, torque.AddScaled(-slow, v.Angular)
}
