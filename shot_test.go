package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ui/cli"
	"simdeck/ui/keymap"
)

// aBox is a world that moves for a while.
const aBox = `<sdf version="1.11"><world name="w"><model name="b"><pose>0 0 9 0 0 0</pose><link name="l">
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></world></sdf>`

func TestAShotIsTakenAtItsTimeAsSoonAsThatIsComputed(t *testing.T) {
	keys, err := keymap.Parse("keymap.yaml", keys)
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]string{0: "00:00:00.004", time.Minute: "00:01:00.000"} {
		synctest.Test(t, func(t *testing.T) {
			o := cli.Options{World: "w.sdf", Text: aBox, RealTime: 1}
			o.View.Keymap = keys
			s := cli.Shot{Width: 100, Height: 30, After: after, File: t.TempDir() + "/x.txt"}
			begun := time.Now()
			if err := shot(t.Context(), o, s); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took > time.Second {
				t.Errorf("after %v: it takes %v", after, took)
			}
			text, err := os.ReadFile(s.File)
			if head, _, _ := strings.Cut(string(text), "\n"); err != nil || !strings.Contains(head, want) ||
				!strings.Contains(head, "rtf 1.00/1.00") {
				t.Errorf("after %v it shows %q, %v", after, head, err)
			}
		})
	}
}

func TestKeysOfAShotAreCheckedBeforeItsWorldIsRead(t *testing.T) {
	keys, err := keymap.Parse("keymap.yaml", keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []cli.Shot{{Press: "view.map,nope"}, {Press: "nope", Camera: "b/c"},
		{Press: "1s nope", Video: time.Second}, {Video: time.Hour}} {
		o := cli.Options{World: "nowhere.sdf"}
		o.View.Keymap = keys
		if err := shot(t.Context(), o, s); !errors.Is(err, cli.ErrUsage) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func TestAScenarioOfAShotIsNotOutrun(t *testing.T) {
	keys, err := keymap.Parse("keymap.yaml", keys)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const scenario = "name: put\nphases:\n  - name: go\n    when: {time: 1}\n    do:\n      - set_pose: {entity: b, position: [5, 0, 1]}\n"
	if err := os.WriteFile(dir+"/s.yaml", []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		o := cli.Options{World: "w.sdf", Text: aBox, RealTime: 1}
		o.View.Keymap = keys
		s := cli.Shot{Width: 100, Height: 30, After: 1100 * time.Millisecond, File: dir + "/x.txt",
			Scenario: dir + "/s.yaml"}
		if err := shot(t.Context(), o, s); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(s.File) // it keeps its speed: 1 m less 0.1 s at 9.8 m/s and more
		if err != nil || !regexp.MustCompile(`position +5\.000 +0\.000 +-0\.030 m`).Match(text) {
			t.Errorf("%v\n%s", err, text)
		}
	})
}
