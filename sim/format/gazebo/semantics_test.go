package gazebo

import (
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/scene"
)

func TestSemanticsGiveCategoryTagsAndDescription(t *testing.T) {
	before := scene.Info{Category: scene.Robot, Description: "of the sidecar", Tags: []string{"old"}}
	for text, want := range map[string]struct {
		info  scene.Info
		notes []string
	}{
		``: {before, nil},
		`<category>HUMAN</category><tag>mobile</tag><tag>diff drive</tag><tag>mobile</tag>
			<description> Food delivery </description>`: {scene.Info{Category: scene.Human,
			Description: "Food delivery", Tags: []string{"mobile", "diff drive"}}, nil},
		`<category>static_object</category>`: {scene.Info{Category: scene.StaticObject,
			Description: before.Description, Tags: before.Tags}, nil},
		`<category>dragon</category>`: {before, []string{`category "dragon"`}},
		`<category>ROBOT</category><category>HUMAN</category><description>a</description><description>b</description>`: {
			scene.Info{Category: scene.Robot, Description: "a", Tags: before.Tags},
			[]string{"a second <category>", "a second <description>"}},
		`<tag/><kind>x</kind><description/>`: {before, []string{"an empty <tag>", "<kind> in", "an empty <description>"}},
	} {
		d := open(t, `<gz:semantics xmlns:gz="http://gazebosim.org/schema">`+text+`</gz:semantics>`)
		info := before
		Semantics(d, d.Tree.Root, &info)
		if !reflect.DeepEqual(info, want.info) {
			t.Errorf("%s: %+v, want %+v", text, info, want.info)
		}
		if len(*d.Notes) != len(want.notes) {
			t.Errorf("%s: %d notes, want %d: %v", text, len(*d.Notes), len(want.notes), *d.Notes)
			continue
		}
		for i, n := range *d.Notes {
			if !strings.Contains(n.Text, want.notes[i]) {
				t.Errorf("%s: notes %q, want %q", text, n.Text, want.notes[i])
			}
		}
	}
}
