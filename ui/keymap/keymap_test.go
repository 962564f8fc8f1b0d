package keymap

import (
	"errors"
	"os"
	"strings"
	"testing"
)

const small = `everywhere:
  app.quit: [q, ctrl+c]  # leave
  sim.toggle: [space]    # run or pause
list:
  list.up: [up, k]       # go up
map:
  map.up: [up, k]        # move up
drive:
  drive.stop: [space, q] # stop
`

func parsed(t *testing.T, text string) *Map {
	t.Helper()
	m, err := Parse("keys.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAKeyMeansWhatItsContextSays(t *testing.T) {
	m := parsed(t, small)
	for _, c := range []struct {
		context Context
		key     string
		want    string
	}{
		{InList, "k", "list.up"}, {OnMap, "k", "map.up"}, {Everywhere, "k", ""},
		{InList, "q", "app.quit"}, {OnMap, "space", "sim.toggle"},
		{Driving, "q", "drive.stop"}, {Driving, "ctrl+c", ""}, {InDialog, "q", ""},
	} {
		if got := m.Action(c.context, c.key); got != c.want {
			t.Errorf("%s in %s is %q, want %q", c.key, c.context, got, c.want)
		}
	}
	if m.Key("app.quit") != "q" || m.Key("none") != "" {
		t.Errorf("first keys are %q and %q", m.Key("app.quit"), m.Key("none"))
	}
}

func TestWhatIsWrongIsNamedWithItsLine(t *testing.T) {
	for want, text := range map[string]string{
		"keys.yaml:3: key q of b is already taken by a (keys.yaml:2)": "everywhere:\n  a: [q] # a\n  b: [q] # b\n",
		"keys.yaml:4: key q of b is already taken by a (keys.yaml:2)": "everywhere:\n  a: [q] # a\nlist:\n  b: [q] # b\n",
		"keys.yaml:2: action a has no comment":                        "everywhere:\n  a: [q]\n",
		"keys.yaml:3: action a is already at line 2":                  "everywhere:\n  a: [q] # a\n  \"a\": [x] # a\n",
		`keys.yaml:2: "hyper+q" is not a key`:                         "everywhere:\n  a: [hyper+q] # a\n",
		`keys.yaml:2: "shift+g" is not a key: write the letter`:       "everywhere:\n  a: [shift+g] # a\n",
		`keys.yaml:2: "alt+ctrl+q" is not a key`:                      "everywhere:\n  a: [alt+ctrl+q] # a\n",
		`keys.yaml:1: section "nowhere" is not known`:                 "nowhere:\n  a: [q] # a\n",
		`keys.yaml:2: a wants a list of keys`:                         "everywhere:\n  a: q # a\n",
		"keys.yaml:1: want sections":                                  "- a\n",
		"yaml: line":                                                  "everywhere: [\n",
		"section everywhere wants lines like":                         "everywhere: q\n",
	} {
		_, err := Parse("keys.yaml", []byte(text))
		if err == nil || !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q\n gives %v\n want %s", text, err, want)
		}
	}
}

func TestAUsersFileReplacesSingleActions(t *testing.T) {
	m := parsed(t, small)
	n, err := m.Override("mine.yaml", []byte("everywhere:\n  sim.toggle: [p]\nmap:\n  map.up: []\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n.Action(InList, "p") != "sim.toggle" || n.Action(InList, "space") != "" ||
		n.Action(OnMap, "up") != "" || n.Action(InList, "up") != "list.up" {
		t.Error("the user's keys do not hold")
	}
	if m.Action(InList, "space") != "sim.toggle" {
		t.Error("the shipped map was changed")
	}
	if got := n.Bindings()[1].Comment; got != "run or pause" {
		t.Errorf("the comment became %q", got)
	}
	for want, text := range map[string]string{
		"mine.yaml:2: action sim.togle is not known; did you mean \"sim.toggle\"?":   "everywhere:\n  sim.togle: [p]\n",
		"mine.yaml:2: action sim.toggle belongs under everywhere:, not map:":         "map:\n  sim.toggle: [p]\n",
		"mine.yaml:2: key k of sim.toggle is already taken by list.up (keys.yaml:5)": "everywhere:\n  sim.toggle: [k]\n",
	} {
		if _, err := m.Override("mine.yaml", []byte(text)); err == nil ||
			!strings.Contains(strings.ReplaceAll(err.Error(), "\n", " "), want[len("mine.yaml:2: "):]) {
			t.Errorf("%q\n gives %v\n want %s", text, err, want)
		}
	}
	if _, err := m.Override("mine.yaml", nil); err != nil {
		t.Errorf("an empty file gives %v", err)
	}
}

func TestTheShippedMapIsWhole(t *testing.T) {
	data, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("keymap.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{Markdown(m), Text(m)} {
		for _, b := range m.Bindings() {
			if !strings.Contains(table, b.Comment) || !strings.Contains(table, b.Keys[0]) {
				t.Errorf("%s is not in\n%s", b.Action, table)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("everywhere:\n  a: [[q]] # a\n")
	f.Add("everywhere: {a: &x [q], b: *x}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("keys.yaml", []byte(text))
		if (m == nil) == (err == nil) {
			t.Errorf("map %v with error %v", m, err)
		}
		base, err := Parse("keymap.yaml", []byte(small))
		if err != nil {
			t.Fatal(err)
		}
		if over, err := base.Override("mine.yaml", []byte(text)); (over == nil) == (err == nil) {
			t.Errorf("with the user's over it: map %v with error %v", over, err)
		}
	})
}
