package node

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rtps"
)

// labelled is another definition of std_msgs/msg/String: a number is appended.
type labelled struct {
	stdmsgs.String
	Label uint32
}

const labelledHash = "RIHS01_0000000000000000000000000000000000000000000000000000000000000002"

func (m *labelled) AppendCDR(b []byte) []byte {
	return cdr.AppendUint32(m.String.AppendCDR(b), m.Label)
}
func (m *labelled) ReadCDR(r *cdr.Reader) { m.String.ReadCDR(r); m.Label = r.Uint32() }
func (m *labelled) SetDefaults()          { *m = labelled{} }
func (*labelled) TypeName() string        { return (*stdmsgs.String)(nil).TypeName() }
func (*labelled) DDSTypeName() string     { return (*stdmsgs.String)(nil).DDSTypeName() }
func (*labelled) TypeHash() string        { return labelledHash }

// twoVersions publishes a text as a String, and in another definition with its length.
func twoVersions(t *testing.T, n *Node, topic string, q QoS) *VersionedPublisher[string] {
	t.Helper()
	p, err := NewVersionedPublisher(n, topic, q,
		NewVersion(func(s *string) *stdmsgs.String { return &stdmsgs.String{Data: *s} }),
		NewVersion(func(s *string) *labelled {
			return &labelled{stdmsgs.String{Data: *s}, uint32(len(*s))}
		}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// versionsSent are the texts that a topic gets, and what they are in each definition as serialised.
func versionsSent(s string) (one, two string) {
	m := labelled{stdmsgs.String{Data: s}, uint32(len(s))}
	return string(m.String.AppendCDR(cdr.AppendHeader(nil))), string(m.AppendCDR(cdr.AppendHeader(nil)))
}

func TestEachSubscriberGetsTheDefinitionWhoseHashItAnnounces(t *testing.T) {
	for _, q := range []QoS{DefaultQoS(), SensorQoS(), LatchedQoS()} {
		onBench(t, func(b *bench) {
			n := b.node("n")
			pub := twoVersions(t, n, "x", q)
			b.start(n)
			kind := (*stdmsgs.String)(nil)
			readers := map[string]*rtps.Reader{}
			// the readers of one participant would share datagrams; each has a twin on another host
			for _, host := range []string{"one", "two"} {
				p := b.participant(host)
				for name, hash := range map[string]string{"first": kind.TypeHash(), "second": labelledHash,
					"none": "", "unknown": "RIHS01_00"} {
					r, err := p.NewReader(rtps.ReaderConfig{Topic: "rt/x", Type: kind.DDSTypeName(), QoS: q,
						UserData: hashTag(hash)})
					if err != nil {
						t.Fatal(err)
					}
					readers[name+" "+host] = r
				}
			}
			b.until("all matches", func() bool {
				return pub.publishers[0].Subscribers() == 6 && pub.publishers[1].Subscribers() == 2
			})
			for _, s := range []string{"abc", "abcdefg", "xyz"} {
				if err := pub.Publish(&s); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond)
			}
			time.Sleep(3 * time.Second)
			for name, r := range readers {
				all := []string{"abc", "abcdefg", "xyz"}
				if q.Durability != rtps.Volatile {
					all = all[len(all)-max(1, q.Depth):]
				}
				for _, s := range all {
					want, second := versionsSent(s)
					if strings.HasPrefix(name, "second") {
						want = second
					}
					ctx, cancel := context.WithTimeout(context.Background(), time.Second)
					got, err := r.Receive(ctx)
					cancel()
					if err != nil || string(got.Payload) != want {
						t.Errorf("%v: %s got %q, %v, want %q", q, name, got.Payload, err, want)
					}
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				if more, err := r.Receive(ctx); err == nil {
					t.Errorf("%v: %s got %q as well", q, name, more.Payload)
				}
				cancel()
			}
		})
	}
}

func TestADefinitionIsTakenByTheSubscriptionThatHasItAndNobodyIsWarned(t *testing.T) {
	onBench(t, func(b *bench) {
		talker, listener := b.node("talker"), b.node("listener")
		var said journal
		listener.log = slog.New(slog.NewTextHandler(&said, nil))
		pub := twoVersions(t, talker, "x", DefaultQoS())
		var got, near inbox
		second := make(chan labelled, 9)
		_, err1 := NewSubscription(listener, "x", DefaultQoS(), got.take)
		_, err2 := NewSubscription(listener, "x", DefaultQoS(),
			func(_ context.Context, m *labelled, _ Origin) { second <- *m })
		_, err3 := NewSubscription(talker, "x", DefaultQoS(), near.take)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		var tapped []string
		defer talker.Tap(func(of Topic) func([]byte) {
			if of.Name != "/x" {
				return nil
			}
			return func(payload []byte) { tapped = append(tapped, of.Hash+" "+string(payload)) }
		})()
		b.start(talker)
		b.start(listener)
		b.until("the subscribers", func() bool {
			return pub.publishers[0].writer.Stats().Matched >= 1 && pub.publishers[1].Subscribers() == 1
		})
		text := "text"
		if err := pub.Publish(&text); err != nil {
			t.Fatal(err)
		}
		b.until("both definitions", func() bool { return len(got.all()) > 0 && len(second) > 0 })
		time.Sleep(time.Second)
		if !slices.Equal(got.all(), []string{"text"}) || !slices.Equal(near.all(), []string{"text"}) ||
			len(second) != 1 || (<-second).Label != 4 {
			t.Errorf("got %q, %q here, and %d more", got.all(), near.all(), len(second))
		}
		one, _ := versionsSent(text)
		if want := []string{(*stdmsgs.String)(nil).TypeHash() + " " + one}; !slices.Equal(tapped, want) {
			t.Errorf("tapped %q, want %q", tapped, want)
		}
		silent, err := b.participant("humble").NewWriter(rtps.WriterConfig{Topic: "rt/x",
			Type: (*stdmsgs.String)(nil).DDSTypeName(), QoS: DefaultQoS()})
		if err != nil {
			t.Fatal(err)
		}
		b.until("three matches", func() bool { return len(silent.Matches()) == 3 })
		if _, err := silent.Write([]byte(one), rtps.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if !slices.Equal(got.all(), []string{"text", "text"}) || len(second) > 0 {
			t.Errorf("from a publisher without a hash: %q, and %d in the second definition", got.all(),
				len(second))
		}
		if said.lines("another definition") > 0 {
			t.Errorf("the log says %s", said.String())
		}
	})
}

func TestDefinitionsOfOneTopicDifferAndMayHaveNamesOfTheirOwn(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		text := func(s *string) *stdmsgs.String { return &stdmsgs.String{Data: *s} }
		if _, err := NewVersionedPublisher(n, "x", DefaultQoS(), NewVersion(text),
			NewVersion(text)); err == nil || !strings.Contains(err.Error(), "are one") {
			t.Errorf("one definition twice: %v", err)
		}
		if _, err := NewVersionedPublisher(n, "no name", DefaultQoS(), NewVersion(text)); err == nil {
			t.Error("a topic of two words is one")
		}
		p, err := NewVersionedPublisher(n, "x", DefaultQoS(), NewVersion(text),
			NewVersion(func(s *string) *geometrymsgs.Point {
				return &geometrymsgs.Point{X: float64(len(*s))}
			}))
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.publishers {
			if p.serves(i) != nil {
				t.Errorf("definition %d, alone of its name, chooses its readers", i)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}
