package scenario

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const whole = `name: all
end: {time: 60}
phases:
  - name: go
    when: {time: 1}
    do:
      - set_speed: {entity: ego, speed: 5, steer: 0.1}
      - wait: {time: 2}
      - set_joints: {entity: arm, positions: {wrist: -1, elbow: 0.5}, time: 2}
  - name: meet
    when: {distance: {entity: ego, to: [40, 0], below: 5}}
    do:
      - spawn: {uri: box, name: box, position: [50, 0, 0]}
      - set_pose: {entity: ego, position: [0, 0], yaw: 1.57}
      - publish: {topic: /event, text: met}
  - name: far
    when: {distance: {entity: ego, to: box, above: 5}}
  - name: arrive
    when: {region: {entity: ego, min: [60, -5], max: [70, 5]}}
`

func TestAScenarioIsReadWhole(t *testing.T) {
	s, err := Parse("a.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "all" || s.End.Time != 60 || len(s.Phases) != 4 || s.Phases[0].Do[0].Speed != 5 ||
		s.Phases[0].Do[1].Time != 2 || s.Phases[0].Do[2].Time != 2 ||
		!slices.Equal(s.Phases[0].Do[2].Joints, []Joint{{"wrist", -1}, {"elbow", 0.5}}) ||
		s.Phases[1].When.Place.X != 40 ||
		s.Phases[1].Do[1].Yaw != 1.57 || s.Phases[2].When.To != "box" || s.Phases[3].When.Region.Max.Y != 5 {
		t.Errorf("%+v", s)
	}
}

func TestWhatIsWrongInAScenarioIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"set_speed", "fly", `a.yaml:7:9: "fly" is unknown in an action`},
		{"steer:", "stear:", `a.yaml:7:44: "stear" is unknown in set_speed; want entity, speed, steer, turn, aside, climb`},
		{"steer: 0.1", "steer: 0.1, turn: 1", "set_speed wants steer (rad) or turn (rad/s), not both"},
		{"wrist: -1", "elbow: -1", `a.yaml:9:58: positions has a second "elbow"`},
		{"wrist: -1", "wrist: up", `a.yaml:9:54: position of wrist is "up"`},
		{"positions: {wrist: -1, elbow: 0.5}", "positions: {}", "a.yaml:9:46: positions holds no joints"},
		{"positions: {wrist: -1, elbow: 0.5}, time: 2", "time: 2",
			"a.yaml:9:21: positions holds no joints"},
		{"time: 2}\n  - name: meet", "time: -2}\n  - name: meet", `a.yaml:9:77: time is "-2"`},
		{"speed: 5", "speed: fast", `a.yaml:7:41: speed is "fast"`},
		{"when: {time: 1}", "if: {time: 1}", `a.yaml:5:5: "if" is unknown in a phase`},
		{"when: {time: 1}", "when: {luck: 1}", `a.yaml:5:12: "luck" is unknown in a condition`},
		{"when: {time: 1}", "when: {time: 1, region: {}}", `a.yaml:5:11: a condition with 2 keys`},
		{"when: {time: 1}", "when: {time: -1}", `a.yaml:5:18: time is "-1"`},
		{"wait: {time: 2}", "wait: {}", "a.yaml:8:15: time is not given"},
		{"below: 5", "below: 5, above: 4", "one of below and above"},
		{"[50, 0, 0]", "[50]", "a.yaml:13:48: position is no place"},
		{"text: met", "text: ''", "text is not given"},
		{"name: meet", "name: go", `a second phase is named "go"`},
		{"max: [70, 5]", "max: [0, 5]", "min is beyond max"},
		{"phases:", "phases: 3\nother:", `"other" is unknown in a scenario`},
		{whole, "phases: []\n", "no list of 1 to"},
		{whole, "", "EOF"},
		{whole, "a: [", "a.yaml"},
		{whole, "- 1\n", "a.yaml:1:1: a scenario holds no keys"},
		{whole, strings.Repeat("#", MaxSize+1), "at most"},
	} {
		if _, err := Parse("a.yaml", []byte(strings.Replace(whole, c.from, c.to, 1))); !errors.Is(err,
			ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.to[:min(len(c.to), 40)], err, c.says)
		}
	}
}

const fast = `vars: {speed: 5, who: ego}
phases:
  - name: go
    do:
      - set_speed: {entity: "${who}", speed: "${speed}"}
      - publish: {topic: /said, text: "${who} drives ${speed} m/s"}
`

func TestVariablesOfAScenarioTakeOtherValues(t *testing.T) {
	for _, c := range []struct {
		given map[string]string
		speed float64
		text  string
	}{
		{nil, 5, "ego drives 5 m/s"},
		{map[string]string{"speed": "7.5"}, 7.5, "ego drives 7.5 m/s"},
		{map[string]string{"speed": "-1", "who": "bus"}, -1, "bus drives -1 m/s"},
	} {
		s, err := ParseWith("a.yaml", []byte(fast), c.given)
		if err != nil {
			t.Fatal(err)
		}
		if do := s.Phases[0].Do; do[0].Speed != c.speed || do[1].Text != c.text {
			t.Errorf("with %v: %+v", c.given, do)
		}
	}
}

func TestAVariableThatIsNotThereIsSaidWithTheNearest(t *testing.T) {
	for _, c := range []struct {
		from, to string
		given    map[string]string
		says     string
	}{
		{"", "", map[string]string{"sped": "1"},
			`a.yaml:1:7: there is no variable "sped"; did you mean "speed"?`},
		{"", "", map[string]string{"speed": "fast"}, `a.yaml:5:46: speed is "fast"`},
		{`"${speed}"}`, `"${speet}"}`, nil,
			`a.yaml:5:46: there is no variable "speet"; did you mean "speed"?`},
		{"vars: {speed: 5, who: ego}", "name: x", nil, `vars: at the top of the file declares them`},
		{"speed: 5, who", "9: 5, who", nil, `a.yaml:1:8: "9" is no name of a variable`},
		{"speed: 5, who", "speed: [5], who", nil, `a.yaml:1:15: speed is no number and no text`},
		{"{speed: 5, who: ego}", "5", nil, `a.yaml:1:7: vars holds no variables`},
	} {
		if _, err := ParseWith("a.yaml", []byte(strings.Replace(fast, c.from, c.to, 1)),
			c.given); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q, %v: %v, want %q", c.to, c.given, err, c.says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(fast))
	f.Add([]byte(crossing))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err == nil && (len(s.Phases) == 0 || s.Phases[0].Name == "") {
			t.Errorf("%+v", s)
		}
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	})
}
