package attach

import (
	"bytes"
	"strings"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/simif2"
)

// FuzzFields writes any words into a request. Accepted requests can be sent, and are then read the same.
func FuzzFields(f *testing.F) {
	for _, words := range []string{
		"name=cube\nuri=model://cube\nallow_renaming=true",
		"initial_pose.pose.position.x=1.5\ninitial_pose.header.frame_id=map",
		`{"name": "a", "entity_resource": {"uri": "x"}}`, "initial_pose.pose.orientation.w=nan",
		`initial_pose={"pose": {"position": {"x": -inf}}}`,
		"initial_pose.header.stamp.nanosec=4294967296", "entity_resource=[1]", "name",
	} {
		f.Add(words)
	}
	names, err := readConstants()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q, again simif2.SpawnEntityRequest
		if setFields(&q, strings.Split(text, "\n"), names) != nil {
			return
		}
		b, err := msgs.Encode(nil, &q)
		if err != nil {
			return // beyond a bound of the type
		}
		if err := msgs.Decode(b, &again); err != nil {
			t.Fatal(err)
		}
		if c, err := msgs.Encode(nil, &again); err != nil || !bytes.Equal(b, c) {
			t.Fatalf("%x becomes %x: %v", b, c, err)
		}
		appendLines(nil, &q, names, "")
	})
}
