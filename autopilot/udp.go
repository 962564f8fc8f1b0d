package autopilot

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"time"
)

// udpLink is the part of a link over UDP that the protocols share: one autopilot at a time is heard.
type udpLink struct {
	conn     *net.UDPConn
	log      *slog.Logger
	protocol string         // for the log
	peer     netip.AddrPort // from which it sends
	heard    time.Time      // zero: never
	wrong    rate           // packets that were no packets of it
	stranger rate           // packets of others
}

func listenUDP(address, protocol string, log *slog.Logger) (udpLink, error) {
	at, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return udpLink{}, err
	}
	conn, err := net.ListenUDP("udp", at)
	return udpLink{conn: conn, log: log, protocol: protocol}, err
}

func (l *udpLink) address() net.Addr { return l.conn.LocalAddr() }

func (l *udpLink) close() { _ = l.conn.Close() }

// receive reads packets into memory until take makes outputs of one. False: none has come by then.
func (l *udpLink) receive(memory []byte, until time.Time,
	take func([]byte, netip.AddrPort, time.Time) (outputs, bool)) (outputs, bool, error) {
	if err := l.conn.SetReadDeadline(until); err != nil {
		return outputs{}, false, err
	}
	for {
		n, from, err := l.conn.ReadFromUDPAddrPort(memory)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return outputs{}, false, nil
		}
		if errors.Is(err, net.ErrClosed) {
			return outputs{}, false, err
		}
		if err != nil { // nobody is at the peer's port, as the answer to a packet told
			continue
		}
		if out, ok := take(memory[:n], from, time.Now()); ok {
			return out, true, nil
		}
	}
}

// admits reports that a packet is one of the autopilot that is heard, or of one that may take its place. Its
// fault is err; nil: it has none.
func (l *udpLink) admits(from netip.AddrPort, now time.Time, err error) bool {
	switch {
	case err != nil:
		if l.wrong.pass(now) {
			l.log.Warn(l.protocol+": a packet is skipped", "from", from.String(), "error", err)
		}
		return false
	case from != l.peer && now.Sub(l.heard) < silence:
		if l.stranger.pass(now) {
			l.log.Warn(l.protocol+": a second autopilot is not heard", "from", from.String(),
				"first", l.peer.String())
		}
		return false
	}
	return true
}
