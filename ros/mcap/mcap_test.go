package mcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file again")

// memory is a file.
type memory struct {
	b      []byte
	broken error
}

func (m *memory) WriteAt(b []byte, at int64) (int, error) {
	if m.broken != nil {
		return 0, m.broken
	}
	if n := int(at) + len(b); n > len(m.b) {
		m.b = append(m.b, make([]byte, n-len(m.b))...)
	}
	return copy(m.b[at:], b), nil
}

func (m *memory) Truncate(n int64) error {
	if m.broken != nil {
		return m.broken
	}
	m.b = m.b[:n]
	return nil
}

func (m *memory) reader(t testing.TB) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(m.b), int64(len(m.b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func need[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// begun is a file with two topics of one type.
func begun(t testing.TB, m *memory) *Writer {
	t.Helper()
	w := need[*Writer](t)(NewWriter(m, Header{Profile: "ros2", Library: "test"}))
	s := need[uint16](t)(w.AddSchema("std_msgs/msg/String", "ros2msg", []byte("string data\n")))
	for _, topic := range []string{"/a", "/b"} {
		need[uint16](t)(w.AddChannel(Channel{Schema: s, Topic: topic, Encoding: "cdr",
			Metadata: map[string]string{"k": topic, "a": "1"}}))
	}
	return w
}

// fill writes messages whose data say which they are, the clock going back once.
func fill(t testing.TB, w *Writer, from, to, size int) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(from), 1))
	for i := from; i < to; i++ {
		data := make([]byte, size)
		for k := range data {
			data[k] = byte(r.IntN(5))
		}
		binary.LittleEndian.PutUint32(data, uint32(i))
		if err := w.Write(&Message{Channel: uint16(i % 2), Sequence: uint32(i), LogTime: stamp(i),
			PublishTime: stamp(i) + 1, Data: data}); err != nil {
			t.Fatal(err)
		}
	}
}

func stamp(i int) uint64 { return uint64(1000 + i%700) }

