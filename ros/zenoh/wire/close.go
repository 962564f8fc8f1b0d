package wire

import "fmt"

// Close ends a session or a link of it.
type Close struct {
	Session bool // all of it, not the link alone
	Reason  Reason
}

// Reason says why.
type Reason uint8

// Reasons that are known.
const (
	Generic Reason = iota
	Unsupported
	Invalid
	MaxSessions
	MaxLinks
	Expired
	Unresponsive
	ConnectionToSelf
)

// String is the reason in words.
func (r Reason) String() string {
	words := [...]string{"without a reason", "what was asked for is not supported", "a message was invalid",
		"it has as many sessions as it takes", "it has as many links of this session as it takes",
		"the lease ran out", "it does not answer", "it is this session itself"}
	if int(r) < len(words) {
		return words[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

const (
	idClose     = 0x03
	flagSession = 0x20
)

// Append encodes the message.
func (m *Close) Append(b []byte) []byte {
	header := byte(idClose)
	if m.Session {
		header |= flagSession
	}
	return append(b, header, byte(m.Reason))
}

func (c *cursor) close() (m Close) {
	header := c.octet()
	m.Session, m.Reason = header&flagSession != 0, Reason(c.octet())
	c.extensions(header&flagExt != 0, "Close", none)
	return m
}

// KeepAlive says that its sender is there.
type KeepAlive struct{}

const idKeepAlive = 0x04

// Append encodes the message.
func (m *KeepAlive) Append(b []byte) []byte { return append(b, idKeepAlive) }

func (c *cursor) keepAlive() (m KeepAlive) {
	c.extensions(c.octet()&flagExt != 0, "KeepAlive", none)
	return m
}
