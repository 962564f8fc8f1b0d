package control

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
	"simdeck/sim/transmission"
)

// leastVoltage is the voltage below which a battery gives no current, V, as in Gazebo.
const leastVoltage = 1e-3

// batterySet is the batteries of an entity.
type batterySet struct {
	of    string             // the entity, for errors
	specs []scene.Battery    // of the model
	loads []float64          // W, of each with what rotors draw; never changed
	all   []sim.BatteryState // by specs
	off   bool               // the motors are without power since a battery is empty
}

// newBatteries are the batteries of an entity, as full as its file says.
func newBatteries(entity string, m *scene.ModelSpec) batterySet {
	k := batterySet{of: entity, specs: m.Batteries}
	for i := range m.Batteries {
		b := &m.Batteries[i]
		load := b.Load
		for _, u := range m.PowerUses {
			if u.Battery == b.Name {
				load += u.Power
			}
		}
		k.loads = append(k.loads, load)
		k.all = append(k.all, sim.BatteryState{Voltage: b.Voltage, Charge: b.Initial, Draining: b.Draining})
	}
	return k
}

// flow moves charge for a step of dt seconds. Source: OnUpdateVoltage of gz-sim's LinearBatteryPlugin. There
// a current that ends is frozen at its last value; here it decays like any other.
func (k *batterySet) flow(dt float64) {
	for i := range k.all {
		b, s := &k.specs[i], &k.all[i]
		asked := 0.0
		if s.Draining && !s.Empty() && s.Voltage >= leastVoltage {
			asked = k.loads[i] / s.Voltage
		}
		if s.Charging && s.Charge < float64(scene.FullFrom*b.Capacity) {
			asked -= b.ChargeCurrent()
		}
		if asked == 0 && s.Current == 0 {
			continue // the voltage stays that of the file until something flows
		}
		s.Current += float64(min(1, dt/b.Smoothing) * (asked - s.Current))
		if asked == 0 && math.Abs(s.Current) < leastCurrent {
			s.Current = 0
		}
		s.Charge = max(0, min(b.Capacity, s.Charge-float64(s.Current*dt/3600)))
		s.Voltage = max(0, b.OpenCircuit(s.Charge)-float64(b.Resistance*s.Current))
	}
}

// leastCurrent is the current below which one that ends has ended, A.
const leastCurrent = 1e-9

// empty reports that a battery has no charge: nothing of the entity has power then.
func (k *batterySet) empty() bool {
	return slices.ContainsFunc(k.all, func(s sim.BatteryState) bool { return s.Empty() })
}

// waits reports that a battery begins to drain when a joint is moved.
func (k *batterySet) waits() bool {
	return slices.ContainsFunc(k.all, func(s sim.BatteryState) bool { return !s.Draining })
}

// drain switches on all loads.
func (k *batterySet) drain() {
	for i := range k.all {
		k.all[i].Draining = true
	}
}

// SetBattery switches a battery, or with an error nothing.
func (k *batterySet) SetBattery(c sim.SetBattery) error {
	names := make([]string, len(k.specs))
	for i := range k.specs {
		names[i] = k.specs[i].Name
	}
	i := slices.Index(names, c.Battery)
	switch {
	case len(names) == 0:
		return fmt.Errorf("%w: %q has no battery", sim.ErrUnsupported, k.of)
	case i < 0:
		return fmt.Errorf("%w: %q has no battery %q%s", sim.ErrNotFound, k.of, c.Battery,
			scene.DidYouMean(c.Battery, names))
	case c.Charging != nil && *c.Charging && k.specs[i].ChargeCurrent() == 0:
		return fmt.Errorf("%w: battery %q of %q cannot be charged: its file has no <enable_recharge> with a <charging_time>",
			sim.ErrUnsupported, c.Battery, k.of)
	}
	if c.Draining != nil {
		k.all[i].Draining = *c.Draining
	}
	if c.Charging != nil {
		k.all[i].Charging = *c.Charging
	}
	return nil
}

