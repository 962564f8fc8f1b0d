package wire

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestTimesSurviveToTheNanosecond(t *testing.T) {
	for _, ns := range []int64{0, 1, 999_999_999, 123_456_789, 500_000_000, 3} {
		want := time.Unix(1_700_000_000, ns)
		if got := TimestampOf(want).Time(); !got.Equal(want) {
			t.Errorf("%v becomes %v", want, got)
		}
		d := 3*time.Second + time.Duration(ns)
		if got := DurationOf(d).Duration(); got != d {
			t.Errorf("%v becomes %v", d, got)
		}
	}
	for _, bad := range []time.Time{{}, time.Unix(-5, 0), time.Unix(math.MaxInt32+1, 0)} {
		if got := TimestampOf(bad).Time(); !got.IsZero() {
			t.Errorf("%v becomes %v, want none", bad, got)
		}
	}
	for d, want := range map[Duration]time.Duration{
		Infinite: 0, {math.MaxInt32, 0}: 0, {-1, 0}: 1, {0, 0}: 1, {0, math.MaxUint32}: time.Second - 1,
	} {
		if got := d.Duration(); got != want {
			t.Errorf("%+v becomes %v, want %v", d, got, want)
		}
	}
	if DurationOf(0) != Infinite || DurationOf(math.MaxInt64) != Infinite {
		t.Error("0 and what is too long are infinite")
	}
}

func TestNumberSetsHoldWhatIsAdded(t *testing.T) {
	s := SequenceNumberSet{Base: 10}
	for _, n := range []SequenceNumber{10, 41, 42, 265} {
		if !s.Add(n) {
			t.Errorf("%d does not fit", n)
		}
	}
	if s.Add(9) || s.Add(266) || s.NumBits != 256 || s.End() != 266 {
		t.Errorf("%+v took what does not fit", s)
	}
	for n := SequenceNumber(0); n < 300; n++ {
		if want := n == 10 || n == 41 || n == 42 || n == 265; s.Contains(n) != want {
			t.Errorf("contains %d: %v", n, !want)
		}
	}
	f := FragmentNumberSet{Base: 3}
	if f.Add(2) || !f.Add(3) || !f.Contains(3) || f.Contains(4) || f.Add(259) || f.Empty() {
		t.Errorf("%+v", f)
	}
}

func TestBitsBehindTheLastOneSayNothing(t *testing.T) {
	b := []byte{0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}
	s, _, err := ParseSequenceNumberSet(b, false)
	if err != nil || s.Bits[0] != 0xf0000000 {
		t.Errorf("%+v: %v", s, err)
	}
}

