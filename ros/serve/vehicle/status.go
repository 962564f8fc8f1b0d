package vehicle

import (
	"fmt"
	"slices"
	"time"

	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// slow is the part of the asked real-time factor below which the simulation is late.
const slow = 0.9

// status is the state of the simulation, and of the vehicle since the last one.
func (r *report) status(s *sim.Snapshot) *gssimmsgs.SimulationStatus {
	m := &gssimmsgs.SimulationStatus{
		Header: header(s.Time), SimTime: node.SimTime(s.Time), SimDt: s.StepSize.Seconds(), StepCount: s.Step,
		StepDurationMs: float64(s.Stats.StepCost) / float64(time.Millisecond),
		IsPaused:       s.State == sim.Paused,
		Warnings:       []string{}, Errors: faults(s),
	}
	if s.State == sim.Playing {
		m.RealTimeFactor = s.Pacing.Measured
		if asked := s.Pacing.Asked; asked > 0 && m.RealTimeFactor > 0 && m.RealTimeFactor < slow*asked {
			m.Warnings = append(m.Warnings,
				fmt.Sprintf("the simulation is late: real-time factor %.2f, %g is asked for",
					m.RealTimeFactor, asked))
		}
	}
	i, ok := egoOf(s)
	if !ok {
		return m
	}
	e, car := &s.Model.Entities[i], s.OdomOf(i)[0].Car
	if car.Stale {
		m.Warnings = append(m.Warnings,
			fmt.Sprintf("no control command for more than %g s: emergency stop", e.Spec.Drives[0].Timeout))
	}
	if m.IsOffroad = offroad(s, i); m.IsOffroad {
		m.Warnings = append(m.Warnings, "a wheel is off the road")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m.IsCollision = car.Bumps > r.bumps && e.ID == r.of || e.ID != r.of && car.Bumps > 0
	r.bumps, r.of = car.Bumps, e.ID
	var refused []string
	for kind, why := range r.refused {
		refused = append(refused, kind+" was refused: "+why)
	}
	slices.Sort(refused)
	m.Warnings = append(m.Warnings, refused...)
	return m
}

// offroad reports whether a wheel of a car is outside every drivable area.
func offroad(s *sim.Snapshot, i int) bool {
	site, spec, links := s.Model.Site, s.Model.Entities[i].Spec, s.LinksOf(i)
	for _, l := range wheels(spec) {
		if !site.OnRoad(links[l].Pose.Pos) {
			return true
		}
	}
	return false
}

// wheels are the links that a car stands on: what its drive turns, and what turns
// on the links that it steers.
func wheels(spec *scene.ModelSpec) (links []int) {
	d := &spec.Drives[0]
	for _, j := range slices.Concat(d.Left, d.Right) {
		links = append(links, spec.Joints[j].Child)
	}
	for _, steered := range slices.Concat(d.SteerLeft, d.SteerRight) {
		for _, k := range spec.Carried(steered) {
			links = append(links, spec.Joints[k].Child)
		}
	}
	return links
}

// faults are the reasons for which the simulation cannot go on.
func faults(s *sim.Snapshot) []string {
	switch {
	case s.State == sim.NoWorld:
		return []string{"no world is loaded"}
	case s.State == sim.LoadingWorld:
		return []string{}
	case s.Model.Site == nil:
		return []string{fmt.Sprintf("the world %q has no ego vehicle", s.Model.World.Name)}
	}
	out := []string{}
	if _, ok := egoOf(s); !ok {
		out = append(out, fmt.Sprintf("the ego vehicle %q is not there", s.Model.Site.Ego))
	}
	for i := len(s.Events) - 1; i >= 0 && s.State == sim.Paused; i-- {
		if e := &s.Events[i]; e.Level == sim.Error {
			return append(out, e.Text)
		} else if e.Level == sim.Info {
			break // a command took effect since
		}
	}
	return out
}
