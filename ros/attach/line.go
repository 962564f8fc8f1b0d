package attach

import (
	"errors"
	"fmt"
	"slices"

	"simdeck/ros/msgs"
	"simdeck/ros/node"
)

// Line is a release line of simulation_interfaces. Lines share the names of
// types and differ on the wire, so that only a type hash tells them apart.
type Line uint8

// Lines. A service whose definition is the same in several is of LineAny.
const (
	LineUnknown Line = iota // announces a hash that no line has
	LineAny
	Line2     // 2.0, 2.1
	Line1     // 1.4 Humble, 1.5 Jazzy, 1.6 Kilted
	LineDraft // SpawnEntities with parallel arrays
)

// String is the line as people write it.
func (l Line) String() string {
	switch l {
	case LineAny:
		return "any"
	case Line2:
		return "2.x"
	case Line1:
		return "1.x"
	case LineDraft:
		return "draft"
	}
	return "unknown"
}

// ParseLine reads "2.x", "1.x" or "draft". Errors wrap ErrLine.
func ParseLine(text string) (Line, error) {
	for _, l := range []Line{Line2, Line1, LineDraft} {
		if text == l.String() {
			return l, nil
		}
	}
	return LineUnknown, fmt.Errorf("%w: %q; want 2.x, 1.x or draft", ErrLine, text)
}

// ErrLine is wrapped by the error about a line that there is not.
var ErrLine = errors.New("no such line of simulation_interfaces")

// dialect is a service as one line has it. Requests and responses are those of
// the line; down and up turn neutral ones into them and back.
type dialect struct {
	line       Line
	request    string // RIHS01 of the request's definition
	response   string
	service    string // of the service as a whole
	newRequest func() msgs.Message
	dial       dialer
	down       func(neutral msgs.Message) msgs.Message // nil: it is the same
	up         func(spoken msgs.Message) msgs.Message  // nil: it is the same
}

// speech makes the dialect of a service that needs no codec.
func speech[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](line Line, svc msgs.Service[Q, S]) dialect {
	return dialect{line: line, request: PQ(nil).TypeHash(), response: PS(nil).TypeHash(),
		service: svc.Hash, newRequest: svc.NewRequest, dial: dialing[Q, S, PQ, PS](svc)}
}

// translated makes the dialect of a service whose requests or responses differ
// from the neutral ones.
func translated[NQ, NS, Q, S any, PNQ msgs.Of[NQ], PNS msgs.Of[NS], PQ msgs.Of[Q], PS msgs.Of[S]](
	line Line, _ msgs.Service[NQ, NS], svc msgs.Service[Q, S], down func(*NQ) *Q, up func(*S) *NS) dialect {
	d := speech[Q, S, PQ, PS](line, svc)
	d.down = func(m msgs.Message) msgs.Message { return PQ(down((*NQ)(m.(PNQ)))) }
	d.up = func(m msgs.Message) msgs.Message { return PNS(up((*S)(m.(PS)))) }
	return d
}

// fits reports whether a server speaks the dialect, by the hashes that it announces: there may be none for
// the response. A server without any is Humble's, which has 1.x.
func (d *dialect) fits(r *node.RemoteServer) bool {
	switch {
	case len(r.Services) > 0:
		return slices.Contains(r.Services, d.service)
	case r.RequestHash == "":
		return d.line == LineAny || d.line == Line1
	}
	return d.request == r.RequestHash && (d.response == r.ResponseHash || r.ResponseHash == "")
}
