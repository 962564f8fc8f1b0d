package wire

import "fmt"

// Response is an answer to a query. There may be several; ResponseFinal ends them.
type Response struct {
	Request   uint32 // its ID
	Key       KeyExpr
	QoS       QoS // 0: Data
	Responder ID  // session that answers; zero: not told
	Entity    uint32
	Failed    bool // the value is an error
	Value     Value
}

// ResponseFinal says that no more answers to a query come.
type ResponseFinal struct {
	Request uint32
}

const (
	idResponse      = 0x1b
	idResponseFinal = 0x1a
	idReply         = 0x04
	idErr           = 0x05
)

// Append encodes the message.
func (m *Response) Append(b []byte) []byte {
	at := len(b)
	b = AppendZInt(append(b, idResponse|m.Key.flags()), uint64(m.Request))
	x := extender{b: m.Key.append(b)}
	if m.QoS != 0 && m.QoS != Data {
		x.number(extQoS, uint64(m.QoS))
	}
	if m.Responder != (ID{}) {
		var scratch [32]byte
		x.octets(extResponder, AppendZInt(m.Responder.appendSized(scratch[:0], 0), uint64(m.Entity)))
	}
	if x.last > 0 {
		x.b[at] |= flagExt
	}
	if !m.Failed {
		return m.Value.append(append(x.b, idReply))
	}
	header := byte(idErr)
	if !m.Value.Encoding.none() {
		header |= flagCoded
	}
	b = append(x.b, header)
	if !m.Value.Encoding.none() {
		b = m.Value.Encoding.append(b)
	}
	return AppendOctets(b, m.Value.Payload)
}

func (c *cursor) response() (m Response) {
	header := c.octet()
	m.Request, m.Key, m.QoS = uint32(c.bounded(32)), c.keyExpr(header), Data
	c.extensions(header&flagExt != 0, "Response", func(e extension) bool {
		switch e.kind {
		case extQoS:
			m.QoS = QoS(e.number)
		case extResponder:
			who := cursor{left: e.octets}
			m.Responder, _ = who.sizedID()
			m.Entity = uint32(who.bounded(32))
			if who.err != nil {
				c.fail(who.err)
			}
		default:
			return false
		}
		return true
	})
	switch header = c.octet(); header & idMask {
	case idReply:
		if header&flagConsolidation != 0 {
			c.octet()
		}
		c.extensions(header&flagExt != 0, "Reply", none)
		m.Value = c.value()
	case idErr:
		m.Failed = true
		if header&flagCoded != 0 {
			m.Value.Encoding = c.encoding()
		}
		c.extensions(header&flagExt != 0, "Err", none)
		m.Value.Payload = c.octets()
	default:
		c.fail(fmt.Errorf("%w: a response carries %#x, want a reply or an error", ErrMalformed, header&idMask))
	}
	return m
}

// Append encodes the message.
func (m *ResponseFinal) Append(b []byte) []byte {
	return AppendZInt(append(b, idResponseFinal), uint64(m.Request))
}

func (c *cursor) responseFinal() (m ResponseFinal) {
	header := c.octet()
	m.Request = uint32(c.bounded(32))
	c.extensions(header&flagExt != 0, "ResponseFinal", func(e extension) bool { return e.kind == extQoS })
	return m
}
