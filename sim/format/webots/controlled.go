package webots

import (
	"math"
	"slices"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// controlled says what a controller is told of its robot; its devices are listed as they are read.
func (b *builder) controlled(r ref) {
	b.spec.Robot = &scene.ControlledRobot{Name: b.text(r, "name", lower(named2(r))),
		Model: b.text(r, "model", ""), CustomData: b.text(r, "customData", ""),
		Supervisor:   b.flag(r, "supervisor", false) || r.n.Type == "Supervisor",
		Asynchronous: !b.flag(r, "synchronization", true),
		Geographic:   b.reader.spec.Earth.Set, Args: texts(b.reader, r, "controllerArgs")}
}

// supervised reports that the world has a supervisor.
func (rd *reader) supervised() bool {
	return slices.ContainsFunc(rd.spec.Models, func(p scene.Placed) bool {
		return p.Model.Robot != nil && p.Model.Robot.Supervisor
	})
}

// permitDeletion lets everything be deleted: a supervisor may remove any node.
func (rd *reader) permitDeletion() {
	for i := range rd.spec.Models {
		rd.spec.Models[i].Deletable = true
	}
}

// named2 is a node without its DEF: the default name of a Solid does not depend on it.
func named2(r ref) ref { return ref{n: named(r), file: r.file, in: r.in} }

// list tells a controller of a device on a link, at a pose in the file's axes; sensor measures for it.
func (b *builder) list(r ref, link int, at r3.Pose, sensor string) {
	if b.spec.Robot == nil {
		return
	}
	d := scene.Device{Node: r.n.Type, Name: b.text(r, "name", lower(named2(r))),
		Model: b.text(r, "model", ""), Kind: b.text(r, "type", ""), Link: link, Pose: b.fixed(at),
		Sensor: sensor, Table: b.table(r)}
	switch r.n.Type {
	case "GPS", "Altimeter":
		d.Noise = max(0, b.num(r, "accuracy", 0))
	case "InertialUnit":
		d.Noise = max(0, b.num(r, "noise", 0))
	case "DistanceSensor":
		d.Aperture, d.Width = b.num(r, "aperture", 1.5708), b.num(r, "gaussianWidth", 1)
		if d.Table == nil { // as the manual has it
			d.Table = []float64{0, 0, 0, 0.1, 1000, 0}
		}
	case "Emitter", "Receiver":
		d.Radio = b.radio(r)
	}
	if r.n.Type == "LED" {
		d.LED = ledDevice(b, r)
	}
	b.spec.Robot.Devices = append(b.spec.Robot.Devices, d)
	if s := b.tree.last(r); s != nil {
		s.Device = len(b.spec.Robot.Devices)
	}
}

// table is a lookup table; nil: the device tells what it measures.
func (rd *reader) table(r ref) []float64 {
	if r.n.Field("lookupTable") == nil {
		return nil
	}
	table := rd.many(r, "lookupTable")
	for i := range table {
		if len(table)%3 != 0 || math.IsNaN(table[i]) || i >= 3 && i%3 == 0 && table[i] < table[i-3] {
			rd.noteAt(scene.Suspicious, r, "lookupTable of %d numbers; want three for each value, values rising",
				len(table))
			return nil
		}
	}
	return append([]float64(nil), table...)
}

func (rd *reader) radio(r ref) *scene.RadioDevice {
	out := &scene.RadioDevice{Range: rd.num(r, "range", -1), MaxRange: rd.num(r, "maxRange", -1),
		Channel: rd.integer(r, "channel", 0), BaudRate: rd.integer(r, "baudRate", -1),
		ByteSize: rd.integer(r, "byteSize", 8), BufferSize: rd.integer(r, "bufferSize", -1)}
	for _, c := range rd.many(r, "allowedChannels") {
		if c == math.Trunc(c) && math.Abs(c) < 1<<31 && len(out.Channels) < 1000 {
			out.Channels = append(out.Channels, int(c))
		}
	}
	return out
}

// integer is a whole number that fits 32 bits; otherwise what else it is.
func (rd *reader) integer(r ref, name string, otherwise int) int {
	x := rd.num(r, name, float64(otherwise))
	if x != math.Trunc(x) || math.Abs(x) >= 1<<31 {
		rd.noteAt(scene.Suspicious, r, "%s %g; want a whole number, using %d", name, x, otherwise)
		return otherwise
	}
	return int(x)
}

// listInJoint tells a controller of a motor or position sensor. Its joint has no name yet: bind gives it one.
func (b *builder) listInJoint(r ref, link int) {
	if b.spec.Robot == nil {
		return
	}
	d := scene.Device{Node: r.n.Type, Name: b.text(r, "name", lower(named2(r))), Link: link,
		Pose: r3.IdentityPose(), Model: b.text(r, "model", "")}
	if strings.HasSuffix(r.n.Type, "Motor") {
		d.Motor = b.motorDevice(r)
	}
	b.unbound = append(b.unbound, len(b.spec.Robot.Devices))
	b.spec.Robot.Devices = append(b.spec.Robot.Devices, d)
	b.tree.add(r, &scene.NodeState{Model: b.spec.Name, Device: len(b.spec.Robot.Devices)})
}

func (rd *reader) motorDevice(r ref) *scene.MotorDevice {
	force := "maxTorque"
	if r.n.Type == "LinearMotor" {
		force = "maxForce"
	}
	pid := rd.nums(r, "controlPID", 10, 0, 0)
	return &scene.MotorDevice{MinPosition: rd.num(r, "minPosition", 0),
		MaxPosition: rd.num(r, "maxPosition", 0), MaxVelocity: rd.num(r, "maxVelocity", 10),
		Acceleration: rd.num(r, "acceleration", -1),
		MaxEffort:    rd.num(r, force, 10), Multiplier: rd.num(r, "multiplier", 1),
		PID: [3]float64{pid[0], pid[1], pid[2]}}
}

// bind gives the devices of a joint its name.
func bind(m *scene.ModelSpec, devices []int, joint string) {
	for _, i := range devices {
		m.Robot.Devices[i].Joint = joint
	}
}
