package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const whole = `name: braking
duration: 30s
timeout: 1m
matrix:
  world: [track, wet.sdf]
  seed: [7, 1..2]
  step: [1ms, 4ms]
  scenario: [brake.yaml, none]
  var.speed: [5, 10]
  pose.ego: [[0, 0, 0], [5, 0, 0, 1.57]]
  friction.ground: 0.30
pass: {region: {entity: ego, min: [60, -5], max: [70, 5]}}
fail:
  - {distance: {entity: ego, to: wall, below: 0.5}}
  - {time: 20}
report: [ego]
`

func TestTheExampleIsASweepWithAndWithoutFilesOfOnesOwn(t *testing.T) {
	// Of the runs of the matrix a quarter is excluded; one comes by include.
	printed := 2 * 3 * 2 * 2 * 2 * 2
	for _, c := range []struct {
		text string
		runs int
		keys []string
	}{
		{Example, printed*3/4 + 1, []string{"world", "seed", "step", "pose.rover", "jitter.rover",
			"friction.rover", "gravity", "duration"}},
		{strings.ReplaceAll(Example, "#:", ""), printed*8*3/4 + 1,
			[]string{"scenario", "var.speed", "arg.wheel"}},
	} {
		s, err := Parse("example.yaml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Runs) != c.runs {
			t.Errorf("%d runs, want %d", len(s.Runs), c.runs)
		}
		for _, key := range c.keys {
			if !slices.Contains(s.Keys, key) {
				t.Errorf("%s is not in it; there are %v", key, s.Keys)
			}
		}
	}
}

