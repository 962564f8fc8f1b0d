package lockstep

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTopicsAreReadAsTheyAreWrittenAndOthersRefusedWithWhatIsWanted(t *testing.T) {
	for text, want := range map[string]Topic{
		"/rover/cmd_vel":                   {Name: "/rover/cmd_vel"},
		"rover/cmd_vel:stamp":              {Name: "rover/cmd_vel", Stamped: true},
		"/rover/cmd_vel@10":                {Name: "/rover/cmd_vel", Rate: 10},
		"/rover/cmd_vel@12.5:stamp":        {Name: "/rover/cmd_vel", Rate: 12.5, Stamped: true},
		"/rover/cmd_vel@/rover/scan":       {Name: "/rover/cmd_vel", Observation: "/rover/scan"},
		"/rover/cmd_vel@/rover/scan:stamp": {Name: "/rover/cmd_vel", Observation: "/rover/scan", Stamped: true},
	} {
		got, err := Parse([]string{" " + text})
		if err != nil || !slices.Equal(got, []Topic{want}) || got[0].String() != text {
			t.Errorf("%q is read as %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"": "want TOPIC", "/a@": "want TOPIC", "@10": "want TOPIC",
		"/a@0": `a rate of "0"; want Hz`, "/a@-1": "a rate", "/a@1e9": "10000 at most", "/a@5Hz": "a rate",
		"/a@+Inf": "a rate", "/a:stamps": "want stamp", "/a:": "want stamp"} {
		_, err := Parse([]string{text})
		if !errors.Is(err, ErrTopic) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", text, err, want)
		}
	}
	if _, err := Parse([]string{"/a@1", "/a"}); !errors.Is(err, ErrTopic) {
		t.Errorf("a topic that is named twice: %v", err)
	}
	if _, err := Parse(slices.Repeat([]string{"/a"}, maxTopics+1)); !errors.Is(err, ErrTopic) {
		t.Errorf("too many topics: %v", err)
	}
}

func FuzzTopicsThatAreReadAreWrittenAsTheSame(f *testing.F) {
	for _, text := range []string{"/a@10:stamp", "a@/b", "a", "@", ":", "a@1e3", "a@b@c:stamp"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse([]string{text})
		if err != nil {
			if !errors.Is(err, ErrTopic) {
				t.Errorf("%q: %v wraps no ErrTopic", text, err)
			}
			return
		}
		again, err := Parse([]string{got[0].String()})
		if err != nil || again[0] != got[0] {
			t.Errorf("%q is read as %+v, which is written as %q and read as %+v, %v", text, got[0], got[0], again, err)
		}
	})
}
