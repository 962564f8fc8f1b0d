package node

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const paramsText = `# every node
/**:
  ros__parameters:
    use_sim_time: true
    real_time_factor: 2.0
/lab/deck:
  ros__parameters:
    real_time_factor: 3
    camera:
      rate: 15
      topics: [a, "b"]
lab:
  "*":
    ros__parameters: {bounds: [1, 2.5], flags: [true, no_], counts: [1, 2]}
other:
  ros__parameters:
    real_time_factor: 9.0
`

func TestAParameterFileNamesNodesAndTheirParameters(t *testing.T) {
	text := strings.Replace(paramsText, "flags: [true, no_]", "flags: [true, false]", 1)
	got, err := ParseParams("p.yaml", []byte(text))
	want := []Assignment{
		{"/**", "use_sim_time", BoolValue(true)}, {"/**", "real_time_factor", DoubleValue(2)},
		{"/lab/deck", "real_time_factor", IntegerValue(3)}, {"/lab/deck", "camera.rate", IntegerValue(15)},
		{"/lab/deck", "camera.topics", Value{Type: StringArray, StringArrayValue: []string{"a", "b"}}},
		{"/lab/*", "bounds", Value{Type: DoubleArray, DoubleArrayValue: []float64{1, 2.5}}},
		{"/lab/*", "flags", Value{Type: BoolArray, BoolArrayValue: []bool{true, false}}},
		{"/lab/*", "counts", Value{Type: IntegerArray, IntegerArrayValue: []int64{1, 2}}},
		{"/other", "real_time_factor", DoubleValue(9)},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("parseParams gives %v and\n%+v, want\n%+v", err, got, want)
	}
}

func TestABrokenParameterFileIsRefusedWithItsPlace(t *testing.T) {
	for text, says := range map[string]string{
		"a: [":                               "line",
		"- a":                                "p.yaml:1:1",
		"ros__parameters: {a: 1}":            "p.yaml:1:1",
		"a: 3":                               "p.yaml:1:4",
		"a: {ros__parameters: 7}":            "p.yaml:1:22",
		"a:\n  ros__parameters:\n    x: []":  "p.yaml:3:8: parameter x",
		"a:\n  ros__parameters:\n    x:":     "parameter x: there is no value",
		"a: {ros__parameters: {x: [1, a]}}":  "one type",
		"a: {ros__parameters: {x: [[1]]}}":   "no lists",
		"a: {ros__parameters: {x: &l [*l]}}": "no lists",
		"a: {ros__parameters: {x: 99999999999999999999999}}": "",
		paramsText: "one type",
	} {
		got, err := ParseParams("p.yaml", []byte(text))
		if says == "" { // too large for an integer: YAML makes it a double
			if err != nil || len(got) != 1 || got[0].Value.Type != Double {
				t.Errorf("%q gives %+v, %v", text, got, err)
			}
			continue
		}
		if !errors.Is(err, ErrArgs) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %v, want ErrArgs that says %q", text, err, says)
		}
	}
	if got, err := ParseParams("p.yaml", []byte("# nothing\n")); err != nil || len(got) != 0 {
		t.Errorf("an empty file gives %+v, %v", got, err)
	}
}

func TestWildcardsStandForPartsOfANodesName(t *testing.T) {
	for _, c := range []struct {
		pattern, name, full string
		want                bool
	}{
		{"", "deck", "/deck", true}, {"deck", "deck", "/a/deck", true}, {"deck", "sim", "/a/sim", false},
		{"/deck", "deck", "/deck", true}, {"/deck", "deck", "/a/deck", false},
		{"/**", "deck", "/a/b/deck", true},
		{"/*", "deck", "/deck", true}, {"/*", "deck", "/a/deck", false}, {"/*/deck", "deck", "/a/deck", true},
		{"/**/deck", "deck", "/deck", true}, {"/**/deck", "deck", "/a/b/deck", true},
		{"/**/deck", "sim", "/a/b/sim", false},
		{"/a/**", "deck", "/a/b/deck", true}, {"/a/**", "deck", "/b/deck", false},
		{"/a/**/b/*", "x", "/a/q/b/x", true},
	} {
		if got := (Assignment{Node: c.pattern}).concerns(c.name, c.full); got != c.want {
			t.Errorf("%q concerns %s: %v, want %v", c.pattern, c.full, got, c.want)
		}
	}
}

func TestWhatStandsLaterInFilesAndArgumentsCounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	text := "/**: {ros__parameters: {rate: 1.0, size: 1}}\nn: {ros__parameters: {rate: 2}}\nother: {ros__parameters: {rate: 7.0}}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	onBench(t, func(b *bench) {
		n := b.node("n", "-p", "size:=5", "--params-file", file, "-p", "name:=x")
		for _, d := range []Declaration{{Name: "rate", Default: DoubleValue(0)},
			{Name: "size", Default: IntegerValue(0)}, {Name: "name", Default: StringValue("")}} {
			if err := n.Parameters().Declare(context.Background(), d); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]Value{"rate": DoubleValue(2), "size": IntegerValue(1),
			"name": StringValue("x")} {
			if v, ok := n.Parameters().Get(name); !ok || !sameValue(v, want) {
				t.Errorf("%s is %s, want %s", name, Text(v), Text(want))
			}
		}
		b.start(n)
	})
}

func FuzzParseParams(f *testing.F) {
	f.Add([]byte(paramsText))
	f.Add([]byte("a: {ros__parameters: {x: &l [*l]}}"))
	f.Add([]byte("? [a]\n: {ros__parameters: {x: !!binary aGk=}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := ParseParams("p.yaml", text)
		if err != nil && !errors.Is(err, ErrArgs) {
			t.Errorf("%v does not wrap ErrArgs", err)
		}
		for _, a := range found {
			if a.Node == "" || a.Value.Type == NotSet {
				t.Errorf("%+v is for nobody or has no value", a)
			}
		}
	})
}

func TestAValueForNoParameterIsSaid(t *testing.T) {
	onBench(t, func(b *bench) {
		var said strings.Builder
		a, err := ParseArgs([]string{"-p", "real_time_facto:=2", "-p", "elsewhere:what:=1", "-p",
			"use_sim_time:=false"})
		if err != nil {
			t.Fatal(err)
		}
		a.Parameters = append(a.Parameters,
			Assignment{Node: "/**", Name: "for_somebody", Value: BoolValue(true)})
		n, err := New(Config{Name: "n", Args: a, Transport: b.net.Host("n"),
			Log: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatal(err)
		}
		b.start(n)()
		if text := said.String(); strings.Count(text, "\n") != 1 ||
			!strings.Contains(text, "real_time_facto") {
			t.Errorf("the log says %q, want the mistyped name and nothing else", text)
		}
	})
}
