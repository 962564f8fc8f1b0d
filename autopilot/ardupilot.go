package autopilot

import (
	"log/slog"
	"net/netip"
	"time"

	"simdeck/autopilot/ardupilot"
	"simdeck/sim/r3"
)

const (
	// resendPause is the wall time after which a packet that comes again is answered again: before, the
	// answer is on its way.
	resendPause = 500 * time.Millisecond
	// silence is that after which another autopilot may take the place of one that says nothing.
	silence = 2 * time.Second
)

// arduPilotLink is the way to an ArduPilot: UDP, one packet for each answer.
type arduPilotLink struct {
	udpLink
	frame  uint32
	begun  bool
	answer []byte
	sent   time.Time
	memory [ardupilot.MaxServos + 1]byte
}

func listenArduPilot(address string, log *slog.Logger) (*arduPilotLink, error) {
	l, err := listenUDP(address, "ardupilot", log)
	return &arduPilotLink{udpLink: l}, err
}

// exchange implements link.
func (l *arduPilotLink) exchange(m *motion, isNew bool, until time.Time) (outputs, bool, error) {
	if isNew && l.begun {
		l.answer = ardupilot.AppendState(l.answer[:0], arduPilotState(m))
		l.send()
	}
	return l.receive(l.memory[:], until, l.take)
}

// take reads a packet. False: nothing is asked by it.
func (l *arduPilotLink) take(packet []byte, from netip.AddrPort, now time.Time) (out outputs, ok bool) {
	s, err := ardupilot.ParseServos(packet)
	if !l.admits(from, now, err) {
		return out, false
	}
	switch {
	case from != l.peer:
		l.log.Info("ardupilot: an autopilot is connected", "from", from.String(), "rate", s.Rate,
			"channels", len(s.Channels))
		l.peer, l.answer = from, l.answer[:0]
	case s.Frame == l.frame:
		l.heard = now
		if len(l.answer) > 0 && now.Sub(l.sent) > resendPause {
			l.send()
		}
		return out, false
	case s.Frame < l.frame:
		l.log.Info("ardupilot: the autopilot has started again")
	}
	l.begun, l.heard, l.frame = true, now, s.Frame
	out = outputs{pulses: make([]float64, len(s.Channels)), armed: true}
	for i, pulse := range s.Channels {
		out.pulses[i] = float64(pulse)
	}
	if s.Rate > 0 {
		out.period = time.Second / time.Duration(s.Rate)
	}
	return out, true
}

// send sends the newest answer. One that is lost is asked for again.
func (l *arduPilotLink) send() {
	l.sent = time.Now()
	_, _ = l.conn.WriteToUDPAddrPort(l.answer, l.peer)
}

// arduPilotState is a motion in the words of the interface.
func arduPilotState(m *motion) *ardupilot.State {
	s := &ardupilot.State{Time: m.time.Seconds(), Gyro: array(m.gyro), Accel: array(m.force),
		Position: array(m.position), Velocity: array(m.velocity), Ranges: m.ranges, Free: m.free,
		Quaternion: [4]float64{m.attitude.W, m.attitude.X, m.attitude.Y, m.attitude.Z}}
	if m.air != nil {
		s.AirSpeed = &m.air.Speed
	}
	if m.battery != nil {
		s.Battery = &ardupilot.Battery{Voltage: m.battery.Voltage, Current: m.battery.Current}
	}
	return s
}

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// rate lets one thing a second pass.
type rate struct{ last time.Time }

func (r *rate) pass(now time.Time) bool {
	if now.Sub(r.last) < time.Second {
		return false
	}
	r.last = now
	return true
}
