package scene

import "simdeck/sim/r3"

// SonarSpec is a sonar of one beam. It measures the nearest echo in a cone about −z of its frame (SDF's
// <sonar>).
type SonarSpec struct {
	MinRange, MaxRange float64 // m
	HalfAngle          float64 // rad, from the cone's axis to its side; 0: one ray
}

// DVLSpec is a Doppler velocity log: beams that measure speeds along them, of which it makes a velocity. Its
// frame has x forward and z up (Gazebo's <gz:dvl>).
type DVLSpec struct {
	Beams              []r3.Vec // directions in the sensor's frame, of length 1
	MinRange, MaxRange float64  // m
	PhasedArray        bool     // one transducer for all beams; else one for each
	Bottom, Water      DVLTracking
	Near, Far          float64 // m below the sensor, along its z: the layer of water that Water looks at
	// Report turns vectors of the sensor's frame into those of the frame in which they are told.
	Report r3.Quat
}

// DVLTracking is a way in which a Doppler velocity log measures: against the bottom, or against the water.
type DVLTracking struct {
	On    bool
	Best  bool  // only where it is not worse than the other
	Noise Noise // m/s, of the speed along each beam
}
