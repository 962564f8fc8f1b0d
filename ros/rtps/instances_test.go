package rtps_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/instance"
	"simdeck/ros/rtps/wire"
)

// hundreds is the key of the samples of these tests: their number by a hundred. A key alone is one octet.
func hundreds(payload []byte, keyOnly bool) (k wire.KeyHash, err error) {
	switch {
	case keyOnly && len(payload) >= 5:
		k[0] = payload[4]
	case !keyOnly && len(payload) >= 8:
		k[0] = byte(binary.LittleEndian.Uint32(payload[4:]) / 100)
	default:
		err = errors.New("too short")
	}
	return k, err
}

func (w *world) keyedWriter(p *rtps.Participant, q rtps.QoS) *rtps.Writer {
	w.t.Helper()
	x, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: "ShapeType", QoS: q, Key: hundreds})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

func (w *world) keyedReader(p *rtps.Participant, q rtps.QoS) *rtps.Reader {
	w.t.Helper()
	x, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: "ShapeType", QoS: q, Key: hundreds})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

// ends has a writer end an instance.
func (w *world) ends(x *rtps.Writer, key byte, to instance.State) {
	w.t.Helper()
	if _, err := x.Write([]byte{0, 1, 0, 0, key}, rtps.WriteOptions{State: to}); err != nil {
		w.t.Fatal(err)
	}
}

// seen gives what waits, as numbers of samples, or -key*10 and a state of what has ended.
func seen(r *rtps.Reader) (all []int) {
	for {
		s, ok := r.Take()
		switch {
		case !ok:
			return all
		case s.State != instance.Alive:
			all = append(all, -int(s.Instance[0])*10-int(s.State))
		default:
			all = append(all, int(binary.LittleEndian.Uint32(s.Payload[4:])))
		}
	}
}

// here runs a test with a writer's participant, and the reader's: another one over the network, and the same.
func here(t *testing.T, test func(w *world, a, b *rtps.Participant)) {
	for _, same := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
			defer w.end()
			a := w.join("a")
			b := a
			if !same {
				b = w.join("b")
			}
			test(w, a, b)
		})
	}
}

func TestInstancesEndByDisposalAndByTheirLastWriter(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		x, y, r := w.keyedWriter(a, keepAll), w.keyedWriter(a, keepAll), w.keyedReader(b, keepAll)
		if x.GUID().Entity&0xff != wire.KindKeyedWriter || r.GUID().Entity&0xff != wire.KindKeyedReader {
			t.Errorf("%v and %v are not of a type with a key", x.GUID(), r.GUID())
		}
		w.until(time.Second, "matched", ready(r, 2))
		w.write(x, 101, 201, 301, 102)
		w.write(y, 302)
		time.Sleep(20 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{101, 201, 301, 102, 302}) {
			t.Errorf("taken: %v", got)
		}
		w.ends(x, 1, instance.Disposed)
		w.ends(x, 2, instance.NoWriters)
		w.ends(x, 3, instance.NoWriters) // y is left
		time.Sleep(20 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{-11, -22}) {
			t.Errorf("ended: %v, want instance 1 disposed and 2 without writers", got)
		}
		w.write(x, 103)
		y.Close()
		time.Sleep(20 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{103, -32}) {
			t.Errorf("after the end of a writer: %v, want 103, and instance 3 without writers", got)
		}
	})
}

func TestDepthCountsForEachInstance(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		last2 := rtps.QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: 2}
		x := w.keyedWriter(a, last2)
		w.write(x, 101, 201, 102, 103, 202, 104)
		r := w.keyedReader(b, last2)
		w.until(time.Second, "matched", ready(r, 1))
		time.Sleep(20 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{103, 202, 104}) && !slices.Equal(got, []int{201, 103,
			202, 104}) {
			t.Errorf("kept by the writer: %v, want the last two of each instance", got)
		}
		w.write(x, 105, 203, 106, 107, 204)
		time.Sleep(50 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{203, 106, 107, 204}) {
			t.Errorf("kept by the reader: %v, want the last two of each instance", got)
		}
	})
}