// AppendBatteries appends the batteries, by ModelSpec.Batteries.
func (k *batterySet) AppendBatteries(dst []sim.BatteryState) []sim.BatteryState {
	return append(dst, k.all...)
}

// hash takes in the batteries.
func (k *batterySet) hash(d *statecodec.Digest) {
	for _, s := range k.all {
		d.Float(s.Voltage)
		d.Float(s.Current)
		d.Float(s.Charge)
		for _, on := range [...]bool{s.Draining, s.Charging, k.off} {
			d.Word(map[bool]uint64{true: 1}[on])
		}
	}
}

// code visits the batteries.
func (k *batterySet) code(v statecodec.Visitor) {
	for i := range k.all {
		s := &k.all[i]
		v.Floats(&s.Voltage, &s.Current, &s.Charge)
		v.Flag(&s.Draining)
		v.Flag(&s.Charging)
	}
	if len(k.all) > 0 {
		v.Flag(&k.off)
	}
}

// power lets the batteries of an entity flow for the step to come, and switches its motors off and on again.
// False: they have no power.
func power(c *Controller, p Dynamics, clock Clock) bool {
	k := &c.batterySet
	if len(k.all) == 0 {
		return true
	}
	if k.waits() && moves(c, p, clock) {
		k.drain()
	}
	k.flow(clock.dt())
	empty := k.empty()
	switch {
	case empty:
		coast(c, p)
	case k.off:
		resume(c, p)
	}
	k.off, c.rotorSet.off, c.tracks.off = empty, empty, empty
	return !empty
}

// moves reports that a command moves joints of an entity on, or holds one by an effort. Batteries of Gazebo
// begin to drain then.
func moves(c *Controller, p Dynamics, clock Clock) bool {
	for i := range c.motors {
		switch m := &c.motors[i]; m.mode {
		case sim.JointVelocity, sim.JointEffort:
			if m.target != 0 {
				return true
			}
		case sim.JointPosition:
			if p.Joint(c.joints[i]).State().Effort != 0 {
				return true
			}
		}
	}
	for i := range c.drives {
		if d := &c.drives[i]; d.enabled && !d.idle && d.Target(clock.Now) != (r3.Twist{}) {
			return true
		}
	}
	return slices.ContainsFunc(c.rotorSet.all, func(r rotor) bool { return r.told != 0 }) ||
		slices.ContainsFunc(c.tracks.all, func(t track) bool { return t.told != 0 }) ||
		slices.ContainsFunc(c.actuators.all, func(a actuator) bool { return a.input != 0 })
}

// coast switches the motors of joints and transmissions off, as Gazebo does where BatterySoC is 0: what turns
// runs out. Rotors and belts do so by themselves.
func coast(c *Controller, p Dynamics) {
	for i := range c.joints {
		if c.model.Joints[i].Moves && c.model.Joints[i].HasMotorAxis() && c.rotorOf(i) < 0 {
			// The joints of an entity live as long as it does.
			_ = p.Joint(c.joints[i]).SetMotorOff()
		}
	}
	for i := range c.actuators.all {
		_ = p.Transmission(c.actuators.ids[c.actuators.of[i]]).SetMotor(transmission.Motor{})
	}
}

// resume lets the motors go on with the commands that they have.
func resume(c *Controller, p Dynamics) {
	for i := range c.drives {
		d := &c.drives[i]
		switch {
		case !d.enabled || d.propelled():
		case d.idle:
			driveWheels(p, d)
		default:
			d.target.Wheels[0] = math.NaN() // any wheel speeds: recompute
		}
	}
	for i := range c.motors {
		if m := c.motors[i]; m.mode != 0 && c.rotorOf(i) < 0 {
			// It was set before.
			_ = c.drive(p, i, m)
		}
	}
}