func TestWhatBreaksARuleIsRefused(t *testing.T) {
	set := SequenceNumberSet{Base: 1}
	wide := set
	wide.NumBits = 257
	data := Data{Writer: 3, SN: 1, Content: ContentData, Payload: []byte{0, 1, 0, 0}}
	both := data.Append(nil)
	both[1] |= flagKey
	beyond := data.Append(nil)
	beyond[6] = 200 // octetsToInlineQos
	frag := func(change func(*DataFrag)) []byte {
		f := DataFrag{Writer: 3, SN: 1, Start: 1, Count: 2, Size: 4, SampleSize: 8, Payload: make([]byte, 8)}
		change(&f)
		return f.Append(nil)
	}
	for what, c := range map[string]struct {
		parse func([]byte) (appender, int, error)
		b     []byte
	}{
		"257 bits": {of(ParseAckNack),
			func() []byte { b := AckNack{State: set}.Append(nil); b[20], b[21] = 1, 1; return b }()},
		"a base below zero": {of(ParseAckNack),
			AckNack{State: SequenceNumberSet{Base: -1}}.Append(nil)},
		"a base that overflows": {of(ParseAckNack),
			AckNack{State: SequenceNumberSet{Base: math.MaxInt64}}.Append(nil)},
		"a first of 0":              {of(ParseHeartbeat), Heartbeat{First: 0, Last: 0}.Append(nil)},
		"a last before the first":   {of(ParseHeartbeat), Heartbeat{First: 5, Last: 3}.Append(nil)},
		"a gap from 0":              {of(ParseGap), Gap{Start: 0, List: set}.Append(nil)},
		"a gap that ends too early": {of(ParseGap), Gap{Start: 9, List: set}.Append(nil)},
		"sample 0":                  {of(ParseData), Data{SN: 0}.Append(nil)},
		"a value and a key":         {of(ParseData), both},
		"QoS beyond the end":        {of(ParseData), beyond},
		"fragment 0":                {of(ParseDataFrag), frag(func(f *DataFrag) { f.Start = 0 })},
		"no fragments":              {of(ParseDataFrag), frag(func(f *DataFrag) { f.Count = 0 })},
		"fragments of 0 octets":     {of(ParseDataFrag), frag(func(f *DataFrag) { f.Size = 0 })},
		"a sample of 0 octets":      {of(ParseDataFrag), frag(func(f *DataFrag) { f.SampleSize = 0 })},
		"a fragment behind the end": {of(ParseDataFrag), frag(func(f *DataFrag) { f.Start = 2 })},
		"too few octets": {of(ParseDataFrag),
			frag(func(f *DataFrag) { f.Payload = f.Payload[:4] })},
		"a frag heartbeat of none": {of(ParseHeartbeatFrag), HeartbeatFrag{SN: 1}.Append(nil)},
		"a fragment set from 0":    {of(ParseNackFrag), NackFrag{SN: 1}.Append(nil)},
		"another submessage":       {of(ParseGap), Heartbeat{First: 1}.Append(nil)},
		"not RTPS":                 {of(ParseHeader), []byte("RTPX2.2.prefixprefix")},
		"a participant's GUID": {of(ParseParticipantData),
			ParticipantData{GUID: guidA, Builtin: 1}.Append(nil)},
		"plain CDR": {of(ParseParticipantData), []byte{0, 1, 0, 0, 1, 0, 0, 0}},
		"no key":    {of(ParseKey), append([]byte{0, 3, 0, 0}, PIDSentinel, 0, 0, 0)},
	} {
		if v, _, err := c.parse(c.b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %+v, %v", what, v, err)
		}
	}
}

func TestAnUnknownParameterThatMustBeUnderstoodSpoilsTheList(t *testing.T) {
	p := ParticipantData{Version: Version, GUID: GUID{prefixA, EntityParticipant}, Builtin: 1,
		Lease: time.Second}.Append(nil)
	body := p[:len(p)-4]
	end := []byte{PIDSentinel, 0, 0, 0}
	for id, want := range map[uint16]error{0x0077: nil, 0x4077: ErrNotUnderstood, 0x8077: nil, 0xc077: nil} {
		b := append(Parameter{id, []byte("what")}.Append(append([]byte(nil), body...)), end...)
		if _, _, err := ParseParticipantData(b); !errors.Is(err, want) {
			t.Errorf("%#04x: %v, want %v", id, err, want)
		}
	}
}

func TestCountsAreCheckedBeforeMemoryIsTaken(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0x7f}
	for _, id := range []uint16{PIDPropertyList, PIDUserData, PIDEntityName} {
		b := append(Parameter{id, huge}.Append([]byte{0, 3, 0, 0}), PIDSentinel, 0, 0, 0)
		if _, _, err := ParseParticipantData(b); !errors.Is(err, ErrShort) {
			t.Errorf("%#04x: %v", id, err)
		}
	}
	for _, id := range []uint16{PIDPartition, PIDRepresentation, PIDTopicName} {
		b := append(Parameter{id, huge}.Append([]byte{0, 3, 0, 0}), PIDSentinel, 0, 0, 0)
		if _, _, err := ParseEndpointData(b, true); !errors.Is(err, ErrShort) {
			t.Errorf("%#04x: %v", id, err)
		}
	}
}

