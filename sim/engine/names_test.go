package engine

import (
	"errors"
	"strings"
	"testing"

	"simdeck/sim"
)

func TestNamesOfEntities(t *testing.T) {
	for name, want := range map[string]error{
		"ball": nil, "a/b-c.d_E9": nil, strings.Repeat("x", 255): nil, "9": nil,
		"": sim.ErrNameInvalid, "world": sim.ErrNameInvalid, "a b": sim.ErrNameInvalid,
		"ä":     sim.ErrNameInvalid,
		"a\x00": sim.ErrNameInvalid, strings.Repeat("x", 256): sim.ErrNameInvalid,
		"ns/robot": nil, "a.b/c..d": nil, "r-": nil, ".hidden": nil, "_": nil,
		"../../x": sim.ErrNameInvalid, "/etc/passwd": sim.ErrNameInvalid, "/": sim.ErrNameInvalid,
		"a/..":  sim.ErrNameInvalid,
		"a/./b": sim.ErrNameInvalid, "..": sim.ErrNameInvalid,
		".": sim.ErrNameInvalid, "a//b": sim.ErrNameInvalid, "a/": sim.ErrNameInvalid,
		"--flag": sim.ErrNameInvalid,
		"-x":     sim.ErrNameInvalid, "-": sim.ErrNameInvalid,
		"a\nb": sim.ErrNameInvalid, "\x1b[2J": sim.ErrNameInvalid, `a\b`: sim.ErrNameInvalid,
		"~root": sim.ErrNameInvalid,
		"C:":    sim.ErrNameInvalid,
	} {
		if err := sim.CheckName(name); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", name, err, want)
		}
	}
	if err := sim.CheckName("ab c"); err == nil || !strings.Contains(err.Error(), "byte 2") {
		t.Errorf("the error %v does not say where", err)
	}
}

func TestNamespacesFollowTheRulesOfROS(t *testing.T) {
	for ns, want := range map[string]error{
		"": nil, "/": nil, "a": nil, "/a/b": nil, "_x9": nil,
		"a/": sim.ErrNamespaceInvalid, "//a": sim.ErrNamespaceInvalid, "9a": sim.ErrNamespaceInvalid,
		"a/9":  sim.ErrNamespaceInvalid,
		"a__b": sim.ErrNamespaceInvalid, "a-b": sim.ErrNamespaceInvalid, "a b": sim.ErrNamespaceInvalid,
		"a.b": sim.ErrNamespaceInvalid, "ö": sim.ErrNamespaceInvalid,
		strings.Repeat("x", 256): sim.ErrNamespaceInvalid,
	} {
		if err := sim.CheckNamespace(ns); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", ns, err, want)
		}
	}
}

func TestAnEntityWithoutNamespaceHasOneFromItsName(t *testing.T) {
	for _, c := range [][3]string{
		{"", "rover", "rover"}, {"/a/b/", "rover", "a/b"}, {"", "r-2.d", "r_2_d"}, {"", "2nd", "n2nd"},
		{"", "a/b", "a/b"}, {"", "--", "entity"}, {"", "a//9", "a/n9"}, {"", "a__b", "a_b"},
	} {
		got := sim.NamespaceOf(c[0], c[1])
		if got != c[2] {
			t.Errorf("namespace of (%q, %q) is %q, want %q", c[0], c[1], got, c[2])
		}
		if err := sim.CheckNamespace(got); err != nil {
			t.Error(err)
		}
	}
}

func TestNamesFromResourcesAreValidAndFree(t *testing.T) {
	for text, want := range map[string]string{
		"Turtle Bot": "Turtle_Bot", "": "entity", "///": "entity", "world": "entity", "../../x": "x",
		"/etc/passwd": "etc/passwd", "--flag": "flag", "a/./-b": "a/-b", "..": "entity", "-/-": "entity",
		"a/b/": "a/b", strings.Repeat("y", 900): strings.Repeat("y", 239),
	} {
		if got := sim.NameFrom(text); got != want || sim.CheckName(got) != nil {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	taken := map[string]bool{"a": true, "a_1": true, "b_1": true, strings.Repeat("z", 255): true}
	for name, want := range map[string]string{"a": "a_2", "b": "b", "c": "c",
		strings.Repeat("z", 255): strings.Repeat("z", 253) + "_1"} {
		if got := sim.FreeName(name, func(n string) bool { return taken[n] }); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	if got := sim.ResourceName(nil, sim.Resource{URI: "package://x/urdf/robot.v2.urdf"}); got != "robot" {
		t.Errorf("got %q, want robot", got)
	}
}

func TestASlipOfThePenIsRecognised(t *testing.T) {
	all := entitySet{list: []*entity{{name: "rover"}, {name: "crate"}, {name: "turtlebot3_burger"}}}
	for name, want := range map[string]string{"rovr": "rover", "crat3": "crate",
		"turtlebot_burger": "turtlebot3_burger", "piano": ""} {
		if got := all.suggest(name); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want a hint at %q", name, got, want)
		}
	}
}

// Isaac Sim's clients write names with a slash in front.
func TestASlashBeforeANameIsTakenOffWithANote(t *testing.T) {
	w := yard(t, sim.Paused)
	for asked, want := range map[string]string{"/probe": "probe", "/World/Cube": "World/Cube"} {
		r := apply(t, w, sim.Spawn{Name: asked, Resource: sim.Resource{URI: "rover"}})
		if got := r.(sim.Spawned).Name; got != want {
			t.Errorf("%q is spawned as %q, want %q", asked, got, want)
		}
		noted := false
		for _, e := range w.Snapshot().Events {
			noted = noted || strings.Contains(e.Text, asked)
		}
		if !noted {
			t.Errorf("no event says that %q is %q", asked, want)
		}
	}
	if _, err := try(w, sim.Spawn{Name: "/../x", Resource: sim.Resource{URI: "rover"}}); !errors.Is(err, sim.ErrNameInvalid) {
		t.Errorf("/../x: %v", err)
	}
}
