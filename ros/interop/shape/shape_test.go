package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"simdeck/ros/rtps"
)

// The octets are those of the type in the suite's shape.idl by DDS-XTypes 1.3 §7.4.
func TestShapesHaveTheOctetsOfTheStandard(t *testing.T) {
	s := shape{color: "RED", x: 1, y: -2, size: 30, payload: []byte{255, 7}}
	members := "04000000" + "52454400" + "01000000" + "feffffff" + "1e000000" + "02000000" + "ff07"
	for what, c := range map[string]struct {
		got  []byte
		want string
	}{
		"XCDR1":        {s.append(nil, false), "00010000" + members},
		"XCDR2":        {s.append(nil, true), "00090000" + "1a000000" + members},
		"key in XCDR1": {s.appendKey(nil, false), "00010000" + members[:16]},
		"key in XCDR2": {s.appendKey(nil, true), "00090000" + "08000000" + members[:16]},
	} {
		if got := hex.EncodeToString(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

func TestShapesSurviveAndEveryPrefixFails(t *testing.T) {
	for _, want := range []shape{{}, {color: "BLUE1", x: -1, y: 270, size: 1},
		{color: strings.Repeat("x", mostColor), payload: make([]byte, 3)}} {
		for _, xcdr2 := range []bool{false, true} {
			b := want.append(nil, xcdr2)
			got, err := parse(b, false)
			if err != nil || got.color != want.color || got.x != want.x || got.y != want.y ||
				got.size != want.size ||
				!bytes.Equal(got.payload, want.payload) {
				t.Errorf("%+v becomes %+v: %v", want, got, err)
			}
			for n := range b {
				if v, err := parse(b[:n], false); !errors.Is(err, errPayload) {
					t.Errorf("%d of %d octets are %+v: %v", n, len(b), v, err)
				}
			}
			if k, err := parse(want.appendKey(nil, xcdr2), true); err != nil || k.color != want.color {
				t.Errorf("the key of %+v is %+v: %v", want, k, err)
			}
		}
	}
}

func TestInstancesGoByTheirColorInAnyRepresentation(t *testing.T) {
	red := shape{color: "RED", size: 1}
	big := []byte{0, 0, 0, 0, 0, 0, 0, 4, 'R', 'E', 'D', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}
	for _, b := range [][]byte{red.append(nil, false), red.append(nil, true), big} {
		if k, err := instanceOf(b, false); err != nil || k != keyHash("RED") || k == keyHash("BLUE") {
			t.Errorf("%x is about %x: %v", b, k, err)
		}
	}
	// MD5 of 00000004 52454400 (RTPS 2.2 §9.6.3.8)
	if got := keyHash("RED"); hex.EncodeToString(got[:]) != "d36de865fac295155f18df7157b217e6" {
		t.Errorf("the hash of RED is %x", got)
	}
}

func FuzzParse(f *testing.F) {
	s := shape{color: "RED", x: 1, y: 2, size: 3, payload: []byte{1, 2, 3}}
	for _, b := range [][]byte{s.append(nil, false), s.append(nil, true), s.appendKey(nil, true), {}} {
		f.Add(b, false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, keyOnly bool) {
		v, err := parse(b, keyOnly)
		if err != nil {
			return
		}
		again, err := parse(v.append(nil, true), false)
		if err != nil || again.color != v.color || !bytes.Equal(again.payload, v.payload) {
			t.Errorf("%+v becomes %+v: %v", v, again, err)
		}
	})
}

func TestTheSuitesCommandLineBecomesAQualityOfService(t *testing.T) {
	for line, want := range map[string]rtps.QoS{
		"-P -t Square":    {Reliability: rtps.Reliable, Depth: 1, Representations: []int16{0}},
		"-S -t Square -b": {Depth: 1, Representations: []int16{0}},
		"-P -t Square -r -k 0 -D l -x 2 -s 3": {Reliability: rtps.Reliable, Durability: rtps.TransientLocal,
			OwnershipExclusive: true, Strength: 3, Representations: []int16{2}},
		"-S -t Square -D p -f 2000 --time-filter 1000 -p p*": {Reliability: rtps.Reliable, Depth: 1,
			Durability: rtps.Persistent, Deadline: 2 * time.Second, Separation: time.Second,
			Partitions: []string{"p*"}, Representations: []int16{0}},
		"-P -t Square --lifespan 250": {Reliability: rtps.Reliable, Depth: 1, Lifespan: 250 * time.Millisecond,
			Representations: []int16{0}},
	} {
		o, err := parseOptions(strings.Fields(line), t.Output())
		if err != nil || o.qos.String() != want.String() || o.qos.Strength != want.Strength ||
			o.qos.OwnershipExclusive != want.OwnershipExclusive || o.qos.Separation != want.Separation ||
			o.qos.Lifespan != want.Lifespan || len(o.qos.Partitions) != len(want.Partitions) ||
			o.qos.Representations[0] != want.Representations[0] || o.qos.Durability != want.Durability {
			t.Errorf("%s: %+v, want %+v: %v", line, o.qos, want, err)
		}
	}
}

func TestWhatROSDoesNotUseIsNotSupported(t *testing.T) {
	for _, line := range []string{"-P -t Square -D t", "-P -t Square -D p", "-S -t Square -c RED",
		"-S -t Square --cft x<20", "-P -t Square --coherent", "-S -t Square --ordered --access-scope i", "-S -t Square -R"} {
		if err := run(t.Context(), strings.Fields(line), t.Output()); !errors.Is(err, errUnsupported) {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"", "-P -S -t Square", "-P", "-P -t Square -D x", "-P -t Square --num-instances 0",
		"-P -t Square -what"} {
		if err := run(t.Context(), strings.Fields(line), t.Output()); err == nil || errors.Is(err,
			errUnsupported) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestShapesStayInTheirField(t *testing.T) {
	x, v := int32(100), int32(5)
	for range 1000 {
		if x, v = bounce(x, v, width); x < 0 || x > width || v != 5 && v != -5 {
			t.Fatalf("at %d, with %d", x, v)
		}
	}
}
