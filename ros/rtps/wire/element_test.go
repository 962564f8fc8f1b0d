package wire

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"time"
)

// element is one wire element under test: how to parse it, and samples that must survive.
type element struct {
	name    string
	parse   func(b []byte) (value appender, n int, err error)
	samples []appender
	// the first sample as a big-endian sender writes it, hexadecimal; "" when the element has one order only
	big string
}

type appender interface{ Append(b []byte) []byte }

func of[T appender](parse func([]byte) (T, int, error)) func([]byte) (appender, int, error) {
	return func(b []byte) (appender, int, error) {
		v, n, err := parse(b)
		return v, n, err
	}
}

func ordered[T appender](parse func([]byte, bool) (T, int, error)) func([]byte) (appender, int, error) {
	return of(func(b []byte) (T, int, error) { return parse(b, false) })
}

var (
	prefixA = GUIDPrefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	guidA   = GUID{prefixA, 0x00000103}
	setA    = func() SequenceNumberSet {
		s := SequenceNumberSet{Base: 5}
		s.Add(5)
		s.Add(44)
		return s
	}()
	inlineA = InlineQoS{Related: SampleIdentity{guidA, 7}}.Append(nil)
)

func elements() []element {
	return []element{
		{"Header", of(ParseHeader), []appender{Header{Version, VendorSimdeck, prefixA}}, ""},
		{"GUID", of(ParseGUID), []appender{guidA}, ""},
		{"SampleIdentity", ordered(ParseSampleIdentity), []appender{SampleIdentity{guidA, 1<<33 + 1}}, ""},
		{"Locator", ordered(ParseLocator), []appender{UDPv4([4]byte{10, 0, 0, 1}, 7410)}, ""},
		{"SequenceNumberSet", ordered(ParseSequenceNumberSet), []appender{setA, SequenceNumberSet{}}, ""},
		{"FragmentNumberSet", ordered(ParseFragmentNumberSet),
			[]appender{FragmentNumberSet{Base: 3, bitmap: setA.bitmap}}, ""},
		{"Parameter", ordered(ParseParameter), []appender{Parameter{PIDDomainTag, []byte("abcd")}}, ""},
		{"InlineQoS", ordered(ParseInlineQoS),
			[]appender{InlineQoS{StatusDisposed, guidA.KeyHash(), SampleIdentity{guidA,
				SequenceNumberUnknown}}}, ""},
		{"AckNack", of(ParseAckNack), []appender{AckNack{0x104, 0x103, setA, 9, true},
			AckNack{Reader: 0x104, Writer: 0x103, Count: 1}},
			"06020024 00000104 00000103 00000000 00000005 00000028 80000000 01000000 00000009 00000000"},
		{"Heartbeat", of(ParseHeartbeat),
			[]appender{Heartbeat{0, 0x103, 1, 0, 1, true, false},
				Heartbeat{4, 3, 1 << 40, 1<<40 + 9, 7, false, true}},
			"0702001c 00000000 00000103 00000000 00000001 00000000 00000000 00000001"},
		{"HeartbeatFrag", of(ParseHeartbeatFrag), []appender{HeartbeatFrag{4, 3, 8, 12, 2}},
			"13000018 00000004 00000003 00000000 00000008 0000000c 00000002"},
		{"NackFrag", of(ParseNackFrag),
			[]appender{NackFrag{4, 3, 8, FragmentNumberSet{Base: 3, bitmap: setA.bitmap}, 2}},
			"12000024 00000004 00000003 00000000 00000008 00000003 00000028 80000000 01000000 00000002"},
		{"Gap", of(ParseGap), []appender{Gap{4, 3, 2, setA}, Gap{4, 3, 2, SequenceNumberSet{Base: 2}}},
			"08000024 00000004 00000003 00000000 00000002 00000000 00000005 00000028 80000000 01000000"},
		{"InfoTimestamp", of(ParseInfoTimestamp),
			[]appender{InfoTimestamp{Time: Timestamp{5, 6}}, InfoTimestamp{Invalid: true}},
			"09000008 00000005 00000006"},
		{"InfoDst", of(ParseInfoDst), []appender{InfoDst{prefixA}}, "0e00000c 01020304 05060708 090a0b0c"},
		{"InfoSource", of(ParseInfoSource), []appender{InfoSource{Version, VendorCyclone, prefixA}},
			"0c000014 00000000 02020110 01020304 05060708 090a0b0c"},
		{"Data", of(ParseData), []appender{
			Data{Reader: 0x104, Writer: 0x103, SN: 3, Content: ContentData,
				Payload: []byte("\x00\x01\x00\x00four")},
			Data{Writer: 0x103, SN: 3, InlineQoS: inlineA, Content: ContentKey, Payload: []byte("key.")},
			Data{Writer: 0x103, SN: 3, InlineQoS: inlineA},
		}, "1504001c 00000010 00000104 00000103 00000000 00000003 00010000 666f7572"},
		{"DataFrag", of(ParseDataFrag), []appender{
			DataFrag{Reader: 4, Writer: 3, SN: 8, Start: 2, Count: 2, Size: 3, SampleSize: 8,
				Payload: []byte("fiver")},
			DataFrag{Writer: 3, SN: 8, Start: 1, Count: 1, Size: 8, SampleSize: 8, InlineQoS: inlineA,
				Key: true, Payload: []byte("all of 8")},
		}, "16000028 0000001c 00000004 00000003 00000000 00000008 00000002 00020003 00000008 66697665 72000000"},
		{"ParticipantData", of(ParseParticipantData), []appender{ParticipantData{
			Version: Version, Vendor: VendorSimdeck, GUID: GUID{prefixA, EntityParticipant},
			Builtin: BuiltinEndpoints, Lease: 20 * time.Second,
			Meta:   []Locator{UDPv4([4]byte{127, 0, 0, 1}, 7410)},
			User:   []Locator{UDPv4([4]byte{127, 0, 0, 1}, 7411)},
			Domain: 3, HasDomain: true, DomainTag: "tag", Name: "/", UserData: []byte("enclave=/;"),
			Properties: []Property{{"a", "b"}, {"cc", ""}},
		}}, ""},
		{"EndpointData", of(func(b []byte) (EndpointData, int, error) { return ParseEndpointData(b, true) }),
			[]appender{EndpointData{
				GUID: guidA, Topic: "rt/chatter", Type: "std_msgs::msg::dds_::String_",
				UserData: []byte("typehash=x;"),
				Unicast:  []Locator{UDPv4([4]byte{10, 0, 0, 1}, 9)},
				QoS: EndpointQoS{Reliability: ReliabilityReliable, Durability: DurabilityTransientLocal,
					Depth:    7,
					Deadline: time.Second,
					Lifespan: 10 * time.Second, Liveliness: LivelinessManualByTopic,
					LivelinessLease: time.Millisecond, Exclusive: true, Strength: -7,
					Separation: 2 * time.Second,
					Partitions: []string{"p", "long name"}, Representations: []int16{0, 2}},
			}}, ""},
		{"Key", of(ParseKey), []appender{Key{PIDEndpointGUID, guidA}}, ""},
		{"ParticipantMessage", of(ParseParticipantMessage),
			[]appender{ParticipantMessage{prefixA, 1, []byte{0}}}, ""},
	}
}

