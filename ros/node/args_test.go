package node

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

func TestArgumentsAreReadAsROSWritesThem(t *testing.T) {
	a, err := ParseArgs([]string{
		"--ros-args", "-r", "__ns:=/a", "--remap", "__node:=deck", "-r", "sim:chatter:=/talk",
		"-p", "use_sim_time:=true", "--param", "sim:rate:=2.5", "--log-level", "debug",
		"--disable-rosout-logs",
		"--enclave", "/lab/deck",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Args{
		Rules: []Rule{{From: "__ns", To: "/a"}, {From: "__node", To: "deck"},
			{Node: "sim", From: "chatter", To: "/talk"}},
		Parameters: []Assignment{{Name: "use_sim_time", Value: BoolValue(true)},
			{Node: "sim", Name: "rate", Value: DoubleValue(2.5)}},
		Enclave: "/lab/deck",
	}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("ParseArgs gives\n%+v, want\n%+v", a, want)
	}
	name, ns := a.identity("sim", "/")
	if name != "deck" || ns != "/a" {
		t.Errorf("identity is %q in %q, want deck in /a", name, ns)
	}
}

func TestBrokenArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-r"}, {"-r", "a"}, {"-r", ":=b"}, {"-p", "a:="}, {"--what", "x"}, {"x"},
		{"--enclave", "a"}, {"-e", "/a//b"}, {"--params-file", "testdata/none.yaml"}} {
		if _, err := ParseArgs(args); !errors.Is(err, ErrArgs) {
			t.Errorf("ParseArgs(%q) = %v, want ErrArgs", args, err)
		}
	}
}

func TestRemappingFollowsTheFirstRuleThatMatches(t *testing.T) {
	a := Args{Rules: []Rule{
		{Node: "other", From: "scan", To: "/wrong"},
		{From: "scan", To: "/laser"},
		{From: "/ns/scan", To: "/late"},
		{From: "~/x", To: "rosservice://y"},
		{From: "bad", To: "a//b"},
	}}
	for name, want := range map[string]string{"scan": "/laser", "/ns/scan": "/laser", "~/x": "/ns/y",
		"odom": "/ns/odom"} {
		if got, err := a.resolve(name, "/ns", "sim", "sim"); err != nil || got != want {
			t.Errorf("resolve(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := a.resolve("bad", "/ns", "sim", "sim"); !errors.Is(err, ErrName) {
		t.Errorf("a rule to a broken name gives %v, want ErrName", err)
	}
}

func TestTheEnclaveIsToldToOthers(t *testing.T) {
	onBench(t, func(b *bench) {
		b.start(b.node("n", "--enclave", "/lab/deck"))
		b.start(b.node("plain"))
		p := b.participant("other")
		said := func() (all []string) {
			for _, q := range p.Graph().Participants {
				all = append(all, string(q.UserData))
			}
			slices.Sort(all)
			return all
		}
		b.until("the enclaves", func() bool {
			return slices.Equal(said(),
				[]string{"enclave=/;", "enclave=/lab/deck;"})
		})
	})
}
