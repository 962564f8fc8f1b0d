package msgs_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/internal/wiremsgs"
	"simdeck/ros/msgs/rclinterfaces"
)

func TestEveryGeneratedTypeCarriesItsTrueHash(t *testing.T) {
	text, err := os.ReadFile("../rosidl/testdata/type_hashes.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]map[string]string
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for group, hashes := range groups {
		_, line, _ := strings.Cut(group, "@")
		for name, want := range hashes {
			create, ok := registry[line+" "+name]
			if !ok {
				continue // a service or action as a whole: no message, see the tests of their descriptions
			}
			checked++
			if m := create(); m.TypeHash() != want || m.TypeName() != name {
				t.Errorf("%s: %s has hash %s, want %s", group, m.TypeName(), m.TypeHash(), want)
			}
		}
	}
	// the draft's request, response and event: no released tool hashes them
	if want := len(registry) - 3; checked != want {
		t.Errorf("%d hashes checked, want %d: all generated types but the draft's", checked, want)
	}
}

func TestNamesMayBeAskedOfANilPointer(t *testing.T) {
	for key, create := range registry {
		m := reflect.Zero(reflect.TypeOf(create())).Interface().(msgs.Message)
		name := m.TypeName()
		i := strings.LastIndexByte(name, '/')
		dds := strings.ReplaceAll(name[:i], "/", "::") + "::dds_::" + name[i+1:] + "_"
		if !strings.HasSuffix(key, " "+name) || m.DDSTypeName() != dds || len(m.TypeHash()) != 71 {
			t.Errorf("%s: names %s, %s, hash %s", key, name, m.DDSTypeName(), m.TypeHash())
		}
	}
}

func TestWhatIsOverItsBoundIsNotSent(t *testing.T) {
	long := rclinterfaces.NewDescribeParametersResponse()
	long.Descriptors = make([]rclinterfaces.ParameterDescriptor, 2)
	long.Descriptors[1].IntegerRange = make([]rclinterfaces.IntegerRange, 2)
	for _, c := range []struct {
		name  string
		m     msgs.Message
		field string
	}{
		{"string", &wiremsgs.Arr{Bs: "123456"}, "wire_msgs/msg/Arr.bs"},
		{"string of a sequence", &wiremsgs.Arr{Sbs: []string{"", "123456"}}, "wire_msgs/msg/Arr.sbs"},
		{"sequence of structs", &wiremsgs.Arr{Ba8: make([]wiremsgs.Align8, 3)}, "wire_msgs/msg/Arr.ba8"},
		{"wstring", &wiremsgs.WStr{Bw: "12😀5"}, "wire_msgs/msg/WStr.bw"},
		{"nested", long, "rcl_interfaces/msg/ParameterDescriptor.integer_range"},
	} {
		if _, err := msgs.Encode(nil, c.m); !errors.Is(err, cdr.ErrBound) ||
			!strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: error %v, want ErrBound for %s", c.name, err, c.field)
		}
	}
}

func TestAtItsBoundItIsSent(t *testing.T) {
	m := &wiremsgs.Arr{Bs: "12345", Bsbs: []string{"12345", "", "漢"}, Bu32: make([]uint32, 4)}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if err := (&wiremsgs.WStr{Bw: "12😀"}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsOverItsBoundIsNotTaken(t *testing.T) {
	m := &wiremsgs.Arr{Bs: "123456"}
	err := msgs.Decode(m.AppendCDR(cdr.AppendHeader(nil)), new(wiremsgs.Arr))
	if !errors.Is(err, cdr.ErrBound) || !strings.Contains(err.Error(), "wire_msgs/msg/Arr") {
		t.Errorf("error %v, want ErrBound for wire_msgs/msg/Arr", err)
	}
}

// The largest claims that fit the wire, for every type: they must fail, and soon, not be believed.
func TestHostilePayloadsAreRefusedByEveryType(t *testing.T) {
	for _, fill := range []byte{0x00, 0x01, 0x7f, 0xff} {
		payload := append(cdr.AppendHeader(nil), slices.Repeat([]byte{fill}, 256)...)
		for key, create := range registry {
			m := create()
			if msgs.Decode(payload, m) != nil {
				continue
			}
			if b, err := msgs.Encode(nil, m); err != nil || len(b) > 2*len(payload) {
				t.Errorf("%s: 256 bytes of %#02x became %d bytes, error %v", key, fill, len(b), err)
			}
		}
	}
}

func TestEncodeReusesTheBuffer(t *testing.T) {
	buf := make([]byte, 3, 100)
	b, err := msgs.Encode(buf, rclinterfaces.NewIntegerRange())
	if err != nil || len(b) != 28 || &b[0] != &buf[0] {
		t.Errorf("%d bytes, same memory %v, error %v; want 28 in the given buffer", len(b), &b[0] == &buf[0],
			err)
	}
}
