package node

import (
	"slices"
	"strings"
	"testing"
)

// FuzzParseArgs reads any words as what stands behind --ros-args. Names that come out of it are names.
func FuzzParseArgs(f *testing.F) {
	for _, words := range [][]string{
		{"--ros-args", "-r", "chatter:=/a/b", "-p", "x:=[1, 2]", "--"}, {"-r", "deck:__ns:=/lab"},
		{"--remap", "rostopic://~/x:=rosservice://y"},
		{"-p", "deck:a.b:='text'", "--enclave", "/x", "--log-level", "debug"},
		{"-r", "__node:=other", "--param", "v:={}"},
	} {
		f.Add(strings.Join(words, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		if slices.Contains(words, "--params-file") {
			return // no file of this machine
		}
		a, err := ParseArgs(words)
		if err != nil {
			return
		}
		name, ns := a.identity("deck", "/")
		if CheckNodeName(name) != nil || CheckNamespace(ns) != nil {
			return // New refuses it
		}
		for _, topic := range []string{"chatter", "/a/b", "~/x"} {
			full, err := a.resolve(topic, ns, name, name)
			if err != nil {
				continue
			}
			if again, err := Expand(full, ns, name); err != nil || again != full {
				t.Fatalf("%s becomes %q, which becomes %q: %v", topic, full, again, err)
			}
		}
		for _, p := range a.Parameters {
			if p.Value.Type > StringArray {
				t.Fatalf("%s has a value of type %d", p.Name, p.Value.Type)
			}
		}
	})
}
