package cli

import (
	"bytes"
	"strings"
	"testing"

	"simdeck/sim/format"
	"simdeck/sim/scene"
)

// repeated is the first part between colons, or phrase of three words, that a message has twice. The example
// behind it repeats words on purpose.
func repeated(message string) string {
	message, _, _ = strings.Cut(strings.TrimSpace(message), "; example: ")
	said := map[string]bool{}
	for part := range strings.SplitSeq(message, ": ") {
		if said[part] {
			return part
		}
		said[part] = true
	}
	words, phrases := strings.Fields(message), map[string]bool{}
	for i := range max(0, len(words)-2) {
		phrase := strings.Join(words[i:i+3], " ")
		if phrases[phrase] {
			return phrase
		}
		phrases[phrase] = true
	}
	return ""
}

func TestAnErrorSaysAThingOnce(t *testing.T) {
	p := whole(t)
	p.Library = func(o Options) (scene.Library, scene.Resource, error) {
		uri, _, err := o.WorldFile()
		return format.NewLibrary(format.Config{}), scene.Resource{URI: uri}, err
	}
	for _, args := range []string{"check nope", "check ./nope.sdf", "check .", "check model://nope",
		"check package://nope/x.urdf", "check spawnable://nope/x", "check http://nope/x.sdf",
		"check nope://x",
		"check ../../..", "poses nope", "poses model://nope", "poses ./nope.sdf", "replay nope",
		"sweep nope.yaml", "sweep .", "help nope", "step many", "reset fast", "spawn b c 1 x",
		"completion ksh", "run --rtf fast",
		"run --config /nope", "run --domain 233", "keys --keymap /nope", "shot --size 10x4", "call refuses",
		"play --node nobody", "delete nobody", "spawn model://taken", "list ["} {
		t.Setenv("HOME", t.TempDir())
		var out, complaints bytes.Buffer
		if code := Main(p, strings.Fields(args), &out, &complaints); code == 0 {
			t.Errorf("%s: no error", args)
		}
		for line := range strings.Lines(out.String() + complaints.String()) {
			if twice := repeated(line); twice != "" {
				t.Errorf("%s: %q is said twice: %s", args, twice, line)
			}
		}
	}
	for said, want := range map[string]string{"not found: nope: not found: looked": "not found",
		"a b c d a b c": "a b c", "usage: a b; example: a b": "", "": ""} {
		if got := repeated(said); got != want {
			t.Errorf("%q repeats %q, want %q", said, got, want)
		}
	}
}
