package wire

// EndpointData is a participant's announcement of one of its endpoints (RTPS 2.2 §8.5.4.4,
// DiscoveredWriterData and DiscoveredReaderData; §9.6.2.2).
type EndpointData struct {
	GUID        GUID
	Topic, Type string
	QoS         EndpointQoS
	UserData    []byte
	Unicast     []Locator // instead of the participant's, when there are any
}

// ParseEndpointData reads the payload of an SEDP sample, with its encapsulation header. GUID, topic and type
// must be there. writer chooses the default reliability: writers are reliable, readers are not.
func ParseEndpointData(b []byte, writer bool) (EndpointData, int, error) {
	c, err := parseEncapsulation(b, EncapsulationPLCDR, "endpoint data")
	if err != nil {
		return EndpointData{}, 0, err
	}
	e := EndpointData{QoS: EndpointQoS{Reliability: ReliabilityBestEffort}}
	if writer {
		e.QoS.Reliability = ReliabilityReliable
	}
	n, err := eachParameter(c.b, c.big, e.take)
	if err != nil {
		return EndpointData{}, 0, err
	}
	if e.GUID.IsZero() || e.Topic == "" || e.Type == "" {
		return EndpointData{}, 0, malformed("endpoint data", "GUID %s, topic %q, type %q: all must be there",
			e.GUID, e.Topic, e.Type)
	}
	return e, EncapsulationSize + n, nil
}

func (e *EndpointData) take(id uint16, v *cursor) bool {
	switch id {
	case PIDEndpointGUID:
		e.GUID = v.guid()
	case PIDKeyHash: // Fast DDS takes it for the GUID as well
		if g := v.guid(); e.GUID.IsZero() {
			e.GUID = g
		}
	case PIDTopicName:
		e.Topic = v.str()
	case PIDTypeName:
		e.Type = v.str()
	case PIDUserData:
		e.UserData = v.octets()
	case PIDUnicastLocator:
		e.Unicast = v.locators(e.Unicast)
	default:
		return e.QoS.take(id, v)
	}
	return true
}

// Append adds the payload of an SEDP sample, with its encapsulation header.
func (e EndpointData) Append(b []byte) []byte {
	l := list{b: append(b, headerPLCDR...)}
	l.guid(PIDEndpointGUID, e.GUID)
	l.guid(PIDParticipantGUID, GUID{e.GUID.Prefix, EntityParticipant})
	l.str(PIDTopicName, e.Topic)
	l.str(PIDTypeName, e.Type)
	e.QoS.append(&l)
	l.userData(e.UserData)
	l.locators(PIDUnicastLocator, e.Unicast)
	l.guid(PIDKeyHash, e.GUID)
	return l.end()
}

// Key is the payload of a change that only says which participant or endpoint it is about: one that is gone
// (RTPS 2.2 §9.6.3.4).
type Key struct {
	ID   uint16 // PIDParticipantGUID or PIDEndpointGUID
	GUID GUID
}

// ParseKey reads a key payload with its encapsulation header.
func ParseKey(b []byte) (Key, int, error) {
	c, err := parseEncapsulation(b, EncapsulationPLCDR, "key")
	if err != nil {
		return Key{}, 0, err
	}
	var k Key
	n, err := eachParameter(c.b, c.big, func(id uint16, v *cursor) bool {
		if id == PIDParticipantGUID && k.ID != 0 || id != PIDParticipantGUID && id != PIDEndpointGUID {
			return false
		}
		k = Key{id, v.guid()}
		return true
	})
	if err == nil && k.GUID.IsZero() {
		err = malformed("key", "no GUID")
	}
	return k, EncapsulationSize + n, err
}

// Append adds the key payload with its encapsulation header.
func (k Key) Append(b []byte) []byte {
	l := list{b: append(b, headerPLCDR...)}
	l.guid(k.ID, k.GUID)
	return l.end()
}
