package autopilot

import (
	"log/slog"
	"math"
	"net"
	"net/netip"
	"time"

	"simdeck/autopilot/betaflight"
)

// epoch is the time of the first state. Betaflight takes less than 20 ms since its own beginning for a period
// of the simulation, and lets its clock go as slowly.
const epoch = time.Second

// statePort is the port of Betaflight's on which it hears of its aircraft, by that on which it is heard.
const statePort = 2

// betaflightLink is the way to a Betaflight: UDP, a packet of outputs for each state. It is told of its
// aircraft before it was heard, as it says little by itself.
type betaflightLink struct {
	udpLink
	state  []byte // the newest packet
	told   int    // number of times that it was sent
	memory [betaflight.OutputsSize + 1]byte
}

func listenBetaflight(address string, log *slog.Logger) (*betaflightLink, error) {
	l, err := listenUDP(address, "betaflight", log)
	return &betaflightLink{udpLink: l}, err
}

// exchange implements link. A state that is not answered is sent again: it may be lost, and to the first
// after half a second Betaflight answers without outputs.
func (l *betaflightLink) exchange(m *motion, isNew bool, until time.Time) (outputs, bool, error) {
	if isNew {
		if l.told > 1 {
			l.skip()
		}
		l.state, l.told = betaflight.AppendState(l.state[:0], betaflightState(m)), 0
	}
	l.send()
	return l.receive(l.memory[:], until, l.take)
}

// mostSkipped bounds the packets that are skipped at once.
const mostSkipped = 64

// skip takes the second answers to a state that was sent more than once out of the way.
func (l *betaflightLink) skip() {
	if l.conn.SetReadDeadline(time.Now().Add(time.Millisecond)) != nil {
		return
	}
	for range mostSkipped {
		if _, _, err := l.conn.ReadFromUDPAddrPort(l.memory[:]); err != nil {
			return
		}
	}
}

// take reads a packet. False: it asks for nothing.
func (l *betaflightLink) take(packet []byte, from netip.AddrPort, now time.Time) (out outputs, ok bool) {
	o, err := betaflight.ParseOutputs(packet)
	if !l.admits(from, now, err) {
		return out, false
	}
	if from != l.peer {
		l.log.Info("betaflight: an autopilot is connected", "from", from.String(), "motors", o.Motors)
		l.peer = from
	}
	l.heard = now
	out = outputs{pulses: make([]float64, len(o.Pulses)), armed: true}
	for i, x := range o.Pulses {
		out.pulses[i] = float64(x)
	}
	return out, true
}

// send sends the newest state to where the autopilot was heard from, and before that to this machine.
func (l *betaflightLink) send() {
	l.told++
	own := l.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	to := l.peer.Addr()
	if !to.IsValid() {
		if to = own.Addr(); to.IsUnspecified() {
			to = netip.AddrFrom4([4]byte{127, 0, 0, 1})
		}
	}
	_, _ = l.conn.WriteToUDPAddrPort(l.state, netip.AddrPortFrom(to, own.Port()+statePort))
}

// betaflightState is a motion in the words of the interface.
func betaflightState(m *motion) *betaflight.State {
	const degrees = 180 / math.Pi
	return &betaflight.State{Time: (epoch + m.time).Seconds(), Gyro: array(m.gyro), Accel: array(m.force),
		Quaternion: [4]float64{m.attitude.W, m.attitude.X, m.attitude.Y, m.attitude.Z},
		Velocity:   array(m.ground), Pressure: m.pascal,
		Position: [3]float64{m.place.Longitude * degrees, m.place.Latitude * degrees, m.place.Altitude}}
}
