package scene

import "simdeck/sim/r3"

// CarModel is the motion model of a car.
type CarModel uint8

// Car models.
const (
	// RigidCar is a body on wheels that touch the ground, which its motors turn and steer.
	RigidCar CarModel = iota
	// KinematicBicycle rolls without slip: it goes where its wheels point.
	KinematicBicycle
	// DynamicBicycle has mass and tyres that slip sideways in proportion to their force.
	DynamicBicycle
)

// Car holds the additional parameters of a drive with a steering angle and gears. Its base frame stands on
// the ground between the axles.
type Car struct {
	Model          CarModel
	Front, Rear    float64 // m from the base frame to the axles, both positive
	Mass           float64 // kg
	Inertia        float64 // kg·m² about z
	FrontStiffness float64 // N/rad: lateral force of an axle by its slip angle
	RearStiffness  float64
	Accel, Brake   float64  // m/s², at most
	Emergency      float64  // m/s², when no command comes for the drive's time-out
	Start          r3.Twist // in the base frame, when it comes into the world: m/s, rad/s
}
