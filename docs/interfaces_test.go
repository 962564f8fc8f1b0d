package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// recorded is the part of a recording's metadata.yaml on its topics.
type recorded struct {
	Information struct {
		Topics []struct {
			Topic struct {
				Name  string `yaml:"name"`
				Type  string `yaml:"type"`
				Offer []qos  `yaml:"offered_qos_profiles"`
			} `yaml:"topic_metadata"`
		} `yaml:"topics_with_message_count"`
	} `yaml:"rosbag2_bagfile_information"`
}

type qos struct {
	Depth       int    `yaml:"depth"`
	Reliability string `yaml:"reliability"`
	Durability  string `yaml:"durability"`
}

// is says whether a quality of service is that of a profile which the page names.
func (q qos) is(name string) bool {
	switch name {
	case "default":
		return q == qos{10, "reliable", "volatile"}
	case "burst":
		return q == qos{512, "reliable", "volatile"}
	case "large":
		return q.Reliability == "reliable" && q.Durability == "volatile" && q.Depth >= 5 && q.Depth <= 100
	case "latched":
		return q == qos{1, "reliable", "transient_local"}
	}
	return false
}

// published is a row of the tables of topics.
type published struct{ names, types, qos string }

// describes says whether a row is about a topic: SENSOR and ID stand for any name, a name without leading
// slash for any namespace.
func (p published) describes(topic string) bool {
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(p.names, -1) {
		pattern := regexp.MustCompile(`SENSOR|ID`).ReplaceAllString(regexp.QuoteMeta(m[1]), `[^/]+`)
		if !strings.HasPrefix(m[1], "/") {
			pattern = `(/[^/]+)?/` + pattern
		}
		if regexp.MustCompile(`^` + pattern + `$`).MatchString(topic) {
			return true
		}
	}
	return false
}

// agrees says whether a topic has the type and the quality of service of a row.
func (p published) agrees(typ string, q qos) bool {
	kind := typ[strings.LastIndex(typ, "/")+1:]
	if !regexp.MustCompile(`\b` + kind + "`").MatchString(p.types) {
		return false
	}
	for _, word := range strings.FieldsFunc(p.qos, func(r rune) bool { return r == ' ' || r == ';' }) {
		if q.is(word) {
			return true
		}
	}
	return false
}

// recordingOf is the description of a recording of a second of a world.
func recordingOf(t *testing.T, bin, world string) (tape recorded) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tape")
	cmd := exec.Command(bin, "run", world, "--no-ros", "--rtf", "0", "--duration", "1s", "--record", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CACHE_HOME=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", world, err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &tape); err != nil {
		t.Fatal(err)
	}
	return tape
}

// TestTopicsAreThoseOfTheReference records what simdeck publishes in worlds that have every kind of it.
func TestTopicsAreThoseOfTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin := filepath.Join(binary(t), "simdeck")
	page, err := os.ReadFile("reference/ros-interfaces.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []published
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.Contains(cells[1], "`") {
			rows = append(rows, published{cells[1], cells[2], cells[3]})
		}
	}
	seen := map[string]bool{}
	for _, world := range []string{"bench", "track", "hills", "armcell", "playground"} {
		for _, at := range recordingOf(t, bin, world).Information.Topics {
			told, agreed := false, false
			for _, row := range rows {
				if row.describes(at.Topic.Name) && len(at.Topic.Offer) > 0 {
					told = true
					agreed = agreed || row.agrees(at.Topic.Type, at.Topic.Offer[0])
				}
			}
			if !told {
				t.Errorf("%s publishes %s, and the reference has no such topic", world, at.Topic.Name)
			} else if !agreed {
				t.Errorf("%s publishes %s as %s with %+v, and the reference says otherwise", world,
					at.Topic.Name, at.Topic.Type, at.Topic.Offer)
			}
			seen[at.Topic.Type] = true
		}
	}
	if len(seen) < 15 {
		t.Errorf("%d types were published: the worlds do not show what there is", len(seen))
	}
}
