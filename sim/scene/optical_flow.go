package scene

// OpticalFlowSpec is an optical flow sensor: a camera that looks along x of its frame, with z up in its
// picture. It measures the motion of what it sees.
type OpticalFlowSpec struct {
	Near, Far float64 // m, between which it sees something
	Gyro      bool    // it integrates its own angular velocity, too
}
