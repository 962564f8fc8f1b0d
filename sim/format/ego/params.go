// Package ego knows the ego vehicle of a world: its parameters with names, defaults and bounds, from any file
// or flag. It also makes a model with a steering drive into one.
package ego

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/scene"
)

// Params of a vehicle, by the names that Numbers lists. Lengths in metres, masses in kg, angles in radians.
type Params struct {
	Wheelbase, Track, Mass, Inertia   float64
	Steer, SteerRate                  float64 // at most: rad, rad/s
	Speed, Acceleration, Deceleration float64 // at most: m/s, m/s²
	Timeout                           float64 // s without a command until it brakes; 0: never
	Front, Rear                       float64 // N/rad: cornering stiffness of the axles
	Model                             scene.CarModel
}

// Emergency is the deceleration of a vehicle without a command, in m/s².
const Emergency = 3.0

// Middle are the parameters of a middle-sized car, which are the defaults.
func Middle() Params {
	return Params{2.8, 1.6, 1500, 3000, 0.52, 0.5, 30, 3, 5, 1, 80000, 80000, scene.KinematicBicycle}
}

// Number is a parameter that is a number, with what it can be.
type Number struct {
	Key         string
	To          *float64
	Least, Most float64
}

// Numbers are all parameters that are numbers.
func (p *Params) Numbers() []Number {
	return []Number{
		{"wheelbase", &p.Wheelbase, 0.1, 20}, {"track_width", &p.Track, 0.05, 10},
		{"mass", &p.Mass, 0.1, 1e5}, {"inertia_z", &p.Inertia, 1e-4, 1e7},
		{"max_steering_angle", &p.Steer, 0.01, 1.5}, {"max_steering_rate", &p.SteerRate, 0.01, 100},
		{"max_speed", &p.Speed, 0.1, 150},
		{"max_acceleration", &p.Acceleration, 0.01, 100}, {"max_deceleration", &p.Deceleration, 0.01, 100},
		{"control_timeout_sec", &p.Timeout, 0, 1e6},
		{"tire_cornering_stiffness_front", &p.Front, 1, 1e8},
		{"tire_cornering_stiffness_rear", &p.Rear, 1, 1e8},
	}
}

// ModelKey is the name of the parameter that ParseModel reads.
const ModelKey = "dynamics_model"

// ParseModel reads how a vehicle moves.
func ParseModel(name string) (scene.CarModel, error) {
	switch name {
	case "kinematic_bicycle":
		return scene.KinematicBicycle, nil
	case "dynamic_bicycle":
		return scene.DynamicBicycle, nil
	case "rigid_body":
		return scene.RigidCar, nil
	}
	return 0, fmt.Errorf("%s %.40q; kinematic_bicycle, dynamic_bicycle and rigid_body are known", ModelKey,
		name)
}

// Set sets a parameter by its name. The error says what would be right.
func (p *Params) Set(key, value string) error {
	if key == ModelKey {
		m, err := ParseModel(value)
		if err == nil {
			p.Model = m
		}
		return err
	}
	known := []string{ModelKey}
	for _, n := range p.Numbers() {
		if n.Key != key {
			known = append(known, n.Key)
			continue
		}
		f, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil || math.IsNaN(f) || math.IsInf(f, 0):
			return fmt.Errorf("%s is %.40q, not a finite number", key, value)
		case f < n.Least || f > n.Most:
			return fmt.Errorf("%s is %g; from %g to %g is possible", key, f, n.Least, n.Most)
		}
		*n.To = f
		return nil
	}
	return fmt.Errorf("there is no parameter %.40q of a vehicle; %s are known", key,
		strings.Join(known, ", "))
}

// Setting is a parameter that somebody sets beside the world's files, or with the key EntityKey which entity
// is the vehicle.
type Setting struct{ Key, Value string }

// EntityKey is the key of the Setting that names the vehicle's entity in a world that does not.
const EntityKey = "entity"

// ParseSettings reads KEY=VALUE each. It finds what can be known to be wrong without a world.
func ParseSettings(texts []string) (out []Setting, err error) {
	p := Middle()
	for _, t := range texts {
		key, value, ok := strings.Cut(t, "=")
		s := Setting{strings.TrimSpace(key), strings.TrimSpace(value)}
		if !ok || s.Value == "" {
			return nil, fmt.Errorf("vehicle %.60q: want KEY=VALUE, like max_speed=20", t)
		}
		if s.Key != EntityKey {
			if err := p.Set(s.Key, s.Value); err != nil {
				return nil, fmt.Errorf("vehicle: %w", err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Apply sets all parameters.
func (p *Params) Apply(settings []Setting) error {
	for _, s := range settings {
		if s.Key == EntityKey {
			continue
		}
		if err := p.Set(s.Key, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// Entity is the vehicle that settings name; empty: none.
func Entity(settings []Setting) (name string) {
	for _, s := range settings {
		if s.Key == EntityKey {
			name = s.Value
		}
	}
	return name
}