func TestEveryElementSurvivesAppendAndParse(t *testing.T) {
	for _, e := range elements() {
		for _, want := range e.samples {
			b := want.Append([]byte("before"))[6:]
			got, n, err := e.parse(b)
			if err != nil || n != len(b) {
				t.Fatalf("%s: parsing %x took %d of %d octets: %v", e.name, b, n, len(b), err)
			}
			if !reflect.DeepEqual(normal(got), normal(want)) {
				t.Errorf("%s: got %+v, want %+v", e.name, got, want)
			}
		}
	}
}

// normal gives absent slices one form.
func normal(v appender) appender {
	if d, ok := v.(Data); ok && len(d.Payload) == 0 {
		d.Payload = nil
		return d
	}
	return v
}

func TestEveryStrictPrefixFails(t *testing.T) {
	for _, e := range elements() {
		for _, v := range e.samples {
			b := v.Append(nil)
			for n := range b {
				if got, _, err := e.parse(b[:n]); err == nil {
					t.Errorf("%s: the first %d of %d octets parse as %+v", e.name, n, len(b), got)
				}
			}
		}
	}
}

func TestBigEndianSendersAreUnderstood(t *testing.T) {
	for _, e := range elements() {
		if e.big == "" {
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(e.big, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		b[3] = byte(len(b) - 4)
		if e.name == "AckNack" {
			b = b[:len(b)-4]
			b[3] -= 4
		}
		got, n, err := e.parse(b)
		if err != nil || n != len(b) {
			t.Errorf("%s: took %d of %d octets: %v", e.name, n, len(b), err)
			continue
		}
		if d, ok := got.(Data); ok {
			d.BigEndian = false
			got = d
		}
		if d, ok := got.(DataFrag); ok {
			d.BigEndian = false
			got = d
		}
		if !reflect.DeepEqual(got, e.samples[0]) {
			t.Errorf("%s: got %+v, want %+v", e.name, got, e.samples[0])
		}
	}
}

func TestParsingAndAppendingControlElementsAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 256)
	hb := Heartbeat{0x104, 0x103, 1, 9, 1, true, false}.Append(nil)
	ack := AckNack{0x104, 0x103, setA, 9, true}.Append(nil)
	data := Data{Reader: 0x104, Writer: 0x103, SN: 3, Content: ContentData,
		Payload: []byte("\x00\x01\x00\x00four")}.Append(nil)
	n := testing.AllocsPerRun(100, func() {
		h, _, _ := ParseHeartbeat(hb)
		a, _, _ := ParseAckNack(ack)
		d, _, _ := ParseData(data)
		buf = d.Append(a.Append(h.Append(buf[:0])))
	})
	if n != 0 {
		t.Errorf("%v allocations, want none: every datagram passes here", n)
	}
}

// FuzzElements parses anything as every element. Parsed elements must survive being appended and parsed
// again.
func FuzzElements(f *testing.F) {
	all := elements()
	for i, e := range all {
		for _, v := range e.samples {
			f.Add(byte(i), v.Append(nil))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, b []byte) {
		e := all[int(which)%len(all)]
		v, n, err := e.parse(b)
		if err != nil {
			return
		}
		if n > len(b) {
			t.Fatalf("%s: took %d of %d octets", e.name, n, len(b))
		}
		if d, ok := v.(Data); ok && d.BigEndian && d.InlineQoS != nil {
			return // appended as it is, but then in the other order
		}
		if d, ok := v.(DataFrag); ok && d.BigEndian && d.InlineQoS != nil {
			return
		}
		once := v.Append(nil)
		if len(once) == 0 {
			return // an empty inline QoS is left out
		}
		again, n, err := e.parse(once)
		if err != nil || n != len(once) {
			t.Fatalf("%s: %+v appends to %x, which parses %d octets: %v", e.name, v, once, n, err)
		}
		if twice := again.Append(nil); !bytes.Equal(once, twice) {
			t.Fatalf("%s: %x, the second time %x", e.name, once, twice)
		}
	})
}
