package rosidl

import (
	"encoding/json"
	"os"
	"testing"
)

// The hashes were computed by the real rosidl. Each group is checked against its own line of
// simulation_interfaces.
func TestEveryTypeHashEqualsThatOfTheRealTools(t *testing.T) {
	text, err := os.ReadFile("testdata/type_hashes.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]map[string]string
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{"common": "2.x", "simulation_interfaces@2.x": "2.x",
		"simulation_interfaces@1.x": "1.x", "wire_msgs": "2.x"}
	total := 0
	for group, hashes := range groups {
		line, ok := lines[group]
		if !ok {
			t.Errorf("group %q has no line of simulation_interfaces to be checked with", group)
			continue
		}
		lib := load(t, line)
		for name, want := range hashes {
			got, err := lib.Hash(name)
			if err != nil || got != want {
				t.Errorf("%s %s: hash %s, error %v; want %s", group, name, got, err, want)
			}
			total++
		}
	}
	if total < 654 {
		t.Errorf("%d hashes checked, want all 654 that were recorded", total)
	}
}

func TestTheTextThatIsHashed(t *testing.T) {
	d, err := load(t, "2.x").Description("wire_msgs/srv/Half_Request")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type_description": {"type_name": "wire_msgs/srv/Half_Request", "fields": [{"name": "a", "type": ` +
		`{"type_id": 3, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, "referenced_type_descriptions": []}`
	if got := string(d.AppendJSON(nil)); got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
}
