package wire

import (
	"errors"
	"fmt"
)

// Parameter ids that are used here (RTPS 2.2 §9.6.2.2.2, table 9.12; DDS-XTypes 1.3 §7.6.2; DDS-RPC 1.0
// §7.6.2).
const (
	PIDPad                 = 0x0000
	PIDSentinel            = 0x0001
	PIDLease               = 0x0002
	PIDTimeBasedFilter     = 0x0004
	PIDTopicName           = 0x0005
	PIDOwnershipStrength   = 0x0006
	PIDTypeName            = 0x0007
	PIDDomainID            = 0x000f
	PIDProtocolVersion     = 0x0015
	PIDVendorID            = 0x0016
	PIDReliability         = 0x001a
	PIDLiveliness          = 0x001b
	PIDDurability          = 0x001d
	PIDOwnership           = 0x001f
	PIDDeadline            = 0x0023
	PIDPartition           = 0x0029
	PIDLifespan            = 0x002b
	PIDUserData            = 0x002c
	PIDUnicastLocator      = 0x002f
	PIDDefaultUnicast      = 0x0031
	PIDMetatrafficUnicast  = 0x0032
	PIDHistory             = 0x0040
	PIDParticipantGUID     = 0x0050
	PIDBuiltinEndpointSet  = 0x0058
	PIDPropertyList        = 0x0059
	PIDEndpointGUID        = 0x005a
	PIDEntityName          = 0x0062
	PIDKeyHash             = 0x0070
	PIDStatusInfo          = 0x0071
	PIDRepresentation      = 0x0073
	PIDRelatedSample       = 0x0083
	PIDDomainTag           = 0x4014
	PIDRelatedSampleLegacy = 0x800f // the same for Fast DDS 2.6 and before

	pidMustUnderstand = 0x4000
	pidVendor         = 0x8000
)

// ErrNotUnderstood says that a parameter list holds a parameter that is not known here but must be.
var ErrNotUnderstood = errors.New("rtps: unknown parameter that must be understood")

// Parameter is one entry of a parameter list (RTPS 2.2 §9.4.2.11).
type Parameter struct {
	ID    uint16
	Value []byte // points into the list
}

// ParseParameter reads the parameter at the start of b. Its value never reaches beyond b.
func ParseParameter(b []byte, big bool) (Parameter, int, error) {
	c := cursor{b: b, big: big}
	p := Parameter{ID: c.u16()}
	n := int(c.u16())
	if p.ID == PIDSentinel { // its length means nothing
		n = 0
	}
	if n%4 != 0 {
		return Parameter{}, 0, malformed("parameter", "id %#04x has %d octets, not a multiple of 4", p.ID, n)
	}
	p.Value = c.take(n)
	return p, c.off, c.err("parameter")
}

// Append adds the parameter, its value padded to four octets.
func (p Parameter) Append(b []byte) []byte {
	n := (len(p.Value) + 3) &^ 3
	b = appendU16(appendU16(b, p.ID), uint16(n))
	start := len(b)
	return pad4(append(b, p.Value...), start)
}

// parameterListLength measures a parameter list up to and with its sentinel.
func parameterListLength(b []byte, big bool) (int, error) {
	for off := 0; ; {
		p, n, err := ParseParameter(b[off:], big)
		if err != nil {
			return 0, err
		}
		off += n
		if p.ID == PIDSentinel {
			return off, nil
		}
	}
}

// eachParameter calls take for every parameter before the sentinel. take tells whether it knows the id.
func eachParameter(b []byte, big bool, take func(id uint16, value *cursor) bool) (int, error) {
	for off := 0; ; {
		p, n, err := ParseParameter(b[off:], big)
		if err != nil {
			return off, err
		}
		off += n
		if p.ID == PIDSentinel {
			return off, nil
		}
		value := cursor{b: p.Value, big: big}
		if !take(p.ID, &value) {
			if p.ID&(pidMustUnderstand|pidVendor) == pidMustUnderstand {
				return off, fmt.Errorf("%w: %#04x", ErrNotUnderstood, p.ID)
			}
			continue
		}
		if value.short {
			return off, value.err(fmt.Sprintf("parameter %#04x", p.ID))
		}
	}
}

// list builds a parameter list.
type list struct {
	b     []byte
	start int
}

// open starts a parameter; close pads it and writes its length.
func (l *list) open(id uint16) {
	l.start = len(l.b)
	l.b = appendU16(appendU16(l.b, id), 0)
}

func (l *list) close() {
	l.b = pad4(l.b, l.start)
	n := len(l.b) - l.start - 4
	l.b[l.start+2], l.b[l.start+3] = byte(n), byte(n>>8)
}

func (l *list) u32(id uint16, values ...uint32) {
	l.open(id)
	for _, v := range values {
		l.b = appendU32(l.b, v)
	}
	l.close()
}

func (l *list) octets(id uint16, v ...byte) {
	l.open(id)
	l.b = append(l.b, v...)
	l.close()
}

func (l *list) guid(id uint16, g GUID) {
	l.open(id)
	l.b = appendGUID(l.b, g)
	l.close()
}

func (l *list) str(id uint16, s string) {
	l.open(id)
	l.b = appendString(l.b, s)
	l.close()
}

func (l *list) userData(v []byte) {
	if len(v) == 0 {
		return
	}
	l.open(PIDUserData)
	l.b = append(appendU32(l.b, uint32(len(v))), v...)
	l.close()
}

func (l *list) locators(id uint16, locs []Locator) {
	for _, loc := range locs {
		l.open(id)
		l.b = loc.Append(l.b)
		l.close()
	}
}

func (l *list) end() []byte { return append(l.b, PIDSentinel, 0, 0, 0) }

// appendString adds length, octets and NUL (CDR, RTPS 2.2 §9.4.2.11 refers to it for strings in parameters).
func appendString(b []byte, s string) []byte {
	return append(append(appendU32(b, uint32(len(s)+1)), s...), 0)
}

// str reads a CDR string. Length 0 and a missing NUL are taken.
func (c *cursor) str() string {
	s := c.take(int(c.u32()))
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return string(s)
}

// align skips to the next multiple of four.
func (c *cursor) align() {
	if pad := -c.off & 3; pad <= len(c.b)-c.off {
		c.off += pad
	}
}

// octets reads a sequence of octets into memory of its own.
func (c *cursor) octets() []byte {
	s := c.take(int(c.u32()))
	if len(s) == 0 {
		return nil
	}
	return append([]byte(nil), s...)
}
