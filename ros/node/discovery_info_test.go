package node

import (
	"reflect"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/rmwddscommon"
	"simdeck/ros/rtps/wire"
)

func someNodes() (wire.GUID, []NodeEntities) {
	g := func(e wire.EntityID) wire.GUID {
		return wire.GUID{Prefix: wire.GUIDPrefix{1, 0x7e, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Entity: e}
	}
	return g(wire.EntityParticipant), []NodeEntities{
		{NodeName: NodeName{"/", "simdeck"}, Readers: []wire.GUID{g(0x104)},
			Writers: []wire.GUID{g(0x203), g(0x303)}},
		{NodeName: NodeName{"/a/b", "n2"}},
	}
}

func TestDiscoveryInfoIsReadAsItWasWritten(t *testing.T) {
	of, nodes := someNodes()
	for _, gidLen := range []int{gidNow, gidHumble} {
		payload := appendDiscoveryInfo(nil, of, nodes, gidLen)
		gotOf, got, err := parseDiscoveryInfo(payload, gidLen)
		if err != nil || gotOf != of || len(got) != 2 {
			t.Fatalf("gids of %d bytes: %v of %v, %v", gidLen, got, gotOf, err)
		}
		if got[0].Name != "simdeck" || !reflect.DeepEqual(got[0].Writers, nodes[0].Writers) ||
			got[1].Namespace != "/a/b" {
			t.Errorf("gids of %d bytes: read %+v, want %+v", gidLen, got, nodes)
		}
		for n := range payload {
			if _, _, err := parseDiscoveryInfo(payload[:n], gidLen); err == nil {
				t.Errorf("gids of %d bytes: the first %d of %d bytes are taken for the whole", gidLen, n,
					len(payload))
			}
		}
	}
}

func TestTheFormIsToldApartWithoutATypeHash(t *testing.T) {
	of, nodes := someNodes()
	for _, nodes := range [][]NodeEntities{nodes, nodes[:1], nil} {
		for _, gidLen := range []int{gidNow, gidHumble} {
			payload := appendDiscoveryInfo(nil, of, nodes, gidLen)
			if got := gidLength(payload, false); got != gidLen {
				t.Errorf("%d nodes with gids of %d bytes are taken for %d", len(nodes), gidLen, got)
			}
			if got := gidLength(payload, true); got != gidNow {
				t.Errorf("with a type hash, %d nodes are taken for gids of %d bytes", len(nodes), got)
			}
			for n := range payload {
				gidLength(payload[:n], false) // any length will do
			}
		}
	}
}

func TestTheFormOfTodayIsThatOfTheGeneratedType(t *testing.T) {
	of, nodes := someNodes()
	payload := appendDiscoveryInfo(nil, of, nodes, gidNow)
	var m rmwddscommon.ParticipantEntitiesInfo
	if err := msgs.Decode(payload, &m); err != nil {
		t.Fatal(err)
	}
	again, err := msgs.Encode(nil, &m)
	if err != nil || !reflect.DeepEqual(again, payload) {
		t.Errorf("the generated type writes %x (%v), this package %x", again, err, payload)
	}
	if m.DDSTypeName() != discoveryType || m.TypeHash() != discoveryHash {
		t.Errorf("announced as %s %s, the type is %s %s", discoveryType, discoveryHash, m.DDSTypeName(),
			m.TypeHash())
	}
}

func TestACountThatTheMessageCannotHoldIsRefused(t *testing.T) {
	of, nodes := someNodes()
	// A Humble message under the rule of today, and the reverse: counts come from the wrong bytes.
	for _, lens := range [][2]int{{gidHumble, gidNow}, {gidNow, gidHumble}} {
		_, got, err := parseDiscoveryInfo(appendDiscoveryInfo(nil, of, nodes, lens[0]), lens[1])
		if err == nil && len(got) > 2 {
			t.Errorf("gids of %d bytes read as %d bytes give %d nodes", lens[0], lens[1], len(got))
		}
	}
	if _, _, err := parseDiscoveryInfo(appendDiscoveryInfo(nil, of, make([]NodeEntities, maxNodes+1), gidNow),
		gidNow); err == nil {
		t.Errorf("%d nodes in one participant are taken", maxNodes+1)
	}
	huge := appendDiscoveryInfo(nil, of, nil, gidNow)
	copy(huge[len(huge)-4:], []byte{0xff, 0xff, 0xff, 0x7f})
	if _, _, err := parseDiscoveryInfo(huge, gidNow); err == nil {
		t.Error("two thousand million nodes in no bytes are taken")
	}
}

func FuzzParseDiscoveryInfo(f *testing.F) {
	of, nodes := someNodes()
	f.Add(appendDiscoveryInfo(nil, of, nodes, gidNow))
	f.Add(appendDiscoveryInfo(nil, of, nodes, gidHumble))
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, gidLen := range []int{gidNow, gidHumble} {
			of, nodes, err := parseDiscoveryInfo(payload, gidLen)
			if err != nil {
				continue
			}
			again := appendDiscoveryInfo(nil, of, nodes, gidLen)
			of2, nodes2, err := parseDiscoveryInfo(again, gidLen)
			if err != nil || of2 != of || len(nodes2) != len(nodes) {
				t.Errorf("%x is read, and not read again after it was written as %x: %v", payload, again, err)
			}
		}
	})
}
