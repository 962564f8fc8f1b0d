package wire

import (
	"bytes"
	"crypto/sha1"
	"fmt"
)

const (
	greeting  = "CTR"
	nameField = "\nRobot-Name: "
	// MaxGreeting bounds the bytes of a greeting.
	MaxGreeting = 1024

	maxEncodedName = 70
)

// Answers to a greeting.
const (
	Connected  = "CONNECTED"
	Failed     = "FAILED"     // there is no such robot, or several where none was named
	Processing = "PROCESSING" // there is no world yet; the controller tries again
	Forbidden  = "FORBIDDEN"  // the robot has a controller
)

// ParseGreeting reads the greeting of a controller over TCP, with the name of the robot that it wants; empty:
// the only one. Names are as EncodeName has them, before R2023b as they are. A greeting has no mark for its
// end.
func ParseGreeting(b []byte) (encoded string, err error) {
	rest, ok := bytes.CutPrefix(b, []byte(greeting))
	if !ok || len(b) > MaxGreeting {
		return "", fmt.Errorf("%w: a greeting that begins with %q; want %q", ErrMalformed, b[:min(8, len(b))],
			greeting)
	}
	if len(rest) == 0 {
		return "", nil
	}
	name, ok := bytes.CutPrefix(rest, []byte(nameField))
	if !ok {
		return "", fmt.Errorf("%w: a greeting goes on with %q; want %q", ErrMalformed, rest[:min(16, len(rest))],
			nameField)
	}
	for i, c := range name {
		if c < ' ' || c == 0x7f {
			return "", fmt.Errorf("%w: byte %d of the robot's name is %#x; want no control character", ErrMalformed,
				i, c)
		}
	}
	if len(name) == 0 {
		return "", fmt.Errorf("%w: an empty name of a robot", ErrMalformed)
	}
	return string(name), nil
}

// AppendGreeting writes a greeting as ParseGreeting reads it.
func AppendGreeting(dst []byte, encoded string) []byte {
	dst = append(dst, greeting...)
	if encoded == "" {
		return dst
	}
	return append(append(dst, nameField...), encoded...)
}

// EncodeName is the name of a robot in a greeting and in the path of a local socket. Everything but letters,
// digits and -._~ is a % and two digits. A long name is its SHA-1.
func EncodeName(robot string) string {
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, len(robot))
	for i := range len(robot) {
		switch c := robot[i]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9',
			c == '-' || c == '.' || c == '_' || c == '~':
			out = append(out, c)
		default:
			out = append(out, '%', digits[c>>4], digits[c&15])
		}
	}
	if len(out) > maxEncodedName {
		return fmt.Sprintf("%x", sha1.Sum(out))
	}
	return string(out)
}
