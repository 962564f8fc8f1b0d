package scene

import "simdeck/sim/r3"

// Track is a belt around the collision shapes of a link: of a tracked vehicle, or a conveyor (Gazebo's
// TrackController). At a speed above zero it runs forth above and back below, so that a vehicle on it goes
// ahead.
type Track struct {
	Axis    r3.Vec     // in the link frame, of length 1: to the left of a belt that runs forth
	Speed   [2]float64 // m/s: least and most; both zero: unbounded
	Accel   [2]float64 // m/s²: most of slowing down, below zero, and of speeding up; both zero: unbounded
	Start   float64    // m/s, until it is commanded
	Timeout float64    // s, for which a command acts; 0: for ever
	Topic   string     // of its speed in ROS; empty: /model/ENTITY/link/LINK/track_cmd_vel, as in Gazebo
}

// Bounded is a speed within the bounds of a track, m/s.
func (t *Track) Bounded(speed float64) float64 {
	if t.Speed == [2]float64{} {
		return speed
	}
	return max(t.Speed[0], min(t.Speed[1], speed))
}

// Next is the speed of a track after a step, that was told another.
func (t *Track) Next(speed, told, dt float64) float64 {
	told = t.Bounded(told)
	if t.Accel == [2]float64{} {
		return told
	}
	return max(speed+float64(t.Accel[0]*dt), min(speed+float64(t.Accel[1]*dt), told))
}
