package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

const (
	someKey = "0/chatter/std_msgs::msg::dds_::String_/RIHS01_df66"
	aToken  = "@ros2_lv/0/aa/0/0/NN/%/%/other"
)

var someID = ID{0x25, 0x99, 0x5e, 0xf7, 0x58, 0x35, 0x6c, 0x01, 0xd0, 0x2b,
	0xb2, 0xf2, 0xc2, 0xde, 0x6e, 0x7b}

// element is a message with its encoding; of those without hex only that it survives is known.
type element struct {
	name    string
	hex     string
	network bool
	m       Message
}

// elements are all messages; what is in hex is from captures.
func elements() []element {
	stamp := Timestamp{0x6a17e4c0_40000000, someID}
	return []element{
		{"KeepAlive", "04", false, &KeepAlive{}},
		{"Close", "0300", false, &Close{}},
		{"Close a session", "2305", false, &Close{Session: true, Reason: Expired}},
		{"InitSyn", "c109f225995ef758356c01d02bb2f2c2de6e7b0ac8ff812701", false,
			&Init{Version: 9, Role: Client, ID: someID, Resolution: 10, Batch: 65480, QoS: true, Patch: 1}},
		{"InitAck", "", false, &Init{Ack: true, Version: 9, Role: Router, ID: ID{1}, Resolution: 5, Batch: 9,
			Cookie: []byte("cookie")}},
		{"Init of the defaults", "0109f225995ef758356c01d02bb2f2c2de6e7b", false,
			&Init{Version: 9, Role: Client, ID: someID, Resolution: DefaultResolution, Batch: MaxBatch}},
		{"OpenSyn", "420af1d5b92b0141", false,
			&Open{Lease: 10 * time.Second, SN: 0x56e6af1, Cookie: []byte("A")}},
		{"OpenAck", "620ad0eedd44", false, &Open{Ack: true, Lease: 10 * time.Second, SN: 0x8977750}},
		{"OpenAck in milliseconds", "22dc0b01", false,
			&Open{Ack: true, Lease: 1500 * time.Millisecond, SN: 1}},
		{"Frame", "25f1d5b92b04", false, &Frame{Reliable: true, SN: 0x56e6af1, Messages: []byte{4}}},
		{"Fragment", "e6d1eedd440209", false,
			&Fragment{Reliable: true, More: true, SN: 0x8977751, First: true,
				Part: []byte{9}}},
		{"Fragment that drops", "", false, &Fragment{SN: 3, Dropped: true, Part: []byte{}}},
		{"DeclareKey", "9e21082003001e" + hex.EncodeToString([]byte(aToken)), true,
			&Declare{What: DeclareKey, ID: 3, Key: Key(aToken)}},
		{"UndeclareKey", "", true, &Declare{What: UndeclareKey, ID: 3}},
		{"DeclareSubscriber", "9e2108420101", true,
			&Declare{What: DeclareSubscriber, ID: 1, Key: KeyExpr{Scope: 1, OfSender: true}}},
		{"UndeclareSubscriber", "", true, &Declare{What: UndeclareSubscriber, ID: 1}},
		{"DeclareQueryable", "9e2108c404042101", true, &Declare{What: DeclareQueryable, ID: 4, Complete: true,
			Key: KeyExpr{Scope: 4, OfSender: true}}},
		{"UndeclareQueryable", "", true, &Declare{What: UndeclareQueryable, ID: 4, Key: Key(someKey)}},
		{"DeclareToken in an answer", "be022108460103", true, &Declare{Answers: true, Interest: 2,
			What: DeclareToken, ID: 1, Key: KeyExpr{Scope: 3, OfSender: true}}},
		{"UndeclareToken", "", true, &Declare{What: UndeclareToken, ID: 3,
			Key: KeyExpr{Scope: 5, Suffix: []byte("/x"), OfSender: true}}},
		{"DeclareFinal", "be0221081a", true, &Declare{Answers: true, Interest: 2, What: DeclareFinal}},
		{"Interest", "f9027902032f2a2a2108", true, &Interest{ID: 2, Mode: CurrentFuture, Of: OfTokens | OfKeys,
			Key: KeyExpr{Scope: 2, Suffix: []byte("/**"), OfSender: true}}},
		{"Interest in everything", "", true, &Interest{ID: 9, Mode: Current, Of: OfSubscribers | Aggregated}},
		{"Interest no more", "9903" + "2108", true, &Interest{ID: 3}},
		{"Push", "5d01410a0141", true, &Push{Key: KeyExpr{Scope: 1, OfSender: true}, QoS: Data,
			Value: Value{Encoding: Encoding{ID: 5}, Payload: []byte("A")}}},
		{"Push with all", "", true, &Push{Key: Key(someKey), QoS: Data | Block | Express, Value: Value{
			Timestamp: stamp, Encoding: Encoding{ID: 1, Schema: []byte("s")}, Attachment: []byte("a"),
			Payload: []byte("p")}}},
		{"Push of an end", "", true, &Push{Key: Key(someKey), QoS: Data, Value: Value{Deleted: true,
			Timestamp: stamp, Attachment: []byte("a")}}},
		{"Request", "bc01000161a10db40226904ea301c308000001000061736b450141", true,
			&Request{ID: 1, Key: Key("a"), QoS: Data | Block, Target: AllComplete,
				Timeout: 10 * time.Second, Consolidation: NotConsolidated,
				HasBody: true, Payload: []byte("\x00\x01\x00\x00ask"), Attachment: []byte("A")}},
		{"Request with parameters", "", true, &Request{ID: 1, Key: Key("a"), QoS: Data,
			Parameters: []byte("_max=1"),
			HasBody:    true, Encoding: Encoding{ID: 7, Schema: []byte("x")}, Payload: []byte{}}},
		{"Response", "", true, &Response{Request: 7, Key: Key("a"), QoS: Data, Responder: someID, Entity: 6,
			Value: Value{Payload: []byte("sum"), Attachment: []byte("A")}}},
		{"Response of an error", "", true, &Response{Request: 7, Key: Key("a"), QoS: Data, Failed: true,
			Value: Value{Encoding: Encoding{ID: 3}, Payload: []byte("no")}}},
		{"ResponseFinal", "1a07", true, &ResponseFinal{Request: 7}},
		{"OAM", "", true, &OAM{ID: 1, Body: []byte("routers")}},
	}
}