func TestTheStrongestWriterIsHeardUntilItIsGone(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		strength := func(n int32) rtps.QoS {
			return rtps.QoS{Reliability: rtps.Reliable, OwnershipExclusive: true, Strength: n}
		}
		weak, strong := w.keyedWriter(a, strength(3)), w.keyedWriter(a, strength(4))
		r := w.keyedReader(b, strength(0))
		w.until(time.Second, "matched", ready(r, 2))
		for n := range 3 {
			w.write(strong, 110+n)
			time.Sleep(5 * time.Millisecond)
			w.write(weak, 120+n, 220+n)
			time.Sleep(5 * time.Millisecond)
		}
		if got := seen(r); !slices.Equal(got, []int{110, 220, 111, 221, 112, 222}) ||
			r.Stats().Filtered != 3 {
			t.Errorf("heard: %v, %d filtered", got, r.Stats().Filtered)
		}
		strong.Close()
		time.Sleep(20 * time.Millisecond)
		w.write(weak, 130)
		time.Sleep(20 * time.Millisecond)
		if got := seen(r); !slices.Equal(got, []int{130}) {
			t.Errorf("after the strong one is gone: %v", got)
		}
	})
}

func TestDeadlinesThatAreMissedAreCountedOnBothSides(t *testing.T) {
	for _, keyed := range []bool{true, false} {
		here(t, func(w *world, a, b *rtps.Participant) {
			q := rtps.QoS{Reliability: rtps.Reliable, Deadline: 200 * time.Millisecond}
			var x *rtps.Writer
			var r *rtps.Reader
			instances := uint64(1)
			if keyed {
				x, r, instances = w.keyedWriter(a, q), w.keyedReader(b, q), 2
			} else {
				x, r = w.writer(a, q), w.reader(b, q)
			}
			w.until(time.Second, "matched", ready(r, 1))
			time.Sleep(time.Second)
			if x.Stats().DeadlinesMissed+r.Stats().DeadlinesMissed != 0 {
				t.Errorf("missed before anything was written: %+v, %+v", x.Stats(), r.Stats())
			}
			watch := b.Watch()
			defer watch.Close()
			for n := range 10 {
				w.write(x, 100+n, 200+n)
				time.Sleep(150 * time.Millisecond)
			}
			if x.Stats().DeadlinesMissed+r.Stats().DeadlinesMissed != 0 {
				t.Errorf("missed in time: %+v, %+v", x.Stats(), r.Stats())
			}
			time.Sleep(100 * time.Millisecond)
			select {
			case <-watch.C():
			default:
				t.Error("nobody is told of a missed deadline")
			}
			time.Sleep(400 * time.Millisecond) // 650 ms since the last samples
			if n, m := x.Stats().DeadlinesMissed, r.Stats().DeadlinesMissed; n != 3*instances ||
				m != 3*instances {
				t.Errorf("missed by %d and %d, want %d", n, m, 3*instances)
			}
		})
	}
}

func TestSamplesThatWaitBeyondTheirLifespanAreGone(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		q := keepAll
		q.Lifespan = 250 * time.Millisecond
		x, r := w.writer(a, q), w.reader(b, keepAll)
		w.until(time.Second, "matched", ready(r, 1))
		for n := range 5 {
			w.write(x, n)
			time.Sleep(100 * time.Millisecond)
		}
		if got := seen(r); !slices.Equal(got, []int{3, 4}) || r.Stats().Expired != 3 {
			t.Errorf("taken: %v, %d expired; want the last two", got, r.Stats().Expired)
		}
	})
}

