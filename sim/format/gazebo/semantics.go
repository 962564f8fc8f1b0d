package gazebo

import (
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// Semantics reads <gz:semantics> of a model, which Gazebo's EntitySemantics system serves by
// simulation_interfaces:
//
//	<gz:semantics>
//	  <category>ROBOT</category>      EntityCategory's names without CATEGORY_, in upper or lower case
//	  <tag>mobile</tag>               any number of them
//	  <description>text</description>
//	</gz:semantics>
func Semantics(d *source.Doc, n *xmltree.Node, info *scene.Info) {
	var tags []string
	seen := map[string]bool{}
	for _, k := range n.Kids {
		text := k.Value()
		switch {
		case k.Name != "category" && k.Name != "tag" && k.Name != "description":
			d.Note(scene.Suspicious, k, "<%s> in <gz:semantics>; category, tag and description are known", k.Name)
		case text == "":
			d.Note(scene.Suspicious, k, "an empty <%s> in <gz:semantics> says nothing", k.Name)
		case k.Name == "tag":
			if !slices.Contains(tags, text) {
				tags = append(tags, text)
			}
		case seen[k.Name]:
			d.Note(scene.Suspicious, k, "a second <%s> in <gz:semantics>; the first counts", k.Name)
		case k.Name == "description":
			info.Description = text
		default:
			c, ok := scene.ParseCategory(strings.ToLower(text))
			if !ok {
				d.Note(scene.Suspicious, k,
					"category %q; OBJECT, ROBOT, HUMAN, DYNAMIC_OBJECT and STATIC_OBJECT are known", text)
				break
			}
			info.Category = c
		}
		seen[k.Name] = true
	}
	if tags != nil {
		info.Tags = tags
	}
}
