package wire

import "time"

// BuiltinEndpoints is the set that we announce: participant, publications and subscriptions, each written and
// read, and participant messages (RTPS 2.2 §9.3.2, BuiltinEndpointSet_t).
const BuiltinEndpoints = 0x0c3f

// Bits of a built-in endpoint set.
const (
	BuiltinPublicationsWriter  = 1 << 2
	BuiltinPublicationsReader  = 1 << 3
	BuiltinSubscriptionsWriter = 1 << 4
	BuiltinSubscriptionsReader = 1 << 5
	BuiltinMessageWriter       = 1 << 10
	BuiltinMessageReader       = 1 << 11
)

// DefaultLease is the lease of a participant that announces none.
const DefaultLease = 100 * time.Second

// Property is a name and a value (RTPS 2.2 §9.6.2.2.1, PropertyList).
type Property struct{ Name, Value string }

// ParticipantData is a participant's announcement of itself (RTPS 2.2 §8.5.3.2,
// SPDPdiscoveredParticipantData; §9.6.2.2).
type ParticipantData struct {
	Version    ProtocolVersion
	Vendor     VendorID
	GUID       GUID
	Builtin    uint32
	Lease      time.Duration // 0 = infinite
	Meta, User []Locator     // unicast, for discovery and for samples; other kinds than UDPv4 are left out
	Domain     uint32
	HasDomain  bool // Fast DDS 2 does not tell its domain
	DomainTag  string
	Name       string
	UserData   []byte
	Properties []Property
	hasBuiltin bool // while parsing
}

// ParseParticipantData reads the payload of an SPDP sample, with its encapsulation header. GUID and built-in
// set must be there.
func ParseParticipantData(b []byte) (ParticipantData, int, error) {
	c, err := parseEncapsulation(b, EncapsulationPLCDR, "participant data")
	if err != nil {
		return ParticipantData{}, 0, err
	}
	p := ParticipantData{Lease: DefaultLease}
	n, err := eachParameter(c.b, c.big, p.take)
	if err != nil {
		return ParticipantData{}, 0, err
	}
	if p.GUID.IsZero() || p.GUID.Entity != EntityParticipant || !p.hasBuiltin {
		return ParticipantData{}, 0, malformed("participant data", "GUID %s, built-in set %v", p.GUID,
			p.hasBuiltin)
	}
	p.hasBuiltin = false
	return p, EncapsulationSize + n, nil
}

func (p *ParticipantData) take(id uint16, v *cursor) bool {
	switch id {
	case PIDProtocolVersion:
		p.Version = ProtocolVersion{v.u8(), v.u8()}
	case PIDVendorID:
		p.Vendor = VendorID(v.u8())<<8 | VendorID(v.u8())
	case PIDParticipantGUID:
		p.GUID = v.guid()
	case PIDBuiltinEndpointSet:
		p.Builtin, p.hasBuiltin = v.u32(), true
	case PIDLease:
		p.Lease = Duration{int32(v.u32()), v.u32()}.Duration()
	case PIDMetatrafficUnicast:
		p.Meta = v.locators(p.Meta)
	case PIDDefaultUnicast:
		p.User = v.locators(p.User)
	case PIDDomainID:
		p.Domain, p.HasDomain = v.u32(), true
	case PIDDomainTag:
		p.DomainTag = v.str()
	case PIDEntityName:
		p.Name = v.str()
	case PIDUserData:
		p.UserData = v.octets()
	case PIDPropertyList:
		p.Properties = v.properties()
	default:
		return false
	}
	return true
}

// maxLocators bounds what one parameter list may fill; the core keeps fewer.
const maxLocators = 64

// locators adds a locator if it is usable and new.
func (c *cursor) locators(to []Locator) []Locator {
	l := Locator{Kind: int32(c.u32()), Port: c.u32()}
	copy(l.Address[:], c.take(16))
	if !l.Usable() || len(to) >= maxLocators {
		return to
	}
	for _, have := range to {
		if have == l {
			return to
		}
	}
	return append(to, l)
}

func (c *cursor) properties() []Property {
	n := c.u32()
	if uint64(n)*8 > uint64(len(c.b)-c.off) { // two lengths each (CVE-2025-62602)
		c.short = true
		return nil
	}
	var out []Property
	for range n {
		c.align()
		name := c.str()
		c.align()
		out = append(out, Property{name, c.str()})
	}
	return out
}

// Append adds the payload of an SPDP sample, with its encapsulation header.
func (p ParticipantData) Append(b []byte) []byte {
	l := list{b: append(b, headerPLCDR...)}
	l.octets(PIDProtocolVersion, p.Version.Major, p.Version.Minor)
	l.octets(PIDVendorID, byte(p.Vendor>>8), byte(p.Vendor))
	l.guid(PIDParticipantGUID, p.GUID)
	l.u32(PIDBuiltinEndpointSet, p.Builtin)
	l.duration(PIDLease, p.Lease)
	l.locators(PIDMetatrafficUnicast, p.Meta)
	l.locators(PIDDefaultUnicast, p.User)
	if p.HasDomain {
		l.u32(PIDDomainID, p.Domain)
	}
	if p.DomainTag != "" {
		l.str(PIDDomainTag, p.DomainTag)
	}
	if p.Name != "" {
		l.str(PIDEntityName, p.Name)
	}
	l.userData(p.UserData)
	if len(p.Properties) > 0 {
		l.properties(p.Properties)
	}
	return l.end()
}

func (l *list) duration(id uint16, d time.Duration) {
	w := DurationOf(d)
	l.u32(id, uint32(w.Seconds), w.Fraction)
}

func (l *list) properties(ps []Property) {
	l.open(PIDPropertyList)
	l.b = appendU32(l.b, uint32(len(ps)))
	for _, p := range ps {
		l.b = appendString(pad4(l.b, l.start), p.Name)
		l.b = appendString(pad4(l.b, l.start), p.Value)
	}
	l.close()
}
