package msgs

import (
	"fmt"

	"simdeck/ros/cdr"
)

// Message is implemented by a pointer to every generated struct. The names and the hash are the type's own:
// they may be asked of a nil pointer.
type Message interface {
	// AppendCDR appends the message to a payload. b must begin with the encapsulation header, see
	// cdr.AppendHeader.
	AppendCDR(b []byte) []byte
	// ReadCDR overwrites every field with what r gives; r.Err tells afterwards whether it can be used. Slices
	// and equal strings keep their memory: a message that was copied by assignment must not be read into
	// again.
	ReadCDR(r *cdr.Reader)
	// SetDefaults gives every field the default of its definition, or zero.
	SetDefaults()
	// Validate fails with cdr.ErrBound when a bounded string or sequence is too long to be sent.
	Validate() error
	// TypeName is the ROS name, "geometry_msgs/msg/Twist".
	TypeName() string
	// DDSTypeName is the name in DDS discovery, "geometry_msgs::msg::dds_::Twist_".
	DDSTypeName() string
	// TypeHash is the RIHS01 hash of the type, "RIHS01_…".
	TypeHash() string
}

// Of is the constraint of a type parameter that is a *T and a Message. Generic code can make a T and use it:
// func NewPublisher[T any, P msgs.Of[T]](…).
type Of[T any] interface {
	*T
	Message
}

// Encode writes the payload of m, encapsulation header and body, into the memory of buf, whose contents are
// lost. It fails, and writes nothing, when m does not validate.
func Encode(buf []byte, m Message) ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("%s cannot be sent: %w", m.TypeName(), err)
	}
	return m.AppendCDR(cdr.AppendHeader(buf[:0])), nil
}

// Decode reads a payload, encapsulation header and body, into m; bytes after the message do not matter. After
// an error, which wraps a *cdr.Error, the contents of m mean nothing.
func Decode(payload []byte, m Message) error {
	var r cdr.Reader
	r.Reset(payload)
	m.ReadCDR(&r)
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s in %d bytes: %w", m.TypeName(), len(payload), err)
	}
	return nil
}
