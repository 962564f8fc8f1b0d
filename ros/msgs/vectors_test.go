package msgs_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"simdeck/ros/msgs"
)

// vector is one message as a real middleware serialized it: the values, and the payload with its
// encapsulation header. Jazzy with rmw_cyclonedds and rmw_fastrtps (both lines of simulation_interfaces), and
// Kilted with rmw_fastrtps.
type vector struct {
	Type   string         `json:"type"`
	Line   string         `json:"line"` // 1.x, 2.x or kilted
	RMW    string         `json:"rmw"`
	Case   string         `json:"case"` // default, rnd0, full, max
	Values map[string]any `json:"values"`
	CDR    string         `json:"cdr"`
}

// vectors reads all recorded messages.
func vectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/cdr_vectors.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(z)
	d.UseNumber()
	var all []vector
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// key is the vector's place in the registry.
func (v vector) key() string {
	if strings.HasPrefix(v.Type, "simulation_interfaces/") {
		return v.Line + " " + v.Type
	}
	return " " + v.Type
}

// message is a new message of the vector's type, payload the recorded bytes.
func (v vector) message(t testing.TB) (m msgs.Message, payload []byte) {
	t.Helper()
	create, ok := registry[v.key()]
	if !ok {
		t.Fatalf("no Go type for %q", v.key())
	}
	payload, err := hex.DecodeString(v.CDR)
	if err != nil {
		t.Fatal(err)
	}
	return create(), payload
}

func encode(t testing.TB, m msgs.Message) []byte {
	t.Helper()
	b, err := msgs.Encode(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryRecordedMessageIsWrittenByteForByte(t *testing.T) {
	exact := 0
	for _, v := range vectors(t) {
		m, payload := v.message(t)
		fill(t, reflect.ValueOf(m).Elem(), v.Values)
		got := encode(t, m)
		if v.RMW == "rmw_cyclonedds_cpp" {
			exact++
		} else {
			payload = unpadded(t, m, got, payload)
		}
		if !bytes.Equal(got, payload) {
			t.Errorf("%s %s %s %s:\nwritten  %x\nrecorded %x", v.RMW, v.Line, v.Type, v.Case, got, payload)
		}
	}
	if exact < 1264 {
		t.Errorf("%d vectors compared byte for byte, want all 1264 of Cyclone", exact)
	}
}

// unpadded is the recorded payload with its padding bytes, in which Fast DDS leaves whatever was in memory,
// taken from what we wrote. A byte of ours is padding when no value depends on it: with another byte there
// the same is read.
func unpadded(t *testing.T, m msgs.Message, ours, recorded []byte) []byte {
	t.Helper()
	if len(ours) != len(recorded) {
		return recorded
	}
	recorded = bytes.Clone(recorded)
	other := reflect.New(reflect.TypeOf(m).Elem()).Interface().(msgs.Message)
	for i := range ours {
		if ours[i] == recorded[i] {
			continue
		}
		changed := bytes.Clone(ours)
		changed[i] = recorded[i]
		if msgs.Decode(changed, other) == nil && bytes.Equal(encode(t, other), ours) {
			recorded[i] = ours[i]
		}
	}
	return recorded
}

func TestEveryRecordedMessageIsReadToItsValues(t *testing.T) {
	for _, v := range vectors(t) {
		want, payload := v.message(t)
		fill(t, reflect.ValueOf(want).Elem(), v.Values)
		got, _ := v.message(t)
		if err := msgs.Decode(payload, got); err != nil {
			t.Errorf("%s %s %s %s: %v", v.RMW, v.Line, v.Type, v.Case, err)
			continue
		}
		if where := difference(v.Type, reflect.ValueOf(got).Elem(),
			reflect.ValueOf(want).Elem()); where != "" {
			t.Errorf("%s %s %s: %s", v.RMW, v.Line, v.Case, where)
		}
	}
}

func TestANewMessageHasTheDefaultsOfTheRealTools(t *testing.T) {
	checked := 0
	for _, v := range vectors(t) {
		if v.Case != "default" {
			continue
		}
		checked++
		got, _ := v.message(t)
		want := reflect.New(reflect.TypeOf(got).Elem())
		fill(t, want.Elem(), v.Values)
		if where := difference(v.Type, reflect.ValueOf(got).Elem(), want.Elem()); where != "" {
			t.Errorf("%s %s: %s", v.RMW, v.Line, where)
		}
		fill(t, reflect.ValueOf(got).Elem(), v.Values)
		got.SetDefaults()
		if where := difference(v.Type, reflect.ValueOf(got).Elem(), want.Elem()); where != "" {
			t.Errorf("after SetDefaults: %s", where)
		}
	}
	if checked < 800 {
		t.Errorf("%d default messages checked, want at least 800", checked)
	}
}

func TestEveryStrictPrefixOfAMessageFails(t *testing.T) {
	for _, v := range vectors(t) {
		m, payload := v.message(t)
		if err := msgs.Decode(payload, m); err != nil {
			t.Fatal(err)
		}
		whole := encode(t, m)
		for n := range whole {
			if msgs.Decode(whole[:n], m) == nil {
				t.Errorf("%s %s: the first %d of %d bytes pass for a whole message", v.Type, v.Case, n,
					len(whole))
				break
			}
		}
	}
}

// A message that is read into again must not show anything of what it held before.
func TestAReusedMessageHoldsOnlyWhatWasReadLast(t *testing.T) {
	used := map[string]msgs.Message{}
	for _, v := range vectors(t) {
		fresh, payload := v.message(t)
		if used[v.key()] == nil {
			used[v.key()], _ = v.message(t)
		}
		if err := msgs.Decode(payload, used[v.key()]); err != nil {
			t.Fatal(err)
		}
		if err := msgs.Decode(payload, fresh); err != nil {
			t.Fatal(err)
		}
		if where := difference(v.Type, reflect.ValueOf(used[v.key()]).Elem(),
			reflect.ValueOf(fresh).Elem()); where != "" {
			t.Errorf("%s: %s", v.Case, where)
		}
	}
}