func TestATimeBasedFilterThinsOutWhatAReaderTakes(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		q := keepAll
		q.Separation = time.Second
		x, r, all := w.writer(a, keepAll), w.reader(b, q), w.reader(b, keepAll)
		w.until(time.Second, "matched", func() bool { return ready(r, 1)() && ready(all, 1)() })
		for n := range 31 {
			w.write(x, n)
			time.Sleep(100 * time.Millisecond)
		}
		if got := seen(r); !slices.Equal(got, []int{0, 10, 20, 30}) || len(seen(all)) != 31 {
			t.Errorf("taken: %v, want one in a second", got)
		}
	})
}

func TestRepresentationsOfWriterAndReaderMustMeet(t *testing.T) {
	for _, c := range []struct {
		offer, ask []int16
		fits       bool
	}{
		{nil, nil, true}, {[]int16{0}, nil, true}, {nil, []int16{0}, true}, {[]int16{2}, []int16{2}, true},
		{[]int16{2}, nil, false}, {nil, []int16{2}, false}, {[]int16{0}, []int16{2}, false},
		{[]int16{2, 0}, []int16{0}, false}, // a writer writes in its first
		{nil, []int16{2, 0}, true}, {[]int16{2}, []int16{0, 2}, true},
	} {
		here(t, func(w *world, a, b *rtps.Participant) {
			x := w.keyedWriter(a, rtps.QoS{Representations: c.offer})
			r := w.keyedReader(b, rtps.QoS{Representations: c.ask})
			time.Sleep(time.Second)
			policy := "representation"
			if c.fits {
				policy = ""
			}
			if got := x.Stats().LastIncompatible.Policy; got != policy || len(r.Matches()) != 1 == c.fits {
				t.Errorf("%v and %v: policy %q and %d matches, want %q", c.offer, c.ask, got, len(r.Matches()),
					policy)
			}
		})
	}
}

func TestTypesWithAndWithoutAKeyDoNotMatch(t *testing.T) {
	here(t, func(w *world, a, b *rtps.Participant) {
		x, r := w.keyedWriter(a, reliable), w.keyedReader(b, reliable)
		plainReader, err1 := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: "ShapeType", QoS: reliable})
		plainWriter, err2 := a.NewWriter(rtps.WriterConfig{Topic: topic, Type: "ShapeType", QoS: reliable})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if len(x.Matches()) != 1 || len(r.Matches()) != 1 || len(plainReader.Matches()) != 1 ||
			len(plainWriter.Matches()) != 1 {
			t.Errorf("%d, %d, %d and %d matches", len(x.Matches()), len(r.Matches()), len(plainReader.Matches()),
				len(plainWriter.Matches()))
		}
	})
}

func TestWhatCannotBeAnInstanceIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{})
		defer w.end()
		a := w.join("a")
		x, plain := w.keyedWriter(a, reliable), w.writer(a, reliable)
		for what, c := range map[string]struct {
			writer  *rtps.Writer
			payload []byte
			state   instance.State
			want    error
		}{
			"a sample without its key":       {x, []byte{0, 1, 0, 0}, instance.Alive, rtps.ErrPayload},
			"a key that is too long":         {x, make([]byte, 2000), instance.Disposed, rtps.ErrTooLarge},
			"an end on a topic without keys": {plain, number(1), instance.Disposed, rtps.ErrConfig},
		} {
			if _, err := c.writer.Write(c.payload, rtps.WriteOptions{State: c.state}); !errors.Is(err,
				c.want) {
				t.Errorf("%s: %v, want %v", what, err, c.want)
			}
		}
		for _, q := range []rtps.QoS{{Separation: -1}, {Separation: time.Second, Deadline: time.Millisecond},
			{Durability: rtps.Persistent + 1}} {
			if _, err := a.NewReader(rtps.ReaderConfig{Topic: topic, Type: strMsg, QoS: q}); !errors.Is(err,
				rtps.ErrConfig) {
				t.Errorf("%+v: %v", q, err)
			}
		}
	})
}
