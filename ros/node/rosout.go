package node

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"

	"simdeck/ros/msgs/rclinterfaces"
)

// openRosout makes the publisher of the node's log and puts it in front of
// the handler that the node was given.
func (n *Node) openRosout(log *slog.Logger) error {
	pub, err := NewPublisher[rclinterfaces.Log](n, "/rosout", RosoutQoS())
	if err != nil {
		return err
	}
	next := slog.DiscardHandler
	if log != nil {
		next = log.Handler()
	}
	n.log = slog.New(&rosout{
		publish: func(l *rclinterfaces.Log) error { return pub.Publish(l) },
		name:    n.FullName,
		next:    next,
	})
	return nil
}

// rosout is a slog.Handler that publishes each line from level Info on, and
// hands all of them on.
type rosout struct {
	publish func(*rclinterfaces.Log) error
	name    func() string // full, of the node
	attrs   string        // " key=value…" of WithAttrs
	group   string        // "a.b." of WithGroup
	next    slog.Handler
}

// Enabled reports whether anybody takes lines of a level.
func (r *rosout) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelInfo || r.next.Enabled(ctx, l)
}

// Handle publishes a line and hands it on.
func (r *rosout) Handle(ctx context.Context, rec slog.Record) error {
	var err error
	if rec.Level >= slog.LevelInfo {
		err = r.publish(r.line(rec))
	}
	if r.next.Enabled(ctx, rec.Level) {
		return r.next.Handle(ctx, rec)
	}
	return err
}

// line is a record as rcl_interfaces/msg/Log: the attributes follow the text.
func (r *rosout) line(rec slog.Record) *rclinterfaces.Log {
	l := &rclinterfaces.Log{Stamp: Time(rec.Time), Level: rosLevel(rec.Level),
		Name: strings.ReplaceAll(strings.TrimPrefix(r.name(), "/"), "/", ".")}
	text := []byte(rec.Message + r.attrs)
	rec.Attrs(func(a slog.Attr) bool {
		text = appendAttr(text, r.group, a)
		return true
	})
	l.Msg = string(text)
	if rec.PC != 0 {
		frame, _ := runtime.CallersFrames([]uintptr{rec.PC}).Next()
		l.File, l.Function, l.Line = frame.File, frame.Function, uint32(frame.Line)
	}
	return l
}

func appendAttr(b []byte, group string, a slog.Attr) []byte {
	return fmt.Appendf(b, " %s%s=%v", group, a.Key, a.Value.Resolve())
}

// WithAttrs is a handler whose lines carry attributes.
func (r *rosout) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *r
	for _, a := range attrs {
		c.attrs = string(appendAttr([]byte(c.attrs), r.group, a))
	}
	c.next = r.next.WithAttrs(attrs)
	return &c
}

// WithGroup is a handler whose later attributes are in a group.
func (r *rosout) WithGroup(name string) slog.Handler {
	if name == "" {
		return r
	}
	c := *r
	c.group += name + "."
	c.next = r.next.WithGroup(name)
	return &c
}

// rosLevel is the number of rcl_interfaces/msg/Log for a level.
func rosLevel(l slog.Level) uint8 {
	switch {
	case l < slog.LevelInfo:
		return 10
	case l < slog.LevelWarn:
		return 20
	case l < slog.LevelError:
		return 30
	}
	return 40
}
