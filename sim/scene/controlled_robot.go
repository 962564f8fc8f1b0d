package scene

import "simdeck/sim/r3"

// ControlledRobot is the description of a robot for a controller of Webots.
type ControlledRobot struct {
	Name         string // as the file has it; entities have a legal one made of it
	Model        string
	CustomData   string
	Supervisor   bool     // its controller may look at, and change, the whole world
	Asynchronous bool     // the world does not wait for its controller
	Geographic   bool     // its GPS tells latitude, longitude and altitude
	Args         []string // of the program that the file names as its controller
	Devices      []Device
	Lamps        []Lamp // that its LEDs light; at most MostLamps
}

// Device is a device of a robot, by the name by which its controller finds it.
type Device struct {
	Node   string // type of its node: "RotationalMotor"
	Name   string
	Model  string
	Kind   string  // its field type, or what plays that part; empty: none
	Link   int     // that carries it, an index into ModelSpec.Links
	Pose   r3.Pose // of its frame in the link's
	Joint  string  // that it moves or measures; empty: none
	Sensor string  // of the link, that measures for it; empty: none
	Noise  float64 // standard deviation of what it tells, where no sensor measures for it

	Table    []float64 // lookup table: rows of a value, what the device tells of it, and a noise
	Aperture float64   // rad
	Width    float64   // gaussianWidth of the weights of its rays
	Motor    *MotorDevice
	Radio    *RadioDevice // of an Emitter or Receiver
	LED      *LEDDevice
}

// LEDDevice is the description of an LED for a controller.
type LEDDevice struct {
	Colours []Glow
	Gradual bool // a value is a brightness of the only colour, or a colour where there is none
	Lamp    int  // index into ModelSpec.Lamps; -1: nothing shows it
}

// Glow is the light of an LED that was set to a value, as Webots has it.
func (d *LEDDevice) Glow(value int32) (g Glow) {
	switch {
	case d.Gradual && len(d.Colours) == 0:
		for i := range g {
			g[i] = float32(value>>(16-8*i)&0xff) / 255
		}
	case d.Gradual:
		for i, x := range d.Colours[0] {
			g[i] = x * float32(min(max(value, 0), 255)) / 255
		}
	case value > 0 && int64(value) <= int64(len(d.Colours)):
		g = d.Colours[value-1]
	}
	return g
}

// MotorDevice is the description of a motor for a controller.
type MotorDevice struct {
	MinPosition, MaxPosition float64 // rad or m; equal: there are none
	MaxVelocity              float64 // rad/s or m/s
	Acceleration             float64 // rad/s² or m/s²; -1: unlimited
	MaxEffort                float64 // N·m or N
	PID                      [3]float64
	Multiplier               float64 // of what is asked of a motor of the same team
}

// RadioDevice is the description of an Emitter or Receiver for a controller.
type RadioDevice struct {
	Range, MaxRange float64 // m; -1: endless
	Channel         int     // -1: all
	BaudRate        int     // bits each second; -1: endless
	ByteSize        int     // bits of a byte
	BufferSize      int     // bytes; -1: endless
	Channels        []int   // that it may use; none: all
}
