package bag

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"simdeck/ros/mcap"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/transport"
)

var update = flag.Bool("update", false, "write the golden file again")

// began is a recorder in a folder of its own.
func began(t testing.TB, c Config) *Recorder {
	t.Helper()
	if c.Dir == "" {
		c.Dir = filepath.Join(t.TempDir(), "deep", "bag")
	}
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// done lets a recorder write what waits and end.
func done(t testing.TB, r *Recorder) error {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return r.Run(ctx)
}

// read opens a recording.
func read(t testing.TB, dir string) *mcap.Reader {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	r, err := mcap.NewReader(strings.NewReader(string(b)), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// folder reads metadata.yaml.
func folder(t testing.TB, dir string) metadata {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, metadataName))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]metadata
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all["rosbag2_bagfile_information"]
}

func topic(name string) node.Topic {
	kind := (*stdmsgs.String)(nil)
	return node.Topic{Name: name, Type: kind.TypeName(), Hash: kind.TypeHash(),
		QoS: []node.QoS{node.DefaultQoS()}}
}

func text(t testing.TB, s string) []byte {
	t.Helper()
	b, err := msgs.Encode(nil, &stdmsgs.String{Data: s})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// lines are the words of a recording, as "topic time text".
func lines(t testing.TB, r *mcap.Reader) []string {
	t.Helper()
	var all []string
	err := r.Messages(0, func(m *mcap.Message) error {
		var s stdmsgs.String
		if r.Schemas[r.Channels[m.Channel].Schema].Name != s.TypeName() {
			return nil
		}
		if err := msgs.Decode(m.Data, &s); err != nil {
			return err
		}
		if m.PublishTime != m.LogTime {
			t.Errorf("published at %d, logged at %d", m.PublishTime, m.LogTime)
		}
		all = append(all, fmt.Sprintf("%s %v %s", r.Channels[m.Channel].Topic, time.Duration(m.LogTime),
			s.Data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wordsAndTurns are the messages of two topics: topic, ms, number, text and speed.
func wordsAndTurns(f *mcap.Reader) (got []string, err error) {
	err = f.Messages(0, func(m *mcap.Message) (err error) {
		c := f.Channels[m.Channel]
		var s stdmsgs.String
		var v geometrymsgs.TwistStamped
		switch c.Topic {
		case "/words":
			err = msgs.Decode(m.Data, &s)
		case "/robot/turns":
			err = msgs.Decode(m.Data, &v)
		}
		got = append(got, fmt.Sprint(c.Topic, " ", m.LogTime/1e6, " ", m.Sequence, " ", s.Data,
			v.Twist.Linear.X))
		return err
	})
	return got, err
}

// checkDefinitions holds the channels against the definitions that they name.
func checkDefinitions(t *testing.T, f *mcap.Reader) {
	t.Helper()
	for _, c := range f.Channels {
		s := f.Schemas[c.Schema]
		if c.Encoding != "cdr" || s.Encoding != "ros2msg" ||
			!strings.HasPrefix(c.Metadata["topic_type_hash"], "RIHS01_") {
			t.Errorf("%+v of %+v", c, s)
		}
		if c.Topic == "/robot/turns" &&
			(s.Name != "geometry_msgs/msg/TwistStamped" || strings.Count(string(s.Data), "\nMSG: ") != 4 ||
				!strings.Contains(c.Metadata["offered_qos_profiles"], "reliability: best_effort")) {
			t.Errorf("%+v of\n%s", c, s.Data)
		}
	}
}

func TestWhatANodePublishesIsInTheFolderWithItsDefinitionsAndCounts(t *testing.T) {
	n, err := node.New(node.Config{Name: "n", Transport: transport.Mute{}})
	if err != nil {
		t.Fatal(err)
	}
	words, err1 := node.NewPublisher[stdmsgs.String](n, "words", node.LatchedQoS())
	turns, err2 := node.NewPublisher[geometrymsgs.TwistStamped](n, "/robot/turns", node.SensorQoS())
	if err := errors.Join(err1, err2, words.Publish(&stdmsgs.String{Data: "before"})); err != nil {
		t.Fatal(err)
	}
	now := 3 * time.Second
	r := began(t, Config{Topics: []string{"!/rosout", "!/parameter_events"}, Library: "simdeck 9"})
	r.Tap(n, func() time.Duration { return now })
	for i := range 5 {
		now += 250 * time.Millisecond
		m := geometrymsgs.TwistStamped{}
		m.Twist.Linear.X = float64(i)
		if err := errors.Join(turns.Publish(&m),
			words.Publish(&stdmsgs.String{Data: fmt.Sprint(i)})); err != nil {
			t.Fatal(err)
		}
	}
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	f := read(t, r.config.Dir)
	if got, err := wordsAndTurns(f); err != nil || len(got) != 11 || got[0] != "/words 3000 1 before0" ||
		got[9] != "/robot/turns 4250 5 4" || got[10] != "/words 4250 6 40" {
		t.Errorf("%q, %v", got, err)
	}
	checkDefinitions(t, f)
	m := folder(t, r.config.Dir)
	if m.Messages != 11 || m.Start.N != 3e9 || m.Duration.N != 125e7 || len(m.Topics) != 2 ||
		m.Topics[0].Messages != 5 || m.Topics[1].Messages != 6 {
		t.Errorf("%+v", m)
	}
	if f.Tables[0].Name != "rosbag2" ||
		!strings.Contains(f.Tables[0].Table["serialized_metadata"], "message_count: 11") {
		t.Errorf("%+v", f.Tables)
	}
}

func TestTheFoldersDescriptionIsAsRosbag2WritesIt(t *testing.T) {
	const golden = "testdata/metadata.yaml"
	r := began(t, Config{Library: "simdeck 9", Queue: 50})
	scan, map1 := topic("/scan"), topic("/map")
	scan.QoS = []node.QoS{node.SensorQoS(),
		{Reliability: rtps.Reliable, Deadline: 1500 * time.Millisecond, Depth: 3}}
	map1.QoS = []node.QoS{node.LatchedQoS(), {}}
	a, b := r.Channel(scan), r.Channel(map1)
	for i := range 5 {
		a.Take(time.Duration(i)*time.Second, text(t, fmt.Sprint(i)))
	}
	r.drain(batch{})
	b.Take(1500*time.Millisecond, text(t, "m"))
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(r.config.Dir, metadataName))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

func TestWhatDoesNotFitIntoTheQueueIsLostAndTold(t *testing.T) {
	var said strings.Builder
	r := began(t, Config{Queue: 1000, Log: logTo(&said)})
	c := r.Channel(topic("/a"))
	for i := range 100 {
		c.Take(time.Duration(i), text(t, "0123456789"))
	}
	kept := uint64(1000 / len(text(t, "0123456789")))
	if got := r.Losses(); !maps.Equal(got, map[string]uint64{"/a": 100 - kept}) {
		t.Errorf("%v", got)
	}
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	m := folder(t, r.config.Dir)
	if m.Messages != kept || m.Custom["lost /a"] != fmt.Sprint(100-kept) {
		t.Errorf("%+v", m)
	}
	if !strings.Contains(said.String(), fmt.Sprintf("lost=%d topics=/a", 100-kept)) {
		t.Errorf("the log says %q", said.String())
	}
	c.Take(0, text(t, "late"))
	if r.Losses()["/a"] != 101-kept {
		t.Error("what comes after the end is not counted")
	}
}

func TestAFileThatBreaksEndsTheRecordingAndHoldsNobody(t *testing.T) {
	r := began(t, Config{})
	c := r.Channel(topic("/a"))
	if err := r.disk.file.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		c.Take(time.Duration(i), make([]byte, 100_000))
	}
	if err := done(t, r); !errors.Is(err, os.ErrClosed) || !errors.Is(r.Err(), os.ErrClosed) {
		t.Errorf("%v", err)
	}
	if r.Lost() != 30 {
		t.Errorf("%v", r.Losses())
	}
}

func TestAFolderThatHoldsARecordingIsLeftAlone(t *testing.T) {
	r := began(t, Config{})
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	before := folder(t, r.config.Dir)
	if _, err := New(Config{Dir: r.config.Dir}); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
	if after := folder(t, r.config.Dir); before.Version != 9 || after.Version != before.Version {
		t.Errorf("%+v, then %+v", before, after)
	}
}

func TestATopicThatComesBackGoesOnInItsChannel(t *testing.T) {
	r := began(t, Config{})
	first := r.Channel(topic("/a"))
	again := topic("/a")
	again.QoS = []node.QoS{node.SensorQoS()}
	if r.Channel(again) != first || len(first.topic.QoS) != 2 {
		t.Errorf("%+v", first.topic)
	}
	other := topic("/a")
	other.Hash = ""
	if r.Channel(other) == first {
		t.Error("another definition goes into the same channel")
	}
	first.Take(time.Second, text(t, "x"))
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, read(t, r.config.Dir)); !slices.Equal(got, []string{"/a 1s x"}) {
		t.Errorf("%q", got)
	}
}

func TestATypeThatNobodyKnowsIsRecordedAllTheSame(t *testing.T) {
	var said strings.Builder
	r := began(t, Config{Log: logTo(&said)})
	c := r.Channel(node.Topic{Name: "/odd", Type: "odd_msgs/msg/Odd"})
	c.Take(0, []byte{0, 1, 0, 0, 7})
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	f := read(t, r.config.Dir)
	if s := f.Schemas[1]; s.Name != "odd_msgs/msg/Odd" || len(s.Data) != 0 || f.Statistics.Messages != 1 {
		t.Errorf("%+v, %+v", s, f.Statistics)
	}
	if !strings.Contains(said.String(), "without the definition") {
		t.Errorf("%q", said.String())
	}
}

// TestAFolderThatWasMadeAnewIsNotWrittenInto: somebody moves the folder away while it is recorded into, and
// another run takes its name.
func TestAFolderThatWasMadeAnewIsNotWrittenInto(t *testing.T) {
	r := began(t, Config{})
	moved := r.config.Dir + "-moved"
	if err := errors.Join(os.Rename(r.config.Dir, moved), os.Mkdir(r.config.Dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	r.Channel(topic("/a")).Take(time.Second, text(t, "x"))
	if err := done(t, r); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(r.config.Dir); err != nil || len(entries) > 0 {
		t.Errorf("the new folder has %v, %v", entries, err)
	}
	if m := folder(t, moved); m.Messages != 1 {
		t.Errorf("the folder that was moved says %+v", m)
	}
}
