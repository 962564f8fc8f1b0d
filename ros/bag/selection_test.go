package bag

import (
	"errors"
	"strings"
	"testing"

	"simdeck/ros/node"
)

func TestASelectionTakesWhatItsWordsSay(t *testing.T) {
	const all = "/tf /scan /r1/scan /r1/image_raw /r1/camera/image_raw /r10/scan /a/_action/feedback"
	for words, want := range map[string]string{
		"":                             "/tf /scan /r1/scan /r1/image_raw /r1/camera/image_raw /r10/scan",
		"/tf":                          "/tf",
		"tf":                           "/tf",
		"scan":                         "/scan",
		"*scan":                        "/scan /r1/scan /r10/scan",
		"/r?/*":                        "/r1/scan /r1/image_raw /r1/camera/image_raw",
		"!*image*":                     "/tf /scan /r1/scan /r10/scan",
		"*scan,!/r10*":                 "/scan /r1/scan",
		"!*":                           "",
		"/a/_action/*":                 "/a/_action/feedback",
		"*":                            "/tf /scan /r1/scan /r1/image_raw /r1/camera/image_raw /r10/scan",
		"/tf,/r1/image_raw,!image_raw": "/tf /r1/image_raw",
	} {
		var list []string
		if words != "" {
			list = strings.Split(words, ",")
		}
		s, err := ParseSelection(list)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range strings.Fields(all) {
			if s.Takes(node.Topic{Name: name}) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q takes %q, want %q", words, got, want)
		}
	}
}

func TestAWordThatIsNoPatternIsRefused(t *testing.T) {
	for _, word := range []string{"", "!", "/a b", "/a.*", "[ab]", "!/ü"} {
		if _, err := ParseSelection([]string{word}); !errors.Is(err, ErrPattern) {
			t.Errorf("%q: %v", word, err)
		}
	}
}

func FuzzSelection(f *testing.F) {
	for _, word := range []string{"/tf", "*image*", "!a?", "", "/_", "(", "\\"} {
		f.Add(word, "/tf")
	}
	f.Fuzz(func(t *testing.T, word, name string) {
		s, err := ParseSelection([]string{word})
		if err != nil {
			if !errors.Is(err, ErrPattern) {
				t.Error(err)
			}
			return
		}
		s.Takes(node.Topic{Name: name})
		if exact := "/" + strings.TrimPrefix(word, "/"); !strings.ContainsAny(word, "!*?") &&
			!s.Takes(node.Topic{Name: exact}) && exact != "//" {
			t.Errorf("%q does not take %q", word, exact)
		}
	})
}
