package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"simdeck/ros/rtps"
)

// errUnsupported says that a feature of the suite is not there, because ROS uses none of it.
var errUnsupported = errors.New("not supported")

// options are the suite's command line.
type options struct {
	publish, subscribe  bool
	domain              int
	topic, color        string
	qos                 rtps.QoS
	print               bool // of what is written
	size, modulo        int
	write, read         time.Duration // periods
	iterations          int           // 0 = until a signal comes
	instances, topics   int
	unregister, dispose bool
	payload             int // octets
}

// xcdr2 tells whether samples are written in XCDR2.
func (o *options) xcdr2() bool {
	return len(o.qos.Representations) > 0 && o.qos.Representations[0] == 2
}

// parseOptions reads the command line of the suite's shape_main.
func parseOptions(args []string, usage io.Writer) (o options, err error) {
	f := flag.NewFlagSet("shape", flag.ContinueOnError)
	f.SetOutput(usage)
	f.BoolVar(&o.publish, "P", false, "publish samples")
	f.BoolVar(&o.subscribe, "S", false, "subscribe to samples")
	f.IntVar(&o.domain, "d", 0, "domain")
	best := f.Bool("b", false, "best effort")
	f.Bool("r", true, "reliable")
	depth := f.Int("k", 1, "history `depth` (0: all)")
	deadline := f.Int("f", 0, "deadline in `ms` (0: none)")
	strength := f.Int("s", -1, "ownership `strength` (-1: shared)")
	f.StringVar(&o.topic, "t", "", "`topic`")
	f.StringVar(&o.color, "c", "", "`color` to publish")
	partition := f.String("p", "", "`partition`")
	durability := f.String("D", "v", "durability: v(olatile), transient l(ocal), t(ransient) or p(ersistent)")
	xcdr := f.Int("x", 1, "data `representation`: 1 (XCDR) or 2 (XCDR2)")
	f.BoolVar(&o.print, "w", false, "print the samples that are written")
	f.IntVar(&o.size, "z", 20, "`size` of the shape (0: one more with each sample)")
	f.IntVar(&o.modulo, "size-modulo", 0, "sizes from 1 to this `number`")
	write := f.Int("write-period", 33, "`ms` between samples that are written")
	read := f.Int("read-period", 100, "`ms` between looks at what has come")
	filter := f.Int("time-filter", 0, "least `ms` between two samples of an instance")
	lifespan := f.Int("lifespan", 0, "lifespan of samples in `ms` (0: for ever)")
	f.IntVar(&o.iterations, "num-iterations", 0, "`number` of rounds (0: until a signal comes)")
	f.IntVar(&o.instances, "num-instances", 1, "`number` of instances: RED, RED1, RED2 …")
	f.IntVar(&o.topics, "num-topics", 1, "`number` of topics: Square, Square1, Square2 …")
	final := f.String("final-instance-state", "", "what becomes of instances: u(nregister) or d(ispose)")
	f.IntVar(&o.payload, "additional-payload-size", 0, "more `octets` in each sample")
	f.Bool("take-read", false, "take without regard to instances, as is done here always")
	f.Int("periodic-announcement", 0, "`ms` between announcements; what ROS does is done always")
	var unsupported string
	for _, name := range []string{"R", "ordered", "coherent"} {
		f.BoolFunc(name, "not supported", func(string) error { unsupported = name; return nil })
	}
	for _, name := range []string{"access-scope", "coherent-sample-count", "cft", "datafrag-size"} {
		f.Func(name, "not supported", func(string) error { unsupported = name; return nil })
	}
	if err := f.Parse(args); err != nil {
		return o, err
	}
	millis := func(n *int) time.Duration { return time.Duration(*n) * time.Millisecond }
	o.write, o.read = millis(write), millis(read)
	o.qos = rtps.QoS{Reliability: rtps.Reliable, Depth: *depth, Deadline: millis(deadline),
		Lifespan: millis(lifespan), Separation: millis(filter), Representations: []int16{0}}
	if *best {
		o.qos.Reliability = rtps.BestEffort
	}
	if *xcdr == 2 {
		o.qos.Representations = []int16{2}
	}
	if *strength >= 0 {
		o.qos.OwnershipExclusive, o.qos.Strength = true, int32(*strength)
	}
	if *partition != "" {
		o.qos.Partitions = []string{*partition}
	}
	o.unregister, o.dispose = *final == "u", *final == "d"
	kinds := map[string]rtps.Durability{"v": rtps.Volatile, "l": rtps.TransientLocal, "t": rtps.Transient,
		"p": rtps.Persistent}
	var known bool
	if o.qos.Durability, known = kinds[*durability]; !known {
		return o, fmt.Errorf("-D is %q, needs v, l, t or p", *durability)
	}
	return o, o.check(unsupported)
}

func (o *options) check(unsupported string) error {
	switch {
	case unsupported != "":
		return fmt.Errorf("-%s: %w", unsupported, errUnsupported)
	case o.publish && o.qos.Durability > rtps.TransientLocal:
		return fmt.Errorf("durability beyond the writer's life: %w", errUnsupported)
	case o.subscribe && o.color != "":
		return fmt.Errorf("a filter by color: %w", errUnsupported)
	case o.publish == o.subscribe:
		return errors.New("one of -P and -S is needed")
	case o.topic == "":
		return errors.New("no topic: -t is needed")
	case o.domain < 0 || o.instances < 1 || o.topics < 1 || o.payload < 0 || o.write < 0 || o.read < 0:
		return errors.New("domain, payload and periods are at least 0, numbers of instances and topics at least 1")
	case len(o.color) > mostColor-8:
		return fmt.Errorf("a color of %d octets, at most %d", len(o.color), mostColor-8)
	}
	if o.color == "" {
		o.color = "BLUE"
	}
	return nil
}

// numbered gives the n-th name of those that begin with one: Square, Square1, Square2.
func numbered(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprint(name, n)
}