func (e element) parse(b []byte) (Message, []byte, error) {
	if e.network {
		return ParseNetwork(b)
	}
	return ParseTransport(b)
}

func TestEveryMessageIsEncodedAsTheOthersDo(t *testing.T) {
	for _, e := range elements() {
		b := e.m.Append(nil)
		if e.hex != "" && hex.EncodeToString(b) != e.hex {
			t.Errorf("%s: %x, want %s", e.name, b, e.hex)
		}
		again, left, err := e.parse(b)
		if err != nil || len(left) != 0 {
			t.Errorf("%s: %v, %d octets left", e.name, err, len(left))
			continue
		}
		if !bytes.Equal(again.Append(nil), b) {
			t.Errorf("%s came back as %+v, was %+v", e.name, again, e.m)
		}
		if fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", e.m) {
			t.Errorf("%s is read as %+v, want %+v", e.name, again, e.m)
		}
	}
}

func TestNoStrictPrefixOfAMessageIsOne(t *testing.T) {
	for _, e := range elements() {
		if strings.HasPrefix(e.name, "Fra") { // they go to the end of their batch
			continue
		}
		b := e.m.Append(nil)
		for n := range b {
			if m, left, err := e.parse(b[:n]); err == nil {
				t.Errorf("%s: %d of %d octets are %+v, with %d left", e.name, n, len(b), m, len(left))
			}
		}
	}
}

