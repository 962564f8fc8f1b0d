package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"simdeck/sim/scene"
)

func TestHelpShowsCommonFlagsAndHelpAllEveryOneByItsSubject(t *testing.T) {
	short, long := run(t, []string{"run", "--help"}, nil).out, run(t, []string{"run", "--help-all"}, nil).out
	for flag, rare := range map[string]bool{"--paused": false, "--rtf": false, "--help-all": false,
		"--spawn-from": true, "--webots-robot-name": true, "--config": true} {
		if strings.Contains(short, flag+" ") == rare || !strings.Contains(long, flag+" ") {
			t.Errorf("%s, rare %v:\n%s\n%s", flag, rare, short, long)
		}
	}
	at := 0
	for _, heading := range []string{"\nFlags:\n", "\nSimulation:\n", "\nRecording:\n", "\nROS 2:\n"} {
		next := strings.Index(long[at:], heading)
		if next < 0 {
			t.Fatalf("no %q behind %d:\n%s", heading, at, long)
		}
		at += next
	}
	if !strings.Contains(short, "more flags: simdeck run --help-all") ||
		strings.Contains(long, "more flags:") {
		t.Errorf("the flags that are left out:\n%s", short)
	}
}

func TestEveryHeadingIsOfSettingsThatThereAre(t *testing.T) {
	known := map[string]bool{"config": true}
	for _, s := range settings() {
		known[s.key] = true
	}
	for _, h := range headings {
		for _, key := range h.keys {
			if !known[key] {
				t.Errorf("%s: there is no setting %s, or it is in two", h.title, key)
			}
			delete(known, key)
		}
	}
}

func TestCompletionHelpAndManualPagesAreListed(t *testing.T) {
	root := run(t, []string{"help"}, nil).out
	for _, name := range []string{"completion", "help", "man"} {
		if !strings.Contains(root, "\n  "+name+" ") {
			t.Errorf("help does not list %s:\n%s", name, root)
		}
	}
	for _, want := range []string{"#compdef simdeck"} {
		if l := run(t, []string{"completion", "zsh"}, nil); l.err != nil || !strings.Contains(l.out, want) {
			t.Errorf("completion: %v, %.80s", l.err, l.out)
		}
	}
	page := run(t, []string{"man", "run"}, nil).out
	for _, want := range []string{".TH \"SIMDECK-RUN\" 1", ".SH NAME\nsimdeck\\-run \\- ", ".SH \"OPTIONS\"",
		`\fB\-\-webots\-robot\-name\fR \fIstring\fR`, ".SH EXAMPLES"} {
		if !strings.Contains(page, want) {
			t.Errorf("the manual page lacks %q:\n%s", want, page)
		}
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, ".") && !strings.Contains(".TH .SH .TP .PP .B .nf .fi", line[:3]) {
			t.Errorf("%q is no request of the man macros", line)
		}
	}
}

func TestAnErrorIsAnObjectWhereJSONIsWanted(t *testing.T) {
	for _, c := range []struct {
		args []string
		err  error
		exit int
	}{
		{[]string{"list", "--json"}, fmt.Errorf("%w: no\tsimulator", ErrUsage), 2},
		{[]string{"check", "--json", "x"}, scene.ErrNotFound, 3},
	} {
		var b bytes.Buffer
		newSession(Program{}, nil).complain(&b, c.args, c.err)
		var got failure
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got.Exit != c.exit ||
			got.Error != oneLine(c.err) {
			t.Errorf("%v: %s, %v", c.args, b.Bytes(), err)
		}
	}
	for _, args := range [][]string{{"list"}, {"call", "x", "--", "--json"}} {
		var b bytes.Buffer
		newSession(Program{}, nil).complain(&b, args, ErrUsage)
		if b.String() != "simdeck: usage\n" {
			t.Errorf("%v: %q", args, b.String())
		}
	}
}

func TestAMistypedFlagIsFollowedByTheOneThatWasMeant(t *testing.T) {
	for typed, meant := range map[string]string{"--raed-only": "--read-only", "--dommain=3": "--domain",
		"--helpall": "--help-all"} {
		err := run(t, []string{"--no-ros", typed}, nil).err
		if ExitCode(err) != 2 || !strings.Contains(err.Error(), "did you mean "+meant+"?") {
			t.Errorf("%s: %v", typed, err)
		}
	}
	if err := flagError(nil, pflag.ErrHelp); ExitCode(err) != 2 {
		t.Errorf("another error of flags: %v", err)
	}
}

func TestASpawnThatFailsAsksForTheModelThatWasMeant(t *testing.T) {
	if text := on(t, &simulator{}, []string{"spawn", "model://bxo"}); !strings.Contains(text,
		`did you mean "box"?`) {
		t.Error(text)
	}
	if text := on(t, &simulator{}, []string{"spawn", "model://missing"}); strings.Contains(text, "did you mean") {
		t.Error(text)
	}
}
