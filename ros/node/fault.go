package node

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
)

// Fault is a panic of this program that something from the network has brought to light. It was recovered
// from, and what came was dropped.
type Fault struct {
	At    time.Time
	Where string // place of the fault: "a datagram", "the handler of service /spawn_entity"
	From  string // address or GUID of the sender, as far as known
	Data  []byte // the datagram or the message as it is serialised, cut
	Size  int    // octets of all of it
	Value string // of the panic
	Stack string
}

const (
	// Of faults faultBurst are told at once, then one each faultPause; all are counted.
	faultBurst = 8
	faultPause = 5 * time.Second
	// faultHex bounds the octets that the log shows; faultData those that are kept.
	faultHex, faultData = 256, 2048
)

// faults counts and tells of them.
type faults struct {
	handler func(Fault) // nil: only the log is told

	mu    sync.Mutex
	count uint64
	left  int // that may be told now
	since time.Time
}

// take counts a fault and tells of it unless there were many.
func (f *faults) take(log *slog.Logger, x Fault) {
	f.mu.Lock()
	f.count++
	if n := int(x.At.Sub(f.since) / faultPause); n > 0 {
		f.left, f.since = min(faultBurst, f.left+n), x.At
	}
	tell := f.left > 0
	if tell {
		f.left--
	}
	f.mu.Unlock()
	if tell {
		f.say(log, x)
	}
}

func (f *faults) say(log *slog.Logger, x Fault) {
	x.Data = x.Data[:min(len(x.Data), faultData)]
	log.Error("panic of simdeck in "+x.Where+"; the message was dropped, please report it",
		"from", x.From, "octets", x.Size,
		"data", hex.EncodeToString(x.Data[:min(len(x.Data), faultHex)]), "panic", x.Value, "stack", x.Stack)
	if f.handler != nil {
		f.handler(x)
	}
}

// caught notes the panic of a handler on a message; nil where there is none at hand. It is called while the
// panic is recovered from.
func (n *Node) caught(where, from string, m msgs.Message, value any) {
	x := Fault{At: time.Now(), Where: where, From: from, Value: fmt.Sprint(value),
		Stack: string(debug.Stack())}
	if m != nil {
		x.Data = m.AppendCDR([]byte{0, 1, 0, 0})
		x.Size = len(x.Data)
	}
	n.context.faults.take(n.log, x)
}

// tellNotices logs the participant's notices: peers with refused data, and its own faults.
func (x *Context) tellNotices(ctx context.Context) {
	w := x.participant.Watch()
	defer w.Close()
	for {
		for _, n := range x.participant.Notices() {
			x.tell(n)
		}
		select {
		case <-w.C():
		case <-ctx.Done():
			return
		}
	}
}

func (x *Context) tell(n rtps.Notice) {
	from := n.From.String() + " " + n.Participant.String()
	if f := n.Fault; f != nil {
		where := "a datagram"
		if f.Size == 0 {
			where, from = "what was to be sent", ""
		}
		x.faults.say(x.log(), Fault{At: n.At, Where: where, From: from, Data: f.Datagram, Size: f.Size,
			Value: f.Value, Stack: string(f.Stack)})
		return
	}
	if n.Gone != "" {
		x.log().Debug("a participant is gone that has not taken its leave", "participant", n.Participant.String(),
			"from", n.From.String(), "because", n.Gone)
		return
	}
	args := []any{"participant", n.Participant.String(), "from", n.From.String(), "limit", n.Limit}
	if n.Topic != "" {
		name, _ := rosName(n.Topic)
		args = append(args, "topic", name)
	}
	x.log().Warn("a participant has reached a limit: what is beyond it is refused", args...)
}