// captured are the batches of a session of eclipse-zenoh and a router; see ros/interop/zenoh_tap.py.
func captured(t testing.TB) (all [][]byte) {
	t.Helper()
	f, err := os.Open("testdata/eclipse-zenoh-1.10.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		b, err := hex.DecodeString(lines.Text()[2:])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// networkMessages are those of the frames and fragments of batches.
func networkMessages(t testing.TB, batches [][]byte) (all [][]byte) {
	t.Helper()
	var parts []byte
	for _, b := range batches {
		for len(b) > 0 {
			m, left, err := ParseTransport(b)
			if err != nil {
				t.Fatalf("%x: %v", b[:min(len(b), 60)], err)
			}
			b = left
			var whole []byte
			switch m := m.(type) {
			case *Frame:
				whole = m.Messages
			case *Fragment:
				if parts = append(parts, m.Part...); !m.More {
					whole, parts = parts, nil
				}
			}
			for len(whole) > 0 {
				_, rest, err := ParseNetwork(whole)
				if err != nil {
					t.Fatalf("%x: %v", whole[:min(len(whole), 60)], err)
				}
				all = append(all, whole[:len(whole)-len(rest)])
				whole = rest
			}
		}
	}
	return all
}

func TestWhatOthersHaveSentIsReadAndWrittenTheSame(t *testing.T) {
	batches := captured(t)
	all := networkMessages(t, batches)
	if len(batches) != 29 || len(all) < 25 {
		t.Fatalf("%d batches with %d network messages", len(batches), len(all))
	}
	kinds := map[string]int{}
	for _, b := range all {
		m, _, _ := ParseNetwork(b)
		kinds[reflect.TypeOf(m).Elem().Name()]++
		if d, ok := m.(*Declare); ok && d.What == UndeclareToken {
			continue // eclipse-zenoh says of no key that it is none
		}
		if _, ok := m.(*ResponseFinal); ok {
			continue // eclipse-zenoh repeats the request's priority
		}
		if again := m.Append(nil); !bytes.Equal(again, b) {
			t.Errorf("%x is written as %x", b, again)
		}
	}
	for _, want := range []string{"Declare", "Interest", "Push", "Request", "Response", "ResponseFinal"} {
		if kinds[want] == 0 {
			t.Errorf("no %s among what was captured: %v", want, kinds)
		}
	}
}

func TestALargeValueOfOthersIsPutTogether(t *testing.T) {
	for _, b := range networkMessages(t, captured(t)) {
		m, _, _ := ParseNetwork(b)
		if p, ok := m.(*Push); ok && len(p.Value.Payload) == 100_000 && len(p.Value.Attachment) == 33 {
			return
		}
	}
	t.Error("the value of 100,000 octets was not found")
}

func TestAnExtensionThatMustBeUnderstoodAndIsNotIsAnError(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		err       error
	}{
		{"a unit that may be passed over", "9a070c", nil},
		{"a unit that must be understood", "9a071c", ErrExtension},
		{"octets that may be passed over", "9a074c03010203", nil},
		{"octets that must be understood", "9a075c03010203", ErrExtension},
		{"an encoding that nobody knows", "9a076c", ErrMalformed},
		{"a value in shared memory", "1d00" + "81" + "12" + "00", ErrExtension},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := ParseNetwork(b); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
	}
}

func TestNumbersOfAllSizesSurvive(t *testing.T) {
	for _, v := range []uint64{0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 1<<35 - 1, 1<<56 - 1, 1 << 56,
		1<<63 - 1, 1 << 63, 1<<64 - 1} {
		b := AppendZInt(nil, v)
		c := cursor{left: b}
		if got := c.zint(); got != v || c.err != nil || len(c.left) != 0 || len(b) > 9 {
			t.Errorf("%d in %d octets %x is read as %d: %v", v, len(b), b, got, c.err)
		}
	}
}

func TestIDsAreWrittenAsInKeys(t *testing.T) {
	if got := someID.String(); got != "7b6edec2f2b22bd0016c3558f75e9925" {
		t.Errorf("%s", got)
	}
	for _, id := range []ID{someID, {1}, {0, 0x10}} {
		if again, err := ParseID(id.String()); err != nil || again != id {
			t.Errorf("%s is read as %s: %v", id, again, err)
		}
	}
	for _, bad := range []string{"", "x", "00", strings.Repeat("1", 33), "-1"} {
		if _, err := ParseID(bad); !errors.Is(err, ErrID) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTimestampsKeepTheNanosecond(t *testing.T) {
	at := time.Unix(1_700_000_000, 123_456_789)
	if got := TimestampOf(at, someID).Time(); got.Sub(at).Abs() > time.Nanosecond {
		t.Errorf("%v, want %v", got, at)
	}
}

func FuzzMessages(f *testing.F) {
	for _, e := range elements() {
		f.Add(e.m.Append(nil))
	}
	for _, b := range captured(f) {
		if len(b) < 1000 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, parse := range []func([]byte) (Message, []byte, error){ParseTransport, ParseNetwork} {
			m, left, err := parse(b)
			if err != nil {
				continue
			}
			if len(left) >= len(b) {
				t.Fatalf("%+v has taken nothing of %x", m, b)
			}
			once := m.Append(nil)
			again, rest, err := parse(once)
			if err != nil || len(rest) != 0 {
				t.Fatalf("%+v is written as %x, which is not read: %v, %d left", m, once, err, len(rest))
			}
			if twice := again.Append(nil); !bytes.Equal(once, twice) {
				t.Fatalf("%x becomes %x", once, twice)
			}
		}
	})
}

func TestReadingAllocatesTheMessageAlone(t *testing.T) {
	p := Push{Key: Key(someKey), Value: Value{Payload: make([]byte, 1<<16), Attachment: []byte("a")}}
	b := p.Append(nil)
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := ParseNetwork(b); err != nil {
			t.Fatal(err)
		}
	}); n > 4 {
		t.Errorf("%v allocations for a value of %d octets", n, len(b))
	}
}
