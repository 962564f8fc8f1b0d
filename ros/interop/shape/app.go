package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// app is one run of the tool: a writer or a reader for each topic.
type app struct {
	options
	p       *rtps.Participant
	out     io.Writer
	writers []*rtps.Writer
	readers []*rtps.Reader
	told    []told // of each topic
	colors  map[wire.KeyHash]string
}

// told holds the counts of an endpoint that were printed last.
type told struct {
	matched              int
	incompatible, missed uint64
	notAlive             int
}

// open makes the endpoints.
func (a *app) open() error {
	a.told, a.colors = make([]told, a.topics), map[wire.KeyHash]string{}
	for n := range a.topics {
		fmt.Fprintf(a.out, "Create topic: %s\n", numbered(a.topic, n))
	}
	for n := range a.topics {
		topic := numbered(a.topic, n)
		if a.options.publish {
			fmt.Fprintf(a.out, "Create writer for topic: %s color: %s\n", topic, a.color)
			w, err := a.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: a.qos,
				Key: instanceOf})
			if err != nil {
				return err
			}
			a.writers = append(a.writers, w)
			continue
		}
		fmt.Fprintf(a.out, "Create reader for topic: %s\n", topic)
		r, err := a.p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: a.qos, Key: instanceOf})
		if err != nil {
			return err
		}
		a.readers = append(a.readers, r)
	}
	return nil
}

// rest waits for a period, and tells events in the meantime. It is false when ctx has ended.
func (a *app) rest(ctx context.Context, watch *rtps.Watch, period time.Duration) bool {
	over := time.NewTimer(period)
	defer over.Stop()
	for {
		a.events()
		select {
		case <-ctx.Done():
			return false
		case <-watch.C():
		case <-over.C:
			return true
		}
	}
}

// events prints what has become of the endpoints, under the names of DDS' listeners.
func (a *app) events() {
	for n, w := range a.writers {
		s := w.Stats()
		a.event(n, "publication_matched", "offered_incompatible_qos", "offered_deadline_missed", "readers",
			told{s.Matched, s.IncompatibleQoS, s.DeadlinesMissed, 0}, s.LastIncompatible.Policy)
	}
	for n, r := range a.readers {
		s := r.Stats()
		if was := a.told[n].notAlive; s.NotAlive != was {
			a.say(n, "liveliness_changed", "(alive = %d, not_alive = %d)", s.Matched-s.NotAlive, s.NotAlive)
		}
		a.event(n, "subscription_matched", "requested_incompatible_qos", "requested_deadline_missed", "writers",
			told{s.Matched, s.IncompatibleQoS, s.DeadlinesMissed, s.NotAlive}, s.LastIncompatible.Policy)
	}
}

func (a *app) event(n int, matched, incompatible, missed, who string, is told, policy string) {
	was := a.told[n]
	a.told[n] = is
	if is.matched != was.matched {
		a.say(n, matched, "matched %s %d (change = %d)", who, is.matched, is.matched-was.matched)
	}
	if is.incompatible != was.incompatible && policy != "partition" { // which is no fault (DDS 1.4 §2.2.3.13)
		a.say(n, incompatible, "%d (%s)", is.incompatible, policy)
	}
	if is.missed != was.missed {
		a.say(n, missed, "(total = %d, change = %d)", is.missed, is.missed-was.missed)
	}
}

func (a *app) say(n int, event, format string, values ...any) {
	fmt.Fprintf(a.out, "on_%s() topic: '%s'  type: '%s' : %s\n", event, numbered(a.topic, n), typeName,
		fmt.Sprintf(format, values...))
}

// Bounds of the field that shapes move in.
const width, height = 240, 270

// publish writes shapes, and at the end says what becomes of them.
func (a *app) publish(ctx context.Context) error {
	watch := a.p.Watch()
	defer watch.Close()
	s := shape{x: rand.Int32N(width), y: rand.Int32N(height), size: int32(a.size), payload: make([]byte,
		a.payload)}
	for i := range s.payload {
		s.payload[i] = 255
	}
	vx, vy := 1+rand.Int32N(5), 1+rand.Int32N(5)
	for round := 1; ; round++ {
		s.x, vx = bounce(s.x, vx, width)
		s.y, vy = bounce(s.y, vy, height)
		switch {
		case a.size == 0 && a.modulo > 0:
			s.size = s.size%int32(a.modulo) + 1
		case a.size == 0:
			s.size++
		}
		if err := a.write(&s); err != nil {
			return err
		}
		if !a.rest(ctx, watch, a.options.write) || round == a.iterations {
			return a.finish(&s)
		}
	}
}

// bounce moves a coordinate on, and turns its speed round at the bounds.
func bounce(x, v, most int32) (int32, int32) {
	if x += v; x < 0 || x > most {
		return min(max(x, 0), most), -v
	}
	return x, v
}

// write writes a shape in each colour to each topic.
func (a *app) write(s *shape) error {
	for n, w := range a.writers {
		for i := range a.instances {
			s.color = numbered(a.color, i)
			if _, err := w.Write(s.append(nil, a.xcdr2()), rtps.WriteOptions{}); err != nil {
				return err
			}
			if a.print {
				a.line(n, s)
			}
		}
	}
	return nil
}

func (a *app) line(n int, s *shape) {
	more := ""
	if len(s.payload) > 0 {
		more = fmt.Sprintf(" {%d}", s.payload[len(s.payload)-1])
	}
	fmt.Fprintf(a.out, "%-10s %-10s %03d %03d [%d]%s\n", numbered(a.topic, n), s.color, s.x, s.y, s.size, more)
}

// finish ends the instances as asked for, and waits a little until the readers know.
func (a *app) finish(s *shape) error {
	state := instance.Alive
	switch {
	case a.unregister:
		state = instance.NoWriters
	case a.dispose:
		state = instance.Disposed
	}
	for _, w := range a.writers {
		last := wire.SequenceNumber(w.Stats().Written)
		for i := range a.instances {
			if s.color = numbered(a.color, i); state == instance.Alive {
				break
			}
			var err error
			if last, err = w.Write(s.appendKey(nil, a.xcdr2()), rtps.WriteOptions{State: state}); err != nil {
				return err
			}
		}
		for end := time.Now().Add(time.Second); !w.Acked(last) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}

// subscribe prints what comes.
func (a *app) subscribe(ctx context.Context) {
	watch := a.p.Watch()
	defer watch.Close()
	for round := 1; ; round++ {
		for n, r := range a.readers {
			for {
				s, ok := r.Take()
				if !ok {
					break
				}
				a.show(n, &s)
				r.Recycle(s.Payload)
			}
		}
		if !a.rest(ctx, watch, a.options.read) || round == a.iterations {
			return
		}
	}
}

// mostColors bounds the instances whose colours are kept in mind: a peer may invent any number.
const mostColors = 4096

// show prints a sample, or what has become of an instance.
func (a *app) show(n int, s *rtps.Sample) {
	if s.State == instance.Alive {
		v, err := parse(s.Payload, false)
		if err != nil {
			fmt.Fprintln(a.out, err)
			return
		}
		if len(a.colors) < mostColors {
			a.colors[s.Instance] = v.color
		}
		a.line(n, &v)
		return
	}
	became := "NOT_ALIVE_DISPOSED_INSTANCE_STATE"
	if s.State == instance.NoWriters {
		became = "NOT_ALIVE_NO_WRITERS_INSTANCE_STATE"
	}
	fmt.Fprintf(a.out, "%-10s %-10s %s\n", numbered(a.topic, n), a.colors[s.Instance], became)
}
