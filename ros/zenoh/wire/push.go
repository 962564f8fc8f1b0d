package wire

// QoS is the treatment of a message by routers: its priority in the lower three bits, 1 first and 7 last, and
// flags. 0 is the default: priority 5, and it may be dropped.
type QoS uint8

// Parts of QoS.
const (
	Control QoS = 0    // priority of declarations; in a frame that of what must come first
	Data    QoS = 5    // priority of everything else
	Block   QoS = 0x08 // wait for who is slow, do not drop
	Express QoS = 0x10 // do not wait for others to fill a batch
)

// Push carries a value to who subscribes a key.
type Push struct {
	Key   KeyExpr
	QoS   QoS // 0: Data
	Value Value
}

const idPush = 0x1d

// Append encodes the message.
func (m *Push) Append(b []byte) []byte {
	at := len(b)
	x := extender{b: m.Key.append(append(b, idPush|m.Key.flags()))}
	if m.QoS != 0 && m.QoS != Data {
		x.number(extQoS, uint64(m.QoS))
		x.b[at] |= flagExt
	}
	return m.Value.append(x.b)
}

func (c *cursor) push() (m Push) {
	header := c.octet()
	m.Key, m.QoS = c.keyExpr(header), Data
	c.extensions(header&flagExt != 0, "Push", func(e extension) bool {
		if e.kind == extQoS {
			m.QoS = QoS(e.number)
		}
		return e.kind == extQoS || e.kind == extNode
	})
	m.Value = c.value()
	return m
}