func TestOnlyAddressesThatCanBeUsedAreTaken(t *testing.T) {
	good := UDPv4([4]byte{10, 0, 0, 1}, 7410)
	shm := good
	shm.Kind = 16
	d := ParticipantData{Version: Version, GUID: GUID{prefixA, EntityParticipant}, Builtin: 1,
		Lease: time.Second,
		Meta: []Locator{shm, good, UDPv4([4]byte{}, 7410), UDPv4([4]byte{255, 255, 255, 255}, 1),
			UDPv4([4]byte{10, 0, 0, 1}, 0), good}}
	got, _, err := ParseParticipantData(d.Append(nil))
	if err != nil || len(got.Meta) != 1 || got.Meta[0] != good {
		t.Errorf("%v: %v", got.Meta, err)
	}
	if good.String() != "10.0.0.1:7410" || !UDPv4([4]byte{239, 255, 0, 1}, 1).IsMulticast() ||
		good.IsMulticast() || good.IsLoopback() {
		t.Error("locator's properties")
	}
}

func TestTheNewerRelatedIdentityWins(t *testing.T) {
	a, b := SampleIdentity{guidA, 1}, SampleIdentity{guidA, 2}
	end := []byte{PIDSentinel, 0, 0, 0}
	both := append(Parameter{PIDRelatedSampleLegacy,
		b.Append(nil)}.Append(Parameter{PIDRelatedSample, a.Append(nil)}.Append(nil)), end...)
	old := append(Parameter{PIDRelatedSampleLegacy, b.Append(nil)}.Append(nil), end...)
	for _, c := range []struct {
		list []byte
		want SampleIdentity
	}{{both, a}, {old, b}} {
		if q, _, err := ParseInlineQoS(c.list, false); err != nil || q.Related != c.want {
			t.Errorf("%+v: %v, want %+v", q.Related, err, c.want)
		}
	}
}

func TestEntityKinds(t *testing.T) {
	for _, c := range []struct {
		e                       EntityID
		writer, reader, builtin bool
	}{
		{0x103, true, false, false}, {0x102, true, false, false}, {0x104, false, true, false},
		{0x107, false, true, false},
		{EntityPublicationsWriter, true, false, true}, {EntitySPDPReader, false, true, true},
		{EntityParticipant, false, false, true},
	} {
		if c.e.IsWriter() != c.writer || c.e.IsReader() != c.reader || c.e.IsBuiltin() != c.builtin {
			t.Errorf("%v: writer %v, reader %v, builtin %v", c.e, c.e.IsWriter(), c.e.IsReader(),
				c.e.IsBuiltin())
		}
	}
	if GUIDFromBytes(guidA.Bytes()) != guidA || guidA.Compare(GUID{prefixA, 0x104}) >= 0 ||
		guidA.Compare(guidA) != 0 {
		t.Error("GUID's order")
	}
}

func TestLinksKnowTheirNetwork(t *testing.T) {
	l := Link{Bits: []int{20}, Meta: []Locator{UDPv4([4]byte{10, 1, 16, 1}, 1)}}
	for a, want := range map[[4]byte]bool{{10, 1, 31, 255}: true, {10, 1, 32, 0}: false,
		{10, 1, 16, 1}: true} {
		if l.Covers(a) != want {
			t.Errorf("%v covered: %v", a, !want)
		}
	}
	l.Bits, l.Meta = append(l.Bits, 24),
		append(l.Meta, UDPv4([4]byte{192, 168, 1, 1}, 1), UDPv4([4]byte{192, 168, 2, 1}, 1))
	for a, want := range map[[4]byte]int{{10, 1, 31, 7}: 20, {192, 168, 1, 7}: 24, {192, 168, 2, 7}: -1,
		{192, 168, 2, 1}: 32, {11, 0, 0, 1}: -1} {
		if got := l.Prefix(a); got != want {
			t.Errorf("%v is in a network with a prefix of %d, want %d: every address has a network of its own",
				a, got, want)
		}
	}
	for a, want := range map[[4]byte]bool{{10, 1, 31, 255}: true, {10, 1, 30, 255}: false,
		{192, 168, 1, 255}: true, {192, 168, 2, 255}: false} {
		if l.Broadcast(a) != want {
			t.Errorf("%v means all: %v", a, !want)
		}
	}
	if !l.Owns([4]byte{10, 1, 16, 1}) || l.Owns([4]byte{10, 1, 16, 2}) {
		t.Error("own addresses")
	}
}