// numbers are the messages of a reader from a time on, each checked.
func numbers(t testing.TB, r *Reader, from uint64) []int {
	t.Helper()
	var all []int
	err := r.Messages(from, func(m *Message) error {
		i := int(binary.LittleEndian.Uint32(m.Data))
		if m.Channel != uint16(i%2) || m.Sequence != uint32(i) || m.LogTime != stamp(i) ||
			m.PublishTime != stamp(i)+1 {
			t.Fatalf("message %d is %+v", i, m)
		}
		all = append(all, i)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func upTo(n int, keep func(int) bool) []int {
	var all []int
	for i := range n {
		if keep(i) {
			all = append(all, i)
		}
	}
	return all
}

func TestWhatIsWrittenIsReadAgainFromAnyTimeOn(t *testing.T) {
	var m memory
	w := begun(t, &m)
	fill(t, w, 0, 1500, 3000)
	if err := w.Seal(Metadata{Name: "rosbag2", Table: map[string]string{"x": "y"}}); err != nil {
		t.Fatal(err)
	}
	r := m.reader(t)
	want := Statistics{Messages: 1500, Schemas: 1, Channels: 2, Meta: 1, Chunks: 5, Start: 1000, End: 1699,
		Of: map[uint16]uint64{0: 750, 1: 750}}
	if !reflect.DeepEqual(r.Statistics, want) || r.Cut {
		t.Errorf("statistics %+v, want %+v", r.Statistics, want)
	}
	if c := r.Channels[1]; c.Topic != "/b" || c.Encoding != "cdr" || c.Metadata["k"] != "/b" ||
		r.Schemas[c.Schema].Name != "std_msgs/msg/String" {
		t.Errorf("%+v, %+v", r.Channels, r.Schemas)
	}
	if r.Header != (Header{"ros2", "test"}) || len(r.Tables) != 1 || r.Tables[0].Table["x"] != "y" {
		t.Errorf("%+v, %+v", r.Header, r.Tables)
	}
	for _, from := range []uint64{0, 1000, 1001, 1350, 1699, 1700, math.MaxUint64} {
		got := numbers(t, r, from)
		if want := upTo(1500, func(i int) bool { return stamp(i) >= from }); !reflect.DeepEqual(got, want) {
			t.Errorf("from %d: %d messages, want %d", from, len(got), len(want))
		}
	}
}

// counted counts what is read.
type counted struct {
	*bytes.Reader
	n int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.n += len(b)
	return c.Reader.ReadAt(b, at)
}

func TestASeekReadsNoChunkThatEndsBefore(t *testing.T) {
	var m memory
	w := begun(t, &m)
	for i := range 700 { // stamps only grow
		fill(t, w, i, i+1, 6000)
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	c := &counted{Reader: bytes.NewReader(m.b)}
	r := need[*Reader](t)(NewReader(c, int64(len(m.b))))
	c.n = 0
	if got := numbers(t, r, stamp(690)); len(got) != 10 || c.n > len(m.b)/3 {
		t.Errorf("%d messages, %d of %d octets read", len(got), c.n, len(m.b))
	}
}

func TestASealedFileGoesOn(t *testing.T) {
	var m memory
	w := begun(t, &m)
	for i := range 10 {
		fill(t, w, 10*i, 10*i+10, 100)
		if err := w.Seal(); err != nil || w.Unsealed() {
			t.Fatal(err)
		}
		if r := m.reader(t); r.Cut || len(numbers(t, r, 0)) != 10*i+10 || int(r.Statistics.Chunks) != i+1 {
			t.Fatalf("after seal %d: %+v", i, r.Statistics)
		}
	}
	fill(t, w, 100, 103, 100)
	if err := w.Flush(); err != nil || !w.Unsealed() {
		t.Fatal(err)
	}
	if r := m.reader(t); !r.Cut || len(numbers(t, r, 0)) != 103 {
		t.Errorf("a chunk behind a seal: %+v", r.Statistics)
	}
}

func TestAFileThatIsCutAnywhereIsGoodUpToItsLastWholeChunk(t *testing.T) {
	var m memory
	w := begun(t, &m)
	ends := []int{} // of chunks
	for i := range 4 {
		fill(t, w, 5*i, 5*i+5, 60)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(m.b))
	}
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	header := len(magic) + len(appendHeader(nil, Header{Profile: "ros2", Library: "test"}))
	for n := range len(m.b) {
		r, err := NewReader(bytes.NewReader(m.b[:n]), int64(n))
		if n < header {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("%d octets: %v", n, err)
			}
			continue
		}
		if err != nil || !r.Cut {
			t.Fatalf("%d octets: cut %v, %v", n, r.Cut, err)
		}
		got := len(numbers(t, r, 0))
		whole := 0
		for _, e := range ends {
			// the indexes of messages behind a chunk may be missing
			if indexes := 2 * (headSize + 2 + 4); n >= e-indexes-5*16 {
				whole += 5
			}
		}
		if got != whole || r.Statistics.Messages != uint64(got) || got > 0 &&
			(len(r.Channels) != 2 || len(r.Schemas) != 1) {
			t.Fatalf("%d of %d octets: %d messages, want %d: %+v", n, len(m.b), got, whole, r.Statistics)
		}
	}
}

func TestADamagedIndexIsNotTrusted(t *testing.T) {
	var m memory
	w := begun(t, &m)
	fill(t, w, 0, 100, 100)
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	from := int(w.at)
	for at := from; at < len(m.b); at += 3 {
		bad := bytes.Clone(m.b)
		bad[at] ^= 0x41
		r, err := NewReader(bytes.NewReader(bad), int64(len(bad)))
		if err != nil || len(numbers(t, r, 0)) != 100 {
			t.Fatalf("octet %d of %d: %v", at, len(m.b), err)
		}
	}
}

func TestADamagedChunkIsToldOf(t *testing.T) {
	var m memory
	w := begun(t, &m)
	fill(t, w, 0, 100, 100)
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	i := m.reader(t).chunks[0]
	for at := i.at + 60; at < i.at+i.size; at += 7 {
		bad := bytes.Clone(m.b)
		bad[at] ^= 0x41
		r := need[*Reader](t)(NewReader(bytes.NewReader(bad), int64(len(bad))))
		if err := r.Messages(0, func(*Message) error { return nil }); !errors.Is(err, ErrFormat) {
			t.Errorf("octet %d: %v", at, err)
		}
	}
}

func TestTheGoldenFileIsAsItWas(t *testing.T) {
	const golden = "testdata/golden.mcap"
	var m memory
	w := begun(t, &m)
	fill(t, w, 0, 20, 30)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	fill(t, w, 20, 25, 30)
	if err := w.Seal(Metadata{Name: "rosbag2",
		Table: map[string]string{"serialized_metadata": "version: 9\n"}}); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, m.b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := need[[]byte](t)(os.ReadFile(golden))
	if !bytes.Equal(m.b, want) {
		t.Errorf("%d octets, %d in the golden file; go test ./ros/mcap -update writes it again", len(m.b),
			len(want))
	}
	if r := (&memory{b: want}).reader(t); r.Cut || len(numbers(t, r, 0)) != 25 || r.Statistics.Chunks != 2 {
		t.Errorf("the golden file has %+v", r.Statistics)
	}
}

func TestAFileThatBreaksStaysBroken(t *testing.T) {
	m := memory{}
	w := begun(t, &m)
	full := errors.New("no space left on device")
	m.broken = full
	if err := w.Seal(); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	m.broken = nil
	if err := w.Write(&Message{}); !errors.Is(err, full) {
		t.Errorf("after that: %v", err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	var m memory
	w := begun(t, &m)
	if err := w.Write(&Message{Channel: 2}); err == nil {
		t.Error("a channel that is not there was taken")
	}
	if _, err := w.AddChannel(Channel{Schema: 9}); err == nil {
		t.Error("a schema that is not there was taken")
	}
	if err := w.Write(&Message{Data: make([]byte, largest+1)}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

func TestAnyFileIsReadOrRefused(t *testing.T) {
	for _, text := range []string{"", "hello", magic, magic + magic,
		magic + "\x05\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if _, err := NewReader(bytes.NewReader([]byte(text)), int64(len(text))); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(need[[]byte](f)(os.ReadFile("testdata/golden.mcap")))
	var m memory
	w := begun(f, &m)
	fill(f, w, 0, 4, 20)
	if err := w.Flush(); err != nil {
		f.Fatal(err)
	}
	f.Add(m.b)
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
			return
		}
		n := uint64(0)
		err = r.Messages(0, func(*Message) error { n++; return nil })
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
		if r.Cut && (err != nil || n != r.Statistics.Messages) {
			t.Error(fmt.Errorf("a scan found %d messages and %d are read: %w", r.Statistics.Messages, n, err))
		}
	})
}
