package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// captures reads the datagrams that Fast DDS and Cyclone DDS sent, by file name.
func captures(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/captures/*")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d captures: %v", len(names), err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if text, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		b, err := hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		base, _, _ := strings.Cut(filepath.Base(name), ".")
		all[base] = b
	}
	return all
}

// parseAny parses a submessage by its id; unknown ids give nil.
func parseAny(b []byte) (appender, int, error) {
	s, n, err := ParseSubmessage(b)
	if err != nil {
		return nil, 0, err
	}
	parse := map[uint8]func([]byte) (appender, int, error){
		IDAckNack: of(ParseAckNack), IDHeartbeat: of(ParseHeartbeat), IDGap: of(ParseGap),
		IDInfoTimestamp: of(ParseInfoTimestamp),
		IDInfoSource:    of(ParseInfoSource), IDInfoDst: of(ParseInfoDst), IDNackFrag: of(ParseNackFrag),
		IDHeartbeatFrag: of(ParseHeartbeatFrag), IDData: of(ParseData), IDDataFrag: of(ParseDataFrag),
	}[s.ID]
	if parse == nil {
		return nil, n, nil
	}
	return parse(b)
}

func TestEveryCapturedDatagramParsesAndIsRebuiltExactly(t *testing.T) {
	for name, b := range captures(t) {
		if name == "cyc_jazzy_stray_byte" {
			if _, _, err := ParseHeader(b); err == nil {
				t.Errorf("%s: one octet parses as a message", name)
			}
			continue
		}
		h, off, err := ParseHeader(b)
		if err != nil || !bytes.Equal(h.Append(nil), b[:off]) {
			t.Errorf("%s: header %+v: %v", name, h, err)
			continue
		}
		for off < len(b) {
			v, n, err := parseAny(b[off:])
			if err != nil {
				t.Errorf("%s: at octet %d: %v", name, off, err)
				break
			}
			if v != nil {
				// Fast DDS leaves heap contents in the padding of fragments and does not zero it
				if got, want := v.Append(nil), b[off:off+n]; !bytes.Equal(got, want) &&
					!paddedAlike(got, want) {
					t.Errorf("%s: %T at octet %d is rebuilt as\n%x, was\n%x", name, v, off, got, want)
				}
			}
			off += n
		}
	}
}

// paddedAlike tells whether only up to three octets of padding differ.
func paddedAlike(got, want []byte) bool {
	n := min(len(got), len(want)) - 3
	return bytes.Equal(got[4:n], want[4:n]) && len(got)-len(want) < 4 && len(want)-len(got) < 4
}

// TestCapturedDiscoveryDataSurvives reads what the stacks say of themselves, and what of it is known here
// must survive writing.
func TestCapturedDiscoveryDataSurvives(t *testing.T) {
	seen := map[string]int{}
	for name, b := range captures(t) {
		_, off, err := ParseHeader(b)
		if err != nil {
			continue
		}
		for off < len(b) {
			v, n, _ := parseAny(b[off:])
			if n == 0 {
				break
			}
			off += n
			if d, ok := v.(Data); ok && d.Writer.IsBuiltin() {
				seen[reparse(t, name, d)]++
			}
		}
	}
	for _, kind := range []string{"participant", "publication", "subscription", "participant key",
		"publication key", "hash only", "message"} {
		if seen[kind] == 0 {
			t.Errorf("no %s in the captures: %v", kind, seen)
		}
	}
}

func reparse(t *testing.T, name string, d Data) string {
	t.Helper()
	if d.InlineQoS != nil {
		if q, _, err := ParseInlineQoS(d.InlineQoS, d.BigEndian); err != nil ||
			q.Status != StatusDisposed|StatusUnregistered {
			t.Errorf("%s: inline QoS %+v: %v", name, q, err)
		}
	}
	kind := map[EntityID]string{EntitySPDPWriter: "participant", EntityPublicationsWriter: "publication",
		EntitySubscriptionsWriter: "subscription", EntityParticipantMessageWrite: "message"}[d.Writer]
	parse := of(ParseParticipantData)
	switch {
	case d.Content == ContentNone:
		return "hash only"
	case d.Content == ContentKey:
		parse, kind = of(ParseKey), kind+" key"
	case d.Writer == EntityParticipantMessageWrite:
		parse = of(ParseParticipantMessage)
	case d.Writer != EntitySPDPWriter:
		parse = of(func(b []byte) (EndpointData, int,
			error) {
			return ParseEndpointData(b, kind == "publication")
		})
	}
	once, _, err := parse(d.Payload)
	if err != nil {
		t.Errorf("%s: %s: %v", name, kind, err)
		return kind
	}
	again, _, err := parse(once.Append(nil))
	if err != nil || !reflect.DeepEqual(once, again) {
		t.Errorf("%s: %s: %v\n%+v, then\n%+v", name, kind, err, once, again)
	}
	return kind
}

func TestWhatFastDDSSaysOfItsDiscoveryReaderIsRead(t *testing.T) {
	b := captures(t)["fast_jazzy_sedp_sub_discoveryinfo"]
	d, _, err := ParseData(b[20+16+12:])
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := ParseEndpointData(d.Payload, false)
	if err != nil {
		t.Fatal(err)
	}
	if e.Topic != "ros_discovery_info" || e.Type != "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_" ||
		e.QoS.Reliability != ReliabilityReliable || e.QoS.Durability != DurabilityTransientLocal ||
		e.QoS.Deadline != 0 ||
		len(e.Unicast) != 1 || e.Unicast[0].String() != "127.0.0.1:7001" ||
		!strings.HasPrefix(string(e.UserData), "typehash=RIHS01_91a0593") {
		t.Errorf("got %+v", e)
	}
}
