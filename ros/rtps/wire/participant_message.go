package wire

// ParticipantMessage is the sample of the writer liveliness protocol (RTPS 2.2 §8.4.13, §9.6.2.1,
// ParticipantMessageData).
type ParticipantMessage struct {
	Prefix GUIDPrefix
	Kind   uint32 // 1 automatic, 2 manual by participant; octets of one order only
	Data   []byte
}

// ParseParticipantMessage reads the payload with its encapsulation header.
func ParseParticipantMessage(b []byte) (ParticipantMessage, int, error) {
	c, err := parseEncapsulation(b, EncapsulationCDR, "participant message")
	if err != nil {
		return ParticipantMessage{}, 0, err
	}
	m := ParticipantMessage{Prefix: c.prefix(), Kind: uint32(c.entity())}
	m.Data = c.octets()
	return m, EncapsulationSize + c.off, c.err("participant message")
}

// Append adds the payload with its encapsulation header.
func (m ParticipantMessage) Append(b []byte) []byte {
	b = append(b, 0, EncapsulationCDR|1, 0, 0)
	b = appendEntity(append(b, m.Prefix[:]...), EntityID(m.Kind))
	return append(appendU32(b, uint32(len(m.Data))), m.Data...)
}
