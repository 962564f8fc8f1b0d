package scene

// Battery is a battery of a model (Gazebo's LinearBatteryPlugin). Its open-circuit voltage is linear in its
// charge. Source: gz-sim's LinearBatteryPlugin.cc.
type Battery struct {
	Name       string
	Voltage    float64 // V, before anything has flowed
	Full       float64 // V, open-circuit voltage at full charge
	Slope      float64 // V, the open-circuit voltage without a charge less Full: usually below zero
	Initial    float64 // Ah, the charge at the beginning
	Capacity   float64 // Ah
	Resistance float64 // Ω, inside
	Smoothing  float64 // s, time constant of the current; at least a step
	Load       float64 // W, that is drawn while it drains
	Draining   bool    // from the beginning; else from the first command that moves a joint on
	Inverted   bool    // messages have the current of a battery that drains below zero
	ChargeTime float64 // h, from empty to full; 0: it cannot be charged
	ByTopic    bool    // topics start and stop charging, beside services
	// Start and Stop are topics on which any message starts and stops draining.
	Start, Stop []string
}

// FullFrom is the state of charge at which charging ends and above which a battery is called full, as in
// Gazebo.
const FullFrom = 0.9

// OpenCircuit is the voltage without a current, V, at a charge in Ah.
func (b *Battery) OpenCircuit(charge float64) float64 {
	return b.Full + float64(b.Slope*(1-charge/b.Capacity))
}

// ChargeCurrent is the current while it is charged, A; 0: it cannot be.
func (b *Battery) ChargeCurrent() float64 {
	if b.ChargeTime <= 0 {
		return 0
	}
	return b.Capacity / b.ChargeTime
}

// PowerUse is the power that a rotor draws from a battery of its model while that drains.
type PowerUse struct {
	Battery string
	Power   float64 // W
}
