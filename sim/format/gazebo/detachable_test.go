package gazebo

import (
	"strings"
	"testing"

	"simdeck/sim/scene"
)

// held reads a plugin of a model with two links, hand and nested::tip.
func held(t *testing.T, content string) (*scene.ModelSpec, string) {
	t.Helper()
	d := open(t, `<plugin filename="gz-sim-detachable-joint-system" name="gz::sim::systems::DetachableJoint">`+
		content+`</plugin>`)
	spec := &scene.ModelSpec{Links: []scene.Link{{Name: "hand"}, {Name: "nested::tip"}}}
	if err := Plugin(d, d.Tree.Root, spec, nil, ""); err != nil {
		t.Fatal(err)
	}
	notes := ""
	for _, n := range *d.Notes {
		notes += n.Text + "\n"
	}
	return spec, notes
}

func TestADetachableJointIsReadAsItsFileNamesIt(t *testing.T) {
	for content, want := range map[string]scene.Detachable{
		`<parent_link>hand</parent_link><child_model>box</child_model><child_link>l</child_link>`: {Child: "box",
			ChildLink: "l"},
		`<parent_link>nested::tip</parent_link><child_model>box</child_model><child_link>l</child_link><topic>/go</topic>`: {
			Link: 1, Child: "box", ChildLink: "l", Detach: "/go"},
		`<parent_link>hand</parent_link><child_model>box::lid</child_model><child_link>l</child_link><topic>old</topic><detach_topic>new</detach_topic>
			<attach_topic>a/b</attach_topic><output_topic>/c</output_topic><suppress_child_warning>true</suppress_child_warning>`: {
			Child: "box::lid", ChildLink: "l", Detach: "/new", Attach: "/a/b", Output: "/c",
			Unannounced: true},
		`<parent_link>hand</parent_link><child_model>__model__</child_model><child_link>nested::tip</child_link>`: {
			Child: scene.OwnModel, ChildLink: "nested::tip"},
	} {
		spec, notes := held(t, content)
		if notes != "" || len(spec.Detachables) != 1 || spec.Detachables[0] != want {
			t.Errorf("%s: %+v, want %+v; notes %s", content, spec.Detachables, want, notes)
		}
	}
}

func TestADetachableJointThatCannotBeIsNoted(t *testing.T) {
	for content, says := range map[string]string{
		`<parent_link>hnad</parent_link><child_model>box</child_model><child_link>l</child_link>`:                 `there is no link "hnad"; did you mean "hand"?`,
		`<parent_link>hand</parent_link><child_link>l</child_link>`:                                               `it has no <child_model>`,
		`<parent_link>hand</parent_link><child_model>box</child_model>`:                                           `it has no <child_link>`,
		`<parent_link>hand</parent_link><child_model>__model__</child_model><child_link>nested::top</child_link>`: `did you mean "nested::tip"?`,
	} {
		if spec, notes := held(t, content); !strings.Contains(notes, says) || len(spec.Detachables) != 0 {
			t.Errorf("%s: %+v, notes %q, want %q", content, spec.Detachables, notes, says)
		}
	}
	if spec, notes := held(t, `<parent_link>hand</parent_link><child_model>box</child_model><child_link>l</child_link><torque>1</torque>`); len(spec.Detachables) != 1 || !strings.Contains(notes, "torque") {
		t.Errorf("an element that nobody knows: %+v, notes %q", spec.Detachables, notes)
	}
}
