package rtps

import (
	"fmt"
	"strings"

	"simdeck/ros/rtps/wire"
)

// show writes one line for a datagram, with what the filter lets through.
func (s *script) show(from, to string, b []byte, lost bool) {
	_, off, err := wire.ParseHeader(b)
	if err != nil {
		panic(err) // of our own making
	}
	var parts []string
	for off < len(b) {
		m, n, err := wire.ParseSubmessage(b[off:])
		if err != nil {
			panic(err)
		}
		if text, user, spdp := tellSubmessage(m.ID, b[off:off+n]); text != "" &&
			(s.filter == "all" || s.filter == "user" && user || s.filter == "spdp" && spdp) {
			parts = append(parts, text)
		}
		off += n
	}
	if len(parts) == 0 {
		return
	}
	arrow := "→"
	if lost {
		arrow = "✗"
	}
	fmt.Fprintf(&s.out, "%v %s %s %s: %s\n", s.now.Sub(s.start), from, arrow, to, strings.Join(parts, ", "))
}

// ofUser tells whether a datagram holds something of a user endpoint.
func ofUser(b []byte) bool {
	for off := wire.HeaderSize; off < len(b); {
		m, n, err := wire.ParseSubmessage(b[off:])
		if err != nil {
			panic(err) // of our own making
		}
		if _, user, _ := tellSubmessage(m.ID, b[off:off+n]); user {
			return true
		}
		off += n
	}
	return false
}

// tellSubmessage describes a submessage, and tells whether it is of a user endpoint and whether of
// participant discovery.
func tellSubmessage(id uint8, b []byte) (text string, user, spdp bool) {
	switch id {
	case wire.IDData:
		d, _, _ := wire.ParseData(b)
		q, _, _ := wire.ParseInlineQoS(d.InlineQoS, false)
		kind := [...]string{"", " data", " key"}[d.Content]
		if q.Status != 0 {
			kind += " disposed"
		}
		return fmt.Sprintf("DATA %s %d%s", d.Writer, d.SN, kind), !d.Writer.IsBuiltin(),
			d.Writer == wire.EntitySPDPWriter
	case wire.IDDataFrag:
		d, _, _ := wire.ParseDataFrag(b)
		return fmt.Sprintf("DATA_FRAG %d #%d", d.SN, d.Start), true, false
	case wire.IDHeartbeat:
		h, _, _ := wire.ParseHeartbeat(b)
		return fmt.Sprintf("HEARTBEAT %s %d..%d%s", h.Writer, h.First, h.Last, final(h.Final)),
			!h.Writer.IsBuiltin(), false
	case wire.IDHeartbeatFrag:
		h, _, _ := wire.ParseHeartbeatFrag(b)
		return fmt.Sprintf("HEARTBEAT_FRAG %d up to #%d", h.SN, h.Last), true, false
	case wire.IDAckNack:
		a, _, _ := wire.ParseAckNack(b)
		var missing []string
		for sn := a.State.Base; sn < a.State.End(); sn++ {
			if a.State.Contains(sn) {
				missing = append(missing, fmt.Sprint(sn))
			}
		}
		return fmt.Sprintf("ACKNACK %s base %d [%s]%s", a.Writer, a.State.Base, strings.Join(missing, " "),
			final(a.Final)), !a.Writer.IsBuiltin(), false
	case wire.IDNackFrag:
		f, _, _ := wire.ParseNackFrag(b)
		var missing []string
		for n := f.State.Base; n < f.State.Base+f.State.NumBits; n++ {
			if f.State.Contains(n) {
				missing = append(missing, fmt.Sprint("#", n))
			}
		}
		return fmt.Sprintf("NACK_FRAG %d [%s]", f.SN, strings.Join(missing, " ")), true, false
	case wire.IDGap:
		g, _, _ := wire.ParseGap(b)
		return fmt.Sprintf("GAP %s %d..%d", g.Writer, g.Start, g.List.Base-1), !g.Writer.IsBuiltin(), false
	}
	return "", false, false
}

func final(f bool) string {
	if f {
		return " final"
	}
	return ""
}