func TestASweepIsEveryValueWithEveryOtherTheLastKeyChangingFirst(t *testing.T) {
	s, err := Parse("a.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "braking" || s.Timeout != time.Minute || len(s.Pass) != 1 || len(s.Fail) != 2 ||
		len(s.Runs) != 2*3*2*2*2*2 || strings.Join(s.Keys,
		" ") != "duration world seed step scenario var.speed pose.ego friction.ground" ||
		strings.Join(s.Differs, " ") != "world seed step scenario var.speed pose.ego" {
		t.Errorf("%+v, %d runs", s, len(s.Runs))
	}
	for i, want := range map[int]string{
		0:  "track 7 1ms brake.yaml 5 [0 0 0] 0.3",
		1:  "track 7 1ms brake.yaml 5 [5 0 0 1.57] 0.3",
		2:  "track 7 1ms brake.yaml 10 [0 0 0] 0.3",
		4:  "track 7 1ms  5 [0 0 0] 0.3",
		8:  "track 7 4ms brake.yaml 5 [0 0 0] 0.3",
		95: "wet.sdf 2 4ms  10 [5 0 0 1.57] 0.3",
	} {
		r := s.Runs[i]
		if got := fmt.Sprintf("%s %d %v %s %s [%s] %s", r.World, r.Seed, r.Step, r.Scenario,
			r.Vars()["speed"], r.Value("pose.ego"), r.Value("friction.ground")); got != want ||
			r.Index != i || r.Duration != 30*time.Second {
			t.Errorf("run %d is %s of %v, want %s", i, got, r.Duration, want)
		}
	}
}

// The example of GitHub's documentation of jobs.<job_id>.strategy.matrix.include, with other words: fruit is
// var.fruit, and so on.
func TestIncludeAndExcludeAreThoseOfGitHubActions(t *testing.T) {
	text := `world: bench
duration: 1s
scenario: s.yaml
matrix:
  var.fruit: [apple, pear]
  var.animal: [cat, dog]
  include:
    - {var.color: green}
    - {var.color: pink, var.animal: cat}
    - {var.fruit: apple, var.shape: circle}
    - {var.fruit: banana}
    - {var.fruit: banana, var.animal: cat}
`
	list := func(text string) (all []string) {
		s, err := Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Runs {
			line := ""
			for _, key := range []string{"fruit", "animal", "color", "shape"} {
				if v := r.Vars()[key]; v != "" {
					line += v + " "
				}
			}
			all = append(all, strings.TrimSpace(line))
		}
		return all
	}
	if got := strings.Join(list(text),
		"; "); got != "apple cat pink circle; apple dog green circle; pear cat pink; pear dog green; banana; banana cat" {
		t.Errorf("included: %s", got)
	}
	text += "  exclude: [{var.fruit: pear, var.animal: dog}, {var.animal: cat}]\n"
	if got := strings.Join(list(text), "; "); got != "apple dog green circle; cat pink; banana; banana cat" {
		t.Errorf("excluded: %s", got)
	}
}

func TestAMatrixOfIncludedRunsAloneIsThoseRuns(t *testing.T) {
	s, err := Parse("a.yaml", []byte("duration: 1s\nmatrix:\n  include: [{world: a, seed: 3}, {world: b}]\n"))
	if err != nil || len(s.Runs) != 2 || s.Runs[0].Seed != 3 || s.Runs[1].World != "b" ||
		s.Timeout != DefaultTimeout {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = Parse("a.yaml", []byte("duration: 1s\nworld: a\n")); err != nil || len(s.Runs) != 1 ||
		s.Runs[0].World != "a" {
		t.Errorf("without a matrix: %+v, %v", s, err)
	}
}

func TestWhatIsWrongInASweepIsSaidWithItsLineAndTheNearestKey(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"duration:", "durations:", `a.yaml:2:1: "durations" is unknown in a sweep; did you mean "duration"?`},
		{"  seed:", "  seeds:", `a.yaml:6:3: "seeds" is unknown in a matrix; did you mean "seed"?`},
		{"friction.", "fricton.", `a.yaml:11:3: "fricton.ground" is unknown in a matrix; did you mean "friction.ground"?`},
		{"  seed:", "  rtf:", `"rtf" is unknown in a matrix`},
		{"friction.ground:", "friction.:", `"friction." is unknown`},
		{"step: [1ms", "step: [1", `a.yaml:7:10: step is "1"; want a time with its unit, like 30s`},
		{"1..2", "5..2", `a.yaml:6:13: seed is "5..2"; want a range`},
		{"1..2", "-1", `seed is "-1"; want a whole number`},
		{"[7, 1..2]", "[7, 7]", `seed has "7" twice`},
		{"[7, 1..2]", "[]", `a.yaml:6:9: seed has no value`},
		{"[5, 10]", "[5, [6]]", `var.speed is not given`},
		{"0.30", "wet", `friction.ground is "wet"; want a number from 0`},
		{"[5, 0, 0, 1.57]", "[5]", `pose.ego is no pose`},
		{"duration: 30s\n", "", "run 0 has no duration"},
		{"  world: [track, wet.sdf]\n", "", "run 0 has no world"},
		{"entity: ego, to", "entty: ego, to", `a.yaml:14:17: "entty" is unknown in distance`},
		{"report:", "matrix: {}\nreport:", `a.yaml:16:1: a sweep has a second "matrix"`},
		{"  seed:", "  exclude: [{seed: 9}]\n  seed:", `exclude: no run has all of this`},
		{"  seed:", "  include: {seed: 9}\n  seed:", `include is no list of runs`},
		{"  seed:", "  include: [{}]\n  seed:", `include has a run without a value`},
		{"[7, 1..2]", "1..50000", "more than 100000 runs"},
		{whole, "world: a\nduration: 1s\nvar.x: 1\n", "has variables and no scenario"},
		{whole, "", "EOF"},
		{whole, "- 1\n", "a.yaml:1:1: a sweep holds no keys"},
		{whole, strings.Repeat("#", MaxSize+1), "at most"},
	} {
		if _, err := Parse("a.yaml", []byte(strings.Replace(whole, c.from, c.to, 1))); !errors.Is(err,
			ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.to[:min(len(c.to), 40)], err, c.says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err == nil && (len(s.Runs) == 0 || s.Runs[0].World == "" ||
			s.Runs[len(s.Runs)-1].Index != len(s.Runs)-1) {
			t.Errorf("%+v", s)
		}
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	})
}
