// Package gamepad reads gamepads and joysticks as Linux has them: the events of /dev/input/js0 (the kernel's
// Documentation/input/joydev/joystick-api.rst).
package gamepad

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
)

// Device is the first gamepad of a machine.
const (
	Device = folder + "/js0"
	folder = "/dev/input"
)

// ErrNone says that there is no gamepad.
var ErrNone = errors.New("no gamepad at " + Device)

// State is the motion that sticks and buttons ask for.
type State struct {
	Forward float64 // -1 to 1
	Turn    float64 // -1 to 1, left above 0
	Side    float64 // -1 to 1, left above 0
	Up      float64 // -1 to 1
	Stop    bool    // any button is pressed
}

// Pad is an opened gamepad. Next and Close may be called from two goroutines.
type Pad struct {
	events  io.ReadCloser
	axes    [8]float64
	pressed [32]bool
}

// Open opens the first gamepad.
func Open() (*Pad, error) {
	if runtime.GOOS != "linux" {
		return nil, errors.New("gamepads are read on Linux only")
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("gamepad: %w", err)
	}
	return From(f), nil
}

// open opens the device itself: a link at its name leads nowhere else.
func open() (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it was read only
	return root.Open("js0")
}

// From reads the events of a gamepad from elsewhere.
func From(events io.ReadCloser) *Pad { return &Pad{events: events} }

// Close ends a Next that waits.
func (p *Pad) Close() error {
	if err := p.events.Close(); err != nil {
		return fmt.Errorf("gamepad: %w", err)
	}
	return nil
}

// Events of the kernel.
const (
	eventSize = 8    // time uint32, value int16, type uint8, number uint8, in the machine's order
	isButton  = 0x01 // its value is 1 or 0
	isAxis    = 0x02 // its value is -32767 to 32767
	atFirst   = 0x80 // beside the kind: the state at the time of opening
)

// Axes, right and down positive: of the left stick or the joystick, of the right stick of gamepads, of the
// directional pad.
const (
	deadZone = 0.12
	leftX    = 0
	leftY    = 1
	rightX   = 3
	rightY   = 4
	padX     = 6
	padY     = 7
)

// Next waits for the next event and gives the state after it. The error is io.EOF or another when the gamepad
// is gone or closed.
func (p *Pad) Next() (State, error) {
	var b [eventSize]byte
	if _, err := io.ReadFull(p.events, b[:]); err != nil {
		return State{}, fmt.Errorf("gamepad: %w", err)
	}
	value, number := int16(binary.NativeEndian.Uint16(b[4:])), int(b[7])
	switch b[6] &^ atFirst {
	case isAxis:
		if number < len(p.axes) {
			p.axes[number] = max(-1, float64(value)/math.MaxInt16)
		}
	case isButton:
		if number < len(p.pressed) {
			p.pressed[number] = value != 0
		}
	}
	return p.state(), nil
}

// state reads axes and buttons.
func (p *Pad) state() State {
	s := State{
		Forward: -strongest(p.axes[leftY], p.axes[padY]),
		Turn:    -strongest(p.axes[leftX], p.axes[padX]),
		Side:    -strongest(p.axes[rightX]),
		Up:      -strongest(p.axes[rightY]),
	}
	for _, on := range p.pressed {
		s.Stop = s.Stop || on
	}
	if s.Stop {
		s = State{Stop: true}
	}
	return s
}

// strongest is the axis that is farthest out, beyond the middle in which sticks rest.
func strongest(axes ...float64) (v float64) {
	for _, a := range axes {
		if math.Abs(a) > math.Abs(v) {
			v = a
		}
	}
	if math.Abs(v) < deadZone {
		return 0
	}
	return math.Copysign((math.Abs(v)-deadZone)/(1-deadZone), v)
}
