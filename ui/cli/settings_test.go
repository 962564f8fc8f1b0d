package cli

import (
	"reflect"
	"strings"
	"testing"
)

// samples are values of settings other than their defaults, and the arguments besides with which they hold.
var samples = map[string]struct{ value, args string }{
	"paused": {"true", ""}, "stopped": {"true", ""}, "rtf": {"2.5", ""}, "step": {"2ms", ""},
	"seed": {"7", ""}, "workers": {"2", ""}, "duration": {"1m", ""}, "on-fault": {"pause", ""},
	"limits": {"loop=9", ""}, "record": {"tape", ""}, "record-topics": {"/clock", "--record tape"},
	"trace": {"wire", ""}, "path": {"a:b", ""}, "assets": {"mirror", ""}, "spawn-from": {"listed", ""},
	"vehicle": {"max_speed=12", ""}, "no-ros": {"true", ""}, "domain": {"42", ""},
	"namespace": {"/ns", ""}, "each-namespace": {"true", "a b"}, "legacy": {"gazebo", ""},
	"habits": {"isaac", ""}, "services-namespace": {"/gz_server", ""}, "single-robot": {"true", ""},
	"lockstep": {"/rover/cmd_vel@10", ""}, "lockstep-timeout": {"2s", "--lockstep cmd_vel"},
	"lockstep-late": {"go-on", "--lockstep cmd_vel"},
	"worker":        {"true", ""}, "report-path": {"/report", "--worker"},
	"object-config": {"yard", "--worker"}, "webots-robot-name": {"spot", "--worker"},
	"interface": {"eth0", ""}, "peers": {"h1,h2", ""},
	"rmw": {"zenoh", ""}, "zenoh-router": {"tcp/h1:7447", ""}, "metrics": {"9090", ""},
	"viewers": {"8080", ""}, "viewers-names": {"robots.example.org", ""},
	"webots-controllers": {"1234", ""}, "webots-patience": {"2s", "--webots-controllers 1234"},
	"autopilot": {"px4:iris", ""}, "autopilot-address": {"0.0.0.0", "--autopilot px4"},
	"autopilot-patience": {"0s", "--autopilot px4"},
	"run-controllers":    {"true", "testdata/project/worlds/post.wbt"},
	"webots-library":     {"R2023a", "--webots-controllers 1234"},
	"log-level":          {"debug", ""}, "theme": {"safe", ""}, "background": {"dark", ""},
	"symbols": {"ascii", ""}, "color": {"never", ""}, "pictures": {"sixel", ""},
	"picture-glyphs": {"octant", ""}, "plain": {"true", ""},
	"read-only": {"true", ""}, "rewind": {"5s", ""}, "listen": {":2222", ""}, "keys": {"friends", ""},
	"host-key": {"mine", ""}, "sessions": {"3", ""}, "idle": {"1h", ""}, "max-startups": {"1:2:3", ""},
	"login-grace": {"9s", ""}, "max-penalty": {"9s", ""}, "penalty-exempt": {"10.1.0.0/16", ""},
	"fetch": {"true", ""}, "strict-modes": {"false", ""}, "keymap": {"", ""}, "keyframe": {"home", "a.xml"},
}

// TestEverySettingChangesAnOption of the program that it configures: one without a reader does nothing. The
// keymap, which is a file, has tests of its own.
func TestEverySettingChangesAnOption(t *testing.T) {
	for _, s := range settings() {
		sample, ok := samples[s.key]
		if !ok {
			t.Errorf("%s has no sample here", s.key)
			continue
		}
		if sample.value == "" {
			continue
		}
		command := ""
		switch {
		case s.group&ssh != 0:
			command = "serve "
		case s.group&(simulate|several) != 0:
			command = "run "
		}
		args := strings.Fields(command + sample.args)
		variable := "SIMDECK_" + strings.ToUpper(strings.ReplaceAll(s.key, "-", "_")) + "="
		without, again, with := run(t, args, nil), run(t, args, nil), run(t, args, nil, variable+sample.value)
		if s.key == "each-namespace" { // without it, several worlds are none
			without, again = run(t, []string{"run", "a"}, nil), run(t, []string{"run", "a"}, nil)
		}
		if without.err != nil || with.err != nil || with.ran == "" {
			t.Errorf("%s%s: %v, without it %v", variable, sample.value, with.err, without.err)
			continue
		}
		for _, l := range []*line{&without, &again, &with} { // those are made anew for each run
			l.out, l.options.Progress, l.options.View.Keymap = "", Progress{}, nil
		}
		if !reflect.DeepEqual(without, again) {
			t.Fatalf("two runs of %q differ:\n%+v\n%+v", args, without, again)
		}
		if reflect.DeepEqual(without, with) {
			t.Errorf("%s%s changes nothing of what %q is told", variable, sample.value, with.ran)
		}
	}
}
