package rmw

import (
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	zenoh "simdeck/ros/zenoh/wire"
)

const (
	chatterHash  = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
	chatterToken = "@ros2_lv/0/aac3178e146ba6f1fc6e6a4085e77f21/0/11/MP/%/%/talker/%chatter/" +
		"std_msgs::msg::dds_::String_/" + chatterHash + "/::,7:,:,:,,"
)

func TestTokensAreThoseOfRmwZenoh(t *testing.T) {
	session, err := zenoh.ParseID("aac3178e146ba6f1fc6e6a4085e77f21")
	if err != nil {
		t.Fatal(err)
	}
	talker := Entity{Session: session, ID: 11, Kind: Publisher, Enclave: "/",
		Of: node.NodeName{Namespace: "/", Name: "talker"}, Topic: "/chatter", Type: "std_msgs::msg::dds_::String_", Hash: chatterHash,
		QoS: rtps.QoS{Reliability: rtps.Reliable, Depth: 7}}
	for _, c := range []struct {
		name  string
		e     Entity
		token string
	}{
		{"a publisher", talker, chatterToken},
		{"a node", Entity{Domain: 2, Session: session, Kind: Node, Enclave: "/",
			Of: node.NodeName{Namespace: "/a/b", Name: "n"}},
			"@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%a%b/n"},
	} {
		if got := c.e.Token(); got != c.token {
			t.Errorf("%s: %s, want %s", c.name, got, c.token)
		}
		if got, err := ParseToken(c.token); err != nil || !reflect.DeepEqual(got, c.e) {
			t.Errorf("%s is read as %+v: %v", c.name, got, err)
		}
	}
	if want := "0/chatter/std_msgs::msg::dds_::String_/" + chatterHash; talker.Key() != want {
		t.Errorf("its key is %s", talker.Key())
	}
}

func TestQoSSurvivesATokenAndThatOfOthersIsRead(t *testing.T) {
	for _, q := range []rtps.QoS{node.DefaultQoS(), node.SensorQoS(), node.LatchedQoS(), node.RosoutQoS(),
		{Reliability: rtps.Reliable}, {Depth: 3, Deadline: 1500 * time.Millisecond}} {
		if got, err := parseQoS(appendQoS(q)); err != nil || !reflect.DeepEqual(got, q) {
			t.Errorf("%s is read as %v: %v", appendQoS(q), got, err)
		}
	}
	got, err := parseQoS("1:2:1,42:9223372036,854775807:9223372036,854775807:1,9223372036,854775807")
	if err != nil || got.String() != "reliable, volatile, last 42" {
		t.Errorf("all of it: %v, %v", got, err)
	}
}

func TestNonsenseIsNoToken(t *testing.T) {
	for _, bad := range []string{"", "@ros2_lv", strings.Replace(chatterToken, "/MP/", "/XX/", 1),
		strings.Replace(chatterToken, "/0/11/", "/0/x/", 1), strings.Replace(chatterToken, "aac3", "gggg", 1),
		strings.Replace(chatterToken, "::,7", "9::,7", 1), strings.Replace(chatterToken, "::,7", "::,-7", 1),
		strings.Replace(chatterToken, "talker", strings.Repeat("x", maxPart+1), 1),
		strings.Replace(chatterToken, "%chatter", "chatter", 1), chatterToken + "/x",
		strings.Join(strings.Split(chatterToken, "/")[:9], "/")} {
		if e, err := ParseToken(bad); !errors.Is(err, ErrToken) {
			t.Errorf("%q: %+v, %v", bad, e, err)
		}
	}
}

// Computed with the Python package xxhash, of texts in each of the three ways of XXH3.
func TestGIDsAreTheHashesThatOthersCompute(t *testing.T) {
	for text, want := range map[string]string{
		"@ros2_lv/0/aa/0/0/NN/%/%/n": "8cabd9976bbea40d2bfa9b0a1e8f10ed",
		chatterToken:                 "d2e5f27410cee403e2615e7eee6bcfef",
		chatterToken + chatterToken:  "36637c829ee68cf5bfa128126eed48d5",
	} {
		if g := gidOf(text); hex.EncodeToString(g[:]) != want {
			t.Errorf("that of %d octets is %x, want %s", len(text), g, want)
		}
	}
}

func TestAttachmentsAreThoseOfRmwZenoh(t *testing.T) {
	a := attachment{7, time.Unix(1_000_000_000, 0), GID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}
	const want = "0700000000000000" + "000064a7b3b6e00d" + "10" + "000102030405060708090a0b0c0d0e0f"
	b := a.append(nil)
	if hex.EncodeToString(b) != want {
		t.Errorf("%x, want %s", b, want)
	}
	if got, ok := parseAttachment(b); !ok || got != a {
		t.Errorf("%+v, %v", got, ok)
	}
	for n := range b {
		if _, ok := parseAttachment(b[:n]); ok {
			t.Errorf("%d octets are taken for one", n)
		}
	}
}

func TestSettingsOfZenohAreObeyedAsFarAsTheyConcernAClient(t *testing.T) {
	for _, c := range []struct {
		name, file, override string
		want                 []string
		wrong                bool
	}{
		{name: "none"},
		{name: "a file", file: `{
	/* of a fleet */ mode: "peer", // comment
	connect: { endpoints: ["tcp/10.0.0.1:7447", 'tcp/[::1]:7448',], },
}`, want: []string{"tcp/10.0.0.1:7447", "tcp/[::1]:7448"}},
		{name: "by mode", file: `{connect: {endpoints: {router: ["tcp/a:1"], peer: ["tcp/b:2"]}}}`,
			want: []string{"tcp/b:2"}},
		{name: "an override of a file", file: `{connect: {endpoints: ["tcp/a:1"]}}`,
			override: `mode="client";connect/endpoints=["tcp/b:2"];scouting/multicast/enabled=false`,
			want:     []string{"tcp/b:2"}},
		{name: "a router", override: `mode="router"`, wrong: true},
		{name: "another protocol", override: `connect/endpoints=["tls/b:2"]`, wrong: true},
		{name: "no port", override: `connect/endpoints=["tcp/b"]`, wrong: true},
		{name: "no value", override: `connect/endpoints`, wrong: true},
		{name: "no JSON5", file: `{connect: [`, wrong: true},
		{name: "an open comment", file: `{} /* `, want: nil},
	} {
		s, err := ParseSettings(c.file, c.override)
		if c.wrong != errors.Is(err, ErrSettings) || !slices.Equal(s.Connect, c.want) && !c.wrong {
			t.Errorf("%s: %q, %v", c.name, s.Connect, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add(chatterToken)
	f.Add("@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%a%b/n")
	f.Fuzz(func(t *testing.T, token string) {
		e, err := ParseToken(token)
		if err != nil {
			return
		}
		again, err := ParseToken(e.Token())
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("%q is %+v, which is written as %q: %+v, %v", token, e, e.Token(), again, err)
		}
	})
}

func FuzzSettings(f *testing.F) {
	f.Add(`{connect: {endpoints: ["tcp/a:1"]}} // x`, `mode="peer"`)
	f.Add("/* */ {'a': \"b\\\"\"}\t", `connect/endpoints={peer: ["tcp/[::1]:7447"]}`)
	f.Fuzz(func(t *testing.T, file, override string) {
		s, err := ParseSettings(file, override)
		if err != nil {
			return
		}
		for _, e := range s.Connect {
			if CheckEndpoint(e) != nil {
				t.Errorf("%q passes", e)
			}
		}
	})
}
