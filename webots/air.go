package webots

import (
	"slices"
	"sync"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/webots/wire"
)

const (
	allChannels = -1
	// mostWaiting bounds the bytes that wait for a receiver without a bound of its own.
	mostWaiting = 1 << 20
	mostPackets = 10_000
)

// air carries packets from emitters to receivers of other robots.
type air struct {
	mu     sync.Mutex
	robots []*robot
	custom map[uint64]string // customData as controllers have written it, by entities
}

// customData is the text in the field of that name.
func (a *air) customData(e *sim.EntityModel) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if text, written := a.custom[e.ID]; written || e.Spec.Robot == nil {
		return text
	}
	return e.Spec.Robot.CustomData
}

// setCustomData writes into that field, for all controllers.
func (a *air) setCustomData(e *sim.EntityModel, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.custom == nil {
		a.custom = map[uint64]string{}
	}
	if _, known := a.custom[e.ID]; known || len(a.custom) < mostCustom {
		a.custom[e.ID] = text[:min(len(text), mostCustomData)]
	}
}

const (
	mostCustom     = 1000
	mostCustomData = 1 << 16
)

func (a *air) add(r *robot) {
	a.mu.Lock()
	a.robots = append(a.robots, r)
	a.mu.Unlock()
}

func (a *air) remove(r *robot) {
	a.mu.Lock()
	a.robots = slices.DeleteFunc(a.robots, func(o *robot) bool { return o == r })
	a.mu.Unlock()
}

// packet is the data that an emitter sent, with its place.
type packet struct {
	data    []byte
	from    r3.Vec // in the world
	reach   float64
	channel int32
}

// send hands a packet to all who listen but the sender.
func (a *air) send(by *robot, kind string, p packet) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.robots {
		if r == by {
			continue
		}
		for _, d := range r.devices {
			if in, ok := d.(*receiver); ok && radioKind(in.spec.Kind) == kind {
				in.hear(p)
			}
		}
	}
}

// radioKind is the medium of a device.
func radioKind(kind string) string {
	if kind == "" {
		return "radio"
	}
	return kind
}

// emitter sends packets.
type emitter struct {
	base
	channel int32
	reach   float64
}

func (e *emitter) configure(a *wire.Answer) {
	r := e.spec.Radio
	rate := -1.0 // bytes in a millisecond
	if r.BaudRate > 0 && r.ByteSize > 0 {
		rate = float64(r.BaudRate) / float64(r.ByteSize) / 1000
	}
	a.To(e.tag, wire.Configure).Int32(int32(r.BufferSize)).Int32(e.channel).Float64(rate, e.reach, r.MaxRange)
	writeChannels(a, r.Channels)
}

func writeChannels(a *wire.Answer, all []int) {
	a.Int32(int32(len(all)))
	for _, c := range all {
		a.Int32(int32(c))
	}
}

func (e *emitter) take(in *wire.Reader, _ *wire.Answer) {
	for in.More() {
		switch command := in.Uint8(); command {
		case wire.EmitterSend:
			channel, reach := in.Int32(), in.Float64()
			data := slices.Clone(in.Bytes(int(in.Int32())))
			if in.Err() == nil {
				e.robot.server.air.send(e.robot, radioKind(e.spec.Kind),
					packet{data, e.frame().Pose.Pos, reach, channel})
			}
		case wire.EmitterChannel:
			e.channel = in.Int32()
		case wire.EmitterRange:
			e.reach = in.Float64()
		default:
			e.robot.skip(e.called(), command, in)
		}
	}
}

func (e *emitter) tell(*wire.Answer) {}

// receiver gets packets of other robots.
type receiver struct {
	base
	most int // bytes that may wait

	mu      sync.Mutex
	on      bool
	channel int32
	packets []packet
	bytes   int
}

func newReceiver(b base) *receiver {
	r := &receiver{base: b, channel: int32(b.spec.Radio.Channel), most: mostWaiting}
	if size := b.spec.Radio.BufferSize; size > 0 {
		r.most = min(size, mostWaiting)
	}
	return r
}

func (r *receiver) configure(a *wire.Answer) {
	a.To(r.tag, wire.Configure).Int32(int32(r.spec.Radio.BufferSize)).Int32(r.channel)
	writeChannels(a, r.spec.Radio.Channels)
}

func (r *receiver) take(in *wire.Reader, _ *wire.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for in.More() {
		switch command := in.Uint8(); {
		case r.takeSampling(command, in):
			r.on = r.period > 0
		case command == wire.ReceiverChannel:
			r.channel = in.Int32()
		default:
			r.robot.skip(r.called(), command, in)
		}
	}
}

// hear takes a packet, if it is for this channel and there is room.
func (r *receiver) hear(p packet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.on || p.channel != r.channel && p.channel != allChannels && r.channel != allChannels ||
		len(p.data) > r.most-r.bytes || len(r.packets) == mostPackets {
		return
	}
	r.packets = append(r.packets, p)
	r.bytes += len(p.data)
}

func (r *receiver) tell(a *wire.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.due() {
		return
	}
	at := r.frame().Pose
	for _, p := range r.packets {
		way := p.from.Sub(at.Pos)
		far := way.Len()
		if p.reach >= 0 && far > p.reach {
			continue
		}
		direction, ok := at.Rot.RotateBack(way).Unit()
		if !ok { // both stand at the same place
			direction, far = r3.V(1, 0, 0), 1e-3
		}
		a.To(r.tag, wire.ReceiverReceive).Int32(r.channel).Float64(numbers(direction)...)
		a.Float64(1 / (far * far)).Int32(int32(len(p.data))).Raw(p.data)
	}
	r.packets, r.bytes = r.packets[:0], 0
}
